// Heapsort of pseudo-random numbers: loads and stores at addresses that no
// cache foresees, and comparisons that no predictor does. `run(n)` sorts n
// numbers and returns a checksum that depends on their order, or -1 if they are
// not in order.

enum { LIMIT = 1000 * 1000 };

static int numbers[LIMIT];

// A xorshift generator with the shifts 13, 17 and 5.
static unsigned next_random(unsigned x) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

// Let the number at `root` sink until both its children are smaller.
static void sift_down(int root, int end) {
    int sinking = numbers[root];
    for (;;) {
        int child = 2 * root + 1;
        if (child >= end) break;
        if (child + 1 < end && numbers[child + 1] > numbers[child]) child++;
        if (numbers[child] <= sinking) break;
        numbers[root] = numbers[child];
        root = child;
    }
    numbers[root] = sinking;
}

long long run(int n) {
    if (n > LIMIT) return -1;

    unsigned random = 2463534242u;
    for (int i = 0; i < n; i++) {
        random = next_random(random);
        numbers[i] = (int)random;
    }

    for (int root = n / 2 - 1; root >= 0; root--) sift_down(root, n);
    for (int end = n - 1; end > 0; end--) {
        int largest = numbers[0];
        numbers[0] = numbers[end];
        numbers[end] = largest;
        sift_down(0, end);
    }

    unsigned checksum = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0 && numbers[i - 1] > numbers[i]) return -1;
        checksum = checksum * 31 + (unsigned)numbers[i];
    }
    return checksum;
}
