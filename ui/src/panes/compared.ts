/** The two places that are compared. */
import { signal } from "@preact/signals";
import { showPane } from "./arrangement";

export const first = signal("");
/** Where the session stands if it is empty. */
export const second = signal("");

/** Compares a place with where the session stands. */
export function compareWith(place: string): void {
  first.value = place;
  second.value = "";
  showPane("diff");
}
