/**
 * What exploring finds, in the tree while it is being found.
 *
 * The debugger adds paths when it knows all of them: only then is it known which of them behave
 * alike, and whether there are too many. Until then they are drawn here alone, and their nodes
 * have no names that the debugger would know.
 */
import type { FoundView, TreeNode } from "../api";
import { inputText } from "../dialogs/branches";
import { ordered, type Grown } from "./growth";

/** A tree with paths from one of its nodes. What is in the tree already is not drawn twice. */
export function sprouted(grown: Grown, from: string, paths: readonly FoundView[]): Grown {
  const nodes: TreeNode[] = [...grown.nodes];
  const parents: number[] = [...grown.parents];
  const start = nodes.findIndex((one) => one.node === from);
  if (start < 0) return grown;
  const known = new Map<string, number>();
  const key = (parent: number, choice: string) => `${parent} ${choice}`;
  grown.nodes.forEach((one, at) => {
    if (one.choice != null && (one.folded ?? 0) === 0) known.set(key(parents[at]!, one.choice), at);
  });
  for (const path of paths) {
    if (!path.whole) continue;
    let at = start;
    path.inputs.forEach((input, index) => {
      // What the program is called with is no choice of the tree.
      if (input.parameter !== null) return;
      const choice = inputText(input);
      let next = known.get(key(at, choice));
      if (next === undefined) {
        next = nodes.length;
        parents.push(at);
        nodes.push({
          node: `?${next}`,
          parent: nodes[at]!.node,
          choice,
          count: path.counts[index]!,
          suggested: true,
          ...(input.values !== null && { label: input.values }),
        });
        known.set(key(at, choice), next);
      }
      at = next;
    });
    if (at >= grown.nodes.length) nodes[at] = { ...nodes[at]!, ...endOf(path) };
  }
  const total = grown.total + nodes.length - grown.nodes.length;
  return { ...ordered(new Map(nodes.map((one) => [one.node, one]))), total, truncated: grown.truncated };
}

function endOf({ end, text, count }: FoundView): Pick<TreeNode, "open" | "ended"> {
  if (end === "cut" || end === "reached") return { open: true };
  const kind = end === "exited" ? "finished" : end;
  return { ended: { kind, text, count, results: [] } };
}
