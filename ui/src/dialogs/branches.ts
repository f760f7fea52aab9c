/** What exploring has found as rows of a tree: inputs, the values that differ, how paths end. */
import type { ConditionView, InputView, LeafView, OptionView, Suggested } from "../api";
import { classText } from "../format/values";

export interface Branch {
  /** How far in it stands: choices with one way on stand below one another. */
  readonly depth: number;
  /** What is read, unless a row above has said it of another value; or what happens by itself. */
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
    const call = isFirst || option.happens ? option.call : null;
    rows.push({ depth, call, values: valuesOf(option), because: sentences(decided), node: option.node, ends });
    wait(next, next.length > 1 ? depth + 1 : depth);
  }
  return rows;
}

/** The inputs of a path; what is read several times in a row is named once. */
export function readingsOf(inputs: readonly InputView[]): string {
  const parts: string[] = [];
  inputs.forEach(({ call, happens, value, values }, at) => {
    const given = values ?? value;
    if (happens) parts.push(call);
    else if (at > 0 && inputs[at - 1]!.call === call) parts[parts.length - 1] += ` → ${given}`;
    else parts.push(`${call} = ${given}`);
  });
  return parts.join(", ");
}

function valuesOf(option: OptionView): string {
  if (option.happens) return "";
  if (option.any) return "any value";
  if (option.mocked) return `${option.value} (mocked)`;
  return option.values === null ? option.value : classText(option.values);
}

/** An input with its value, or what happens by itself. */
export const inputText = ({ happens, call, value }: Pick<InputView, "happens" | "call" | "value">): string =>
  happens ? call : `${call} = ${value}`;

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
