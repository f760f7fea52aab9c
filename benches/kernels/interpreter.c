// An interpreter inside the interpreter: a register machine whose bytecode is
// decoded by a switch, which compiles to `br_table`. The bytecode adds up the
// lengths of the Collatz sequences that start at 1, 2, .. n; `run(n)` returns
// that sum.

typedef unsigned char byte;

enum opcode {
    HALT,             // stop; the result is in register 0
    SET,              // a = the constant b
    MOVE,             // a = b
    ADD,              // a += b
    SUBTRACT,         // a -= b
    MULTIPLY,         // a *= b
    AND,              // a &= b
    SHIFT_RIGHT,      // a >>= the constant b
    INCREMENT,        // a += 1
    JUMP,             // go to b
    JUMP_IF_ZERO,     // go to b if a is 0
    JUMP_IF_NOT_ZERO, // go to b if a is not 0
};

struct instruction {
    byte opcode, a, b;
};

enum { TOTAL, START, VALUE, LIMIT, ONE, THREE, SCRATCH, REGISTERS };

static const struct instruction collatz[] = {
    /*  0 */ {SET, TOTAL, 0},
    /*  1 */ {SET, START, 1},
    /*  2 */ {SET, ONE, 1},
    /*  3 */ {SET, THREE, 3},
    // For each start ...
    /*  4 */ {MOVE, SCRATCH, LIMIT},
    /*  5 */ {SUBTRACT, SCRATCH, START},
    /*  6 */ {INCREMENT, SCRATCH, 0},
    /*  7 */ {JUMP_IF_ZERO, SCRATCH, 23},
    /*  8 */ {MOVE, VALUE, START},
    // ... until the value is 1 ...
    /*  9 */ {MOVE, SCRATCH, VALUE},
    /* 10 */ {SUBTRACT, SCRATCH, ONE},
    /* 11 */ {JUMP_IF_ZERO, SCRATCH, 21},
    /* 12 */ {INCREMENT, TOTAL, 0},
    /* 13 */ {MOVE, SCRATCH, VALUE},
    /* 14 */ {AND, SCRATCH, ONE},
    /* 15 */ {JUMP_IF_NOT_ZERO, SCRATCH, 18},
    // ... halve an even one ...
    /* 16 */ {SHIFT_RIGHT, VALUE, 1},
    /* 17 */ {JUMP, 0, 9},
    // ... and triple an odd one and add 1.
    /* 18 */ {MULTIPLY, VALUE, THREE},
    /* 19 */ {ADD, VALUE, ONE},
    /* 20 */ {JUMP, 0, 9},
    /* 21 */ {INCREMENT, START, 0},
    /* 22 */ {JUMP, 0, 4},
    /* 23 */ {HALT, 0, 0},
};

static unsigned long long registers[REGISTERS];

static unsigned long long interpret(const struct instruction *program) {
    int pc = 0;
    for (;;) {
        struct instruction now = program[pc++];
        switch (now.opcode) {
            case SET: registers[now.a] = now.b; break;
            case MOVE: registers[now.a] = registers[now.b]; break;
            case ADD: registers[now.a] += registers[now.b]; break;
            case SUBTRACT: registers[now.a] -= registers[now.b]; break;
            case MULTIPLY: registers[now.a] *= registers[now.b]; break;
            case AND: registers[now.a] &= registers[now.b]; break;
            case SHIFT_RIGHT: registers[now.a] >>= now.b; break;
            case INCREMENT: registers[now.a] += 1; break;
            case JUMP: pc = now.b; break;
            case JUMP_IF_ZERO:
                if (registers[now.a] == 0) pc = now.b;
                break;
            case JUMP_IF_NOT_ZERO:
                if (registers[now.a] != 0) pc = now.b;
                break;
            default: return registers[0];
        }
    }
}

long long run(int n) {
    registers[LIMIT] = (unsigned)n;
    return (long long)interpret(collatz);
}
