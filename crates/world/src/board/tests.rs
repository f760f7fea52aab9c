//! The board's primitives through the world: what each does, says and shows.

use crate::Kind;
use crate::testing::Bench;

/// Performs calls separated by `;` and returns what each said.
fn effects(bench: &mut Bench, script: &str) -> Vec<String> {
    script.split(';').map(|call| bench.effect(call.trim())).collect()
}

#[test]
fn outputs_say_what_they_do() {
    for (script, expected) in [
        ("chip_pin_mode(13, 2)", "pin 13 is output"),
        ("chip_pin_mode(2, 0)", "pin 2 is input"),
        ("chip_pin_mode(2, 5)", "pin 2 is input with pull-up"),
        ("chip_digital_write(13, 1)", "pin 13 = high"),
        ("chip_digital_write(13, 0)", "pin 13 = low"),
        (
            "chip_digital_write(300, 1)",
            "abort: chip_digital_write(300, 1): the board has no pin 300: its pins are 0 to 255",
        ),
        (
            "chip_digital_write(-1, 1)",
            "abort: chip_digital_write(-1, 1): the board has no pin -1: its pins are 0 to 255",
        ),
        ("chip_analog_write(9, 128)", "PWM 9 = 128"),
        ("chip_ledc_setup(1, 5000, 12)", "channel 1 at 5000 Hz with 12 bits"),
        ("chip_ledc_attach_pin(9, 1)", "pin 9 on channel 1"),
        ("chip_ledc_set_duty(1, 128, 255)", "channel 1 = 128 of 255"),
        (
            "chip_ledc_attach_pin(9, 256)",
            "abort: chip_ledc_attach_pin(9, 256): the board has no channel 256: its channels are 0 to 255",
        ),
        ("chip_servo_attach(3)", "servo on pin 3"),
        ("chip_servo_write(3, 270)", "servo 3 at 180°"),
        ("chip_delay(1000)", "waited 1000 ms"),
        ("chip_delay_us(-1)", "waited 4294967295 µs"),
        ("print_int(-7)", "printed \"-7\\n\""),
        ("print_string(100, 2)", "printed \"on\""),
        (
            "print_string(65535, 2)",
            "abort: print_string(65535, 2): the 2 bytes at address 65535 are not all in the program's memory",
        ),
        (
            "print_string(0, -1)",
            "abort: print_string(0, -1): the 4294967295 bytes at address 0 are not all in the program's memory",
        ),
        ("drive_motor(0, 5000)", "motor A at speed 5000"),
        ("drive_motor(1, 99999)", "motor B at speed 10000"),
        ("drive_motor_ms(1, -100, 20)", "motor B at speed -100 for 20 ms"),
        ("drive_motor_degrees(0, 1000, 90)", "motor A +90°"),
        ("drive_motor_degrees(30, 1000, -90)", "motor 30 -90°"),
        ("drive_motor_degrees(0, 0, 90)", "motor A +0°"),
        ("stop_motor(0)", "motor A stopped"),
        ("setup_uart_sensor(0, 2)", "sensor on port 0 in mode 2"),
        ("tone(440)", "tone of 440 Hz"),
        ("noTone()", "silence"),
        ("init_pixels()", "pixels ready"),
        ("set_pixel_color(2, 255, 128, 0)", "pixel 2 = #ff8000"),
        ("clear_pixels()", "pixels cleared"),
        ("show_pixels()", "pixels shown"),
        ("spi_begin()", "SPI ready"),
        ("write_spi_byte(42)", "SPI command 0x2a"),
        ("chip_digital_write(15, 1); write_spi_byte(1)", "SPI data 0x01"),
        ("write_spi_bytes_16(3, 255)", "SPI command 3 × 0x00ff"),
        ("display_setup()", "display ready"),
        ("display_width()", "display is 128 wide"),
        ("display_set_orientation(1); display_width()", "display is 160 wide"),
        ("display_set_orientation(-1)", "display turned to 270°"),
        ("display_fill_rect(1, 2, 3, 4, 63488)", "rectangle 3×4 at (1, 2) in 0xf800"),
        ("display_draw_string(1, 2, 100, 2, 1, 65535, 0)", "text \"on\" at (1, 2) in 0xffff"),
        ("subscribe_interrupt(4, 7, 2)", "interrupts of pin 4 call table entry 7"),
        ("unsubscribe_interrupt(4)", "no more interrupts of pin 4"),
        ("wifi_connect(100, 2, 0, 0)", "asked for Wi-Fi \"on\""),
        (
            "wifi_connect(100, 2, 65535, 2)",
            "abort: wifi_connect(100, 2, 65535, 2): the 2 bytes at address 65535 are not all in the program's memory",
        ),
        ("wifi_disconnect()", "left Wi-Fi"),
        ("wifi_localip(64, 16)", "asked for its own address"),
        ("mqtt_init(100, 2, 1883)", "MQTT broker \"on:1883\""),
        ("socket_close(0)", "socket 0 is not open"),
        ("test(3)", "a message will call table entry 3"),
        ("abort()", "abort: the program called abort"),
    ] {
        let mut bench = Bench::board();
        bench.memory[100..102].copy_from_slice(b"on");
        assert_eq!(effects(&mut bench, script).last().unwrap(), expected, "{script}");
    }
}

#[test]
fn every_output_of_the_board_is_reversible() {
    let bench = Bench::board();
    for import in 0..bench.world.description().primitives().len() as u32 {
        let kind = bench.world.kind(import).unwrap();
        assert_ne!(kind, Kind::Output { irreversible: true });
    }
}

#[test]
fn motors_turn_with_the_clock() {
    // Speed 10,000 is 1,000 degrees per second.
    for (script, position, angle, speed, clock) in [
        ("drive_motor(0, 10000); chip_delay(1000)", 1_000_000, 280_000, 10_000, 1_000_000),
        ("drive_motor(0, 1); chip_delay_us(1); chip_delay_us(9999)", 1, 1, 1, 10_000),
        ("drive_motor(0, -1); chip_delay_us(1)", -1, 359_999, -1, 1),
        ("drive_motor(0, 10000); stop_motor(0); chip_delay(9)", 0, 0, 0, 9_000),
        ("drive_motor_ms(0, -5000, 100)", -50_000, 310_000, 0, 100_000),
        ("drive_motor_degrees(0, 10000, 90)", 90_000, 90_000, 0, 90_000),
        ("drive_motor_degrees(0, -10000, -450)", -450_000, 270_000, 0, 450_000),
        ("drive_motor_degrees(0, 3, 1)", 1_000, 1_000, 0, 3_333_334),
        ("drive_motor_degrees(0, 0, 1)", 0, 0, 0, 0),
        ("drive_motor(0, 100); drive_motor_ms(1, 1, 1000)", 10_000, 10_000, 100, 1_000_000),
        ("drive_motor(0, 100); drive_motor_degrees(0, 10000, 1)", 1_000, 1_000, 0, 1_000),
    ] {
        let mut bench = Bench::board();
        effects(&mut bench, script);
        let view = bench.world.view().board.unwrap();
        let motor = &view.motors[&0];
        assert_eq!(
            (motor.position_millidegrees, motor.angle_millidegrees, motor.speed, view.clock_us),
            (position, angle, speed, clock),
            "{script}"
        );
    }
}

#[test]
fn a_channel_drives_its_pins() {
    let pwm = |script: &str, pin: u8| {
        let mut bench = Bench::board();
        effects(&mut bench, script);
        bench.world.view().board.unwrap().pins.get(&pin).and_then(|pin| pin.pwm)
    };
    let attach = "chip_ledc_attach_pin(9, 1); chip_ledc_attach_pin(10, 1)";
    for (script, expected) in [
        ("chip_ledc_set_duty(1, 7, 255)", None),
        ("chip_ledc_attach_pin(9, 1)", None),
        (&format!("{attach}; chip_ledc_set_duty(1, 7, 255)"), Some(7)),
        (&format!("{attach}; chip_ledc_analog_write(1, 999, 255)"), Some(255)),
        (&format!("{attach}; chip_ledc_set_duty(2, 7, 255)"), None),
        (&format!("chip_ledc_set_duty(1, 7, 255); {attach}"), Some(7)),
        (&format!("chip_analog_write(9, 3); {attach}"), Some(3)),
    ] {
        assert_eq!(pwm(script, 9), expected, "{script}");
    }
    assert_eq!(pwm(&format!("{attach}; chip_ledc_set_duty(1, 7, 255)"), 10), Some(7));
}

#[test]
fn what_the_network_can_answer() {
    for (script, input, domain, usual) in [
        (
            "",
            "wifi_status()",
            "idle|no such network|scanned|connected|connection failed|connection lost|disconnected",
            "3",
        ),
        ("", "wifi_connected()", "no|yes", "1"),
        ("", "http_get(0, 0, 0, 0)", "{-11..-1, 100..599}", "200"),
        ("", "http_post(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)", "{-11..-1, 100..599}", "200"),
        ("", "mqtt_connect(0, 0)", "failed|connected", "1"),
        ("", "mqtt_state()", "-4..5", "0"),
        ("", "mqtt_publish(0, 0, 0, 0)", "failed|sent", "1"),
        ("", "mqtt_loop()", "disconnected|connected", "1"),
        ("", "heap_used()", "0..2147483647", "0"),
        // A socket is the next number, whatever became of those before.
        ("", "socket_create(0, 0, 80)", "{-1, 0}", "0"),
        ("socket_create(0, 0, 80) = -1", "socket_create(0, 0, 80)", "{-1, 1}", "1"),
        ("", "socket_accept(0)", "{-1}", "-1"),
        ("socket_create_server(80) = 0", "socket_accept(0)", "{-1, 1}", "1"),
        ("", "socket_send(0, 0, 10)", "{-1}", "-1"),
        ("socket_create(0, 0, 80) = 0", "socket_send(0, 0, 10)", "-1..10", "10"),
        ("socket_create(0, 0, 80) = 0", "socket_receive(0, 0, 10)", "-1..10", "0"),
        ("socket_create(0, 0, 80) = 0", "socket_receive(0, 0, -1)", "{-1, 0}", "0"),
        ("socket_create(0, 0, 80) = 0; socket_close(0)", "socket_receive(0, 0, 10)", "{-1}", "-1"),
    ] {
        let mut bench = Bench::board();
        for step in script.split(';').map(str::trim).filter(|step| !step.is_empty()) {
            match step.split_once(" = ") {
                Some((call, value)) => drop(bench.accept(call, value).unwrap()),
                None => drop(bench.done(step)),
            }
        }
        assert_eq!(
            (&*bench.domain(input), &*bench.sample(input)),
            (domain, usual),
            "{script} {input}"
        );
    }
}

#[test]
fn messages_that_may_arrive() {
    let mut bench = Bench::board();
    assert!(!bench.world.awaits_messages());
    // Heard of by the broker or not.
    let first = bench.accept("mqtt_subscribe(0, 0, 5)", "0").unwrap();
    let second = bench.accept("mqtt_subscribe(8, 1, 5)", "1").unwrap();
    bench.accept("mqtt_unsubscribe(0, 0, 5)", "1").unwrap();
    assert!(bench.world.awaits_messages(), "the other topic");
    let undo = bench.accept("mqtt_unsubscribe(8, 1, 5)", "0").unwrap();
    assert!(!bench.world.awaits_messages());
    bench.world.undo(undo);
    assert!(bench.world.awaits_messages());
    drop((first, second));
    let mut bench = Bench::board();
    bench.done("test(2)");
    assert!(bench.world.awaits_messages());
}

#[test]
fn interrupts_of_a_pin_end_together() {
    let mut bench = Bench::board();
    for call in ["subscribe_interrupt(4, 1, 2)", "subscribe_interrupt(4, 2, 2)"] {
        bench.done(call);
    }
    bench.done("subscribe_interrupt(5, 1, 2)");
    let undo = bench.done("unsubscribe_interrupt(4)");
    let pins = |bench: &Bench| -> Vec<u8> {
        bench.world.pending_interrupts().iter().map(|interrupt| interrupt.pin).collect()
    };
    assert_eq!(pins(&bench), [5]);
    bench.world.undo(undo);
    assert_eq!(pins(&bench), [4, 4, 5]);
}

#[test]
fn a_character_is_a_block_of_its_colour() {
    let mut bench = Bench::board();
    bench.memory[100..103].copy_from_slice(b"a b");
    bench.done("display_setup()");
    bench.done("display_draw_string(0, 0, 100, 3, 1, 7, 9)");
    let display = bench.world.view().board.unwrap().display;
    let row = |y: usize| -> String {
        let pixels = display.pixels[y * 128..y * 128 + 26].iter();
        pixels.map(|color| char::from_digit((*color).into(), 10).unwrap()).collect()
    };
    assert_eq!(row(0), "99999999999999999999999900");
    assert_eq!(row(1), "97777779999999999777777900");
    assert_eq!(row(15), row(0));
    assert_eq!(row(16), "0".repeat(26));
}

#[test]
fn all_known_types_mean_the_same() {
    // With a channel in place of the pin, and with a result that is always 0.
    let variants = [
        ("chip_analog_write", "iii>i", vec![1, 5, 255], "channel 1 = 5 of 255", Some(0)),
        ("chip_analog_write", "ii>i", vec![9, 5], "PWM 9 = 5", Some(0)),
        ("chip_analog_write", "ii>", vec![9, 5], "PWM 9 = 5", None),
        ("print_int", "i>i", vec![7], "printed \"7\\n\"", Some(0)),
        ("wifi_localip", "ii>i", vec![64, 16], "asked for its own address", Some(64)),
        ("wifi_localip", "i>", vec![64], "asked for its own address", None),
        ("socket_close", "i>", vec![1], "socket 1 is not open", None),
        (
            "display_draw_string",
            "iiiiii>",
            vec![1, 2, 3, 0, 4, 5],
            "text \"\" at (1, 2) in 0x0004",
            None,
        ),
    ];
    for (name, ty, args, expected, result) in variants {
        let mut bench = Bench::board();
        let ty = mw_vm::FuncType::of_letters(ty);
        let mut imports = bench.world.imports();
        let import = imports.position(|(p, of)| p.name == name && *of == ty).expect(name) as u32;
        drop(imports);
        let args: Vec<mw_vm::Value> = args.into_iter().map(mw_vm::Value::I32).collect();
        let call = crate::Call { import, args: &args };
        let done = bench.world.perform(call, &bench.memory).unwrap();
        let crate::Outcome::Done { reply, effect, .. } = done else { panic!("{name}") };
        let result: Vec<mw_vm::Value> = result.map(mw_vm::Value::I32).into_iter().collect();
        assert_eq!((&*effect, reply.results), (expected, result), "{name}");
    }
}

#[test]
fn the_view_is_json_that_reads_well() {
    let mut bench = Bench::board();
    effects(
        &mut bench,
        "chip_pin_mode(13, 2); chip_digital_write(13, 1); chip_pin_mode(2, 0); tone(440); \
         chip_servo_attach(3); chip_analog_write(9, 5); print_int(42); set_pixel_color(0, 1, 2, 3); \
         setup_uart_sensor(1, 0); subscribe_interrupt(2, 1, 3); display_setup(); \
         wifi_connect(0, 0, 0, 0); mqtt_init(0, 0, 1883); test(4)",
    );
    let json = serde_json::to_value(bench.world.view()).unwrap();
    for (path, expected) in [
        ("/world", r#""board""#),
        ("/board/clock_us", "0"),
        ("/board/pins/13/direction", r#""output""#),
        ("/board/pins/13/level", r#""high""#),
        ("/board/pins/2/direction", r#""input""#),
        ("/board/pins/2/level", "null"),
        ("/board/pins/3/servo_degrees", "90"),
        ("/board/pins/9/pwm", "5"),
        ("/board/tone_hz", "440"),
        ("/board/transcript", r#""42\n""#),
        ("/board/pixels", "{}"),
        ("/board/pixels_set/0", "[1,2,3]"),
        ("/board/sensors/1", "0"),
        ("/board/interrupts/0", r#"{"mode":3,"pin":2,"table_index":1}"#),
        ("/board/network", r#"["Wi-Fi \"\"","MQTT broker :1883","messages call table entry 4"]"#),
        ("/board/display/on", "true"),
        ("/board/display/width", "128"),
    ] {
        let found = json.pointer(path).map(ToString::to_string);
        assert_eq!(found.as_deref(), Some(expected), "{path}");
    }
}

#[test]
fn a_display_is_driven_over_spi_like_a_game_does() {
    let mut bench = Bench::board();
    let mut send = |data: i32, bytes: &[i32]| {
        bench.done(&format!("chip_digital_write(15, {data})"));
        for byte in bytes {
            bench.done(&format!("write_spi_byte({byte})"));
        }
    };
    send(0, &[0x01, 0x11, 0x29, 0x36]);
    send(1, &[0xC0]);
    send(0, &[0x2A]);
    send(1, &[0, 10, 0, 12]);
    send(0, &[0x2B]);
    send(1, &[0, 20, 0, 21]);
    send(0, &[0x2C]);
    send(1, &[]);
    let before = bench.world.state().clone();
    let undo = bench.done("write_spi_bytes_16(6, 63488)");
    let display = bench.world.view().board.unwrap().display;
    let red: Vec<(usize, usize)> = (0..display.pixels.len())
        .filter(|i| display.pixels[*i] == 63488)
        .map(|i| (i % 128, i / 128))
        .collect();
    assert_eq!(red, [(10, 20), (11, 20), (12, 20), (10, 21), (11, 21), (12, 21)]);
    assert!(display.on);
    bench.world.undo(undo);
    assert_eq!(*bench.world.state(), before);
}

#[test]
fn abort_tells_what_assemblyscript_says() {
    let mut memory = vec![0u8; 128];
    let mut put = |address: usize, text: &str| {
        let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        memory[address - 4..address].copy_from_slice(&(units.len() as u32).to_le_bytes());
        memory[address..address + units.len()].copy_from_slice(&units);
    };
    put(8, "no ball");
    put(40, "game.ts");
    for (args, expected) in [
        ([8, 40, 12, 5], "no ball (game.ts:12:5)"),
        ([8, 0, 12, 5], "no ball"),
        ([0, 40, 12, 5], "the program called abort (game.ts:12:5)"),
        ([-1, 9999, 1, 1], "the program called abort"),
    ] {
        let args = args.map(mw_vm::Value::I32);
        assert_eq!(crate::perform::abort_message(&args, &memory), expected);
    }
}
