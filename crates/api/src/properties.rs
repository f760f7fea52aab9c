//! Properties: automata over what a program does, whose running state belongs to every place.
//!
//! A property is loaded as a text and from then on holds, or not, wherever one is or looks: what
//! comes before here is replayed for it. Everything here is said of a place, here without one.

use std::sync::Arc;

use mw_ensemble::Moment;
use mw_monitor::{Automaton, MonitorState, Verdict as Found};
use mw_session::{Place, PropertyId, PropertyText};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::automata::SliceView;
use crate::debugger::{Bridge, Debugger};
use crate::error::ApiError;
use crate::event::Listener;
use crate::notation::PlaceRef;
use crate::views::PlaceView;

/// So many of the slices that violate a property are told with its verdict.
const VIOLATING: usize = 10;

/// Loads a property, or another text for one that is loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadProperty {
    /// What it is called: the stem of its file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The file that it was read from, if it was: only who may name files can say so.
    #[serde(skip)]
    pub path: Option<String>,
    /// The property that it takes the place of.
    #[serde(default)]
    pub replaces: Option<u32>,
}

impl Ask for LoadProperty {
    type Reply = PropertyView;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let replaces = self.replaces.map(|id| debugger.property(id)).transpose()?;
        let LoadProperty { name, text, path, .. } = self;
        let known = replaces.and_then(|id| debugger.session.properties().get(id));
        // Whoever has only the text of what was read from a file does not mean another file.
        let is_file =
            path.is_some() || replaces.is_some_and(|id| debugger.property_files.contains(&id));
        let path = path.or_else(|| known.and_then(|(text, _)| text.path.clone()));
        debugger.prepare_for_properties();
        let text = PropertyText { name, text, path };
        let session = &mut debugger.session;
        let id = session.load_property(text, replaces, &mut Bridge { listener })?;
        match is_file {
            true => debugger.property_files.insert(id),
            false => debugger.property_files.remove(&id),
        };
        debugger.property_view(id)
    }
}

/// Unloads a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoveProperty {
    /// Its number.
    pub property: u32,
}

impl Ask for RemoveProperty {
    type Reply = ();

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let id = debugger.property(self.property)?;
        Ok(debugger.session.remove_property(id, &mut Bridge { listener })?)
    }
}

/// All properties, with their verdicts here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Properties {}

impl Ask for Properties {
    type Reply = Vec<PropertyView>;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let ids: Vec<_> = debugger.session.properties().iter().map(|(id, ..)| id).collect();
        ids.into_iter().map(|id| debugger.property_view(id)).collect()
    }
}

/// A property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyView {
    /// Its number.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The file that it was read from, if it was.
    pub path: Option<String>,
    /// Whether it holds here.
    pub verdict: VerdictView,
    /// How many slices there are here.
    pub slices: u64,
    /// What could not be computed on the way here, the first time: the verdict may be wrong.
    pub fault: Option<String>,
    /// The text that its file has now, if that is another one.
    pub changed: Option<String>,
}

/// Whether a property holds at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictView {
    /// It holds so far.
    Holds,
    /// It is violated.
    Violated,
    /// The program has ended, and something that was to happen has not.
    Inconclusive,
}

/// Whether properties hold at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Where; here without.
    #[serde(default)]
    pub at: Option<PlaceRef>,
}

impl Ask for Verdict {
    type Reply = VerdictsView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let place = debugger.place_or_here(self.at.as_ref())?;
        let ids: Vec<_> = debugger.session.properties().iter().map(|(id, ..)| id).collect();
        let mut verdicts = Vec::new();
        for id in ids {
            let (automaton, state) = debugger.monitor_at(id, place, listener)?;
            let mut slices = state.slices();
            slices.retain(|slice| automaton.state(slice.state).is_violation());
            slices.truncate(VIOLATING);
            verdicts.push(PropertyVerdict {
                property: id.0,
                name: automaton.name().to_owned(),
                verdict: state.verdict().into(),
                fault: state.fault().map(str::to_owned),
                violating: slices.iter().map(|one| SliceView::new(&automaton, one)).collect(),
            });
        }
        Ok(VerdictsView { place: debugger.place_view(place), verdicts })
    }
}

/// Whether properties hold at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictsView {
    /// The place.
    pub place: PlaceView,
    /// One for each property.
    pub verdicts: Vec<PropertyVerdict>,
}

/// Whether a property holds at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyVerdict {
    /// The property.
    pub property: u32,
    /// What it is called.
    pub name: String,
    /// Whether it holds.
    pub verdict: VerdictView,
    /// What could not be computed on the way there, the first time: the verdict may be wrong.
    pub fault: Option<String>,
    /// The slices that violate it, the first few.
    pub violating: Vec<SliceView>,
}

impl From<Found> for VerdictView {
    fn from(verdict: Found) -> Self {
        match verdict {
            Found::HoldsSoFar => VerdictView::Holds,
            Found::Violated => VerdictView::Violated,
            Found::Inconclusive => VerdictView::Inconclusive,
        }
    }
}

impl VerdictView {
    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            VerdictView::Holds => "holds so far",
            VerdictView::Violated => "violated",
            VerdictView::Inconclusive => "inconclusive",
        }
    }
}

impl Debugger {
    /// Lets files of properties be read, to see whether they have changed.
    pub fn read_files(&mut self, read: fn(&str) -> Option<String>) {
        self.read_file = Some(read);
    }

    /// Tells the session what programs are called by whose names properties are written, where no
    /// sources are known.
    pub(crate) fn prepare_for_properties(&mut self) {
        let modules: Vec<_> = self.session.programs().map(|(module, _)| module.clone()).collect();
        for ((number, text), module) in (0..).zip(&self.texts).zip(&modules) {
            if text.sources.is_none() {
                self.session.set_own_text(number, text.code(module));
            }
        }
    }

    /// The property with a number.
    pub(crate) fn property(&self, number: u32) -> Result<PropertyId, ApiError> {
        let properties = self.session.properties();
        match properties.get(PropertyId(number)) {
            Some(_) => Ok(PropertyId(number)),
            None if properties.is_empty() => {
                Err(ApiError::unknown("no property is loaded; `property load FILE` loads one"))
            }
            None => {
                let all = properties.iter().map(|(id, text, _)| format!("{} {}", id.0, text.name));
                let all = all.collect::<Vec<_>>().join(", ");
                Err(ApiError::unknown(format!("there is no property {number}; there are: {all}")))
            }
        }
    }

    fn property_view(&self, id: PropertyId) -> Result<PropertyView, ApiError> {
        let gone = || ApiError::unknown(format!("there is no property {}", id.0));
        let (text, _) = self.session.properties().get(id).ok_or_else(gone)?;
        let state = self.session.monitor(id).ok_or_else(gone)?;
        let PropertyText { name, text, path } = text.clone();
        // A session file may name any file; only those are read that somebody here has named.
        let file = path.as_ref().filter(|_| self.property_files.contains(&id));
        let now = file.zip(self.read_file).and_then(|(path, read)| read(path));
        Ok(PropertyView {
            id: id.0,
            name,
            changed: now.filter(|now| *now != text),
            text,
            path,
            verdict: state.verdict().into(),
            slices: state.slice_count() as u64,
            fault: state.fault().map(str::to_owned),
        })
    }

    /// The place that is meant; here without one.
    pub(crate) fn place_or_here(&self, place: Option<&PlaceRef>) -> Result<Place, ApiError> {
        place.map_or_else(|| Ok(self.session.here()), |place| self.resolve(place))
    }

    /// The automaton of a property, and where its monitor is at a place.
    pub(crate) fn monitor_at(
        &mut self,
        id: PropertyId,
        place: Place,
        listener: &mut dyn Listener,
    ) -> Result<(Arc<Automaton>, MonitorState), ApiError> {
        let properties = self.session.properties();
        let gone = || ApiError::unknown(format!("there is no property {}", id.0));
        let (_, automaton) = properties.get(id).ok_or_else(gone)?;
        let (automaton, position) = (automaton.clone(), properties.position(id));
        let of = |now: &Moment| {
            let monitors = now.monitors.as_deref()?;
            monitors.get(position?).map(|(_, state)| state.clone())
        };
        let found = match place == self.session.here() {
            true => of(self.session.now()),
            false => self.session.look_at(place, &mut Bridge { listener }, |now| of(now))?,
        };
        Ok((automaton, found.ok_or_else(gone)?))
    }
}
