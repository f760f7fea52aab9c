import { hasActors } from "../state/session";

/** The panes that there are, in the order in which they are listed. */
export const PANES = [
  { id: "source", title: "Source" },
  { id: "wat", title: "WebAssembly" },
  { id: "graph", title: "Graph" },
  { id: "tree", title: "Multiverse" },
  { id: "board", title: "Board" },
  { id: "actors", title: "Actors" },
  { id: "space-time", title: "Space-time" },
  { id: "variables", title: "Variables" },
  { id: "stack", title: "Stack" },
  { id: "memory", title: "Memory" },
  { id: "watch", title: "Watch" },
  { id: "diff", title: "Compare" },
  { id: "coverage", title: "Coverage" },
  { id: "properties", title: "Properties" },
  { id: "mocks", title: "Mocks" },
  { id: "breakpoints", title: "Breakpoints" },
  { id: "bookmarks", title: "Bookmarks" },
  { id: "log", title: "Log" },
  { id: "console", title: "Console" },
] as const;

export type PaneId = (typeof PANES)[number]["id"];

/** Those that have something to show only where a program is made of actors. */
export const OF_ACTORS: readonly PaneId[] = ["actors", "space-time"];

/** Whether a pane has something to show in this program. */
export function isThere(id: PaneId): boolean {
  return hasActors.value || !OF_ACTORS.includes(id);
}
