//! All that can be asked of the debugger.
//!
//! A request is a type that lies with what it is about and says itself what it is answered with,
//! see [`Ask`]. This is the list of them. From it come [`Request`], for whoever gets them over a
//! line or keeps several, and the types of the page.
//!
//! Wherever a person would write something (a place, a call, a value, a breakpoint), the text is
//! enough; a front end that knows better than to put words together gives the parts.

use serde::{Deserialize, Serialize};

pub use crate::actors::{Actors, FinishTurn, GiveTurn, PauseActor, StepTurn, Turns};
pub use crate::adopt::{AddSuggested, RemoveSuggested};
use crate::ask::{Answered, Ask};
pub use crate::automata::{Automaton, Slices};
pub use crate::bookmarks::{Bookmark, Bookmarks, RemoveBookmark};
pub use crate::branch::Branch;
pub use crate::breakpoints::{
    AddBreakpoint, Breakpoints, ChangeBreakpoint, EnableBreakpoint, RemoveBreakpoint,
};
pub use crate::code::Disassemble;
pub use crate::compare::Diff;
pub use crate::coverage::Coverage;
use crate::debugger::Debugger;
pub use crate::device::{Detach, Link};
use crate::event::Listener;
use crate::exploration::Exploration;
pub use crate::graph::{Ends, ExpandState, FindStates, GoToState, Graph, WhatParts};
pub use crate::growth::TreeChanges;
pub use crate::hits::Hits;
pub use crate::info::{Info, Names};
pub use crate::inputs::{Answer, SetReading};
pub use crate::inspect::{Frames, Globals, World};
pub use crate::interference::{GoWithout, Interrupt, Interrupts};
pub use crate::known_inputs::Inputs;
pub use crate::log::Log;
pub use crate::memory::ReadMemory;
pub use crate::merged::Merged;
pub use crate::mocks::{Mock, Mocks, Unmock};
pub use crate::movement::{RestartFrame, Run, RunAsSuggested, RunTo, Step};
pub use crate::origin::{Influence, Origin};
pub use crate::play::Play;
pub use crate::position::Where;
pub use crate::properties::{LoadProperty, Properties, RemoveProperty, Verdict};
pub use crate::property_events::{PropertyEvents, Witness};
pub use crate::pruned::PrunedTurns;
pub use crate::query::Query;
use crate::reply::Reply;
pub use crate::scenarios::{LoadScenario, RemoveScenario, Scenarios};
pub use crate::skips::{RemoveSkip, Skip, Skips};
pub use crate::slide::{Plan, Reset, Slide, SlideToLine};
pub use crate::source_code::{Evaluate, SetVariable, SourceFrames, SourceVariables};
pub use crate::source_lines::{SourceFiles, SourceLines, SourceText};
pub use crate::step_message::StepMessage;
pub use crate::suggest::SuggestMore;
pub use crate::trace::{ExportTrace, ReplayTrace, TraceOf};
pub use crate::tree::Tree;
pub use crate::type_of::TypeOf;
pub use crate::universe::Universe;
pub use crate::variables::{Alter, Print};
pub use crate::verdicts::VerdictChanges;
pub use crate::who::WhoWrote;
pub use crate::why::Why;
pub use crate::write_memory::WriteMemory;

/// Makes a request of any kind be served as its own kind is.
macro_rules! requests {
    ($(#[$meta:meta])* pub enum Request { $($name:ident($ask:ty),)* }) => {
        $(#[$meta])*
        pub enum Request {
            $(#[allow(missing_docs, reason = "its type says it")] $name($ask),)*
        }

        impl Ask for Request {
            type Reply = Reply;

            fn only_looks(&self) -> bool {
                match self {
                    $(Request::$name(ask) => ask.only_looks(),)*
                }
            }

            fn in_passing(&self) -> bool {
                match self {
                    $(Request::$name(ask) => ask.in_passing(),)*
                }
            }

            fn serve(self, debugger: &mut Debugger, listener: &mut dyn Listener) -> Answered<Self> {
                match self {
                    $(Request::$name(ask) => ask.serve(debugger, listener).map(Reply::from),)*
                }
            }
        }

        $(impl From<$ask> for Request {
            fn from(ask: $ask) -> Request {
                Request::$name(ask)
            }
        })*
    };
}

requests! {
    /// A request of any kind.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(tag = "request", rename_all = "kebab-case")]
    pub enum Request {
        Where(Where),
        Step(Step),
        Run(Run),
        RunAsSuggested(RunAsSuggested),
        RunTo(RunTo),
        Play(Play),
        RestartFrame(RestartFrame),
        Reset(Reset),
        Answer(Answer),
        Plan(Plan),
        Slide(Slide),
        SlideToLine(SlideToLine),
        Frames(Frames),
        Globals(Globals),
        Print(Print),
        SourceFrames(SourceFrames),
        SourceVariables(SourceVariables),
        SetVariable(SetVariable),
        Evaluate(Evaluate),
        TypeOf(TypeOf),
        SourceFiles(SourceFiles),
        SourceText(SourceText),
        SourceLines(SourceLines),
        ReadMemory(ReadMemory),
        WriteMemory(WriteMemory),
        World(World),
        Disassemble(Disassemble),
        Info(Info),
        Link(Link),
        Detach(Detach),
        Names(Names),
        Tree(Tree),
        TreeChanges(TreeChanges),
        Log(Log),
        Hits(Hits),
        Query(Query),
        Origin(Origin),
        Influence(Influence),
        Universe(Universe),
        Merged(Merged),
        Graph(Graph),
        Ends(Ends),
        FindStates(FindStates),
        ExpandState(ExpandState),
        GoToState(GoToState),
        WhatParts(WhatParts),
        Diff(Diff),
        Mock(Mock),
        Inputs(Inputs),
        Unmock(Unmock),
        Mocks(Mocks),
        Branch(Branch),
        Suggest(Exploration),
        SuggestMore(SuggestMore),
        PrunedTurns(PrunedTurns),
        AddSuggested(AddSuggested),
        RemoveSuggested(RemoveSuggested),
        Why(Why),
        WhoWrote(WhoWrote),
        TraceOf(TraceOf),
        Coverage(Coverage),
        SetReading(SetReading),
        Actors(Actors),
        GiveTurn(GiveTurn),
        FinishTurn(FinishTurn),
        StepTurn(StepTurn),
        StepMessage(StepMessage),
        PauseActor(PauseActor),
        Turns(Turns),
        Interrupt(Interrupt),
        Interrupts(Interrupts),
        GoWithout(GoWithout),
        Alter(Alter),
        Bookmark(Bookmark),
        RemoveBookmark(RemoveBookmark),
        Bookmarks(Bookmarks),
        AddBreakpoint(AddBreakpoint),
        ChangeBreakpoint(ChangeBreakpoint),
        RemoveBreakpoint(RemoveBreakpoint),
        EnableBreakpoint(EnableBreakpoint),
        Breakpoints(Breakpoints),
        Skip(Skip),
        RemoveSkip(RemoveSkip),
        Skips(Skips),
        ExportTrace(ExportTrace),
        ReplayTrace(ReplayTrace),
        LoadProperty(LoadProperty),
        RemoveProperty(RemoveProperty),
        Properties(Properties),
        Automaton(Automaton),
        Slices(Slices),
        PropertyEvents(PropertyEvents),
        Verdict(Verdict),
        VerdictChanges(VerdictChanges),
        Witness(Witness),
        LoadScenario(LoadScenario),
        RemoveScenario(RemoveScenario),
        Scenarios(Scenarios),
    }
}
