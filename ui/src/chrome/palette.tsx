import { useState } from "preact/hooks";
import { showFunction } from "../editor/going";
import { close } from "../state/dialogs";
import { names } from "../state/queries";
import { useQuery } from "../state/query";
import { COMMANDS, type Command } from "./commands";
import { matches } from "./match";

/** More functions are not listed at once. */
const MOST = 200;

/** What fits what was written: commands, or functions to go to after an `@`. */
function fitting(text: string, functions: readonly string[]): readonly Command[] {
  if (!text.startsWith("@")) return COMMANDS.filter((command) => command.applies() && matches(command.title, text));
  const found = functions.filter((name) => matches(name, text.slice(1))).slice(0, MOST);
  return found.map((name) => ({ id: `@${name}`, title: name, keys: [], applies: () => true, run: () => showFunction(name) }));
}

/** All commands by name, and all functions. */
export function Palette({ begin }: { begin: string }) {
  const [text, setText] = useState(begin);
  const functions = useQuery(names).data?.functions ?? [];
  const [at, setAt] = useState(0);
  const found = fitting(text, functions);
  const chosen = Math.min(at, found.length - 1);
  const perform = (command: Command | undefined) => {
    if (command === undefined) return;
    close();
    void command.run();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(Math.min(found.length - 1, chosen + 1));
    else if (event.key === "ArrowUp") setAt(Math.max(0, chosen - 1));
    else if (event.key === "Enter") perform(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        class="search"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[chosen] === undefined ? undefined : `palette-${found[chosen].id}`}
        aria-label="Command"
        placeholder="What would you like to do? @ goes to a function"
        value={text}
        autofocus
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <ul id="palette-list" role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          <li
            key={command.id}
            id={`palette-${command.id}`}
            role="option"
            aria-selected={index === chosen}
            ref={(element) => {
              if (index === chosen) element?.scrollIntoView?.({ block: "nearest" });
            }}
            onMouseMove={() => setAt(index)}
            onClick={() => perform(command)}
          >
            <span class="grow">{command.title}</span>
            {command.keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </li>
        ))}
        {found.length === 0 && <li class="soft">Nothing has these letters.</li>}
      </ul>
    </>
  );
}
