// A box that a button locks, and that three knocks open: neither too quiet nor
// too loud.

import { chip_analog_read, chip_delay, chip_digital_read, chip_digital_write } from "../board";
import { chip_pin_mode, chip_servo_attach, chip_servo_write, print_int } from "../board";
import { HIGH, INPUT, LOW, OUTPUT } from "../board";
import { print } from "../print";

const PIEZO: i32 = 14;
const BUTTON: i32 = 2;
const YELLOW_LED: i32 = 3;
const GREEN_LED: i32 = 4;
const RED_LED: i32 = 5;
const SERVO: i32 = 9;

const OPEN: i32 = 0;
const CLOSED: i32 = 90;

const QUIET_KNOCK: i32 = 10;
const LOUD_KNOCK: i32 = 100;
const KNOCKS: i32 = 3;
const ITERATIONS: i32 = 2;

let locked: bool = false;
let knocks: i32 = 0;

function lock(): void {
  locked = true;
  chip_digital_write(GREEN_LED, LOW);
  chip_digital_write(RED_LED, HIGH);
  chip_servo_write(SERVO, CLOSED);
  print("the box is locked\n");
  chip_delay(1000);
}

function unlock(): void {
  locked = false;
  chip_servo_write(SERVO, OPEN);
  chip_delay(20);
  chip_digital_write(GREEN_LED, HIGH);
  chip_digital_write(RED_LED, LOW);
  print("the box is open\n");
  knocks = 0;
}

function isGood(knock: i32): bool {
  if (knock > QUIET_KNOCK && knock < LOUD_KNOCK) {
    chip_digital_write(YELLOW_LED, HIGH);
    chip_delay(50);
    chip_digital_write(YELLOW_LED, LOW);
    print("a good knock: ");
    print_int(knock);
    return true;
  }
  print("a bad knock: ");
  print_int(knock);
  return false;
}

function loop(): void {
  if (!locked) {
    if (chip_digital_read(BUTTON) == HIGH) lock();
  }
  if (locked) {
    const knock = chip_analog_read(PIEZO);
    if (knocks < KNOCKS && knock > 0) {
      if (isGood(knock)) knocks++;
      print("knocks to go: ");
      print_int(KNOCKS - knocks);
    }
    if (knocks >= KNOCKS) unlock();
  }
}

export function main(): void {
  chip_servo_attach(SERVO);
  chip_pin_mode(YELLOW_LED, OUTPUT);
  chip_pin_mode(GREEN_LED, OUTPUT);
  chip_pin_mode(RED_LED, OUTPUT);
  chip_pin_mode(BUTTON, INPUT);
  chip_digital_write(GREEN_LED, HIGH);
  chip_servo_write(SERVO, OPEN);
  print("the box is open\n");
  for (let i = 0; i < ITERATIONS; i++) loop();
}
