// Dining philosophers: each takes the fork to the left, then the one to the right.

import { spawn } from "../../bindings/assemblyscript/actor";
import { PHILOSOPHERS } from "./shared/table";

export { fork_take, fork_release } from "./shared/table";
export { philosopher_init, philosopher_takeOther, philosopher_eat } from "./shared/table";

export function main(): void {
  const first = spawn("fork");
  let left = first;
  for (let seat = 1; seat < PHILOSOPHERS; seat++) {
    const right = spawn("fork");
    spawn("philosopher", left, right);
    left = right;
  }
  // The table is round.
  spawn("philosopher", left, first);
}
