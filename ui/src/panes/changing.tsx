import { useRef, useState } from "preact/hooks";
import { shownAs } from "../format/values";
import { numbers } from "../state/preferences";
import { position } from "../state/session";
import type { Change } from "./changes";

/** The place that an answer is about: where one stood when it came. */
export function usePlaceOf(answer: unknown): string {
  const known = useRef<{ answer: unknown; place: string } | null>(null);
  if (known.current?.answer !== answer) known.current = { answer, place: position.value?.place.text ?? "" };
  return known.current!.place;
}

interface Props {
  value: string;
  label: string;
  /** What it was, if it has just changed. */
  change: Change | null;
  onSet?: ((value: string) => Promise<boolean>) | undefined;
}

/** A value on one line, that can be set by hand: double click or Enter edits it. Marked when it has changed. */
export function Changing({ value, label, change, onSet }: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  if (draft === null) {
    const edit = () => onSet !== undefined && setDraft(value);
    const history = change === null ? `${label} = ${value}` : `${label}: ${change.was} → ${value}, since ${change.at}`;
    return (
      <button
        type="button"
        class={`value mono ${change === null ? "" : "changed"}`}
        title={onSet === undefined ? history : `${history}. Click to set it by hand`}
        disabled={onSet === undefined}
        onClick={edit}
      >
        {shownAs(value, numbers.value)}
      </button>
    );
  }
  const done = async () => {
    const given = draft;
    setDraft(null);
    if (given !== value) await onSet?.(given);
  };
  return (
    <input
      class="value mono"
      aria-label={`New value of ${label}`}
      value={draft}
      autofocus
      ref={(element) => element?.focus()}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onBlur={() => setDraft(null)}
      onKeyDown={(event) => {
        if (event.key === "Enter") void done();
        else if (event.key === "Escape") setDraft(null);
        else return;
        event.stopPropagation();
      }}
    />
  );
}
