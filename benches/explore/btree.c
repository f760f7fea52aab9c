// Keys inserted into a B-tree whose nodes and records come from an allocator of
// its own: a program whose paths are long, write a lot of memory, and depend on
// the keys in a few comparisons only.
//
// Every comparison of keys is a branch, and equal keys are ordered by when they
// came. So the path tells the order of the keys, and there are as many paths as
// orders: 6! = 720 for six readings. A tree that is not in order, or a record
// that is not as it was written, is a trap; no path leads to it.
//
// With ORDERED and OPEN defined, the keys are any numbers that differ, and the
// first ORDERED of them come in order: 7! / 4! = 210 paths for 4 and 3.
//
// `main` returns how many records the tree holds.

typedef unsigned int word;
typedef unsigned long size;

#ifdef ORDERED

__attribute__((import_module("owi"), import_name("i32_symbol")))
int i32_symbol(void);

__attribute__((import_module("owi"), import_name("assume")))
void assume(int condition);

enum { KEYS = ORDERED + OPEN, SMALLEST_KEY = -2147483647 - 1 };

static int next_key(int index) {
    static int keys[KEYS];
    int key = keys[index] = i32_symbol();
    if (index > 0 && index < ORDERED) assume(keys[index - 1] < key);
    for (int i = 0; index >= ORDERED && i < index; i++) assume(keys[i] != key);
    return key;
}

#else

__attribute__((import_module("env"), import_name("chip_analog_read")))
int chip_analog_read(int pin);

enum { KEYS = 6, SMALLEST_KEY = -1 };

static int next_key(int index) {
    return chip_analog_read(index);
}

#endif

static void require(int condition) {
    if (!condition) __builtin_trap();
}

// The allocator: one list of free blocks, in no order; the first that is large
// enough is taken, and split if it is much larger.

enum { HEAP = 64 * 1024, ALIGNMENT = 8, SMALLEST_REST = 32 };

struct block {
    size length;        // without this header
    struct block *next; // only while the block is free
};

static _Alignas(ALIGNMENT) char heap[HEAP];
static struct block *free_blocks;

static void *payload_of(struct block *block) {
    return block + 1;
}

static void start_heap(void) {
    free_blocks = (struct block *)heap;
    free_blocks->length = HEAP - sizeof(struct block);
    free_blocks->next = 0;
}

static void *allocate(size length) {
    length = (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct block **link = &free_blocks;
    while (*link && (*link)->length < length) link = &(*link)->next;
    struct block *found = *link;
    require(found != 0);
    if (found->length >= length + sizeof(struct block) + SMALLEST_REST) {
        struct block *rest = (struct block *)((char *)payload_of(found) + length);
        rest->length = found->length - length - sizeof(struct block);
        rest->next = found->next;
        found->length = length;
        *link = rest;
    } else {
        *link = found->next;
    }
    word *words = payload_of(found);
    for (size i = 0; i < length / sizeof(word); i++) words[i] = 0;
    return words;
}

static void release(void *payload) {
    struct block *block = (struct block *)payload - 1;
    block->next = free_blocks;
    free_blocks = block;
}

// A record: what a key stands for. It depends on when the key came, not on the
// key.

enum { RECORD_WORDS = 152 };

struct record {
    word serial;
    word checksum;
    word words[RECORD_WORDS];
};

static word checksum_of(const word *words) {
    word sum = 1;
    for (int i = 0; i < RECORD_WORDS; i++) sum = sum * 31 + words[i];
    return sum;
}

// Composed in a draft that is thrown away, so that blocks are used again.
static struct record *compose(word serial) {
    word *draft = allocate(RECORD_WORDS * sizeof(word));
    word state = 2463534242u + serial;
    for (int i = 0; i < RECORD_WORDS; i++) {
        state = state * 1664525u + 1013904223u;
        draft[i] = state >> 8;
    }
    struct record *record = allocate(sizeof(struct record));
    record->serial = serial;
    record->checksum = checksum_of(draft);
    for (int i = 0; i < RECORD_WORDS; i++) record->words[i] = draft[i];
    release(draft);
    return record;
}

// The tree: every node but the root has between one and three keys, and all
// leaves are equally deep.

enum { FULL = 3 };

struct node {
    int count;
    int is_leaf;
    int keys[FULL];
    struct record *records[FULL];
    struct node *children[FULL + 1];
};

static struct node *new_node(int is_leaf) {
    struct node *node = allocate(sizeof(struct node));
    node->is_leaf = is_leaf;
    return node;
}

// Split the full child at `index`: its middle key goes up into `parent`, which
// has room for it.
static void split_child(struct node *parent, int index) {
    struct node *left = parent->children[index];
    struct node *right = new_node(left->is_leaf);
    right->count = 1;
    right->keys[0] = left->keys[2];
    right->records[0] = left->records[2];
    right->children[0] = left->children[2];
    right->children[1] = left->children[3];
    left->count = 1;

    for (int i = parent->count; i > index; i--) {
        parent->keys[i] = parent->keys[i - 1];
        parent->records[i] = parent->records[i - 1];
        parent->children[i + 1] = parent->children[i];
    }
    parent->keys[index] = left->keys[1];
    parent->records[index] = left->records[1];
    parent->children[index + 1] = right;
    parent->count++;
}

static void insert_into_leaf(struct node *leaf, int key, struct record *record) {
    int i = leaf->count;
    while (i > 0 && key < leaf->keys[i - 1]) {
        leaf->keys[i] = leaf->keys[i - 1];
        leaf->records[i] = leaf->records[i - 1];
        i--;
    }
    leaf->keys[i] = key;
    leaf->records[i] = record;
    leaf->count++;
}

// Full nodes are split on the way down, so there is always room above.
static struct node *insert(struct node *root, int key, struct record *record) {
    if (root->count == FULL) {
        struct node *above = new_node(0);
        above->children[0] = root;
        split_child(above, 0);
        root = above;
    }
    struct node *node = root;
    while (!node->is_leaf) {
        int i = 0;
        while (i < node->count && key >= node->keys[i]) i++;
        struct node *child = node->children[i];
        if (child->count == FULL) {
            // Then search this node again, rather than adding the outcome of a
            // comparison to `i`: an index must not depend on a key.
            split_child(node, i);
        } else {
            node = child;
        }
    }
    insert_into_leaf(node, key, record);
    return root;
}

static int previous_key;

static int verify(const struct node *node) {
    int total = 0;
    for (int i = 0; i < node->count; i++) {
        if (!node->is_leaf) total += verify(node->children[i]);
        require(previous_key <= node->keys[i]);
        previous_key = node->keys[i];
        const struct record *record = node->records[i];
        require(checksum_of(record->words) == record->checksum);
        total++;
    }
    if (!node->is_leaf) total += verify(node->children[node->count]);
    return total;
}

__attribute__((export_name("main")))
int insert_and_verify(void) {
    start_heap();
    struct node *root = new_node(1);
    for (int i = 0; i < KEYS; i++) root = insert(root, next_key(i), compose((word)i));
    previous_key = SMALLEST_KEY;
    int total = verify(root);
    require(total == KEYS);
    return total;
}
