//! The board for people: plain names and units, for the page, the terminal and JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Board, Interrupt, Motor, Rgb};

/// A board as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardView {
    /// The clock, in microseconds since the start.
    pub clock_us: i64,
    /// The pins that the program has touched.
    pub pins: BTreeMap<u8, PinView>,
    /// The motors that the program has driven.
    pub motors: BTreeMap<u8, MotorView>,
    /// The pixels of the strip as last shown.
    pub pixels: BTreeMap<u8, Rgb>,
    /// The pixels of the strip as set, waiting for `show_pixels`.
    pub pixels_set: BTreeMap<u8, Rgb>,
    /// The display.
    pub display: DisplayView,
    /// What has been printed.
    pub transcript: String,
    /// The frequency that sounds, in Hz.
    pub tone_hz: Option<i32>,
    /// The modes of the sensors that have been set up, by port.
    pub sensors: BTreeMap<u8, i32>,
    /// The interrupts that the program has asked to be told of.
    pub interrupts: Vec<Interrupt>,
    /// What it has set up of the network, a line each.
    pub network: Vec<String>,
}

/// A pin as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinView {
    /// `input`, `output`, or nothing when the program has not said. Any mode but 0 of a pin that
    /// has been written counts as output, since platforms number modes differently.
    pub direction: Option<Direction>,
    /// The mode as the program gave it.
    pub mode: Option<i32>,
    /// The level last written.
    pub level: Option<Level>,
    /// The value last given to PWM.
    pub pwm: Option<i32>,
    /// The angle of the servo attached here, in degrees.
    pub servo_degrees: Option<i32>,
}

impl PinView {
    /// What the mode is called, if the program has set one.
    pub fn mode_name(&self) -> Option<String> {
        self.mode.map(mode_name)
    }

    /// What has been set about the pin apart from its mode, for people.
    pub fn settings(&self) -> Vec<String> {
        let level = self.level.map(|level| match level {
            Level::High => "high".to_owned(),
            Level::Low => "low".to_owned(),
        });
        let pwm = self.pwm.map(|value| format!("PWM {value}"));
        let servo = self.servo_degrees.map(|angle| format!("servo at {angle}°"));
        [level, pwm, servo].into_iter().flatten().collect()
    }
}

/// What a mode of a pin is called, by the numbers that the ESP32 has for them.
pub(super) fn mode_name(mode: i32) -> String {
    match mode {
        0 => "input".to_owned(),
        2 => "output".to_owned(),
        5 => "input with pull-up".to_owned(),
        9 => "input with pull-down".to_owned(),
        other => format!("mode {other}"),
    }
}

/// Which way a pin works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Direction {
    Input,
    Output,
}

/// The level of a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Level {
    Low,
    High,
}

/// A motor as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MotorView {
    /// The speed, -10,000 to 10,000.
    pub speed: i32,
    /// Where the axle points, in thousandths of a degree from 0 to 359,999.
    pub angle_millidegrees: i64,
    /// How far it has turned since the start, in thousandths of a degree.
    pub position_millidegrees: i64,
}

/// The display as it is shown: the way round that the program draws on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisplayView {
    /// Whether it is awake and switched on. The picture is kept while it is not.
    pub on: bool,
    /// The width, as the program sees it.
    pub width: u16,
    /// The height, as the program sees it.
    pub height: u16,
    /// The picture row by row, in RGB565.
    pub pixels: Vec<u16>,
}

impl Board {
    /// The board for people.
    pub fn view(&self) -> BoardView {
        let pins = self.pins.iter().map(|(number, pin)| {
            let level = pin.level.map(|high| if high { Level::High } else { Level::Low });
            let direction = match pin.mode {
                Some(0) => Some(Direction::Input),
                Some(_) if pin.level.is_some() => Some(Direction::Output),
                _ => None,
            };
            let (mode, pwm, servo_degrees) = (pin.mode, pin.pwm, pin.servo);
            (*number, PinView { direction, mode, level, pwm, servo_degrees })
        });
        let motors = self.motors.iter().map(|(number, motor)| {
            let position = motor.angle.div_euclid(Motor::PER_DEGREE / 1000);
            let view = MotorView {
                speed: motor.speed,
                angle_millidegrees: position.rem_euclid(360_000),
                position_millidegrees: position,
            };
            (*number, view)
        });
        BoardView {
            clock_us: self.clock,
            pins: pins.collect(),
            motors: motors.collect(),
            pixels: self.shown.clone(),
            pixels_set: self.strip.clone(),
            display: self.display_view(),
            transcript: self.transcript.text(),
            tone_hz: self.tone,
            sensors: self.sensors.clone(),
            interrupts: self.interrupts().collect(),
            network: self.network(),
        }
    }

    fn display_view(&self) -> DisplayView {
        let size = self.screen.size();
        let (width, height) = self.controller.seen(size);
        let pixel = |x, y| {
            let (x, y) = self.controller.place(x, y, size);
            self.screen.pixel(x, y)
        };
        DisplayView {
            on: self.controller.on && self.controller.awake,
            width,
            height,
            pixels: (0..height)
                .flat_map(|y| (0..width).map(move |x| (x, y)))
                .map(|(x, y)| pixel(x, y))
                .collect(),
        }
    }
}
