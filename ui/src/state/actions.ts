/** What a person can do to the session from this page, as requests. */
import type { Direction, Exploration, Reply, Request, RequestName, Stopped, Suggested, Unit, ValueView } from "../api";
import { LinkError } from "../connection/link";
import { many } from "../format/values";
import { violationWords } from "../properties/model";
import { confirm } from "./dialogs";
import { note, say } from "./notices";
import { speed, stepsByLine } from "./preferences";
import { ask, during, foundPaths, report } from "./session";

/** The requests that move the session. */
type Movement = { [N in RequestName]: Reply<N> extends Stopped ? N : never }[RequestName];

/** Does something; what goes wrong is said in the page. Tells whether it worked. */
export async function act(request: Request, title?: string): Promise<boolean> {
  try {
    if (title === undefined) await ask(request);
    else await during(title, (signal) => ask(request, signal));
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

async function move(title: string, request: Request<Movement>): Promise<void> {
  try {
    tell(await during(title, (signal) => ask(request, signal)));
  } catch (error) {
    if (!(error instanceof LinkError) || error.kind !== "irreversible") return report(error);
    const sure = await confirm("This cannot be undone", error.message, "Go back anyway");
    if (sure) await move(title, { ...request, confirm: true });
  }
}

/** What became of what a breakpoint watches. */
function changeOf({ before, value }: { before: ValueView | null; value: ValueView | null }): string {
  if (value === null) return before === null ? "" : `, was ${before.text}`;
  return before === null ? `, now ${value.text}` : `: ${before.text} → ${value.text}`;
}

function tell(stopped: Stopped): void {
  const place = stopped.position.place.text;
  switch (stopped.halt) {
    case "breakpoint":
      note("moved", `Breakpoint ${stopped.id}: ${stopped.trigger}${changeOf(stopped)}`, place);
      break;
    case "ended":
      note("moved", stopped.outcome.text, place);
      break;
    case "misuse":
      note("moved", stopped.text, place);
      say("warning", stopped.text);
      break;
    case "violated":
      note("moved", violationWords(stopped.event), place);
      break;
    case "asks":
      say("info", "Nobody knows what this input returns: answer it, mock it, or let paths be suggested.");
      break;
    case "start":
      note("moved", "At the start of the program", place);
      break;
    case "cancelled":
      say("info", "Stopped.");
      break;
    case "reached":
      break;
  }
  for (const change of stopped.changes) note("effect", change, place);
}

const BY_LINE: Partial<Record<Unit, Unit>> = { instruction: "line", over: "line-over", out: "line-out" };

/** A step in the unit that the person has chosen: instructions, or lines of the source. */
export function step(unit: "instruction" | "over" | "out", direction: Direction): Promise<void> {
  const chosen = stepsByLine.value ? BY_LINE[unit]! : unit;
  return move("Stepping", { request: "step", unit: chosen, direction, count: 1 });
}

/** Runs on by what was suggested, where nothing is recorded. */
export function follow(): Promise<void> {
  return move("Running as suggested", { request: "run-as-suggested" });
}

export function run(direction: Direction): Promise<void> {
  return move(direction === "forward" ? "Running" : "Running back", { request: "run", direction });
}

export function reset(): Promise<void> {
  return move("Going back to the start", { request: "reset" });
}

export function slide(to: string): Promise<void> {
  return move("Sliding", { request: "slide", to });
}

/** Goes to the beginning of the line that is under way at a moment. */
export function slideToLine(to: string): Promise<void> {
  return move("Sliding", { request: "slide-to-line", to });
}

/** Runs as fast as the clock of the board says, by the factor that the person has chosen. */
export function play(): Promise<void> {
  return move("Playing", { request: "play", percent: speed.value });
}

/** Gives the next turn to somebody, by the key of a turn that can be next; one that is under way ends first. */
export function giveTurn(next: string): Promise<void> {
  return move("Giving a turn", { request: "give-turn", next });
}

/** Runs to the next turn, of an actor or of any; back, to the beginning of the last one. */
export function stepTurn(direction: Direction, actor: string | null = null): Promise<void> {
  return move(direction === "forward" ? "Running to the next turn" : "Going back by a turn", { request: "step-turn", actor, direction });
}

/** Runs until a message has been handled: the one that its sender sent after so many others. */
export function stepMessage(sender: string, number: number): Promise<void> {
  return move("Running until the message has been handled", { request: "step-message", message: `${sender}:${number}`, told: false });
}

/** Runs to the end of the turn under way: to where somebody is next. */
export function finishTurn(): Promise<void> {
  return move("Running to the end of the turn", { request: "finish-turn" });
}

/** Goes to a state of the graph that was drawn last. */
export function goToState(state: number): Promise<void> {
  return move("Going to a state", { request: "go-to-state", state });
}

/** Lets an actor wait, or go on; all of them without a name. */
export function pauseActor(actor: string | null, paused: boolean): Promise<boolean> {
  return act({ request: "pause-actor", actor, paused });
}

/** Decides what an input returns from now on, instead of what was decided for the same calls. */
export function mock(call: string, value: string, once = false): Promise<boolean> {
  return act({ request: "mock", call, value, once, replace: !once });
}

/** Decides this one reading. */
export async function answer(value: string): Promise<boolean> {
  return act({ request: "answer", value });
}

export function suggest(bounds: Exploration): Promise<Suggested> {
  foundPaths.value = [];
  return during("Looking for paths", (signal) =>
    ask({ request: "suggest", ...bounds }, signal),
  );
}

export function suggestMore(): Promise<Suggested> {
  return during("Looking for more paths", (signal) => ask({ request: "suggest-more" }, signal));
}

/** Adds what was found and was too much to be added unasked: so many paths, or all. */
export function addSuggested(limit: number | null): Promise<Suggested> {
  return during("Adding paths", (signal) => ask({ request: "add-suggested", limit }, signal));
}

/** Takes suggestions out of the tree that nobody has visited: a node and what follows, or all. */
export async function removeSuggestions(below: string | null = null): Promise<void> {
  try {
    const { nodes } = await ask({ request: "remove-suggested", below });
    say("info", nodes === 0 ? "There is no suggestion that nobody has visited." : `${many(nodes, "suggestion")} removed.`);
  } catch (error) {
    report(error);
  }
}

/** Goes back to where a value was written: of a variable, or what made the program trap. */
export function whoWrote(term: string | null = null): Promise<void> {
  return move("Looking for who wrote this", { request: "who-wrote", term });
}

/** Runs to a place in the code, unless a breakpoint comes first. */
export function runTo(to: string): Promise<void> {
  return move("Running", { request: "run-to", to, direction: "forward" });
}

/** Adds the universe that a text describes, and goes to its end. */
export function replay(text: string): Promise<void> {
  return move("Replaying", { request: "replay-trace", text });
}
