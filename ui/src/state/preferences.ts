/** What a person has chosen about the page itself; kept in this browser. */
import { effect, signal, type Signal } from "@preact/signals";
import { NUMBERS, type Numbers } from "../format/values";

export type Theme = "dark" | "light";

const PREFIX = "manyworlds.";

/** Something kept in this browser. What cannot be kept is only forgotten. */
export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Private windows and full stores have no memory; the page works without.
  }
}

export function recall(key: string): unknown {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function kept<T>(key: string, otherwise: T, is: (value: unknown) => value is T): Signal<T> {
  const stored = recall(key);
  const chosen = signal(is(stored) ? stored : otherwise);
  let first = true;
  effect(() => {
    const value = chosen.value;
    if (!first) remember(key, value);
    first = false;
  });
  return chosen;
}

const isTheme = (value: unknown): value is Theme => value === "dark" || value === "light";
const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
/** How fast programs can be played, in hundredths of the real speed. */
export const SPEEDS: readonly number[] = [10, 50, 100, 200, 1000];
const isSpeed = (value: unknown): value is number => SPEEDS.includes(value as number);
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

function systemTheme(): Theme {
  const light = typeof matchMedia === "function" && matchMedia("(prefers-color-scheme: light)").matches;
  return light ? "light" : "dark";
}

export const theme = kept<Theme>("theme", systemTheme(), isTheme);
/** Whether steps are lines of the source; only while there is a source. */
export const wantsLines = kept("lines", true, isBoolean);
/** Whether long lines of code go on below, instead of beyond the pane. */
export const wrapsLines = kept("wrap", false, isBoolean);
/** How integers are shown. */
export const numbers = kept<Numbers>("numbers", "decimal", (value): value is Numbers => NUMBERS.some((one) => one === value));
/** Whether values stand behind the lines that name them. */
export const showsValues = kept("values", true, isBoolean);
export const speed = kept("speed", 100, isSpeed);
export const watched = kept<string[]>("watched", [], isTexts);
/** Whether the tree is shown as a list. */
export const treeAsList = kept("tree-as-list", false, isBoolean);

/** Whether turns are shown as a list. */
export const turnsAsList = kept("turns-as-list", false, isBoolean);

/** Whether the program has a source. */
export const hasSource = signal(false);

export const stepsByLine = {
  get value(): boolean {
    return wantsLines.value && hasSource.value;
  },
};
