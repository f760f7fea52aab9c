/** The terminal's commands, in the page. What was written stays while the page is open. */
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { carryOut } from "../state/session";
import { History } from "./history";

interface Exchange {
  readonly line: string;
  /** Nothing while it is being carried out. */
  readonly said: string | null;
  readonly failed: boolean;
}

const MOST = 200;
const exchanges = signal<readonly Exchange[]>([]);
const history = new History();

async function carry(line: string): Promise<void> {
  history.add(line);
  const asked: Exchange = { line, said: null, failed: false };
  exchanges.value = [...exchanges.value, asked].slice(-MOST);
  const settle = (said: string, failed: boolean) => {
    exchanges.value = exchanges.value.map((one) => (one === asked ? { line, said, failed } : one));
  };
  try {
    settle(await carryOut(line), false);
  } catch (error) {
    settle(error instanceof Error ? error.message : String(error), true);
  }
}

export function ConsolePane() {
  const [line, setLine] = useState("");
  const end = useRef<HTMLDivElement>(null);
  const said = exchanges.value;
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [said]);
  const press = (event: KeyboardEvent) => {
    if (event.key === "ArrowUp") setLine(history.earlier(line));
    else if (event.key === "ArrowDown") setLine(history.later());
    else return;
    event.preventDefault();
  };
  return (
    <div class="pane console">
      <div class="content" role="log" aria-label="What was written and said">
        <div class="exchanges">
          {said.length === 0 && <p class="soft">All commands of the terminal; help lists them.</p>}
          {said.map((one, index) => (
            <div key={index}>
              <div class="mono asked">{one.line}</div>
              {one.said !== null && one.said !== "" && <pre class={one.failed ? "error-text" : ""}>{one.said}</pre>}
            </div>
          ))}
          <div ref={end} />
        </div>
      </div>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          if (line.trim() !== "") void carry(line.trim());
          setLine("");
        }}
      >
        <span class="mono faint" aria-hidden="true">
          (mw)
        </span>
        <input
          class="grow mono"
          type="text"
          aria-label="Command of the terminal"
          spellcheck={false}
          autocomplete="off"
          value={line}
          onInput={(event) => setLine(event.currentTarget.value)}
          onKeyDown={press}
        />
      </form>
    </div>
  );
}
