//! What happened that properties know of: the log, explanations, witnesses.

use std::time::Duration;

use mw_monitor::{Automaton, Change, Instance, Outcome, Read};
use mw_session::{Happening, Place, PropertyId};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::automata::{NamedValue, bare, instance_view, position_drawn, variables_view};
use crate::debugger::{Bridge, Debugger};
use crate::error::ApiError;
use crate::event::Listener;
use crate::notation::PlaceRef;
use crate::patience::Patience;
use crate::trace::TraceText;
use crate::views::PlaceView;

/// How many events there are unless told otherwise.
const EVENTS: usize = 1000;
/// How many there are at most.
const MOST: usize = 100_000;
/// How long they are looked for.
const TIME: Duration = Duration::from_secs(10);

/// What happened that properties know of, in this universe: the event log, and with a slice the
/// explanation of what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyEvents {
    /// Of this property; of all without.
    #[serde(default)]
    pub property: Option<u32>,
    /// Only what moved this slice, or what it was copied from.
    #[serde(default)]
    pub slice: Option<String>,
    /// Only what moved a slice, or could not be computed.
    #[serde(default)]
    pub moves: bool,
    /// Up to there; here without.
    #[serde(default)]
    pub until: Option<PlaceRef>,
    /// How many at most, the last ones; never more than 100,000.
    #[serde(default)]
    pub limit: Option<usize>,
}

impl Ask for PropertyEvents {
    type Reply = PropertyEventsView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let of = self.property.map(|number| debugger.property(number)).transpose()?;
        let until = debugger.place_or_here(self.until.as_ref())?;
        let most = self.limit.unwrap_or(EVENTS).clamp(1, MOST);
        let slice = match (of, &self.slice) {
            (_, None) => None,
            (Some(of), Some(text)) => Some((of, debugger.slice(of, until, text, listener)?)),
            (None, Some(_)) => {
                return Err(ApiError::notation("say of which property the slice is"));
            }
        };
        let mut control = Patience::new(listener, TIME);
        let session = &mut debugger.session;
        let mut found = match slice {
            Some((of, slice)) => session.explain(of, &slice, until, &mut control)?,
            None => session.happenings(of, self.moves, until, most, &mut control)?,
        };
        debugger.note_effects();
        let surplus = found.happenings.len().saturating_sub(most);
        found.happenings.drain(..surplus);
        let omitted = found.total - found.happenings.len() as u64;
        let events = found.happenings.iter().filter_map(|one| debugger.property_event(one));
        Ok(PropertyEventsView {
            total: found.total,
            idle: found.idle,
            omitted,
            events: events.collect(),
            until: (found.until != until).then(|| debugger.place_view(found.until)),
        })
    }
}

/// What happened that properties know of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyEventsView {
    /// How many events there are.
    pub total: u64,
    /// How many more moved nothing, and were not asked for.
    pub idle: u64,
    /// Earlier ones that are not listed.
    pub omitted: u64,
    /// The others, oldest first.
    pub events: Vec<PropertyEvent>,
    /// How far was looked, if not all the way: it took too long, or somebody stopped it.
    pub until: Option<PlaceView>,
}

/// An event that a property knows of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyEvent {
    /// Where it was: one can slide there.
    pub place: PlaceView,
    /// The property.
    pub property: u32,
    /// What the property is called.
    pub name: String,
    /// The event, as it is written: `before event queue_push`.
    pub event: String,
    /// Its parameters.
    pub values: Vec<NamedValue>,
    /// What became of slices.
    pub moves: Vec<SliceMove>,
    /// What could not be computed, and why.
    pub faults: Vec<String>,
}

impl PropertyEvent {
    /// Why a property is violated after this, in a line.
    pub fn violation(&self) -> String {
        let because = self.moves.iter().find(|moved| !moved.accepting).map(|moved| {
            let SliceMove { instance, from, to, .. } = moved;
            let of =
                match instance.is_empty() || instance.iter().all(|one| self.values.contains(one)) {
                    true => String::new(),
                    false => format!(" of {}", named(instance)),
                };
            let guard = moved.guard.as_ref().filter(|guard| !guard.holds);
            let guard = guard.map(|guard| {
                let values = match guard.values.is_empty() {
                    true => String::new(),
                    false => format!(" with {}", named(&guard.values)),
                };
                format!(", as {} does not hold{values}", guard.text)
            });
            format!(": {from} → {to}{of}{}", guard.unwrap_or_default())
        });
        let values = match self.values.is_empty() {
            true => String::new(),
            false => format!("({})", named(&self.values)),
        };
        format!("{}: {}{values}{}", self.name, self.event, because.unwrap_or_default())
    }
}

/// Names with their values in a line.
fn named(values: &[NamedValue]) -> String {
    let text = |NamedValue { name, value }: &NamedValue| format!("{name} = {value}");
    values.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// What became of a slice by an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceMove {
    /// The slice: what tells it from others, in a line.
    pub slice: String,
    /// What tells it from others.
    pub instance: Vec<NamedValue>,
    /// The state that it was in.
    pub from: String,
    /// The state that it is in.
    pub to: String,
    /// Whether the property holds in that.
    pub accepting: bool,
    /// The transition that was taken, by its position in the automaton.
    pub transition: Option<usize>,
    /// The condition as it is written, and whether it held.
    pub guard: Option<GuardView>,
    /// Its variables afterwards.
    pub variables: Vec<NamedValue>,
    /// Whether it came up with this event.
    pub created: bool,
    /// Whether it is forgotten after it.
    pub forgotten: bool,
}

/// A condition that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardView {
    /// As it is written.
    pub text: String,
    /// Whether it held.
    pub holds: bool,
    /// The values of what it is made of.
    pub values: Vec<NamedValue>,
}

/// The choices from the start to where a property was first violated in this universe, as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// The property.
    pub property: u32,
}

impl Ask for Witness {
    type Reply = TraceText;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
        let id = debugger.property(self.property)?;
        let end = debugger.session.recorded_end();
        let found = debugger.session.first_violation(id, end, &mut Bridge { listener })?;
        debugger.note_effects();
        match found {
            Some(happening) => debugger.trace_text(happening.place),
            None => Err(ApiError::not_here("the property is not violated in this universe")),
        }
    }
}

impl Debugger {
    /// The slice that is meant by what tells it from others.
    fn slice(
        &mut self,
        of: PropertyId,
        at: Place,
        text: &str,
        listener: &mut dyn Listener,
    ) -> Result<Instance, ApiError> {
        let (automaton, state) = self.monitor_at(of, at, listener)?;
        let mut slices = state.slices().into_iter();
        let found = slices.find(|slice| {
            let bare = slice.instance.to_string();
            let shown = instance_view(&automaton, &slice.instance);
            let values: Vec<&str> = shown.iter().map(|one| one.value.as_str()).collect();
            [automaton.show_instance(&slice.instance), values.join(", ")]
                .iter()
                .any(|it| it == text)
                || bare.trim_matches(['<', '>']) == text.trim_matches(['<', '>'])
        });
        found.map(|slice| slice.instance).ok_or_else(|| {
            ApiError::unknown(format!(
                "there is no slice {text} there; `property slices` lists them"
            ))
        })
    }

    /// What has violated a property where the session stands, just now.
    pub(crate) fn violation(&self) -> Option<PropertyEvent> {
        let news = self.session.violation_here()?.clone();
        let property = self.session.properties().at(news.which)?;
        self.property_event(&Happening { place: self.session.here(), property, news })
    }

    pub(crate) fn property_event(&self, happening: &Happening) -> Option<PropertyEvent> {
        let Happening { place, property, news } = happening;
        let (text, automaton) = self.session.properties().get(*property)?;
        let event = news.event.map(|event| automaton.event(event));
        let mut values = Vec::new();
        if let Some(event) = event {
            for ((at, name), value) in (0..).zip(&event.parameters).zip(&news.values) {
                let value = value.as_ref().map(|value| event.show(at, value));
                let value = value.unwrap_or_else(|| "not available".into());
                values.push(NamedValue::new(name, value));
            }
        }
        let moves = news.moved.changes.iter().zip(&news.variables);
        Some(PropertyEvent {
            place: self.place_view(*place),
            property: property.0,
            name: text.name.clone(),
            event: event.map_or_else(|| "time has run out".into(), |event| event.text.clone()),
            moves: moves
                .map(|(change, variables)| {
                    let variables = variables_view(automaton, variables);
                    move_view(automaton, change, &values, variables)
                })
                .collect(),
            values,
            faults: news.moved.faults.iter().map(|fault| fault.message.clone()).collect(),
        })
    }
}

fn move_view(
    automaton: &Automaton,
    change: &Change,
    values: &[NamedValue],
    variables: Vec<NamedValue>,
) -> SliceMove {
    let transition = automaton.transition(change.transition);
    let seen = match &change.before {
        Some(before) => variables_view(automaton, before),
        None => variables.clone(),
    };
    let reads = transition.guard_reads.iter().filter_map(|read| match read {
        Read::Variable(index) => seen.get(usize::from(*index)),
        Read::Parameter(index) => values.get(usize::from(*index)),
    });
    let holds = change.outcome != Outcome::Failure;
    SliceMove {
        slice: automaton.show_instance(&change.instance),
        instance: instance_view(automaton, &change.instance),
        from: automaton.state(change.from).name.clone(),
        to: automaton.state(change.to).name.clone(),
        accepting: !automaton.state(change.to).is_violation(),
        transition: position_drawn(automaton, change),
        guard: transition.guard.as_ref().map(|text| GuardView {
            text: bare(text),
            holds,
            // What it saw is known if it did not hold; else the block may have changed it.
            values: if holds { Vec::new() } else { reads.cloned().collect() },
        }),
        variables,
        created: change.copied_from.is_some(),
        forgotten: change.forgotten,
    }
}
