import { useState } from "preact/hooks";
import { IconButton } from "../chrome/button";
import { chosenFrame } from "../state/queries";
import { hasSource, watched } from "../state/preferences";
import { query, useQuery } from "../state/query";
import { ask } from "../state/session";
import { Changing } from "./changing";
import { Empty } from "./parts";

interface Watched {
  readonly expression: string;
  readonly value: string;
  readonly type: string;
  readonly failed: boolean;
}

async function evaluate(expression: string): Promise<Watched> {
  try {
    if (hasSource.value) {
      const found = await ask({ request: "evaluate", expression, frame: chosenFrame.value }, "source-variable");
      return { expression, value: found.value, type: found.type, failed: false };
    }
    const found = await ask({ request: "print", term: expression }, "variable");
    return { expression, value: found.value.text, type: found.value.type, failed: false };
  } catch (error) {
    return { expression, value: error instanceof Error ? error.message : String(error), type: "", failed: true };
  }
}

const values = query(
  () => ({ expressions: watched.value, frame: chosenFrame.value }),
  ({ expressions }) => Promise.all(expressions.map(evaluate)),
);

/** Expressions whose values one keeps an eye on. */
export function WatchPane() {
  const { data } = useQuery(values);
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
                <tr key={one.expression}>
                  <td class="mono">{one.expression}</td>
                  <td>{one.failed ? <span class="faint">{one.value}</span> : <Changing value={one.value} label={one.expression} />}</td>
                  <td class="actions">
                    <IconButton icon="close" label={`Stop watching ${one.expression}`} onClick={() => remove(one.expression)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </div>
  );
}
