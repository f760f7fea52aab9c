//! Programs on the board, driven with and without a session.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use mw_ensemble::{Answered, Moment};
use mw_session::{Options, Session};
use mw_vm::{Breakpoints, ImportValues, Limits, Machine, Module, NoProbe, Stop, Value};
use mw_world::{Call, Description, Import, Sample};

/// A module and the function to call.
pub struct Program {
    module: Arc<Module>,
    entry: u32,
}

impl Program {
    /// From a module's text.
    pub fn from_text(text: &str) -> Result<Program> {
        Program::new(&wat::parse_str(text)?)
    }

    /// An example of the project.
    pub fn example(name: &str) -> Result<Program> {
        Program::file(&format!("examples/{name}/{name}.wasm"))
    }

    /// A module of the project.
    pub fn file(name: &str) -> Result<Program> {
        Program::new(&Program::read(name)?)
    }

    /// The bytes of a module of the project.
    pub fn read(name: &str) -> Result<Vec<u8>> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
        std::fs::read(path).with_context(|| name.to_owned())
    }

    fn new(wasm: &[u8]) -> Result<Program> {
        let module = Arc::new(Module::from_binary(wasm, &Limits::default())?);
        let entry = module.exported_func("main").context("no `main`")?;
        Ok(Program { module, entry })
    }

    /// A session at its start.
    pub fn session(&self, options: Options) -> Result<Session> {
        let entry = Some((self.entry, Vec::new()));
        Ok(Session::new(self.module.clone(), &board(), entry, options)?)
    }

    /// Machine and world at its start.
    fn plain(&self) -> Result<Moment> {
        self.begin(&[])
    }

    /// The same with arguments for its first function.
    pub fn begin(&self, args: &[Value]) -> Result<Moment> {
        let imports = self.module.imports();
        let imports = imports.map(|(n, ty)| Import { module: &n.module, name: &n.field, ty });
        let world = board().bind(imports)?;
        let limits = Limits::default();
        let mut machine = Machine::new(self.module.clone(), limits, ImportValues::default())?;
        machine.call_next(self.entry, args)?;
        Ok(Moment::new(machine, world))
    }

    /// Runs it for so many instructions, recording nothing.
    pub fn run_plain(&self, count: u64) -> Result<Machine> {
        self.run_noting(count, |_| {})
    }

    /// The counts after each call of a primitive among so many instructions.
    pub fn primitives(&self, count: u64) -> Result<Vec<u64>> {
        let mut counts = Vec::new();
        self.run_noting(count, |machine| counts.push(machine.count()))?;
        Ok(counts)
    }

    fn run_noting(&self, count: u64, mut note: impl FnMut(&Machine)) -> Result<Machine> {
        let mut now = self.plain()?;
        while now.machine.count() < count {
            let left = count - now.machine.count();
            match now.machine.run(left, &Breakpoints::default(), &mut NoProbe) {
                Stop::Budget | Stop::Finished => break,
                Stop::Import(_) => {
                    answer(&mut now)?;
                    note(&now.machine);
                }
                stop => bail!("stopped by {stop:?}"),
            }
        }
        Ok(now.machine)
    }
}

/// The board as it is when nobody has said anything else.
pub fn board() -> Arc<Description> {
    Arc::new(Description::board(Default::default()))
}

/// Answers the call that the machine is stopped at as the world does by itself.
fn answer(now: &mut Moment) -> Result<()> {
    let (import, args) = now.machine.import_call().context("no call")?;
    let call = Call { import, args: &args };
    let answered = mw_ensemble::answer(now, call, |now| match now.world.sample(call)? {
        Sample::Answer(answer) => anyhow::Ok(Some(answer)),
        Sample::Ask => Ok(None),
    })?;
    match answered {
        Answered::Read { .. } | Answered::Performed { .. } => Ok(()),
        Answered::Aborted(message) => bail!("{message}"),
        Answered::Unknown => bail!("{} has no value", now.world.show(call)),
    }
}
