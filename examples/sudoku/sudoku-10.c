// A Sudoku, with room for the end of the text in a line.

typedef char line[10];

#include "shared/sudoku.h"
