// Dining philosophers who cannot block each other: all take the older one of their forks first.

import { spawn } from "../../bindings/assemblyscript/actor";
import { PHILOSOPHERS } from "../philosophers/shared/table";

export { fork_take, fork_release } from "../philosophers/shared/table";
export { philosopher_init, philosopher_takeOther, philosopher_eat } from "../philosophers/shared/table";

export function main(): void {
  const first = spawn("fork");
  let left = first;
  for (let seat = 1; seat < PHILOSOPHERS; seat++) {
    const right = spawn("fork");
    spawn("philosopher", left, right);
    left = right;
  }
  // The table is round, and the order is not: the last one begins with the fork to the right.
  spawn("philosopher", first, left);
}
