// A Sudoku, with nine cells in a line.

typedef char line[9];

#include "shared/sudoku.h"
