/**
 * Every time that the program comes to a line, with values there: asked afterwards, for the log and
 * the timeline.
 *
 * Invariant: all of the universe is looked through for it. So it is asked anew by itself only as long
 * as that is quick; a person who steps through a long universe does not wait for it.
 */
import { effect, signal } from "@preact/signals";
import type { HitsView } from "../api";
import { ask, revision } from "./session";

export interface Hits {
  /** What is come to, as a breakpoint waits for it. */
  readonly at: string;
  /** Expressions between commas. */
  readonly values: string;
  readonly found: HitsView | null;
  readonly error: string | null;
}

export const hits = signal<Hits | null>(null);

/** Milliseconds that may pass for something that nobody has asked for. */
const QUICK = 150;

let isQuick = false;
let isRunning = false;

/** What to say of each time: `x = {x}, y = {y}`. */
export function logOf(values: string): string | null {
  const terms = values.split(",").map((term) => term.trim()).filter((term) => term !== "");
  return terms.length === 0 ? null : terms.map((term) => `${term} = {${term}}`).join(", ");
}

export async function askHits(at: string, values: string): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  const began = performance.now();
  try {
    const found = await ask({ request: "hits", at, condition: null, log: logOf(values), limit: null });
    hits.value = { at, values, found, error: null };
  } catch (error) {
    hits.value = { at, values, found: null, error: error instanceof Error ? error.message : String(error) };
  }
  isQuick = performance.now() - began < QUICK;
  isRunning = false;
}

export function forgetHits(): void {
  hits.value = null;
}

effect(() => {
  void revision.value;
  const asked = hits.peek();
  if (asked !== null && isQuick) void askHits(asked.at, asked.values);
});
