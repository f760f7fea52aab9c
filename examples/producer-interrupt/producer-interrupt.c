// Parcels on a belt: a light barrier interrupts the program whenever one comes, and the program
// takes them off one after the other.

__attribute__((import_module("env"), import_name("chip_delay")))
void chip_delay(int milliseconds);
__attribute__((import_module("env"), import_name("print_int")))
void print_int(int value);
// A function's address is its index in the program's table.
__attribute__((import_module("env"), import_name("subscribe_interrupt")))
void subscribe_interrupt(int pin, void (*handler)(void), int mode);
__attribute__((import_module("env"), import_name("unsubscribe_interrupt")))
void unsubscribe_interrupt(int pin);

enum { BARRIER = 4, RISING = 3 };

// How many parcels are on the belt.
int waiting;

// The producer.
void parcel_comes(void) {
    waiting++;
}

// The consumer.
void parcel_goes(void) {
    waiting--;
}

__attribute__((export_name("main")))
void main(void) {
    parcel_comes();
    subscribe_interrupt(BARRIER, parcel_comes, RISING);
    chip_delay(1000);
    parcel_goes();
    chip_delay(1000);
    unsubscribe_interrupt(BARRIER);
    print_int(waiting);
}
