// The primitives of the simulated board: every function that a program may
// import from `env`. A program imports only those that it calls.

// Modes of a pin.
export const INPUT: i32 = 0;
export const OUTPUT: i32 = 2;

// Levels of a digital pin.
export const LOW: i32 = 0;
export const HIGH: i32 = 1;

// Pins. An analog reading is in 0..4095, a digital one is LOW or HIGH.
@external("env", "chip_pin_mode")
export declare function chip_pin_mode(pin: i32, mode: i32): void;
@external("env", "chip_digital_read")
export declare function chip_digital_read(pin: i32): i32;
@external("env", "chip_digital_write")
export declare function chip_digital_write(pin: i32, value: i32): void;
@external("env", "chip_analog_read")
export declare function chip_analog_read(pin: i32): i32;
@external("env", "chip_analog_write")
export declare function chip_analog_write(pin: i32, value: i32): void;

// PWM by channels of a controller: the pins that are attached to one follow it.
@external("env", "chip_ledc_setup")
export declare function chip_ledc_setup(channel: i32, frequency: i32, bits: i32): void;
@external("env", "chip_ledc_attach_pin")
export declare function chip_ledc_attach_pin(pin: i32, channel: i32): void;
@external("env", "chip_ledc_set_duty")
export declare function chip_ledc_set_duty(channel: i32, value: i32, most: i32): void;
@external("env", "chip_ledc_analog_write")
export declare function chip_ledc_analog_write(channel: i32, value: i32, most: i32): void;

// Time. A delay moves the board's clock on.
@external("env", "chip_delay")
export declare function chip_delay(milliseconds: i32): void;
@external("env", "chip_delay_us")
export declare function chip_delay_us(microseconds: i32): void;
@external("env", "millis")
export declare function millis(): i64;
@external("env", "micros")
export declare function micros(): i64;

// Chance.
@external("env", "random_int")
export declare function random_int(): i32;

// The printed transcript. A string is UTF-8, given by its address and length in bytes.
@external("env", "print_int")
export declare function print_int(value: i32): void;
@external("env", "print_string")
export declare function print_string(address: usize, length: i32): void;

// The serial bus and the colour display behind it. A colour has 5 bits of red, 6 of green, 5 of blue.
@external("env", "spi_begin")
export declare function spi_begin(): void;
@external("env", "write_spi_byte")
export declare function write_spi_byte(byte: i32): void;
@external("env", "write_spi_bytes_16")
export declare function write_spi_bytes_16(times: i32, color: i32): void;
@external("env", "display_setup")
export declare function display_setup(): void;
@external("env", "display_width")
export declare function display_width(): i32;
@external("env", "display_height")
export declare function display_height(): i32;
@external("env", "display_fill_rect")
export declare function display_fill_rect(x: i32, y: i32, width: i32, height: i32, color: i32): void;
@external("env", "display_draw_string")
export declare function display_draw_string(x: i32, y: i32, address: usize, length: i32, scale: i32, color: i32, background: i32): void;
@external("env", "display_set_orientation")
export declare function display_set_orientation(orientation: i32): void;

// Motors and servos.
@external("env", "drive_motor")
export declare function drive_motor(motor: i32, speed: i32): void;
@external("env", "drive_motor_ms")
export declare function drive_motor_ms(motor: i32, speed: i32, milliseconds: i32): void;
@external("env", "drive_motor_degrees")
export declare function drive_motor_degrees(motor: i32, speed: i32, degrees: i32): void;
@external("env", "stop_motor")
export declare function stop_motor(motor: i32): void;
@external("env", "chip_servo_attach")
export declare function chip_servo_attach(pin: i32): void;
@external("env", "chip_servo_write")
export declare function chip_servo_write(pin: i32, angle: i32): void;

// Sensors on a port. The colour sensor's reading is in 0..100.
@external("env", "setup_uart_sensor")
export declare function setup_uart_sensor(port: i32, mode: i32): void;
@external("env", "read_uart_sensor")
export declare function read_uart_sensor(port: i32): i32;
@external("env", "color_sensor")
export declare function color_sensor(port: i32): i32;
@external("env", "ev3_touch_sensor")
export declare function ev3_touch_sensor(port: i32): i32;
@external("env", "nxt_touch_sensor")
export declare function nxt_touch_sensor(port: i32): i32;

// Sound.
@external("env", "tone")
export declare function tone(frequency: i32): void;
@external("env", "noTone")
export declare function noTone(): void;

// A strip of colour pixels.
@external("env", "init_pixels")
export declare function init_pixels(): void;
@external("env", "set_pixel_color")
export declare function set_pixel_color(pixel: i32, red: i32, green: i32, blue: i32): void;
@external("env", "clear_pixels")
export declare function clear_pixels(): void;
@external("env", "show_pixels")
export declare function show_pixels(): void;

// Interrupts: `handler` is an index into the program's table.
@external("env", "subscribe_interrupt")
export declare function subscribe_interrupt(pin: i32, handler: i32, mode: i32): void;
@external("env", "unsubscribe_interrupt")
export declare function unsubscribe_interrupt(pin: i32): void;

// Wi-Fi. A text is UTF-8, given by its address and length in bytes. Nothing is written into buffers.
@external("env", "wifi_connect")
export declare function wifi_connect(name: usize, name_length: i32, password: usize, password_length: i32): void;
@external("env", "wifi_disconnect")
export declare function wifi_disconnect(): i32;
@external("env", "wifi_status")
export declare function wifi_status(): i32;
@external("env", "wifi_connected")
export declare function wifi_connected(): i32;
@external("env", "wifi_localip")
export declare function wifi_localip(buffer: usize, size: i32): i32;

// Requests over HTTP: a status such as 200, or a negative number.
@external("env", "http_get")
export declare function http_get(url: usize, url_length: i32, buffer: usize, size: i32): i32;
@external("env", "http_post")
export declare function http_post(url: usize, url_length: i32, body: usize, body_length: i32, content_type: usize, content_type_length: i32, authorization: usize, authorization_length: i32, buffer: usize, size: i32): i32;

// MQTT: 1 if it worked. `handler` is an index into the program's table.
@external("env", "mqtt_init")
export declare function mqtt_init(server: usize, length: i32, port: i32): void;
@external("env", "mqtt_connect")
export declare function mqtt_connect(client: usize, length: i32): i32;
@external("env", "mqtt_connected")
export declare function mqtt_connected(): i32;
@external("env", "mqtt_state")
export declare function mqtt_state(): i32;
@external("env", "mqtt_publish")
export declare function mqtt_publish(topic: usize, topic_length: i32, payload: usize, payload_length: i32): i32;
@external("env", "mqtt_subscribe")
export declare function mqtt_subscribe(topic: usize, length: i32, handler: i32): i32;
@external("env", "mqtt_unsubscribe")
export declare function mqtt_unsubscribe(topic: usize, length: i32, handler: i32): i32;
@external("env", "mqtt_loop")
export declare function mqtt_loop(): i32;

// Sockets: a number, or -1.
@external("env", "socket_create")
export declare function socket_create(address: usize, length: i32, port: i32): i32;
@external("env", "socket_create_server")
export declare function socket_create_server(port: i32): i32;
@external("env", "socket_accept")
export declare function socket_accept(socket: i32): i32;
@external("env", "socket_send")
export declare function socket_send(socket: i32, message: usize, length: i32): i32;
@external("env", "socket_receive")
export declare function socket_receive(socket: i32, buffer: usize, size: i32): i32;
@external("env", "socket_close")
export declare function socket_close(socket: i32): i32;

// WARDuino itself.
@external("env", "heap_used")
export declare function heap_used(): i32;
@external("env", "test")
export declare function test(handler: i32): void;
