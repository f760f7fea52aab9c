/** What the page has to say: short messages that go away, and the log that keeps them. */
import { signal } from "@preact/signals";

export type Level = "info" | "warning" | "error";

export interface Notice {
  readonly id: number;
  readonly level: Level;
  readonly text: string;
}

/** A line of the session log. */
export interface LogLine {
  readonly id: number;
  readonly kind: Level | "effect" | "moved";
  readonly text: string;
  /** Where one can go to see it, as a place. */
  readonly place?: string;
}

const LONGEST_LOG = 2_000;
const MOST_TOASTS = 4;

export const toasts = signal<readonly Notice[]>([]);
export const log = signal<readonly LogLine[]>([]);

let nextId = 1;

export function note(kind: LogLine["kind"], text: string, place?: string): void {
  const line: LogLine = { id: nextId++, kind, text, ...(place === undefined ? {} : { place }) };
  log.value = [...log.value.slice(-(LONGEST_LOG - 1)), line];
}

/** Says something to the person, and keeps it in the log. */
export function say(level: Level, text: string): void {
  note(level, text);
  const same = toasts.value.filter((toast) => toast.text !== text);
  toasts.value = [...same, { id: nextId++, level, text }].slice(-MOST_TOASTS);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function clearLog(): void {
  log.value = [];
}
