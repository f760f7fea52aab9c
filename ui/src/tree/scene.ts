/** Everything that a drawing of the tree depends on. */
import type { Camera, Extent, Size } from "./camera";
import { COLUMN, ROW } from "./camera";
import type { Shown } from "./fold";
import type { Placement } from "./layout";
import type { Model } from "./model";
import type { Palette } from "./palette";
import type { Verdicts } from "./verdicts";

export interface Scene {
  readonly model: Model;
  readonly shown: Shown;
  readonly placement: Placement;
  readonly camera: Camera;
  readonly size: Size;
  readonly palette: Palette;
  /** What is read at each depth, where that is the same in all universes. */
  readonly levels: readonly (string | null)[];
  /** Where the session stands: a shown node and how far along its edge. */
  readonly here: { readonly node: number; readonly along: number } | null;
  /** Shown nodes on the way to where the session stands. */
  readonly way: Uint8Array;
  readonly selected: number | null;
  readonly hovered: number | null;
  /** Shown nodes on the journey that a click would make: 1 back, 2 on. */
  readonly journey: ReadonlyMap<number, 1 | 2>;
  /** Whether properties hold, if any is loaded. */
  readonly verdicts: Verdicts | null;
  /** Shown nodes that a search has found. */
  readonly found: ReadonlySet<number>;
}

/** Where the drawing begins, left of the root: the start of the program. */
export const START = -COLUMN * 0.7;

export function xOf(scene: Pick<Scene, "shown">, node: number): number {
  return scene.shown.shape.depth[node]! * COLUMN;
}

export function yOf(scene: Pick<Scene, "placement">, node: number): number {
  return scene.placement.row[node]! * ROW;
}

/** Where the slope of an edge ends and its level part begins, of a column. */
const SLOPE = 0.34;

/** The edge that leads to a node: where it begins, where its level part begins; it ends at the node. */
export function edgeTo(scene: Pick<Scene, "shown" | "placement">, node: number) {
  const above = scene.shown.shape.parent[node]!;
  const from = above < 0 ? { x: START, y: yOf(scene, node) } : { x: xOf(scene, above), y: yOf(scene, above) };
  return { from, bend: { x: from.x + COLUMN * SLOPE, y: yOf(scene, node) } };
}

/** The point of an edge at a part of its length. */
export function pointOn(scene: Pick<Scene, "shown" | "placement">, node: number, part: number): { x: number; y: number } {
  const { from, bend } = edgeTo(scene, node);
  // What is drawn as a slope is passed quickly, so that places lie on the level part.
  const start = from.y === bend.y ? from : bend;
  return { x: start.x + (xOf(scene, node) - start.x) * part, y: bend.y };
}

/** The extent of the whole drawing. */
export function extentOf(placement: Placement): Extent {
  const is = placement.row.length > 0;
  return {
    left: START - 20,
    top: -ROW * 0.6,
    right: (is ? placement.reach[0]! : 0) * COLUMN + 60,
    bottom: (is ? placement.bottom[0]! : 0) * ROW + ROW * 0.6,
  };
}
