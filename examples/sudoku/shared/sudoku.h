// A Sudoku is read and solved. Who includes this says what a `line` is.

__attribute__((import_module("env"), import_name("print_string")))
void print_string(const char *text, int length);

enum { SIDE = 9, CELLS = SIDE * SIDE, EMPTY = 0 };

// What is to be solved, as it is written: a dot is an empty cell.
static const char puzzle[] =
    "..831...."
    "26.7.9135"
    "....46.79"
    "4.5......"
    "87.19..42"
    ".3945..87"
    ".1..3426."
    "..2.713.4"
    "54362..91";

// What has been read of it.
char text[CELLS];

struct board {
    char cells[CELLS];
};

// Every guess is made on a board of its own, so there may be as many as cells, and the first one.
struct board boards[CELLS + 1];
int used = 1;

// All lines, one after the other.
void read_puzzle(void) {
    for (int i = 0; i < (int)(sizeof text / sizeof(line)); i++) {
        for (int column = 0; column < SIDE; column++) {
            text[i * SIDE + column] = puzzle[i * SIDE + column];
        }
    }
}

// Can this number be in this cell, by the rules?
int board_allows(const struct board *board, int cell, int number) {
    int row = cell / SIDE, column = cell % SIDE;
    int box = row / 3 * 3 * SIDE + column / 3 * 3;
    for (int i = 0; i < SIDE; i++) {
        if (board->cells[row * SIDE + i] == number) return 0;
        if (board->cells[i * SIDE + column] == number) return 0;
        if (board->cells[box + i / 3 * SIDE + i % 3] == number) return 0;
    }
    return number >= 1 && number <= SIDE;
}

void board_set(struct board *board, int cell, int number) {
    board->cells[cell] = (char)number;
}

// A board for a guess is like the one that the guess is about.
void board_copy(struct board *board, const struct board *from) {
    for (int cell = 0; cell < CELLS; cell++) board->cells[cell] = from->cells[cell];
}

// No board that follows from this one is a solution. It is the newest.
void board_discard(struct board *board) {
    used = (int)(board - boards);
}

// From text to numbers, if the rules allow it.
int board_load(struct board *board) {
    for (int cell = 0; cell < CELLS; cell++) {
        int number = text[cell] == '.' ? EMPTY : text[cell] - '0';
        if (number != EMPTY && !board_allows(board, cell, number)) return 0;
        board_set(board, cell, number);
    }
    return 1;
}

// The solution, or nothing.
const struct board *solve(struct board *board) {
    int cell = 0;
    while (cell < CELLS && board->cells[cell] != EMPTY) cell++;
    if (cell == CELLS) return board;
    for (int number = 1; number <= SIDE; number++) {
        if (!board_allows(board, cell, number)) continue;
        struct board *guess = &boards[used++];
        board_copy(guess, board);
        board_set(guess, cell, number);
        const struct board *solved = solve(guess);
        if (solved) return solved;
        board_discard(guess);
    }
    return 0;
}

void show(const struct board *board) {
    for (int row = 0; row < SIDE; row++) {
        char digits[SIDE + 1];
        for (int column = 0; column < SIDE; column++) {
            digits[column] = (char)('0' + board->cells[row * SIDE + column]);
        }
        digits[SIDE] = '\n';
        print_string(digits, SIDE + 1);
    }
}

__attribute__((export_name("main")))
void main(void) {
    read_puzzle();
    if (!board_load(&boards[0])) {
        print_string("bad board\n", 10);
        return;
    }
    const struct board *solved = solve(&boards[0]);
    if (solved) show(solved);
}
