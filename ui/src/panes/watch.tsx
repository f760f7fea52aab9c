import { useState } from "preact/hooks";
import type { SourceVariable } from "../api";
import { IconButton } from "../chrome/button";
import { chosenFrame } from "../state/queries";
import { hasSource, watched } from "../state/preferences";
import { query, useQuery } from "../state/query";
import { ask } from "../state/session";
import { changes } from "./changes";
import { Changing, usePlaceOf } from "./changing";
import { Empty } from "./parts";
import { Opener, Parts, Shown, ViewOf } from "./source-variables";

interface Watched {
  readonly expression: string;
  readonly value: string;
  readonly failed: boolean;
  /** What the source knows of it. */
  readonly found: SourceVariable | null;
}

async function evaluate(expression: string): Promise<Watched> {
  try {
    if (hasSource.value) {
      const found = await ask({ request: "evaluate", expression, frame: chosenFrame.value });
      return { expression, value: found.value, failed: false, found };
    }
    const found = await ask({ request: "print", term: expression });
    const value = "term" in found ? found.value.text : found.value;
    return { expression, value, failed: false, found: null };
  } catch (error) {
    return { expression, value: error instanceof Error ? error.message : String(error), failed: true, found: null };
  }
}

const values = query(
  () => ({ expressions: watched.value, frame: chosenFrame.value }),
  ({ expressions }) => Promise.all(expressions.map(evaluate)),
);

/** Expressions whose values one keeps an eye on. */
export function WatchPane() {
  const { data } = useQuery(values);
  const place = usePlaceOf(data);
  const [text, setText] = useState("");
  const add = (event: Event) => {
    event.preventDefault();
    const expression = text.trim();
    if (expression !== "" && !watched.value.includes(expression)) watched.value = [...watched.value, expression];
    setText("");
  };
  const remove = (expression: string) => (watched.value = watched.value.filter((one) => one !== expression));
  return (
    <div class="pane">
      <form class="bar" onSubmit={add}>
        <input
          class="grow mono"
          aria-label="Expression to watch"
          placeholder={hasSource.value ? "an expression of the source" : "global 0, local 1, i32 @ 1024"}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" disabled={text.trim() === ""}>
          Watch
        </button>
      </form>
      <div class="content">
        {watched.value.length === 0 && (
          <Empty title="Nothing is watched">What you add here is shown wherever you go.</Empty>
        )}
        {data !== null && data.length > 0 && (
          <table class="rows variables">
            <tbody>
              {data.map((one) => (
                <Row key={one.expression} watched={one} place={place} onRemove={() => remove(one.expression)} />
              ))}
            </tbody>
          </table>
        )}
      </div>
    </div>
  );
}

function Row({ watched: one, place, onRemove }: { watched: Watched; place: string; onRemove(): void }) {
  const [isOpen, setOpen] = useState(false);
  const { expression, found } = one;
  const name = `watch ${expression}`;
  const hasParts = found?.has_children === true;
  const change = changes.note(name, one.value, place);
  const of = { expression: { expression, frame: chosenFrame.value } };
  return (
    <>
      <tr>
        <td class="mono" title={expression}>
          <Opener name={expression} isOpen={hasParts ? isOpen : null} onToggle={() => setOpen(!isOpen)} />
          {expression}
        </td>
        <td>
          {one.failed && <span class="faint">{one.value}</span>}
          {!one.failed && found !== null && <Shown variable={found} label={expression} name={name} change={change} />}
          {!one.failed && found === null && <Changing value={one.value} label={expression} change={change} />}
        </td>
        <td class="mono faint" title={found?.type}>
          {found !== null && <ViewOf variable={found} label={expression} name={name} />}
        </td>
        <td class="actions">
          <IconButton icon="close" label={`Stop watching ${expression}`} onClick={onRemove} />
        </td>
      </tr>
      {isOpen && hasParts && <Parts scope={{ of, path: [], name }} level={1} />}
    </>
  );
}
