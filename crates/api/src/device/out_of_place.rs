//! The machine here: only primitives are called on the device.

use mw_remote::host::DeviceError;
use mw_session::{Answer, IsCancelled, Leg, Target};
use mw_vm::{Breakpoints, Machine, NoProbe, Stop, Value};
use mw_world::Call;

use super::{Shared, lock};

/// The machine runs here, and primitives are called on the device.
#[derive(Debug)]
pub(super) struct OutOfPlace {
    pub device: Shared,
    /// The primitive behind each import.
    pub imports: Vec<u32>,
}

impl OutOfPlace {
    /// Calls on the device what the program calls on a stretch.
    fn go(&mut self, leg: Leg<'_>, is_cancelled: IsCancelled<'_>) -> Result<u64, String> {
        let mut device = lock(&self.device);
        let mut machine = leg.from.fork();
        let mut answers = leg.answers.iter();
        while machine.count() < leg.until {
            let left = leg.until - machine.count();
            match machine.run(left, &Breakpoints::default(), &mut NoProbe) {
                Stop::Import(_) => {}
                _ => break,
            }
            if is_cancelled() {
                return Ok(machine.count());
            }
            let Some((import, args)) = machine.import_call() else { break };
            let (primitive, count) = (self.imports[import as usize], machine.count());
            let result = machine.module().result_type(import);
            let is_input = matches!(
                device.primitives()[primitive as usize].kind,
                mw_remote::message::Kind::Input
            );
            let failed = |error: DeviceError| error.to_string();
            let results: Vec<Value> = match (is_input, result) {
                (true, Some(ty)) => {
                    let answer = answers.next().filter(|(at, _)| *at == count);
                    let (_, slot) = answer.ok_or("the program reads another input than before")?;
                    let value = Value::from_slot(ty, *slot);
                    let read = device.read_primitive(primitive, &args, Some(value), count);
                    read.map_err(failed)?;
                    vec![value]
                }
                _ => {
                    let done = device.perform_primitive(primitive, &args, count, &machine);
                    let (ended, returned) = done.map_err(failed)?;
                    if ended.is_some() {
                        break;
                    }
                    result.map(|ty| returned.unwrap_or(Value::zero(ty))).into_iter().collect()
                }
            };
            machine.resume(&results).map_err(|error| error.to_string())?;
        }
        match machine.count() == leg.until && machine.hash() == leg.hash || leg.ends {
            true => Ok(leg.until),
            false => Err("primitives of the device do other things than those here".into()),
        }
    }
}

impl Target for OutOfPlace {
    fn undo(&mut self, to: u64) -> Result<(), String> {
        lock(&self.device).undo(to).map_err(|error| error.to_string())
    }

    fn restore(&mut self, _: &Machine, _: &Machine, _: Option<&[Answer]>) -> Result<(), String> {
        // The machine is here.
        Ok(())
    }

    fn advance(&mut self, leg: Leg<'_>, is_cancelled: IsCancelled<'_>) -> Result<u64, String> {
        self.go(leg, is_cancelled)
    }

    fn read(&mut self, call: Call<'_>, count: u64) -> Result<Option<u64>, String> {
        let primitive = self.imports[call.import as usize];
        let read = lock(&self.device).read_primitive(primitive, call.args, None, count);
        let value = read.map_err(|error| error.to_string())?;
        Ok(value.map(Value::to_slot))
    }
}
