/** What exploring has found as rows of a tree: inputs, the values that differ, how paths end. */
import type { ConditionView, LeafView, OptionView, Suggested } from "../api";
import { classText } from "../format/values";

export interface Branch {
  /** How far in it stands: choices with one way on stand below one another. */
  readonly depth: number;
  /** What is read, where there are several ways on or it has not been said. */
  readonly call: string;
  /** The values that go this way. */
  readonly values: string;
  /** What was decided by them. */
  readonly because: readonly string[];
  /** The node that they lead to. */
  readonly node: string | null;
  /** How paths end there. */
  readonly ends: readonly LeafView[];
}

/** The rows, each below the one that it comes after. */
export function branchesOf(found: Suggested): Branch[] {
  const after = new Map<number | null, number[]>();
  found.options.forEach((option, at) => {
    const siblings = after.get(option.parent);
    if (siblings === undefined) after.set(option.parent, [at]);
    else siblings.push(at);
  });
  const rows: Branch[] = [];
  const waiting = (after.get(null) ?? []).map((at) => ({ at, depth: 0 })).reverse();
  while (waiting.length > 0) {
    const { at, depth } = waiting.pop()!;
    const option = found.options[at]!;
    const next = after.get(at) ?? [];
    const ends = option.leaves.map((leaf) => found.leaves[leaf]!);
    const decided = next.length === 0 && ends.length > 0 ? ends[0]!.conditions : option.conditions;
    rows.push({ depth, call: option.call, values: valuesOf(option), because: sentences(decided), node: option.node, ends });
    const inner = next.length > 1 ? depth + 1 : depth;
    for (const child of [...next].reverse()) waiting.push({ at: child, depth: inner });
  }
  return rows;
}

function valuesOf(option: OptionView): string {
  if (option.any) return "any value";
  if (option.mocked) return `${option.value} (mocked)`;
  return option.values === null ? option.value : classText(option.values);
}

/** What was decided, in the words of the source where they are known; each once. */
export function sentences(conditions: readonly ConditionView[]): string[] {
  const said = conditions.filter((condition) => condition.outcome !== "does not trap").map(sentence);
  return said.filter((text, at) => said.indexOf(text) === at);
}

function sentence({ at, outcome, as_written, text }: ConditionView): string {
  const isBranch = outcome === "true" || outcome === "false";
  if (isBranch && at.source !== null) return as_written ? `${at.source} is ${outcome}` : `${at.source} (${text})`;
  if (isBranch) return text;
  return at.source !== null && !outcome.startsWith("traps") ? `${at.source} ${outcome}` : `${outcome} (${text})`;
}
