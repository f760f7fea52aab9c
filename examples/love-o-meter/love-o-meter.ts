// Measures how warm a hand is, in degrees, and shows it on three LEDs.

import { chip_analog_read, chip_delay, chip_digital_write, chip_pin_mode, print_int } from "../board";
import { HIGH, LOW, OUTPUT } from "../board";

const SENSOR: i32 = 14;
const FIRST_LED: i32 = 2;
const LEDS: i32 = 3;

// The temperature of the room, in degrees Celsius.
const BASELINE: f32 = 20.0;
const ITERATIONS: i32 = 1;

// The sensor gives 10 millivolts per degree, 500 at zero degrees; the converter
// divides 5 volts into 1024 steps.
function temperature(reading: i32): f32 {
  const volts: f32 = (reading as f32) / 1024.0 * 5.0;
  return (volts - 0.5) * 100.0;
}

function show(on: i32): void {
  for (let led = 0; led < LEDS; led++) chip_digital_write(FIRST_LED + led, led < on ? HIGH : LOW);
}

function loop(): void {
  const reading = chip_analog_read(SENSOR);
  print_int(reading);
  const degrees = temperature(reading);
  if (degrees < BASELINE + 2.0) {
    show(0);
  } else if (degrees >= BASELINE + 2.0 && degrees < BASELINE + 4.0) {
    show(1);
  } else if (degrees >= BASELINE + 4.0 && degrees < BASELINE + 6.0) {
    show(2);
  } else if (degrees >= BASELINE + 6.0) {
    show(3);
  }
  chip_delay(1);
}

export function main(): void {
  for (let led = 0; led < LEDS; led++) {
    chip_pin_mode(FIRST_LED + led, OUTPUT);
    chip_digital_write(FIRST_LED + led, LOW);
  }
  for (let i = 0; i < ITERATIONS; i++) loop();
}
