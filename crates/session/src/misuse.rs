//! Misuse of memory: a machine does not notice it, but exploring does.
//!
//! Whether an access goes where its pointer may depends on where the pointer came from, so it takes
//! the whole way to know: the universe up to here is explored, with every input decided.

use std::time::Duration;

use mw_concolic::{Cut, End, Explorer, Mocked, Options, Stop};
use mw_multiverse::Site;
use mw_vm::Value;
use mw_world::HeapError;

use crate::control::Control;
use crate::drive::result_of;
use crate::session::Session;

/// Time is no bound: there is one path, whose end is known.
const UNBOUNDED: Duration = Duration::from_secs(1 << 30);

/// How often exploring looks up before whoever waits is asked whether to go on.
const PATIENCE: u64 = 1000;

impl Session {
    /// How the next instruction misuses memory that the program has announced, if it does.
    pub fn misuse_here(&mut self, control: &mut dyn Control) -> Option<HeapError> {
        if self.walk.now.world.state().heap().is_empty() {
            return None;
        }
        let mocked = |node| {
            let choice = self.multiverse().choice(node)?;
            let Site::Input { port, args } = choice.site else { return None };
            let import = self.walk.now.world.import_of(*port)?;
            let ty = self.module().func_type(&self.module().funcs()[import as usize]);
            let args = ty.params.iter().zip(args).map(|(ty, slot)| Value::from_slot(*ty, *slot));
            let answer = choice.answer(result_of(self.module(), import));
            Some(Mocked { port: None, import, args: Some(args.collect()), answer, once: true })
        };
        let way = self.multiverse().ancestors(self.walk.node);
        // The last one counts first. What else was decided than inputs, exploring does not do.
        let way = way.filter(|node| self.multiverse().parent(*node).is_some());
        let mocks = way.map(mocked).collect::<Option<Vec<Mocked>>>()?;
        let mut options = Options { mocks, jobs: 1, ..Options::default() };
        options.bounds.instructions = self.walk.now.machine.count() - self.start().count + 1;
        options.bounds.inputs = usize::MAX;
        options.bounds.time = UNBOUNDED;
        let mut explorer = Explorer::new(self.known.at_root().now, options);
        explorer.run(&Stop::after_looks(PATIENCE), &mut |_| {});
        while explorer.stopped() == Some(Cut::Cancelled) && !control.is_cancelled() {
            explorer.run(&Stop::after_looks(PATIENCE), &mut |_| {});
        }
        let count = self.walk.now.machine.count();
        explorer.all_leaves().into_iter().find_map(|leaf| match leaf.end {
            End::Heap(error) if leaf.count == count => Some(error),
            _ => None,
        })
    }
}
