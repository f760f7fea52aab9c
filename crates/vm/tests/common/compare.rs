//! Comparing machines.

use mw_vm::Machine;

/// Checks that two machines are the same in all that can be seen of them.
#[track_caller]
pub fn assert_same(one: &mut Machine, other: &mut Machine, what: &str) {
    assert_eq!(one.count(), other.count(), "count: {what}");
    assert_eq!(one.status(), other.status(), "status: {what}");
    assert_eq!(one.call_stack(), other.call_stack(), "call stack: {what}");
    assert!(one == other, "state: {what}");
    assert_eq!(one.hash(), other.hash(), "hash: {what}");
}
