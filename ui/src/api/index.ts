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
  | { request: "source-text"; path: string };
export type Reply =
  | made.Reply
  | { reply: "source-frames"; data: SourceFrame[] }
  | { reply: "source-variables"; data: SourceVariable[] }
  | { reply: "source-variable"; data: SourceVariable }
  | { reply: "source-files"; data: SourceFileView[] }
  | { reply: "source-text"; data: string };
export type Event = made.Event | { event: "log"; message: string };
