// A command line that completes what is typed: four keys at a ladder of resistors, one of which
// repeats the last command.

__attribute__((import_module("env"), import_name("chip_analog_read")))
int chip_analog_read(int pin);
__attribute__((import_module("env"), import_name("print_string")))
void print_string(const char *text, int length);

enum { LADDER = 14, KEYS = 3 };

// The line that is typed.
char line[16];
int length;

// The last command, if there was one.
char *history;

// Where the word begins that is to be completed.
char *word;

char pressed_key(void) {
    int level = chip_analog_read(LADDER);
    if (level < 1000) return 'a';
    if (level < 2000) return ' ';
    if (level < 3000) return '>';
    return '!';
}

// Where a word ends.
char *word_end(char *at) {
    while (*at >= 'a' && *at <= 'z') at++;
    return at;
}

// "!" is the last command over again.
void repeat(void) {
    word = history;
    for (char *at = history; at && *at; at++) line[length++] = *at;
}

// After ">" comes the name of a file, from the next letter on.
void redirect(void) {
    line[length++] = '>';
    word = line + length;
}

void type(char key) {
    if (key == '!') {
        repeat();
    } else if (key == '>') {
        redirect();
    } else {
        line[length++] = key;
        if (key == ' ') word = line + length;
    }
}

void complete(void) {
    print_string(word, (int)(word_end(word) - word));
    print_string("...\n", 4);
}

__attribute__((export_name("main")))
void main(void) {
    word = line;
    for (int i = 0; i < KEYS; i++) type(pressed_key());
    complete();
}
