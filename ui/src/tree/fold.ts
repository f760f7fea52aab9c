/** The part of the tree that is shown while subtrees are folded, or only some universes are wanted. */
import type { Model } from "./model";
import { shapeOf, subtreeSizes, type Shape } from "./shape";

export interface Shown {
  readonly shape: Shape;
  /** The item of each node that is shown. */
  readonly items: Int32Array;
  /** How many nodes are folded into each that is shown. */
  readonly hidden: Int32Array;
  /** Where an item is shown; -1 if it is not. */
  readonly at: Int32Array;
}

/** What is shown; only items that are wanted (1), if that is said. */
export function showing(model: Model, folded: ReadonlySet<string>, wanted: Uint8Array | null = null): Shown {
  const { shape, items } = model;
  const size = shape.size;
  const at = new Int32Array(size).fill(-1);
  const shown = new Int32Array(size);
  const parents = new Int32Array(size);
  const sizes = subtreeSizes(shape);
  const hidden = new Int32Array(size);
  let count = 0;
  for (let item = 0; item < size; item++) {
    const above = shape.parent[item]!;
    const isWanted = above < 0 || wanted === null || wanted[item] === 1;
    const isShown = isWanted && (above < 0 || (at[above]! >= 0 && !folded.has(items[above]!.node)));
    if (!isShown) continue;
    at[item] = count;
    shown[count] = item;
    parents[count] = above < 0 ? -1 : at[above]!;
    if (folded.has(items[item]!.node)) hidden[count] = sizes[item]! - 1;
    count++;
  }
  return {
    shape: shapeOf(parents.subarray(0, count)),
    items: shown.slice(0, count),
    hidden: hidden.slice(0, count),
    at,
  };
}

/** The nearest node on the way to an item that is shown. */
export function nearestShown(model: Model, shown: Shown, item: number): number {
  let above = item;
  while (above >= 0 && shown.at[above]! < 0) above = model.shape.parent[above]!;
  return above < 0 ? 0 : shown.at[above]!;
}
