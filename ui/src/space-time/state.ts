/** What the diagram knows: the turns of this universe, and how it is looked at. */
import { computed, signal } from "@preact/signals";
import { actors } from "../actors/state";
import { query } from "../state/query";
import { ask } from "../state/session";
import { EMPTY, modelOf, type Model } from "./model";

/** More turns than these are not drawn: the last ones are. */
const TURNS = 2_000;

export const turns = query(
  () => true,
  () => ask({ request: "turns", limit: TURNS }),
);

export const model = computed<Model>(() => {
  const view = turns.answer.value.data;
  return view === null ? EMPTY : modelOf(view, actors.answer.value.data?.actors ?? []);
});

/** How wide a column is; `null` until somebody zooms: as wide as there is room for. */
export const column = signal<number | null>(null);
/** Whether all turns of all actors are to be seen at once, however small. */
export const showsAll = signal(false);
/** The column that is chosen with the keyboard, or pointed at. */
export const chosen = signal<number | null>(null);
export const hovered = signal<number | null>(null);
