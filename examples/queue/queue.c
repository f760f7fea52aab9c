// The announcements of a railway station: letters go to one display, digits to another, and each
// display has a queue of its own.

__attribute__((import_module("env"), import_name("print_string")))
void print_string(const char *text, int length);

struct queue {
    char *items;
    int size, first, count;
};

// The room of all queues. There is exactly enough of it.
static char room[24];
static int given;

static struct queue letters, digits;

// Make a queue for so many characters.
void queue_new(struct queue *queue, int size) {
    queue->items = room + given;
    queue->size = size;
    queue->first = queue->count = 0;
    given += size;
}

void queue_push(struct queue *queue, char item) {
    queue->items[queue->first + queue->count] = item;
    queue->count++;
}

char queue_pop(struct queue *queue) {
    char item = queue->items[queue->first];
    queue->first++;
    queue->count--;
    return item;
}

void announce(const char *text) {
    for (; *text; text++) {
        if (*text >= '0' && *text <= '9') queue_push(&digits, *text);
        if (*text >= 'a' && *text <= 'z') queue_push(&letters, *text);
    }
}

void show(struct queue *queue) {
    while (queue->count > 0) {
        char item = queue_pop(queue);
        print_string(&item, 1);
    }
    print_string("\n", 1);
}

__attribute__((export_name("main")))
void main(void) {
    queue_new(&letters, 16);
    queue_new(&digits, 8);
    announce("platform 9, train 4711 late");
    show(&letters);
    show(&digits);
}
