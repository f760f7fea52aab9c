//! Names for places.

use std::collections::BTreeMap;

use mw_multiverse::Place;

/// Places that a person has named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bookmarks {
    places: BTreeMap<String, Place>,
}

impl Bookmarks {
    /// Names a place, whatever the name stood for before.
    pub fn set(&mut self, name: &str, place: Place) {
        self.places.insert(name.to_owned(), place);
    }

    /// Forgets a name; says whether it was known.
    pub fn remove(&mut self, name: &str) -> bool {
        self.places.remove(name).is_some()
    }

    /// The place of this name.
    pub fn get(&self, name: &str) -> Option<Place> {
        self.places.get(name).copied()
    }

    /// All names and their places.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Place)> {
        self.places.iter().map(|(name, place)| (name.as_str(), *place))
    }
}
