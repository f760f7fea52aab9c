/** Deciding what inputs return. */
import { useState } from "preact/hooks";
import { names } from "../state/queries";
import { useQuery } from "../state/query";
import { act, answer, mock } from "../state/actions";
import { Field, Form, useField } from "./form";

function canReturn(domain: string | null): string | undefined {
  return domain === null ? undefined : `It can return ${domain}.`;
}

export function MockForm(given: { call: string; value: string; domain: string | null }) {
  const [call, setCall] = useField(given.call);
  const [value, setValue] = useField(given.value);
  const [once, setOnce] = useState(false);
  const known = useQuery(names).data;
  return (
    <Form
      title="Mock an input"
      about="Decide what an input returns when the program reads it."
      action="Mock"
      disabled={call.trim() === "" || value.trim() === ""}
      onSubmit={() => mock(call.trim(), value.trim(), once)}
    >
      <Field
        label="Which input"
        value={call}
        onInput={setCall}
        placeholder="chip_analog_read(12), or chip_analog_read for any pin"
        list="inputs"
        autofocus={given.call === ""}
      />
      <datalist id="inputs">{known?.inputs.map((input) => <option key={input} value={input} />)}</datalist>
      <Field
        label="Returns"
        value={value}
        onInput={setValue}
        autofocus={given.call !== ""}
        hint={call === given.call ? canReturn(given.domain) : undefined}
      />
      <label class="check">
        <input type="checkbox" checked={once} onChange={(event) => setOnce(event.currentTarget.checked)} />
        Only the next time it is read
      </label>
    </Form>
  );
}

export function ReadingForm() {
  const [call, setCall] = useField("");
  const [value, setValue] = useField("");
  return (
    <Form
      title="Set what an input reads"
      about="Decide what an input reads by itself when nobody mocks it, as if the sensor were set. This can be done before the program has begun."
      action="Set"
      disabled={call.trim() === ""}
      onSubmit={() => act({ request: "set-reading", call: call.trim(), value: value.trim() === "" ? null : value.trim() })}
    >
      <Field label="Which input" value={call} onInput={setCall} placeholder="chip_analog_read(12)" autofocus />
      <Field label="Reads" value={value} onInput={setValue} placeholder="what the world gives" />
    </Form>
  );
}

export function AnswerForm({ call, domain }: { call: string; domain: string | null }) {
  const [value, setValue] = useField("");
  return (
    <Form
      title="Answer this reading"
      about={
        <>
          The program is about to read <code>{call}</code>. Decide what it gets, this once.
        </>
      }
      action="Answer"
      disabled={value.trim() === ""}
      onSubmit={() => answer(value.trim())}
    >
      <Field label="Returns" value={value} onInput={setValue} hint={canReturn(domain)} autofocus />
    </Form>
  );
}

export function BranchForm(given: { call: string | null; domain: string | null }) {
  const [call, setCall] = useField(given.call ?? "");
  const [values, setValues] = useField("");
  return (
    <Form
      title="Branch on several values"
      about="Make a universe for each of several values, where the input is read next."
      action="Branch"
      disabled={values.trim() === ""}
      onSubmit={() =>
        act({ request: "branch", call: call.trim() === "" ? null : call.trim(), values: values.trim() }, "Branching")
      }
    >
      <Field label="Which input" value={call} onInput={setCall} placeholder="the one that is read here" />
      <Field
        label="Values"
        value={values}
        onInput={setValues}
        placeholder="10, 50, 90 or 0..4095 step 512 or all"
        hint={call === given.call ? canReturn(given.domain) : undefined}
        autofocus
      />
    </Form>
  );
}
