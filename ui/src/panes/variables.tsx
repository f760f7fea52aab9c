import { useState } from "preact/hooks";
import type { ScopeRef, SourceVariable, Variable } from "../api";
import { NUMBERS } from "../format/values";
import { act } from "../state/actions";
import { hasSource, numbers } from "../state/preferences";
import { chosenFrame, frames, globals, localVariables, sourceFrames } from "../state/queries";
import { query, useQuery } from "../state/query";
import { ask } from "../state/session";
import { changes } from "./changes";
import { Changing, usePlaceOf } from "./changing";
import { Empty, Failed } from "./parts";
import { SourceRows, type Scope } from "./source-variables";

/** Variables of the source where it is known, else of the machine. Values can be set by hand. */
export function VariablesPane() {
  return (
    <div class="pane">
      {hasSource.value ? <OfSource /> : <OfMachine />}
      <select
        class="plain numbers"
        aria-label="How integers are shown"
        value={numbers.value}
        onChange={(event) => (numbers.value = NUMBERS.find((one) => one === event.currentTarget.value) ?? "decimal")}
      >
        {NUMBERS.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </div>
  );
}

const ofGlobals = query<ScopeRef, SourceVariable[]>(
  () => "globals",
  (of) => ask({ request: "source-variables", of }),
);

function OfSource() {
  const local = useQuery(localVariables);
  const global = useQuery(ofGlobals);
  const frame = useQuery(sourceFrames).data?.[chosenFrame.value];
  const nothing = local.data?.length === 0 && global.data?.length === 0;
  const locals: Scope = { of: { frame: chosenFrame.value }, path: [], name: frame?.function ?? "" };
  const outside: Scope = { of: "globals", path: [], name: "globals" };
  return (
    <div class="content">
      {local.error !== null && <Failed text={local.error} />}
      {nothing && <Empty title="No variables">There are none in this function, and none outside of functions.</Empty>}
      {local.data !== null && local.data.length > 0 && (
        <Section title="Locals">
          <SourceRows variables={local.data} scope={locals} />
        </Section>
      )}
      {global.data?.some((one) => !one.constant) && (
        <Section title="Globals">
          <SourceRows variables={global.data} scope={outside} shows={(one) => !one.constant} />
        </Section>
      )}
      {global.data?.some((one) => one.constant) && (
        <Section title="Constants" isShut>
          <SourceRows variables={global.data} scope={outside} shows={(one) => one.constant} />
        </Section>
      )}
    </div>
  );
}

function OfMachine() {
  const stack = useQuery(frames);
  const global = useQuery(globals);
  const frame = stack.data?.[Math.min(chosenFrame.value, stack.data.length - 1)];
  return (
    <div class="content">
      {stack.error !== null && <Failed text={stack.error} />}
      {frame !== undefined && frame.locals.length > 0 && (
        <Section title={`Locals of ${frame.function}`}>
          <MachineRows variables={frame.locals} of={frame.function} />
        </Section>
      )}
      {global.data !== null && global.data.length > 0 && (
        <Section title="Globals">
          <MachineRows variables={global.data} of="globals" />
        </Section>
      )}
      {frame === undefined && global.data?.length === 0 && <Empty title="No variables" />}
    </div>
  );
}

function Section({ title, isShut, children }: { title: string; isShut?: boolean | undefined; children: preact.ComponentChildren }) {
  const [shut, setShut] = useState(isShut ?? false);
  return (
    <section aria-label={title}>
      <button type="button" class="section-title plain" aria-expanded={!shut} onClick={() => setShut(!shut)}>
        {shut ? "▸" : "▾"} {title}
      </button>
      {!shut && (
        <table class="rows variables">
          <tbody>{children}</tbody>
        </table>
      )}
    </section>
  );
}

function MachineRows({ variables, of }: { variables: Variable[]; of: string }) {
  const place = usePlaceOf(variables);
  return (
    <>
      {variables.map((variable) => (
        <tr key={variable.term}>
          <td class="mono">
            {variable.name ?? variable.term}
            {variable.name !== null && <span class="faint"> {variable.term}</span>}
          </td>
          <td>
            <Changing
              value={variable.value.text}
              label={variable.name ?? variable.term}
              change={changes.note(`${of}.${variable.term}`, variable.value.text, place)}
              onSet={(value) => act({ request: "alter", target: variable.term, value })}
            />
          </td>
          <td class="mono faint">{variable.value.type}</td>
        </tr>
      ))}
    </>
  );
}
