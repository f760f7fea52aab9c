// A queue of bounded length, its producers and its consumers. Who includes this says how the queue is
// asked for room, and filled: `queue_room`, `queue_push`.

#include "../../../bindings/c/actor.h"

enum { SIZE = 2, PRODUCERS = 3, CONSUMERS = 2 };

// What the queue remembers. Who finds nothing in it is told -1.

int items[SIZE];
int first, count;

int HANDLER(queue, pop)(void) {
    if (count == 0) return -1;
    int item = items[first];
    first = (first + 1) % SIZE;
    count--;
    return item;
}

// A producer asks for room before it pushes.

actor queue;
int number;

typedef struct { actor queue; int number; } assignment;

void HANDLER(producer, init)(actor its_queue, int its_number) {
    queue = its_queue;
    number = its_number;
    when(send(queue, "room"), "produce");
}

void HANDLER(producer, produce)(int room) {
    if (room > 0) tell(queue, "push", number);
}

// A consumer takes what there is.

int taken;

void HANDLER(consumer, init)(actor its_queue) {
    when(send(its_queue, "pop"), "consume");
}

void HANDLER(consumer, consume)(int item) {
    taken = item;
}

void HANDLER_OF_NO_KIND(main)(void) {
    actor its_queue = spawn("queue");
    for (int i = 0; i < PRODUCERS; i++) spawn("producer", ((assignment){ its_queue, i }));
    for (int i = 0; i < CONSUMERS; i++) spawn("consumer", its_queue);
}
