/** What exploring has found as rows of a tree: inputs, the values that differ, how paths end. */
import type { ConditionView, LeafView, OptionView, Suggested } from "../api";
import { classText } from "../format/values";

export interface Branch {
  /** How far in it stands: choices with one way on stand below one another. */
  readonly depth: number;
  /** What is read, unless a row above has said it of another value. */
  readonly call: string | null;
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
  const waiting: { at: number; depth: number; isFirst: boolean }[] = [];
  const wait = (ways: readonly number[], depth: number) => {
    for (let index = ways.length - 1; index >= 0; index--) waiting.push({ at: ways[index]!, depth, isFirst: index === 0 });
  };
  wait(after.get(null) ?? [], 0);
  while (waiting.length > 0) {
    const { at, depth, isFirst } = waiting.pop()!;
    const option = found.options[at]!;
    const next = after.get(at) ?? [];
    const ends = option.leaves.map((leaf) => found.leaves[leaf]!);
    const decided = next.length === 0 && ends.length > 0 ? ends[0]!.conditions : option.conditions;
    const call = isFirst ? option.call : null;
    rows.push({ depth, call, values: valuesOf(option), because: sentences(decided), node: option.node, ends });
    wait(next, next.length > 1 ? depth + 1 : depth);
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
