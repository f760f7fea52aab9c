//! What people ask for at chosen lines of real programs.

use crate::common;

use common::Program;
use common::run::{Argument, Run};
use mw_source::{Expression, MachineFrame, Names, Sources};
use mw_vm::Value;

/// The value and type of each expression, in the innermost frame.
#[track_caller]
fn check(run: &Run, expected: &[(&str, &str)]) {
    let frame = &run.sources.frames(run.offset())[0];
    let storage = MachineFrame::new(&run.machine, 0);
    for (expression, value) in expected {
        let shown = match run.sources.evaluate(expression, frame, &storage) {
            Ok(variable) => format!("{}: {}", variable.value, variable.type_name),
            Err(error) => error.to_string(),
        };
        assert_eq!(&shown, value, "{expression}");
    }
}

#[test]
fn c() {
    let args = [Argument::Global("shelf"), Argument::Value(Value::I32(50))];
    let mut run = Run::new(&Program::fixture("shelf-O0"), "weigh", &args);
    run.run_to("switch (jar->kind)");
    let label = "0x405 \"tea\": const char *";
    check(
        &run,
        &[
            ("jar->weight", "40: grams"),
            ("jar->at.x + 2 * jar->next->at.y", "-7: int"),
            ("(*jar).kind", "TEA: enum kind"),
            ("jar->next->kind == SALT", "true: bool"),
            ("jar->kind == SALT || jar->weight < limit", "true: bool"),
            ("(enum kind)6", "SUGAR: enum kind"),
            ("jar->label", label),
            ("jar->label == \"tea\"", "true: bool"),
            ("jar->label[1]", "101 'e': const char"),
            ("jar->label[0] == 't'", "true: bool"),
            ("jar[1].kind", "77: enum kind"),
            ("(jar + 1)->weight", "7: grams"),
            ("&shelf[1] - &shelf[0]", "1: int"),
            ("shelf[1].weight", "7: grams"),
            ("tags[3] + tags[3]", "500: int"),
            ("(unsigned char)(tags[3] + 10)", "4: unsigned char"),
            ("(byte)300", "44: byte"),
            ("price * 2", "5.0: double"),
            ("scale.real / 2", "0.75: float"),
            ("scale.raw >> 16", "16320: unsigned int"),
            ("salt.small + salt.wide", "105: int"),
            ("salt.next == NULL", "true: bool"),
            ("!salt.next && salt.sealed", "true: bool"),
            ("first == jar", "true: bool"),
            ("((struct jar *)0x420)->weight", "40: grams"),
            ("*(int *)&jar->weight", "40: int"),
            ("sum - 1", "-1: long long"),
            ("sizeof(struct jar)", "28: unsigned int"),
            ("sizeof jar->at + sizeof(jar) + sizeof(int *)", "16: unsigned int"),
            ("sizeof(shelf) / sizeof(shelf[0])", "2: unsigned int"),
            ("-limit % 7", "-1: int"),
            ("~tags[0]", "-2: int"),
            ("*salt.next", "this is a null pointer"),
            ("shelf[2]", "2 is not below 2"),
            ("jar->nothing", "const struct jar * has no member nothing"),
            ("nothing", "there is no nothing here"),
            ("limit / (limit - 50)", "this divides by zero"),
            ("limit.x", "int has no member x"),
            ("jar * 2", "* is not for pointers"),
            ("shelf[0] + 1", "struct jar is no number"),
            ("limit +", "a value was expected, at 7 in the expression"),
        ],
    );
}

#[test]
fn optimised_code() {
    let args = [Argument::Global("shelf"), Argument::Value(Value::I32(50))];
    let mut run = Run::new(&Program::fixture("shelf-O2"), "weigh", &args);
    run.run_to("return a > b");
    check(
        &run,
        &[
            ("a + 1", "41: int"),
            // Of the caller, which is not looked at.
            ("limit", "there is no limit here"),
        ],
    );
    let frame = &run.sources.frames(run.offset())[1];
    let storage = MachineFrame::new(&run.machine, 0);
    let evaluate = |expression| run.sources.evaluate(expression, frame, &storage);
    assert_eq!(evaluate("limit").unwrap().value, "50");
    let error = evaluate("sum").unwrap_err().to_string();
    assert_eq!(error, "sum is not available here: the compiler has optimised it out");
    let names = Names { sources: Some(&run.sources), frame: Some(frame), ..Names::default() };
    let holds = |text| {
        let expression = Expression::parse_known(text, &names).unwrap();
        expression.holds(&run.sources, frame, &storage)
    };
    assert_eq!(holds("limit > 40 || sum"), Ok(true));
    assert_eq!(holds("limit < 40 && sum"), Ok(false));
    // The machine's cells and the source's variables, together.
    assert_eq!(holds("limit == 50 and global 0 > limit"), Ok(true));
    assert_eq!(holds("global 9 == 0 or limit == 50"), Ok(true));
    assert_eq!(holds("global 9 != 0 or global 9"), Ok(false));
}

#[test]
fn rust() {
    let args = [Argument::Value(Value::I32(250))];
    let mut run = Run::new(&Program::fixture("garden"), "grow", &args);
    run.run_to("sum += u32::from(some");
    check(
        &run,
        &[
            ("bed.name", "\"roses\": String"),
            ("bed.name == \"roses\"", "true: bool"),
            ("bed.readings[1] + 1", "251: u16"),
            ("bed.readings[1] as u8", "250: u8"),
            ("bed.readings[3]", "3 is not below 3"),
            ("bed.soil == Soil::Sand", "true: bool"),
            ("bed.plant.height * 2.0", "3.0: f32"),
            ("bed.neighbour.0.name", "\"far\": String"),
            ("pair.0 > 200 && pair.1", "true: bool"),
            ("some.0", "250: u16"),
            ("plants[0].0", "3: u32"),
            ("maybe.0.readings[0]", "100: u16"),
            ("!pair.0", "65285: u16"),
        ],
    );
}

#[test]
fn assemblyscript() {
    let args = [Argument::Value(Value::I32(3))];
    let mut run = Run::new(&Program::fixture("pantry"), "count", &args);
    run.run_to("if (item > limit)");
    check(
        &run,
        &[
            ("label", "\"pantry 1\": string"),
            ("label == \"pantry 1\"", "true: bool"),
            ("items[1] + items.length", "9: i32"),
            ("items[i] > limit", "false: bool"),
            ("names[1]", "\"tea\": string"),
            ("total + 1", "0: u32"),
            ("halves[1] * 2", "3.0: f32"),
            ("checked", "false: bool"),
            ("LABEL", "\"pantry\": string"),
        ],
    );
}

#[test]
fn what_is_computed_can_be_looked_into() {
    let args = [Argument::Global("shelf"), Argument::Value(Value::I32(50))];
    let mut run = Run::new(&Program::fixture("shelf-O0"), "weigh", &args);
    run.run_to("switch (jar->kind)");
    let sources: &Sources = &run.sources;
    let frame = &sources.frames(run.offset())[0];
    let storage = MachineFrame::new(&run.machine, 0);
    for expression in ["jar->at", "&shelf[0]", "(struct jar *)0x420"] {
        let variable = sources.evaluate(expression, frame, &storage).unwrap();
        assert!(variable.has_children, "{expression}");
        assert!(!sources.children(&variable, &storage).is_empty());
    }
}
