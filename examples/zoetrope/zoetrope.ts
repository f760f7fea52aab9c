// A motor that turns a strip of pictures: one button starts and stops it, one
// turns it round, a dial sets its speed.

import { chip_analog_read, chip_analog_write, chip_delay, chip_digital_read } from "../board";
import { chip_digital_write, chip_pin_mode } from "../board";
import { HIGH, INPUT, LOW, OUTPUT } from "../board";

const CONTROL_1: i32 = 2;
const CONTROL_2: i32 = 3;
const DIRECTION_BUTTON: i32 = 4;
const ON_OFF_BUTTON: i32 = 5;
const ENABLE: i32 = 9;
const DIAL: i32 = 14;

const ITERATIONS: i32 = 2;

let previousOnOff: i32 = LOW;
let previousDirection: i32 = LOW;
let running: bool = false;
let forwards: bool = true;

function loop(): void {
  const onOff = chip_digital_read(ON_OFF_BUTTON);
  chip_delay(1);
  const direction = chip_digital_read(DIRECTION_BUTTON);
  const speed = chip_analog_read(DIAL) / 4;

  // A button counts when it goes down, not while it is held.
  if (onOff != previousOnOff) {
    if (onOff == HIGH) running = !running;
  }
  if (direction != previousDirection) {
    if (direction == HIGH) forwards = !forwards;
  }

  if (forwards) {
    chip_digital_write(CONTROL_1, HIGH);
    chip_digital_write(CONTROL_2, LOW);
  } else {
    chip_digital_write(CONTROL_1, LOW);
    chip_digital_write(CONTROL_2, HIGH);
  }
  if (running) {
    chip_analog_write(ENABLE, speed);
  } else {
    chip_analog_write(ENABLE, 0);
  }

  previousOnOff = onOff;
  previousDirection = direction;
}

export function main(): void {
  chip_pin_mode(DIRECTION_BUTTON, INPUT);
  chip_pin_mode(ON_OFF_BUTTON, INPUT);
  chip_pin_mode(CONTROL_1, OUTPUT);
  chip_pin_mode(CONTROL_2, OUTPUT);
  chip_pin_mode(ENABLE, OUTPUT);
  chip_digital_write(ENABLE, LOW);
  for (let i = 0; i < ITERATIONS; i++) loop();
}
