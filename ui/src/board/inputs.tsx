/** What the program reads: sliders and buttons that decide what it gets. */
import { useMemo, useState } from "preact/hooks";
import type { KnownInput, MockView } from "../api";
import { IconButton } from "../chrome/button";
import { act, mock } from "../state/actions";
import { inputs, mocks } from "../state/queries";
import { useQuery } from "../state/query";
import { Scrubber } from "../state/scrub";
import { activity, passing, position } from "../state/session";
import { controlOf } from "./controls";

export function Inputs() {
  const known = useQuery(inputs).data ?? [];
  const decided = useQuery(mocks).data ?? [];
  const pending = passing.value === null ? (position.value?.pending ?? null) : null;
  if (known.length === 0) return null;
  return (
    <section class="part wide" aria-label="Inputs">
      <h3>Inputs</h3>
      <ul class="inputs">
        {known.map((input) => (
          <Input
            key={input.call}
            input={input}
            decided={decided.findLast((one) => one.call === input.call) ?? null}
            isPending={pending?.call === input.call}
          />
        ))}
      </ul>
    </section>
  );
}

interface InputProps {
  input: KnownInput;
  decided: MockView | null;
  isPending: boolean;
}

function Input({ input: { call, domain, value }, decided, isPending }: InputProps) {
  const control = controlOf(domain);
  const given = { call, value: decided?.value ?? null, otherwise: value };
  return (
    <li class={isPending ? "pending" : ""} data-input={call}>
      <span class="mono">
        {call} {control.kind === "range" && <span class="faint">{domain}</span>}
      </span>
      <span>
        {isPending && <span class="badge past">read next</span>}
        {decided !== null && (
          <IconButton icon="close" label={`Let ${call} read the world again`} onClick={() => act({ request: "unmock", id: decided.id })} />
        )}
      </span>
      <div class="control">
        {control.kind === "range" && <Slider {...given} low={control.low} high={control.high} />}
        {control.kind === "names" && <Levels {...given} names={control.names} />}
        {control.kind === "text" && <Text {...given} />}
      </div>
    </li>
  );
}

interface Given {
  call: string;
  /** What it was decided to return. */
  value: string | null;
  /** What the world gives otherwise, if that is known. */
  otherwise: string | null;
}

function Slider({ call, value, otherwise, low, high }: Given & { low: number; high: number }) {
  const [draft, setDraft] = useState<string | null>(null);
  const hand = useMemo(() => new Scrubber((text: string) => mock(call, text)), [call]);
  const shown = draft ?? value;
  const decide = async (text: string) => {
    await hand.to(text);
    setDraft(null);
  };
  return (
    <>
      <input
        type="range"
        min={low}
        max={high}
        value={shown ?? otherwise ?? String(low)}
        aria-label={`${call} returns`}
        aria-valuetext={shown ?? "what the world gives"}
        onInput={(event) => {
          setDraft(event.currentTarget.value);
          // While the program runs, it reads what the hand does.
          if (activity.value !== null) void hand.to(event.currentTarget.value);
        }}
        onChange={(event) => void decide(event.currentTarget.value)}
      />
      <output class="mono">{shown ?? <span class="faint">{otherwise ?? "world"}</span>}</output>
    </>
  );
}

function Levels({ call, value, otherwise, names }: Given & { names: readonly string[] }) {
  return (
    <div class="levels" role="group" aria-label={`${call} returns`}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          class={value === null && name === otherwise ? "otherwise" : ""}
          aria-pressed={value === name}
          onClick={() => void mock(call, name)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

function Text({ call, value, otherwise }: Given) {
  return (
    <input
      class="mono grow"
      aria-label={`${call} returns`}
      placeholder={otherwise ?? "what the world gives"}
      value={value ?? ""}
      onChange={(event) => {
        const text = event.currentTarget.value.trim();
        if (text !== "") void mock(call, text);
      }}
    />
  );
}
