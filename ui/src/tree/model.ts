/**
 * The multiverse as the page draws it.
 *
 * A node of the drawing stands where its stretch ends: at the choice point where the next input is
 * read, at the end of the program, or as far as it is known. The edge to it is the stretch, and
 * carries what was chosen at its beginning. So a place (a node and instructions after it) lies *on*
 * the edge, and walks along it as one steps.
 */
import type { OutcomeView, TreeRow, TreeView } from "../api";
import { splitChoice } from "../format/choices";
import { classText, many } from "../format/values";
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
  /** Choices with one way on that are not drawn. */
  readonly folded: number;
  /** The count of instructions at which the stretch begins. */
  readonly count: number;
  readonly kind: Kind;
  readonly end: OutcomeView | null;
  readonly visited: boolean;
  readonly altered: boolean;
  readonly bookmarks: readonly (readonly [string, number])[];
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

export function modelOf(tree: TreeView): Model {
  const shape = shapeOf(tree.rows.map((row) => row.parent ?? -1));
  const items = tree.rows.map((row, index) => itemOf(row, firstChild(tree.rows, shape, index), ways(shape, index)));
  const index = new Map(items.map((item, at) => [item.node, at]));
  return { items, shape, index, nodes: tree.nodes, truncated: tree.truncated };
}

function firstChild(rows: readonly TreeRow[], shape: Shape, node: number): TreeRow | null {
  const first = shape.first[node]!;
  return first < 0 ? null : rows[first]!;
}

function ways(shape: Shape, node: number): number {
  let ways = 0;
  for (let child = shape.first[node]!; child >= 0; child = shape.next[child]!) ways++;
  return ways;
}

function itemOf(row: TreeRow, next: TreeRow | null, ways: number): Item {
  const choice = row.choice === null ? { call: "start", value: null } : splitChoice(row.choice);
  const end = row.ended;
  const until = next?.count ?? end?.count ?? null;
  return {
    node: row.node,
    call: choice.call,
    value: choice.value,
    label: row.label,
    reads: next?.choice == null || next.folded > 0 ? null : splitChoice(next.choice).call,
    length: until === null ? null : Math.max(0, until - row.count),
    folded: row.folded,
    count: row.count,
    kind: kindOf(end, ways),
    end,
    visited: (row as { visited?: boolean }).visited ?? row.label === null,
    altered: row.altered,
    bookmarks: row.bookmarks,
  };
}

function kindOf(end: OutcomeView | null, ways: number): Kind {
  if (ways > 1) return "choice";
  if (ways === 1) return "passed";
  if (end === null) return "open";
  return end.kind === "finished" ? "finished" : "failed";
}

/** How far along its edge a place is, from 0 to 1. */
export function along(item: Item, after: number): number {
  if (item.length === null || item.length === 0) return 1;
  return Math.min(1, Math.max(0, after / item.length));
}

/** What is said about a node in a line: for the list, for the reader of the screen, for search. */
export function describe(item: Item): string {
  const parts = [item.value === null ? item.call : `${item.call} = ${item.value}`];
  if (item.label !== null && item.label !== item.value) parts.push(classText(item.label));
  if (item.folded > 0) parts.push(`after ${many(item.folded, "choice")}`);
  if (item.end !== null) parts.push(item.end.kind === "finished" ? "finished" : item.end.text);
  else if (item.reads !== null) parts.push(`then reads ${item.reads}`);
  for (const [name] of item.bookmarks) parts.push(`★ ${name}`);
  if (!item.visited) parts.push("suggested");
  if (item.altered) parts.push("altered");
  return parts.join(" · ");
}
