//! A list that grows at its end and is shared by all that begin alike: what paths have in common is
//! kept once, and a fork costs nothing.

use std::sync::Arc;

/// The list. A clone is another list that begins alike.
#[derive(Debug)]
pub struct Chain<T> {
    last: Option<Arc<Link<T>>>,
    len: usize,
}

#[derive(Debug)]
struct Link<T> {
    item: T,
    before: Option<Arc<Link<T>>>,
}

impl<T> Default for Chain<T> {
    fn default() -> Self {
        Chain { last: None, len: 0 }
    }
}

impl<T> Clone for Chain<T> {
    fn clone(&self) -> Self {
        Chain { last: self.last.clone(), len: self.len }
    }
}

impl<T> Chain<T> {
    /// Adds something at the end.
    pub fn push(&mut self, item: T) {
        self.last = Some(Arc::new(Link { item, before: self.last.take() }));
        self.len += 1;
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// All of them, the last one first.
    pub fn backwards(&self) -> impl Iterator<Item = &T> {
        let links = std::iter::successors(self.last.as_deref(), |link| link.before.as_deref());
        links.map(|link| &link.item)
    }

    /// The last ones, so many at most, in order.
    pub fn last(&self, most: usize) -> Vec<&T> {
        let mut items: Vec<&T> = self.backwards().take(most).collect();
        items.reverse();
        items
    }
}

impl<T> Drop for Link<T> {
    /// One link after the other: a list may be longer than the stack is deep.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.before.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Chain;

    #[test]
    fn what_begins_alike_is_shared() {
        let mut first = Chain::default();
        (0..3).for_each(|n| first.push(n));
        let mut second = first.clone();
        first.push(10);
        second.push(20);
        assert_eq!(first.last(usize::MAX), [&0, &1, &2, &10]);
        assert_eq!(second.last(2), [&2, &20]);
        assert_eq!((first.len(), second.len()), (4, 4));
    }

    #[test]
    fn a_long_one_ends_like_any_other() {
        let mut long = Chain::default();
        (0..1_000_000).for_each(|n| long.push(n));
        let other = long.clone();
        drop(long);
        assert_eq!(other.backwards().next(), Some(&999_999));
    }
}
