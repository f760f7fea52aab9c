/** The two places that are compared. */
import { signal } from "@preact/signals";
import { showPane } from "./arrangement";

export const first = signal("");
/** Where the session stands if it is empty. */
export const second = signal("");

/** Compares a place with another one, or with where the session stands. */
export function compare(place: string, other = ""): void {
  first.value = place;
  second.value = other;
  showPane("diff");
}
