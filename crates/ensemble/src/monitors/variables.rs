//! Telling monitors of variables that are read and written.

use mw_monitor::Occasion;
use mw_vm::Op;

use super::access::{Target, What, touched};
use super::points::Told;
use super::{Monitors, Watched};
use crate::moment::Moment;

impl Watched {
    /// A variable that is in memory, wherever.
    pub(super) fn anywhere(&self, told: Told) -> Target {
        self.in_memory(told, 0..u64::MAX, None)
    }

    fn in_memory(&self, told: Told, range: std::ops::Range<u64>, frame: Option<usize>) -> Target {
        let (reads, writes, before) = self.access(told);
        Target { told, what: What::Memory(range), reads, writes, before, frame }
    }

    /// What of a variable is watched: that it is read, that it is written, and whether that is told
    /// before it happens.
    fn access(&self, told: Told) -> (bool, bool, bool) {
        match self.watch(told).point {
            mw_monitor::Point::Access { reads, writes, before, .. } => (reads, writes, before),
            _ => (false, false, false),
        }
    }
}

impl Monitors {
    /// The variables that are watched in frames under way.
    pub(super) fn variables_in_frames(&self, now: &Moment, program: usize) -> Vec<Target> {
        let points = &self.watched.programs[program];
        if points.in_frames.is_empty() {
            return Vec::new();
        }
        let (machine, module) = (&now.machine, now.machine.module());
        let stack = machine.call_stack();
        let mut found = Vec::new();
        for &(func, from, told) in &points.in_frames {
            let is_needed = self.states[told.which].needed().contains(self.watched.event_of(told));
            let own = stack.iter().enumerate().filter(|(_, frame)| frame.func == func);
            for (depth, frame) in own.filter(|(_, frame)| is_needed && frame.pc >= from) {
                // One that is about to be left is as good as gone.
                let is_leaving = depth == 0
                    && matches!(
                        module.code()[frame.pc as usize],
                        Op::Return { .. }
                            | Op::ReturnCall { .. }
                            | Op::ReturnCallIndirect { .. }
                            | Op::ReturnCallImport { .. }
                    );
                let automaton = &self.watched.automata[told.which];
                let watch = self.watched.watch(told);
                let range = automaton.range_in_frame(watch, machine, depth);
                if let Some(range) = range.filter(|_| !is_leaving) {
                    found.push(self.watched.in_memory(told, range, Some(stack.len() - depth)));
                }
            }
        }
        found
    }

    /// What the next instruction touches of all that could be watched, of what is told before or
    /// after: one event may make the next one matter.
    pub(super) fn touched(&self, now: &Moment, program: usize, before: bool) -> Vec<Target> {
        let points = &self.watched.programs[program];
        let all = points.targets.iter().chain(&self.in_frames);
        touched(&now.machine, all.filter(|target| target.before == before))
    }

    /// Tells of what the next instruction is about to touch.
    pub(super) fn before_access(&mut self, now: &Moment, program: usize) {
        let points = &self.watched.programs[program];
        if points.targets.is_empty() && points.in_frames.is_empty() {
            return;
        }
        if self.armed.is_none() {
            self.in_frames = self.variables_in_frames(now, program);
        }
        let touched = self.touched(now, program, true);
        self.tell_access(now, &touched);
    }

    /// Tells of what the next instruction is about to touch, or the last one has.
    pub(super) fn tell_access(&mut self, now: &Moment, touched: &[Target]) {
        for target in touched {
            let nested = now.machine.call_depth();
            let depth = target.frame.map_or(0, |frame| nested.saturating_sub(frame));
            let occasion = Occasion { depth, ..self.occasion(now) };
            self.happened(now, target.told, &occasion);
        }
    }
}
