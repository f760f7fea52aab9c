/** Every time that the program comes to a line, with values there; each leads to its moment. */
import { useState } from "preact/hooks";
import { count } from "../format/values";
import { slide } from "../state/actions";
import { askHits, forgetHits, hits } from "../state/hits";
import { Empty, Failed } from "./parts";

export function HitsList() {
  const asked = hits.value;
  return (
    <>
      <Question key={asked?.at ?? ""} at={asked?.at ?? ""} values={asked?.values ?? ""} />
      {asked === null ? (
        <Empty title="No line chosen">
          What a log point would have said: name a line, and see its values at every time that the program comes to it.
        </Empty>
      ) : asked.found === null ? (
        <Failed text={asked.error ?? ""} />
      ) : (
        <Found />
      )}
    </>
  );
}

function Question({ at, values }: { at: string; values: string }) {
  const [place, setPlace] = useState(at);
  const [terms, setTerms] = useState(values);
  return (
    <form
      class="hits-question"
      onSubmit={(event) => {
        event.preventDefault();
        if (place.trim() !== "") void askHits(place.trim(), terms);
      }}
    >
      <input
        class="mono"
        aria-label="Line, function or primitive"
        placeholder="main.ts:12"
        value={place}
        onInput={(event) => setPlace(event.currentTarget.value)}
      />
      <input
        class="mono grow"
        aria-label="Values, between commas"
        placeholder="values: x, y"
        value={terms}
        onInput={(event) => setTerms(event.currentTarget.value)}
      />
      <button type="submit" class="plain">
        Look
      </button>
      <button type="button" class="plain" disabled={at === ""} onClick={forgetHits}>
        Clear
      </button>
    </form>
  );
}

function Found() {
  const found = hits.value!.found!;
  return (
    <ul class="lines printed-lines" aria-label={`Hits of ${found.trigger}`}>
      <li class="faint">
        {found.trigger}: {count(found.total)} {found.total === 1 ? "time" : "times"}
        {found.omitted > 0 && `, the last ${count(found.hits.length)} of them`}
        {found.until !== null && `, looked at as far as ${found.until.text}`}
      </li>
      {found.hits.map((hit) => (
        <li key={hit.place.text}>
          <button
            type="button"
            class={`link mono grow ${hit.ahead ? "ahead" : ""}`}
            title={`${hit.ahead ? "Still to come; go" : "Go"} there: ${hit.place.text}`}
            onClick={() => void slide(hit.place.text)}
          >
            {hit.place.text} {hit.text ?? ""}
          </button>
        </li>
      ))}
    </ul>
  );
}
