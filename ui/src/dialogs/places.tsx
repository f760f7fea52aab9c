/** Naming places, going to them, and stopping at them. */
import { useState } from "preact/hooks";
import type { BreakpointView } from "../api";
import { names } from "../state/queries";
import { useQuery } from "../state/query";
import { act, slide } from "../state/actions";
import { Field, Form, useField } from "./form";

export function BookmarkForm({ place }: { place: string }) {
  const [name, setName] = useField("");
  return (
    <Form
      title="Bookmark a place"
      about={
        <>
          Give <code>{place}</code> a name, to come back to it.
        </>
      }
      action="Bookmark"
      disabled={name.trim() === ""}
      onSubmit={() => act({ request: "bookmark", name: name.trim(), place })}
    >
      <Field label="Name" value={name} onInput={setName} placeholder="too-hot" autofocus />
    </Form>
  );
}

export function GoToForm() {
  const [place, setPlace] = useField("");
  const known = useQuery(names).data;
  return (
    <Form
      title="Go to a place"
      action="Slide"
      disabled={place.trim() === ""}
      onSubmit={() => {
        void slide(place.trim());
        return true;
      }}
    >
      <Field
        label="Place"
        value={place}
        onInput={setPlace}
        list="bookmarks"
        placeholder="1.3+20, 512, +20, -20, start, end, or a bookmark"
        hint="A node with instructions after it, a count, a distance, or a bookmark."
        autofocus
      />
      <datalist id="bookmarks">
        {["start", "end", ...(known?.bookmarks ?? [])].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </Form>
  );
}

const givenOrNull = (text: string) => (text === "" ? null : text);

/** When a breakpoint stops the program, as it is written. */
function useWhen(given: Partial<Pick<BreakpointView, "condition" | "hits" | "log">>) {
  const [condition, setCondition] = useField(given.condition ?? "");
  const [hits, setHits] = useField(given.hits ?? "");
  const [log, setLog] = useField(given.log ?? "");
  const fields = (
    <>
      <Field label="Only if" value={condition} onInput={setCondition} placeholder="on == 56" />
      <div class="fields">
        <Field label="Only these times" value={hits} onInput={setHits} placeholder="all; or 3, >= 3, % 2" />
        <Field label="Log instead of stopping" value={log} onInput={setLog} placeholder="light is {light}" />
      </div>
    </>
  );
  return { condition: condition.trim(), hits: hits.trim(), log: log.trim(), fields };
}

export function ChangeBreakpointForm({ breakpoint }: { breakpoint: BreakpointView }) {
  const { fields, ...when } = useWhen(breakpoint);
  return (
    <Form
      title="Change a breakpoint"
      about={
        <>
          When <code>{breakpoint.trigger}</code> stops the program.
        </>
      }
      action="Change"
      onSubmit={() => act({ request: "change-breakpoint", id: breakpoint.id, ...when })}
    >
      {fields}
    </Form>
  );
}

export function BreakpointForm({ trigger: given }: { trigger: string }) {
  const [trigger, setTrigger] = useField(given);
  const when = useWhen({});
  const [temporary, setTemporary] = useState(false);
  const known = useQuery(names).data;
  const suggestions = known === null ? [] : [...known.functions, ...known.inputs, ...known.outputs];
  return (
    <Form
      title="Add a breakpoint"
      action="Add"
      disabled={trigger.trim() === ""}
      onSubmit={() =>
        act({
          request: "add-breakpoint",
          trigger: trigger.trim(),
          condition: givenOrNull(when.condition),
          hits: givenOrNull(when.hits),
          log: givenOrNull(when.log),
          temporary,
        })
      }
    >
      <Field
        label="Stops at"
        value={trigger}
        onInput={setTrigger}
        list="triggers"
        placeholder="main.ts:12, a function, an input, *0xfd, or watch i32 @ 1024"
        autofocus
      />
      <datalist id="triggers">{suggestions.map((name) => <option key={name} value={name} />)}</datalist>
      {when.fields}
      <label class="check">
        <input type="checkbox" checked={temporary} onChange={(event) => setTemporary(event.currentTarget.checked)} />
        Only once
      </label>
    </Form>
  );
}
