// A counter with four LEDs that show it in binary, a button to count up and a
// button to count down.

import { chip_delay, chip_digital_read, chip_digital_write, chip_pin_mode } from "../board";
import { HIGH, INPUT, OUTPUT } from "../board";

const UP_BUTTON: i32 = 2;
const DOWN_BUTTON: i32 = 3;

// The LED of bit n is at pin FIRST_LED + n.
const FIRST_LED: i32 = 8;
const LEDS: i32 = 4;

// The number that the LEDs show.
export let count: i32 = 0;

let upBefore: i32 = 0;
let downBefore: i32 = 0;

function show(): void {
  for (let bit = 0; bit < LEDS; bit++) {
    chip_digital_write(FIRST_LED + bit, (count >> bit) & 1);
  }
}

// A button counts when it goes down, however long it is held.
function step(): i32 {
  const up = chip_digital_read(UP_BUTTON);
  const down = chip_digital_read(DOWN_BUTTON);
  const change = i32(up == HIGH && upBefore != HIGH) - i32(down == HIGH && downBefore != HIGH);
  upBefore = up;
  downBefore = down;
  return change;
}

export function main(): void {
  chip_pin_mode(UP_BUTTON, INPUT);
  chip_pin_mode(DOWN_BUTTON, INPUT);
  for (let bit = 0; bit < LEDS; bit++) chip_pin_mode(FIRST_LED + bit, OUTPUT);

  show();
  while (true) {
    const change = step();
    if (change != 0) {
      count = (count + change) & ((1 << LEDS) - 1);
      show();
    }
    chip_delay(20);
  }
}
