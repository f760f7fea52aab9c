//! What the board's outputs do: each a function from the state to changes of it, and what to tell
//! people about it. None of them changes anything itself.

use mw_vm::Value;

use super::controller::Stroke;
use super::{Board, BoardChange, Controller, Motor, Patch, Pin, Rgb, Settings};
use crate::memory::{GuestMemory, read_bytes};

/// What an effect looks at.
pub(crate) struct Scene<'a> {
    pub(crate) board: &'a Board,
    pub(crate) settings: &'a Settings,
    pub(crate) args: &'a [Value],
    pub(crate) memory: &'a dyn GuestMemory,
}

/// What an output is going to do.
#[derive(Default)]
pub(crate) struct Plan {
    pub(crate) changes: Vec<BoardChange>,
    pub(crate) says: String,
    pub(crate) result: i32,
}

/// An output of the board. Its error is the program's own: it asked for what the board has not.
pub(crate) type Effect = fn(&Scene<'_>) -> Result<Plan, String>;

impl Scene<'_> {
    pub(super) fn arg(&self, index: usize) -> i32 {
        match self.args.get(index) {
            Some(Value::I32(v)) => *v,
            _ => 0,
        }
    }

    /// An argument that numbers a part of the board.
    fn number(&self, index: usize, part: &str) -> Result<u8, String> {
        let number = self.arg(index);
        u8::try_from(number)
            .map_err(|_| format!("the board has no {part} {number}: its {part}s are 0 to 255"))
    }

    fn pin(&self, change: impl FnOnce(&mut Pin)) -> Result<BoardChange, String> {
        let number = self.number(0, "pin")?;
        let mut pin = self.board.pin(number);
        change(&mut pin);
        Ok(BoardChange::Pin(number, Some(pin)))
    }

    /// The text whose address and length in bytes are two arguments from this one on.
    pub(super) fn text(&self, index: usize) -> Result<String, String> {
        let (address, length) = (self.arg(index) as u32, self.arg(index + 1) as u32);
        let bytes = read_bytes(self.memory, address, length);
        let bytes = bytes.map_err(|outside| outside.to_string())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The time that passes in `microseconds`, which the program gave unsigned.
    fn elapse(&self, microseconds: i64) -> BoardChange {
        BoardChange::Elapse(self.board.passing(microseconds))
    }

    fn size(&self) -> (u16, u16) {
        self.board.screen.size()
    }
}

pub(super) fn plan(says: String, changes: impl Into<Vec<BoardChange>>) -> Result<Plan, String> {
    Ok(Plan { changes: changes.into(), says, result: 0 })
}

pub(super) fn pin_mode(scene: &Scene<'_>) -> Result<Plan, String> {
    let mode = scene.arg(1);
    let name = super::view::mode_name(mode);
    let change = scene.pin(|pin| pin.mode = Some(mode))?;
    plan(format!("pin {} is {name}", scene.arg(0)), [change])
}

pub(super) fn digital_write(scene: &Scene<'_>) -> Result<Plan, String> {
    let high = scene.arg(1) != 0;
    let change = scene.pin(|pin| pin.level = Some(high))?;
    plan(format!("pin {} = {}", scene.arg(0), if high { "high" } else { "low" }), [change])
}

/// With a third argument the first is a channel: what [`led_duty`] is, as some platforms name it.
pub(super) fn analog_write(scene: &Scene<'_>) -> Result<Plan, String> {
    if scene.args.len() == 3 {
        return led_duty(scene);
    }
    let value = scene.arg(1);
    let change = scene.pin(|pin| pin.pwm = Some(value))?;
    plan(format!("PWM {} = {value}", scene.arg(0)), [change])
}

/// How often and how finely a channel of the PWM controller switches is not seen.
pub(super) fn led_setup(scene: &Scene<'_>) -> Result<Plan, String> {
    let (frequency, bits) = (scene.arg(1), scene.arg(2));
    let channel = scene.number(0, "channel")?;
    plan(format!("channel {channel} at {frequency} Hz with {bits} bits"), [])
}

/// From now on the channel drives the pin.
pub(super) fn led_attach(scene: &Scene<'_>) -> Result<Plan, String> {
    let channel = scene.number(1, "channel")?;
    let duty = scene.board.channels.get(&channel).copied();
    let change = scene.pin(|pin| (pin.channel, pin.pwm) = (Some(channel), duty.or(pin.pwm)))?;
    plan(format!("pin {} on channel {channel}", scene.arg(0)), [change])
}

/// The duty of a channel, and so of all pins that it drives: so much of a largest value.
pub(super) fn led_duty(scene: &Scene<'_>) -> Result<Plan, String> {
    let channel = scene.number(0, "channel")?;
    let (value, most) = (scene.arg(1) as u32, scene.arg(2) as u32);
    let duty = value.min(most) as i32;
    let driven = scene.board.pins.iter().filter(|(_, pin)| pin.channel == Some(channel));
    let pins =
        driven.map(|(pin, state)| BoardChange::Pin(*pin, Some(Pin { pwm: Some(duty), ..*state })));
    let changes: Vec<BoardChange> =
        pins.chain([BoardChange::Channel(channel, Some(duty))]).collect();
    plan(format!("channel {channel} = {value} of {most}"), changes)
}

/// A servo that has just been attached stands in the middle.
const SERVO_MIDDLE: i32 = 90;

pub(super) fn servo_attach(scene: &Scene<'_>) -> Result<Plan, String> {
    let change = scene.pin(|pin| pin.servo = pin.servo.or(Some(SERVO_MIDDLE)))?;
    plan(format!("servo on pin {}", scene.arg(0)), [change])
}

pub(super) fn servo_write(scene: &Scene<'_>) -> Result<Plan, String> {
    let angle = scene.arg(1).clamp(0, 180);
    let change = scene.pin(|pin| pin.servo = Some(angle))?;
    plan(format!("servo {} at {angle}°", scene.arg(0)), [change])
}

pub(super) fn delay_ms(scene: &Scene<'_>) -> Result<Plan, String> {
    let ms = scene.arg(0) as u32;
    plan(format!("waited {ms} ms"), [scene.elapse(i64::from(ms) * 1000)])
}

pub(super) fn delay_us(scene: &Scene<'_>) -> Result<Plan, String> {
    let us = scene.arg(0) as u32;
    plan(format!("waited {us} µs"), [scene.elapse(i64::from(us))])
}

/// The most that is quoted of a printed text.
const QUOTED: usize = 40;

/// A text in quotes, cut where it is long.
pub(super) fn quoted(text: &str) -> String {
    let mut quote: String = text.chars().take(QUOTED).collect();
    if quote.len() < text.len() {
        quote.push('…');
    }
    format!("{quote:?}")
}

fn print(text: Vec<u8>) -> Result<Plan, String> {
    let says = format!("printed {}", quoted(&String::from_utf8_lossy(&text)));
    plan(says, [BoardChange::Print(text.into())])
}

/// Signed, unlike WARDuino's: an `i32` of the program's source is what its author expects to see.
pub(super) fn print_int(scene: &Scene<'_>) -> Result<Plan, String> {
    print(format!("{}\n", scene.arg(0)).into_bytes())
}

pub(crate) fn print_char(scene: &Scene<'_>) -> Result<Plan, String> {
    print(vec![scene.arg(0) as u8])
}

pub(super) fn print_string(scene: &Scene<'_>) -> Result<Plan, String> {
    let text = read_bytes(scene.memory, scene.arg(0) as u32, scene.arg(1) as u32);
    print(text.map_err(|outside| outside.to_string())?)
}

/// A motor by its letter, as they are written on the bricks.
fn motor_name(motor: u8) -> String {
    match motor < 26 {
        true => format!("motor {}", char::from(b'A' + motor)),
        false => format!("motor {motor}"),
    }
}

fn clamp_speed(speed: i32) -> i32 {
    speed.clamp(-Motor::FULL_SPEED, Motor::FULL_SPEED)
}

fn set_speed(scene: &Scene<'_>, speed: i32) -> Result<Plan, String> {
    let number = scene.number(0, "motor")?;
    let motor = Motor { speed, ..scene.board.motor(number) };
    let says = match speed {
        0 => format!("{} stopped", motor_name(number)),
        _ => format!("{} at speed {speed}", motor_name(number)),
    };
    plan(says, [BoardChange::Motor(number, Some(motor))])
}

pub(super) fn drive_motor(scene: &Scene<'_>) -> Result<Plan, String> {
    set_speed(scene, clamp_speed(scene.arg(1)))
}

pub(super) fn stop_motor(scene: &Scene<'_>) -> Result<Plan, String> {
    set_speed(scene, 0)
}

/// Drives for a time, then brakes. The program waits.
pub(super) fn drive_motor_ms(scene: &Scene<'_>) -> Result<Plan, String> {
    let number = scene.number(0, "motor")?;
    let ms = scene.arg(2) as u32;
    let speed = clamp_speed(scene.arg(1));
    let time = scene.board.passing(i64::from(ms) * 1000);
    let turned = Motor { speed, ..scene.board.motor(number) }.after(time);
    plan(
        format!("{} at speed {speed} for {ms} ms", motor_name(number)),
        [BoardChange::Elapse(time), BoardChange::Motor(number, Some(Motor { speed: 0, ..turned }))],
    )
}

/// Turns by an angle from where the motor is, then brakes. The program waits; the sign of the
/// angle gives the direction, the speed only how long it takes. At speed 0 nothing turns.
pub(super) fn drive_motor_degrees(scene: &Scene<'_>) -> Result<Plan, String> {
    let number = scene.number(0, "motor")?;
    let speed = i64::from(clamp_speed(scene.arg(1)).abs());
    let degrees = if speed == 0 { 0 } else { i64::from(scene.arg(2)) };
    let way = degrees * Motor::PER_DEGREE;
    let time = scene.board.passing((way.abs() + speed - 1).checked_div(speed).unwrap_or(0));
    let angle = scene.board.motor(number).angle.wrapping_add(way);
    plan(
        format!("{} {degrees:+}°", motor_name(number)),
        [BoardChange::Elapse(time), BoardChange::Motor(number, Some(Motor { speed: 0, angle }))],
    )
}

pub(super) fn setup_sensor(scene: &Scene<'_>) -> Result<Plan, String> {
    let (port, mode) = (scene.number(0, "port")?, scene.arg(1));
    plan(format!("sensor on port {port} in mode {mode}"), [BoardChange::Sensor(port, Some(mode))])
}

pub(super) fn tone(scene: &Scene<'_>) -> Result<Plan, String> {
    let frequency = scene.arg(0);
    plan(format!("tone of {frequency} Hz"), [BoardChange::Tone(Some(frequency))])
}

pub(super) fn no_tone(_: &Scene<'_>) -> Result<Plan, String> {
    plan("silence".into(), [BoardChange::Tone(None)])
}

pub(super) fn init_pixels(_: &Scene<'_>) -> Result<Plan, String> {
    plan("pixels ready".into(), [])
}

pub(super) fn set_pixel(scene: &Scene<'_>) -> Result<Plan, String> {
    let index = scene.number(0, "pixel")?;
    let color: Rgb = [1, 2, 3].map(|i| scene.arg(i) as u8);
    let [r, g, b] = color;
    plan(
        format!("pixel {index} = #{r:02x}{g:02x}{b:02x}"),
        [BoardChange::Pixel(index, Some(color))],
    )
}

pub(super) fn clear_pixels(_: &Scene<'_>) -> Result<Plan, String> {
    plan("pixels cleared".into(), [BoardChange::Strip(Default::default())])
}

pub(super) fn show_pixels(scene: &Scene<'_>) -> Result<Plan, String> {
    plan("pixels shown".into(), [BoardChange::Shown(scene.board.strip.clone())])
}

pub(super) fn subscribe_interrupt(scene: &Scene<'_>) -> Result<Plan, String> {
    let key = (scene.number(0, "pin")?, scene.arg(1) as u32);
    let says = format!("interrupts of pin {} call table entry {}", key.0, key.1);
    plan(says, [BoardChange::Interrupt(key, Some(scene.arg(2)))])
}

pub(super) fn unsubscribe_interrupt(scene: &Scene<'_>) -> Result<Plan, String> {
    let number = scene.number(0, "pin")?;
    let asked = scene.board.interrupts.keys().filter(|(pin, _)| *pin == number);
    let changes: Vec<BoardChange> = asked.map(|key| BoardChange::Interrupt(*key, None)).collect();
    plan(format!("no more interrupts of pin {number}"), changes)
}

/// The changes that strokes and the controller after them make.
fn draw(scene: &Scene<'_>, controller: Controller, strokes: Vec<Stroke>) -> Vec<BoardChange> {
    let visible = |(area, color): Stroke| {
        let rect = controller.visible(area, scene.size())?;
        Some(BoardChange::Paint(Patch::fill(rect, color).into()))
    };
    let mut changes: Vec<BoardChange> = strokes.into_iter().filter_map(visible).collect();
    if controller != scene.board.controller {
        changes.push(BoardChange::Controller(controller.into()));
    }
    changes
}

fn spi(
    scene: &Scene<'_>,
    says: String,
    send: impl FnOnce(&mut Controller, bool, &mut Vec<Stroke>),
) -> Result<Plan, String> {
    let data = scene.board.pin(scene.settings.data_command_pin).level == Some(true);
    let (mut controller, mut strokes) = (scene.board.controller, Vec::new());
    send(&mut controller, data, &mut strokes);
    let says = format!("SPI {} {says}", if data { "data" } else { "command" });
    plan(says, draw(scene, controller, strokes))
}

pub(super) fn spi_begin(_: &Scene<'_>) -> Result<Plan, String> {
    plan("SPI ready".into(), [])
}

pub(super) fn spi_byte(scene: &Scene<'_>) -> Result<Plan, String> {
    let byte = scene.arg(0) as u8;
    spi(scene, format!("{byte:#04x}"), |controller, data, strokes| {
        controller.byte(data, byte, scene.size(), strokes);
    })
}

pub(super) fn spi_words(scene: &Scene<'_>) -> Result<Plan, String> {
    let (times, color) = (scene.arg(0).max(0) as u32, scene.arg(1) as u16);
    spi(scene, format!("{times} × {color:#06x}"), |controller, data, strokes| {
        controller.words(data, times, color, scene.size(), strokes);
    })
}

pub(super) fn display_setup(scene: &Scene<'_>) -> Result<Plan, String> {
    let (width, height) = scene.size();
    let black = ((0, 0, width.into(), height.into()), 0);
    plan("display ready".into(), draw(scene, Controller::ready(scene.size()), vec![black]))
}

pub(super) fn display_turn(scene: &Scene<'_>) -> Result<Plan, String> {
    let turned = scene.board.controller.turned(scene.arg(0));
    let says = format!("display turned to {}°", scene.arg(0).rem_euclid(4) * 90);
    plan(says, draw(scene, turned, Vec::new()))
}

pub(super) fn fill_rect(scene: &Scene<'_>) -> Result<Plan, String> {
    let [x, y, w, h] = [0, 1, 2, 3].map(|i| i64::from(scene.arg(i)));
    let color = scene.arg(4) as u16;
    let changes = draw(scene, scene.board.controller, vec![((x, y, w, h), color)]);
    plan(format!("rectangle {w}×{h} at ({x}, {y}) in {color:#06x}"), changes)
}

/// The size of a character on the display, with a line of background around what is drawn.
const CHARACTER: (i64, i64) = (8, 16);

/// Where each character is, and in which colours. The board has no letters: a character is a
/// block of its colour, a blank is none.
pub(super) fn draw_string(scene: &Scene<'_>) -> Result<Plan, String> {
    let [x, y] = [0, 1].map(|i| i64::from(scene.arg(i)));
    let text = scene.text(2)?;
    // Without a scale it is 1.
    let (scale, colors) = match scene.args.len() {
        7 => (i64::from(scene.arg(4).max(0)), 5),
        _ => (1, 4),
    };
    let [color, background] = [colors, colors + 1].map(|i| scene.arg(i) as u16);
    let (width, height) = (CHARACTER.0 * scale, CHARACTER.1 * scale);
    let seen = scene.board.controller.seen(scene.size()).0;
    let mut strokes = Vec::new();
    for (at, character) in text.chars().enumerate() {
        let left = x + at as i64 * width;
        if left >= i64::from(seen) || width == 0 {
            break;
        }
        strokes.push(((left, y, width, height), background));
        if !character.is_whitespace() {
            let inner = (left + scale, y + scale, width - 2 * scale, height - 2 * scale);
            strokes.push((inner, color));
        }
    }
    let says = format!("text {} at ({x}, {y}) in {color:#06x}", quoted(&text));
    plan(says, draw(scene, scene.board.controller, strokes))
}

/// An answer that follows from the state is no choice: nothing outside could make it different.
pub(super) fn display_width(scene: &Scene<'_>) -> Result<Plan, String> {
    let (width, _) = scene.board.controller.seen(scene.size());
    Ok(Plan { result: width.into(), says: format!("display is {width} wide"), ..Plan::default() })
}

pub(super) fn display_height(scene: &Scene<'_>) -> Result<Plan, String> {
    let (_, height) = scene.board.controller.seen(scene.size());
    Ok(Plan { result: height.into(), says: format!("display is {height} high"), ..Plan::default() })
}
