//! Asking the person at the terminal what an input returns.

use std::io::{self, BufRead, IsTerminal, Write};

use mw_vm::{ValType, Value};
use mw_world::{Call, Domain, World};

use crate::console::{self, ERROR, FAINT, INPUT};
use crate::failure::Failure;
use crate::world;

/// The value that the person gives; a value that is not possible is refused, with the reason.
pub fn ask(world: &World, call: Call<'_>, domain: &Domain) -> Result<Value, Failure> {
    if !io::stdin().is_terminal() {
        return Err(unanswered(world, call, domain));
    }
    let mut err = console::stderr();
    match question(world, call, domain, &mut io::stdin().lock(), &mut err)? {
        Some(value) => Ok(value),
        None => Err(unanswered(world, call, domain)),
    }
}

/// Asks until there is an answer; `None` if there will be none.
fn question(
    world: &World,
    call: Call<'_>,
    domain: &Domain,
    answers: &mut impl BufRead,
    err: &mut impl Write,
) -> io::Result<Option<Value>> {
    let results = world::import_type(world, call.import).results;
    let ty = results.first().copied().unwrap_or(ValType::I32);
    loop {
        let shown = world.show(call);
        write!(err, "{INPUT}{shown}{INPUT:#} returns {FAINT}({domain}){FAINT:#}: ")?;
        err.flush()?;
        let mut line = String::new();
        if answers.read_line(&mut line)? == 0 {
            writeln!(err)?;
            return Ok(None);
        }
        let value = world::parse_answer(&line, domain, ty);
        let problem = match value {
            Ok(value) => match world.check(call, &value.into()) {
                Ok(()) => return Ok(Some(value)),
                Err(error) => error.to_string(),
            },
            Err(problem) => problem,
        };
        writeln!(err, "{ERROR}no:{ERROR:#} {problem}")?;
    }
}

fn unanswered(world: &World, call: Call<'_>, domain: &Domain) -> Failure {
    let shown = world.show(call);
    let example = domain.show(domain.smallest(
        world::import_type(world, call.import).results.first().copied().unwrap_or(ValType::I32),
    ));
    Failure::Usage(format!(
        "the world asks what {shown} returns (one of {domain}), and nobody is at the terminal to \
         answer\ngive it a value with --set '{shown}={example}', or a source in a world file"
    ))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use mw_vm::FuncType;
    use mw_world::{Description, Import};

    use super::*;

    #[test]
    fn asks_until_the_answer_is_possible() {
        let board = Arc::new(Description::board(Default::default()));
        let ty = FuncType::new([ValType::I32], [ValType::I32]);
        let import = |name| Import { module: "env", name, ty: &ty };
        let world = board.bind([import("color_sensor"), import("ev3_touch_sensor")]).unwrap();
        for (import, answers, expected, questions) in [
            (0, "abc\n101\n77\n", Some(Value::I32(77)), 3),
            (0, "0x10", Some(Value::I32(16)), 1),
            (0, "", None, 1),
            (1, "pressed\n", Some(Value::I32(1)), 1),
            (1, "pushed\n", None, 2),
        ] {
            let call = Call { import, args: &[Value::I32(0)] };
            let domain = world.domain(call).unwrap();
            let mut said = Vec::new();
            let value = question(&world, call, &domain, &mut answers.as_bytes(), &mut said);
            assert_eq!(value.unwrap(), expected, "{answers:?}");
            let said = String::from_utf8(said).unwrap();
            assert_eq!(said.matches("returns").count(), questions, "{said}");
        }
    }
}
