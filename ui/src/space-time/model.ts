/**
 * The turns of a universe as a diagram of space and time: a lane for each actor, a column for each
 * turn, and an arrow for each message, from the turn that sends it to the one that handles it.
 *
 * Every turn has a column of the same width, however long it takes: what matters is the order.
 */
import type { TurnsView, TurnView } from "../api";

export interface Lane {
  readonly id: number;
  readonly name: string;
}

export interface Bar {
  readonly turn: TurnView;
  readonly lane: number;
  /** The column of the next turn in the same lane, or the number of columns. */
  readonly until: number;
}

export interface Arrow {
  /** The column of the turn that sends it; -1 for one before those that are listed. */
  readonly from: number;
  /** Which of the messages of that turn it is, as a part of its bar from 0 to 1. */
  readonly part: number;
  readonly fromLane: number;
  /** The column of the turn that handles it; -1 as long as it waits. */
  readonly to: number;
  readonly toLane: number;
  readonly text: string;
}

export interface Model {
  readonly lanes: readonly Lane[];
  readonly bars: readonly Bar[];
  readonly arrows: readonly Arrow[];
  /** The column of the turn that the session stands in; -1 before the first. */
  readonly current: number;
  /** Earlier choices that are not listed. */
  readonly omitted: number;
}

export const EMPTY: Model = { lanes: [], bars: [], arrows: [], current: -1, omitted: 0 };

/** The diagram of some turns; actors that are known beyond them have a lane as well. */
export function modelOf(view: TurnsView, known: readonly Lane[]): Model {
  const { turns } = view;
  const lanes = lanesOf(turns, known);
  const laneOf = new Map(lanes.map((lane, at) => [lane.id, at]));
  const bars = barsOf(turns, laneOf);
  return { lanes, bars, arrows: arrowsOf(turns, laneOf), current: turns.findIndex((turn) => turn.is_current), omitted: view.omitted };
}

/** Everybody who takes part, by address: who comes later stands below. */
function lanesOf(turns: readonly TurnView[], known: readonly Lane[]): Lane[] {
  const names = new Map<number, string | null>(known.map((lane) => [lane.id, lane.name]));
  const meet = (id: number) => names.has(id) || names.set(id, null);
  for (const turn of turns) {
    names.set(turn.actor, turn.name);
    if (turn.handles !== null) meet(turn.handles.actor);
    for (const sent of turn.sends) meet(sent.actor);
  }
  const ids = [...names.keys()].sort((a, b) => a - b);
  return ids.map((id) => ({ id, name: names.get(id) ?? `actor ${id}` }));
}

function barsOf(turns: readonly TurnView[], laneOf: ReadonlyMap<number, number>): Bar[] {
  const next = new Map<number, number>();
  const bars: Bar[] = new Array(turns.length);
  for (let at = turns.length - 1; at >= 0; at--) {
    const turn = turns[at]!;
    bars[at] = { turn, lane: laneOf.get(turn.actor)!, until: next.get(turn.actor) ?? turns.length };
    next.set(turn.actor, at);
  }
  return bars;
}

function arrowsOf(turns: readonly TurnView[], laneOf: ReadonlyMap<number, number>): Arrow[] {
  const key = (from: number, to: number, number: number) => `${from} ${to} ${number}`;
  // A message that is doubled is handled more than once.
  const handled = new Map<string, number[]>();
  turns.forEach((turn, at) => {
    if (turn.handles === null) return;
    const name = key(turn.handles.actor, turn.actor, turn.handles.number);
    const columns = handled.get(name);
    if (columns === undefined) handled.set(name, [at]);
    else columns.push(at);
  });
  const arrows: Arrow[] = [];
  turns.forEach((turn, at) => {
    turn.sends.forEach((sent, index) => {
      const name = key(turn.actor, sent.actor, sent.number);
      const common = { from: at, part: (index + 1) / (turn.sends.length + 1), fromLane: laneOf.get(turn.actor)!, toLane: laneOf.get(sent.actor)! };
      const columns = handled.get(name) ?? [-1];
      for (const to of columns) arrows.push({ ...common, to, text: sent.text });
      handled.delete(name);
    });
  });
  // Whoever sent these had the turn before those that are listed.
  for (const columns of handled.values()) {
    for (const to of columns) {
      const { handles, actor } = turns[to]!;
      arrows.push({ from: -1, part: 0, fromLane: laneOf.get(handles!.actor)!, to, toLane: laneOf.get(actor)!, text: handles!.text });
    }
  }
  return arrows;
}

/** Which part of the current turn is behind, from 0 to 1. */
export function partOf(turn: TurnView, count: number): number {
  if (turn.ends <= turn.begins) return count > turn.begins ? 1 : 0;
  return Math.max(0, Math.min(1, (count - turn.begins) / (turn.ends - turn.begins)));
}

/** What is said of a turn in a line. */
export function describe({ turn }: Bar, lanes: readonly Lane[]): string {
  const nameOf = (id: number) => lanes.find((lane) => lane.id === id)?.name ?? `actor ${id}`;
  const parts = [turn.label];
  if (turn.handles !== null) parts.push(`handles ${turn.handles.text}`);
  if (turn.sends.length > 0) parts.push(`sends ${turn.sends.map((sent) => `${sent.text || "a message"} to ${nameOf(sent.actor)}`).join(", ")}`);
  return parts.join(" · ");
}
