// The first 100 numbers are put on a stack and taken off again, one after the other.

__attribute__((import_module("env"), import_name("print_int")))
void print_int(int value);

enum { NUMBERS = 100, ROUNDS = 10 };

static int items[NUMBERS];
static int depth;

void stack_push(int number) {
    items[depth++] = number;
}

int stack_pop(void) {
    return items[--depth];
}

__attribute__((export_name("main")))
void main(void) {
    int sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int number = 0; number < NUMBERS; number++) {
            stack_push(number);
            sum += stack_pop();
        }
    }
    print_int(sum);
}
