/** Keeps the multiverse as the debugger tells of it: everything once, then what is different. */
import type { TreeChangesView, TreeNode } from "../api";

/** A node, and the index of the one that it hangs on; parents come first. */
export interface Grown {
  readonly nodes: readonly TreeNode[];
  readonly parents: Int32Array;
  /** How many nodes there are altogether, those that are not told included. */
  readonly total: number;
  readonly truncated: boolean;
}

export class Growth {
  private readonly nodes = new Map<string, TreeNode>();
  private grown: Grown = { nodes: [], parents: new Int32Array(), total: 0, truncated: false };
  /** What to ask with next time. */
  revision: number | null = null;

  /** Takes what is different; the result is the same object if nothing is. */
  apply(changes: TreeChangesView): Grown {
    this.revision = changes.revision;
    const isSame =
      !changes.whole &&
      changes.rows.length === 0 &&
      changes.gone.length === 0 &&
      changes.nodes === this.grown.total &&
      changes.truncated === this.grown.truncated;
    if (isSame) return this.grown;
    if (changes.whole) this.nodes.clear();
    for (const name of changes.gone) this.nodes.delete(name);
    for (const row of changes.rows) this.nodes.set(row.node, row);
    this.grown = { ...ordered(this.nodes), total: changes.nodes, truncated: changes.truncated };
    return this.grown;
  }
}

/** Parents first, siblings in the order in which they became known. */
export function ordered(all: ReadonlyMap<string, TreeNode>): Pick<Grown, "nodes" | "parents"> {
  const children = new Map<string | null, TreeNode[]>();
  for (const node of all.values()) {
    // What hangs on a node that is not told hangs on nothing; there should be no such node.
    const above = node.parent ?? null;
    if (above !== null && !all.has(above)) continue;
    const list = children.get(above);
    if (list === undefined) children.set(above, [node]);
    else list.push(node);
  }
  const nodes: TreeNode[] = [];
  const parents: number[] = [];
  const waiting: { node: TreeNode; parent: number }[] = [];
  const wait = (name: string | null, parent: number) => {
    const list = children.get(name) ?? [];
    for (let at = list.length - 1; at >= 0; at--) waiting.push({ node: list[at]!, parent });
  };
  wait(null, -1);
  while (waiting.length > 0) {
    const { node, parent } = waiting.pop()!;
    const index = nodes.push(node) - 1;
    parents.push(parent);
    wait(node.node, index);
  }
  return { nodes, parents: Int32Array.from(parents) };
}
