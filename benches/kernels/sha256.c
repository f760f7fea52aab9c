// SHA-256 after FIPS 180-4: rotations, shifts and additions on 32-bit words.
// `run(n)` hashes the letter 'a' repeated n times and returns the first eight
// bytes of the digest, read as a big-endian number.

typedef unsigned int word;
typedef unsigned char byte;

static const word round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static word hash[8];
static byte block[64];
static word schedule[64];

static word rotate_right(word x, int by) { return x >> by | x << (32 - by); }

static void start(void) {
    hash[0] = 0x6a09e667;
    hash[1] = 0xbb67ae85;
    hash[2] = 0x3c6ef372;
    hash[3] = 0xa54ff53a;
    hash[4] = 0x510e527f;
    hash[5] = 0x9b05688c;
    hash[6] = 0x1f83d9ab;
    hash[7] = 0x5be0cd19;
}

static void prepare_schedule(void) {
    for (int t = 0; t < 16; t++) {
        const byte *at = block + 4 * t;
        schedule[t] = (word)at[0] << 24 | (word)at[1] << 16 | (word)at[2] << 8 | at[3];
    }
    for (int t = 16; t < 64; t++) {
        word early = schedule[t - 15], late = schedule[t - 2];
        word sigma0 = rotate_right(early, 7) ^ rotate_right(early, 18) ^ early >> 3;
        word sigma1 = rotate_right(late, 17) ^ rotate_right(late, 19) ^ late >> 10;
        schedule[t] = sigma1 + schedule[t - 7] + sigma0 + schedule[t - 16];
    }
}

static void compress_block(void) {
    prepare_schedule();

    word a = hash[0], b = hash[1], c = hash[2], d = hash[3];
    word e = hash[4], f = hash[5], g = hash[6], h = hash[7];

    for (int t = 0; t < 64; t++) {
        word sum1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
        word choice = (e & f) ^ (~e & g);
        word first = h + sum1 + choice + round_constants[t] + schedule[t];
        word sum0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
        word majority = (a & b) ^ (a & c) ^ (b & c);
        word second = sum0 + majority;
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }

    hash[0] += a;
    hash[1] += b;
    hash[2] += c;
    hash[3] += d;
    hash[4] += e;
    hash[5] += f;
    hash[6] += g;
    hash[7] += h;
}

// The message ends with a one bit, zeros, and its length in bits in eight bytes.
static void finish(int used, unsigned long long length) {
    block[used++] = 0x80;
    if (used > 56) {
        while (used < 64) block[used++] = 0;
        compress_block();
        used = 0;
    }
    while (used < 56) block[used++] = 0;
    for (int i = 0; i < 8; i++) block[56 + i] = length * 8 >> (56 - 8 * i);
    compress_block();
}

long long run(int n) {
    int used = 0;
    start();
    for (int i = 0; i < n; i++) {
        block[used++] = 'a';
        if (used == 64) {
            compress_block();
            used = 0;
        }
    }
    finish(used, n);
    return (long long)((unsigned long long)hash[0] << 32 | hash[1]);
}
