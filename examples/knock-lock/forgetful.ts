// The box that three knocks open, and that then forgets to count from the start.

import { setUp, turn } from "./shared/box";

const ITERATIONS: i32 = 4;

export function main(): void {
  setUp();
  for (let i = 0; i < ITERATIONS; i++) turn();
}
