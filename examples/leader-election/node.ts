// A node of three that elect a leader. Each gives its vote once, to whoever asks first; whoever has
// most of the votes leads.

import { Actor, NOBODY, find, self, sender } from "../../bindings/assemblyscript/actor";
import { must } from "../property";

const NODES: StaticArray<string> = ["a", "b", "c"];
const MAJORITY: i32 = 2;

let votedFor: Actor = NOBODY;
let votes: i32 = 0;
let leader: Actor = NOBODY;

// The first turn of a node that wants to lead: it votes for itself, and asks the others.
export function stand(): void {
  votedFor = self();
  votes = 1;
  for (let i = 0; i < NODES.length; i++) {
    const node = find(NODES[i]);
    if (node != self()) node.send("vote").when("count");
  }
}

export function vote(): bool {
  if (votedFor == NOBODY) votedFor = sender();
  return votedFor == sender();
}

export function count(granted: bool): void {
  if (!granted) return;
  votes++;
  if (votes != MAJORITY) return;
  accept(self());
  for (let i = 0; i < NODES.length; i++) {
    const node = find(NODES[i]);
    if (node != self()) node.tell("follow");
  }
}

export function follow(): void {
  accept(sender());
}

function accept(elected: Actor): void {
  must(leader == NOBODY || leader == elected); // There is one leader.
  leader = elected;
}
