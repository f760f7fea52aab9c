// An elevator: a cabin, a door and a controller, a caller on another floor, and a rider who wants
// to get out.

import { Actor, Answer, NOBODY, NO_ANSWER, defer, self, spawn } from "../../bindings/assemblyscript/actor";
import { must } from "../property";

// The cabin answers once it has arrived.

let floor: i32 = 0;
let arrival: Answer = NO_ANSWER;

export function cabin_go(to: i32): void {
  arrival = defer();
  self().tell("arrive", to);
}

export function cabin_arrive(at: i32): void {
  floor = at;
  arrival.resolve();
  arrival = NO_ANSWER;
}

// The door answers once it is open, or closed.

let open: bool = true;

export function door_open(): void {
  open = true;
}

export function door_close(): void {
  open = false;
}

// The controller closes the door, then sends the cabin on its way. The button in the cabin opens
// the door, unless the cabin moves.

let cabin: Actor = NOBODY;
let door: Actor = NOBODY;
let moving: bool = false;

export function controller_init(itsCabin: Actor, itsDoor: Actor): void {
  cabin = itsCabin;
  door = itsDoor;
}

export function controller_call(to: i32): void {
  door.send("close").when("closed", to);
}

export function controller_closed(to: i32): void {
  moving = true;
  cabin.send("go", to).when("arrived");
}

export function controller_arrived(): void {
  moving = false;
}

export function controller_button(): void {
  if (!moving) door.send("open").when("opened");
}

export function controller_opened(): void {
  must(!moving);
}

// The people.

export function caller_init(controller: Actor): void {
  controller.tell("call", 3);
}

export function rider_init(controller: Actor): void {
  controller.tell("button");
}

export function main(): void {
  const controller = spawn("controller", spawn("cabin"), spawn("door"));
  spawn("caller", controller);
  spawn("rider", controller);
}
