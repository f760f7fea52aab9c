// Producers and consumers of one queue, which keeps the room that it has promised.

#include "shared/queue.h"

int promised;

int HANDLER(queue, room)(void) {
    int room = SIZE - count - promised;
    if (room > 0) promised++;
    return room;
}

void HANDLER(queue, push)(int item) {
    items[(first + count) % SIZE] = item;
    count++;
    promised--;
}
