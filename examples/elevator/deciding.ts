// The elevator with a controller that remembers what it has decided, and not only what the cabin does.

import { Actor, NOBODY, spawn } from "../../bindings/assemblyscript/actor";

export { cabin_go, cabin_arrive, door_open, door_close, caller_init, rider_init } from "./elevator";

let cabin: Actor = NOBODY;
let door: Actor = NOBODY;

// From the call on: the door closes, the cabin moves.
let departing: bool = false;

export function controller_init(itsCabin: Actor, itsDoor: Actor): void {
  cabin = itsCabin;
  door = itsDoor;
}

export function controller_call(to: i32): void {
  departing = true;
  door.send("close").when("closed", to);
}

export function controller_closed(to: i32): void {
  cabin.send("go", to).when("arrived");
}

export function controller_arrived(): void {
  departing = false;
}

export function controller_button(): void {
  if (!departing) door.tell("open");
}

export function main(): void {
  const controller = spawn("controller", spawn("cabin"), spawn("door"));
  spawn("caller", controller);
  spawn("rider", controller);
}
