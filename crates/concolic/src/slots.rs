//! Something about some of the slots of a machine's stack, or of its globals.

use std::ops::Range;

/// What there is to say about slots, by their number; nothing about most of them.
#[derive(Clone, Debug)]
pub struct Slots<T>(Vec<Option<T>>);

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Slots(Vec::new())
    }
}

impl<T: Copy> Slots<T> {
    /// What there is to say about a slot.
    #[inline]
    pub fn get(&self, slot: usize) -> Option<T> {
        self.0.get(slot).copied().flatten()
    }

    /// Says something about a slot, or nothing any more.
    #[inline]
    pub fn set(&mut self, slot: usize, value: Option<T>) {
        match self.0.get_mut(slot) {
            Some(place) => *place = value,
            None if value.is_none() => {}
            None => {
                self.0.resize(slot + 1, None);
                self.0[slot] = value;
            }
        }
    }

    /// Says nothing about these any more.
    pub fn clear(&mut self, slots: Range<usize>) {
        let end = slots.end.min(self.0.len());
        if let Some(slots) = self.0.get_mut(slots.start..end) {
            slots.fill(None);
        }
    }

    /// Says nothing about all slots from this one on.
    pub fn truncate(&mut self, height: usize) {
        self.0.truncate(height);
    }

    /// All that there is to say.
    pub fn iter(&self) -> impl Iterator<Item = (usize, T)> + '_ {
        self.0.iter().enumerate().filter_map(|(slot, value)| Some((slot, (*value)?)))
    }
}
