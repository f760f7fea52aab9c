//! Places with a name.

use mw_session::Place;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::notation::place::is_reserved;
use crate::notation::{PlaceRef, PlaceSpec};
use crate::views::PlaceView;

/// Names a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bookmark {
    /// The name.
    pub name: String,
    /// The place; here without.
    #[serde(default)]
    pub place: Option<PlaceRef>,
}

impl Ask for Bookmark {
    type Reply = BookmarkView;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let name = self.name.trim();
        if is_reserved(name) {
            return Err(ApiError::notation(format!(
                "`{name}` cannot be a bookmark's name; take one word that begins with a letter \
                 and is not start, end or here"
            )));
        }
        let place = match &self.place {
            Some(place) => debugger.resolve(place)?,
            None => debugger.session.here(),
        };
        debugger.journey(place, listener)?;
        debugger.session.bookmarks_mut().set(name, place);
        Ok(BookmarkView { name: name.into(), place: debugger.place_view(place) })
    }
}

/// A place with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookmarkView {
    /// The name.
    pub name: String,
    /// The place.
    pub place: PlaceView,
}

/// Forgets the name of a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoveBookmark {
    /// The name.
    pub name: String,
}

impl Ask for RemoveBookmark {
    type Reply = ();

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        // Resolving says what there is if this one is not.
        debugger.resolve(&PlaceRef::Parts(PlaceSpec::Bookmark(self.name.clone())))?;
        debugger.session.bookmarks_mut().remove(&self.name);
        Ok(())
    }
}

/// All bookmarks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bookmarks {}

impl Ask for Bookmarks {
    type Reply = Vec<BookmarkView>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let view = |(name, place): (&str, Place)| BookmarkView {
            name: name.into(),
            place: debugger.place_view(place),
        };
        Ok(debugger.session.bookmarks().iter().map(view).collect())
    }
}
