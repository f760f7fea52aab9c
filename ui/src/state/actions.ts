/** What a person can do to the session from this page, as requests. */
import type { Direction, Exploration, Request, Stopped, Suggested, Unit } from "../api";
import { LinkError } from "../connection/link";
import { confirm } from "./dialogs";
import { note, say } from "./notices";
import { stepsByLine } from "./preferences";
import { ask, during, foundPaths, report, send } from "./session";

/** A request that can be repeated with the consent to cross what cannot be undone. */
type Confirmable = Extract<Request, { confirm?: boolean }>;

/** Does something; what goes wrong is said in the page. Tells whether it worked. */
export async function act(request: Request, title?: string): Promise<boolean> {
  try {
    if (title === undefined) await send(request);
    else await during(title, (signal) => send(request, signal));
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

async function move(title: string, request: Confirmable): Promise<void> {
  try {
    const stopped = await during(title, (signal) => ask(request, "stopped", signal));
    tell(stopped);
  } catch (error) {
    if (!(error instanceof LinkError) || error.kind !== "irreversible") return report(error);
    const sure = await confirm("This cannot be undone", error.message, "Go back anyway");
    if (sure) await move(title, { ...request, confirm: true });
  }
}

function tell(stopped: Stopped): void {
  const place = stopped.position.place.text;
  switch (stopped.halt) {
    case "breakpoint":
      note("moved", `Breakpoint ${stopped.id}: ${stopped.trigger}`, place);
      break;
    case "ended":
      note("moved", stopped.outcome.text, place);
      break;
    case "misuse":
      note("moved", stopped.text, place);
      say("warning", stopped.text);
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
export async function follow(): Promise<void> {
  try {
    tell(await during("Running as suggested", (signal) => ask({ request: "run-as-suggested" }, "stopped", signal)));
  } catch (error) {
    report(error);
  }
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

/** Decides what an input returns from now on, instead of what was decided for the same calls. */
export async function mock(call: string, value: string, once = false): Promise<boolean> {
  const before = once ? [] : await ask({ request: "mocks" }, "mocks").catch(() => []);
  if (!(await act({ request: "mock", call, value, once }))) return false;
  for (const old of before) if (old.call === call && !old.once) await act({ request: "unmock", id: old.id });
  return true;
}

/** Decides this one reading. */
export async function answer(value: string): Promise<boolean> {
  return act({ request: "answer", value });
}

export function suggest(bounds: Exploration): Promise<Suggested> {
  foundPaths.value = [];
  return during("Looking for paths", (signal) =>
    ask({ request: "suggest", ...bounds }, "suggested", signal),
  );
}

export function suggestMore(): Promise<Suggested> {
  return during("Looking for more paths", (signal) => ask({ request: "suggest-more" }, "suggested", signal));
}

/** Runs to a place in the code, unless a breakpoint comes first. */
export function runTo(to: string): Promise<void> {
  return move("Running", { request: "run-to", to, direction: "forward" });
}

/** Adds the universe that a text describes, and goes to its end. */
export function replay(text: string): Promise<void> {
  return move("Replaying", { request: "replay-trace", text });
}
