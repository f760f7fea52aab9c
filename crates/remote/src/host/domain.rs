//! Kinds and domains, as they travel and as the world has them.

use mw_world::{Floats, Integers, Range};

use crate::message::{Domain, Kind};

impl From<mw_world::Kind> for Kind {
    fn from(kind: mw_world::Kind) -> Self {
        match kind {
            mw_world::Kind::Input => Kind::Input,
            mw_world::Kind::Output { irreversible } => Kind::Output { irreversible },
            mw_world::Kind::Abort => Kind::Abort,
        }
    }
}

/// So many ranges fit into a message beside names and types.
const RANGES: usize = 16;

impl Domain {
    /// What a device says of this domain, unless it is too long to say.
    pub fn of(domain: &mw_world::Domain) -> Option<Domain> {
        match domain {
            mw_world::Domain::Integers(set) if set.ranges().len() > RANGES => None,
            mw_world::Domain::Integers(set) => Some(Domain::Integers(
                set.ranges().iter().map(|range| (range.low, range.high)).collect(),
            )),
            mw_world::Domain::Floats(set) => Some(Domain::Floats((*set).into())),
        }
    }

    /// The domain that a device means; `None` if there is nothing in it.
    pub fn meant(&self) -> Option<mw_world::Domain> {
        match self {
            Domain::Integers(ranges) => {
                let ranges = ranges.iter().map(|&(low, high)| Range::new(low, high));
                Integers::new(ranges).map(mw_world::Domain::Integers)
            }
            Domain::Floats(ends) => Floats::try_from(*ends).ok().map(mw_world::Domain::Floats),
        }
    }
}

#[cfg(test)]
mod tests {
    use mw_world::Domain as World;

    use super::*;

    #[test]
    fn what_is_said_is_what_is_meant() {
        let sets =
            [World::range(-40, 125), World::set([1, 2, 7]), World::set([i64::MIN, i64::MAX])];
        let floats = [Floats::new(-0.5, 1.5), Some(Floats::ANY)];
        let floats = floats.map(|floats| floats.map(World::Floats));
        for domain in sets.into_iter().chain(floats).flatten() {
            assert_eq!(Domain::of(&domain).and_then(|said| said.meant()), Some(domain));
        }
        let scattered = World::set((0..100).map(|number| number * 2)).unwrap();
        assert_eq!(Domain::of(&scattered), None);
        for nothing in [Domain::Integers([(3, 2)].into()), Domain::Integers([].into())] {
            assert_eq!(nothing.meant(), None);
        }
        let backwards = Domain::Floats(Some((2f64.to_bits(), 1f64.to_bits())));
        assert_eq!(backwards.meant(), None);
    }
}
