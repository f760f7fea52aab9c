/** The parts of what is said about choices and places. */

export interface ChoiceParts {
  /** What was read: `chip_analog_read(12)`; the whole text for what is not an input. */
  readonly call: string;
  /** What it returned, for an input. */
  readonly value: string | null;
}

/** `chip_analog_read(12) = 224` in its two halves. */
export function splitChoice(text: string): ChoiceParts {
  const match = /^(\S+\(.*?\)|\S+) = (.*)$/.exec(text);
  return match === null ? { call: text, value: null } : { call: match[1]!, value: match[2]! };
}

/** A call in its parts: `chip_analog_read(12)` is the primitive with its arguments. */
export function splitCall(text: string): { primitive: string; args: string[] } {
  const match = /^([^(]+)\((.*)\)$/.exec(text.trim());
  if (match === null) return { primitive: text.trim(), args: [] };
  const args = match[2]!.split(",").map((arg) => arg.trim()).filter((arg) => arg !== "");
  return { primitive: match[1]!, args };
}

/** `1.3+20` in its parts. */
export function splitPlace(text: string): { node: string; after: number } | null {
  const match = /^(\d+\.\d+)(?:\+(\d+))?$/.exec(text);
  return match === null ? null : { node: match[1]!, after: Number(match[2] ?? 0) };
}
