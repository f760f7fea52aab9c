// Bad message interleaving: two clients use the same calculator, and one of them believes to be
// alone. After Voyager, the multiverse debugger of Torres Lopez and others.

import { Actor, spawn } from "../../bindings/assemblyscript/actor";
import { print_int } from "../board";

// The calculator doubles a number, and keeps the result until it is asked for.

let result: i32 = 0;

export function math_double(x: i32): void {
  result = x + x;
}

export function math_getResult(): i32 {
  return result;
}

// The first client wants to know what two times 12 is.

let res: i32 = 0;

export function client1_start(math: Actor): void {
  math.tell("double", 12);
  math.send("getResult").when("print");
}

export function client1_print(answer: i32): void {
  res = answer;
  print_int(res);
}

// The second client doubles 33, and does not ask.

export function client2_start(math: Actor): void {
  math.tell("double", 33);
}

export function main(): void {
  const math = spawn("math");
  const client1 = spawn("client1");
  const client2 = spawn("client2");
  client1.tell("start", math);
  client2.tell("start", math);
}
