/** Loading a property: its text goes over the line, and no file is named. */
import { useId } from "preact/hooks";
import type { PropertyView } from "../api";
import { nameOfFile } from "../properties/model";
import { load } from "../properties/state";
import { report } from "../state/session";
import { Field, Form, useField } from "./form";

const EXAMPLE = "never before event queue_push(queue) where queue == 0";

export function PropertyForm({ replaces }: { replaces: PropertyView | null }) {
  const [name, setName] = useField(replaces?.name ?? "");
  const [text, setText] = useField(replaces?.text ?? "");
  const id = useId();
  const choose = (file: File | undefined) => {
    if (file === undefined) return;
    file.text().then((content) => {
      setText(content);
      if (name.trim() === "") setName(nameOfFile(file.name));
    }, report);
  };
  return (
    <Form
      title={replaces === null ? "Load a property" : `Change ${replaces.name}`}
      about="It is watched from the start of every universe on; what is recorded is replayed for it."
      action={replaces === null ? "Load" : "Change"}
      disabled={name.trim() === "" || text.trim() === ""}
      onSubmit={() => load(name.trim(), text, replaces)}
    >
      <label class="field">
        <span>From a file</span>
        <input type="file" onChange={(event) => choose(event.currentTarget.files?.[0])} />
      </label>
      <Field label="Name" value={name} onInput={setName} placeholder="queue-overflow" />
      <div class="field">
        <label for={id}>Text</label>
        <textarea
          id={id}
          class="mono property-text"
          rows={14}
          placeholder={EXAMPLE}
          value={text}
          autofocus
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
    </Form>
  );
}
