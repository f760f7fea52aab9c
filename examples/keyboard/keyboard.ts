// A piano of four keys on one analog pin: each key closes another resistor, so
// the voltage tells which key is down.

import { chip_analog_read, noTone, tone } from "../board";

const KEYS: i32 = 14;
const ITERATIONS: i32 = 1;

// C, D, E and F, in hertz.
const notes: StaticArray<i32> = [262, 294, 330, 349];

function loop(): void {
  const key = chip_analog_read(KEYS);
  if (key == 1023) {
    tone(notes[0]);
  } else if (key >= 990 && key <= 1010) {
    tone(notes[1]);
  } else if (key >= 505 && key <= 515) {
    tone(notes[2]);
  } else if (key >= 5 && key <= 10) {
    tone(notes[3]);
  } else {
    noTone();
  }
}

export function main(): void {
  for (let i = 0; i < ITERATIONS; i++) loop();
}
