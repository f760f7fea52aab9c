//! The same protocols as models of `stateright`, a model checker for actors: what the programs in
//! `benches/actors` do, written once more as its kind of actors.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use stateright::actor::{Actor, ActorModel, Envelope, Id, Network, Out};
use stateright::{Checker, Expectation, Model};

use super::Protocol;

/// What a model checker found.
pub struct Checked {
    /// States that differ.
    pub states: usize,
    /// States that were met, the same ones again included.
    pub met: usize,
    pub time: Duration,
}

#[derive(Clone)]
enum Role {
    Sender { to: Id, number: u32 },
    Receiver,
    Fork,
    Philosopher { first: Id, second: Id },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State {
    /// What a sender or a philosopher has come to.
    Stage(u8),
    Heard(u32),
    Fork {
        taken: bool,
        waiting: Option<Id>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Message {
    Init,
    Note(u32),
    Take,
    Granted,
    Release,
}

impl Actor for Role {
    type Msg = Message;
    type State = State;
    type Timer = ();
    type Random = ();
    type Storage = ();

    fn on_start(&self, _: Id, _: &Option<()>, _: &mut Out<Self>) -> State {
        match self {
            Role::Sender { .. } | Role::Philosopher { .. } => State::Stage(0),
            Role::Receiver => State::Heard(0),
            Role::Fork => State::Fork { taken: false, waiting: None },
        }
    }

    fn on_msg(
        &self,
        _: Id,
        state: &mut Cow<'_, State>,
        from: Id,
        message: Message,
        out: &mut Out<Self>,
    ) {
        let next = match (self, state.as_ref(), message) {
            (Role::Sender { to, number }, _, Message::Init) => {
                out.send(*to, Message::Note(*number));
                State::Stage(1)
            }
            (Role::Receiver, State::Heard(heard), Message::Note(number)) => {
                State::Heard(heard * 8 + number)
            }
            (Role::Fork, State::Fork { taken: false, waiting }, Message::Take) => {
                out.send(from, Message::Granted);
                State::Fork { taken: true, waiting: *waiting }
            }
            (Role::Fork, State::Fork { .. }, Message::Take) => {
                State::Fork { taken: true, waiting: Some(from) }
            }
            (Role::Fork, State::Fork { waiting: None, .. }, Message::Release) => {
                State::Fork { taken: false, waiting: None }
            }
            (Role::Fork, State::Fork { waiting: Some(next), .. }, Message::Release) => {
                out.send(*next, Message::Granted);
                State::Fork { taken: true, waiting: None }
            }
            (Role::Philosopher { first, .. }, State::Stage(0), Message::Init) => {
                out.send(*first, Message::Take);
                State::Stage(1)
            }
            (Role::Philosopher { second, .. }, State::Stage(1), Message::Granted) => {
                out.send(*second, Message::Take);
                State::Stage(2)
            }
            (Role::Philosopher { first, second }, State::Stage(2), Message::Granted) => {
                out.send(*first, Message::Release);
                out.send(*second, Message::Release);
                State::Stage(3)
            }
            _ => return,
        };
        *state = Cow::Owned(next);
    }
}

/// Who takes part, by address.
fn roles(protocol: Protocol) -> Vec<Role> {
    let address = Id::from;
    match protocol {
        Protocol::Senders { senders, receivers } => {
            let own = (0..senders).map(|index| Role::Sender {
                to: address(index % receivers),
                number: index as u32 + 1,
            });
            (0..receivers).map(|_| Role::Receiver).chain(own).collect()
        }
        Protocol::Philosophers(count) => {
            let own = (0..count).map(|seat| Role::Philosopher {
                first: address(seat),
                second: address((seat + 1) % count),
            });
            (0..count).map(|_| Role::Fork).chain(own).collect()
        }
    }
}

/// Looks at all states of a protocol, on as many threads.
pub fn check(protocol: Protocol, threads: usize) -> Result<Checked> {
    let roles = roles(protocol);
    // Whoever has made them tells them to begin.
    let maker = Id::from(roles.len());
    let begins = |role: &Role| matches!(role, Role::Sender { .. } | Role::Philosopher { .. });
    let starts = roles.iter().enumerate().filter(|(_, role)| begins(role));
    let starts =
        starts.map(|(index, _)| Envelope { src: maker, dst: Id::from(index), msg: Message::Init });
    let network = Network::new_ordered(starts);
    let begun = Instant::now();
    let checker = ActorModel::new((), ())
        .actors(roles)
        .init_network(network)
        // It goes on as long as there is something that might be refuted.
        .property(Expectation::Always, "all is looked at", |_, _| true)
        .checker()
        .threads(threads)
        .spawn_dfs()
        .join();
    let time = begun.elapsed();
    ensure!(checker.is_done(), "not all states were looked at");
    Ok(Checked { states: checker.unique_state_count(), met: checker.state_count(), time })
}
