// A temperature dashboard: green below 50 degrees, orange from 50 to 70, red
// above. It looks right, and mostly is.

import { chip_analog_read, chip_delay, chip_digital_write, chip_pin_mode } from "../board";
import { HIGH, LOW, OUTPUT } from "../board";

const SENSOR: i32 = 12;
const RED_LED: i32 = 25;
const ORANGE_LED: i32 = 26;
const GREEN_LED: i32 = 27;

const HOT: f32 = 70;
const WARM: f32 = 50;
const ROUNDS: i32 = 10;

// The sensor gives 10 millivolts per degree, 500 at zero degrees; the converter
// divides 3.3 volts into 4095 steps.
function temperature(): f32 {
  const volts = (chip_analog_read(SENSOR) as f32) * 3.3 / 4095.0;
  return (volts - 0.5) * 100.0;
}

function show(red: i32, orange: i32, green: i32): void {
  chip_digital_write(RED_LED, red);
  chip_digital_write(ORANGE_LED, orange);
  chip_digital_write(GREEN_LED, green);
}

export function main(): void {
  chip_pin_mode(RED_LED, OUTPUT);
  chip_pin_mode(ORANGE_LED, OUTPUT);
  chip_pin_mode(GREEN_LED, OUTPUT);

  for (let round = 0; round < ROUNDS; round++) {
    if (temperature() > HOT) {
      show(HIGH, LOW, LOW);
    } else if (temperature() >= WARM) {
      show(LOW, HIGH, LOW);
    } else {
      show(LOW, LOW, HIGH);
    }
    chip_delay(500);
  }
}
