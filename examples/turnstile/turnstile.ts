// A turnstile that counts who comes in, by an interrupt, and a guard who is told
// the number from time to time.

import { chip_delay, subscribe_interrupt, unsubscribe_interrupt } from "../board";

const TURNSTILE: i32 = 4;
const RISING: i32 = 3;

// All who came in, and those of them that the guard has not been told of.
let entered: i32 = 0;
let waiting: i32 = 0;

// What the guard has been told.
export let reported: i32 = 0;

function enter(): void {
  entered++;
  waiting++;
}

function report(): void {
  reported += waiting;
  waiting = 0;
}

export function main(): void {
  subscribe_interrupt(TURNSTILE, i32(enter.index), RISING);
  chip_delay(1000);
  report();
  chip_delay(1000);
  unsubscribe_interrupt(TURNSTILE);
  report();
  assert(reported == entered);
}
