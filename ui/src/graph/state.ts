/** The graph that was drawn, what is looked for in it, and how it is looked at. */
import { computed, effect, signal } from "@preact/signals";
import type { FoundStates, GraphView } from "../api";
import { goToState } from "../state/actions";
import { ask, during, position, report } from "../state/session";
import { START, type Camera } from "../tree/camera";
import type { Placement } from "./layout";
import { modelOf, shapeOf, type Model } from "./model";
import { placeLater, placeNow } from "./placing";

/** So many states are drawn unless somebody wants more: as many as one can look at. */
export const STATES = 1_000;

export interface Wanted {
  /** From where; from the start without. */
  readonly from: "start" | "here";
  readonly limit: number;
  /** How many choices; all without. */
  readonly depth: number | null;
  readonly breakpoints: boolean;
  readonly turnOf: string | null;
}

const drawn = signal<GraphView | null>(null);
export const model = computed<Model | null>(() => (drawn.value === null ? null : modelOf(drawn.value)));
export const selected = signal<number | null>(null);
export const hovered = signal<number | null>(null);
export const camera = signal<Camera>(START);
/** Whether the drawing keeps itself in view; until somebody moves it, and again when it is fitted. */
export const follows = signal(true);
export const found = signal<FoundStates | null>(null);
/** The state that somebody has gone to, and the place that it was found at. */
const gone = signal<{ state: number; place: string } | null>(null);

/** The state that the session stands at, as far as that is known. */
export const here = computed(() => {
  const at = position.value?.place.text;
  return gone.value !== null && gone.value.place === at ? gone.value.state : null;
});

export interface Laid {
  readonly model: Model;
  readonly placement: Placement;
}

/** The graph with its places; the one before stays until a large one has been laid out. */
export const laid = signal<Laid | null>(null);

let ordered = 0;
effect(() => {
  const now = model.value;
  const order = ++ordered;
  if (now === null) return void (laid.value = null);
  const graph = shapeOf(now.view);
  const placement = placeNow(graph);
  if (placement !== null) return void (laid.value = { model: now, placement });
  void placeLater(graph).then((later) => {
    if (order === ordered) laid.value = { model: now, placement: later };
  });
});

export async function drawGraph(wanted: Wanted): Promise<void> {
  const { from, limit, depth, breakpoints, turnOf } = wanted;
  try {
    const view = await during("Drawing the graph", (signal) =>
      ask({ request: "graph", from: from === "start" ? "start" : null, limit, depth, breakpoints, turn_of: turnOf }, signal),
    );
    found.value = null;
    selected.value = null;
    gone.value = null;
    drawn.value = view;
  } catch (error) {
    report(error);
  }
}

/** Shows what comes after a state, so many choices. The states that are no farther keep their numbers. */
export async function expand(state: number, depth: number): Promise<void> {
  try {
    const view = await during("Exploring further", (signal) => ask({ request: "expand-state", state, depth }, signal));
    found.value = null;
    drawn.value = view;
  } catch (error) {
    report(error);
  }
}

/** Looks for states in what was drawn. */
export async function findStates(query: string): Promise<void> {
  if (query.trim() === "") return void (found.value = null);
  try {
    found.value = await during("Looking for states", (signal) => ask({ request: "find-states", query, limit: null }, signal));
  } catch (error) {
    found.value = null;
    report(error);
  }
}

/** Goes to a state: the way to it becomes part of the multiverse. */
export async function goTo(state: number): Promise<void> {
  selected.value = state;
  await goToState(state);
  // Where that is: what has changed may be told later than that it was done.
  const { place } = await ask({ request: "where" });
  gone.value = { state, place: place.text };
}
