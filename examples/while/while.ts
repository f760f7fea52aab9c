// An LED as bright as a sensor says. While a button is held, the program learns
// which readings there are, the darkest and the brightest; they become the ends
// of the LED's scale.

import { chip_analog_read, chip_analog_write, chip_digital_read } from "../board";
import { chip_digital_write, chip_pin_mode } from "../board";
import { HIGH, INPUT, LOW, OUTPUT } from "../board";

const SENSOR: i32 = 14;
const BUTTON: i32 = 2;
const LED: i32 = 9;
const INDICATOR: i32 = 13;

const ITERATIONS: i32 = 1;
// A button can be held for ever. Here it is let go after so many readings, so
// that every path of the program ends.
const CALIBRATIONS: i32 = 1;

// The wrong way round, so that the first reading replaces both.
let sensorMin: i32 = 1023;
let sensorMax: i32 = 0;

function calibrate(): void {
  chip_digital_write(INDICATOR, HIGH);
  const reading = chip_analog_read(SENSOR);
  if (reading > sensorMax) sensorMax = reading;
  if (reading < sensorMin) sensorMin = reading;
}

function loop(): void {
  let calibrations = 0;
  while (calibrations < CALIBRATIONS && chip_digital_read(BUTTON) == HIGH) {
    calibrate();
    calibrations++;
  }
  chip_digital_write(INDICATOR, LOW);

  const reading = chip_analog_read(SENSOR);
  let brightness = (reading - sensorMin) * 255 / (sensorMax - sensorMin);
  if (brightness < 0) brightness = 0;
  if (brightness > 255) brightness = 255;
  chip_analog_write(LED, brightness);
}

export function main(): void {
  chip_pin_mode(INDICATOR, OUTPUT);
  chip_pin_mode(LED, OUTPUT);
  chip_pin_mode(BUTTON, INPUT);
  for (let i = 0; i < ITERATIONS; i++) loop();
}
