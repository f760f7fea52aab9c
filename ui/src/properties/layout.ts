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
  /** Its line, as the path of a drawing. */
  readonly path: string;
  /** The middle of its words. */
  readonly label: Point;
  readonly lines: readonly string[];
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly states: readonly Box[];
  readonly ways: readonly Way[];
  /** How the first state is entered. */
  readonly entry: { readonly from: Point; readonly path: string } | null;
}

/** Widths of a character of the drawing, in names and in labels. */
const NAME = 7.3;
const LABEL = 6.4;
/** The height of a line of a label. */
export const LINE = 13;
const STATE = 30;
/** The most characters of a line of a label; all of it is said beside the drawing. */
const LONGEST = 26;
/** What is between the words of several transitions from a state to itself. */
const BETWEEN = 6;
/** How long the arrow is that leads to the first state, from its left. */
const ENTRY = 18;

/** What is written at a transition. */
export function linesOf(transition: AutomatonView["transitions"][number]): string[] {
  const condition = conditionOf(transition);
  const lines = [...broken(eventWords(transition.event)), ...(condition === null ? [] : [`[${condition}]`])];
  return lines.map((line) => (line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`));
}

/** An event in two lines where one is too short: the words before what it is about, and the rest. */
function broken(event: string): string[] {
  const name = /[^\s(]+(\(|$)/.exec(event);
  if (event.length <= LONGEST || name === null || name.index === 0) return [event];
  return [event.slice(0, name.index).trim(), event.slice(name.index)];
}

const widthOf = (lines: readonly string[]) => Math.max(...lines.map((line) => line.length)) * LABEL + 8;
const heightOf = (lines: readonly string[]) => lines.length * LINE + 4;

export function draw({ states, transitions }: Pick<AutomatonView, "states" | "transitions">): Drawing {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 36, edgesep: 18, ranksep: 30, marginx: ENTRY + 8, marginy: 6 });
  states.forEach(({ name }, state) => {
    // A number beside the name says how many slices there are.
    graph.setNode(String(state), { width: Math.max(64, name.length * NAME + 48), height: STATE });
  });
  const labels = transitions.map(linesOf);
  transitions.forEach(({ from, to }, at) => {
    if (from !== to) graph.setEdge(String(from), String(to), { width: widthOf(labels[at]!), height: heightOf(labels[at]!), labelpos: "c" }, String(at));
  });
  const loops = states.map((_, state) => transitions.flatMap(({ from, to }, at) => (from === state && to === state ? [at] : [])));
  loops.forEach((own, state) => {
    if (own.length === 0) return;
    const height = own.reduce((sum, at) => sum + heightOf(labels[at]!) + BETWEEN, -BETWEEN);
    const width = Math.max(...own.map((at) => widthOf(labels[at]!)));
    graph.setEdge(String(state), String(state), { width, height, labelpos: "c" }, "loops");
  });
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const place = (node: string): Box => {
    const { x, y, width, height } = graph.node(node) as Box;
    return { x, y, width, height };
  };
  const route = (from: string, to: string, name: string) => graph.edge(from, to, name) as Box & { points: Point[] };
  const boxes = states.map((_, state) => place(String(state)));
  const ways: Way[] = [];
  transitions.forEach(({ from, to }, at) => {
    if (from === to) return;
    const { points, x, y } = route(String(from), String(to), String(at));
    ways[at] = { path: through(points), label: { x, y }, lines: labels[at]! };
  });
  loops.forEach((own, state) => {
    if (own.length === 0) return;
    const all = route(String(state), String(state), "loops");
    let top = all.y - all.height / 2;
    for (const at of own) {
      const lines = labels[at]!;
      const label = { x: all.x - all.width / 2 + widthOf(lines) / 2, y: top + heightOf(lines) / 2 };
      ways[at] = { path: loop(boxes[state]!, { x: all.x - all.width / 2, y: label.y }), label, lines };
      top += heightOf(lines) + BETWEEN;
    }
  });
  return { width, height, states: boxes, ways, entry: boxes[0] === undefined ? null : entryTo(boxes[0]) };
}

function entryTo({ x, y, width }: Box): Drawing["entry"] {
  const to = { x: x - width / 2, y };
  const from = { x: to.x - ENTRY, y };
  return { from, path: through([from, to]) };
}

/** A smooth line through points. */
export function through(points: readonly Point[]): string {
  if (points.length < 3) return points.map((point, at) => `${at === 0 ? "M" : "L"}${text(point)}`).join("");
  const parts = [`M${text(points[0]!)}`];
  for (let at = 1; at < points.length - 1; at++) {
    const [bend, next] = [points[at]!, points[at + 1]!];
    const isLast = at === points.length - 2;
    // From the middle of one stretch to the middle of the next, drawn towards the bend between them.
    const to = isLast ? next : { x: (bend.x + next.x) / 2, y: (bend.y + next.y) / 2 };
    parts.push(`Q${text(bend)} ${text(to)}`);
  }
  return parts.join("");
}

/** Out of the right side of a state, to where its words begin, and back. */
function loop({ x, y, width }: Box, to: Point): string {
  const right = x + width / 2;
  const reach = Math.max(12, (to.x - right) * 0.8);
  const out = [{ x: right, y: y - 6 }, { x: right + reach / 2, y: y - 12 }, { x: to.x - 3, y: to.y - 9 }, { x: to.x - 3, y: to.y }];
  const back = [{ x: to.x - 3, y: to.y + 9 }, { x: right + reach / 2, y: y + 12 }, { x: right, y: y + 6 }];
  return `M${text(out[0]!)}C${out.slice(1).map(text).join(" ")}C${back.map(text).join(" ")}`;
}

const text = ({ x, y }: Point) => `${round(x)} ${round(y)}`;
const round = (number: number) => Math.round(number * 10) / 10;

/** What the drawing depends on, to keep it as long as that is the same. */
export function shapeKey({ states, transitions }: Pick<AutomatonView, "states" | "transitions">): string {
  return JSON.stringify([states.map(({ name }) => name), transitions.map((one) => [one.from, one.to, ...linesOf(one)])]);
}
