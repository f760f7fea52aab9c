// The newer gauge: it lets the gateway add, and reports again if it has heard nothing for a while.

import { find, self } from "../../bindings/assemblyscript/actor";

const RAIN: i32 = 1;

let heard: bool = false;

function report(): void {
  find("gateway").tell("add", RAIN);
}

// A while is a message to oneself, which may come before the answer or after it.
export function main(): void {
  report();
  self().tell("timeout");
}

export function added(): void {
  heard = true;
}

export function timeout(): void {
  if (!heard) report();
}
