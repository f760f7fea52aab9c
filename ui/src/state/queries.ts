/** What several panes show, asked for once. */
import { signal } from "@preact/signals";
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

/** The frame that variables are shown of, counted from the innermost. */
export const chosenFrame = signal(0);

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
