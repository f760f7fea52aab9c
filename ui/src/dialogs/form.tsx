import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { close } from "../state/dialogs";
import { report } from "../state/session";

interface FormProps {
  title: string;
  about?: ComponentChildren;
  action: string;
  disabled?: boolean;
  /** Does it; the dialog closes if it worked. */
  onSubmit(): Promise<boolean> | boolean;
  children?: ComponentChildren;
}

/** A dialog that is filled in and sent. */
export function Form({ title, about, action, disabled, onSubmit, children }: FormProps) {
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      if (await onSubmit()) close();
    } catch (error) {
      report(error);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <h2>{title}</h2>
      {about !== undefined && <p>{about}</p>}
      {children}
      <div class="buttons">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="submit" class="primary" disabled={disabled}>
          {action}
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  label: string;
  value: string;
  onInput(value: string): void;
  placeholder?: string;
  type?: "text" | "number";
  list?: string;
  autofocus?: boolean;
  hint?: string;
  /** Whether it takes all of a row. */
  wide?: boolean;
}

export function Field({ label, value, onInput, placeholder, type, list, autofocus, hint, wide }: FieldProps) {
  const id = useId();
  return (
    <div class={wide === true ? "field wide" : "field"}>
      <label for={id}>{label}</label>
      <input
        id={id}
        type={type ?? "text"}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        class={type === "number" ? "" : "mono"}
        value={value}
        placeholder={placeholder}
        list={list}
        autofocus={autofocus}
        min={type === "number" ? "1" : undefined}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {hint !== undefined && (
        <span class="faint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

export function useField(initial: string): [string, (value: string) => void] {
  return useState(initial);
}
