// The glove of a robot: an accelerometer on the hand says where the robot goes.
// Its two axes are read anew whenever they are compared.

import { chip_analog_read, chip_digital_write, chip_pin_mode, print_int } from "../board";
import { HIGH, LOW, OUTPUT } from "../board";
import { print } from "../print";

const X_AXIS: i32 = 14;
const Y_AXIS: i32 = 15;

// Two lines for each side's motor; both low is standing still.
const LEFT_AHEAD: i32 = 8;
const LEFT_BACK: i32 = 9;
const RIGHT_AHEAD: i32 = 10;
const RIGHT_BACK: i32 = 11;

// A level hand reads about 2048 on both axes.
const TILTED_DOWN: i32 = 1600;
const TILTED_UP: i32 = 2500;
const ITERATIONS: i32 = 1;

function drive(leftAhead: i32, leftBack: i32, rightAhead: i32, rightBack: i32): void {
  chip_digital_write(LEFT_AHEAD, leftAhead);
  chip_digital_write(LEFT_BACK, leftBack);
  chip_digital_write(RIGHT_AHEAD, rightAhead);
  chip_digital_write(RIGHT_BACK, rightBack);
}

function loop(): void {
  print_int(chip_analog_read(X_AXIS));
  print_int(chip_analog_read(Y_AXIS));
  if (chip_analog_read(X_AXIS) < TILTED_DOWN && chip_analog_read(Y_AXIS) < TILTED_UP) {
    print("forwards\n");
    drive(HIGH, LOW, HIGH, LOW);
  } else if (chip_analog_read(X_AXIS) > TILTED_UP && chip_analog_read(Y_AXIS) < TILTED_UP) {
    print("backwards\n");
    drive(LOW, HIGH, LOW, HIGH);
  } else if (chip_analog_read(X_AXIS) < TILTED_UP && chip_analog_read(Y_AXIS) < TILTED_DOWN) {
    print("left\n");
    drive(LOW, HIGH, HIGH, LOW);
  } else if (chip_analog_read(X_AXIS) < TILTED_UP && chip_analog_read(Y_AXIS) > TILTED_UP) {
    print("right\n");
    drive(HIGH, LOW, LOW, HIGH);
  } else {
    print("stop\n");
    drive(LOW, LOW, LOW, LOW);
  }
}

export function main(): void {
  chip_pin_mode(LEFT_AHEAD, OUTPUT);
  chip_pin_mode(LEFT_BACK, OUTPUT);
  chip_pin_mode(RIGHT_AHEAD, OUTPUT);
  chip_pin_mode(RIGHT_BACK, OUTPUT);
  for (let i = 0; i < ITERATIONS; i++) loop();
}
