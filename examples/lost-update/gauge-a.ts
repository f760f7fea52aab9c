// The older gauge: it reads the total from the gateway, adds to it, and writes it back.

import { find } from "../../bindings/assemblyscript/actor";

const RAIN: i32 = 1;

export function main(): void {
  find("gateway").send("read").when("update");
}

export function update(total: i32): void {
  find("gateway").tell("write", total + RAIN);
}
