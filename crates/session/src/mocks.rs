//! Deciding what inputs return.

use mw_vm::Value;
use mw_world::{Answer, Call, Port, World};
use serde::{Deserialize, Serialize};

/// A mock, by a number that is never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MockId(pub u32);

/// What an input is to return.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mock {
    /// The primitive, where several programs run: each numbers its imports itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<Port>,
    /// The imported function, by its index.
    pub import: u32,
    /// Only for calls with these arguments; for any when there are none.
    pub args: Option<Vec<Value>>,
    /// What it answers.
    #[serde(flatten)]
    pub answer: Answer,
    /// Whether it is good for one call only.
    pub once: bool,
}

impl Mock {
    fn matches(&self, world: &World, call: Call<'_>) -> bool {
        let is_it = match self.port {
            Some(port) => world.port(call.import) == Ok(port),
            None => self.import == call.import,
        };
        is_it && self.args.as_ref().is_none_or(|args| args == call.args)
    }
}

/// All mocks of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mocks {
    mocks: Vec<(MockId, Mock)>,
    next: u32,
}

impl Mocks {
    /// Adds a mock. Of several that fit a call, the newest counts.
    pub fn add(&mut self, mock: Mock) -> MockId {
        // People count from one.
        let id = MockId(self.next.max(1));
        self.restore(id, mock);
        id
    }

    /// Puts a mock back under the number that it had.
    pub fn restore(&mut self, id: MockId, mock: Mock) {
        self.next = self.next.max(id.0 + 1);
        self.mocks.push((id, mock));
    }

    /// Removes a mock; says whether it was there.
    pub fn remove(&mut self, id: MockId) -> bool {
        let before = self.mocks.len();
        self.mocks.retain(|(other, _)| *other != id);
        self.mocks.len() < before
    }

    /// Removes the mocks that stay and are for the same calls as this one.
    pub fn forget_lasting(&mut self, mock: &Mock) {
        let of = |mock: &Mock| (mock.port, mock.import, mock.args.clone());
        let is_same = |other: &Mock| of(other) == of(mock);
        self.mocks.retain(|(_, other)| other.once || !is_same(other));
    }

    /// All mocks, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (MockId, &Mock)> {
        self.mocks.iter().map(|(id, mock)| (*id, mock))
    }

    fn find(&self, world: &World, call: Call<'_>) -> Option<usize> {
        self.mocks.iter().rposition(|(_, mock)| mock.matches(world, call))
    }

    /// What the newest mock says that fits a call.
    pub fn answer_for(&self, world: &World, call: Call<'_>) -> Option<Answer> {
        self.find(world, call).map(|index| self.mocks[index].1.answer.clone())
    }

    /// Notes that a call has been answered by the mock that fits it.
    pub(crate) fn used(&mut self, world: &World, call: Call<'_>) {
        if let Some(index) = self.find(world, call)
            && self.mocks[index].1.once
        {
            self.mocks.remove(index);
        }
    }
}
