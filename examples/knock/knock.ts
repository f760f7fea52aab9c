// A piezo as a microphone: whoever knocks switches the LED over.

import { chip_analog_read, chip_delay, chip_digital_write, chip_pin_mode } from "../board";
import { OUTPUT } from "../board";
import { print } from "../print";

const PIEZO: i32 = 14;
const LED: i32 = 13;

const THRESHOLD: i32 = 100;
const ITERATIONS: i32 = 1;

let ledState: i32 = 0;

function loop(): void {
  if (chip_analog_read(PIEZO) >= THRESHOLD) {
    ledState = 1 - ledState;
    chip_digital_write(LED, ledState);
    print("knock!\n");
  }
  // One knock makes the piezo ring for a while; it counts once.
  chip_delay(100);
}

export function main(): void {
  chip_pin_mode(LED, OUTPUT);
  for (let i = 0; i < ITERATIONS; i++) loop();
}
