/**
 * What of a tree has to be drawn for an extent, and in which detail.
 *
 * The work is bounded by the screen, not by the tree: subtrees outside are skipped by their bounds,
 * and a subtree that is lower than a few pixels is one *bundle*, drawn as a box.
 */
import { COLUMN, ROW, type Camera, type Extent } from "./camera";
import type { Placement } from "./layout";
import type { Shape } from "./shape";

/** Below so many pixels a subtree is a bundle. */
const BUNDLE = 3;
/** Bundles are made only when rows are closer than this many pixels. */
const CROWDED = 7;

export interface Visitor {
  /** A node of its own, with the edge that leads to it. */
  node(node: number): void;
  /** A whole subtree that is too small to be told apart. */
  bundle(node: number): void;
}

let stack = new Int32Array(1024);

export function cull(
  shape: Shape,
  placement: Placement,
  extent: Extent,
  camera: Pick<Camera, "zoom">,
  visitor: Visitor,
): void {
  if (shape.size === 0) return;
  const { first, next, depth } = shape;
  const { top, bottom, reach } = placement;
  const rowPixels = ROW * camera.zoom;
  const bundles = rowPixels < CROWDED;
  // An edge comes from one column to the left, so it is seen before its node is.
  const left = extent.left / COLUMN;
  const right = extent.right / COLUMN + 1;
  // Labels and marks reach a little over their row.
  const upper = extent.top / ROW - 1;
  const lower = extent.bottom / ROW + 1;
  let waiting = 0;
  stack[waiting++] = 0;
  while (waiting > 0) {
    const node = stack[--waiting]!;
    if (reach[node]! < left || depth[node]! > right) continue;
    // The edge from the parent may cross the extent although the subtree lies outside of it.
    const above = shape.parent[node]!;
    const from = above < 0 ? placement.row[node]! : placement.row[above]!;
    if (Math.max(bottom[node]!, from) < upper || Math.min(top[node]!, from) > lower) continue;
    const height = (bottom[node]! - top[node]!) * rowPixels;
    if (bundles && first[node]! >= 0 && height < BUNDLE) {
      visitor.bundle(node);
      continue;
    }
    visitor.node(node);
    for (let child = first[node]!; child >= 0; child = next[child]!) {
      if (waiting === stack.length) {
        const larger = new Int32Array(stack.length * 2);
        larger.set(stack);
        stack = larger;
      }
      stack[waiting++] = child;
    }
  }
}

/** The node that is drawn nearest to a point of the tree, if one is within reach. */
export function nodeAt(
  shape: Shape,
  placement: Placement,
  x: number,
  y: number,
  { zoom, across }: Pick<Camera, "zoom" | "across">,
): number | null {
  const [wide, high] = [12 / across, 12 / zoom];
  const extent = { left: x - COLUMN, top: y - high, right: x + wide, bottom: y + high };
  let best: number | null = null;
  let least = Infinity;
  cull(shape, placement, extent, { zoom }, {
    node(node) {
      const dx = shape.depth[node]! * COLUMN - x;
      const dy = placement.row[node]! * ROW - y;
      // An edge belongs to the node that it leads to: all along its level part.
      const along = dx > 0 && dx < COLUMN * 0.62 ? 0 : Math.abs(dx);
      const distance = Math.hypot(along * across, dy * zoom);
      if (distance < least && distance <= Math.max(12, 14 * zoom)) {
        best = node;
        least = distance;
      }
    },
    bundle() {},
  });
  return best;
}
