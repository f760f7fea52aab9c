// The sieve of Eratosthenes: strided byte stores over a memory much larger
// than a cache. `run(n)` is the number of primes below n.

enum { LIMIT = 20 * 1000 * 1000 };

static unsigned char composite[LIMIT];

long long run(int n) {
    if (n > LIMIT) return -1;

    for (int i = 0; i < n; i++) composite[i] = 0;

    for (int i = 2; i * i < n; i++) {
        if (composite[i]) continue;
        for (int multiple = i * i; multiple < n; multiple += i) composite[multiple] = 1;
    }

    int primes = 0;
    for (int i = 2; i < n; i++) {
        if (!composite[i]) primes++;
    }
    return primes;
}
