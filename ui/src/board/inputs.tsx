/** What the program reads: sliders and buttons that decide what it gets. */
import { useEffect, useState } from "preact/hooks";
import type { MockView, WorldView } from "../api";
import { IconButton } from "../chrome/button";
import { act, mock } from "../state/actions";
import { mocks } from "../state/queries";
import { useQuery } from "../state/query";
import { position } from "../state/session";
import { tree } from "../tree/state";
import { controlOf, knownInputs, type Control } from "./controls";
import { domains, learn } from "./domains";

export function Inputs({ world }: { world: WorldView }) {
  const decided = useQuery(mocks).data ?? [];
  const model = useQuery(tree).data;
  const pending = position.value?.pending ?? null;
  const calls = knownInputs(world, model, pending, decided);
  useEffect(() => learn(calls), [calls.join()]);
  if (calls.length === 0) return null;
  return (
    <section class="part wide" aria-label="Inputs">
      <h3>Inputs</h3>
      <ul class="inputs">
        {calls.map((call) => (
          <Input
            key={call}
            call={call}
            control={controlOf(domains.value.get(call) ?? null)}
            decided={decided.findLast((one) => one.call === call) ?? null}
            isPending={pending?.call === call}
          />
        ))}
      </ul>
    </section>
  );
}

interface InputProps {
  call: string;
  control: Control;
  decided: MockView | null;
  isPending: boolean;
}

function Input({ call, control, decided, isPending }: InputProps) {
  return (
    <li class={isPending ? "pending" : ""} data-input={call}>
      <span class="mono">{call}</span>
      <span>
        {isPending && <span class="badge past">read next</span>}
        {decided !== null && (
          <IconButton icon="close" label={`Let ${call} read the world again`} onClick={() => act({ request: "unmock", id: decided.id })} />
        )}
      </span>
      <div class="control">
        {control.kind === "range" && <Slider call={call} low={control.low} high={control.high} value={decided?.value ?? null} />}
        {control.kind === "names" && <Levels call={call} names={control.names} value={decided?.value ?? null} />}
        {control.kind === "text" && <Text call={call} value={decided?.value ?? null} />}
      </div>
    </li>
  );
}

function Slider({ call, low, high, value }: { call: string; low: number; high: number; value: string | null }) {
  const [draft, setDraft] = useState<string | null>(null);
  const shown = draft ?? value;
  const decide = async (text: string) => {
    await mock(call, text);
    setDraft(null);
  };
  return (
    <>
      <input
        type="range"
        min={low}
        max={high}
        value={shown ?? String(low)}
        aria-label={`${call} returns`}
        aria-valuetext={shown ?? "what the world gives"}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onChange={(event) => void decide(event.currentTarget.value)}
      />
      <output class="mono">{shown ?? <span class="faint">world</span>}</output>
    </>
  );
}

function Levels({ call, names, value }: { call: string; names: readonly string[]; value: string | null }) {
  return (
    <div class="levels" role="group" aria-label={`${call} returns`}>
      {names.map((name) => (
        <button key={name} type="button" aria-pressed={value === name} onClick={() => void mock(call, name)}>
          {name}
        </button>
      ))}
    </div>
  );
}

function Text({ call, value }: { call: string; value: string | null }) {
  return (
    <input
      class="mono grow"
      aria-label={`${call} returns`}
      placeholder="what the world gives"
      value={value ?? ""}
      onChange={(event) => {
        const text = event.currentTarget.value.trim();
        if (text !== "") void mock(call, text);
      }}
    />
  );
}
