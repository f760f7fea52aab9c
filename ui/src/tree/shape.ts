/**
 * The form of a tree in typed arrays: parents, first children and next siblings by index.
 *
 * Invariant: a parent's index is smaller than its children's, so one loop forwards meets parents
 * first and one loop backwards meets children first. No walk needs recursion, however deep.
 */
export interface Shape {
  readonly size: number;
  /** The parent of each node; -1 for the root. */
  readonly parent: Int32Array;
  /** The first child of each node; -1 without. */
  readonly first: Int32Array;
  /** The next sibling of each node; -1 without. */
  readonly next: Int32Array;
  /** How far each node is from the root. */
  readonly depth: Int32Array;
}

/** The shape that a list of parents describes; siblings keep the order of the list. */
export function shapeOf(parents: ArrayLike<number>): Shape {
  const size = parents.length;
  const parent = Int32Array.from(parents);
  const first = new Int32Array(size).fill(-1);
  const next = new Int32Array(size).fill(-1);
  const depth = new Int32Array(size);
  const last = new Int32Array(size).fill(-1);
  for (let node = 0; node < size; node++) {
    const above = parent[node]!;
    if (above < 0) continue;
    if (above >= node) throw new RangeError(`node ${node} comes before its parent ${above}`);
    depth[node] = depth[above]! + 1;
    if (last[above]! < 0) first[above] = node;
    else next[last[above]!] = node;
    last[above] = node;
  }
  return { size, parent, first, next, depth };
}

/** The children of a node, in order. */
export function children(shape: Shape, node: number): number[] {
  const found: number[] = [];
  for (let child = shape.first[node]!; child >= 0; child = shape.next[child]!) found.push(child);
  return found;
}

/** How many nodes each subtree has, its root included. */
export function subtreeSizes(shape: Shape): Int32Array {
  const sizes = new Int32Array(shape.size).fill(1);
  for (let node = shape.size - 1; node > 0; node--) {
    const above = shape.parent[node]!;
    if (above >= 0) sizes[above]! += sizes[node]!;
  }
  return sizes;
}

/** The nodes on the way from the root to a node, the root first. */
export function pathTo(shape: Shape, node: number): number[] {
  const path: number[] = [];
  for (let at = node; at >= 0; at = shape.parent[at]!) path.push(at);
  return path.reverse();
}
