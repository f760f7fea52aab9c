/** The properties that are loaded, which of them is looked at, and what is known of it here. */
import { computed, signal } from "@preact/signals";
import type { PropertyView, SliceView } from "../api";
import { showPane } from "../panes/arrangement";
import { act } from "../state/actions";
import { patient } from "../state/patient";
import { properties } from "../state/queries";
import { query } from "../state/query";
import { ask, during, report } from "../state/session";

/** So many slices are shown at once. */
export const PAGE = 100;
/** So many events are listed, the last ones. */
const EVENTS = 500;

type SliceId = SliceView["id"];

/** The number of the property that somebody has chosen. */
const wanted = signal<number | null>(null);

/** The property that is looked at: the one that was chosen, else the first. */
export const chosen = computed<PropertyView | null>(() => {
  const all = properties.answer.value.data ?? [];
  return all.find(({ id }) => id === wanted.value) ?? all[0] ?? null;
});
const chosenId = computed(() => chosen.value?.id ?? null);

/** The slice that is looked at; all of them without. */
export const slice = signal<SliceId | null>(null);
/** What slices are searched for. */
export const searched = signal("");
/** How many of them come before those that are shown. */
export const skipped = signal(0);

export function choose(property: number, of: SliceId | null = null): void {
  wanted.value = property;
  slice.value = of;
  searched.value = "";
  skipped.value = 0;
}

export function searchSlices(text: string): void {
  searched.value = text;
  skipped.value = 0;
}

/** The automaton as it is where the session stands, seen in motion. */
export const automaton = query(
  () => (chosenId.value === null ? null : { property: chosenId.value, slice: slice.value }),
  (of) => ask({ request: "automaton", ...of }),
  () => true,
);

export const slices = query(
  () => (chosenId.value === null ? null : { property: chosenId.value, search: searched.value.trim() || null, skip: skipped.value }),
  (of) => ask({ request: "slices", limit: PAGE, ...of }),
);

/** What happened that the property knows of, up to here: all of it, or what moved the chosen slice. */
export const events = patient(
  () => (chosenId.value === null ? null : { property: chosenId.value, slice: slice.value }),
  (of) => ask({ request: "property-events", limit: EVENTS, ...of }),
);

/** Loads a property from its text, or another text for one that is loaded. Says whether that worked. */
export async function load(name: string, text: string, replaces: PropertyView | null): Promise<boolean> {
  try {
    const loaded = await during("Loading a property", (signal) =>
      ask({ request: "load-property", name, text, replaces: replaces?.id ?? null }, signal),
    );
    choose(loaded.id);
    showPane("properties");
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

export function remove({ id }: PropertyView): Promise<boolean> {
  return act({ request: "remove-property", property: id });
}
