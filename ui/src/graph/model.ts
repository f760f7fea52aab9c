/** The graph of merged states as the page draws it. */
import type { EdgeView, EndView, GraphView, StateView } from "../api";
import { many } from "../format/values";
import type { Graph } from "./layout";

/** How a state is drawn: Voyager's colours, with ends that went well told from those that did not. */
export type Look = "running" | "halted" | "finished" | "failed" | "open";

export interface Model {
  readonly view: GraphView;
  readonly looks: readonly Look[];
  /** The end at each state that is one. */
  readonly ends: ReadonlyMap<number, EndView>;
  /** The steps from and to each state, by index. */
  readonly out: readonly (readonly number[])[];
  readonly into: readonly (readonly number[])[];
}

export function modelOf(view: GraphView): Model {
  const out: number[][] = view.states.map(() => []);
  const into: number[][] = view.states.map(() => []);
  view.edges.forEach(({ from, to }, edge) => {
    out[from]!.push(edge);
    into[to]!.push(edge);
  });
  const ends = new Map(view.summary.ends.map((end) => [end.state, end]));
  return { view, looks: view.states.map(lookOf), ends, out, into };
}

export function lookOf(state: StateView): Look {
  if (state.kind === "ended") return state.outcome?.kind === "finished" ? "finished" : "failed";
  return state.kind === "halted" || state.kind === "open" ? state.kind : "running";
}

export function shapeOf(view: GraphView): Graph {
  return {
    size: view.states.length,
    from: Int32Array.from(view.edges, (edge) => edge.from),
    to: Int32Array.from(view.edges, (edge) => edge.to),
  };
}

/** How many states there are of each look. */
export function counts(model: Model): Record<Look, number> {
  const found: Record<Look, number> = { running: 0, halted: 0, finished: 0, failed: 0, open: 0 };
  for (const look of model.looks) found[look]++;
  return found;
}

/** Variables that tell ends apart: `math: result = 66`. */
export function variablesText(end: Pick<EndView, "variables">): string {
  return end.variables.map(({ actor, name, value }) => `${actor === null ? "" : `${actor}: `}${name} = ${value}`).join(", ");
}

/** What kind of end it is, in a word or two, and what tells it from others. */
export function endWords(end: EndView): [string, string] {
  const variables = variablesText(end) || wayText(end.way, 2);
  if (end.outcome.kind === "finished") return ["finished", variables];
  const match = /^([^:]{1,40}): ([^]*)$/.exec(end.outcome.text);
  return match === null ? [end.outcome.text, variables] : [match[1]!, match[2]!];
}

/** How many ways lead to an end. */
export function waysText({ ways }: Pick<EndView, "ways">): string {
  if (ways === null) return "any number of ways";
  return /^\d+$/.test(ways) ? many(Number(ways), "way") : `${ways} ways`;
}

/** What is said of a state in a line. */
export function describe(model: Model, id: number): string {
  const state = model.view.states[id]!;
  const parts = [`state ${id}`, state.text];
  if (state.halted.length > 0) parts.push("halted");
  if (state.open !== null) parts.push(`not explored further: ${state.open}`);
  const end = model.ends.get(id);
  if (end !== undefined && end.variables.length > 0) parts.push(variablesText(end));
  if (state.merged > 1) parts.push(`${state.merged} steps lead here`);
  return parts.join(" · ");
}

/** What is decided on the way with the fewest choices, the last of it. */
export function wayText(way: readonly string[], most = 6): string {
  if (way.length === 0) return "the beginning";
  const last = way.slice(-most).join(" → ");
  return way.length > most ? `… ${last}` : last;
}

export const labelOf = (edge: EdgeView): string => (edge.kind === "step" ? "" : edge.label);
