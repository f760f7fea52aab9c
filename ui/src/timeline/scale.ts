/** Between counts of instructions and points of the bar. */
export interface Scale {
  readonly total: number;
  readonly width: number;
}

export function xAt({ total, width }: Scale, count: number): number {
  return total === 0 ? 0 : (Math.min(count, total) / total) * width;
}

export function countAt({ total, width }: Scale, x: number): number {
  if (width === 0) return 0;
  return Math.round((Math.max(0, Math.min(width, x)) / width) * total);
}

/** A count near a moment that is worth being hit exactly, if one is within so many pixels. */
export function snap(scale: Scale, count: number, moments: readonly number[], pixels = 5): number {
  const x = xAt(scale, count);
  let best = count;
  let least = pixels + 1;
  for (const moment of moments) {
    const distance = Math.abs(xAt(scale, moment) - x);
    if (distance < least) [best, least] = [moment, distance];
  }
  return best;
}

/** Moments that can be told apart: of those within so many pixels, the first. */
export function apart<T extends { readonly count: number }>(scale: Scale, moments: readonly T[], pixels: number): T[] {
  const kept: T[] = [];
  let last = -Infinity;
  for (const moment of moments) {
    const x = xAt(scale, moment.count);
    if (x - last < pixels) continue;
    kept.push(moment);
    last = x;
  }
  return kept;
}
