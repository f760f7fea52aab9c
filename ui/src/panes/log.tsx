/** What has happened: in the session, in the page, and what the program has printed. */
import { useEffect, useRef } from "preact/hooks";
import { clearLog, log } from "../state/notices";
import { Empty, PlaceLink } from "./parts";

export function LogPane() {
  const end = useRef<HTMLLIElement>(null);
  const lines = log.value;
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [lines.length]);
  return (
    <div class="pane">
      <div class="bar">
        <span class="grow soft">Click a place to go to its moment</span>
        <button type="button" class="plain" disabled={lines.length === 0} onClick={clearLog}>
          Clear
        </button>
      </div>
      <div class="content">
        {lines.length === 0 && <Empty title="Nothing yet">What happens in this session is noted here.</Empty>}
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
      </div>
    </div>
  );
}
