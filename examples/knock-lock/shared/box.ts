// The box without its lights: a button locks it, knocks open it.

import { chip_analog_read, chip_digital_read, chip_servo_attach, chip_servo_write } from "../../board";
import { HIGH } from "../../board";

const PIEZO: i32 = 14;
const BUTTON: i32 = 2;
const SERVO: i32 = 9;

const OPEN: i32 = 0;
const CLOSED: i32 = 90;

const QUIET_KNOCK: i32 = 10;
const LOUD_KNOCK: i32 = 100;
const KNOCKS: i32 = 3;

let locked: bool = false;
let knocks: i32 = 0;

function lock(): void {
  locked = true;
  chip_servo_write(SERVO, CLOSED);
}

function unlock(): void {
  locked = false;
  chip_servo_write(SERVO, OPEN);
}

// One knock, or none; whether the box has been opened.
export function turn(): bool {
  if (!locked && chip_digital_read(BUTTON) == HIGH) lock();
  if (!locked) return false;
  const knock = chip_analog_read(PIEZO);
  if (knock > QUIET_KNOCK && knock < LOUD_KNOCK) knocks++;
  if (knocks < KNOCKS) return false;
  unlock();
  return true;
}

// The next time, knocks are counted from the first one on.
export function startAnew(): void {
  knocks = 0;
}

export function setUp(): void {
  chip_servo_attach(SERVO);
  chip_servo_write(SERVO, OPEN);
}
