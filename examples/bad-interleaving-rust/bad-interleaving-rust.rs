//! Bad message interleaving, in Rust: two clients use the same calculator, and one of them believes
//! to be alone.

#![no_std]
#![allow(non_snake_case)] // A message is called as in the other languages.

use manyworlds_actor::{Actor, State, actor, spawn};

unsafe extern "C" {
    safe fn print_int(value: i32);
}

static RESULT: State<i32> = State::new(0);

// The calculator doubles a number, and keeps the result until it is asked for.
actor! { math {
    fn double(x: i32) {
        RESULT.set(x + x);
    }

    fn getResult() -> i32 {
        RESULT.get()
    }
} }

static RES: State<i32> = State::new(0);

// The first client wants to know what two times 12 is.
actor! { client1 {
    fn start(math: Actor) {
        math.tell("double", 12);
        math.send("getResult", ()).when("print", ());
    }

    fn print(answer: i32) {
        RES.set(answer);
        print_int(answer);
    }
} }

// The second client doubles 33, and does not ask.
actor! { client2 {
    fn start(math: Actor) {
        math.tell("double", 33);
    }
} }

#[unsafe(no_mangle)]
extern "C" fn main() {
    let math = spawn("math", ());
    let client1 = spawn("client1", ());
    let client2 = spawn("client2", ());
    client1.tell("start", math);
    client2.tell("start", math);
}
