//! The recorded way to a place in terms of its inputs: what the program decided on it, and what had a
//! say in that.
//!
//! The way is explored once more, with every input open that returns what it returned. What is long
//! ago is taken as it was, and so is what was decided otherwise than by reading.

use std::time::Duration;

use mw_concolic::{Cut, End, Explorer, Leaf, Options, Stop};
use mw_multiverse::{NodeId, Place, Site};

use crate::control::Control;
use crate::drive::result_of;
use crate::error::SessionError;
use crate::session::Session;

/// So many inputs before a place are looked at.
const INPUTS: usize = 100;

/// So long it may take, as somebody waits.
const TIME: Duration = Duration::from_millis(500);

/// How often exploring looks up before whoever waits is asked whether to go on.
const PATIENCE: u64 = 1000;

/// A way that was explored.
#[derive(Debug)]
pub struct Retraced {
    /// The path, up to where the next input is read or the program ends.
    pub leaf: Leaf,
    /// The node that each of its inputs leads to.
    pub nodes: Vec<NodeId>,
    /// Whether it begins at the start, and was followed to its end.
    pub is_whole: bool,
}

impl Session {
    /// Explores the way to a place, and on to the next reading.
    pub fn retrace(
        &mut self,
        to: Place,
        control: &mut dyn Control,
    ) -> Result<Retraced, SessionError> {
        let is_input = |node: &NodeId| {
            let choice = self.multiverse().choice(*node);
            choice.is_some_and(|choice| matches!(choice.site, Site::Input { .. }))
        };
        let way = self.multiverse().ancestors(to.node).take_while(is_input).take(INPUTS);
        let mut nodes: Vec<NodeId> = way.collect();
        nodes.reverse();
        let from = nodes.first().map_or(Some(to.node), |first| self.multiverse().parent(*first));
        let from = from.unwrap_or(NodeId::ROOT);
        let answer = |node: &NodeId| {
            let choice = self.multiverse().choice(*node)?;
            let Site::Input { port, .. } = choice.site else { return None };
            let import = self.walk.now.world.import_of(*port)?;
            Some(choice.answer(result_of(self.module(), import)))
        };
        let along = Some(nodes.iter().filter_map(answer).collect());
        let begin = Place { node: from, count: self.multiverse().start(from) };
        let now = self.look_at(begin, control, |now| now.fork())?;
        let mut options = Options { along, jobs: 1, ..Options::default() };
        options.bounds.time = TIME;
        let mut explorer = Explorer::new(now, options);
        explorer.run(&Stop::after_looks(PATIENCE), &mut |_| {});
        while explorer.stopped() == Some(Cut::Cancelled)
            && explorer.spent() < TIME
            && !control.is_cancelled()
        {
            explorer.run(&Stop::after_looks(PATIENCE), &mut |_| {});
        }
        let leaf = explorer.all_leaves().into_iter().next();
        let leaf = leaf.ok_or_else(|| SessionError::Unknown("nothing leads there".into()))?;
        let is_followed = leaf.end.is_whole() || leaf.end == End::Cut(Cut::Inputs);
        Ok(Retraced { leaf, nodes, is_whole: from == NodeId::ROOT && is_followed })
    }
}
