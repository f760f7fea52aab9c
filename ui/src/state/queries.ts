/** What several panes show, asked for once. */
import { effect, signal } from "@preact/signals";
import type { ScopeRef, SourceVariable } from "../api";
import { query } from "./query";
import { ask, position } from "./session";

const always = () => true;

export const names = query(always, () => ask({ request: "names" }));
export const world = query(always, () => ask({ request: "world" }), always);
/** The inputs of the program, those of one primitive in the order of their arguments. */
export const inputs = query(
  always,
  async () => (await ask({ request: "inputs" })).sort((a, b) => a.call.localeCompare(b.call, "en", { numeric: true })),
  always,
);
export const mocks = query(always, () => ask({ request: "mocks" }), always);
export const breakpoints = query(always, () => ask({ request: "breakpoints" }));
export const bookmarks = query(always, () => ask({ request: "bookmarks" }));
export const frames = query(always, () => ask({ request: "frames" }));
export const globals = query(always, () => ask({ request: "globals" }));
export const sourceFrames = query(always, () => ask({ request: "source-frames" }));

/** The frame that variables are shown of, counted from the innermost; until the program moves. */
export const chosenFrame = signal(0);

let stood: string | null = null;
let failedAt: string | null = null;
effect(() => {
  const here = position.value;
  if (here === null) return;
  const place = here.place.text;
  if (place !== stood) chosenFrame.value = 0;
  stood = place;
  // Where it has failed in a library, the own code that called that is looked at first.
  const { own } = here;
  if (own == null) failedAt = null;
  else if (failedAt !== place) {
    const frame = sourceFrames.answer.value.data?.findIndex((one) => one.file === own.file && one.line === own.line) ?? -1;
    if (frame < 0) return;
    failedAt = place;
    chosenFrame.value = frame;
  }
});

/** The variables of that frame, as the source has them. */
export const localVariables = query<ScopeRef, SourceVariable[]>(
  // Where the program has finished, and between turns, no function is under way.
  () => (position.value?.function === null ? null : { frame: chosenFrame.value }),
  (of) => ask({ request: "source-variables", of }),
);

/** What exploring has reached of the program. */
export const coverage = query(always, () => ask({ request: "coverage" }));

/** All properties, with their verdicts here. */
export const properties = query(always, () => ask({ request: "properties" }), always);
