//! Worlds by hand: a TOML file that says what each import is.
//!
//! ```toml
//! name = "greenhouse"             # for people; the file's name when left out
//! extends = "board"               # start from the board; without it, only what is declared here
//!
//! [board]                         # settings of the board, all optional
//! data_command_pin = 15           # tells the display commands from data
//! display = { width = 128, height = 160 }
//! seed = 1                        # what random_int starts from
//! reading_time_takes = 10         # microseconds
//!
//! [registers]                     # the world's own state: names and initial values,
//! valve = 0                       # integers
//! target = 21.5                   # or floats
//!
//! [import.env.soil_moisture]      # [import.<module>.<name>]
//! kind = "input"                  # its value is a choice
//! params = ["i32"]                # i32, i64, f32, f64; none when left out
//! result = "i32"
//! domain = "0..1023"              # what it can return: see below
//! source = { constant = 512 }     # what it returns unless mocked: see below
//!
//! [import.env.set_valve]
//! kind = "output"                 # it acts on the outside
//! params = ["i32"]
//! sets = { valve = "$0" }         # registers that it sets: "$0" is the first argument
//! says = "valve at {0} %"         # the effect for people; {0} is the first argument
//! compensation = "restore"        # how it is undone: see below
//!
//! [[rules]]                       # what was put out restricts what can be read
//! when = { valve = 0, "pin 45" = "0..1" }
//! input = "soil_moisture(0)"      # "soil_moisture" or "soil_moisture(_)" for any argument
//! domain = "0..300"
//! ```
//!
//! - A **domain** is a number (`5`), a range with both ends (`"0..4095"`), a list of these
//!   (`[0, 5, "10..20"]`), names for numbers (`{ dry = 0, wet = 1 }`), or `"any"`.
//! - A **source** is `{ constant = 5 }` (or a name of the domain), `{ random = 42 }` with a seed,
//!   `{ recorded = "file.txt" }` with values separated by blanks, commas or lines, or `"ask"`.
//!   When left out: the possible value nearest to 0.
//! - A **compensation** is `"restore"` (or `{ restore = ["valve"] }`): put back the captured
//!   values of the registers it set; `{ call = "env.close", args = ["$0", "valve", 3] }`: call
//!   another output, with arguments as they were before; `"none"`: there is nothing to undo;
//!   `"irreversible"`: the debugger asks before it goes back over it.
//! - An input may bring bytes into a **buffer** of the program that the call names:
//!   `buffer = { address = "$1", size = "$2" }`, with `counted = "yes"` if it returns how many
//!   bytes they are. By itself it brings none; mocks do (`mock receive(0, 64, 16) "hello"`).
//! - An output may have a `result`; it always returns `returns = …` (0 when left out).
//! - `kind = "abort"` ends the program.
//! - In a world that extends the board, an import of the board keeps all that its table does not
//!   mention (`[import.env.chip_analog_read]` with `domain = "0..1023"` is a 10-bit board), and
//!   `like = "env.chip_digital_read"` gives an import of another name the board's behaviour.
//! - The subjects of a rule's `when` are registers and, on a board, `pin N` (the level written, 0
//!   or 1), `pwm N`, `servo N` and `motor N` (its speed). All of them must hold.
//!
//! Reading never touches the disk: recordings come through the loader that the caller passes.

mod import;
mod reader;
mod rules;
#[cfg(test)]
mod tests;
mod values;

use mw_vm::Value;
use toml::de::DeTable;

use crate::board::Settings;
use crate::description::Description;
use crate::domain::Number;
use crate::rule::Rules;
use reader::{Document, Fields, Node};

/// Reads a file that a world file names; the error says in words why that failed.
pub type Loader<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// A mistake in a world file: where it is, what it is, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}; {help}")]
pub struct WorldFileError {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub help: String,
}

impl Description {
    /// Reads a world file. `file` is its name, for messages; `load` reads the recordings it names.
    pub fn parse(file: &str, text: &str, load: Loader<'_>) -> Result<Description, WorldFileError> {
        let line_ends = reader::line_ends(text);
        let document = Document { file, line_ends: &line_ends };
        let root = DeTable::parse(text).map_err(|error| document.broken(&error))?;
        let keys = ["name", "extends", "board", "registers", "import", "rules"];
        let root = Fields::new(document, root.get_ref(), "a world file", &keys)?;

        let mut description = match root.get("extends") {
            None => match root.get("board") {
                None => Description::bare(None),
                Some(node) => {
                    return Err(node.error(
                        "there are settings of a board but no board",
                        "add extends = \"board\" at the top, or remove them",
                    ));
                }
            },
            Some(node) if node.string("extends")? == "board" => {
                Description::bare(Some(settings(root.get("board"))?))
            }
            Some(node) => {
                let problem = "extends names a world that does not exist";
                return Err(node.error(problem, "the only built-in world is \"board\""));
            }
        };
        description.name = match root.get("name") {
            Some(node) => node.string("name")?.to_owned(),
            None => file.to_owned(),
        };
        if let Some(node) = root.get("registers") {
            description.registers = registers(node)?;
        }
        if let Some(node) = root.get("import") {
            import::read(node, &mut description, load)?;
        }
        // Last, so that the others are numbered as if there were none of these.
        description.add_universal();
        if let Some(node) = root.get("rules") {
            description.rules = Rules::new(rules::read(node, &description)?);
        }
        Ok(description)
    }
}

fn settings(node: Option<Node<'_>>) -> Result<Settings, WorldFileError> {
    let mut settings = Settings::default();
    let Some(node) = node else { return Ok(settings) };
    let keys = ["data_command_pin", "display", "seed", "reading_time_takes"];
    let fields = node.fields("[board]", &keys)?;
    if let Some(node) = fields.get("data_command_pin") {
        settings.data_command_pin = node.between(0, 255)? as u8;
    }
    if let Some(node) = fields.get("display") {
        let size = node.fields("display", &["width", "height"])?;
        let side = |node: Node<'_>| node.between(1, Settings::LARGEST_DISPLAY.into());
        settings.display_width = side(size.require("width")?)? as u16;
        settings.display_height = side(size.require("height")?)? as u16;
    }
    if let Some(node) = fields.get("seed") {
        settings.seed = node.integer("seed")? as u64;
    }
    if let Some(node) = fields.get("reading_time_takes") {
        settings.reading_time_takes = node.between(0, u32::MAX.into())? as u32;
    }
    Ok(settings)
}

fn registers(node: Node<'_>) -> Result<Vec<(String, Value)>, WorldFileError> {
    let register = |(name, node): (&str, Node<'_>)| {
        let value = match node.number() {
            Some(Number::Integer(v)) => Value::I64(v),
            Some(Number::Float(v)) => Value::from(v),
            None => {
                let problem = format!("the register {name} does not start as a number");
                return Err(node.error(problem, "write its initial value, such as 0 or 0.0"));
            }
        };
        Ok((name.to_owned(), value))
    };
    node.entries("[registers]")?.into_iter().map(register).collect()
}
