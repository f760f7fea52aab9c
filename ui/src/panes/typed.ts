/** Memory as numbers of a type, or as text. */

/** The ways in which bytes are shown. */
export const VIEWS = ["hex", "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64", "C string"] as const;
export type View = (typeof VIEWS)[number];

export function viewNamed(name: string): View | null {
  return VIEWS.find((view) => view === name) ?? null;
}

/** One number or text, and the bytes that it is. */
export interface Element {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** The number at the beginning of some bytes, as memory has it: the low byte first. */
const READ: Record<Exclude<View, "C string">, readonly [number, (at: DataView) => string]> = {
  hex: [1, (at) => at.getUint8(0).toString(16).padStart(2, "0")],
  u8: [1, (at) => String(at.getUint8(0))],
  i8: [1, (at) => String(at.getInt8(0))],
  u16: [2, (at) => String(at.getUint16(0, true))],
  i16: [2, (at) => String(at.getInt16(0, true))],
  u32: [4, (at) => String(at.getUint32(0, true))],
  i32: [4, (at) => String(at.getInt32(0, true))],
  u64: [8, (at) => String(at.getBigUint64(0, true))],
  i64: [8, (at) => String(at.getBigInt64(0, true))],
  f32: [4, (at) => single(at.getFloat32(0, true))],
  f64: [8, (at) => String(at.getFloat64(0, true))],
};

/** The shortest decimal that is this number among those of 32 bits. */
function single(number: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(number.toPrecision(digits));
    if (Math.fround(short) === number) return String(short);
  }
  return String(number);
}

/** What bytes are as a type; those that are left over at the end make no number. */
export function elementsOf(bytes: readonly number[], view: View): Element[] {
  if (view === "C string") return stringsOf(bytes);
  const [length, read] = READ[view];
  const memory = new DataView(Uint8Array.from(bytes).buffer);
  const found: Element[] = [];
  for (let offset = 0; offset + length <= bytes.length; offset += length) {
    found.push({ offset, length, text: read(new DataView(memory.buffer, offset, length)) });
  }
  return found;
}

/** Texts one after the other, each up to its zero. */
function stringsOf(bytes: readonly number[]): Element[] {
  const found: Element[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const zero = bytes.indexOf(0, offset);
    const end = zero < 0 ? bytes.length : zero;
    const text = new TextDecoder().decode(Uint8Array.from(bytes.slice(offset, end)));
    const length = Math.min(end + 1, bytes.length) - offset;
    found.push({ offset, length, text: JSON.stringify(text) + (zero < 0 ? "…" : "") });
    offset += length;
  }
  return found;
}

/** Bytes on one line; `isWhole` says that there is nothing more of them. */
export function lineOf(bytes: readonly number[], view: View, isWhole: boolean): string {
  const texts = elementsOf(bytes, view).map((element) => element.text);
  if (view === "C string") return texts[0] ?? '""';
  const more = isWhole ? [] : ["…"];
  return view === "hex" ? [...texts, ...more].join(" ") : `[${[...texts, ...more].join(", ")}]`;
}
