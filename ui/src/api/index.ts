/** The debugger's types, and what it is about to offer for sources. */
import type * as made from "./types";

export * from "./types";

export type SourceFrame = { function: string; file: string | null; line: number; column: number; inlined: boolean; depth: number; offset: number | null };
export type SourceVariable = { name: string; type: string; value: string; address: number | null; size: number | null; has_children: boolean };
export type SourceFileView = { path: string; has_text: boolean; lines: number[] };
export type ScopeRef = { frame: number } | "globals" | { expression: { expression: string; frame: number } };
export type Unit = made.Unit | "line" | "line-over" | "line-out";

type StepRequest = Omit<Extract<made.Request, { request: "step" }>, "unit"> & { unit: Unit };
export type Request =
  | Exclude<made.Request, { request: "step" }>
  | StepRequest
  | { request: "source-frames" }
  | { request: "source-variables"; of: ScopeRef; path?: number[] }
  | { request: "set-variable"; of: ScopeRef; path?: number[]; name: string; value: string }
  | { request: "evaluate"; expression: string; frame?: number }
  | { request: "source-files" }
  | { request: "source-text"; path: string }
  | { request: "tree-changes"; since?: number | null }
  | { request: "log"; limit?: number | null };
export type Reply =
  | Exclude<made.Reply, { reply: "universe" | "memory" }>
  | { reply: "tree-changes"; data: TreeChanges }
  | { reply: "log"; data: LogView }
  | { reply: "universe"; data: made.UniverseView & { outputs: MomentView[]; bookmarks: made.BookmarkView[] } }
  | { reply: "memory"; data: made.MemoryView & { changed: [number, number][] } }
  | { reply: "source-frames"; data: SourceFrame[] }
  | { reply: "source-variables"; data: SourceVariable[] }
  | { reply: "source-variable"; data: SourceVariable }
  | { reply: "source-files"; data: SourceFileView[] }
  | { reply: "source-text"; data: string };
export type Event = made.Event | { event: "log"; message: string };

export type OutputView = { count: number; call: string; effect: string; printed?: string | null };
export type MomentView = { place: made.PlaceView } & OutputView;
export type TreeNode = {
  node: string; parent?: string | null; label?: string | null; folded?: number; choice?: string | null; count: number;
  ended?: made.OutcomeView | null; suggested?: boolean; altered?: boolean; bookmarks?: [string, number][];
  outputs?: OutputView[]; more_outputs?: number; hits?: { id: number; place: made.PlaceView }[];
};
export type TreeChanges = { revision: number; whole: boolean; rows: TreeNode[]; gone: string[]; nodes: number; truncated: boolean };
export type LogView = { lines: { text: string; place: made.PlaceView; ahead: boolean }[]; omitted: number };
