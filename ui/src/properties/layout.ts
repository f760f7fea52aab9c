/**
 * Where the states and transitions of an automaton are drawn.
 *
 * Invariant: it depends on how the automaton is written and not on where its slices are, so nothing
 * moves in the drawing while the program does.
 */
import { Graph, layout } from "@dagrejs/dagre";
import type { AutomatonView } from "../api";
import { conditionOf, eventWords } from "./model";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle by its middle. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface Way {
  /** The points that it passes, the last one where its tip is. */
  readonly points: readonly Point[];
  /** The middle of its words; nothing to say about where it begins. */
  readonly label: Point;
  readonly lines: readonly string[];
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly states: readonly Box[];
  readonly ways: readonly Way[];
  /** How the first state is entered. */
  readonly entry: { readonly from: Point; readonly points: readonly Point[] };
}

/** Widths of a character of the drawing, in names and in labels. */
const NAME = 7.3;
const LABEL = 6.4;
/** The height of a line of a label. */
export const LINE = 13;
const STATE = 30;
/** The most characters of a line of a label; all of it is said beside the drawing. */
const LONGEST = 26;
const ENTRY = "entry";

/** What is written at a transition. */
export function linesOf(transition: AutomatonView["transitions"][number]): string[] {
  const condition = conditionOf(transition);
  const lines = [eventWords(transition.event), ...(condition === null ? [] : [`[${condition}]`])];
  return lines.map((line) => (line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`));
}

export function draw({ states, transitions }: Pick<AutomatonView, "states" | "transitions">): Drawing {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 36, edgesep: 18, ranksep: 34, marginx: 12, marginy: 8 });
  graph.setNode(ENTRY, { width: 8, height: 8 });
  states.forEach(({ name }, state) => {
    // A number beside the name says how many slices there are.
    graph.setNode(String(state), { width: Math.max(64, name.length * NAME + 48), height: STATE });
  });
  if (states.length > 0) graph.setEdge(ENTRY, "0", { width: 0, height: 0 }, ENTRY);
  const labels = transitions.map(linesOf);
  transitions.forEach(({ from, to }, at) => {
    const lines = labels[at]!;
    const width = Math.max(...lines.map((line) => line.length)) * LABEL + 8;
    graph.setEdge(String(from), String(to), { width, height: lines.length * LINE + 4, labelpos: "c" }, String(at));
  });
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const place = (node: string): Box => {
    const { x, y, width, height } = graph.node(node) as Box;
    return { x, y, width, height };
  };
  const route = (from: string, to: string, name: string) => graph.edge(from, to, name) as { points: Point[]; x: number; y: number };
  const ways = transitions.map(({ from, to }, at) => {
    const { points, x, y } = route(String(from), String(to), String(at));
    return { points, label: { x, y }, lines: labels[at]! };
  });
  const { x, y } = place(ENTRY);
  const entry = { from: { x, y }, points: states.length > 0 ? route(ENTRY, "0", ENTRY).points : [] };
  return { width, height, states: states.map((_, state) => place(String(state))), ways, entry };
}

/** A smooth line through points, as the path of a drawing. */
export function pathOf(points: readonly Point[]): string {
  if (points.length < 3) return points.map(({ x, y }, at) => `${at === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("");
  const parts = [`M${round(points[0]!.x)} ${round(points[0]!.y)}`];
  for (let at = 1; at < points.length - 1; at++) {
    const [bend, next] = [points[at]!, points[at + 1]!];
    const isLast = at === points.length - 2;
    // From the middle of one stretch to the middle of the next, drawn towards the bend between them.
    const to = isLast ? next : { x: (bend.x + next.x) / 2, y: (bend.y + next.y) / 2 };
    parts.push(`Q${round(bend.x)} ${round(bend.y)} ${round(to.x)} ${round(to.y)}`);
  }
  return parts.join("");
}

const round = (number: number) => Math.round(number * 10) / 10;

/** What the drawing depends on, to keep it as long as that is the same. */
export function shapeKey({ states, transitions }: Pick<AutomatonView, "states" | "transitions">): string {
  return JSON.stringify([states.map(({ name }) => name), transitions.map((one) => [one.from, one.to, ...linesOf(one)])]);
}
