import { useState } from "preact/hooks";
import { close } from "../state/dialogs";
import { COMMANDS, type Command } from "./commands";
import { matches } from "./match";

/** All commands by name. */
export function Palette() {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const found = COMMANDS.filter((command) => matches(command.title, text));
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
        placeholder="What would you like to do?"
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
        {found.length === 0 && <li class="soft">No command has these letters.</li>}
      </ul>
    </>
  );
}
