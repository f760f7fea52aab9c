//! World files: the example says what it means, and every mistake is told with its line.

use mw_vm::Value;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::testing::{Bench, world_file};
use crate::{Call, Compensation, Description, Kind, Role, Source};

#[test]
fn the_greenhouse_does_what_its_file_says() {
    let mut bench = Bench::new(world_file("greenhouse"));
    let settings = bench.world.description().settings().unwrap().clone();
    assert_eq!(
        (settings.data_command_pin, settings.seed, settings.reading_time_takes),
        (4, 2026, 25)
    );
    assert_eq!((settings.display_width, settings.display_height), (160, 80));

    for (input, domain, sample) in [
        ("soil_moisture(0)", "0..1023", "512"),
        ("float_switch()", "empty|low|full", "2"),
        ("operator()", "{0, 5, 10..20}", "ask"),
        ("chip_analog_read(3)", "0..1023", "300"),
        ("lib.button(3)", "low|high", "0"),
        ("color_sensor(0)", "{0}", "0"),
        ("color_sensor(1)", "0..100", "0"),
    ] {
        assert_eq!(bench.domain(input), domain, "{input}");
        assert_eq!(bench.sample(input), sample, "{input}");
    }
    assert_eq!(bench.domain("temperature()"), "-40.0..85.0");

    for (output, effect) in [
        ("set_valve(70)", "valve at 70 %"),
        ("pump_on()", "pump = 1"),
        ("set_target(30.5)", "target = 30.5"),
        ("blink(3, 4)", "blink(3, 4)"),
        ("send_message(0, 0)", "messages = 1"),
        ("chip_digital_write(45, 1)", "pin 45 = high"),
        ("panic()", "abort: the program called abort"),
    ] {
        assert_eq!(bench.effect(output), effect, "{output}");
    }
    for (input, domain) in [
        ("color_sensor(0)", "0..100"),
        ("soil_moisture(0)", "600..1023"),
        ("soil_moisture(7)", "600..1023"),
        ("temperature()", "15.0..85.0"),
    ] {
        assert_eq!(bench.domain(input), domain, "{input}");
    }
    assert_eq!(bench.sample("soil_moisture(0)"), "600", "the recording bends to the rule");

    let registers = bench.world.view().registers;
    assert_eq!(registers["valve"], Value::I64(70));
    assert_eq!(registers["target"], Value::from(30.5));
}

#[test]
fn a_recording_is_played_and_then_the_person_is_asked() {
    let mut bench = Bench::new(world_file("greenhouse"));
    for expected in ["512", "498", "490", "471"] {
        assert_eq!(bench.sample("soil_moisture(0)"), expected);
        bench.accept("soil_moisture(0)", "3").unwrap();
    }
    assert_eq!(bench.sample("soil_moisture(0)"), "ask");
}

#[test]
fn a_refusal_names_the_rule() {
    let mut bench = Bench::new(world_file("greenhouse"));
    let refused = bench.accept("color_sensor(0)", "7").unwrap_err().to_string();
    let line = include_str!("../../tests/worlds/greenhouse.toml")
        .lines()
        .position(|line| line.starts_with("[[rules]]"))
        .unwrap()
        + 1;
    assert_eq!(
        refused,
        format!(
            "color_sensor(0): 7 is not one of the possible values {{0}}; the nearest is 0\n  \
             because of the rule at greenhouse.toml:{line}: when pin 45 is {{0}}, \
             color_sensor(0) returns {{0}}"
        )
    );
}

#[test]
fn outputs_say_beforehand_what_cannot_be_undone() {
    let bench = Bench::new(world_file("greenhouse"));
    for (call, irreversible) in
        [("send_message(0, 0)", true), ("chip_servo_write(1, 1)", true), ("set_valve(1)", false)]
    {
        let (import, _) = bench.parse(call);
        assert_eq!(bench.world.kind(import), Ok(Kind::Output { irreversible }), "{call}");
    }
}

#[test]
fn rules_can_be_read_as_data() {
    let greenhouse = world_file("greenhouse");
    let rule = &greenhouse.rules()[1];
    assert_eq!(rule.when.len(), 2);
    assert_eq!(rule.args, [None]);
    assert_eq!(rule.domain.to_string(), "600..1023");
    let primitive = &greenhouse.primitives()[rule.input.0 as usize];
    assert_eq!(primitive.name, "soil_moisture");
    let Role::Input(input) = &primitive.role else { panic!("{primitive:?}") };
    assert!(matches!(&input.source, Source::Recorded(values) if values.len() == 4));
    let pump = &greenhouse.primitives()[greenhouse.find("env", "pump_on").unwrap().0 as usize];
    let Role::Output(output) = &pump.role else { panic!("{pump:?}") };
    assert!(matches!(output.compensation, Compensation::Call { .. }));
}

#[test]
fn rules_that_exclude_each_other_are_named() {
    let text = r#"
        registers = { a = 0 }
        import.env.read = { kind = "input", result = "i32", domain = "0..9" }
        [[rules]]
        when = { a = 0 }
        input = "read"
        domain = "0..4"
        [[rules]]
        when = { a = "0..5" }
        input = "read()"
        domain = "5..9"
    "#;
    let world = Description::parse("w.toml", text, &|_| Err("none".into())).unwrap();
    let bench = Bench::new(world.into());
    let (import, args) = bench.parse("read()");
    let error = bench.world.sample(Call { import, args: &args }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no value is left for read(): these rules exclude each other here\n  \
         because of the rule at w.toml:4: when a is {0}, read returns 0..4\n  \
         because of the rule at w.toml:8: when a is 0..5, read() returns 5..9; \
         change one of them in the world file"
    );
}

/// Reads a world file in which line 3 is the one to look at, and returns the complaint.
fn complaint(text: &str) -> String {
    let load = |path: &str| match path {
        "bad.txt" => Ok("1 2\n3 x".to_owned()),
        "big.txt" => Ok("1\n77".to_owned()),
        _ => Err("no such file".to_owned()),
    };
    let text = format!("registers = {{ r = 0, f = 0.0 }}\n\n{text}");
    match Description::parse("w.toml", &text, &load) {
        Ok(_) => "fine".into(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn mistakes_are_told_with_line_and_remedy() {
    for (text, expected) in [
        ("nonsense", "w.toml:3: this is not TOML: "),
        ("rule = 1", "w.toml:3: a world file has no key \"rule\"; the keys are name, extends,"),
        ("extends = \"bord\"", "w.toml:3: extends names a world that does not exist; the only"),
        ("[board]\nseed = 1", "w.toml:3: there are settings of a board but no board; add extends"),
        ("name = 5", "w.toml:3: name is an integer; write a string"),
        ("import = 5", "w.toml:3: [import] is an integer; write a table"),
        ("import.env.x = { }", "w.toml:3: env.x has no kind; add kind ="),
        ("import.env.x.kind = \"sensor\"", "w.toml:3: \"sensor\" is not a kind of import; write"),
        (
            "[import.env.x]\nkind = \"input\"\ndomian = 0",
            "w.toml:5: [import.env.x] has no key \"domian\"; the keys are kind,",
        ),
        (
            "[import.env.x]\nkind = \"input\"",
            "w.toml:3: [import.env.x] has no result; add result = …",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"int\" }",
            "w.toml:3: \"int\" is not a type; the types are i32, i64, f32 and f64",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\" }",
            "w.toml:3: [import.env.x] has no domain; add domain = …",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = \"5..2\" }",
            "w.toml:3: a domain without values, or of another type; write a number, a range",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = \"a..b\" }",
            "w.toml:3: this is not a domain; write a number",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = [] }",
            "w.toml:3: a domain without values, or",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = {} }",
            "w.toml:3: a domain without values; write",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = 1.5 }",
            "w.toml:3: a domain without values, or of another type",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = \"0..4294967295\" }",
            "w.toml:3: not all of 0..4294967295 is of type i32; i32 is signed and holds -2147483648..2147483647",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"f32\", domain = { a = 1 } }",
            "w.toml:3: not all of a is of type f32; write",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = \"0..9\", source = { constant = 12 } }",
            "w.toml:3: 12 is not one of the possible values 0..9; the nearest is 9; write a value of 0..9",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = \"0..9\", source = { constant = \"up\" } }",
            "w.toml:3: \"up\" is not a value; write a value of 0..9",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = \"0..9\", source = \"dice\" }",
            "w.toml:3: this is not a source of values; write { constant",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = \"0..9\", source = { dice = 6 } }",
            "w.toml:3: \"dice\" is not a source of values; write { constant",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = \"0..9\", source = { recorded = \"gone.txt\" } }",
            "w.toml:3: the recording \"gone.txt\" cannot be read: no such file; check its name",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = \"0..9\", source = { recorded = \"bad.txt\" } }",
            "w.toml:3: bad.txt:2: \"x\" is not a value; correct the recording",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = \"0..9\", source = { recorded = \"big.txt\" } }",
            "w.toml:3: big.txt:2: 77 is not one of the possible values 0..9; the nearest is 9; correct",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = 0, sets = {} }",
            "w.toml:3: [import.env.x] has a sets, but it is an input; remove it",
        ),
        (
            "import.env.x = { kind = \"output\", domain = 0 }",
            "w.toml:3: [import.env.x] has a domain, but it is an output; remove it",
        ),
        (
            "import.env.x = { kind = \"output\", sets = { q = 1 } }",
            "w.toml:3: there is no register \"q\"; declare it under [registers]: q = 0",
        ),
        (
            "import.env.x = { kind = \"output\", sets = { r = \"$0\" } }",
            "w.toml:3: there is no argument $0; it has 0 parameters",
        ),
        (
            "import.env.x = { kind = \"output\", params = [\"f32\"], sets = { r = \"$0\" } }",
            "w.toml:3: r holds whole numbers and this is a float; start it as a float: r = 0.0",
        ),
        (
            "import.env.x = { kind = \"output\", sets = { r = [] } }",
            "w.toml:3: this is not a value; write a number, a register",
        ),
        (
            "import.env.x = { kind = \"output\", returns = 1 }",
            "w.toml:3: it returns something but has no result; add result",
        ),
        (
            "import.env.x = { kind = \"output\", sets = { r = 1 }, compensation = \"none\" }",
            "w.toml:3: what it changes would stay changed; write compensation = \"restore\"",
        ),
        (
            "import.env.x = { kind = \"output\", sets = { r = 1 }, compensation = { restore = \"f\" } }",
            "w.toml:3: it does not restore all that it sets: what it changes would stay changed; write restore = [\"r\"]",
        ),
        (
            "import.env.x = { kind = \"output\", compensation = \"maybe\" }",
            "w.toml:3: a compensation is a string; write a table",
        ),
        (
            "import.env.x = { kind = \"output\", compensation = { call = \"env.y\" } }",
            "w.toml:3: \"env.y\" is not an output of this world; call",
        ),
        (
            "import.env.x = { kind = \"output\", compensation = { call = \"x\", args = [1] } }",
            "w.toml:3: x takes 0 arguments and gets 1; write args",
        ),
        (
            "import.env.x = { kind = \"abort\", says = \"bye\" }",
            "w.toml:3: [import.env.x] has a says, but it ends the program; remove it",
        ),
        (
            "import.env.x = { like = \"env.tone\" }",
            "w.toml:3: there is no \"env.tone\" to be like; name a primitive of the board",
        ),
        (
            "extends = \"board\"\nimport.env.tone = { domain = 1 }",
            "w.toml:4: [import.env.tone] has a domain, but it is not an input; remove it",
        ),
        (
            "extends = \"board\"\nimport.env.tone = { params = [] }",
            "w.toml:4: [import.env.tone] has a params, but it keeps the board's; give it a kind",
        ),
        (
            "extends = \"board\"\nimport.env.tone = { compensation = \"none\" }",
            "w.toml:4: what it changes would stay changed; write",
        ),
        (
            "extends = \"board\"\n[board]\ndata_command_pin = 256",
            "w.toml:5: 256 is out of range; write a number from 0 to 255",
        ),
        (
            "extends = \"board\"\n[board]\ndisplay = { width = 0, height = 1 }",
            "w.toml:5: 0 is out of range; write a number from 1 to 1024",
        ),
        (
            "extends = \"board\"\n[[rules]]\nwhen = { \"pin 1\" = 0 }\ninput = \"tone(0)\"\ndomain = 0",
            "w.toml:6: \"tone(0)\" is not a call of an input of this world; write",
        ),
        (
            "extends = \"board\"\n[[rules]]\nwhen = { \"pin 1\" = 0 }\ninput = \"color_sensor(0, 1)\"\ndomain = 0",
            "w.toml:6: color_sensor takes 1 arguments and gets 2; write one for each",
        ),
        (
            "extends = \"board\"\n[[rules]]\nwhen = { \"pin 1\" = 0 }\ninput = \"color_sensor(x)\"\ndomain = 0",
            "w.toml:6: \"x\" is not a value; write a number, or _ for any",
        ),
        (
            "extends = \"board\"\n[[rules]]\nwhen = { \"pin 1\" = 0 }\ninput = \"color_sensor\"\ndomain = 101",
            "w.toml:7: the rule leaves nothing: the input returns 0..100; give it a part",
        ),
        (
            "extends = \"board\"\n[[rules]]\nwhen = { \"pin x\" = 0 }\ninput = \"color_sensor\"\ndomain = 1",
            "w.toml:5: \"pin x\" is nothing that a rule can look at; name a register",
        ),
        (
            "extends = \"board\"\n[[rules]]\nwhen = {}\ninput = \"color_sensor\"\ndomain = 1",
            "w.toml:5: the rule has no condition; add one",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"i32\", domain = 0 }\n[[rules]]\nwhen = { \"pin 1\" = 0 }\ninput = \"x\"\ndomain = 0",
            "w.toml:5: \"pin 1\" is a part of a board and this world has none; add extends",
        ),
        ("[rules]\nwhen = 0", "w.toml:3: rules (written [[rules]]) is a table; write a list"),
        (
            "import.env.x = { kind = \"input\", result = \"i64\", domain = [0x10, \"-5..-3\"] }",
            "fine",
        ),
        (
            "import.env.x = { kind = \"input\", result = \"f64\", domain = \"-inf..inf\", source = { random = 1 } }",
            "fine",
        ),
    ] {
        let complaint = complaint(text);
        assert!(complaint.starts_with(expected), "{text}\n  says: {complaint}");
    }
}

#[test]
fn the_description_of_the_format_is_a_world_file() {
    let head = include_str!("../world_file.rs");
    let toml = head.split("//! ```").nth(1).unwrap().strip_prefix("toml\n").unwrap();
    let toml: String = toml.lines().map(|line| line[3..].to_owned() + "\n").collect();
    let world = Description::parse("head.toml", &toml, &|_| Err("none".into()));
    assert_eq!(world.map(|w| w.name().to_owned()), Ok("greenhouse".to_owned()));
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(at: Index, length in 0..80usize, with in "[ -~\n]{0,12}") {
        let text = include_str!("../../tests/worlds/greenhouse.toml");
        let start = text.floor_char_boundary(at.index(text.len()));
        let end = text.ceil_char_boundary(text.len().min(start + length));
        let damaged = format!("{}{with}{}", &text[..start], &text[end..]);
        let load = |_: &str| Ok("1 2 3".to_owned());
        if let Err(error) = Description::parse("w.toml", &damaged, &load) {
            prop_assert!(error.line <= damaged.lines().count() + 1);
        }
    }
}

#[test]
fn a_buffer_takes_bytes() {
    let world = |buffer: &str| {
        let text = format!(
            "[import.env.receive]\nkind = \"input\"\nparams = [\"i32\", \"i32\", \"f32\"]\n\
             result = \"i32\"\ndomain = \"-1..100\"\nbuffer = {buffer}"
        );
        Description::parse("world.toml", &text, &|_| Err("none".into()))
    };
    let counted = r#"{ address = "$1", size = "$0", counted = "yes" }"#;
    let mut bench = Bench::new(world(counted).unwrap().into());
    let import = bench.world.find("receive").unwrap();
    let args = [Value::I32(5), Value::I32(16), Value::from(0f32)];
    let call = Call { import, args: &args };
    let answer = bench.world.bringing(call, (*b"hello").into()).unwrap().unwrap();
    assert_eq!(answer.to_string(), "5 \"hello\"");
    let accepted = bench.world.accept(call, answer).unwrap();
    assert_eq!(accepted.reply.writes, [(16, b"hello".to_vec())]);
    let answer = bench.world.bringing(call, (*b"hello!").into()).unwrap().unwrap();
    assert_eq!(
        bench.world.check(call, &answer).unwrap_err().to_string(),
        "the buffer of receive(5, 16, 0.0) has room for 5 bytes, and these are 6"
    );
    for (buffer, expected) in [
        ("5", "a buffer is an integer; write a table"),
        (r#"{ address = "$1" }"#, "a buffer has no size; add size"),
        (r#"{ address = "$1", size = "$3" }"#, "there is no argument $3"),
        (r#"{ address = "$1", size = "$2" }"#, "$2 is of type f32; use one of type i32"),
        (r#"{ address = "$1", size = "$0", counted = 1 }"#, "this is neither \"yes\" nor \"no\""),
    ] {
        let error = world(buffer).unwrap_err().to_string();
        assert!(error.contains(expected), "{buffer}: {error}");
    }
}
