export type PlaceRef = string;
export type Unit = "instruction" | "over" | "out" | "line" | "line-over" | "line-out";
export type Direction = "forward" | "back";
export type Exploration = {
  inputs?: number; paths?: number; instructions?: number; turns?: number; milliseconds?: number;
  "solver-milliseconds"?: number; strategy?: string; towards?: string; merge?: boolean;
};
export type ScopeRef = { frame: number } | "globals" | { expression: { expression: string; frame: number } };
export type Request =
  | { request: "where" }
  | { request: "step"; unit: Unit; direction: Direction; count?: number; confirm?: boolean }
  | { request: "run"; direction: Direction; confirm?: boolean }
  | { request: "reset"; confirm?: boolean }
  | { request: "answer"; value: string }
  | { request: "plan"; to: PlaceRef }
  | { request: "slide"; to: PlaceRef; confirm?: boolean }
  | { request: "frames" } | { request: "globals" } | { request: "print"; term: string }
  | { request: "source-frames" }
  | { request: "source-variables"; of: ScopeRef; path?: number[] }
  | { request: "set-variable"; of: ScopeRef; path?: number[]; name: string; value: string }
  | { request: "evaluate"; expression: string; frame?: number }
  | { request: "source-files" } | { request: "source-text"; path: string }
  | { request: "read-memory"; address: number; length: number }
  | { request: "world" }
  | { request: "disassemble"; around?: string | null; count?: number | null }
  | { request: "info" } | { request: "names" }
  | { request: "tree"; from?: PlaceRef | null; limit?: number | null }
  | { request: "universe"; place?: PlaceRef | null; limit?: number | null }
  | { request: "diff"; first: PlaceRef; second?: PlaceRef | null }
  | { request: "mock"; call: string; value: string; once?: boolean }
  | { request: "unmock"; id?: number | null } | { request: "mocks" }
  | { request: "branch"; call?: string | null; values: string }
  | ({ request: "suggest" } & Exploration) | { request: "suggest-more" }
  | { request: "interrupt"; pin: number } | { request: "interrupts" } | { request: "go-without" }
  | { request: "alter"; target: string; value: string }
  | { request: "bookmark"; name: string; place?: PlaceRef | null }
  | { request: "remove-bookmark"; name: string } | { request: "bookmarks" }
  | { request: "add-breakpoint"; trigger: string; condition?: string | null; temporary?: boolean }
  | { request: "remove-breakpoint"; id?: number | null }
  | { request: "enable-breakpoint"; id: number; enabled: boolean } | { request: "breakpoints" }
  | { request: "export-trace" } | { request: "replay-trace"; text: string; confirm?: boolean };
export type ValueView = { type: string; text: string };
export type PlaceView = { node: string; count: number; text: string };
export type PendingCall = { call: string; kind: string; domain: string | null; returns: string | null; asks: boolean };
export type OutcomeView = { kind: string; text: string; count: number; results: ValueView[] };
export type Position = {
  place: PlaceView; choices: number; in_the_past: boolean; altered: boolean; bookmarks: string[];
  function: string | null; depth: number; offset: number | null; instruction: string | null;
  pending: PendingCall | null; ended: OutcomeView | null;
};
export type HaltView =
  | { halt: "reached" } | { halt: "breakpoint"; id: number; trigger: string; value: ValueView | null }
  | { halt: "ended"; outcome: OutcomeView } | { halt: "asks" } | { halt: "start" } | { halt: "cancelled" };
export type Stopped = HaltView & { position: Position; changes: string[] };
export type JourneyView = { from: PlaceView; common: PlaceView; to: PlaceView; undone: number; replayed: number; irreversible: string[]; choices: string[] };
export type Variable = { term: string; name: string | null; value: ValueView };
export type Frame = { depth: number; func: number; function: string; offset: number | null; instruction: string | null; locals: Variable[]; operands: number[] };
export type MemoryView = { address: number; bytes: number[]; size: number };
export type CodeLine = { function: string; offset: number | null; text: string; current: boolean; breakpoints: number[] };
export type Info = { name: string; program: string; world: string; functions: number; primitives: number; nodes: number; checkpoints: number; dry: boolean };
export type Names = { functions: string[]; inputs: string[]; outputs: string[]; variables: string[]; bookmarks: string[] };
export type TreeRow = {
  node: string; parent: number | null; siblings: number; label: string | null; folded: number;
  choice: string | null; count: number; length: number; ended: OutcomeView | null; current: number | null;
  preferred: boolean; on_the_way: boolean; altered: boolean; visited: boolean; bookmarks: [string, number][];
};
export type TreeView = { rows: TreeRow[]; nodes: number; truncated: boolean };
export type ChoiceView = { node: string; count: number; text: string; others: number; preferred: boolean };
export type UniverseView = { place: PlaceView; omitted: number; choices: ChoiceView[]; next: ChoiceView[] };
export type VariableDifference = { term: string; name: string | null; first: ValueView; second: ValueView };
export type MemoryDifferenceView = { address: number; first: number[]; second: number[] };
export type DifferenceView = {
  first: PlaceView; second: PlaceView; common: PlaceView; parted: [ChoiceView | null, ChoiceView | null];
  globals: VariableDifference[]; memory: MemoryDifferenceView[]; stacks: [string[], string[]] | null; world: string[];
};
export type MockView = { id: number; call: string; value: string; once: boolean };
export type Branched = { position: Position; call: string; branches: ChoiceView[]; created: number };
export type InterruptView = { pin: number; function: string };
export type BookmarkView = { name: string; place: PlaceView };
export type BreakpointView = { id: number; trigger: string; condition: string | null; enabled: boolean; temporary: boolean; offset: number | null };
export type Value = { I32: number } | { I64: number } | { F32: number } | { F64: number };
export type PinView = { direction: "input" | "output" | null; mode: number | null; level: "low" | "high" | null; pwm: number | null; servo_degrees: number | null };
export type MotorView = { speed: number; angle_millidegrees: number; position_millidegrees: number };
export type DisplayView = { on: boolean; width: number; height: number; pixels: number[] };
export type Rgb = { r: number; g: number; b: number };
export type BoardView = {
  clock_us: number; pins: Record<string, PinView>; motors: Record<string, MotorView>; pixels: Record<string, Rgb>;
  pixels_set: Record<string, Rgb>; display: DisplayView; transcript: string; tone_hz: number | null;
  sensors: Record<string, number>; interrupts: unknown[];
};
export type WorldView = { world: string; board: BoardView | null; registers: Record<string, Value>; readings: { call: string; args: Value[]; value: Value }[] };
export type SourceView = { function: string; offset: number | null; location: string | null; source: string | null };
export type OptionView = { parent: number | null; node: string | null; call: string; count: number; value: string; values: string | null; number: string | null; any: boolean; mocked: boolean; leaves: number[] };
export type LeafView = { end: string; text: string; kind: string; place: PlaceView; at: SourceView | null };
export type Suggested = {
  from: PlaceView; paths: number; complete: boolean; stopped: string | null; choices: number; max_options: number;
  instructions: number; microseconds: number; options: OptionView[]; leaves: LeafView[];
};
export type SourceFrame = { function: string; file: string | null; line: number; column: number; inlined: boolean; depth: number; offset: number | null };
export type SourceVariable = { name: string; type: string; value: string; address: number | null; size: number | null; has_children: boolean };
export type SourceFileView = { path: string; has_text: boolean; lines: number[] };
export type Reply =
  | { reply: "done" } | { reply: "position"; data: Position } | { reply: "stopped"; data: Stopped }
  | { reply: "planned"; data: JourneyView } | { reply: "frames"; data: Frame[] }
  | { reply: "variables"; data: Variable[] } | { reply: "variable"; data: Variable }
  | { reply: "source-frames"; data: SourceFrame[] } | { reply: "source-variables"; data: SourceVariable[] }
  | { reply: "source-variable"; data: SourceVariable } | { reply: "source-files"; data: SourceFileView[] }
  | { reply: "source-text"; data: string } | { reply: "memory"; data: MemoryView }
  | { reply: "world"; data: WorldView } | { reply: "code"; data: CodeLine[] } | { reply: "info"; data: Info }
  | { reply: "names"; data: Names } | { reply: "tree"; data: TreeView } | { reply: "universe"; data: UniverseView }
  | { reply: "difference"; data: DifferenceView } | { reply: "mock"; data: MockView }
  | { reply: "mocks"; data: MockView[] } | { reply: "branched"; data: Branched }
  | { reply: "suggested"; data: Suggested } | { reply: "interrupts"; data: InterruptView[] }
  | { reply: "bookmark"; data: BookmarkView } | { reply: "bookmarks"; data: BookmarkView[] }
  | { reply: "breakpoint"; data: BreakpointView } | { reply: "breakpoints"; data: BreakpointView[] }
  | { reply: "trace"; data: string };
export type ApiError = { message: string; kind: string };
export type Event =
  | { event: "progress"; done: number; goal: number | null }
  | { event: "effect"; count: number; call: string; effect: string }
  | { event: "log"; message: string }
  | { event: "warning"; message: string }
  | { event: "changed"; by: string; position: Position };
