import { useRef, useState } from "preact/hooks";

/** A value that can be set by hand: double click or Enter edits it. Marked when it has changed. */
export function Changing({ value, label, onSet }: { value: string; label: string; onSet?(value: string): Promise<boolean> }) {
  const [draft, setDraft] = useState<string | null>(null);
  const before = useRef(value);
  const changed = useRef(false);
  if (before.current !== value) {
    changed.current = true;
    before.current = value;
  }
  if (draft === null) {
    const edit = () => onSet !== undefined && setDraft(value);
    return (
      <button
        type="button"
        class={`value mono ${changed.current ? "changed" : ""}`}
        title={onSet === undefined ? label : `${label}: click to set it by hand`}
        disabled={onSet === undefined}
        onClick={edit}
      >
        {value}
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
