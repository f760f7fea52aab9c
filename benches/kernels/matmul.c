// Matrix multiplication in f64, the textbook triple loop: floating-point
// arithmetic and a load with a large stride.
//
// The entries are multiples of 1/4 and small, so every sum is exact and the
// checksum is the same whatever the order of additions. `run(n)` multiplies two
// n x n matrices and returns 16 * (u C v) for the row vector u = (1, 2, .. n)
// and the column vector v of alternating 1 and 2. As u C v = (u A)(B v), the
// expected value follows without multiplying matrices.

enum { LIMIT = 512 };

static double a[LIMIT * LIMIT];
static double b[LIMIT * LIMIT];
static double c[LIMIT * LIMIT];

long long run(int n) {
    if (n > LIMIT) return -1;

    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            a[row * n + column] = ((row * 7 + column * 3) % 17 - 8) / 4.0;
            b[row * n + column] = ((row * 5 + column * 11) % 13 - 4) / 4.0;
        }
    }

    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
            c[row * n + column] = sum;
        }
    }

    double checksum = 0;
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            checksum += (row + 1) * c[row * n + column] * (1 + column % 2);
        }
    }
    return (long long)(checksum * 16);
}
