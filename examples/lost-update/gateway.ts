// The gateway keeps how much rain both gauges have measured so far, in millimetres.

import { sender } from "../../bindings/assemblyscript/actor";
import { must } from "../property";

// Each gauge reports one millimetre.
const FALLEN: i32 = 2;

let total: i32 = 0;

export function read(): i32 {
  return total;
}

export function write(value: i32): void {
  must(value > total); // What was reported is not forgotten,
  total = value;
  must(total <= FALLEN); // and nothing is counted twice.
}

export function add(rain: i32): void {
  total += rain;
  must(total <= FALLEN);
  sender().tell("added");
}
