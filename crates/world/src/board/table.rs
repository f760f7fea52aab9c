//! The imports of the board, one line each: name, types, meaning.
//!
//! Names and types are WARDuino's, module `env`, so that its programs run unchanged. A type is
//! written [in letters](FuncType::of_letters). A primitive has one meaning, but WARDuino's platforms
//! and the bindings of languages to it disagree on types: all that are known are listed, the first
//! is the usual one, and the module's import decides. An output that is declared with a result it
//! does not have returns 0.

use mw_vm::{FuncType, Value};

use super::{Effect, Question, Settings};
use super::{effects as e, network as n};
use crate::answer::Brings;
use crate::domain::{Domain, Integers, Range};
use crate::primitive::{Act, Answers, Bearing, Compensation, Input, Output, Primitive, Role};
use crate::source::Source;

/// What a line of the table says about a primitive.
enum Meaning {
    /// An input in this range, 0 unless told otherwise.
    Between(i64, i64),
    /// An input with named values, counted from 0, and what it returns unless told otherwise.
    OneOf(&'static [&'static str], i32),
    /// An input in one of these ranges, and what it returns unless told otherwise.
    Ranges(&'static [(i64, i64)], i32),
    /// An input that depends on what was asked before, and what is nearest to what it returns
    /// unless told otherwise.
    Asked(Question, i32),
    /// An input of the range, random unless told otherwise.
    Random(i64, i64),
    /// The level of a pin.
    Level,
    /// The clock in units of so many microseconds.
    Clock(i64),
    /// An output that has to be known exactly: there may be no pin, port or motor of that number.
    Does(Effect),
    /// The same, where something should arrive in a buffer, and does not.
    Omits(Effect),
    /// An output whose arguments bear on what comes later like this; the last one stands for all
    /// further ones.
    Bears(Effect, &'static [Bearing]),
    /// An input that brings something into a buffer, beside what it returns.
    Brings(Brings, &'static Meaning),
    /// The end of the program.
    Abort,
}
use Bearing::{Exact, None as Nothing, Passes, Shown};
use Meaning::{Abort, Asked, Bears, Between, Clock, Does, Level, Omits, OneOf, Random, Ranges};

const TABLE: &[(&str, &[&str], Meaning)] = &[
    // Pins
    ("chip_pin_mode", &["ii>"], Does(e::pin_mode)),
    ("chip_digital_read", &["i>i"], Level),
    ("chip_digital_write", &["ii>"], Bears(e::digital_write, &[Exact, Shown])),
    ("chip_analog_read", &["i>i"], Between(0, 4095)),
    (
        "chip_analog_write",
        &["ii>", "ii>i", "iii>", "iii>i"],
        Bears(e::analog_write, &[Exact, Nothing]),
    ),
    ("chip_ledc_setup", &["iii>"], Bears(e::led_setup, &[Exact, Nothing])),
    ("chip_ledc_attach_pin", &["ii>"], Does(e::led_attach)),
    ("chip_ledc_set_duty", &["iii>"], Bears(e::led_duty, &[Exact, Nothing])),
    ("chip_ledc_analog_write", &["iii>"], Bears(e::led_duty, &[Exact, Nothing])),
    ("chip_servo_attach", &["i>"], Does(e::servo_attach)),
    ("chip_servo_write", &["ii>"], Bears(e::servo_write, &[Exact, Nothing])),
    ("subscribe_interrupt", &["iii>"], Does(e::subscribe_interrupt)),
    ("unsubscribe_interrupt", &["i>"], Does(e::unsubscribe_interrupt)),
    // Time and chance
    ("chip_delay", &["i>"], Bears(e::delay_ms, &[Passes(1000)])),
    ("chip_delay_us", &["i>"], Bears(e::delay_us, &[Passes(1)])),
    ("millis", &[">I", ">i"], Clock(1000)),
    ("micros", &[">I", ">i"], Clock(1)),
    ("random_int", &[">i"], Random(0, i32::MAX as i64)),
    // The serial line
    ("print_int", &["i>", "i>i"], Bears(e::print_int, &[Nothing])),
    ("print_string", &["ii>", "ii>i"], Does(e::print_string)),
    // The display, over SPI and directly
    ("spi_begin", &[">"], Does(e::spi_begin)),
    ("write_spi_byte", &["i>"], Bears(e::spi_byte, &[Nothing])),
    ("write_spi_bytes_16", &["ii>"], Bears(e::spi_words, &[Nothing])),
    ("display_setup", &[">"], Does(e::display_setup)),
    ("display_width", &[">i"], Does(e::display_width)),
    ("display_height", &[">i"], Does(e::display_height)),
    ("display_fill_rect", &["iiiii>"], Bears(e::fill_rect, &[Nothing])),
    ("display_draw_string", &["iiiiiii>", "iiiiii>"], Does(e::draw_string)),
    ("display_set_orientation", &["i>"], Does(e::display_turn)),
    // Motors and sensors
    ("drive_motor", &["ii>"], Bears(e::drive_motor, &[Exact, Nothing])),
    ("drive_motor_ms", &["iii>"], Does(e::drive_motor_ms)),
    ("drive_motor_degrees", &["iii>"], Does(e::drive_motor_degrees)),
    ("stop_motor", &["i>"], Does(e::stop_motor)),
    ("setup_uart_sensor", &["ii>", "i>"], Does(e::setup_sensor)),
    ("read_uart_sensor", &["i>i"], Between(i16::MIN as i64, i16::MAX as i64)),
    ("color_sensor", &["i>i"], Between(0, 100)),
    ("ev3_touch_sensor", &["i>i"], OneOf(&["released", "pressed"], 0)),
    ("nxt_touch_sensor", &["i>i"], OneOf(&["released", "pressed"], 0)),
    // Sound and light
    ("tone", &["i>"], Bears(e::tone, &[Nothing])),
    ("noTone", &[">"], Does(e::no_tone)),
    ("init_pixels", &[">"], Does(e::init_pixels)),
    ("set_pixel_color", &["iiii>", "iiii>i"], Bears(e::set_pixel, &[Exact, Nothing])),
    ("clear_pixels", &[">"], Does(e::clear_pixels)),
    ("show_pixels", &[">"], Does(e::show_pixels)),
    // The network: in a plain run it is there, and nothing comes
    ("wifi_connect", &["iiii>"], Does(n::wifi_connect)),
    ("wifi_disconnect", &[">i", ">"], Does(n::wifi_disconnect)),
    ("wifi_status", &[">i"], OneOf(WIFI_STATES, 3)),
    ("wifi_connected", &[">i"], OneOf(&["no", "yes"], 1)),
    ("wifi_localip", &["ii>i", "i>"], Omits(n::wifi_local_ip)),
    ("http_get", &["iiii>i"], Meaning::Brings(page(2), &Ranges(HTTP, 200))),
    ("http_post", &["iiiiiiiiii>i"], Meaning::Brings(page(8), &Ranges(HTTP, 200))),
    ("mqtt_init", &["iii>"], Does(n::mqtt_init)),
    ("mqtt_connect", &["ii>i"], OneOf(&["failed", "connected"], 1)),
    ("mqtt_connected", &[">i"], OneOf(&["no", "yes"], 1)),
    ("mqtt_state", &[">i"], Ranges(&[(-4, 5)], 0)),
    ("mqtt_publish", &["iiii>i"], OneOf(&["failed", "sent"], 1)),
    ("mqtt_subscribe", &["iii>i", "ii>i"], Asked(n::SUBSCRIBE, 1)),
    ("mqtt_unsubscribe", &["iii>i", "ii>i"], Asked(n::UNSUBSCRIBE, 1)),
    ("mqtt_loop", &[">i"], OneOf(&["disconnected", "connected"], 1)),
    ("socket_create", &["iii>i"], Asked(n::NEW_SOCKET, i32::MAX)),
    ("socket_create_server", &["i>i"], Asked(n::NEW_SOCKET, i32::MAX)),
    ("socket_accept", &["i>i"], Asked(n::NEW_CLIENT, i32::MAX)),
    ("socket_send", &["iii>i"], Asked(n::TRANSFER, i32::MAX)),
    ("socket_receive", &["iii>i"], Meaning::Brings(PACKET, &Asked(n::TRANSFER, 0))),
    ("socket_close", &["i>i", "i>"], Does(n::socket_close)),
    // WARDuino itself
    ("heap_used", &[">i"], Between(0, i32::MAX as i64)),
    ("test", &["i>"], Does(n::test)),
    // The end: WARDuino's and AssemblyScript's (message, file, line, column)
    ("abort", &[">", "iiii>"], Abort),
];

/// The states of Wi-Fi on Arduino.
const WIFI_STATES: &[&str] = &[
    "idle",
    "no such network",
    "scanned",
    "connected",
    "connection failed",
    "connection lost",
    "disconnected",
];

/// What a request over HTTP comes to: what went wrong on the way, or the status of the answer.
const HTTP: &[(i64, i64)] = &[(-11, -1), (100, 599)];

/// A page that comes into a buffer whose address and size are arguments from this one on.
const fn page(address: usize) -> Brings {
    Brings { address, room: address + 1, is_counted: false }
}

/// What a socket brings, and says how much it is.
const PACKET: Brings = Brings { address: 1, room: 2, is_counted: true };

/// The levels of a pin: both, or the one that the program drives it to.
pub fn levels(driven: Option<bool>) -> Option<Domain> {
    let both = one_of(&["low", "high"])?;
    match driven {
        Some(high) => both.intersect(&Domain::only(Value::I32(high.into()))?),
        None => Some(both),
    }
}

fn one_of(names: &[&str]) -> Option<Domain> {
    let set = Integers::new([Range::new(0, names.len() as i64 - 1)])?;
    let names = names.iter().enumerate().map(|(value, name)| (value as i64, (*name).to_owned()));
    Some(Domain::Integers(set.with_names(names)))
}

fn role(meaning: &Meaning, settings: &Settings) -> Option<Role> {
    let output = |effect, bearing| {
        let (act, compensation) = (Act::Board(effect), Compensation::Restore);
        let omits_buffer = matches!(meaning, Omits(_));
        Some(Role::Output(Output { act, bearing, omits_buffer, compensation }))
    };
    let (meaning, brings) = match *meaning {
        Meaning::Brings(brings, meaning) => (meaning, Some(brings)),
        _ => (meaning, None),
    };
    let source = match *meaning {
        Random(..) => Source::Random { seed: settings.seed },
        OneOf(_, usual) | Ranges(_, usual) | Asked(_, usual) => Source::Constant(Value::I32(usual)),
        _ => Source::Constant(Value::I32(0)),
    };
    let answers = match *meaning {
        Between(low, high) | Random(low, high) => Answers::Values(Domain::range(low, high)?),
        OneOf(names, _) => Answers::Values(one_of(names)?),
        Ranges(ranges, _) => {
            let ranges = ranges.iter().map(|(low, high)| Range::new(*low, *high));
            Answers::Values(Domain::Integers(Integers::new(ranges)?))
        }
        Asked(question, _) => Answers::Asked(question),
        Level => Answers::Level,
        Clock(unit) => Answers::Clock(unit),
        Does(effect) | Omits(effect) => return output(effect, &[Exact]),
        Bears(effect, bearing) => return output(effect, bearing),
        Abort => return Some(Role::Abort),
        Meaning::Brings(..) => return None,
    };
    Some(Role::Input(Input { answers, source, brings }))
}

/// The primitives of a board.
pub(crate) fn primitives(settings: &Settings) -> Vec<Primitive> {
    let line = |(name, signatures, meaning): &(&str, &[&str], Meaning)| {
        Some(Primitive {
            module: "env".into(),
            name: (*name).into(),
            types: signatures.iter().map(|text| FuncType::of_letters(text)).collect(),
            role: role(meaning, settings)?,
        })
    };
    TABLE.iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_people_are_told_of_every_line() {
        let (bindings, guide) = (
            include_str!("../../../../examples/board.ts"),
            include_str!("../../../../docs/guide/board.md"),
        );
        for (name, ..) in TABLE {
            let declared = bindings.contains(&format!("@external(\"env\", \"{name}\")"));
            // AssemblyScript has a declaration of its own.
            assert!(declared || *name == "abort", "{name} in examples/board.ts");
            assert!(guide.contains(&format!("`{name}`")), "{name} in docs/guide/board.md");
        }
    }

    #[test]
    fn every_line_becomes_a_primitive() {
        let primitives = primitives(&Settings::default());
        assert_eq!(primitives.len(), TABLE.len());
        let listed: Vec<String> = primitives
            .iter()
            .map(|p| {
                let types: Vec<String> = p.types.iter().map(ToString::to_string).collect();
                format!("{} {}", p.name, types.join(" or "))
            })
            .collect();
        for expected in [
            "chip_analog_read (i32) -> (i32)",
            "millis () -> (i64) or () -> (i32)",
            "set_pixel_color (i32, i32, i32, i32) -> () or (i32, i32, i32, i32) -> (i32)",
            "abort () -> () or (i32, i32, i32, i32) -> ()",
            "print_int (i32) -> () or (i32) -> (i32)",
        ] {
            assert!(listed.iter().any(|line| line == expected), "{expected} in {listed:#?}");
        }
    }
}
