// Made from the Rust types by `cargo xtask types`; changes belong there.

/** A request of any kind. */
export type Requests = {
  /** Where the session stands. */
  where: [{}, Position];
  /** Makes steps. */
  step: [{ unit: Unit; direction: Direction; count?: number }, Stopped];
  /** Runs to the next breakpoint or the end; back, to the last one or the start. */
  run: [{ direction: Direction }, Stopped];
  /** Runs to the next breakpoint or the end: where nothing is recorded, inputs return what was suggested first, as long as something was. */
  "run-as-suggested": [{}, Stopped];
  /** Runs to a line, a function or an instruction, unless a breakpoint comes first. */
  "run-to": [{ to: TriggerRef; direction: Direction }, Stopped];
  /** Runs to the next breakpoint or the end, at the speed of the world's clock. Meanwhile, inputs can be mocked. */
  play: [{ percent?: number }, Stopped];
  /** Goes back to the beginning of a function that is being executed. */
  "restart-frame": [{ frame: number }, Stopped];
  /** Goes back to the start of the program. */
  reset: [{}, Stopped];
  /** Says what the input returns that is to be read here, and reads it. */
  answer: [{ value: string }, Stopped];
  /** What a slide would take, without making it. */
  plan: [{ to: PlaceRef }, JourneyView];
  /** Goes to any place. */
  slide: [{ to: PlaceRef }, Stopped];
  /** Goes to the beginning of the line that is under way at a place; to the place itself where no line of the source is known. */
  "slide-to-line": [{ to: PlaceRef }, Stopped];
  /** The functions being executed, innermost first. */
  frames: [{ actor?: string | null }, Frame[]];
  /** The globals. */
  globals: [{ actor?: string | null }, Variable[]];
  /** The value of a term: `current`, `local 2`, `i32 @ 1024`. */
  print: [{ term: string; frame?: number; format?: Format | null; actor?: string | null }, Printed];
  /** The functions under way as the source has them, inlined ones included, innermost first. */
  "source-frames": [{ actor?: string | null }, SourceFrame[]];
  /** Variables of the source. */
  "source-variables": [{ of: ScopeRef; path?: number[]; actor?: string | null }, SourceVariable[]];
  /** Sets a variable of the source by hand, if it is a number that is in one place. */
  "set-variable": [{ of: ScopeRef; path?: number[]; name: string; value: string; actor?: string | null }, SourceVariable];
  /** The value of an expression, in the notation of the source. */
  evaluate: [{ expression: string; frame?: number; actor?: string | null }, SourceVariable];
  /** The type of an expression, or a type by its name. */
  "type-of": [{ text: string; frame?: number; actor?: string | null }, TypeView];
  /** The files that the program was built from. */
  "source-files": [{}, SourceFileView[]];
  /** The text of a file that the program was built from. */
  "source-text": [{ path: string }, FileText];
  /** A part of the source. */
  "source-lines": [{ around?: string | null; count?: number | null; frame?: number; actor?: string | null }, SourceExcerpt];
  /** A stretch of memory. */
  "read-memory": [{ address: number; length: number; actor?: string | null }, MemoryView];
  /** Writes a stretch of memory by hand. */
  "write-memory": [{ address: number; bytes: number[]; actor?: string | null }, MemoryView];
  /** The world as it is here, or at another place. */
  world: [{ at?: PlaceRef | null }, WorldView];
  /** Instructions around a place in the code. */
  disassemble: [{ around?: string | null; count?: number | null }, CodeLine[]];
  /** Facts about the session. */
  info: [{}, InfoView];
  /** The link to the device that the program runs on. */
  link: [{}, LinkView];
  /** Lets the program run on by itself on its device, which records, and goes on here without. */
  detach: [{}, null];
  /** All names that a person may use, to complete words with. */
  names: [{}, NamesView];
  /** The multiverse, from a place on. */
  tree: [{ from?: PlaceRef | null; limit?: number | null }, TreeView];
  /** What is different in the multiverse since a revision; everything without one. */
  "tree-changes": [{ since?: number | null }, TreeChangesView];
  /** What the program printed in this universe, what lies ahead included. */
  log: [{ limit?: number | null }, LogView];
  /** Every time that the program comes to something in this universe, what lies ahead included. */
  hits: [{ at: TriggerRef; condition?: string | null; log?: string | null; limit?: number | null }, HitsView];
  /** Asks what happened in this universe, or in all of them. */
  query: [{ question: string; limit?: number | null }, QueryView];
  /** Where the value of a variable comes from that it has here. */
  origin: [{ term: string }, OriginView];
  /** What an input has influenced. */
  influence: [{ input?: PlaceRef | null }, OriginView];
  /** The choices on the way to a place, and what the program did. */
  universe: [{ place?: PlaceRef | null; limit?: number | null }, UniverseView];
  /** Nodes at which machine and world are the same. */
  merged: [{ limit?: number | null }, MergedView];
  /** Draws the graph of all universes. No order of turns stands for another one, as it does for [`Exploration`](crate::Exploration); states that are equal are one. It is kept for [`FindStates`], [`WhatParts`] and [`GoToState`]. */
  graph: [{ from?: PlaceRef | null; limit?: number | null; depth?: number | null; milliseconds?: number | null; breakpoints?: boolean; turn_of?: string | null; resume?: boolean }, GraphView];
  /** How universes end in the graph that was drawn last, or else in one that is drawn from here. */
  ends: [{}, GraphSummary];
  /** Looks for states in the graph that was drawn last, or else in one that is drawn from here. */
  "find-states": [{ query: string; limit?: number | null }, FoundStates];
  /** Shows more of the graph that was drawn last: what comes after a state that was not explored further, also where a breakpoint has stopped universes. States that are no farther from the start keep their numbers. */
  "expand-state": [{ state: number; depth?: number | null }, GraphView];
  /** Goes to a state of the graph that was drawn last: the way to it with the fewest choices becomes part of the multiverse. */
  "go-to-state": [{ state: number }, Stopped];
  /** What parts two states of the graph that was drawn last. */
  "what-parts": [{ first: number; second: number }, PartingView];
  /** What differs between two places. */
  diff: [{ first: PlaceRef; second?: PlaceRef | null }, DifferenceView];
  /** Decides what an input returns. */
  mock: [{ call: CallRef; value: string; once?: boolean; replace?: boolean }, MockView];
  /** The inputs of the program: every call that is known, and primitives before the first. */
  inputs: [{}, KnownInput[]];
  /** Removes mocks: one, those of a call, or all. */
  unmock: [{ id?: Which | null }, MockView[]];
  /** All mocks. */
  mocks: [{}, MockView[]];
  /** Creates a branch for each of several values, where an input is read next. */
  branch: [{ call?: CallRef | null; values: ValuesRef }, Branched];
  /** Explores: adds the future universes that differ in control flow. What is not given has a default that fits a person who waits and looks at what is found, see [`usual`](Self::usual). */
  suggest: [Exploration, Suggested];
  /** Goes on where the last exploration stopped. */
  "suggest-more": [{}, Suggested];
  /** The turns that were not followed by what was explored last. */
  "pruned-turns": [{ limit?: number | null }, PrunedView];
  /** Adds what was found last and was too much to be added unasked. */
  "add-suggested": [{ limit?: number | null }, Suggested];
  /** Removes what exploring has added where nobody has been. What leads to a bookmark stays. */
  "remove-suggested": [{ below?: PlaceRef | null }, Removed];
  /** Why the program came to a place. */
  why: [{ place?: PlaceRef | null }, WhyView];
  /** Goes back to before the last write of something. */
  "who-wrote": [{ term?: string | null }, Stopped];
  /** The universe of a path that exploring has found, as text. */
  "trace-of": [{ path: number; until?: PlaceRef | null }, TraceText];
  /** What exploring has reached, if it was told to note that. */
  coverage: [{}, CoverageView];
  /** Sets what an input reads by itself, before the program has begun. */
  "set-reading": [{ call: CallRef; value?: string | null }, WorldView];
  /** All actors, with what waits for them. */
  actors: [{}, ActorsView];
  /** Gives the next turn to somebody, when the one under way is over. */
  "give-turn": [{ next: string }, Stopped];
  /** Runs to the end of the turn under way, past all breakpoints: to where somebody is next. */
  "finish-turn": [{}, Stopped];
  /** Runs to the next turn; back, to the beginning of the last one. */
  "step-turn": [{ actor?: string | null; direction: Direction }, Stopped];
  /** Runs until a message that is on its way has been handled, or until whoever sent it is about to be told the answer. Breakpoints stop it. */
  "step-message": [{ message: string; told?: boolean }, Stopped];
  /** Lets actors wait, or go on. Nothing is said about the others. */
  "pause-actor": [{ actor?: string | null; paused: boolean }, ActorsView];
  /** The turns of this universe, with the messages that they handle and send. */
  turns: [{ limit?: number | null }, TurnsView];
  /** Lets an interrupt arrive here. */
  interrupt: [{ pin: number }, Stopped];
  /** The interrupts that may arrive here. */
  interrupts: [{}, InterruptView[]];
  /** Goes on without the interrupt or alteration that is recorded here or before the next input. */
  "go-without": [{}, Position];
  /** Sets a variable by hand. */
  alter: [{ target: string; value: string; actor?: string | null }, Variable];
  /** Names a place. */
  bookmark: [{ name: string; place?: PlaceRef | null }, BookmarkView];
  /** Forgets the name of a place. */
  "remove-bookmark": [{ name: string }, null];
  /** All bookmarks. */
  bookmarks: [{}, BookmarkView[]];
  /** Adds a breakpoint. */
  "add-breakpoint": [{ trigger: TriggerRef; condition?: string | null; hits?: string | null; log?: string | null; temporary?: boolean }, BreakpointView];
  /** Says anew when a breakpoint stops the program. What is left out stays as it is; an empty text takes it away. Hits are counted from 0 again if they matter now. */
  "change-breakpoint": [{ id: Which; condition?: string | null; hits?: string | null; log?: string | null }, BreakpointView];
  /** Removes breakpoints: one, those that wait for something, or all. */
  "remove-breakpoint": [{ id?: Which | null }, BreakpointView[]];
  /** Switches breakpoints on or off. */
  "enable-breakpoint": [{ id: Which; enabled: boolean }, BreakpointView[]];
  /** All breakpoints. */
  breakpoints: [{}, BreakpointView[]];
  /** Lets steps by lines pass through code. */
  skip: [{ pattern: string }, SkipView[]];
  /** Lets steps stop in code again. */
  "remove-skip": [{ id: number }, SkipView[]];
  /** What steps by lines pass through. */
  skips: [{}, SkipView[]];
  /** The universe up to here as text. */
  "export-trace": [{}, TraceText];
  /** Adds the universe that a text describes, and goes to its end. */
  "replay-trace": [{ text: string }, Stopped];
  /** Loads a property, or another text for one that is loaded. */
  "load-property": [{ name: string; text: string; replaces?: number | null }, PropertyView];
  /** Unloads a property. */
  "remove-property": [{ property: number }, null];
  /** All properties, with their verdicts here. */
  properties: [{}, PropertyView[]];
  /** The automaton of a property, as it is at a place. */
  automaton: [{ property: number; at?: PlaceRef | null; slice?: string | null }, AutomatonView];
  /** The slices of a property at a place. */
  slices: [{ property: number; at?: PlaceRef | null; search?: string | null; skip?: number; limit?: number | null }, SlicesView];
  /** What happened that properties know of, in this universe: the event log, and with a slice the explanation of what became of it. */
  "property-events": [{ property?: number | null; slice?: string | null; moves?: boolean; until?: PlaceRef | null; limit?: number | null }, PropertyEventsView];
  /** Whether properties hold at a place. */
  verdict: [{ at?: PlaceRef | null }, VerdictsView];
  /** Where in the multiverse verdicts change, to colour it. */
  "verdict-changes": [{ property?: number | null; all?: boolean }, VerdictChangesView];
  /** The choices from the start to where a property was first violated in this universe, as text. */
  witness: [{ property: number }, TraceText];
  /** Loads a scenario: what is done when a property changes its state. */
  "load-scenario": [{ name: string; text: string; property?: number | null }, ScenarioView];
  /** Unloads a scenario. */
  "remove-scenario": [{ scenario: number }, null];
  /** All scenarios. */
  scenarios: [{}, ScenarioView[]];
};

/** A request that was refused or failed, worded for the person who made it. */
export type ApiError = {
  /** What happened and what to do about it. */
  message: string;
  /** What kind of failure it is, for front ends that act on it. */
  kind: ErrorKind;
};

/** Something that happened on the way. */
export type Event =
  /** How far a long operation is. */
  | { event: "progress"; done: number; goal: number | null }
  /** Exploring has found paths: each is told once, soon after it was found. */
  | { event: "found"; from: PlaceView; paths: FoundView[] }
  /** The program did something to the world. */
  | ({ event: "effect" } & EffectView)
  /** The program read an input. */
  | ({ event: "reading" } & ReadView)
  /** So much of what the program did and read comes before what is told, and is not kept. */
  | { event: "omitted"; count: number }
  /** A breakpoint that does not stop the program was passed. */
  | { event: "log"; message: string }
  /** Something that one should know but that did not stop the operation. */
  | { event: "warning"; message: string }
  /** The link to the device is in another state: told to all front ends of a [`Service`](crate::Service) when it happens, even in the middle of a request. */
  | ({ event: "link" } & DeviceView)
  /** A long operation is under way, and the session is as it is now: told to all front ends of a [`Service`](crate::Service) some times a second. Whoever wants to see more of it can ask. */
  | { event: "passing"; position: Position }
  /** Something is different now; told to all front ends of a [`Service`](crate::Service). */
  | ({ event: "changed" } & Changed);

/** What a page is told first. */
export type Hello = {
  /** The version of `mw`. */
  version: string;
  /** What this page is called when others are told what it did: `page 2`. */
  page: string;
  /** What the program is called: the path that it came from. */
  name: string;
  /** The world's name. */
  world: string;
  /** Whether the world has a board to show. */
  has_board: boolean;
  /** Whether the source of the program is known. */
  has_sources: boolean;
  /** The front end whose request is being served, if one is. */
  busy: string | null;
};

/** An actor. */
export type ActorView = {
  /** Its address. */
  id: number;
  /** What it is called. */
  name: string;
  /** What its handlers begin with, if with something. */
  kind: string;
  /** The file of its program. */
  program: string;
  /** Whether the source of its program is known. */
  has_sources: boolean;
  /** `fresh`, `idle`, `busy`, `stopped` or `failed`. */
  standing: string;
  /** Whether it is the one that runs, or ran last. */
  current: boolean;
  /** Whether it is to wait. */
  paused: boolean;
  /** How many turns it has begun. */
  turns: number;
  /** The message that it handles, if a turn is under way. */
  handles: MessageView | null;
  /** What waits to be handled, by sender, oldest first. */
  inbox: MessageView[];
  /** The messages whose answers it waits for. */
  awaits: string[];
};

/** All actors. */
export type ActorsView = {
  /** The actors. */
  actors: ActorView[];
  /** Who can have the next turn, if the last one is over. */
  next: NextTurn[];
};

/** A state of an automaton. */
export type AutomatonState = {
  /** What it is called. */
  name: string;
  /** Whether the property holds in it. */
  accepting: boolean;
  /** Whether something is still to come in it: if the program ends, nobody can say. */
  pending: boolean;
  /** Whether a slice that comes to it is forgotten. */
  is_final: boolean;
  /** The action that it names, if it does. */
  action: string | null;
  /** How many slices are in it. */
  slices: number;
  /** Whether the last transition that was taken led out of it. */
  former: boolean;
};

/** A transition of an automaton. */
export type AutomatonTransition = {
  /** The state that it leads out of, by its position. */
  from: number;
  /** The state that it leads to. */
  to: number;
  /** The event, as it is written. */
  event: string;
  /** The condition, as it is written, if there is one. */
  guard: string | null;
  /** What has to come of the condition: it holds, or it does not. */
  on: TransitionKind;
  /** What is done to the slice's variables, as it is written. */
  code: string | null;
  /** The action that it names, if it does. */
  action: string | null;
  /** Whether it is the last one that was taken. */
  last: boolean;
};

/** The automaton of a property, as it is at a place. */
export type AutomatonView = {
  /** The property. */
  property: number;
  /** What it is called. */
  name: string;
  /** The place; none for a property that is only shown. */
  place: PlaceView | null;
  /** Whether it holds there. */
  verdict: VerdictView;
  /** By what slices are told apart; empty if there is only one. */
  parameters: string[];
  /** Its states; the first one is where everything begins. */
  states: AutomatonState[];
  /** Its transitions. */
  transitions: AutomatonTransition[];
};

/** A board as it is shown. */
export type BoardView = {
  /** The clock, in microseconds since the start. */
  clock_us: number;
  /** The pins that the program has touched. */
  pins: { [key: string]: PinView };
  /** The motors that the program has driven. */
  motors: { [key: string]: MotorView };
  /** The pixels of the strip as last shown. */
  pixels: { [key: string]: Rgb };
  /** The pixels of the strip as set, waiting for `show_pixels`. */
  pixels_set: { [key: string]: Rgb };
  /** The display. */
  display: DisplayView;
  /** What has been printed. */
  transcript: string;
  /** The frequency that sounds, in Hz. */
  tone_hz: number | null;
  /** The modes of the sensors that have been set up, by port. */
  sensors: { [key: string]: number };
  /** The interrupts that the program has asked to be told of. */
  interrupts: Interrupt[];
  /** What it has set up of the network, a line each. */
  network: string[];
};

/** A place with a name. */
export type BookmarkView = {
  /** The name. */
  name: string;
  /** The place. */
  place: PlaceView;
};

/** Which ways a branch went. */
export type BranchCoverage = {
  /** Where it is. */
  at: SourceView;
  /** The file that it is written in, if that is known. */
  file: string | null;
  /** The line. */
  line: number | null;
  /** Whether it was reached at all. */
  reached: boolean;
  /** The ways on from it. */
  ways: WayCoverage[];
};

/** Branches that have been created. */
export type Branched = {
  /** Where the input is read; the session stands there now. */
  position: Position;
  /** The input. */
  call: string;
  /** The branches, in the order of the values. */
  branches: ChoiceView[];
  /** How many of them are new. */
  created: number;
};

/** A breakpoint. */
export type BreakpointView = {
  /** Its number. */
  id: number;
  /** What it waits for, as it could have been written. */
  trigger: string;
  /** It only stops the program if this holds. */
  condition: string | null;
  /** Which of its hits stop the program, such as `>= 3`. */
  hits: string | null;
  /** What it logs instead of stopping the program. */
  log: string | null;
  /** How often it has been come to while its condition held. */
  passed: number;
  /** Whether it is taken notice of. */
  enabled: boolean;
  /** Whether it is removed once it has stopped the program. */
  temporary: boolean;
  /** The byte offset in the binary, for one in the code. */
  offset: number | null;
  /** Where that is in the source, if it is known. */
  source: SourceLine | null;
};

/** Calls of a primitive, as text or by their parts. */
export type CallRef =
  /** As people write it: `chip_analog_read(12)`, or `chip_analog_read` for any arguments. */
  | string
  /** By its parts. */
  | CallSpec;

/** Calls of a primitive by their parts. */
export type CallSpec = {
  /** The primitive's name. */
  primitive: string;
  /** Its arguments; any without. */
  args?: string[] | null;
};

/** What a front end did to the session that it shares with others. */
export type Changed = {
  /** The front end: `terminal`, or `page 2`. */
  by: string;
  /** Where the session stands now. */
  position: Position;
};

/** What can be said of a property on the paths that were explored. */
export type CheckedView = {
  /** The property. */
  property: number;
  /** What it is called. */
  name: string;
  /** On how many paths it is violated. */
  violated: number;
  /** On how many something that was to happen has not when the program ends. */
  inconclusive: number;
  /** On how many paths something of it could not be computed, and what: what is said of them may be wrong. */
  faults: number;
  /** What could not be computed, for the first time. */
  fault: string | null;
};

/** A choice. */
export type ChoiceView = {
  /** The node that it leads to. */
  node: string;
  /** The count at which it was made. */
  count: number;
  /** What was decided, and how. */
  text: string;
  /** How many other ways there are to decide it in this multiverse. */
  others: number;
  /** Whether it is the one that going on follows. */
  preferred: boolean;
};

/** An instruction. */
export type CodeLine = {
  /** The function. */
  function: string;
  /** The byte offset in the binary. */
  offset: number | null;
  /** The instruction in WebAssembly's text format. */
  text: string;
  /** Whether it comes next. */
  current: boolean;
  /** The breakpoints before it. */
  breakpoints: number[];
};

/** A decision on the way to the end of a path. */
export type ConditionView = {
  /** Where. */
  at: SourceView;
  /** After how many instructions. */
  count: number;
  /** How it went: `true`, `false`, `traps: …`, `calls f`, `is 7`, `goes to …`. */
  outcome: string;
  /** Whether that is the outcome of what is written in the source. A compiler may also have turned it round, or decide a part of it only. */
  as_written: boolean;
  /** The condition in terms of the inputs, named in the order of reading. */
  text: string;
};

/** A stretch of memory that a variable leads to. */
export type ContentView = {
  /** Its first address. */
  address: number;
  /** How many bytes it has, if that is known. */
  size: number | null;
};

/** What was reached of a program. */
export type CoverageView = {
  /** The files that lines with code are known of. */
  files: FileCoverage[];
  /** The functions, in the order of the binary. */
  functions: FunctionCoverage[];
  /** The branches, in the order of the binary. */
  branches: BranchCoverage[];
};

/** An input that had a say. */
export type DecidingInput = {
  /** The node that it leads to. */
  node: string;
} & InputView;

/** The device that a program runs on, as far as that is known without asking it. */
export type DeviceView = {
  /** What it calls itself. */
  name: string;
  /** Where it is. */
  address: string;
  /** Where the machine runs. */
  run_on: RunOn;
  /** How the link is. */
  link: LinkState;
};

/** What differs between two places. */
export type DifferenceView = {
  /** The first place. */
  first: PlaceView;
  /** The second place. */
  second: PlaceView;
  /** The last place that their ways have in common. */
  common: PlaceView;
  /** The choices at which they parted, if there are some. */
  parted: [ChoiceView | null, ChoiceView | null];
  /** Variables of the source that differ: its globals, and those of functions that are under way at both places, outermost first. */
  variables: VariableDifference[];
  /** Locals of the machine that differ, of functions that are under way at both places. */
  locals: VariableDifference[];
  /** Globals of the machine that differ. */
  globals: VariableDifference[];
  /** Stretches of memory that differ. */
  memory: MemoryDifferenceView[];
  /** The functions under way, innermost first, if they differ. */
  stacks: [string[], string[]] | null;
  /** What differs in the world: `pin 45: high → low`. */
  world: string[];
};

/** Which way. */
export type Direction =
  /** On in time. */
  | "forward"
  /** Back in time. */
  | "back";

/** The display as it is shown: the way round that the program draws on it. */
export type DisplayView = {
  /** Whether it is awake and switched on. The picture is kept while it is not. */
  on: boolean;
  /** The width, as the program sees it. */
  width: number;
  /** The height, as the program sees it. */
  height: number;
  /** The picture row by row, in RGB565. */
  pixels: number[];
};

/** A step from one state of the graph to another. */
export type EdgeView = {
  /** From where. */
  from: number;
  /** Where to. */
  to: number;
  /** What is decided, for people; `goes on` where the program goes on by itself. */
  label: string;
  /** `turn`, `input` or `step`. */
  kind: string;
  /** Whether something goes wrong that only an allowed fault explains. */
  fault: boolean;
  /** How many instructions are executed. */
  length: number;
};

/** What an output did. */
export type EffectView = {
  /** How many instructions had been executed before. */
  count: number;
  /** The call, such as `chip_digital_write(13, 1)`. */
  call: string;
  /** What it did, such as `pin 13 = high`. */
  effect: string;
};

/** A state at which universes end. */
export type EndView = {
  /** The state. */
  state: number;
  /** How they end. */
  outcome: OutcomeView;
  /** How many ways lead there, as text: there may be many. Nothing, if it can be any number. */
  ways: string | null;
  /** The way with the fewest choices. */
  way: string[];
  /** Variables that are not the same at all ends: the first of them. */
  variables: VariableIn[];
};

/** The kinds of failure. */
export type ErrorKind =
  /** What was written cannot be understood. */
  | "notation"
  /** What was named is not there. */
  | "unknown"
  /** The world does not allow it: the value is not possible. */
  | "refused"
  /** It cannot be done at this place. */
  | "not-here"
  /** It would go back over an output that cannot be undone: ask, then repeat it with `confirm`. */
  | "irreversible"
  /** A recording does not fit the program or the world. */
  | "diverged"
  /** Somebody stopped it. */
  | "cancelled"
  /** The program or its world cannot be used. */
  | "unusable";

/** A line of a part of the source. */
export type ExcerptLine = {
  /** Its number, counted from 1. */
  number: number;
  /** What is written there. */
  text: string;
  /** The byte offsets at which its code begins: none, if it has no code. */
  offsets: number[];
  /** Whether the program is there. */
  current: boolean;
  /** The breakpoints there. */
  breakpoints: number[];
};

/** Explores: adds the future universes that differ in control flow. What is not given has a default that fits a person who waits and looks at what is found, see [`usual`](Self::usual). */
export type Exploration = {
  /** From where; from here without. */
  from?: PlaceRef | null;
  /** Inputs explored on one path. */
  inputs?: number | null;
  /** Interrupts that arrive on one path; none does with 0. */
  interrupts?: number | null;
  /** Paths. */
  paths?: number | null;
  /** Instructions on one path. */
  instructions?: number | null;
  /** Turns of one loop on one path. */
  turns?: number | null;
  /** Turns of actors on one path. */
  schedule?: number | null;
  /** Addresses or numbers that one expression is resolved to. */
  values?: number | null;
  /** Milliseconds in all. */
  milliseconds?: number | null;
  /** Milliseconds for one question to a solver. */
  "solver-milliseconds"?: number | null;
  /** Bytes that may be held. */
  memory?: number | null;
  /** In which order: `fair`, `depth`, `breadth`, `coverage` or `random`. */
  strategy?: string | null;
  /** What to look for, instead of everything: `trap`, a function, `FILE:LINE`, a condition such as `global 0 == 66`, `violated`, or a state of a property. */
  towards?: string | null;
  /** The number that `random` starts with. */
  seed?: number | null;
  /** A solver to ask when the built-in one does not know: one that the person has allowed, by the name or path that they gave. */
  solver?: string | null;
  /** How many threads may work; as many as there are cores without. */
  jobs?: number | null;
  /** Whether each `select` makes two paths. */
  "forks-at-select"?: boolean;
  /** Whether every order of turns is followed, not one of those that come to the same. */
  "all-orders"?: boolean;
  /** Whether options that behave alike stay apart; otherwise they are one. */
  apart?: boolean;
  /** Whether all paths are added, however many they are. Otherwise, if they are more than [`MANY`], none is: [`AddSuggested`](crate::request::AddSuggested) does that then. */
  all?: boolean;
  /** Whether to note what was reached. */
  coverage?: boolean;
  /** Whether a path is followed only while all properties hold on it. */
  "while-holds"?: boolean;
  /** Whether the parameters of the entry are open, too; only at the start. */
  "symbolic-params"?: boolean;
};

/** What was reached of a file. */
export type FileCoverage = {
  /** Its path, as the debug information has it. */
  path: string;
  /** What is written in it, if that is known. */
  text: string | null;
  /** The lines with code. */
  lines: LineCoverage[];
};

/** What is written in a file. */
export type FileText = string;

/** Something that can go wrong, with the inputs that make it so. */
export type Finding = {
  /** `trapped`, `aborted`, `assertion-failed`, `heap`, `violated`, … */
  end: string;
  /** What goes wrong: `integer divide by zero`. */
  kind: string;
  /** The same as a sentence: `trap: integer divide by zero`. */
  text: string;
  /** Where. */
  at: SourceView | null;
  /** On how many paths. */
  paths: number;
  /** One of them, by its number among the leaves: the one that needs the fewest inputs. */
  path: number;
  /** The inputs that matter on it. */
  inputs: InputView[];
  /** The arguments of the function that is called on it, if parameters were left open. */
  arguments: string[] | null;
  /** How a property is violated, if that is what it is. */
  violation?: ViolationView | null;
};

/** How a number is written. */
export type Format =
  /** Its bits, as `0xff`. */
  | "hexadecimal"
  /** With a sign. */
  | "decimal"
  /** Without one. */
  | "unsigned"
  /** Its bits, as `0b101`. */
  | "binary"
  /** The number, and the character that it stands for. */
  | "character";

/** A state that was looked for. */
export type FoundState = {
  /** The state. */
  state: StateView;
  /** The way with the fewest choices. */
  way: string[];
};

/** The states that were looked for. */
export type FoundStates = {
  /** Where the graph begins. */
  from: PlaceView;
  /** How many there are. */
  number: number;
  /** The first of them, the nearest first. */
  states: FoundState[];
  /** How many states were looked at. */
  of: number;
  /** In how many of them something was not available, so that it cannot be said. */
  unclear: number;
  /** Whether these are all states that there are. */
  complete: boolean;
};

/** A path that has just been found. */
export type FoundView = {
  /** How it ends, as in [`LeafView::end`]. */
  end: string;
  /** What is said about it. */
  text: string;
  /** After how many instructions it ends. */
  count: number;
  /** The inputs on the way; if they are many, the last ones. */
  inputs: InputView[];
  /** After how many instructions each of them is read. */
  counts: number[];
  /** Whether these are all inputs on the way. */
  whole: boolean;
};

/** A function that is being executed. */
export type Frame = {
  /** How many calls out from the innermost. */
  depth: number;
  /** The function's index. */
  func: number;
  /** The function's name. */
  function: string;
  /** The byte offset of the instruction in the binary; for a caller, of its call. */
  offset: number | null;
  /** The instruction. */
  instruction: string | null;
  /** Parameters and locals. */
  locals: Variable[];
  /** The operand stack, lowest first; the types are not known. */
  operands: number[];
};

/** What was reached of a function. */
export type FunctionCoverage = {
  /** Its name. */
  function: string;
  /** The file that it is written in, if that is known. */
  file: string | null;
  /** The line that its code begins with. */
  line: number | null;
  /** How many instructions it has. */
  instructions: number;
  /** How many of them were reached. */
  reached: number;
  /** The byte offsets of those that were not, as ranges: the first, and the last. */
  missed: [number, number][];
};

/** What there is to say of a graph. */
export type GraphSummary = {
  /** Where it begins. */
  from: PlaceView;
  /** How many states there are. */
  states: number;
  /** How many steps from one state to another. */
  edges: number;
  /** How universes end. */
  ends: EndView[];
  /** Where they go on for ever: states that lead to each other and to nothing else. */
  livelocks: LivelockView[];
  /** How many states there are at which something has stopped a universe. */
  halted: number;
  /** Why states were not explored further, and how many: what comes after them is not known. */
  open: OpenView[];
  /** The turn that was waited for, if one was; it does not come in universes that end. */
  turn_of: string | null;
  /** Whether these are all universes: nothing was cut off, and nothing left out. */
  complete: boolean;
  /** What could happen and was not explored. */
  left_out: string[];
  /** How many instructions were executed. */
  instructions: number;
};

/** The graph of all universes from a place on. */
export type GraphView = {
  /** What there is to say of it. */
  summary: GraphSummary;
  /** The states; each has the index that is its number. */
  states: StateView[];
  /** The steps from one state to another. */
  edges: EdgeView[];
};

/** A condition that was looked at. */
export type GuardView = {
  /** As it is written. */
  text: string;
  /** Whether it held. */
  holds: boolean;
  /** The values of what it is made of. */
  values: NamedValue[];
};

/** Why the session stopped moving. */
export type HaltView =
  /** It got to where it was to go. */
  | { halt: "reached" }
  /** A breakpoint was hit. */
  | { halt: "breakpoint"; id: number; trigger: string; before: ValueView | null; value: ValueView | null }
  /** The program ended. */
  | { halt: "ended"; outcome: OutcomeView }
  /** A property is violated from here on. */
  | { halt: "violated"; event: PropertyEvent }
  /** The next instruction misuses memory that the program has allocated. */
  | { halt: "misuse"; text: string }
  /** Nobody knows what an input returns: one has to answer. */
  | { halt: "asks" }
  /** Everybody who could have the next turn is to wait: one has to let somebody go on. */
  | { halt: "paused" }
  /** There is nothing earlier. */
  | { halt: "start" }
  /** Somebody stopped it. */
  | { halt: "cancelled" };

/** A place at which a breakpoint has stopped the program. */
export type HitView = {
  /** The breakpoint's number. */
  id: number;
  /** The place. */
  place: PlaceView;
};

/** Every time that the program comes to something. */
export type HitsView = {
  /** What it comes to, as it could have been written. */
  trigger: string;
  /** How many times. */
  total: number;
  /** Earlier ones that are not listed. */
  omitted: number;
  /** The others, oldest first. */
  hits: PastHit[];
  /** How far was looked, if not to the end of what is recorded: it took too long, or somebody stopped it. */
  until: PlaceView | null;
};

/** From where on a property was going to be violated, whatever came. */
export type InevitableView = {
  /** The earliest place from which every path that was explored violates it. */
  place: PlaceView;
  /** The last that was decided before that; nothing if it was so from the start. */
  after: string | null;
  /** What would have avoided it there, if any path that was explored does. */
  avoided_by: string | null;
  /** How many paths that were explored go on from there: all of them violate it. */
  paths: number;
  /** Whether these are all that there are: nothing of what could come was left out. */
  exact: boolean;
};

/** Facts about the session. */
export type InfoView = {
  /** What the program is called: the path that it came from. */
  name: string;
  /** The program's fingerprint. */
  program: string;
  /** The world's name. */
  world: string;
  /** The world's fingerprint. */
  world_fingerprint: string;
  /** Whether the world has a board to show. */
  has_board: boolean;
  /** Whether the source of the program is known. */
  has_sources: boolean;
  /** Functions of the program's own. */
  functions: number;
  /** Imported primitives. */
  primitives: number;
  /** Files of the source that are known from debug information. */
  source_files: number;
  /** Nodes of the multiverse, the root included. */
  nodes: number;
  /** Bytes that recorded choices take. */
  choice_bytes: number;
  /** Checkpoints. */
  checkpoints: number;
  /** Bytes that checkpoints take. */
  checkpoint_bytes: number;
  /** Bytes that checkpoints may take. */
  checkpoint_budget: number;
  /** Whether going back over outputs that cannot be undone needs no confirmation. */
  dry: boolean;
};

/** An input on the way to the end of a path, or something that happened by itself. */
export type InputView = {
  /** The call, such as `chip_analog_read(12)`; or what happened, and when. */
  call: string;
  /** Whether it happened by itself. It has no values then. */
  happens: boolean;
  /** An example. */
  value: string;
  /** All values, as ranges; nothing if only the example is known. */
  values: string | null;
  /** Whether it is of any importance for the path: not any value would do. */
  matters: boolean;
  /** Which parameter of the function that is called it is, counted from 0, if it is one. */
  parameter: number | null;
};

/** An interrupt that the program has asked to be told of. See [`crate::World::pending_interrupts`]. */
export type Interrupt = {
  /** The pin whose signal interrupts. */
  pin: number;
  /** The callback, as an index into the module's table. */
  table_index: number;
  /** When it interrupts, as the program gave it (on most platforms 1 = change, 2 = falling, 3 = rising). */
  mode: number;
};

/** An interrupt that may arrive. */
export type InterruptView = {
  /** The pin that it comes from. */
  pin: number;
  /** The function that it calls. */
  function: string;
};

/** What a slide takes. */
export type JourneyView = {
  /** Where it starts. */
  from: PlaceView;
  /** The last place that start and goal have in common. */
  common: PlaceView;
  /** Where it leads. */
  to: PlaceView;
  /** How many changes of the world are undone. */
  undone: number;
  /** How many instructions are replayed. */
  replayed: number;
  /** Outputs that cannot be undone but are crossed on the way back. */
  irreversible: string[];
  /** The choices from the common place on. */
  choices: string[];
};

/** An input. */
export type KnownInput = {
  /** The call, such as `chip_analog_read(12)`; the primitive alone if it was never called. */
  call: string;
  /** All that it can return, or nothing if that depends on more than the input. */
  domain: string | null;
  /** What it returns here by itself, if that is known. */
  value: string | null;
};

/** The end of a path. */
export type LeafView = {
  /** `finished`, `exited`, `trapped`, `aborted`, `assertion-failed`, `heap`, `reached` or `cut`. */
  end: string;
  /** What is said about it. */
  text: string;
  /** What went wrong or what cut it off, without further words: `integer divide by zero`. */
  kind: string;
  /** Where it leads, in the multiverse. */
  place: PlaceView;
  /** Where in the program, if it has not finished. */
  at: SourceView | null;
  /** The option that it comes after, by its index. Nothing if there is none, or if the option is shown as one with others. */
  option: number | null;
  /** How many inputs there are on the way. */
  readings: number;
  /** The inputs on the way; none where all paths together have too many of them. */
  inputs: InputView[];
  /** What is decided after the last choice. */
  conditions: ConditionView[];
  /** How many combinations of inputs lead here, if that could be counted. */
  number: string | null;
  /** The properties that are violated on the way. */
  violated?: number[];
};

/** The level of a pin. */
export type Level = "low" | "high";

/** Whether a line was reached. */
export type LineCoverage = {
  /** The line, counted from 1. */
  line: number;
  /** Whether an instruction of it was reached. */
  reached: boolean;
};

/** How the link to a device is. */
export type LinkState =
  /** All is well. */
  | { state: "connected" }
  /** There is no connection, but there may be one again. */
  | { state: "interrupted"; why: string }
  /** The device does not follow any more, and has to be attached again. */
  | { state: "broken"; why: string };

/** The link to a device, in figures. */
export type LinkView = {
  /** Where the device is. */
  address: string;
  /** What it calls itself. */
  device: string;
  /** Bytes of memory that it has for a program. */
  memory: number;
  /** How the link is. */
  link: LinkState;
  /** What this side has seen. */
  host: SideView;
  /** What the device has seen, if it answers. */
  device_side: SideView | null;
  /** How often the program had to wait for the link. */
  stalls: number | null;
};

/** States that lead to each other and to nothing else. */
export type LivelockView = {
  /** These. */
  states: number[];
  /** The way with the fewest choices to the first of them. */
  way: string[];
};

/** A line that was printed. */
export type LogLine = {
  /** Without the end of the line. */
  text: string;
  /** The place at which it had begun to be printed. */
  place: PlaceView;
  /** Whether that is still to come. */
  ahead: boolean;
};

/** What the program printed in a universe. */
export type LogView = {
  /** The lines, as far as they were seen; the last ones. */
  lines: LogLine[];
  /** Earlier ones that are not listed. */
  omitted: number;
};

/** A stretch of memory that differs. */
export type MemoryDifferenceView = {
  /** The first address. */
  address: number;
  /** The bytes at the first place. */
  first: number[];
  /** The bytes at the second place. */
  second: number[];
};

/** A stretch of memory. */
export type MemoryView = {
  /** The first address. */
  address: number;
  /** The bytes. */
  bytes: number[];
  /** How large the memory is. */
  size: number;
  /** Stretches of these bytes that were otherwise before the session last moved: the first address and how many. Known from the second reading on. */
  changed: [number, number][];
};

/** Nodes at which machine and world are the same. */
export type MergedView = {
  /** Groups of two nodes and more, each with the choice that leads to it. */
  groups: ChoiceView[][];
  /** How many nodes were looked at. */
  visited: number;
  /** How many different states there are among them. */
  states: number;
  /** How many nodes there are. */
  nodes: number;
};

/** A message of a turn: with the actor at its other end. */
export type MessageRef = {
  /** The actor at the other end. */
  actor: number;
  /** Which of its sender's it is. */
  number: number;
  /** What is in it. */
  text: string;
};

/** A message. */
export type MessageView = {
  /** Who sent it. */
  from: number;
  /** What that one is called. */
  sender: string;
  /** Which of theirs it is. */
  number: number;
  /** What is in it: `double(12)`. */
  text: string;
  /** Whether somebody waits for the answer. */
  awaited: boolean;
  /** Whether it is the next one of its sender. */
  first: boolean;
};

/** A mock. */
export type MockView = {
  /** Its number. */
  id: number;
  /** The calls that it answers. */
  call: string;
  /** The value. */
  value: string;
  /** Whether it is good for one call only. */
  once: boolean;
};

/** An output, and the place right after it. */
export type MomentView = {
  /** The place. */
  place: PlaceView;
} & OutputView;

/** A motor as it is shown. */
export type MotorView = {
  /** The speed, -10,000 to 10,000. */
  speed: number;
  /** Where the axle points, in thousandths of a degree from 0 to 359,999. */
  angle_millidegrees: number;
  /** How far it has turned since the start, in thousandths of a degree. */
  position_millidegrees: number;
};

/** A name with its value. */
export type NamedValue = {
  /** The name, as it is written. */
  name: string;
  /** The value. */
  value: string;
};

/** All names that a person may use. */
export type NamesView = {
  /** Functions of the program's own. */
  functions: string[];
  /** Inputs. */
  inputs: string[];
  /** Other primitives. */
  outputs: string[];
  /** Globals and the locals of the function that is being executed. */
  variables: string[];
  /** Bookmarks. */
  bookmarks: string[];
  /** Solvers that may be used, beside the built-in one. */
  solvers: string[];
  /** How far is explored where nothing else is said. */
  usual: Exploration;
};

/** A turn that can be the next one. */
export type NextTurn = {
  /** What it is called between programs: `deliver 1 from 2`. */
  key: string;
  /** For people: `math: double from client1`. */
  label: string;
  /** The actor whose turn it is. */
  actor: number;
  /** Whether it is only there if somebody says so: something goes wrong that the system file allows, or an interrupt arrives. */
  fault: boolean;
};

/** States that were not explored further. */
export type OpenView = {
  /** Why not. */
  why: string;
  /** How many. */
  states: number;
};

/** A value that an input may return, and all that lead to the same; or something that may happen by itself before the next input is read. */
export type OptionView = {
  /** The option that it comes after, by its index. */
  parent: number | null;
  /** The node that it leads to in the multiverse; nothing for a parameter. */
  node: string | null;
  /** The call of the input, such as `chip_analog_read(12)`; or what happens, and when. */
  call: string;
  /** Whether it happens by itself. It has no values then. */
  happens: boolean;
  /** After how many instructions it is read, or happens. */
  count: number;
  /** An example. */
  value: string;
  /** More examples: where the values begin and end. */
  boundaries: string[];
  /** All values, as ranges; nothing if only the example is known. */
  values: string | null;
  /** How many they are, as text: it may be more than a number can hold. */
  number: string | null;
  /** Whether any value leads there: the input does not matter. */
  any: boolean;
  /** Whether somebody has decided what it returns. */
  mocked: boolean;
  /** The paths that end here, by their index. */
  leaves: number[];
  /** What is decided between this choice and the next. */
  conditions: ConditionView[];
};

/** A place on the way of a number. */
export type OriginRow = {
  /** Where; to be slid to. */
  place: PlaceView;
  /** What happens there. */
  text: string;
  /** The line of the source, `main.c:12`. */
  line: string | null;
  /** What is written there. */
  source: string | null;
};

/** The way of a number. */
export type OriginView = {
  /** What it is about: the variable, or the reading. */
  about: string;
  /** The value that it has here. */
  value: ValueView | null;
  /** The same as a formula of inputs, along the way that the program took. */
  formula: string | null;
  /** Where it was moved, read or used: of an origin the latest first, of an influence the earliest. */
  rows: OriginRow[];
  /** How many places there are besides. */
  omitted: number;
  /** What else is to be known: what was not looked at. */
  notes: string[];
};

/** How a program ended. */
export type OutcomeView = {
  /** `finished`, `trapped` or `aborted`. */
  kind: string;
  /** What happened, for people. */
  text: string;
  /** After how many instructions. */
  count: number;
  /** What the program returned, if it finished and the session is there. */
  results: ValueView[];
};

/** What an output did. */
export type OutputView = {
  /** How many instructions had been executed before. */
  count: number;
  /** The call, such as `chip_digital_write(13, 1)`. */
  call: string;
  /** What it did, such as `pin 13 = high`. */
  effect: string;
  /** What it printed, if it did. */
  printed?: string | null;
};

/** What parts two states. */
export type PartingView = {
  /** The last state that their ways have in common. */
  at: StateView;
  /** What is decided there on the way to the first; nothing if it is that one, or goes on by itself. */
  first: string | null;
  /** The same for the second. */
  second: string | null;
  /** Variables that are different: in the first. */
  first_has: VariableIn[];
  /** The same in the second. */
  second_has: VariableIn[];
};

/** A time that the program comes to something. */
export type PastHit = {
  /** Where that is. */
  place: PlaceView;
  /** What is said of it. */
  text: string | null;
  /** Whether that is still to come. */
  ahead: boolean;
};

/** A call of a primitive that is about to be made. */
export type PendingCall = {
  /** The call, such as `chip_analog_read(12)`. */
  call: string;
  /** `input`, `output`, `irreversible` or `abort`. */
  kind: string;
  /** What an input can return here. */
  domain: string | null;
  /** What the input returns when one goes on, if that is known: by a mock, or as recorded. */
  returns: string | null;
  /** Whether nobody knows what the input returns: one has to say. */
  asks: boolean;
};

/** Which way a pin works. */
export type PinDirection = "input" | "output";

/** A pin as it is shown. */
export type PinView = {
  /** `input`, `output`, or nothing when the program has not said. Any mode but 0 of a pin that has been written counts as output, since platforms number modes differently. */
  direction: PinDirection | null;
  /** The mode as the program gave it. */
  mode: number | null;
  /** The level last written. */
  level: Level | null;
  /** The value last given to PWM. */
  pwm: number | null;
  /** The angle of the servo attached here, in degrees. */
  servo_degrees: number | null;
};

/** A place, as text or by its parts. */
export type PlaceRef =
  /** As people write it; see [`crate::notation::place`]. */
  | string
  /** By its parts. */
  | PlaceSpec;

/** A place by its parts. */
export type PlaceSpec =
  /** Where the session stands. */
  | "here"
  /** Before the first instruction. */
  | "start"
  /** As far as this universe is recorded. */
  | "end"
  /** A place with a name. */
  | { bookmark: string }
  /** So many instructions after a node, such as `1.3`. */
  | { node: { node: string; after: number } }
  /** After so many instructions in this universe. */
  | { count: number }
  /** So many instructions on or back from here in this universe. */
  | { relative: number };

/** A place. */
export type PlaceView = {
  /** The node, such as `1.3`. */
  node: string;
  /** Instructions executed since the start of the program. */
  count: number;
  /** The place as text, such as `1.3+20`, which can be given back as a place. */
  text: string;
};

/** Where the session stands. */
export type Position = {
  /** The place. */
  place: PlaceView;
  /** How many choices lie behind. */
  choices: number;
  /** Whether there is a recorded future. */
  in_the_past: boolean;
  /** Whether a person has reached into the program on the way to here. */
  altered: boolean;
  /** Bookmarks of exactly this place. */
  bookmarks: string[];
  /** The function that is being executed, unless the program has ended. */
  function: string | null;
  /** Where it is in the source that the program was built from, if that is known. */
  source: SourceLine | null;
  /** The line of the program's own code that called the library in which it has trapped. */
  own?: SourceLine | null;
  /** How deep calls are nested. */
  depth: number;
  /** The byte offset of the next instruction in the binary. */
  offset: number | null;
  /** The next instruction. */
  instruction: string | null;
  /** The call of a primitive that the next instruction makes. */
  pending: PendingCall | null;
  /** The actor that runs, or ran last, in a program of several, and what it handles. */
  actor?: RunningActor | null;
  /** Who can have the next turn, if the last one is over. */
  next_turns?: NextTurn[];
  /** What has violated a property on coming here, if something has. */
  violated?: PropertyEvent | null;
  /** How the program ended, if it has. */
  ended: OutcomeView | null;
  /** The device that the program runs on, if it does not run here. */
  device: DeviceView | null;
};

/** What a term stands for. */
export type Printed =
  /** A variable of the machine. */
  | Variable
  /** A variable of the source, or the value of an expression. */
  | SourceVariable;

/** An event that a property knows of. */
export type PropertyEvent = {
  /** Where it was: one can slide there. */
  place: PlaceView;
  /** The property. */
  property: number;
  /** What the property is called. */
  name: string;
  /** The event, as it is written: `before event queue_push`. */
  event: string;
  /** Its parameters. */
  values: NamedValue[];
  /** What became of slices. */
  moves: SliceMove[];
  /** What could not be computed, and why. */
  faults: string[];
};

/** What happened that properties know of. */
export type PropertyEventsView = {
  /** How many events there are. */
  total: number;
  /** How many more moved nothing, and were not asked for. */
  idle: number;
  /** Earlier ones that are not listed. */
  omitted: number;
  /** The others, oldest first. */
  events: PropertyEvent[];
  /** How far was looked, if not all the way: it took too long, or somebody stopped it. */
  until: PlaceView | null;
};

/** Whether a property holds at a place. */
export type PropertyVerdict = {
  /** The property. */
  property: number;
  /** What it is called. */
  name: string;
  /** Whether it holds. */
  verdict: VerdictView;
  /** What could not be computed on the way there, the first time: the verdict may be wrong. */
  fault: string | null;
  /** The slices that violate it, the first few. */
  violating: SliceView[];
};

/** A property. */
export type PropertyView = {
  /** Its number. */
  id: number;
  /** What it is called. */
  name: string;
  /** Its text. */
  text: string;
  /** The file that it was read from, if it was. */
  path: string | null;
  /** Whether it holds here. */
  verdict: VerdictView;
  /** How many slices there are here. */
  slices: number;
  /** What could not be computed on the way here, the first time: the verdict may be wrong. */
  fault: string | null;
  /** The text that its file has now, if that is another one. */
  changed: string | null;
};

/** A turn that could have been next and was not followed there. */
export type PrunedTurn = {
  /** How many choices of turns there were before. */
  turns: number;
  /** The last of them. */
  after: string[];
  /** What could have been next. */
  what: string;
  /** Why it was not followed. */
  why: string;
};

/** Turns that were not followed. */
export type PrunedView = {
  /** How many. */
  number: number;
  /** The first of them. */
  turns: PrunedTurn[];
};

/** How many questions were answered by what. */
export type QueriesView = {
  /** All of them. */
  all: number;
  /** By the set of values of one input. */
  sets: number;
  /** By an earlier answer. */
  cache: number;
  /** By comparing inputs with one another. */
  differences: number;
  /** By trying all values. */
  enumeration: number;
  /** By a solver. */
  solver: number;
  /** By nobody. */
  unknown: number;
  /** Microseconds spent in solvers. */
  microseconds: number;
};

/** Something that was found. */
export type QueryRow = {
  /** Where; to be slid to. */
  place: PlaceView;
  /** Whether that is still to come where the session stands, in its universe. */
  ahead: boolean;
  /** What it is, and what was asked for besides. */
  cells: string[];
};

/** The answer to a question about the past. */
export type QueryView = {
  /** What the rows have beside their places, one name for each cell. */
  columns: string[];
  /** What was found, in the order of time. */
  rows: QueryRow[];
  /** How many there are altogether, if that was counted. */
  total: number | null;
  /** The answer, if it is one word or number. */
  answer: string | null;
  /** What else is to be known: what is not known yet, what was left out. */
  notes: string[];
};

/** What an input returned. */
export type ReadView = {
  /** How many instructions had been executed before. */
  count: number;
  /** The call and what it returned, such as `chip_analog_read(14) = 512`. */
  text: string;
};

/** An input that a person has set. */
export type ReadingView = {
  /** The call, such as `chip_analog_read(12)`. */
  call: string;
  /** Its arguments. */
  args: Value[];
  /** What it is set to. */
  value: Value;
};

/** What was removed. */
export type Removed = {
  /** How many nodes. */
  nodes: number;
};

/** A colour of a pixel on the strip: red, green, blue. */
export type Rgb = number[];

/** Where the machine runs of a program that is debugged on a device. */
export type RunOn =
  /** On the device. */
  | "device"
  /** Here; only primitives are called on the device. */
  | "host";

/** The actor that runs, or ran last. */
export type RunningActor = {
  /** Its address. */
  id: number;
  /** What it is called. */
  name: string;
  /** The message that it handles, if a turn is under way. */
  handles: string | null;
};

/** A scenario. */
export type ScenarioView = {
  /** Its number. */
  id: number;
  /** What it is called. */
  name: string;
  /** Its text. */
  text: string;
  /** The file that it was read from, if it was. */
  path: string | null;
  /** The property that it is about, if it is about one. */
  property: number | null;
};

/** Where variables of the source are looked for. */
export type ScopeRef =
  /** In a frame, as an index of `source-frames`. */
  | { frame: number }
  /** Outside of functions. */
  | "globals"
  /** In the value of an expression. */
  | { expression: { expression: string; frame: number } };

/** What one side of a link has seen. */
export type SideView = {
  bytes_sent: number;
  bytes_received: number;
  packets_sent: number;
  packets_received: number;
  messages_sent: number;
  resent: number;
  damaged: number;
  duplicates: number;
  early: number;
  connections: number;
  waits: number;
  round_trip: number;
};

/** Code that steps by lines pass through. */
export type SkipView = {
  /** Its number. */
  id: number;
  /** As it could have been written. */
  pattern: string;
};

/** What became of a slice by an event. */
export type SliceMove = {
  /** The slice: what tells it from others, in a line. */
  slice: string;
  /** What tells it from others. */
  instance: NamedValue[];
  /** The state that it was in. */
  from: string;
  /** The state that it is in. */
  to: string;
  /** Whether the property holds in that. */
  accepting: boolean;
  /** The transition that was taken, by its position in the automaton. */
  transition: number | null;
  /** The condition as it is written, and whether it held. */
  guard: GuardView | null;
  /** Its variables afterwards. */
  variables: NamedValue[];
  /** Whether it came up with this event. */
  created: boolean;
  /** Whether it is forgotten after it. */
  forgotten: boolean;
};

/** A slice: what a property knows of one object, or of one combination of them. */
export type SliceView = {
  /** What tells it from others, in a line: `queue = 0x44c`; empty for the one that is about nothing. */
  id: string;
  /** What tells it from others: each parameter with its value, those that are bound. */
  instance: NamedValue[];
  /** The state that it is in. */
  state: string;
  /** Whether the property holds in that. */
  accepting: boolean;
  /** Its variables. */
  variables: NamedValue[];
};

/** The slices of a property at a place. */
export type SlicesView = {
  /** The property. */
  property: number;
  /** The place. */
  place: PlaceView;
  /** How many there are. */
  total: number;
  /** How many were searched for. */
  matching: number;
  /** Some of these. */
  slices: SliceView[];
};

/** A part of the source. */
export type SourceExcerpt = {
  /** The path of its file. */
  file: string;
  /** Its lines. */
  lines: ExcerptLine[];
};

/** A file that the program was built from. */
export type SourceFileView = {
  /** Its path. */
  path: string;
  /** Whether its text is known. */
  has_text: boolean;
  /** The lines that have code. */
  lines: number[];
};

/** A function under way, as the source has it. */
export type SourceFrame = {
  /** The function. */
  function: string;
  /** The path of its file. */
  file: string | null;
  /** The line, counted from 1; 0 if it is not known. */
  line: number;
  /** The column, counted from 1; 0 if it is not known. */
  column: number;
  /** Whether a compiler put its code in place of a call. */
  inlined: boolean;
  /** The machine's frame that it belongs to, counted from the innermost. */
  depth: number;
  /** The byte offset of the instruction in the binary. */
  offset: number | null;
};

/** A line of the source that the program is at. */
export type SourceLine = {
  /** The path of its file. */
  file: string;
  /** The line, counted from 1. */
  line: number;
  /** The column, counted from 1; 0 if it is not known. */
  column: number;
  /** What is written there, if that is known. */
  text: string | null;
};

/** A variable of the source, or a part of one. */
export type SourceVariable = {
  /** Its name. */
  name: string;
  /** Its type. */
  type: string;
  /** Its value on one line. */
  value: string;
  /** Where it is, if that is in memory. */
  address: number | null;
  /** How many bytes it has there, if that is known. */
  size: number | null;
  /** What it leads to in memory, if it is a pointer or has elements. */
  content: ContentView | null;
  /** Whether it has parts. */
  has_children: boolean;
  /** Whether it is the same as long as the program runs. */
  constant: boolean;
};

/** A place in the program. */
export type SourceView = {
  /** The function. */
  function: string;
  /** The byte offset in the binary of the exact instruction. */
  offset: number | null;
  /** File, line and column, if known. */
  location: string | null;
  /** What is written there: the condition, or the line. */
  source: string | null;
  /** Where exactly, if that is in a library, and this is where the program's own code called it. */
  exactly?: string | null;
};

/** A state of the graph. */
export type StateView = {
  /** Its number. */
  id: number;
  /** `running`, `halted`, `ended` or `open`. */
  kind: string;
  /** What comes next, for people. */
  text: string;
  /** How universes end here, if they do. */
  outcome: OutcomeView | null;
  /** Why it was not explored further, if it was not. */
  open: string | null;
  /** The breakpoints that have stopped a universe here; 0 for the turn that was waited for. */
  halted: number[];
  /** The state before it on the way with the fewest choices. */
  parent: number | null;
  /** How many choices there are on that way. */
  depth: number;
  /** How many instructions have been executed at its end. */
  count: number;
  /** How many edges lead here. */
  merged: number;
};

/** The session has moved. */
export type Stopped = {
  /** Where it stands. */
  position: Position;
  /** What is different in the world, if it did not get there by just running on: `pin 45: high → low`. */
  changes: string[];
} & HaltView;

/** What was found by exploring. */
export type Suggested = {
  /** Where the exploration began. */
  from: PlaceView;
  /** How many paths there are, those that were cut off included; such that behave alike are one. */
  paths: number;
  /** How many paths were found and not added to the multiverse, as they are many. Nothing is told of them but their number; `add-suggested` adds them. */
  withheld: number;
  /** Whether nothing was cut off, and nothing left out but what `at_most` says. */
  complete: boolean;
  /** Up to where it may be complete, if more could happen: `at most 1 interrupt`. What is beyond that is said in `left_out` as well. */
  at_most: string | null;
  /** What could have happened and was not explored, in words: `interrupts`. */
  left_out: string[];
  /** Why it stopped with paths waiting, if it did. To go on is possible then. */
  stopped: string | null;
  /** How many places there are at which an input is read or something may happen by itself. */
  choices: number;
  /** The most options at one of them. */
  max_options: number;
  /** Instructions executed. */
  instructions: number;
  /** Instructions of all paths together, each from the start of the exploration. */
  path_instructions: number;
  /** Questions that were answered, by what. */
  queries: QueriesView;
  /** Microseconds that it took. */
  microseconds: number;
  /** The options, smaller values before larger ones, what comes after a value right behind it. */
  options: OptionView[];
  /** The ends of the paths. */
  leaves: LeafView[];
  /** What went wrong, each kind at each place once, in the order of the program's code. */
  findings: Finding[];
  /** What can be said of each property. */
  properties?: CheckedView[];
  /** On how many paths there was no time to find out which values take them: of their inputs, only examples are known. */
  inexact: number;
  /** On how many paths there was no time to say anything at all: they are among `paths` alone. */
  untold: number;
};

/** A universe as text. */
export type TraceText = string;

/** When a transition is taken. */
export type TransitionKind =
  /** When its condition holds, or if it has none. */
  | "success"
  /** When its condition does not hold. */
  | "failure"
  /** When time has run out. */
  | "timeout";

/** What is different in the multiverse since somebody last asked. */
export type TreeChangesView = {
  /** To ask with next time. */
  revision: number;
  /** Whether this is everything, and what was known before is to be forgotten. */
  whole: boolean;
  /** Rows that are new or different; if this is everything, each after the one it hangs on. */
  rows: TreeNode[];
  /** Nodes that have no row any more, as they are folded into others. */
  gone: string[];
  /** How many nodes there are, those without a row included. */
  nodes: number;
  /** Whether there are more rows than are told. */
  truncated: boolean;
};

/** A node of the multiverse, with the stretch of nodes before it that have one way on. What is usual is left out. */
export type TreeNode = {
  /** The node. */
  node: string;
  /** The node that it hangs on; nothing for the root. */
  parent?: string | null;
  /** The values that lead to the same future as the one chosen, if that has been found out. */
  label?: string | null;
  /** Nodes between that one and this one that have no row. */
  folded?: number;
  /** The place at which the choice was made, if the node before has no row. */
  made_at?: string | null;
  /** The choice that leads here; nothing for the root. */
  choice?: string | null;
  /** The count at which the choice was made. */
  count: number;
  /** How the universe ended, if it ends with this node. */
  ended?: OutcomeView | null;
  /** Whether exploring has found it and the program has not been here. */
  suggested?: boolean;
  /** Whether it was suggested and nothing is known of what comes after it. */
  open?: boolean;
  /** Why the program goes this way, if exploring has found out: `light > 50 is true`. */
  because?: string | null;
  /** Whether a person has reached into the program on the way here. */
  altered?: boolean;
  /** Bookmarks after this node and before the next, and how many instructions after it. */
  bookmarks?: [string, number][];
  /** What the program did in this stretch, as far as it was seen; the first few. */
  outputs?: OutputView[];
  /** How many more it did. */
  more_outputs?: number;
  /** Where breakpoints have stopped the program in this stretch. */
  hits?: HitView[];
};

/** A node of the multiverse, with the stretch of nodes before it that have one way on. */
export type TreeRow = {
  /** The node. */
  node: string;
  /** The row that it hangs on. */
  parent: number | null;
  /** How many ways lead on from that row, this one included. */
  siblings: number;
  /** The values that lead to the same future as the one chosen, if that has been found out. */
  label: string | null;
  /** Nodes between that row and this one that are not shown. */
  folded: number;
  /** The choice that leads here; nothing for the root. */
  choice: string | null;
  /** The count at which the choice was made. */
  count: number;
  /** Instructions between the shown row before and the choice. */
  length: number;
  /** How the universe ended, if it ends with this node. */
  ended: OutcomeView | null;
  /** Whether the session stands at this node, and how many instructions after it. */
  current: number | null;
  /** Whether going on leads here. */
  preferred: boolean;
  /** Whether it lies on the way to where the session stands. */
  on_the_way: boolean;
  /** Whether the program has been here; otherwise exploring has found it. */
  visited: boolean;
  /** Whether it was suggested and nothing is known of what comes after it. */
  open: boolean;
  /** Whether a person has reached into the program on the way here. */
  altered: boolean;
  /** Bookmarks after this node and before the next, and how many instructions after it. */
  bookmarks: [string, number][];
};

/** The multiverse as rows, each after the one that it hangs on. */
export type TreeView = {
  /** The rows. */
  rows: TreeRow[];
  /** How many nodes there are. */
  nodes: number;
  /** Whether there is more than is shown. */
  truncated: boolean;
};

/** What a breakpoint waits for, as text or by its parts. */
export type TriggerRef =
  /** As people write it; see [`crate::notation::trigger`]. */
  | string
  /** By its parts. */
  | TriggerSpec;

/** What a breakpoint waits for, by its parts. */
export type TriggerSpec =
  /** The first instruction of a function. */
  | { function: string }
  /** The instruction at a byte offset in the binary. */
  | { offset: number }
  /** A line of the source. */
  | { line: { file: string; line: number } }
  /** A call of a primitive, or that an input returned a value. */
  | { primitive: { call: CallRef; value?: string | null } }
  /** A write to a variable, or to memory from an address on for so many bytes. */
  | { watch: { term: string; length?: number | null } }
  /** A message has come to a point of its life. */
  | { message: { point: string; name?: string | null; from?: string | null; to?: string | null } };

/** A turn. */
export type TurnView = {
  /** The choice by which it began, or the start of the program: a place to slide to. */
  node: string;
  /** After how many instructions it began. */
  begins: number;
  /** After how many it ended, or as far as is known. */
  ends: number;
  /** Whose it is. */
  actor: number;
  /** What that one is called. */
  name: string;
  /** For people: `math: double from client1`. */
  label: string;
  /** Whether something goes wrong that the system file allows. */
  fault: boolean;
  /** The message that it handles, or that is lost, with its sender. */
  handles: MessageRef | null;
  /** The messages that it sends, with their receivers. */
  sends: MessageRef[];
  /** Whether the session stands in it. */
  is_current: boolean;
};

/** The turns of a universe. */
export type TurnsView = {
  /** Earlier choices that are not listed. */
  omitted: number;
  /** The turns. */
  turns: TurnView[];
};

/** A type of the program. */
export type TypeView = {
  /** As its language writes it. */
  name: string;
  /** Bytes of a value, if that is known. */
  size: number | null;
  /** What it is made of, on as many lines as that takes. */
  definition: string;
};

/** What a step is. */
export type Unit =
  /** One instruction. */
  | "instruction"
  /** One instruction of this function or its callers; what it calls is run through. */
  | "over"
  /** To the end of this function; backwards, to its call. */
  | "out"
  /** To the beginning of a line, in whatever function. */
  | "line"
  /** To the beginning of a line of this function or its callers. */
  | "line-over"
  /** To the beginning of a line of this function's callers. */
  | "line-out";

/** The choices of a universe. */
export type UniverseView = {
  /** The place that they lead to. */
  place: PlaceView;
  /** Earlier choices that are not listed. */
  omitted: number;
  /** The choices. */
  choices: ChoiceView[];
  /** Ways on from the place's node. */
  next: ChoiceView[];
  /** What the program did, as far as it was seen; the last ones. */
  outputs: MomentView[];
  /** Earlier ones that are not listed. */
  omitted_outputs: number;
  /** Places on the way that have a name. */
  bookmarks: BookmarkView[];
  /** How the program ended, if the place is its end. */
  ended: OutcomeView | null;
};

/** A value with its type.  Floats are held as their bits: two values are equal when they are indistinguishable to the program, which is what replaying needs and what `==` on floats does not give. */
export type Value =
  /** A 32-bit integer. */
  | { I32: number }
  /** A 64-bit integer. */
  | { I64: number }
  /** The bits of a 32-bit float. */
  | { F32: number }
  /** The bits of a 64-bit float. */
  | { F64: number }
  /** A function of the module by its index, or null. */
  | { FuncRef: number | null }
  /** Something of the outside, by a number that the outside chose, or null. */
  | { ExternRef: number | null };

/** A value with its type, as text: so no number is too large for whoever reads it. */
export type ValueView = {
  /** The type, such as `i32`. */
  type: string;
  /** The value. */
  text: string;
};

/** Values for branches. */
export type ValuesRef =
  /** As people write it: `0..4095 step 512`, `1, 2, 3`, `all`. */
  | string
  /** One after the other. */
  | string[]
  /** From one to another, the last one included if it is hit. */
  | { from: number; to: number; step: number };

/** A variable and its value. */
export type Variable = {
  /** How to refer to it: `global 3`, `local 0`, `i32 @ 1024`. */
  term: string;
  /** Its name, if it has one. */
  name: string | null;
  /** Its value. */
  value: ValueView;
};

/** A variable that differs. */
export type VariableDifference = {
  /** How to refer to it. */
  term: string;
  /** Its name, if it has one. */
  name: string | null;
  /** The function that it is of, if it is of one. */
  function: string | null;
  /** Its value at the first place. */
  first: ValueView;
  /** Its value at the second place. */
  second: ValueView;
};

/** A variable of an actor. */
export type VariableIn = {
  /** The actor; nothing, if there is one program alone. */
  actor: string | null;
  /** The variable. */
  name: string;
  /** Its value. */
  value: string;
};

/** A verdict changes. */
export type VerdictChange = {
  /** The property. */
  property: number;
  /** Where. */
  place: PlaceView;
  /** What it is from there on. */
  verdict: VerdictView;
};

/** Where in the multiverse verdicts change. A place has the verdict of the last change on the way to it; before any, the property holds. */
export type VerdictChangesView = {
  /** The changes. */
  changes: VerdictChange[];
  /** Nodes that nobody has come to since the property was loaded: nothing is known from them on. */
  unknown: string[];
};

/** Whether a property holds at a place. */
export type VerdictView =
  /** It holds so far. */
  | "holds"
  /** It is violated. */
  | "violated"
  /** The program has ended, and something that was to happen has not. */
  | "inconclusive";

/** Whether properties hold at a place. */
export type VerdictsView = {
  /** The place. */
  place: PlaceView;
  /** One for each property. */
  verdicts: PropertyVerdict[];
};

/** How a property is violated. */
export type ViolationView = {
  /** The property. */
  property: number;
  /** What it is called. */
  name: string;
  /** What happened: `before event queue_push`; nothing if time had run out. */
  event: string | null;
  /** What the slice is about, such as `<1024>`; nothing if the property has no slices. */
  slice: string | null;
  /** The state that it was in. */
  from: string;
  /** The state that it came to, in which the property does not hold. */
  to: string;
  /** Where, in the multiverse. */
  place: PlaceView;
  /** From where on it could not be avoided any more, if that was found out. */
  inevitable: InevitableView | null;
};

/** A way on from a branch. */
export type WayCoverage = {
  /** What leads there: `true`, `false`, `taken`, `not taken`, `goes to …`. */
  text: string;
  /** Whether a path went there. */
  reached: boolean;
};

/** A mock or a breakpoint that there is: what was set by name is found by name. */
export type Which =
  /** By its number. */
  | number
  /** By what a person wrote to set it: `chip_analog_read(12)`, `main.ts:12`, `watch total`. A primitive without arguments is meant with whatever arguments. */
  | string;

/** Why the program came to a place. */
export type WhyView = {
  /** The place. */
  place: PlaceView;
  /** What was decided since the last choice before it. */
  conditions: ConditionView[];
  /** The inputs that had a say in how the program came there, in the order of reading. */
  inputs: DecidingInput[];
  /** Whether that is all: what was long ago, or before something came from outside by itself, is taken as it was, and time is bounded. */
  complete: boolean;
};

/** A world as it is shown. */
export type WorldView = {
  /** The name of the world. */
  world: string;
  /** The board, in a world that has one. */
  board: BoardView | null;
  /** The registers of a world file. */
  registers: { [key: string]: Value };
  /** What a person has set inputs to. */
  readings: ReadingView[];
};
