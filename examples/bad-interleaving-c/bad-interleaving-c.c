// Bad message interleaving, in C: two clients use the same calculator, and one of them believes to
// be alone.

#include "../../bindings/c/actor.h"

__attribute__((import_module("env"), import_name("print_int")))
void print_int(int value);

// The calculator doubles a number, and keeps the result until it is asked for.

int result = 0;

void HANDLER(math, double)(int x) {
    result = x + x;
}

int HANDLER(math, getResult)(void) {
    return result;
}

// The first client wants to know what two times 12 is.

int res = 0;

void HANDLER(client1, start)(actor math) {
    tell(math, "double", 12);
    when(send(math, "getResult"), "print");
}

void HANDLER(client1, print)(int answer) {
    res = answer;
    print_int(res);
}

// The second client doubles 33, and does not ask.

void HANDLER(client2, start)(actor math) {
    tell(math, "double", 33);
}

void HANDLER_OF_NO_KIND(main)(void) {
    actor math = spawn("math");
    actor client1 = spawn("client1");
    actor client2 = spawn("client2");
    tell(client1, "start", math);
    tell(client2, "start", math);
}
