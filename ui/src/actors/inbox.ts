/** What waits for an actor, as it can be chosen from: by sender, as only the first of each can be next. */
import type { ActorView, MessageView, NextTurn } from "../api";

/** What waits from one sender, oldest first. */
export interface Queue {
  readonly from: number;
  readonly sender: string;
  readonly waiting: readonly MessageView[];
}

/** The inbox by sender, senders in the order in which they are told. */
export function queuesOf(inbox: readonly MessageView[]): Queue[] {
  const queues = new Map<number, { from: number; sender: string; waiting: MessageView[] }>();
  for (const message of inbox) {
    const queue = queues.get(message.from);
    if (queue !== undefined) queue.waiting.push(message);
    else queues.set(message.from, { from: message.from, sender: message.sender, waiting: [message] });
  }
  return [...queues.values()];
}

/** The turns that an actor can have without a message: to begin, to go on. */
export function ownTurns(actor: ActorView, next: readonly NextTurn[]): NextTurn[] {
  return next.filter((turn) => turn.actor === actor.id && !turn.fault && !turn.key.startsWith("deliver "));
}

/** Whether what waits from a sender can be next; in a turn, as far as that is known before its end. */
export function canBeNext(actor: ActorView, from: number, next: readonly NextTurn[]): boolean {
  if (next.length === 0) return actor.standing !== "fresh";
  return next.some((turn) => turn.key === `deliver ${actor.id} from ${from}`);
}

/** Turns as people choose them: what goes wrong apart from what goes on. */
export function partFaults(next: readonly NextTurn[]): { turns: NextTurn[]; faults: NextTurn[] } {
  return { turns: next.filter((turn) => !turn.fault), faults: next.filter((turn) => turn.fault) };
}
