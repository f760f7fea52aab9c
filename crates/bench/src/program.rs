//! Programs on the board, driven with and without a session.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use mw_session::{Options, Session};
use mw_vm::{Breakpoints, ImportValues, Limits, Machine, Module, NoProbe, Stop};
use mw_world::{Call, Description, Import, Kind, Outcome, Sample, World};

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
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
        Program::new(&std::fs::read(path).with_context(|| name.to_owned())?)
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
    fn plain(&self) -> Result<(Machine, World)> {
        let imports = self.module.imports();
        let imports = imports.map(|(n, ty)| Import { module: &n.module, name: &n.field, ty });
        let world = board().bind(imports)?;
        let limits = Limits::default();
        let mut machine = Machine::new(self.module.clone(), limits, ImportValues::default())?;
        machine.call_next(self.entry, &[])?;
        Ok((machine, world))
    }

    /// Runs it for so many instructions, recording nothing.
    pub fn run_plain(&self, count: u64) -> Result<Machine> {
        let (mut machine, mut world) = self.plain()?;
        while machine.count() < count {
            let left = count - machine.count();
            match machine.run(left, &Breakpoints::default(), &mut NoProbe) {
                Stop::Budget | Stop::Finished => break,
                Stop::Import(_) => answer(&mut machine, &mut world)?,
                stop => bail!("stopped by {stop:?}"),
            }
        }
        Ok(machine)
    }
}

fn board() -> Arc<Description> {
    Arc::new(Description::board(Default::default()))
}

fn answer(machine: &mut Machine, world: &mut World) -> Result<()> {
    let (import, args) = machine.import_call().context("no call")?;
    let call = Call { import, args: &args };
    let reply = match world.kind(import)? {
        Kind::Input => match world.sample(call)? {
            Sample::Value(value) => world.accept(call, value)?.reply,
            Sample::Ask => bail!("{} has no value", world.show(call)),
        },
        _ => match world.perform(call, machine)? {
            Outcome::Done { reply, .. } => reply,
            Outcome::Abort { message } => bail!("{message}"),
        },
    };
    machine.resume(&reply.results)?;
    Ok(())
}
