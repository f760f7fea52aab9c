/**
 * What exploring finds, in the tree while it is being found.
 *
 * The debugger adds paths when it knows all of them: only then is it known which of them behave
 * alike, and whether there are too many. Until then they are drawn here alone, and their nodes
 * have no names that the debugger would know.
 */
import type { FoundView, TreeNode } from "../api";
import { inputText } from "../dialogs/branches";
import { splitChoice } from "../format/choices";
import { ordered, type Grown } from "./growth";

/** Of so many nodes there is room for each; in a larger tree, choices with one way on are folded. */
const SMALL = 24;
/** So few are not worth folding. */
const FEWEST_FOLDED = 2;
/** A larger tree is not drawn anew all the time: what is found beyond that is seen when it is added. */
export const LIVELY = 5_000;

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
    if (!path.whole || nodes.length + path.inputs.length > LIVELY) continue;
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
  const shown = total > SMALL ? folded(nodes, parents, grown.nodes.length) : nodes;
  return { ...ordered(new Map(shown.map((one) => [one.node, one]))), total, truncated: grown.truncated };
}

/** The nodes without the new ones that have one way on, where several of them follow each other. */
function folded(nodes: readonly TreeNode[], parents: readonly number[], firstNew: number): TreeNode[] {
  const ways = new Uint32Array(nodes.length);
  for (const parent of parents) if (parent >= 0) ways[parent]!++;
  const isPassed = (at: number) => {
    const { choice, ended, open } = nodes[at]!;
    const isInput = choice != null && splitChoice(choice).value !== null;
    return at >= firstNew && ways[at] === 1 && ways[parents[at]!] === 1 && isInput && ended === undefined && open !== true;
  };
  const shown = nodes.slice(0, firstNew);
  // How many nodes before this one are passed, one after the other. Parents come first.
  const before = new Uint32Array(nodes.length);
  const gone = new Set<number>();
  for (let at = firstNew; at < nodes.length; at++) {
    const parent = parents[at]!;
    before[at] = isPassed(parent) ? before[parent]! + 1 : 0;
  }
  for (let at = nodes.length - 1; at >= firstNew; at--) {
    if (isPassed(at) || before[at]! < FEWEST_FOLDED) continue;
    for (let passed = parents[at]!; isPassed(passed); passed = parents[passed]!) gone.add(passed);
  }
  for (let at = firstNew; at < nodes.length; at++) {
    if (gone.has(at)) continue;
    let parent = parents[at]!;
    while (gone.has(parent)) parent = parents[parent]!;
    const fold = gone.has(parents[at]!) ? { folded: before[at]!, parent: nodes[parent]!.node } : {};
    shown.push({ ...nodes[at]!, ...fold });
  }
  return shown;
}

function endOf({ end, text, count }: FoundView): Pick<TreeNode, "open" | "ended"> {
  if (end === "cut" || end === "reached") return { open: true };
  const kind = end === "exited" ? "finished" : end;
  return { ended: { kind, text, count, results: [] } };
}
