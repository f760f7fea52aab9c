// Producers and consumers of one queue, which says how much room there is.

#include "shared/queue.h"

int HANDLER(queue, room)(void) {
    return SIZE - count;
}

void HANDLER(queue, push)(int item) {
    items[(first + count) % SIZE] = item;
    count++;
}
