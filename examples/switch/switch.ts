// Says how bright it is in one of four words, chosen by a switch statement.

import { chip_analog_read, chip_delay } from "../board";
import { print } from "../print";

const SENSOR: i32 = 14;

// What the sensor reads under a hand and under a lamp.
const DARKEST: i32 = 0;
const BRIGHTEST: i32 = 600;
const ITERATIONS: i32 = 1;

// Arduino's `map`: from one range to another in whole numbers. It does not care
// whether the value is in the range that it maps from.
function map(value: i32, fromLow: i32, fromHigh: i32, toLow: i32, toHigh: i32): i32 {
  return (value - fromLow) * (toHigh - toLow) / (fromHigh - fromLow) + toLow;
}

function loop(): void {
  const brightness = map(chip_analog_read(SENSOR), DARKEST, BRIGHTEST, 0, 3);
  switch (brightness) {
    case 0:
      print("dark\n");
      break;
    case 1:
      print("dim\n");
      break;
    case 2:
      print("medium\n");
      break;
    case 3:
      print("bright\n");
      break;
  }
  chip_delay(1);
}

export function main(): void {
  for (let i = 0; i < ITERATIONS; i++) loop();
}
