//! What is wrong with a property is said with its place, and what to do.

use crate::common::bind;

/// A property whose only transition is this one.
fn transition(text: &str) -> String {
    format!("initialization {{ N = 0 }}\nstate init {{ transition {{ {text} }} }}")
}

#[test]
fn mistakes_in_transitions_are_located() {
    for (text, expected) in [
        (
            "before event queue_pusch() success init",
            "2:40: there is no function queue_pusch (did you mean queue_push?)",
        ),
        (
            "before event chip_digital_write() success init",
            "2:40: chip_digital_write is a primitive of the world: write `primitive \
             chip_digital_write`",
        ),
        (
            "before event primitive chip_analog_reed() success init",
            "2:50: no program imports a primitive chip_analog_reed (did you mean \
             chip_analog_read?)",
        ),
        (
            "before event queue_push(queu) success init",
            "2:51: there is no queu here (did you mean queue?)",
        ),
        (
            "before event queue_push(arg 2) success init",
            "2:51: there is no argument 2: queue_push has 2, counted from 0",
        ),
        (
            "before event open(ret) success init",
            "2:45: ret is what a function returns: only after it has",
        ),
        ("after event close(ret) success init", "2:45: close returns no number"),
        (
            "before event queue_push(queue, arg 0 as queue) success init",
            "2:58: two parameters are called queue: name one of them with `as`",
        ),
        (
            "before event queue_push() success inti",
            "2:61: there is no state inti (did you mean init?)",
        ),
        ("before event queue_push() { return M < 3 } success init", "2:62: there is no M here"),
        (
            "before event queue_push() { N = 3 } success init",
            "2:55: a guard sets nothing: compare with ==, or set N in a block",
        ),
        (
            "before event queue_push() success { M = 3 } init",
            "2:63: there is no variable M; `initialization` says which there are",
        ),
        (
            "before event queue_push() success { N } init",
            "2:63: a block sets variables, such as `N = N + 1`, and returns nothing",
        ),
        (
            "before event queue_push() { while N { return 1 } } success init",
            "2:55: there are no loops here, so no while: what a guard or block does has to end",
        ),
        ("before event queue_push() { return N + } success init", "2:65: a value was expected"),
        (
            "before event queue_push() { return N / 0 } success init",
            "2:62: (N / 0) divides by zero",
        ),
        (
            "before event scale(by) { return by & 1 } success init",
            "2:59: & is for whole numbers, not for floats",
        ),
        (
            "before event scale(by) success { N = \"a\" } init",
            "2:64: \"a\" is a text: it can be compared, and nothing else",
        ),
        (
            "before event queue_push() failure init",
            "2:61: without a guard nothing fails: write one after the event, in braces",
        ),
        (
            "before event queue_push() succes init",
            "2:53: success, failure or } was expected here, and there is succes (did you mean \
             success?)",
        ),
        (
            "before event queue_push()",
            "2:27: this transition leads nowhere: write `success` and a state",
        ),
        ("event queue_push() success init", "2:27: say when: before event or after event"),
        ("after event end success init", "2:27: end has no before and after: write `event end`"),
        (
            "event line nowhere.c:3 success init",
            "2:38: no source of the module is called nowhere.c",
        ),
        (
            "event line program.wat:1 success init",
            "2:38: line 1 has no code; the next one with code is 11",
        ),
        (
            "event message seen() success init",
            "2:41: a message is sent, received or dropped (did you mean sent?)",
        ),
        (
            "after event write levle() success init",
            "2:45: there is no variable levle outside of functions (did you mean level?); of a \
             function, write `levle of` and its name",
        ),
        (
            "after event write queue of queue_pop() success init",
            "2:54: there is no function queue_pop (did you mean queue_push?)",
        ),
        (
            "after event write que of queue_push() success init",
            "2:45: queue_push has no variable que (did you mean queue?)",
        ),
        ("before event queue_push(( success init", "2:51: this ( is never closed"),
    ] {
        let error = bind(&transition(text)).err();
        let shown = error.map(|error| error.to_string()).unwrap_or_default();
        let shown = shown.strip_prefix("property:").unwrap_or(&shown);
        assert!(shown.starts_with(expected), "{text}\n  says  {shown}\n  wants {expected}");
    }
}

#[test]
fn mistakes_in_states_are_located() {
    let event = "transition { before event close() success";
    for (text, expected) in [
        ("", "1:1: there is no state init, where every property begins"),
        (
            "state int",
            "1:1: there is no state init, where every property begins (did you mean int?)",
        ),
        ("state init state init", "1:18: there are two states init"),
        (
            "state init state lost",
            "1:18: no transition from init on leads to the state lost: it is never reached",
        ),
        ("stat init", "1:1: a property begins with slice, initialization or state"),
        ("state init acepting", "1:12: acepting means nothing here (did you mean accepting?)"),
        (
            "state init non-acepting",
            "1:12: non-acepting means nothing here (did you mean non-accepting?)",
        ),
        (
            "state init { tansition",
            "1:14: a transition, within or } was expected in the state init, and there is tansition (did you mean transition?)",
        ),
        (
            "state init { within 5 mss else init }",
            "1:23: time is in us, ms, s or instructions (did you mean ms?)",
        ),
        (
            "state init { within 5 ms else init within 6 ms else init }",
            "1:36: a state has one deadline",
        ),
        ("initialization { N = 0; N = 1 } state init", "1:25: N is set twice here"),
        ("initialization { N = M } state init", "1:22: M means nothing here: there is no event"),
        ("initialization { if 1 { N = 1 } } state init", "1:21: the initialization sets variables"),
        ("initialization { N = 1 % 0 } state init", "1:22: (1 % 0) divides by zero"),
        ("slice on a, a\nstate init", "1:13: a is sliced on twice"),
        ("never before close() extra", "1:22: the property ends here, and there is extra"),
        ("always level > 0", "1:8: say when"),
        ("invariant 1 > 0", "1:11: no variable is named here"),
        (
            "at most two close() between open() and open()",
            "1:9: how often it may happen was expected here, and there is two",
        ),
    ] {
        let error = bind(text).err().map(|error| error.to_string()).unwrap_or_default();
        let shown = error.strip_prefix("property:").unwrap_or(&error);
        assert!(shown.starts_with(expected), "{text}\n  says  {shown}\n  wants {expected}");
    }
    let sliced = format!("slice on fil\nstate init {{ {event} init }} }}");
    assert_eq!(
        bind(&sliced).unwrap_err().to_string(),
        "property:1:10: no event has a parameter fil"
    );
    let sliced = "slice on by\nnever scale(by)";
    let expected = "property:2:13: by is a float: only whole numbers tell slices apart";
    assert_eq!(bind(sliced).unwrap_err().to_string(), expected);
    let left = format!("state init {{ {event} over }} }} state over final {{ {event} over }} }}");
    let said = bind(&left).unwrap_err().to_string();
    assert!(said.contains("the state over is final, so that nothing leaves it"), "{said}");
}

#[test]
fn nothing_that_is_written_makes_it_panic() {
    let text = super::queue::PROPERTY;
    for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
        let _ = bind(&text[..cut]);
        let _ = bind(&text[cut..]);
        for with in ["{", "}", "(", "\"", "é", ";", "^", " as ", "-"] {
            let _ = bind(&format!("{}{with}{}", &text[..cut], &text[cut..]));
        }
    }
}
