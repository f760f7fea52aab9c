// Actors in AssemblyScript: the imports of module `actor`, with types.
//
//   export function client_start(math: Actor): void {
//     math.tell("double", 12);                 // wants no answer
//     math.send("getResult").when("print");    // client_print gets the answer, in a later turn
//   }
//   export function client_print(res: i32): void { … }
//
// A message is a name and up to three values, which arrive as the parameters of the handler: of
// `client_start`, for the message `start` to an actor of kind `client`. Numbers and actors are
// their bytes, a `bool` or a small integer is an i32, a text or a StaticArray<u8> is as many bytes
// as it has (so that a value which is left out, "", is none).
//
// An actor, a future and an answer are numbers in disguise: making one allocates nothing, and each
// may be a parameter, a result or part of a message. Nothing here remembers anything: equal actors
// stay equal.

// An actor, by its address.
@unmanaged
export class Actor {
  // Send a message that wants no answer.
  tell<A, B, C>(name: string, a: A = "", b: B = "", c: C = ""): void {
    const data = put(message, name);
    const end = put(put(put(data, a), b), c);
    actor_tell(this, message, data - message, data, end - data);
    clear(end);
  }

  // Send a message. Its answer is the future's value.
  send<A, B, C>(name: string, a: A = "", b: B = "", c: C = ""): Future {
    const data = put(message, name);
    const end = put(put(put(data, a), b), c);
    const future = actor_send(this, message, data - message, data, end - data);
    clear(end);
    return future;
  }
}

// The answer to a message that this actor has sent, now or later.
@unmanaged
export class Future {
  // Once there is an answer, this actor's handler `name` gets it, followed by these values.
  when<A, B, C>(name: string, a: A = "", b: B = "", c: C = ""): Future {
    const data = put(message, name);
    const end = put(put(put(data, a), b), c);
    actor_when(this, message, data - message, data, end - data);
    clear(end);
    return this;
  }

  // If there will be none, the handler gets the reason, followed by these values.
  rescue<A, B, C>(name: string, a: A = "", b: B = "", c: C = ""): Future {
    const data = put(message, name);
    const end = put(put(put(data, a), b), c);
    actor_rescue(this, message, data - message, data, end - data);
    clear(end);
    return this;
  }
}

// The answer to a message that this actor has got, left open by `defer`.
@unmanaged
export class Answer {
  resolve<A>(value: A = ""): void {
    const end = put(message, value);
    actor_resolve(this, message, end - message);
    clear(end);
  }

  ruin<A>(reason: A = ""): void {
    const end = put(message, reason);
    actor_ruin(this, message, end - message);
    clear(end);
  }
}

// Nobody: whom `sender` and `find` return if there is no such actor. (Address 0 is somebody.)
@inline
export const NOBODY: Actor = changetype<Actor>(-1);
// No answer that was deferred.
@inline
export const NO_ANSWER: Answer = changetype<Answer>(-1);

// A new actor. Its handler `init`, if it has one, gets these values before any other message.
export function spawn<A, B, C>(kind: string, a: A = "", b: B = "", c: C = ""): Actor {
  const data = put(message, kind);
  const end = put(put(put(data, a), b), c);
  const actor = actor_spawn(message, data - message, data, end - data);
  clear(end);
  return actor;
}

// An actor of the system file, by name.
export function find(name: string): Actor {
  const end = put(message, name);
  const actor = actor_find(message, end - message);
  clear(end);
  return actor;
}

// This actor.
@external("actor", "self")
export declare function self(): Actor;
// Who sent the message of this turn.
@external("actor", "sender")
export declare function sender(): Actor;
// Leave the answer to this turn's message open.
@external("actor", "defer")
export declare function defer(): Answer;
// Take no further turns after this one.
@external("actor", "stop")
export declare function stop(): void;
// Copy the bytes of this turn's message, `room` at most, and return how many there are. For
// handlers without parameters, which take any message.
@external("actor", "payload")
export declare function payload(at: usize, room: usize): i32;

@external("actor", "spawn")
declare function actor_spawn(kind: usize, kindLength: usize, data: usize, length: usize): Actor;
@external("actor", "find")
declare function actor_find(name: usize, nameLength: usize): Actor;
@external("actor", "tell")
declare function actor_tell(to: Actor, name: usize, nameLength: usize, data: usize, length: usize): void;
@external("actor", "send")
declare function actor_send(to: Actor, name: usize, nameLength: usize, data: usize, length: usize): Future;
@external("actor", "when")
declare function actor_when(future: Future, name: usize, nameLength: usize, data: usize, length: usize): void;
@external("actor", "rescue")
declare function actor_rescue(future: Future, name: usize, nameLength: usize, data: usize, length: usize): void;
@external("actor", "resolve")
declare function actor_resolve(answer: Answer, data: usize, length: usize): void;
@external("actor", "ruin")
declare function actor_ruin(answer: Answer, data: usize, length: usize): void;

// Where a message is put together: its name, then its data. All zeros between any two calls.
const ROOM: usize = 256;
const message: usize = memory.data(256);

// Put the bytes of a value at `at`, and return where they end.
function put<T>(at: usize, value: T): usize {
  if (isString<T>()) {
    const text = changetype<string>(value);
    assert(at + String.UTF8.byteLength(text, false) <= message + ROOM, "a message is too long");
    return at + String.UTF8.encodeUnsafe(changetype<usize>(text), text.length, at, false, String.UTF8.ErrorMode.WTF8);
  }
  if (value instanceof StaticArray<u8>) {
    const length = value.length;
    assert(at + length <= message + ROOM, "a message is too long");
    memory.copy(at, changetype<usize>(value), length);
    return at + length;
  }
  if (isManaged<T>()) ERROR("a message is made of numbers, actors, texts and bytes");
  assert(at + 8 <= message + ROOM, "a message is too long");
  if (sizeof<T>() < sizeof<i32>()) {
    store<i32>(at, i32(value));
    return at + sizeof<i32>();
  }
  store<T>(at, value);
  return at + sizeof<T>();
}

function clear(end: usize): void {
  memory.fill(message, 0, end - message);
}
