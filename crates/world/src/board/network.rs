//! Wi-Fi, MQTT and sockets: what the outside may answer, and what the board notes of it.
//!
//! A connection can fail and can be lost at any moment, so no answer follows from an earlier one.
//! What the board notes depends on what was asked and never on what was answered.
//!
//! Not modelled: what an answer writes into the program's memory (a page, a message, an address).
//! The buffer keeps what it had; whoever reads it reads that.

use mw_vm::Value;

use super::effects::{Plan, Scene, plan, quoted};
use super::{Board, BoardChange};
use crate::domain::Domain;

/// An input whose answers depend on what the program has asked for before.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// What a call with these arguments can return.
    pub(crate) answers: fn(&Board, &[Value]) -> Option<Domain>,
    /// What the board notes of the call, whatever it returns.
    pub(crate) notes: fn(&Board, &[Value]) -> Option<BoardChange>,
}

fn number(args: &[Value], index: usize) -> i32 {
    match args.get(index) {
        Some(Value::I32(number)) => *number,
        _ => 0,
    }
}

/// A new socket: the next number, or -1.
pub(super) const NEW_SOCKET: Question = Question {
    answers: |board, _| Domain::set([-1, i64::from(board.next_socket())]),
    notes: |board, _| Some(BoardChange::Socket(board.next_socket(), Some(true))),
};

/// A client of a listening socket: a new socket, or -1.
pub(super) const NEW_CLIENT: Question = Question {
    answers: |board, args| match board.has_socket(number(args, 0)) {
        true => (NEW_SOCKET.answers)(board, args),
        false => Domain::range(-1, -1),
    },
    notes: |board, args| match board.has_socket(number(args, 0)) {
        true => (NEW_SOCKET.notes)(board, args),
        false => None,
    },
};

/// How many bytes go through a socket: as many as were asked for, fewer, or -1.
pub(super) const TRANSFER: Question = Question {
    answers: |board, args| {
        let most = i64::from(number(args, 2).max(0));
        Domain::range(-1, if board.has_socket(number(args, 0)) { most } else { -1 })
    },
    notes: |_, _| None,
};

/// A subscription to messages; the last argument is the handler. It stands whether or not the
/// broker heard of it.
pub(super) const SUBSCRIBE: Question = Question {
    answers: |_, _| Domain::range(0, 1),
    notes: |board, args| Some(board.handler(number(args, args.len().saturating_sub(1)), 1)),
};

/// The end of one.
pub(super) const UNSUBSCRIBE: Question = Question {
    answers: |_, _| Domain::range(0, 1),
    notes: |board, args| Some(board.handler(number(args, args.len().saturating_sub(1)), -1)),
};

impl Board {
    fn next_socket(&self) -> u32 {
        self.sockets.len() as u32
    }

    fn has_socket(&self, number: i32) -> bool {
        u32::try_from(number).is_ok_and(|number| self.sockets.get(&number) == Some(&true))
    }

    /// One subscription more or less for an entry of the program's table.
    fn handler(&self, table_index: i32, change: i32) -> BoardChange {
        let table_index = table_index as u32;
        let count = self.handlers.get(&table_index).copied().unwrap_or(0);
        let count = count.saturating_add_signed(change);
        BoardChange::Handler(table_index, (count > 0).then_some(count))
    }

    /// Whether the program has asked to be called when a message arrives.
    pub(crate) fn awaits_messages(&self) -> bool {
        !self.handlers.is_empty()
    }

    /// What the program has set up, for people.
    pub(super) fn network(&self) -> Vec<String> {
        let wifi = self.wifi.iter().map(|name| format!("Wi-Fi {name:?}"));
        let broker = self.broker.iter().map(|address| format!("MQTT broker {address}"));
        let handlers = self.handlers.keys().map(|at| format!("messages call table entry {at}"));
        let open = self.sockets.iter().filter(|(_, is_open)| **is_open);
        let sockets = open.map(|(number, _)| format!("socket {number}"));
        wifi.chain(broker).chain(handlers).chain(sockets).collect()
    }
}

pub(super) fn wifi_connect(scene: &Scene<'_>) -> Result<Plan, String> {
    let name = scene.text(0)?;
    // The password stays where it is, but it has to be somewhere.
    scene.text(2)?;
    plan(format!("asked for Wi-Fi {}", quoted(&name)), [BoardChange::Wifi(Some(name.into()))])
}

pub(super) fn wifi_disconnect(_: &Scene<'_>) -> Result<Plan, String> {
    plan("left Wi-Fi".into(), [BoardChange::Wifi(None)])
}

/// Returns the buffer that it was given.
pub(super) fn wifi_local_ip(scene: &Scene<'_>) -> Result<Plan, String> {
    let says = "asked for its own address".into();
    Ok(Plan { result: scene.arg(0), says, ..Plan::default() })
}

pub(super) fn mqtt_init(scene: &Scene<'_>) -> Result<Plan, String> {
    let address = format!("{}:{}", scene.text(0)?, scene.arg(2));
    plan(format!("MQTT broker {}", quoted(&address)), [BoardChange::Broker(Some(address.into()))])
}

pub(super) fn socket_close(scene: &Scene<'_>) -> Result<Plan, String> {
    let number = scene.arg(0);
    if !scene.board.has_socket(number) {
        let says = format!("socket {number} is not open");
        return Ok(Plan { result: -1, says, ..Plan::default() });
    }
    plan(format!("socket {number} closed"), [BoardChange::Socket(number as u32, Some(false))])
}

/// WARDuino's own: the program asks to be called once, as by a message.
pub(super) fn test(scene: &Scene<'_>) -> Result<Plan, String> {
    let says = format!("a message will call table entry {}", scene.arg(0) as u32);
    plan(says, [scene.board.handler(scene.arg(0), 1)])
}
