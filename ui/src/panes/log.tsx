/** What the program has printed, and what has happened in the session and in the page. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { slide } from "../state/actions";
import { clearLog, log } from "../state/notices";
import { query, useQuery } from "../state/query";
import { ask } from "../state/session";
import { HitsList } from "./hits";
import { Empty, Failed, PlaceLink } from "./parts";

const LINES = 1_000;

const printed = query(
  () => true,
  () => ask({ request: "log", limit: LINES }),
);

const TITLES = { printed: "Printed", happened: "Happened", hits: "Hits" } as const;
type Shown = keyof typeof TITLES;

/** What is listed. */
export const shownInLog = signal<Shown>("printed");

export function LogPane() {
  const shown = shownInLog.value;
  return (
    <div class="pane">
      <div class="bar" role="group" aria-label="What is listed">
        {(Object.keys(TITLES) as Shown[]).map((one) => (
          <button key={one} type="button" class="plain" aria-pressed={shown === one} onClick={() => (shownInLog.value = one)}>
            {TITLES[one]}
          </button>
        ))}
        <span class="grow" />
        {shown === "happened" && (
          <button type="button" class="plain" disabled={log.value.length === 0} onClick={clearLog}>
            Clear
          </button>
        )}
      </div>
      <div class="content">{shown === "printed" ? <Printed /> : shown === "happened" ? <Happened /> : <HitsList />}</div>
    </div>
  );
}

/** The lines of this universe; what is still to come is faint. A line leads to its moment. */
function Printed() {
  const { data, error } = useQuery(printed);
  if (error !== null) return <Failed text={error} />;
  if (data === null) return null;
  if (data.lines.length === 0) {
    return <Empty title="Nothing printed">What the program prints in this universe is listed here.</Empty>;
  }
  return (
    <ul class="lines printed-lines">
      {data.omitted > 0 && <li class="faint">{data.omitted} earlier lines</li>}
      {data.lines.map((line, index) => (
        <li key={index}>
          <button
            type="button"
            class={`link mono grow ${line.ahead ? "ahead" : ""}`}
            title={`${line.ahead ? "Still to come; go" : "Go"} to the moment that printed it: ${line.place.text}`}
            onClick={() => void slide(line.place.text)}
          >
            {line.text === "" ? " " : line.text}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Happened() {
  const end = useRef<HTMLLIElement>(null);
  const lines = log.value;
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [lines.length]);
  if (lines.length === 0) return <Empty title="Nothing yet">What happens in this session is noted here.</Empty>;
  return (
    <ul class="lines log">
      {lines.map((line) => (
        <li key={line.id} class={line.kind}>
          <span class="kind" aria-hidden="true" />
          <span class="grow">{line.text}</span>
          {line.place !== undefined && <PlaceLink place={line.place} />}
        </li>
      ))}
      <li ref={end} aria-hidden="true" />
    </ul>
  );
}
