// 7 keys that differ, the first 4 of them in order: 7! / 4! = 210 paths.

#define ORDERED 4
#define OPEN 3
#include "btree.c"
