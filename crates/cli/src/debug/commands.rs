//! The commands: their names, and what there is to say about them.

use mw_api::notation::did_you_mean;

use super::habits;

/// A command.
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Other names, which are taken before abbreviations.
    pub aliases: &'static [&'static str],
    /// What may follow it.
    pub usage: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// What else there is to know.
    pub details: &'static str,
}

/// Commands about one thing.
pub struct Topic {
    /// The name by which one asks for it.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Its commands.
    pub commands: &'static [Command],
}

const fn command(
    name: &'static str,
    aliases: &'static [&'static str],
    usage: &'static str,
    summary: &'static str,
    details: &'static str,
) -> Command {
    Command { name, aliases, usage, summary, details }
}

const STEP: &str = "A step leads to the beginning of a line of the source, or, where no source is \
known, to the next WebAssembly instruction. With a number, that many steps. An empty line repeats \
the last movement.";
const SKIP: &str = "PATTERN is a file or a function by its name or the end of it, with * for anything: \
vendor/*, core::fmt::*. `library` is what languages bring along (Rust's std, AssemblyScript's ~lib, C's \
libc) and what cargo has fetched; it is skipped to begin with. Breakpoints in skipped code still stop, \
and who stands in it can step in it.";
const FRAME: &str =
    "print, info locals, list and display then look there, until the program moves.";
const ACTOR: &str = "backtrace, print, info locals, info globals, list and x then look there, until \
the program moves. Nothing is altered there: `schedule` gives it a turn.";
const DISPLAY: &str = "F is a format: x hexadecimal, d signed, u unsigned, t binary, c a character. \
Without a variable, all that is shown at every stop; `info displays` lists it. The display of the \
board is `info display`.";
const UNDISPLAY: &str = "By its number, which `info displays` shows.";
const STEPI: &str = "With a number, that many. An empty line repeats the last movement.";
const UNTIL: &str = "WHERE is written as for break: main.ts:12, a function, *0x1a2. A breakpoint \
on the way stops it earlier.";
const PLACE: &str = "A place is a bookmark, a node (1.3), a node and instructions after it \
(1.3+20), a count of instructions in this universe (512), a distance from here (+20 or -20), \
start, end or here.";
const WHICH: &str = "By its number, or by what was written to set it: main.ts:12, main, \
chip_analog_read(12), watch total. A primitive alone is meant with whatever arguments.";
const CALL: &str = "A call is a primitive's name, with its arguments if they matter: \
chip_analog_read, chip_analog_read(12).";

const QUERY: &str = "Written out: query EVENTS [where TEST] [between A and B] [| STEP]… EVENTS are calls F, returns F, primitives P, outputs, lines WHERE, writes V, reads V, \
growth, choices, turns, sends, receives or failures. A TEST is arg 0 > 3, value == 7, or an expression as it \
holds there. A STEP is count, first N, last N, show X, Y, and EVENTS, diff EVENTS (without a later one of the \
same number: calls malloc | diff calls free), with last EVENTS, with next EVENTS, by universe. `in all` asks \
all universes, exists EVENTS and forall EVENTS whether, compare A B EVENTS what two of them do not share. Only \
what is needed is replayed, and nothing moves; `slide` goes to a row.";

/// All commands.
pub const TOPICS: &[Topic] = &[
    Topic {
        name: "moving",
        title: "Moving forward and back in time",
        commands: &[
            command("step", &["s"], "[N]", "go on to the next line", STEP),
            command("next", &["n"], "[N]", "the same, running through calls", STEP),
            command("finish", &["fin"], "", "run to the caller's next line", STEP),
            command(
                "continue",
                &["c", "cont"],
                "",
                "run to a breakpoint or the end",
                "Inputs return what mocks say, else what is recorded on this way, else what the \
world says; never what was only suggested. Ctrl-C stops it.",
            ),
            command(
                "turn",
                &["step-next-turn"],
                "[ACTOR]",
                "run to the next turn, of an actor or of any",
                "A turn is one message that an actor handles to completion. Breakpoints on the way \
stop it.",
            ),
            command(
                "step-message",
                &["sm"],
                "MESSAGE [told]",
                "run until a message has been handled",
                "One that is on its way: double, double from client1 to math, or client1:2 for the one \
that client1 sent after two others. With told, until its sender is about to be told the answer. \
Breakpoints on the way stop it.",
            ),
            command(
                "reverse-turn",
                &[],
                "[ACTOR]",
                "back to where the last turn began",
                "Of an actor, or of any.",
            ),
            command(
                "play",
                &[],
                "[FACTOR]",
                "the same, at the speed of the board's clock",
                "With a factor, so much faster: 2, or 0.5 for half the speed. Inputs can be mocked \
in the page meanwhile, and what they returned is recorded as ever.",
            ),
            command(
                "follow",
                &[],
                "",
                "the same, as suggested",
                "Where nothing is recorded, inputs return what was suggested first there, as long \
as something was; each is said. `slide` goes to any other suggestion.",
            ),
            command("until", &["advance"], "WHERE", "run to a line, function or offset", UNTIL),
            command(
                "reverse-step",
                &["rs"],
                "[N]",
                "go back a line",
                "Outputs are undone on the way back. Without a source it is an instruction. With a \
number, that many.",
            ),
            command("reverse-next", &["rn"], "[N]", "the same, back over calls", ""),
            command("reverse-finish", &["rfin"], "", "go back to the call of this function", ""),
            command("reverse-continue", &["rc"], "", "run back to a breakpoint or the start", ""),
            command("reverse-until", &["ru"], "WHERE", "run back to a line or function", UNTIL),
            command(
                "skip",
                &[],
                "[PATTERN|list|delete N]",
                "let steps pass through code, both ways",
                SKIP,
            ),
            command("stepi", &["si"], "[N]", "execute an instruction", STEPI),
            command("nexti", &["ni"], "[N]", "the same, running through calls", STEPI),
            command("reverse-stepi", &["rsi"], "[N]", "go back an instruction", STEPI),
            command("reverse-nexti", &["rni"], "[N]", "the same, back over calls", STEPI),
            command("slide", &["goto"], "PLACE", "go to any place in any universe", PLACE),
            command("plan", &[], "PLACE", "show what a slide would take", PLACE),
            command("reset", &[], "", "go back to the start", ""),
            command("run", &["r"], "", "go back to the start and continue", ""),
            command(
                "who",
                &[],
                "[VARIABLE]",
                "go back to the last write",
                "Of a variable; at a trap, without one, of what the instruction cannot be executed \
with: a divisor, an address, an index. What was read from outside leads to the reading.",
            ),
            command(
                "where",
                &["w"],
                "",
                "say where you are",
                "The line reads: the place, the \
count of instructions, the function and offset, the next instruction, and the call that it makes.",
            ),
        ],
    },
    Topic {
        name: "inputs",
        title: "Deciding what comes from outside",
        commands: &[
            command("mock", &[], "[once] CALL VALUE", "let an input return a value", CALL),
            command(
                "unmock",
                &[],
                "[N|CALL]",
                "remove a mock, those of a call, or all of them",
                CALL,
            ),
            command(
                "branch",
                &[],
                "[CALL] VALUES",
                "create a universe for each of several values",
                "At the input that is read here, or at the next read of the one that is named. \
Values are a list (10, 90), a range (0..4095 step 512) or all that are possible (all).",
            ),
            command(
                "answer",
                &["a"],
                "VALUE",
                "say what the input read here returns, and read it",
                "",
            ),
            command(
                "reading",
                &[],
                "CALL [VALUE]",
                "set what an input reads by itself",
                "Without a value, that comes from its source again. Only before the program has \
begun; afterwards it would change the past.",
            ),
            command(
                "schedule",
                &[],
                "ACTOR [from SENDER]",
                "give the next turn to an actor",
                "When the turn under way is over. Also a turn as `info actors` lists it, such as one in \
which a message is lost.",
            ),
            command(
                "pause",
                &[],
                "[ACTOR]",
                "let an actor wait, or all",
                "It takes no further step, also in the middle of a turn; messages to it are still \
accepted. `resume` lets it go on.",
            ),
            command("resume", &[], "[ACTOR]", "let an actor go on, or all", "See pause."),
            command(
                "interrupt",
                &[],
                "PIN",
                "let an interrupt arrive here",
                "`info interrupts` \
lists those that the program has subscribed to.",
            ),
            command(
                "without",
                &[],
                "",
                "go on as if nobody had interfered",
                "Without the interrupt or the variable set by hand that is recorded here or before \
the next input.",
            ),
            command(
                "set",
                &[],
                "VARIABLE = VALUE",
                "set a variable by hand",
                "What comes after has not happened by itself: the universe is altered from here on. \
Variables are written as for print.",
            ),
        ],
    },
    Topic {
        name: "looking",
        title: "Looking at the program and its world",
        commands: &[
            command(
                "print",
                &["p"],
                "[/F] [VARIABLE]",
                "show a variable, or all",
                "F is a format: x hexadecimal, d signed, u unsigned, t binary, c a character. A \
variable is a name, `global 3`, `local 0`, `local 0 of frame 1`, or memory such \
as `i32 @ 1024` (u8, i8, u16, i16, i32, i64, f32, f64). With debug information also one of the \
source. Expressions are made of them: jar->at.x + 1, sizeof(struct jar), global 3 == 5 or local 0 \
< 2.",
            ),
            command("display", &[], "[/F] [VARIABLE]", "show it at every stop", DISPLAY),
            command("undisplay", &[], "[N]", "show it no more, or none of them", UNDISPLAY),
            command("whatis", &[], "VARIABLE", "show the type of a variable", ""),
            command("ptype", &[], "VARIABLE|TYPE", "show what a type is made of", ""),
            command(
                "x",
                &[],
                "[/NFU] ADDRESS",
                "show memory",
                "N is how many, F the format (x hexadecimal, d signed, u unsigned, c characters, \
s text), U the unit (b 1, h 2, w 4, g 8 bytes): x/16xb 1024. The address may also be \
a pointer, or what is in memory: x/s jar->label.",
            ),
            command(
                "backtrace",
                &["bt"],
                "",
                "show the functions being executed",
                "As the source has them, or the machine's own where no source is known, which \
`info frames` shows in any case.",
            ),
            command("up", &[], "[N]", "look at the caller", FRAME),
            command("down", &[], "[N]", "look at the function that was called", FRAME),
            command("frame", &["f"], "[N]", "look at a function of the backtrace", FRAME),
            command("actor", &[], "[ACTOR]", "look at another actor than the one that runs", ACTOR),
            command(
                "list",
                &["l"],
                "[FUNCTION|LINE|FROM,TO|-]",
                "show the source",
                "Around the line where the program is, the beginning of a function, or a line: 40 of \
this file, main.ts:40 of another, 40,60 for all between. Alone once more, it goes on; `-` shows what \
is before. Where no source is known, the instructions.",
            ),
            command(
                "disassemble",
                &["dis", "disas"],
                "[FUNCTION|*OFFSET]",
                "show instructions",
                "Around the next one, or a whole function.",
            ),
            command(
                "info",
                &["i"],
                "WHAT",
                "show locals, globals, stack, world, …",
                "locals, globals, frames, stack, world, display (of the board), displays (what `display` shows), transcript, printed (with the places that printed \
it), breakpoints, mocks, \
bookmarks, interrupts, functions (with a part of their names: functions light), primitives, sources, \
source (the file of this frame), line (where its code begins: line 40), skips, program, coverage, link",
            ),
        ],
    },
    Topic {
        name: "multiverse",
        title: "The universes",
        commands: &[
            command(
                "tree",
                &["t"],
                "[PLACE]",
                "show the multiverse",
                "From a place on, or all of it. Choices with one way on are folded. ◀ marks where \
you are, ★ a bookmark, ■ an end.",
            ),
            command(
                "suggest",
                &[],
                "[HOW]|more|add [N]|remove [NODE]",
                "find the universes that differ from here on",
                "Explores the next four inputs, adds what it finds to the multiverse and shows it as a \
tree; `slide` goes to its nodes. If there are more than 50 paths, they are counted and not added: \
`suggest add` adds them then, `suggest add 50` so many. `suggest remove` takes out again what nobody \
has visited and no bookmark needs, everywhere or from a node on. \
Inputs that are mocked stay mocked. HOW is any of: from PLACE, inputs N, paths N, instructions N, turns N, \
values N, time SECONDS, solver-time SECONDS, memory MIB, strategy fair|depth|breadth|coverage|random, \
seed N, solver NAME, jobs N, apart (what behaves alike), all (however many), coverage, fork-select, symbolic-params; and last, towards \
TARGET (trap, a function, FILE:LINE, or a \
condition such as global 0 == 66), to stop when that is found. `suggest more` goes on where a \
bound or Ctrl-C stopped it; `info coverage` shows what was reached.",
            ),
            command(
                "why",
                &[],
                "[PLACE]",
                "say what was decided on the way, and which inputs decided",
                "What the program decided since the last choice before here, or at a node by its \
choice, in the words of the source; and the inputs that had a say in coming here, each with all \
values that would have led to the same.",
            ),
            command("universe", &["u"], "[PLACE]", "list the choices that lead here", PLACE),
            command(
                "diff",
                &[],
                "PLACE [PLACE]",
                "what differs between two places, or one and here",
                PLACE,
            ),
            command(
                "graph",
                &[],
                "[HOW]",
                "show all universes from here on, with equal states as one",
                "Every order of turns and every value of inputs that have few of them, up to 10,000 \
states or 10 seconds; what was left out is said. HOW is any of: from PLACE, limit N, depth N (choices \
from there on), time SECONDS; breakpoints, to stop each universe by itself where one is come to; turn-of ACTOR, to stop it where the \
next turn of that actor begins; resume, to mark that and go on. Nothing moves. `expand`, `ends`, `find`, `goto-state` and `parts` are about the graph \
that was drawn last.",
            ),
            command(
                "pruned",
                &[],
                "[N]",
                "show turns that `suggest` did not follow, and why",
                "Of orders of turns that come to the same, one is followed: these are the turns that \
could have been next and were left to it. N of them at most, 20 unless told otherwise.",
            ),
            command(
                "expand",
                &[],
                "N [DEPTH]",
                "show more of the graph: what comes after a state",
                "Of a state that was not explored further, also where a breakpoint has stopped it: so \
many choices from there on, 1 unless told otherwise. States that are no farther from the start keep their numbers.",
            ),
            command(
                "ends",
                &[],
                "",
                "show how universes end, each with its shortest way",
                "Variables that are not the same at all ends are shown with them.",
            ),
            command(
                "find",
                &[],
                "[ACTOR:] CONDITION [and …]",
                "find states in which something holds",
                "The nearest first, each with its shortest way: find math: result == 66, find door: \
open == 1 and controller: moving == 1. Without a name, it may hold for any actor. It looks at what \
actors remember where something is decided or ends, not in the middle of a turn.",
            ),
            command(
                "goto-state",
                &["gs"],
                "N",
                "go to a state of the graph",
                "Its shortest way becomes part of the multiverse.",
            ),
            command(
                "parts",
                &[],
                "N M",
                "show the first choice that parts two states",
                "And the variables that are not the same in them.",
            ),
            command(
                "merged",
                &[],
                "[N]",
                "find nodes at which everything is the same",
                "Looks at N nodes at most, 1000 unless told otherwise.",
            ),
            command("bookmark", &["bm"], "NAME [PLACE]", "name a place", PLACE),
            command("unbookmark", &[], "NAME", "forget the name of a place", ""),
            command(
                "trace",
                &[],
                "[FILE]",
                "show this universe as text, or write it to a file",
                "`mw replay FILE PROGRAM` goes there again.",
            ),
            command("replay", &[], "FILE", "add the universe of a trace, and go to its end", ""),
        ],
    },
    Topic {
        name: "stopping",
        title: "Breakpoints",
        commands: &[
            command(
                "break",
                &["b"],
                "WHERE [WHEN]",
                "stop at a line, function or primitive",
                "WHERE is a line (main.ts:12, or 12 in this file), a function (main), an offset (*0x1a2), a primitive \
(chip_analog_read, chip_analog_read(12)), or a value that an input returns (chip_analog_read(12) = 77). WHEN is any of: \
if CONDITION, hits N, log TEXT. A condition is an expression, of variables of the source and of the machine: \
jar->weight > limit and global 3 != 5. `hits 3` stops from the third time on; == 3, < 3 and % 3 \
are also possible. `log TEXT` says something instead of stopping, with expressions in braces: log \
i is {i}. They work in both directions.",
            ),
            command("tbreak", &["tb"], "WHERE [WHEN]", "the same, once", ""),
            command(
                "watch",
                &[],
                "VARIABLE [WHEN]",
                "stop when a variable is written",
                "Variables are written as for print; a range of memory as 1024..1088. Going back, \
one arrives before the instruction that writes.",
            ),
            command(
                "hits",
                &[],
                "WHERE [VARIABLES] [WHEN]",
                "every time that it was come to, with values",
                "A log point that is asked afterwards: all of this universe is looked through, what \
lies ahead included, and nothing moves. WHERE is written as for break; of `watch VARIABLE` one sees \
all writes. WHEN is if CONDITION, log TEXT or both. `hits 40 x, y` shows x and y at each time; `slide` goes there.",
            ),
            command(
                "query",
                &[],
                "EVENTS [| STEP]…",
                "ask what happened, when and how often",
                QUERY,
            ),
            command(
                "origin",
                &[],
                "VARIABLE",
                "say where a value comes from",
                "Its way, and the value as a formula of inputs. It is followed back through variables, memory and calls to the inputs and constants that it was \
made of, along the way that the program took; each row is a place to slide to. What decided which way that \
was, `why` says.",
            ),
            command(
                "influence",
                &[],
                "[NODE]",
                "say what an input has influenced",
                "The input whose reading led to NODE, or the last one before here: where it was moved, what \
it decided, and which primitives it was passed to.",
            ),
            command(
                "condition",
                &["cond"],
                "N|WHERE [CONDITION]",
                "change when a breakpoint stops",
                "Without a condition, it always stops.",
            ),
            command(
                "ignore",
                &[],
                "N|WHERE TIMES",
                "let a breakpoint pass so many times first",
                "`info breakpoints` shows how often each was come to.",
            ),
            command("delete", &["d"], "[N|WHERE]", "remove a breakpoint, or all of them", WHICH),
            command("enable", &[], "N|WHERE", "switch a breakpoint on", WHICH),
            command("disable", &[], "N|WHERE", "switch a breakpoint off", WHICH),
        ],
    },
    Topic {
        name: "properties",
        title: "Properties",
        commands: &[
            command(
                "property",
                &["prop"],
                "load FILE|list|show [N]|events [N] [SLICE]|slices [N] [TEXT]|witness [N] [FILE]|reload [N]|delete N",
                "watch for what should hold in every universe",
                "A property is an automaton over what the program does; a run stops where it is violated, \
in both directions. `load` binds it to the program and replays what has happened for it. `show` is the \
automaton with where it is; `slices` what it knows of each object, those that have TEXT in them; \
`events` what happened that it knows of, and with a slice what became of that; `witness` the choices \
that lead to where it was first violated, as a trace. N is its number, which may be left out if there \
is only one.",
            ),
            command(
                "scenario",
                &[],
                "load FILE|list|delete N",
                "say what is done when a property moves",
                "A scenario reacts to a slice's entering or leaving a state: its actions are commands, and \
suspend, continue, print, checkpoint and restore. A property without one stops the program where it is \
violated.",
            ),
            command("verdict", &[], "[PLACE]", "whether properties hold, here or elsewhere", PLACE),
        ],
    },
    Topic {
        name: "session",
        title: "The session",
        commands: &[
            command("help", &["h"], "[COMMAND|TOPIC]", "explain commands", ""),
            command(
                "detach",
                &[],
                "",
                "let the program run on by itself on its device, and leave",
                "The device records its choices. `mw attach --running` comes back to the program, and \
`mw attach --read-trace` debugs what was recorded.",
            ),
            command("quit", &["q", "exit"], "", "leave", ""),
        ],
    },
];

/// All commands, one after the other.
pub fn all() -> impl Iterator<Item = &'static Command> {
    TOPICS.iter().flat_map(|topic| topic.commands)
}

/// The command that is meant: by its name, another name, or an abbreviation of its name that no
/// other has.
pub fn find(word: &str) -> Result<&'static Command, String> {
    if let Some(command) = all().find(|c| c.name == word || c.aliases.contains(&word)) {
        return Ok(command);
    }
    let fitting: Vec<&Command> = all().filter(|command| command.name.starts_with(word)).collect();
    match fitting.as_slice() {
        [command] => Ok(command),
        [] => {
            if let Some(instead) = habits::instead_of(word) {
                return Err(format!("there is no command {word}: {instead}"));
            }
            let hint = did_you_mean(word, all().map(|command| command.name));
            Err(format!("there is no command {word}{hint}; `help` lists them"))
        }
        several => {
            let names: Vec<&str> = several.iter().map(|command| command.name).collect();
            Err(format!("{word} could be {}; write more of it", names.join(" or ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_name_means_one_command() {
        let mut seen = HashSet::new();
        for command in all() {
            for name in [command.name].iter().chain(command.aliases) {
                assert!(seen.insert(*name), "{name} is there twice");
            }
        }
    }

    #[test]
    fn abbreviations() {
        for (word, expected) in [
            ("s", Some("step")),
            ("rs", Some("reverse-step")),
            ("b", Some("break")),
            ("bra", Some("branch")),
            ("cont", Some("continue")),
            ("mo", Some("mock")),
            ("tre", Some("tree")),
            ("reverse", None),
            ("xyz", None),
        ] {
            assert_eq!(find(word).ok().map(|command| command.name), expected, "{word}");
        }
    }
}
