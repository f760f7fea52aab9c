// A table with as many forks as philosophers, one fork between any two of them. To eat, one needs
// both forks beside one's plate.

import { Actor, Answer, NO_ANSWER, defer } from "../../../bindings/assemblyscript/actor";

export const PHILOSOPHERS: i32 = 3;

// A fork is taken by one at a time: who asks for it while another one has it gets the answer later.

let taken: bool = false;
let waiting: Answer = NO_ANSWER;

export function fork_take(): void {
  if (taken) waiting = defer();
  taken = true;
}

export function fork_release(): void {
  if (waiting == NO_ANSWER) {
    taken = false;
  } else {
    waiting.resolve();
    waiting = NO_ANSWER;
  }
}

// A philosopher takes one fork, then the other one, eats, and puts both back.

let eaten: bool = false;

export function philosopher_init(first: Actor, second: Actor): void {
  first.send("take").when("takeOther", first, second);
}

export function philosopher_takeOther(first: Actor, second: Actor): void {
  second.send("take").when("eat", first, second);
}

export function philosopher_eat(first: Actor, second: Actor): void {
  eaten = true;
  first.tell("release");
  second.tell("release");
}
