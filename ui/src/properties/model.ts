/** Properties as the page shows them: words and colours for what the debugger says of them. */
import type { AutomatonState, AutomatonTransition, AutomatonView, GuardView, NamedValue, PropertyEvent, SliceMove, VerdictChange, VerdictView } from "../api";
import { many } from "../format/values";

/** What a verdict is called, and the look of its chip. */
export const VERDICTS: Record<VerdictView, { readonly words: string; readonly look: string }> = {
  holds: { words: "holds so far", look: "end" },
  violated: { words: "violated", look: "trap" },
  inconclusive: { words: "inconclusive", look: "past" },
};

/**
 * How a state is drawn: where a slice is comes first, then where one was last, then where the
 * property does not hold.
 */
export type StateLook = "good" | "bad" | "former" | "forbidden" | "plain";

export function lookOf(state: AutomatonState): StateLook {
  if (state.slices > 0) return state.accepting ? "good" : "bad";
  if (state.former) return "former";
  return state.accepting ? "plain" : "forbidden";
}

/** What the colours mean, in the order in which they are explained. */
export const LOOKS: readonly (readonly [StateLook, string])[] = [
  ["good", "now, accepting"],
  ["bad", "now, not accepting"],
  ["forbidden", "not accepting"],
  ["former", "formerly"],
];

/** All that is said about a state. */
export function describeState(state: AutomatonState, isFirst: boolean): string {
  const parts = [state.accepting ? "accepting" : "not accepting"];
  if (state.pending) parts.push("waits for something");
  if (isFirst) parts.push("where slices begin");
  if (state.is_final) parts.push("slices that come here are forgotten");
  if (state.action !== null) parts.push(`then ${state.action}`);
  if (state.slices > 0) parts.push(`${many(state.slices, "slice")} here now`);
  else if (state.former) parts.push("left by the last transition");
  return `${state.name}: ${parts.join(", ")}`;
}

/** A condition as it is written, without the word that all of them begin with. */
function condition(guard: string): string {
  return guard.replace(/^return\s+/, "");
}

/** What has to come of the condition, as a transition is labelled. */
export function conditionOf({ guard, on }: Pick<AutomatonTransition, "guard" | "on">): string | null {
  if (on === "timeout") return "time is up";
  if (guard === null) return null;
  return on === "success" ? condition(guard) : `not (${condition(guard)})`;
}

/** All that is said about a transition. */
export function describeTransition(view: AutomatonView, transition: AutomatonTransition): string {
  const { from, to, event, code, action, last } = transition;
  const condition = conditionOf(transition);
  const parts = [`${view.states[from]!.name} → ${view.states[to]!.name}: ${event}`];
  if (condition !== null) parts.push(transition.on === "timeout" ? "when time is up" : `if ${condition}`);
  if (code !== null) parts.push(`{ ${code} }`);
  if (action !== null) parts.push(`then ${action}`);
  if (last) parts.push("· taken last");
  return parts.join(" ");
}

/** An event without the words that all of them have: `after queue_new(queue, size)`. */
export function eventWords(event: string): string {
  return event.replace(/\bevent /, "");
}

/** Names with their values: `N = 16, max = 16`. */
export function named(values: readonly NamedValue[]): string {
  return values.map(({ name, value }) => `${name} = ${value}`).join(", ");
}

/** A slice by what tells it from others: `<queue = 1024>`; nothing if there is only one. */
export function sliceWords(instance: readonly NamedValue[]): string {
  return instance.length === 0 ? "" : `<${named(instance)}>`;
}

/** A condition with what came of it: `N < max is false with N = 16, max = 16`. */
export function guardWords({ text, holds, values }: GuardView): string {
  return `${condition(text)} is ${holds}${values.length === 0 ? "" : ` with ${named(values)}`}`;
}

/** What became of a slice: `<queue = 1024>: sink (from queue_ready), not accepting`. */
export function moveWords(move: SliceMove): string {
  const slice = sliceWords(move.instance);
  const from = move.from === move.to ? "" : ` (from ${move.from})`;
  const notes = [move.created ? ", new" : "", move.accepting ? "" : ", not accepting", move.forgotten ? ", forgotten" : ""];
  return `${slice}${slice === "" ? "" : ": "}${move.to}${from}${notes.join("")}`;
}

/** The move by which an event violates its property, if it does. */
export function violatingMove(event: PropertyEvent): SliceMove | null {
  return event.moves.find((move) => !move.accepting) ?? null;
}

/** Why a property is violated after an event, in a line. */
export function violationWords(event: PropertyEvent): string {
  const move = violatingMove(event);
  const because = move?.guard == null || move.guard.holds ? "" : `, as ${guardWords(move.guard)}`;
  const where = move === null ? "" : `: ${moveWords(move)}${because}`;
  return `${event.name} is violated by ${eventWords(event.event)}${where}`;
}

/** What a property is called whose text is in a file. */
export function nameOfFile(file: string): string {
  return file.replace(/^.*[\\/]/, "").replace(/\.[^.]+$/, "");
}

/** The changes of verdicts along a universe for the worse, by the choices that lead through it, in the order of its time. */
export function changesAlong(
  changes: readonly VerdictChange[],
  choices: readonly { readonly node: string }[],
): (VerdictChange & { readonly count: number })[] {
  const nodes = new Set(["0.0", ...choices.map(({ node }) => node)]);
  return changes
    .filter(({ place, verdict }) => nodes.has(place.node) && verdict !== "holds")
    .map((change) => ({ ...change, count: change.place.count }))
    .sort((a, b) => a.count - b.count);
}
