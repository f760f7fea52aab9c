// The box that three knocks open, for as many turns as it takes to be opened and locked again.

import { setUp, startAnew, turn } from "./shared/box";

const ITERATIONS: i32 = 4;

export function main(): void {
  setUp();
  for (let i = 0; i < ITERATIONS; i++) {
    if (turn()) startAnew();
  }
}
