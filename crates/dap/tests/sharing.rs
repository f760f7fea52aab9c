//! An editor is not alone: what other front ends do to its session is seen in it.

use std::io::{BufReader, PipeReader, PipeWriter, pipe};

use mw_api::{Client, Debugger, Direction, Service, Setup, Unattended, Unit, request};
use mw_dap::{Console, Host, Interrupt, Launch, codec};
use serde_json::{Value, json};

/// A session that is there already.
struct Shared(Client);

impl Host for Shared {
    fn open(&mut self, _: &Launch, _: Interrupt) -> Result<Box<dyn Console>, String> {
        Ok(Box::new(Shared(self.0.clone())))
    }
}

impl Console for Shared {
    fn debugger(&mut self) -> &mut Client {
        &mut self.0
    }

    fn execute(&mut self, line: &str) -> Result<String, String> {
        Err(format!("there is no command {line}"))
    }

    fn commands(&self) -> Vec<String> {
        Vec::new()
    }
}

fn ask(to: &mut PipeWriter, command: &str, arguments: Value) {
    let message =
        json!({ "seq": 1, "type": "request", "command": command, "arguments": arguments });
    codec::write(to, &message).unwrap();
}

/// The next event of this name.
fn hear(from: &mut BufReader<PipeReader>, name: &str) -> Value {
    loop {
        let message = codec::read(from).unwrap().expect("a message");
        if message["event"] == name {
            return message["body"].clone();
        }
    }
}

#[test]
fn movements_of_others_are_shown() {
    let binary = wat::parse_str("(module (func (export \"main\") (nop) (nop) (nop)))").unwrap();
    let setup = Setup::new(&binary).unwrap().usual_entry(&[]).unwrap();
    let service = Service::start(Debugger::new(setup).unwrap()).unwrap();
    let (input, mut editor) = pipe().unwrap();
    let (output, mut adapter) = pipe().unwrap();
    let host = Shared(service.client("editor"));
    let serving = std::thread::spawn(move || {
        mw_dap::serve(Box::new(BufReader::new(input)), &mut adapter, Box::new(host))
    });
    let mut output = BufReader::new(output);
    ask(&mut editor, "initialize", json!({}));
    ask(&mut editor, "launch", json!({ "program": "p.wasm", "stopOnEntry": true }));
    ask(&mut editor, "configurationDone", json!({}));
    assert_eq!(hear(&mut output, "stopped")["reason"], "entry");

    let step = |unit| request::Step { unit, direction: Direction::Forward, count: 2 };
    let mut page = service.client("page 1");
    page.ask(step(Unit::Instruction), &mut Unattended).unwrap();
    let told = hear(&mut output, "stopped");
    assert_eq!((&told["reason"], &told["place"]), (&json!("goto"), &json!("0.0+2")));
    // What does not move it is nothing to be told of; and what the editor does is told once.
    page.ask(request::Mocks {}, &mut Unattended).unwrap();
    page.ask(request::Bookmark { name: "b".into(), place: None }, &mut Unattended).unwrap();
    ask(&mut editor, "stepBack", json!({ "granularity": "instruction" }));
    let told = hear(&mut output, "stopped");
    assert_eq!((&told["reason"], &told["place"]), (&json!("step"), &json!("0.0+1")));

    ask(&mut editor, "disconnect", json!({}));
    serving.join().unwrap().unwrap();
}
