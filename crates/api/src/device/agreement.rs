//! A device and the world here have to mean the same by a primitive.
//!
//! The session decides what an input may return and what can be taken back by the world that it has
//! at hand. If the device saw that otherwise, it would only come out in the middle of a session: a
//! mock that the device refuses, an output that it cannot take back. So it is said at the start.

use mw_remote::message::{Described, Kind};
use mw_vm::{Module, ValType};
use mw_world::{Description, Domain, Primitive, Role};

use crate::error::{ApiError, ErrorKind};

/// The primitives of a device behind the imports of a program, if the world has the same.
pub(super) fn bind(
    module: &Module,
    world: &Description,
    primitives: &[Described],
) -> Result<Vec<u32>, ApiError> {
    let bind = |(name, ty): (&mw_vm::ImportName, &mw_vm::FuncType)| {
        let fits =
            |p: &Described| p.module == name.module && p.name == name.field && p.types.contains(ty);
        let Some(index) = primitives.iter().position(fits) else {
            return Err(refused(format!("the device has no primitive {name} of type {ty}")));
        };
        // What the world does not have is refused with the program.
        if let Some(id) = world.find(&name.module, &name.field) {
            let here = &world.primitives()[id.0 as usize];
            let result = ty.results.first().copied();
            let (its, own) = (theirs(&primitives[index], result)?, ours(here, result));
            if !its.agrees(&own) {
                return Err(refused(format!(
                    "the device and the world do not agree on {}: on the device it is {its}, in \
                     the world {} it is {own}; give the world of the device with --world FILE",
                    here.full_name(),
                    world.name(),
                )));
            }
        }
        Ok(index as u32)
    };
    module.imports().map(bind).collect()
}

fn refused(text: String) -> ApiError {
    ApiError::new(ErrorKind::Unusable, text)
}

/// What one side says about a primitive.
struct Meaning {
    kind: Kind,
    /// What it returns, if that is always the same.
    domain: Option<Domain>,
}

fn theirs(described: &Described, result: Option<ValType>) -> Result<Meaning, ApiError> {
    let domain = match (&described.domain, result) {
        (Some(domain), Some(ty)) => {
            let meant = domain.meant().and_then(|domain| domain.narrowed(ty));
            let nothing = || {
                format!("the device is not to be trusted: {} can return nothing", described.name)
            };
            Some(meant.ok_or_else(|| refused(nothing()))?)
        }
        _ => None,
    };
    Ok(Meaning { kind: described.kind, domain })
}

fn ours(primitive: &Primitive, result: Option<ValType>) -> Meaning {
    let domain = match (&primitive.role, result) {
        (Role::Input(input), Some(ty)) => input.answers.fixed(ty),
        _ => None,
    };
    Meaning { kind: primitive.role.kind().into(), domain }
}

impl Meaning {
    fn agrees(&self, other: &Meaning) -> bool {
        let is_same = match (&self.domain, &other.domain) {
            // Names are for people.
            (Some(Domain::Integers(a)), Some(Domain::Integers(b))) => a.ranges() == b.ranges(),
            (Some(a), Some(b)) => a == b,
            // Where one depends on what happened before, each value is looked at when it comes.
            _ => true,
        };
        self.kind == other.kind && is_same
    }
}

impl std::fmt::Display for Meaning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.kind, &self.domain) {
            (Kind::Input, Some(domain)) => write!(f, "an input that returns {domain}"),
            (Kind::Input, None) => f.write_str("an input"),
            (Kind::Output { irreversible: false }, _) => f.write_str("an output"),
            (Kind::Output { irreversible: true }, _) => {
                f.write_str("an output that cannot be undone")
            }
            (Kind::Abort, _) => f.write_str("the end of the program"),
        }
    }
}
