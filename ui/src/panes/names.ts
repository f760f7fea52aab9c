/** The panes that there are, in the order in which they are listed. */
export const PANES = [
  { id: "source", title: "Source" },
  { id: "wat", title: "WebAssembly" },
  { id: "tree", title: "Multiverse" },
  { id: "board", title: "Board" },
  { id: "variables", title: "Variables" },
  { id: "stack", title: "Stack" },
  { id: "memory", title: "Memory" },
  { id: "watch", title: "Watch" },
  { id: "diff", title: "Compare" },
  { id: "coverage", title: "Coverage" },
  { id: "mocks", title: "Mocks" },
  { id: "breakpoints", title: "Breakpoints" },
  { id: "bookmarks", title: "Bookmarks" },
  { id: "log", title: "Log" },
  { id: "console", title: "Console" },
] as const;

export type PaneId = (typeof PANES)[number]["id"];
