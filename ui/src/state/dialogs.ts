/** Which dialog is open; at most one is. */
import { signal } from "@preact/signals";
import type { BreakpointView, PropertyView } from "../api";

export type Dialog =
  | { readonly kind: "confirm"; readonly title: string; readonly text: string; readonly action: string; answer(yes: boolean): void }
  | { readonly kind: "mock"; readonly call: string; readonly value: string; readonly domain: string | null }
  | { readonly kind: "answer"; readonly call: string; readonly domain: string | null }
  | { readonly kind: "branch"; readonly call: string | null; readonly domain: string | null }
  | { readonly kind: "suggest"; readonly from?: string }
  | { readonly kind: "bookmark"; readonly place: string }
  | { readonly kind: "go-to" }
  | { readonly kind: "reading" }
  | { readonly kind: "breakpoint"; readonly trigger: string }
  | { readonly kind: "change-breakpoint"; readonly breakpoint: BreakpointView }
  | { readonly kind: "property"; readonly replaces: PropertyView | null }
  | { readonly kind: "link" }
  | { readonly kind: "palette"; readonly text: string }
  | { readonly kind: "keys" };

export const dialog = signal<Dialog | null>(null);

export function open(next: Dialog): void {
  dialog.value = next;
}

export function close(): void {
  const was = dialog.value;
  dialog.value = null;
  if (was?.kind === "confirm") was.answer(false);
}

/** Asks the person, and waits for the answer. */
export function confirm(title: string, text: string, action: string): Promise<boolean> {
  return new Promise((resolve) => {
    open({
      kind: "confirm",
      title,
      text,
      action,
      answer: (yes) => {
        if (dialog.value?.kind === "confirm") dialog.value = null;
        resolve(yes);
      },
    });
  });
}
