/**
 * Everything that can be done by a key, a button of the toolbar or the command palette.
 *
 * Keys are those of VS Code; with Alt they go back in time. Window managers take some of these for
 * themselves (GNOME: Alt+F5, Alt+F10), and Firefox takes Ctrl+Shift+P, so movements have letters as
 * well, which go back with Shift.
 */
import { hasActors, position } from "../state/session";
import { act, finishTurn, follow, pauseActor, play, removeSuggestions, reset, run, step, stepTurn, whoWrote } from "../state/actions";
import { open } from "../state/dialogs";
import { activity } from "../state/session";
import { hasSource, showsValues, theme, wantsLines, wrapsLines } from "../state/preferences";
import { openTrace, saveTrace } from "../state/traces";
import { copyLink } from "./link-to-here";
import { resetPanes, showPane } from "../panes/arrangement";
import { isThere, PANES } from "../panes/names";
import { toggleBreakpointHere } from "../editor/cursor";

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly keys: readonly string[];
  /** Whether there is anything to do for it in this program. */
  applies(): boolean;
  run(): unknown;
}

function command(id: string, title: string, keys: string[], perform: () => unknown, applies = () => true): Command {
  return { id, title, keys, applies, run: perform };
}

const MOVES: Command[] = [
  command("continue", "Continue", ["F5", "C"], () => run("forward")),
  command("continue-back", "Continue back", ["Alt+F5", "Shift+C"], () => run("back")),
  command("play", "Play at the speed of the clock", ["P"], () => play()),
  command("over", "Step over", ["F10", "N"], () => step("over", "forward")),
  command("over-back", "Step back over", ["Alt+F10", "Shift+N"], () => step("over", "back")),
  command("into", "Step into", ["F11", "I"], () => step("instruction", "forward")),
  command("into-back", "Step back into", ["Alt+F11", "Shift+I"], () => step("instruction", "back")),
  command("out", "Step out", ["Shift+F11", "O"], () => step("out", "forward")),
  command("out-back", "Step back out", ["Alt+Shift+F11", "Shift+O"], () => step("out", "back")),
  command("restart", "Go back to the start", ["Ctrl+Shift+F5"], () => reset()),
  command("stop", "Stop what is running", ["Shift+F5", "F6"], () => activity.value?.cancel()),
];

const withActors = () => hasActors.value;

const TURNS: Command[] = [
  command("turn", "Next turn", ["T"], () => stepTurn("forward"), withActors),
  command("turn-back", "Previous turn", ["Shift+T"], () => stepTurn("back"), withActors),
  command("turn-end", "End of this turn", ["E"], () => finishTurn(), withActors),
  command("resume-actors", "Let all actors go on", [], () => pauseActor(null, false), withActors),
  command("pause-actors", "Let all actors wait", [], () => pauseActor(null, true), withActors),
];

const CHANGES: Command[] = [
  command("suggest", "Suggest paths…", ["S", "Ctrl+Shift+S"], () => open({ kind: "suggest" })),
  command("remove-suggestions", "Remove all suggestions", [], () => removeSuggestions()),
  command("who", "Who wrote this", [], () => whoWrote()),
  command("follow", "Continue as suggested", [], () => follow()),
  command("mock", "Mock an input…", ["Ctrl+M"], () => openMock()),
  command("branch", "Branch on several values…", ["Ctrl+B"], () => openBranch()),
  command("answer", "Answer this reading…", ["Ctrl+Enter"], () => openAnswer()),
  command("breakpoint", "Toggle a breakpoint at the cursor", ["F9"], () => toggleBreakpointHere()),
  command("add-breakpoint", "Add a breakpoint…", [], () => open({ kind: "breakpoint", trigger: "" })),
  command("load-property", "Load a property…", [], () => open({ kind: "property", replaces: null })),
  command("reading", "Set what an input reads…", [], () => open({ kind: "reading" })),
  command("bookmark", "Bookmark this place…", ["Ctrl+D"], () => openBookmark()),
  command("without", "Go on without the interference", [], () => act({ request: "go-without" })),
  command("save-trace", "Save this universe as a trace…", [], () => saveTrace()),
  command("open-trace", "Replay a trace…", [], () => openTrace()),
  command("detach", "Let the program run on by itself on its device", [], () => act({ request: "detach" })),
  command("go-to", "Go to a place…", ["Ctrl+G"], () => open({ kind: "go-to" })),
];

const PAGE: Command[] = [
  command("palette", "Show all commands", ["Ctrl+Shift+P", "F1"], () => open({ kind: "palette", text: "" })),
  command("function", "Go to a function…", ["Ctrl+Shift+O", "@"], () => open({ kind: "palette", text: "@" })),
  command("values", "Show values in the source", [], () => (showsValues.value = !showsValues.value)),
  command("device", "Show the link to the device", [], () => open({ kind: "link" })),
  command("keys", "Show the keys", ["?"], () => open({ kind: "keys" })),
  command("theme", "Switch between dark and light", [], () => {
    theme.value = theme.value === "dark" ? "light" : "dark";
  }),
  command("lines", "Step by lines or by instructions", [], () => {
    if (hasSource.value) wantsLines.value = !wantsLines.value;
  }),
  command("wrap", "Wrap long lines of code", [], () => (wrapsLines.value = !wrapsLines.value)),
  command("link", "Copy a link to this place", ["Ctrl+Shift+L"], () => copyLink()),
  command("reset-panes", "Put all panes back in their places", [], () => resetPanes()),
];

const SHOW: Command[] = PANES.map((pane) =>
  command(`show-${pane.id}`, `Show ${pane.title}`, [], () => showPane(pane.id), () => isThere(pane.id)),
);

export const COMMANDS: readonly Command[] = [...MOVES, ...TURNS, ...CHANGES, ...PAGE, ...SHOW];

const BY_KEY = new Map(COMMANDS.flatMap((one) => one.keys.map((key) => [key, one] as const)));

/** The command that a key stands for. */
export function commandFor(pressed: string): Command | null {
  const found = BY_KEY.get(pressed);
  return found === undefined || !found.applies() ? null : found;
}

export function commandNamed(id: string): Command {
  const found = COMMANDS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no command ${id}`);
  return found;
}

function pendingInput() {
  const pending = position.value?.pending;
  return pending?.kind === "input" ? pending : null;
}

function openMock(): void {
  const pending = pendingInput();
  open({ kind: "mock", call: pending?.call ?? "", value: "", domain: pending?.domain ?? null });
}

function openBranch(): void {
  const pending = pendingInput();
  open({ kind: "branch", call: pending?.call ?? null, domain: pending?.domain ?? null });
}

function openAnswer(): void {
  const pending = pendingInput();
  if (pending !== null) open({ kind: "answer", call: pending.call, domain: pending.domain });
}

function openBookmark(): void {
  const here = position.value;
  if (here !== null) open({ kind: "bookmark", place: here.place.text });
}
