//! What the debugger answers: plain data, with everything that a person is shown as text.

use mw_world::View;
use serde::{Deserialize, Serialize};

use crate::coverage::CoverageView;
use crate::device::{DeviceView, LinkView};
use crate::source_views::{SourceExcerpt, SourceFileView, SourceFrame, SourceLine, SourceVariable};
use crate::suggested::Suggested;

/// An answer to a [`Request`](crate::Request).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reply", content = "data", rename_all = "kebab-case")]
pub enum Reply {
    /// It is done, and there is nothing more to say.
    Done,
    /// Where the session stands.
    Position(Box<Position>),
    /// The session has moved.
    Stopped(Box<Stopped>),
    /// What a slide would take.
    Planned(JourneyView),
    /// The functions being executed, innermost first.
    Frames(Vec<Frame>),
    /// Variables.
    Variables(Vec<Variable>),
    /// A variable.
    Variable(Variable),
    /// The functions under way as the source has them, innermost first.
    SourceFrames(Vec<SourceFrame>),
    /// Variables of the source.
    SourceVariables(Vec<SourceVariable>),
    /// A variable of the source, or the value of an expression.
    SourceVariable(SourceVariable),
    /// Files that the program was built from.
    SourceFiles(Vec<SourceFileView>),
    /// The text of a file.
    SourceText(String),
    /// A part of the source.
    SourceLines(SourceExcerpt),
    /// A stretch of memory.
    Memory(MemoryView),
    /// The world.
    World(Box<View>),
    /// Instructions.
    Code(Vec<CodeLine>),
    /// Facts about the session.
    Info(Box<Info>),
    /// The link to a device.
    Link(Box<LinkView>),
    /// Names.
    Names(Names),
    /// The multiverse.
    Tree(TreeView),
    /// What is different in the multiverse.
    TreeChanges(TreeChanges),
    /// The choices of a universe.
    Universe(UniverseView),
    /// What the program printed.
    Log(LogView),
    /// Nodes at which everything is the same.
    Merged(MergedView),
    /// What differs between two places.
    Difference(Box<DifferenceView>),
    /// The inputs of the program.
    Inputs(Vec<KnownInput>),
    /// A mock.
    Mock(MockView),
    /// Mocks.
    Mocks(Vec<MockView>),
    /// Branches that have been created.
    Branched(Branched),
    /// What exploring has found.
    Suggested(Box<Suggested>),
    /// What exploring has reached.
    Coverage(Box<CoverageView>),
    /// Interrupts that may arrive.
    Interrupts(Vec<InterruptView>),
    /// A bookmark.
    Bookmark(BookmarkView),
    /// Bookmarks.
    Bookmarks(Vec<BookmarkView>),
    /// A breakpoint.
    Breakpoint(BreakpointView),
    /// Breakpoints.
    Breakpoints(Vec<BreakpointView>),
    /// A universe as text.
    Trace(String),
}

/// A value with its type, as text: so no number is too large for whoever reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueView {
    /// The type, such as `i32`.
    #[serde(rename = "type")]
    pub ty: String,
    /// The value.
    pub text: String,
}

/// A place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceView {
    /// The node, such as `1.3`.
    pub node: String,
    /// Instructions executed since the start of the program.
    pub count: u64,
    /// The place as text, such as `1.3+20`, which can be given back as a place.
    pub text: String,
}

/// Where the session stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The place.
    pub place: PlaceView,
    /// How many choices lie behind.
    pub choices: u64,
    /// Whether there is a recorded future.
    pub in_the_past: bool,
    /// Whether a person has reached into the program on the way to here.
    pub altered: bool,
    /// Bookmarks of exactly this place.
    pub bookmarks: Vec<String>,
    /// The function that is being executed, unless the program has ended.
    pub function: Option<String>,
    /// Where it is in the source that the program was built from, if that is known.
    pub source: Option<SourceLine>,
    /// How deep calls are nested.
    pub depth: u64,
    /// The byte offset of the next instruction in the binary.
    pub offset: Option<u32>,
    /// The next instruction.
    pub instruction: Option<String>,
    /// The call of a primitive that the next instruction makes.
    pub pending: Option<PendingCall>,
    /// How the program ended, if it has.
    pub ended: Option<OutcomeView>,
    /// The device that the program runs on, if it does not run here.
    pub device: Option<DeviceView>,
}

/// A call of a primitive that is about to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingCall {
    /// The call, such as `chip_analog_read(12)`.
    pub call: String,
    /// `input`, `output`, `irreversible` or `abort`.
    pub kind: String,
    /// What an input can return here.
    pub domain: Option<String>,
    /// What the input returns when one goes on, if that is known: by a mock, or as recorded.
    pub returns: Option<String>,
    /// Whether nobody knows what the input returns: one has to say.
    pub asks: bool,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeView {
    /// `finished`, `trapped` or `aborted`.
    pub kind: String,
    /// What happened, for people.
    pub text: String,
    /// After how many instructions.
    pub count: u64,
    /// What the program returned, if it finished and the session is there.
    pub results: Vec<ValueView>,
}

/// Why the session stopped moving.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "halt", rename_all = "kebab-case")]
pub enum HaltView {
    /// It got to where it was to go.
    Reached,
    /// A breakpoint was hit.
    Breakpoint {
        /// Its number.
        id: u32,
        /// What it waits for.
        trigger: String,
        /// The value of what is watched, now.
        value: Option<ValueView>,
    },
    /// The program ended.
    Ended {
        /// How.
        outcome: OutcomeView,
    },
    /// The next instruction misuses memory that the program has allocated.
    Misuse {
        /// How: `memory used after it was freed`.
        text: String,
    },
    /// Nobody knows what an input returns: one has to answer.
    Asks,
    /// There is nothing earlier.
    Start,
    /// Somebody stopped it.
    Cancelled,
}

/// The session has moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopped {
    /// Why it stopped.
    #[serde(flatten)]
    pub halt: HaltView,
    /// Where it stands.
    pub position: Position,
    /// What is different in the world, if it did not get there by just running on: `pin 45: high →
    /// low`.
    pub changes: Vec<String>,
}

/// What a slide takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JourneyView {
    /// Where it starts.
    pub from: PlaceView,
    /// The last place that start and goal have in common.
    pub common: PlaceView,
    /// Where it leads.
    pub to: PlaceView,
    /// How many changes of the world are undone.
    pub undone: u64,
    /// How many instructions are replayed.
    pub replayed: u64,
    /// Outputs that cannot be undone but are crossed on the way back.
    pub irreversible: Vec<String>,
    /// The choices from the common place on.
    pub choices: Vec<String>,
}

/// A variable and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// How to refer to it: `global 3`, `local 0`, `i32 @ 1024`.
    pub term: String,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its value.
    pub value: ValueView,
}

/// A function that is being executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// How many calls out from the innermost.
    pub depth: u64,
    /// The function's index.
    pub func: u32,
    /// The function's name.
    pub function: String,
    /// The byte offset of the instruction in the binary; for a caller, of its call.
    pub offset: Option<u32>,
    /// The instruction.
    pub instruction: Option<String>,
    /// Parameters and locals.
    pub locals: Vec<Variable>,
    /// The operand stack, lowest first; the types are not known.
    pub operands: Vec<u64>,
}

/// A stretch of memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryView {
    /// The first address.
    pub address: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// How large the memory is.
    pub size: u64,
    /// Stretches of these bytes that were otherwise before the session last moved: the first
    /// address and how many. Known from the second reading on.
    pub changed: Vec<(u64, u64)>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeLine {
    /// The function.
    pub function: String,
    /// The byte offset in the binary.
    pub offset: Option<u32>,
    /// The instruction in WebAssembly's text format.
    pub text: String,
    /// Whether it comes next.
    pub current: bool,
    /// The breakpoints before it.
    pub breakpoints: Vec<u32>,
}

/// Facts about the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Info {
    /// What the program is called: the path that it came from.
    pub name: String,
    /// The program's fingerprint.
    pub program: String,
    /// The world's name.
    pub world: String,
    /// The world's fingerprint.
    pub world_fingerprint: String,
    /// Whether the world has a board to show.
    pub has_board: bool,
    /// Whether the source of the program is known.
    pub has_sources: bool,
    /// Functions of the program's own.
    pub functions: u64,
    /// Imported primitives.
    pub primitives: u64,
    /// Files of the source that are known from debug information.
    pub source_files: u64,
    /// Nodes of the multiverse, the root included.
    pub nodes: u64,
    /// Bytes that recorded choices take.
    pub choice_bytes: u64,
    /// Checkpoints.
    pub checkpoints: u64,
    /// Bytes that checkpoints take.
    pub checkpoint_bytes: u64,
    /// Bytes that checkpoints may take.
    pub checkpoint_budget: u64,
    /// Whether going back over outputs that cannot be undone needs no confirmation.
    pub dry: bool,
}

/// All names that a person may use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {
    /// Functions of the program's own.
    pub functions: Vec<String>,
    /// Inputs.
    pub inputs: Vec<String>,
    /// Other primitives.
    pub outputs: Vec<String>,
    /// Globals and the locals of the function that is being executed.
    pub variables: Vec<String>,
    /// Bookmarks.
    pub bookmarks: Vec<String>,
    /// Solvers that may be used, beside the built-in one.
    pub solvers: Vec<String>,
}

/// The multiverse as rows, each after the one that it hangs on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeView {
    /// The rows.
    pub rows: Vec<TreeRow>,
    /// How many nodes there are.
    pub nodes: u64,
    /// Whether there is more than is shown.
    pub truncated: bool,
}

/// A node of the multiverse, with the stretch of nodes before it that have one way on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeRow {
    /// The node.
    pub node: String,
    /// The row that it hangs on.
    pub parent: Option<usize>,
    /// How many ways lead on from that row, this one included.
    pub siblings: usize,
    /// The values that lead to the same future as the one chosen, if that has been found out.
    pub label: Option<String>,
    /// Nodes between that row and this one that are not shown.
    pub folded: u64,
    /// The choice that leads here; nothing for the root.
    pub choice: Option<String>,
    /// The count at which the choice was made.
    pub count: u64,
    /// Instructions between the shown row before and the choice.
    pub length: u64,
    /// How the universe ended, if it ends with this node.
    pub ended: Option<OutcomeView>,
    /// Whether the session stands at this node, and how many instructions after it.
    pub current: Option<u64>,
    /// Whether going on leads here.
    pub preferred: bool,
    /// Whether it lies on the way to where the session stands.
    pub on_the_way: bool,
    /// Whether the program has been here; otherwise exploring has found it.
    pub visited: bool,
    /// Whether a person has reached into the program on the way here.
    pub altered: bool,
    /// Bookmarks after this node and before the next, and how many instructions after it.
    pub bookmarks: Vec<(String, u64)>,
}

/// The choices of a universe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UniverseView {
    /// The place that they lead to.
    pub place: PlaceView,
    /// Earlier choices that are not listed.
    pub omitted: u64,
    /// The choices.
    pub choices: Vec<ChoiceView>,
    /// Ways on from the place's node.
    pub next: Vec<ChoiceView>,
    /// What the program did, as far as it was seen; the last ones.
    pub outputs: Vec<MomentView>,
    /// Earlier ones that are not listed.
    pub omitted_outputs: u64,
    /// Places on the way that have a name.
    pub bookmarks: Vec<BookmarkView>,
    /// How the program ended, if the place is its end.
    pub ended: Option<OutcomeView>,
}

/// An output, and the place right after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MomentView {
    /// The place.
    pub place: PlaceView,
    /// The output.
    #[serde(flatten)]
    pub output: OutputView,
}

/// What an output did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputView {
    /// How many instructions had been executed before.
    pub count: u64,
    /// The call, such as `chip_digital_write(13, 1)`.
    pub call: String,
    /// What it did, such as `pin 13 = high`.
    pub effect: String,
    /// What it printed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
}

/// A place at which a breakpoint has stopped the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HitView {
    /// The breakpoint's number.
    pub id: u32,
    /// The place.
    pub place: PlaceView,
}

/// What is different in the multiverse since somebody last asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeChanges {
    /// To ask with next time.
    pub revision: u64,
    /// Whether this is everything, and what was known before is to be forgotten.
    pub whole: bool,
    /// Rows that are new or different; if this is everything, each after the one it hangs on.
    pub rows: Vec<TreeNode>,
    /// Nodes that have no row any more, as they are folded into others.
    pub gone: Vec<String>,
    /// How many nodes there are, those without a row included.
    pub nodes: u64,
    /// Whether there are more rows than are told.
    pub truncated: bool,
}

/// A node of the multiverse, with the stretch of nodes before it that have one way on. What is
/// usual is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeNode {
    /// The node.
    pub node: String,
    /// The node that it hangs on; nothing for the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The values that lead to the same future as the one chosen, if that has been found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Nodes between that one and this one that have no row.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub folded: u64,
    /// The place at which the choice was made, if the node before has no row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_at: Option<String>,
    /// The choice that leads here; nothing for the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
    /// The count at which the choice was made.
    pub count: u64,
    /// How the universe ended, if it ends with this node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<OutcomeView>,
    /// Whether exploring has found it and the program has not been here.
    #[serde(default, skip_serializing_if = "is_false")]
    pub suggested: bool,
    /// Whether a person has reached into the program on the way here.
    #[serde(default, skip_serializing_if = "is_false")]
    pub altered: bool,
    /// Bookmarks after this node and before the next, and how many instructions after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bookmarks: Vec<(String, u64)>,
    /// What the program did in this stretch, as far as it was seen; the first few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<OutputView>,
    /// How many more it did.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_outputs: u64,
    /// Where breakpoints have stopped the program in this stretch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hits: Vec<HitView>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// What the program printed in a universe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogView {
    /// The lines, as far as they were seen; the last ones.
    pub lines: Vec<LogLine>,
    /// Earlier ones that are not listed.
    pub omitted: u64,
}

/// A line that was printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// Without the end of the line.
    pub text: String,
    /// The place at which it had begun to be printed.
    pub place: PlaceView,
    /// Whether that is still to come.
    pub ahead: bool,
}

/// A choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceView {
    /// The node that it leads to.
    pub node: String,
    /// The count at which it was made.
    pub count: u64,
    /// What was decided, and how.
    pub text: String,
    /// How many other ways there are to decide it in this multiverse.
    pub others: u64,
    /// Whether it is the one that going on follows.
    pub preferred: bool,
}

/// Nodes at which machine and world are the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergedView {
    /// Groups of two nodes and more, each with the choice that leads to it.
    pub groups: Vec<Vec<ChoiceView>>,
    /// How many nodes were looked at.
    pub visited: u64,
    /// How many different states there are among them.
    pub states: u64,
    /// How many nodes there are.
    pub nodes: u64,
}

/// What differs between two places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferenceView {
    /// The first place.
    pub first: PlaceView,
    /// The second place.
    pub second: PlaceView,
    /// The last place that their ways have in common.
    pub common: PlaceView,
    /// The choices at which they parted, if there are some.
    pub parted: (Option<ChoiceView>, Option<ChoiceView>),
    /// Variables of the source that differ: its globals, and those of functions that are under way
    /// at both places, outermost first.
    pub variables: Vec<VariableDifference>,
    /// Locals of the machine that differ, of functions that are under way at both places.
    pub locals: Vec<VariableDifference>,
    /// Globals of the machine that differ.
    pub globals: Vec<VariableDifference>,
    /// Stretches of memory that differ.
    pub memory: Vec<MemoryDifferenceView>,
    /// The functions under way, innermost first, if they differ.
    pub stacks: Option<(Vec<String>, Vec<String>)>,
    /// What differs in the world: `pin 45: high → low`.
    pub world: Vec<String>,
}

/// A variable that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariableDifference {
    /// How to refer to it.
    pub term: String,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The function that it is of, if it is of one.
    pub function: Option<String>,
    /// Its value at the first place.
    pub first: ValueView,
    /// Its value at the second place.
    pub second: ValueView,
}

/// A stretch of memory that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryDifferenceView {
    /// The first address.
    pub address: u64,
    /// The bytes at the first place.
    pub first: Vec<u8>,
    /// The bytes at the second place.
    pub second: Vec<u8>,
}

/// An input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownInput {
    /// The call, such as `chip_analog_read(12)`; the primitive alone if it was never called.
    pub call: String,
    /// All that it can return, or nothing if that depends on more than the input.
    pub domain: Option<String>,
    /// What it returns here by itself, if that is known.
    pub value: Option<String>,
}

/// A mock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MockView {
    /// Its number.
    pub id: u32,
    /// The calls that it answers.
    pub call: String,
    /// The value.
    pub value: String,
    /// Whether it is good for one call only.
    pub once: bool,
}

/// Branches that have been created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branched {
    /// Where the input is read; the session stands there now.
    pub position: Box<Position>,
    /// The input.
    pub call: String,
    /// The branches, in the order of the values.
    pub branches: Vec<ChoiceView>,
    /// How many of them are new.
    pub created: u64,
}

/// An interrupt that may arrive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterruptView {
    /// The pin that it comes from.
    pub pin: u8,
    /// The function that it calls.
    pub function: String,
}

/// A place with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookmarkView {
    /// The name.
    pub name: String,
    /// The place.
    pub place: PlaceView,
}

/// A breakpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BreakpointView {
    /// Its number.
    pub id: u32,
    /// What it waits for, as it could have been written.
    pub trigger: String,
    /// It only stops the program if this holds.
    pub condition: Option<String>,
    /// Which of its hits stop the program, such as `>= 3`.
    pub hits: Option<String>,
    /// What it logs instead of stopping the program.
    pub log: Option<String>,
    /// How often it has been come to while its condition held.
    pub passed: u64,
    /// Whether it is taken notice of.
    pub enabled: bool,
    /// Whether it is removed once it has stopped the program.
    pub temporary: bool,
    /// The byte offset in the binary, for one in the code.
    pub offset: Option<u32>,
    /// Where that is in the source, if it is known.
    pub source: Option<SourceLine>,
}
