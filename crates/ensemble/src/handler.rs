//! Who handles a message: an export of the program, by the kind of the task and the message's name.

use mw_vm::{Module, ValType, Value};

/// The exported function that handles a message.
pub(crate) fn find(module: &Module, kind: &str, name: &str) -> Option<u32> {
    match kind {
        "" => module.exported_func(name),
        _ => [format!("{kind}.{name}"), format!("{kind}_{name}")]
            .iter()
            .find_map(|name| module.exported_func(name)),
    }
}

/// The names of the messages that tasks of a kind handle.
pub(crate) fn names(module: &Module, kind: &str) -> Vec<String> {
    let names = module.exports().keys().filter(|name| module.exported_func(name).is_some());
    let own = names.filter_map(|name| match kind {
        "" => Some(name.as_str()),
        _ => name.strip_prefix(kind).and_then(|rest| rest.strip_prefix(['.', '_'])),
    });
    own.map(str::to_owned).collect()
}

/// Whether a program handles any message of a kind.
pub(crate) fn has_kind(module: &Module, kind: &str) -> bool {
    !names(module, kind).is_empty()
}

/// The bytes of a message as the parameters of its handler. A handler without parameters takes any
/// message. `None` if they do not fit.
pub(crate) fn arguments(params: &[ValType], bytes: &[u8]) -> Option<Vec<Value>> {
    let mut rest = bytes;
    let mut args = Vec::with_capacity(params.len());
    for &ty in params {
        let (own, after) = rest.split_at_checked(size(ty)?)?;
        let mut slot = [0; 8];
        slot[..own.len()].copy_from_slice(own);
        args.push(Value::from_slot(ty, u64::from_le_bytes(slot)));
        rest = after;
    }
    (rest.is_empty() || params.is_empty()).then_some(args)
}

/// What a handler has returned, as bytes.
pub(crate) fn bytes(results: &[Value]) -> Vec<u8> {
    let of = |value: &Value| {
        let bytes = value.to_slot().to_le_bytes();
        bytes[..size(value.ty()).unwrap_or(0)].to_vec()
    };
    results.iter().flat_map(of).collect()
}

/// How many bytes a number takes in a message; references cannot be sent.
pub fn size(ty: ValType) -> Option<usize> {
    match ty {
        ValType::I32 | ValType::F32 => Some(4),
        ValType::I64 | ValType::F64 => Some(8),
        ValType::FuncRef | ValType::ExternRef => None,
    }
}
