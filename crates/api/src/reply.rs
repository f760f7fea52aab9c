//! An answer of any kind: what a request that came over a line, or is one of several, gets.

use serde::{Deserialize, Serialize};

use crate::{
    ActorsView, AutomatonView, BookmarkView, Branched, BreakpointView, CodeLine, CoverageView,
    DifferenceView, FileText, FoundStates, Frame, GraphSummary, GraphView, HitsView, InfoView,
    InterruptView, JourneyView, KnownInput, LinkView, LogView, MemoryView, MergedView, MockView,
    NamesView, OriginView, PartingView, Position, Printed, PropertyEventsView, PropertyView,
    PrunedView, QueryView, Removed, ScenarioView, SkipView, SlicesView, SourceExcerpt,
    SourceFileView, SourceFrame, SourceVariable, Stopped, Suggested, TraceText, TreeChangesView,
    TreeView, TurnsView, TypeView, UniverseView, Variable, VerdictChangesView, VerdictsView,
    WhyView, WorldView,
};

/// Makes an answer of its own type one of any kind.
macro_rules! replies {
    ($($kind:ident($data:ty),)*) => {
        /// An answer to a [`Request`](crate::Request) of any kind: plain data, with everything
        /// that a person is shown as text.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "reply", content = "data", rename_all = "kebab-case")]
        #[allow(clippy::large_enum_variant, reason = "there is one at a time")]
        pub enum Reply {
            /// It is done, and there is nothing more to say.
            Done,
            $(#[allow(missing_docs, reason = "its type says it")] $kind($data),)*
        }

        $(impl From<$data> for Reply {
            fn from(data: $data) -> Reply {
                Reply::$kind(data)
            }
        })*
    };
}

replies! {
    Position(Position),
    Stopped(Stopped),
    Planned(JourneyView),
    Frames(Vec<Frame>),
    Variables(Vec<Variable>),
    Variable(Variable),
    SourceFrames(Vec<SourceFrame>),
    SourceVariables(Vec<SourceVariable>),
    SourceVariable(SourceVariable),
    Type(TypeView),
    SourceFiles(Vec<SourceFileView>),
    SourceText(FileText),
    SourceLines(SourceExcerpt),
    Memory(MemoryView),
    World(WorldView),
    Code(Vec<CodeLine>),
    Info(InfoView),
    Link(LinkView),
    Names(NamesView),
    Tree(TreeView),
    TreeChanges(TreeChangesView),
    Universe(UniverseView),
    Log(LogView),
    Hits(HitsView),
    Query(QueryView),
    Origin(OriginView),
    Merged(MergedView),
    Graph(GraphView),
    Ends(GraphSummary),
    FoundStates(FoundStates),
    Parting(PartingView),
    Difference(DifferenceView),
    Inputs(Vec<KnownInput>),
    Mock(MockView),
    Mocks(Vec<MockView>),
    Branched(Branched),
    Suggested(Suggested),
    Pruned(PrunedView),
    Removed(Removed),
    Why(WhyView),
    Coverage(CoverageView),
    Actors(ActorsView),
    Turns(TurnsView),
    Interrupts(Vec<InterruptView>),
    Bookmark(BookmarkView),
    Bookmarks(Vec<BookmarkView>),
    Breakpoint(BreakpointView),
    Breakpoints(Vec<BreakpointView>),
    Skips(Vec<SkipView>),
    Trace(TraceText),
    Property(PropertyView),
    Properties(Vec<PropertyView>),
    Automaton(AutomatonView),
    Slices(SlicesView),
    PropertyEvents(PropertyEventsView),
    Verdicts(VerdictsView),
    VerdictChanges(VerdictChangesView),
    Scenario(ScenarioView),
    Scenarios(Vec<ScenarioView>),
}

impl From<()> for Reply {
    fn from((): ()) -> Reply {
        Reply::Done
    }
}

impl From<Printed> for Reply {
    fn from(printed: Printed) -> Reply {
        match printed {
            Printed::Machine(variable) => Reply::Variable(variable),
            Printed::Source(variable) => Reply::SourceVariable(variable),
        }
    }
}
