// An LED as bright as a sensor says, on a scale that is fixed: what `while`
// next door does once somebody has calibrated it.

import { chip_analog_read, chip_analog_write, chip_digital_write, chip_pin_mode } from "../board";
import { LOW, OUTPUT } from "../board";

const SENSOR: i32 = 14;
const LED: i32 = 9;
const INDICATOR: i32 = 13;

const SENSOR_MIN: i32 = 1023;
const SENSOR_MAX: i32 = 2048;
const ITERATIONS: i32 = 1;

function loop(): void {
  chip_digital_write(INDICATOR, LOW);
  const reading = chip_analog_read(SENSOR);
  let brightness = (reading - SENSOR_MIN) * 255 / (SENSOR_MAX - SENSOR_MIN);
  if (brightness < 0) brightness = 0;
  if (brightness > 255) brightness = 255;
  chip_analog_write(LED, brightness);
}

export function main(): void {
  chip_pin_mode(INDICATOR, OUTPUT);
  chip_pin_mode(LED, OUTPUT);
  for (let i = 0; i < ITERATIONS; i++) loop();
}
