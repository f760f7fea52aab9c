// A light sensor with two LEDs, as light-sensor.ts has it, except that for a moment both can be on.

import { chip_delay, chip_digital_write, chip_pin_mode, color_sensor } from "../board";
import { HIGH, LOW, OUTPUT } from "../board";

const SENSOR: i32 = 0;
const RED_LED: i32 = 45;
const BLUE_LED: i32 = 56;

const THRESHOLD: i32 = 50;
const MEASUREMENTS: i32 = 10;

// So that it is never dark, the other LED goes on before the one that is on goes off.
function switchTo(on: i32, off: i32): void {
  chip_digital_write(on, HIGH);
  chip_digital_write(off, LOW);
}

export function main(): void {
  chip_pin_mode(RED_LED, OUTPUT);
  chip_pin_mode(BLUE_LED, OUTPUT);

  for (let i = 0; i < MEASUREMENTS; i++) {
    const light = color_sensor(SENSOR);
    if (light < THRESHOLD) {
      switchTo(RED_LED, BLUE_LED);
    } else {
      switchTo(BLUE_LED, RED_LED);
    }
    chip_delay(1000);
  }
}
