/** Bytes as people read them. */

export interface Stretch {
  readonly address: number;
  readonly bytes: readonly number[];
}

const PER_ROW = 16;

export function rowsOf({ address, bytes }: Stretch): Stretch[] {
  const rows: Stretch[] = [];
  for (let at = 0; at < bytes.length; at += PER_ROW) rows.push({ address: address + at, bytes: bytes.slice(at, at + PER_ROW) });
  return rows;
}

/** The addresses in stretches: each the first address, and how many. */
export function changedBytes(stretches: readonly (readonly [number, number])[]): Set<number> {
  const changed = new Set<number>();
  for (const [address, length] of stretches) {
    for (let at = address; at < address + length; at++) changed.add(at);
  }
  return changed;
}

export function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

export function ascii(byte: number): string {
  return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·";
}

/** `1024`, `0x400`. */
export function parseAddress(text: string): number | null {
  const trimmed = text.trim();
  if (!/^(0x[0-9a-f]+|\d+)$/i.test(trimmed)) return null;
  const number = Number(trimmed);
  return Number.isSafeInteger(number) ? number : null;
}
