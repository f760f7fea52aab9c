/** Numbers and sets of values as people read them. */

const GROUPS = new Intl.NumberFormat("en-US");

/** `12,345`. */
export function count(number: number): string {
  return GROUPS.format(number);
}

/** `1.2k`, `3.4M`: what fits on an edge. */
export function short(number: number): string {
  if (number < 10_000) return count(number);
  if (number < 1_000_000) return `${trim(number / 1_000)}k`;
  if (number < 1_000_000_000) return `${trim(number / 1_000_000)}M`;
  return `${trim(number / 1_000_000_000)}G`;
}

function trim(number: number): string {
  return number < 100 ? number.toFixed(1).replace(/\.0$/, "") : String(Math.round(number));
}

/** `1 value`, `224 values`. */
export function many(number: number, one: string, more = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : more}`;
}

/** `7 of 12 (58 %)`, rounded down so that 100 % means all. */
export function share(part: number, whole: number): string {
  const percent = whole === 0 ? 100 : Math.floor((100 * part) / whole);
  return `${count(part)} of ${count(whole)} (${percent} %)`;
}

export interface Interval {
  readonly low: bigint;
  readonly high: bigint;
}

/** The parts of a set as it is written: `0..223, 300`, `{1, 2}` or `low|high`. */
export function membersOf(text: string): string[] {
  return text.trim().replace(/^\{(.*)\}$/, "$1").split(/[,|]/).map((part) => part.trim());
}

/** The ranges of a class such as `0..223, 300`; nothing if it is not about integers. */
export function intervals(text: string): Interval[] | null {
  const found: Interval[] = [];
  for (const part of membersOf(text)) {
    const match = /^\s*(-?\d+)(?:\.\.(-?\d+))?\s*$/.exec(part);
    if (match === null) return null;
    const low = BigInt(match[1]!);
    const high = BigInt(match[2] ?? match[1]!);
    if (high < low) return null;
    found.push({ low, high });
  }
  return found;
}

/** How many values a class has, if that can be told from its text. */
export function cardinality(text: string): bigint | null {
  const ranges = intervals(text);
  return ranges === null ? null : ranges.reduce((sum, range) => sum + range.high - range.low + 1n, 0n);
}

/** Of a set with more ranges, so many are said: nobody reads hundreds. */
const RANGES = 6;

function readable(text: string): string {
  const parts = text.split(", ");
  return parts.length <= RANGES ? text : `${parts.slice(0, RANGES).join(", ")}, …}`;
}

/** A class with the number of its values: `0..223 (224 values)`. */
export function classText(text: string): string {
  const number = cardinality(text);
  if (number === null || number === 1n) return text;
  return `${readable(text)} (${GROUPS.format(number)} values)`;
}

/** An address or offset: `0x00fd`. */
export function hex(number: number, digits = 4): string {
  return `0x${number.toString(16).padStart(digits, "0")}`;
}

/** The ways in which integers are shown. */
export const NUMBERS = ["decimal", "hex", "binary", "character"] as const;
export type Numbers = (typeof NUMBERS)[number];

/** An integer as it is wanted; what is none, or no character, stays as it is. */
export function shownAs(text: string, numbers: Numbers): string {
  if (!/^-?\d+$/.test(text) || numbers === "decimal") return text;
  const number = BigInt(text);
  if (numbers === "character") return number >= 32n && number < 127n ? `${text} '${String.fromCharCode(Number(number))}'` : text;
  const [prefix, base] = numbers === "hex" ? ["0x", 16] : ["0b", 2];
  return number < 0n ? `-${prefix}${(-number).toString(base)}` : `${prefix}${number.toString(base)}`;
}

/** A time of the board's clock: `1.500 s`. */
export function clock(microseconds: number): string {
  return `${(microseconds / 1_000_000).toFixed(3)} s`;
}

/** A duration: `340 µs`, `12 ms`, `1.2 s`. */
export function duration(microseconds: number): string {
  if (microseconds < 1_000) return `${Math.round(microseconds)} µs`;
  if (microseconds < 1_000_000) return `${trim(microseconds / 1_000)} ms`;
  return `${trim(microseconds / 1_000_000)} s`;
}
