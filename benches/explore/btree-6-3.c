// 9 keys that differ, the first 6 of them in order: 9! / 6! = 504 paths.

#define ORDERED 6
#define OPEN 3
#include "btree.c"
