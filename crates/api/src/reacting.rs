//! Carrying out scenarios: what is done when a property moves.
//!
//! An action is a command of the terminal, or one of a few that only scenarios have: to suspend the
//! program or let it go on, to keep a place and to come back to it, to say something. A front end that
//! reads commands lends the reading ([`Debugger::carry_out_with`]), so that scenarios speak the same
//! language as people. While one is carried out, no other begins.

use std::collections::HashMap;

use mw_monitor::Number;
use mw_monitor::scenario::{Action, Datum, Formula, Piece, Scope, Statement, StatementKind, What};
use mw_session::{BreakpointId, Direction, News, Place, ScenarioId};
use mw_source::{Language, Tree};

use crate::automata::NamedValue;
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::{Event, Listener};
use crate::movement::Stopped;
use crate::notation::PlaceRef;
use crate::property_events::{PropertyEvent, SliceMove};
use crate::request::{Bookmark, Evaluate, Run, Slide};

/// Carries out a line as the terminal would; what it says.
pub type CarryOut = fn(&mut Debugger, &str, &mut dyn Listener) -> Result<String, String>;

/// So often a run goes on by itself before somebody should look.
const MOST: usize = 100_000;

/// What scenarios remember.
#[derive(Debug, Default)]
pub(crate) struct Remembered {
    /// The session's variables, by scenario.
    session: HashMap<(ScenarioId, String), Datum>,
    /// The branch's: where each was set, oldest first.
    branch: Vec<(Place, ScenarioId, String, Datum)>,
    /// What is done at breakpoints that scenarios have set.
    handlers: HashMap<BreakpointId, Handler>,
    /// How many places have been kept.
    checkpoints: u32,
}

#[derive(Clone, Debug)]
struct Handler {
    scenario: ScenarioId,
    statements: Vec<Statement>,
    about: About,
}

/// What a scenario knows of what it reacts to.
#[derive(Clone, Debug, Default)]
struct About(Vec<NamedValue>);

/// What is to come after a scenario has been carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    /// Nothing was said about it.
    Unsaid,
    /// The program stays where it is.
    Suspended,
    /// It goes on.
    GoesOn,
}

impl Debugger {
    /// Lets scenarios carry out commands, as a front end reads them.
    pub fn carry_out_with(&mut self, carry_out: CarryOut) {
        self.carry_out = Some(carry_out);
    }

    /// Runs forward, and does on the way what scenarios say.
    pub(crate) fn run_reacting(
        &mut self,
        direction: Direction,
        listener: &mut dyn Listener,
    ) -> Result<Stopped, ApiError> {
        for _ in 0..MOST {
            let stopped = self
                .moving(direction, listener, |session, control| session.run(direction, control))?;
            let is_alone = self.is_reacting || self.session.scenarios().is_empty();
            if direction == Direction::Back || is_alone {
                return Ok(stopped);
            }
            let handler = match &stopped.halt {
                crate::HaltView::Breakpoint { id, .. } => {
                    self.remembered.handlers.get(&BreakpointId(*id)).cloned()
                }
                _ => None,
            };
            let news = self.session.take_news();
            if news.is_empty() && handler.is_none() {
                return Ok(stopped);
            }
            let here = self.session.here();
            self.is_reacting = true;
            let mut then = self.react(&news, listener);
            if let Some(handler) = handler {
                let Handler { scenario, statements, about } = handler;
                let handled = self.carry_out_all(scenario, &statements, &about, listener);
                then = handled.map(|then| if then == Then::Unsaid { Then::GoesOn } else { then });
            }
            self.is_reacting = false;
            let is_over = self.session.now().rest() != mw_ensemble::Rest::Busy
                && self.session.turn_options().is_empty();
            match then {
                Ok(Then::Suspended) => return self.stopped_at(here, stopped),
                Ok(_) if is_over => return self.stopped_at(here, stopped),
                Ok(Then::GoesOn | Then::Unsaid) => {}
                Err(message) => {
                    listener.event(Event::Warning { message: format!("scenario: {message}") });
                    return self.stopped_at(here, stopped);
                }
            }
        }
        Err(ApiError::not_here(format!(
            "scenarios have let the program go on {MOST} times; it is suspended here"
        )))
    }

    /// That the program has stopped, also if a scenario has moved it since.
    fn stopped_at(&self, before: Place, stopped: Stopped) -> Result<Stopped, ApiError> {
        match self.session.here() == before {
            true => Ok(stopped),
            false => {
                Ok(Stopped { halt: crate::HaltView::Reached, position: self.position(), ..stopped })
            }
        }
    }

    /// Does what scenarios say about what monitors have noted.
    fn react(&mut self, news: &[News], listener: &mut dyn Listener) -> Result<Then, String> {
        let mut then = Then::Unsaid;
        for news in news {
            let place = self.session.here();
            let Some(property) = self.session.properties().at(news.which) else { continue };
            let happening = mw_session::Happening { place, property, news: news.clone() };
            let Some(event) = self.property_event(&happening) else { continue };
            let reactions = self.session.reactions_to(news);
            if reactions.is_empty() && news.violates {
                // No scenario is about this property.
                then = Then::Suspended;
            }
            for (scenario, at, reaction) in reactions {
                let about = About::new(&event, event.moves.get(at));
                let own = self.carry_out_all(scenario, &reaction.statements, &about, listener)?;
                then = if then == Then::Suspended { then } else { own };
            }
        }
        Ok(then)
    }

    fn carry_out_all(
        &mut self,
        scenario: ScenarioId,
        statements: &[Statement],
        about: &About,
        listener: &mut dyn Listener,
    ) -> Result<Then, String> {
        let mut then = Then::Unsaid;
        for Statement { line, kind } in statements {
            let done = self.carry_out_one(scenario, kind, about, listener);
            match done.map_err(|error| format!("line {line}: {error}"))? {
                Then::Unsaid => {}
                said => then = said,
            }
        }
        Ok(then)
    }

    fn carry_out_one(
        &mut self,
        scenario: ScenarioId,
        statement: &StatementKind,
        about: &About,
        listener: &mut dyn Listener,
    ) -> Result<Then, String> {
        match statement {
            StatementKind::Do(action) => {
                self.act(scenario, action, about, listener).map(|(then, _)| then)
            }
            StatementKind::Set { variable, scope, value } => {
                let value = self.value_of(scenario, value, about, listener)?;
                self.remember(scenario, variable, *scope, value);
                Ok(Then::Unsaid)
            }
            StatementKind::SetToResult { variable, scope, action } => {
                let (then, result) = self.act(scenario, action, about, listener)?;
                self.remember(scenario, variable, *scope, datum(&result));
                Ok(then)
            }
            StatementKind::If { condition, then, otherwise } => {
                let holds = self.value_of(scenario, condition, about, listener)?.holds();
                let statements = if holds { then } else { otherwise };
                self.carry_out_all(scenario, statements, about, listener)
            }
        }
    }

    fn remember(&mut self, scenario: ScenarioId, name: &str, scope: Scope, value: Datum) {
        match scope {
            Scope::Session => {
                self.remembered.session.insert((scenario, name.to_owned()), value);
            }
            Scope::Branch => {
                let here = self.session.here();
                self.remembered.branch.push((here, scenario, name.to_owned(), value));
            }
        }
    }

    /// What a variable of a scenario is here.
    fn remembered_value(&self, scenario: ScenarioId, name: &str) -> Option<Datum> {
        let (multiverse, here) = (self.session.multiverse(), self.session.here());
        let own = self.remembered.branch.iter().rev();
        let mut own = own.filter(|(_, of, known, _)| (*of, known.as_str()) == (scenario, name));
        let on_the_way = |place: Place| multiverse.common_place(place, here) == place;
        let branch = own.find(|(place, ..)| on_the_way(*place)).map(|(.., value)| value.clone());
        let session = || self.remembered.session.get(&(scenario, name.to_owned())).cloned();
        branch.or_else(session)
    }

    fn value_of(
        &mut self,
        scenario: ScenarioId,
        formula: &Formula,
        about: &About,
        listener: &mut dyn Listener,
    ) -> Result<Datum, String> {
        let first = |debugger: &mut Debugger, name: &str, listener: &mut dyn Listener| {
            let scenarios = debugger.session.scenarios();
            let own = scenarios.iter().find(|(id, ..)| *id == scenario)?;
            let mut known = own.2.session.iter().chain(&own.2.branch);
            let formula = known.find(|(known, _)| known == name)?.1.clone();
            debugger.value_of(scenario, &formula, &About::default(), listener).ok()
        };
        let whole = formula.to_string();
        formula.evaluate(Language::default(), &mut |tree| {
            let Tree::Name(name) = tree else { return self.in_program(&whole, listener) };
            if let Some(value) = about.value(name) {
                return Ok(datum(value));
            }
            let known = self.remembered_value(scenario, name);
            match known.or_else(|| first(self, name, listener)) {
                Some(value) => Ok(value),
                None => self.in_program(name, listener),
            }
        })
    }

    /// The value of an expression of the program, here.
    fn in_program(&mut self, text: &str, listener: &mut dyn Listener) -> Result<Datum, String> {
        let evaluate = Evaluate { expression: text.to_owned(), frame: 0, actor: None };
        let value = self.ask_in_passing(evaluate, listener).map_err(|error| error.message)?;
        Ok(datum(&value.value))
    }

    /// Does an action; what comes then, and what it returns.
    fn act(
        &mut self,
        scenario: ScenarioId,
        action: &Action,
        about: &About,
        listener: &mut dyn Listener,
    ) -> Result<(Then, String), String> {
        let (name, line) = match &action.what {
            What::Command(pieces) => {
                let mut line = String::new();
                for piece in pieces {
                    match piece {
                        Piece::Text(text) => line.push_str(text),
                        Piece::Value(formula) => {
                            let value = self.value_of(scenario, formula, about, listener)?;
                            line.push_str(&value.to_string());
                        }
                    }
                }
                let (name, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
                (name.to_owned(), rest.trim().to_owned())
            }
            What::Call { name, arguments } => {
                let values = arguments
                    .iter()
                    .map(|argument| self.value_of(scenario, argument, about, listener))
                    .collect::<Result<Vec<_>, String>>()?;
                let values: Vec<String> = values.iter().map(Datum::to_string).collect();
                (name.clone(), values.join(" "))
            }
        };
        let here = self.place_view(self.session.here()).text;
        match name.as_str() {
            "suspend" => Ok((Then::Suspended, here)),
            "continue" | "proceed" => Ok((Then::GoesOn, here)),
            "print" if matches!(action.what, What::Call { .. }) => {
                listener.event(Event::Log { message: line.clone() });
                Ok((Then::Unsaid, line))
            }
            "checkpoint" => {
                self.remembered.checkpoints += 1;
                let name = match line.is_empty() {
                    true => format!("checkpoint-{}", self.remembered.checkpoints),
                    false => line,
                };
                let bookmark = Bookmark { name: name.clone(), place: None };
                self.ask_in_passing(bookmark, listener).map_err(|error| error.message)?;
                listener.event(Event::Log { message: format!("kept as {name}") });
                Ok((Then::Unsaid, name))
            }
            "restore" | "slide" => {
                let to = PlaceRef::from(line.as_str());
                self.ask_in_passing(Slide { to }, listener).map_err(|error| error.message)?;
                // What comes from there has come before: whoever wants it once more says so.
                Ok((Then::Suspended, line))
            }
            "run" => {
                let run = Run { direction: Direction::Forward };
                let stopped = self.ask_in_passing(run, listener).map_err(|error| error.message)?;
                Ok((Then::Unsaid, stopped.position.place.text))
            }
            _ => {
                let known: Vec<BreakpointId> =
                    self.session.breakpoints().iter().map(|(id, _)| id).collect();
                let Some(carry_out) = self.carry_out else {
                    return Err(format!("{name} cannot be done here: nobody reads commands"));
                };
                let said = carry_out(self, format!("{name} {line}").trim(), listener)?;
                if let Some(statements) = &action.handler {
                    let new = self.session.breakpoints().iter().map(|(id, _)| id);
                    let new: Vec<_> = new.filter(|id| !known.contains(id)).collect();
                    let (statements, about) = (statements.clone(), about.clone());
                    let handler = Handler { scenario, statements, about };
                    let handlers = &mut self.remembered.handlers;
                    handlers.extend(new.into_iter().map(|id| (id, handler.clone())));
                }
                for message in said.lines().map(str::to_owned) {
                    listener.event(Event::Log { message });
                }
                Ok((Then::Unsaid, said))
            }
        }
    }
}

/// What a text says: a number, if it is one.
fn datum(text: &str) -> Datum {
    match text.parse::<i128>() {
        Ok(number) => Datum::Number(Number::literal(number)),
        Err(_) => Datum::Text(text.to_owned()),
    }
}

impl About {
    fn new(event: &PropertyEvent, moved: Option<&SliceMove>) -> About {
        let mut known = vec![
            NamedValue::new("property", &event.name),
            NamedValue::new("event", &event.event),
            NamedValue::new("place", &event.place.text),
        ];
        known.extend(event.values.iter().cloned());
        if let Some(moved) = moved {
            known.push(NamedValue::new("old_state", &moved.from));
            known.push(NamedValue::new("new_state", &moved.to));
            known.push(NamedValue::new("slice", &moved.slice));
            known.extend(moved.instance.iter().cloned());
            known.extend(moved.variables.iter().cloned());
        }
        About(known)
    }

    fn value(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|known| known.name == name);
        found.map(|known| known.value.as_str())
    }
}
