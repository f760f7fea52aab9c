// A lamp that is on for as long as somebody touches a wire.

import { chip_analog_read, chip_delay, chip_digital_write, chip_pin_mode, print_int } from "../board";
import { HIGH, LOW, OUTPUT } from "../board";

const WIRE: i32 = 14;
const LAMP: i32 = 12;

const THRESHOLD: i32 = 1000;
const ITERATIONS: i32 = 1;

function loop(): void {
  const touch = chip_analog_read(WIRE);
  print_int(touch);
  if (touch > THRESHOLD) {
    chip_digital_write(LAMP, HIGH);
  } else {
    chip_digital_write(LAMP, LOW);
  }
  chip_delay(10);
}

export function main(): void {
  chip_pin_mode(LAMP, OUTPUT);
  for (let i = 0; i < ITERATIONS; i++) loop();
}
