/** Between columns and lanes of the diagram and points of the screen. */

export interface Scale {
  /** How wide a column is, and how high a lane, in pixels. */
  readonly column: number;
  readonly lane: number;
  /** Where the lanes begin, right of their names, and below the head. */
  readonly left: number;
  readonly top: number;
  /** How far it is scrolled. */
  readonly scrollX: number;
  readonly scrollY: number;
}

export const NARROWEST = 2;
export const WIDEST = 220;
const LOWEST = 12;
/** Where all lanes have to be seen, however many they are. */
const FLAT = 4;
const HIGHEST = 54;
/** So much of a column is free on each side of its bar. */
export const GAP = 0.12;

/** A height for lanes with which all of them are seen, if they can be told apart then. */
export function laneHeight(lanes: number, room: number, all = false): number {
  return Math.max(all ? FLAT : LOWEST, Math.min(HIGHEST, Math.floor(room / Math.max(1, lanes))));
}

export function zoomed(column: number, factor: number): number {
  return Math.max(NARROWEST, Math.min(WIDEST, column * factor));
}

export function xOf(scale: Scale, column: number): number {
  return scale.left + column * scale.column - scale.scrollX;
}

/** The middle of a lane. */
export function yOf(scale: Scale, lane: number): number {
  return scale.top + (lane + 0.5) * scale.lane - scale.scrollY;
}

/** Where in time a point is: the column with its part. */
export function columnAt(scale: Scale, x: number): number {
  return (x - scale.left + scale.scrollX) / scale.column;
}

export function laneAt(scale: Scale, y: number): number {
  return Math.floor((y - scale.top + scale.scrollY) / scale.lane);
}

/** Where on the bar of a column something is that has a part of it behind. */
export function onBar(column: number, part: number): number {
  return column + GAP + (1 - 2 * GAP) * part;
}

export function barHeight(lane: number): number {
  return Math.max(3, Math.min(20, Math.round(lane * 0.5)));
}

/** The lanes whose names have room: all of them, or those that matter and some between. */
export function namedLanes(lanes: number, height: number, letters: number, first: readonly (number | undefined)[]): number[] {
  const named: number[] = [];
  const add = (lane: number) => {
    if (named.every((other) => Math.abs(other - lane) * height >= letters)) named.push(lane);
  };
  for (const lane of first) if (lane !== undefined) add(lane);
  for (let lane = 0; lane < lanes; lane++) if (!named.includes(lane)) add(lane);
  return named;
}
