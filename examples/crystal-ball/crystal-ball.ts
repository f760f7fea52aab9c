// A crystal ball: tilt it, let it settle, and it answers the question that you
// thought of, in one of eight ways.

import { chip_digital_read, chip_pin_mode, random_int } from "../board";
import { INPUT, LOW } from "../board";
import { print } from "../print";

const SWITCH: i32 = 6;

const ANSWERS: i32 = 8;
const ITERATIONS: i32 = 2;

let previous: i32 = LOW;

// Arduino's `random(limit)`: the remainder of a number that can be anything.
function random(limit: i32): i32 {
  return random_int() % limit;
}

function answer(): void {
  print("the ball says:\n");
  switch (random(ANSWERS)) {
    case 0:
      print("yes\n");
      break;
    case 1:
      print("most likely\n");
      break;
    case 2:
      print("certainly\n");
      break;
    case 3:
      print("the signs are good\n");
      break;
    case 4:
      print("I am not sure\n");
      break;
    case 5:
      print("ask me later\n");
      break;
    case 6:
      print("I doubt it\n");
      break;
    case 7:
      print("no\n");
      break;
  }
}

function loop(): void {
  const current = chip_digital_read(SWITCH);
  // The ball answers when the switch is let go, not while it is down.
  if (current != previous) {
    if (current == LOW) answer();
  }
  previous = current;
}

export function main(): void {
  chip_pin_mode(SWITCH, INPUT);
  print("ask the crystal ball!\n");
  for (let i = 0; i < ITERATIONS; i++) loop();
}
