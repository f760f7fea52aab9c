/**
 * The multiverse as the page draws it.
 *
 * A node of the drawing stands where its stretch ends: at the choice point where the next input is
 * read, at the end of the program, or as far as it is known. The edge to it is the stretch, and
 * carries what was chosen at its beginning. So a place (a node and instructions after it) lies *on*
 * the edge, and walks along it as one steps.
 */
import type { OutcomeView, OutputView, TreeNode } from "../api";
import { splitChoice } from "../format/choices";
import { classText, many } from "../format/values";
import type { Shown } from "./fold";
import type { Grown } from "./growth";
import { shapeOf, type Shape } from "./shape";

export type Kind = "choice" | "passed" | "finished" | "failed" | "open";

export interface Item {
  /** The node's name, such as `1.3`. */
  readonly node: string;
  /** What was read to get here, such as `chip_analog_read(12)`; `start` for the root. */
  readonly call: string;
  /** What it returned; nothing for what is not an input. */
  readonly value: string | null;
  /** All values that lead to the same future, if that is known: `0..223`. */
  readonly label: string | null;
  /** What is read at the end of the stretch, if there is more. */
  readonly reads: string | null;
  /** The length of the stretch in instructions, if its end is known. */
  readonly length: number | null;
  /** Choices in the stretch that are not drawn, as they have one way on. */
  readonly folded: number;
  /** The place where the node stands: the end of the stretch, as far as it is known. */
  readonly place: string;
  /** The count of instructions at which the stretch begins. */
  readonly count: number;
  readonly kind: Kind;
  readonly end: OutcomeView | null;
  readonly visited: boolean;
  /** Whether it was suggested and nothing is known of what comes after it. */
  readonly open: boolean;
  /** Why the program goes this way, if exploring has found out. */
  readonly because: string | null;
  readonly altered: boolean;
  readonly bookmarks: readonly (readonly [string, number])[];
  /** The first things that the program did in the stretch, and how many more there are. */
  readonly outputs: readonly OutputView[];
  readonly moreOutputs: number;
  /** Counts at which a breakpoint has stopped the program in the stretch. */
  readonly hits: readonly number[];
}

export interface Model {
  readonly items: readonly Item[];
  readonly shape: Shape;
  readonly index: ReadonlyMap<string, number>;
  /** How many nodes there are altogether, those that are not drawn included. */
  readonly nodes: number;
  readonly truncated: boolean;
}

export const EMPTY: Model = { items: [], shape: shapeOf([]), index: new Map(), nodes: 0, truncated: false };

export function modelOf(grown: Grown): Model {
  const shape = shapeOf(grown.parents);
  const items = grown.nodes.map((node, at) => {
    const first = shape.first[at]!;
    const ways = first < 0 ? 0 : shape.next[first]! < 0 ? 1 : 2;
    return itemOf(node, first < 0 ? null : grown.nodes[first]!, ways);
  });
  const index = new Map(items.map((item, at) => [item.node, at]));
  return { items, shape, index, nodes: grown.total, truncated: grown.truncated };
}

function itemOf(row: TreeNode, next: TreeNode | null, ways: number): Item {
  const choice = row.choice == null ? { call: "start", value: null } : splitChoice(row.choice);
  const end = row.ended ?? null;
  // The instruction that reads an input belongs to the stretch before it.
  const begins = choice.value === null ? row.count : row.count + 1;
  const until = next === null ? (end?.count ?? null) : next.count;
  const length = until === null ? null : Math.max(0, until - begins);
  // What happened in choices that are folded is told with the row after them, and belongs here.
  const told = next !== null && (next.folded ?? 0) > 0 ? [row, next] : [row];
  const isWithin = (count: number) => count >= begins && count <= (until ?? Infinity);
  return {
    node: row.node,
    call: choice.call,
    value: choice.value,
    label: row.label ?? null,
    reads: next?.choice == null ? null : readBy(next.choice),
    length,
    folded: next?.folded ?? 0,
    place: next?.made_at ?? (length === null || length === 0 ? row.node : `${row.node}+${length}`),
    count: begins,
    kind: kindOf(end, ways),
    end,
    visited: row.suggested !== true,
    open: row.open === true,
    because: row.because ?? null,
    altered: row.altered === true,
    bookmarks: row.bookmarks ?? [],
    outputs: told.flatMap((one) => one.outputs ?? []).filter((output) => isWithin(output.count)),
    moreOutputs: row.more_outputs ?? 0,
    hits: told.flatMap((one) => one.hits ?? []).map((hit) => hit.place.count).filter(isWithin),
  };
}

/** What an input reads; nothing for a choice without a value, such as a turn, which its own edge tells. */
function readBy(text: string): string | null {
  const { call, value } = splitChoice(text);
  return value === null ? null : call;
}

function kindOf(end: OutcomeView | null, ways: number): Kind {
  if (ways > 1) return "choice";
  if (ways === 1) return "passed";
  if (end === null) return "open";
  return end.kind === "finished" ? "finished" : "failed";
}

/** What is read at each depth of what is shown, where that is the same for all nodes. */
export function levelsOf(model: Model, shown: Shown): (string | null)[] {
  const levels: (string | null)[] = [];
  shown.items.forEach((item, node) => {
    const { call, value } = model.items[item]!;
    const depth = shown.shape.depth[node]!;
    const isSame = value !== null && (levels[depth] === undefined || levels[depth] === call);
    levels[depth] = isSame ? call : null;
  });
  return levels;
}

/** Whether more values than the one chosen are known to lead here. */
export function isWider(item: Item): boolean {
  return item.label !== null && item.label !== item.value && item.label !== `{${item.value}}`;
}

/** How far along its edge a place is, from 0 to 1. */
export function along(item: Item, count: number): number {
  if (item.length === null || item.length === 0) return 1;
  return Math.min(1, Math.max(0, (count - item.count) / item.length));
}

/** What leads to a node and what it is, in a line. */
export function summary(item: Item): string {
  const parts = [item.value === null ? item.call : `${item.call} = ${item.value}`];
  if (isWider(item)) parts.push(classText(item.label!));
  if (item.folded > 0) parts.push(`then ${many(item.folded, "choice")}`);
  if (item.end === null && item.reads !== null) parts.push(`then reads ${item.reads}`);
  for (const [name] of item.bookmarks) parts.push(`★ ${name}`);
  if (!item.visited) parts.push("suggested");
  if (item.open) parts.push("… more inputs here");
  if (item.altered) parts.push("altered");
  return parts.join(" · ");
}

/** How the universe ended, in a word or two, if it has. */
export function outcome(item: Item): string | null {
  if (item.end === null) return null;
  return item.end.kind === "finished" ? "finished" : item.end.text.replace(/^trap: /, "");
}

/** All that is said about a node: for the reader of the screen, for search. */
export function describe(item: Item): string {
  if (item.end === null) return summary(item);
  return `${summary(item)} · ${item.end.kind === "finished" ? "finished" : item.end.text}`;
}
