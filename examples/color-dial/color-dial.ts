// A dial whose needle points at the colour that the sensor sees. The motor only
// knows relative turns, so the program remembers where the needle is.

import { chip_delay, color_sensor, drive_motor_degrees } from "../board";

const SENSOR: i32 = 0;
const NEEDLE: i32 = 0;
const SPEED: i32 = 100;

// The sensor's range 0..100 is cut into bands of one colour each.
const COLORS: i32 = 5;
const BAND: i32 = 20;
const DEGREES_PER_COLOR: i32 = 36;

// The colour that the needle points at: 0 is none, then blue, green, yellow, red.
export let current: i32 = 0;

function colorOf(reading: i32): i32 {
  return min(reading / BAND, COLORS - 1);
}

export function main(): void {
  while (true) {
    const seen = colorOf(color_sensor(SENSOR));
    if (seen != current) {
      drive_motor_degrees(NEEDLE, SPEED, (seen - current) * DEGREES_PER_COLOR);
      current = seen;
    }
    chip_delay(100);
  }
}
