// Actors in C: the imports of module `actor`, and what makes them pleasant to use.
//
//     void HANDLER(client, start)(actor math) {
//         tell(math, "double", 12);                 // wants no answer
//         when(send(math, "getResult"), "print");   // client.print gets the answer, in a later turn
//     }
//     void HANDLER(client, print)(int res) { … }
//
// A message is a name and the bytes of a value, or of none, which arrive as the parameters of the
// handler. For several parameters the value is a struct with as many members; PACKED, if they are
// of different sizes:
//
//     typedef struct { int x, y; } position;
//     tell(robot, "go", ((position){ 3, 4 }));      // void HANDLER(robot, go)(int x, int y)
//
// Names are literals. A pointer is sent as a number; what it points to, as with texts, is sent by
// `actor_tell` and the others that take bytes. No library is needed, and nothing here remembers
// anything.

#ifndef MANYWORLDS_ACTOR_H
#define MANYWORLDS_ACTOR_H

typedef int actor;   // The address of an actor.
typedef int future;  // The answer to a message that this actor has sent, now or later.
typedef int answer;  // The answer to a message that this actor has got, left open by `defer`.

// Nobody: whom `sender` and `find` return if there is no such actor. (Address 0 is somebody.)
enum { NOBODY = -1 };

// The function that handles messages of this name to actors of this kind, `kind_name` within C;
// the second one is for an actor without a kind.
#define HANDLER(kind, name) __attribute__((export_name(#kind "." #name))) kind##_##name
#define HANDLER_OF_NO_KIND(name) __attribute__((export_name(#name))) name

// A struct whose members follow each other without gaps, as the parameters of a handler do.
#define PACKED __attribute__((packed))

#define ACTOR_IMPORT(name) __attribute__((import_module("actor"), import_name(name))) extern

// This actor.
ACTOR_IMPORT("self") actor self(void);
// Who sent the message of this turn.
ACTOR_IMPORT("sender") actor sender(void);
// Leave the answer to this turn's message open, for `resolve` or `ruin`.
ACTOR_IMPORT("defer") answer defer(void);
// Take no further turns after this one.
ACTOR_IMPORT("stop") void stop(void);
// Copy the bytes of this turn's message, `room` at most, and return how many there are. For
// handlers without parameters, which take any message.
ACTOR_IMPORT("payload") int payload(void *at, int room);

// The same as below, for bytes and for names that are not literals.
ACTOR_IMPORT("spawn") actor actor_spawn(const char *kind, int kind_length, const void *data, int length);
ACTOR_IMPORT("find") actor actor_find(const char *name, int name_length);
ACTOR_IMPORT("tell") void actor_tell(actor to, const char *name, int name_length, const void *data, int length);
ACTOR_IMPORT("send") future actor_send(actor to, const char *name, int name_length, const void *data, int length);
ACTOR_IMPORT("when") void actor_when(future of, const char *name, int name_length, const void *data, int length);
ACTOR_IMPORT("rescue") void actor_rescue(future of, const char *name, int name_length, const void *data, int length);
ACTOR_IMPORT("resolve") void actor_resolve(answer to, const void *data, int length);
ACTOR_IMPORT("ruin") void actor_ruin(answer to, const void *data, int length);

// An actor of the system file, by name.
#define find(name) actor_find(ACTOR_NAME(name))
// spawn(kind) or spawn(kind, value): a new actor. Its handler `init`, if it has one, gets the value
// before any other message.
#define spawn(...) actor_spawn(ACTOR_MESSAGE(__VA_ARGS__))
// tell(to, name) or tell(to, name, value): send a message that wants no answer.
#define tell(to, ...) actor_tell(to, ACTOR_MESSAGE(__VA_ARGS__))
// send(to, name) or send(to, name, value): send a message. Its answer is the future's value.
#define send(to, ...) actor_send(to, ACTOR_MESSAGE(__VA_ARGS__))
// when(future, name) or when(future, name, value): once there is an answer, this actor's handler
// `name` gets it, followed by the value.
#define when(future, ...) actor_when(future, ACTOR_MESSAGE(__VA_ARGS__))
// The same, if there will be none: the handler gets the reason, followed by the value.
#define rescue(future, ...) actor_rescue(future, ACTOR_MESSAGE(__VA_ARGS__))
// resolve(answer) or resolve(answer, value); ruin(answer) or ruin(answer, reason).
#define resolve(...) ACTOR_PICK(__VA_ARGS__, ACTOR_RESOLVE_WITH, actor_resolve_empty, )(__VA_ARGS__)
#define ruin(...) ACTOR_PICK(__VA_ARGS__, ACTOR_RUIN_WITH, actor_ruin_empty, )(__VA_ARGS__)

// How it is done: a name becomes its address and length, a value the address and size of a copy.
#define ACTOR_NAME(name) "" name, (int)sizeof(name) - 1
#define ACTOR_BYTES(value) (__typeof__(value)[]){ value }, (int)sizeof(value)
#define ACTOR_NAME_ONLY(name) ACTOR_NAME(name), 0, 0
#define ACTOR_NAME_AND_BYTES(name, value) ACTOR_NAME(name), ACTOR_BYTES(value)
// The third of its arguments: what comes after one or two.
#define ACTOR_PICK(first, second, third, ...) third
#define ACTOR_MESSAGE(...) ACTOR_PICK(__VA_ARGS__, ACTOR_NAME_AND_BYTES, ACTOR_NAME_ONLY, )(__VA_ARGS__)
#define ACTOR_RESOLVE_WITH(answer, value) actor_resolve(answer, ACTOR_BYTES(value))
#define ACTOR_RUIN_WITH(answer, reason) actor_ruin(answer, ACTOR_BYTES(reason))
static inline void actor_resolve_empty(answer to) { actor_resolve(to, 0, 0); }
static inline void actor_ruin_empty(answer to) { actor_ruin(to, 0, 0); }

#endif
