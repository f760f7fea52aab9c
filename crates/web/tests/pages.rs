//! Pages at work: they ask, hear what others do, cancel, come and go.

use crate::common;

use common::{LIGHT, Page, SPIN, serve};
use mw_api::{Direction, Unattended, request};

#[test]
fn a_page_asks_and_is_answered() {
    let (server, _service) = serve(LIGHT);
    let (mut page, hello) = Page::open(&server);
    assert_eq!(hello["name"], "program");
    assert_eq!(hello["page"], "page 1");
    assert_eq!(hello["has_board"], true);
    assert_eq!(hello["has_sources"], false);
    let answer = page.ask(1, r#"{"request": "where"}"#);
    assert_eq!(answer["reply"]["data"]["place"]["text"], "0.0");
    page.ask(2, r#"{"request": "mock", "call": "chip_analog_read(5)", "value": "77"}"#);
    let answer =
        page.ask(3, r#"{"request": "step", "unit": "instruction", "direction": "forward"}"#);
    assert_eq!(answer["reply"]["reply"], "stopped", "{answer}");
}

#[test]
fn what_a_page_gets_wrong_is_said() {
    let (server, _service) = serve(LIGHT);
    let (mut page, _) = Page::open(&server);
    for (message, id, expected) in [
        ("where", None, "a message is {"),
        (r#"{"id": 1}"#, Some(1), "a message is {"),
        (r#"{"request": {"request": "where"}}"#, None, "a message is {"),
        (r#"{"id": 2, "request": {"request": "fly"}}"#, Some(2), "unknown variant `fly`"),
        (r#"{"id": 3, "request": {"request": "slide", "to": "9.9"}}"#, Some(3), "no node 9.9"),
    ] {
        page.send(message);
        let answer = page.wait_for(|message| message["error"].is_object());
        assert_eq!(answer["id"].as_u64(), id, "{answer}");
        let said = answer["error"]["message"].as_str().unwrap();
        assert!(said.contains(expected), "{said}");
    }
    page.send_binary(b"\0");
    let answer = page.wait_for(|message| message["error"].is_object());
    assert!(answer["error"]["message"].as_str().unwrap().contains("binary"));
    // And goes on.
    assert!(page.ask(4, r#"{"request": "where"}"#)["reply"].is_object());
}

#[test]
fn pages_and_terminal_stay_in_step() {
    let (server, service) = serve(LIGHT);
    let (mut one, _) = Page::open(&server);
    let (mut two, hello) = Page::open(&server);
    assert_eq!(hello["page"], "page 2");
    one.ask(1, r#"{"request": "mock", "call": "chip_analog_read(5)", "value": "77"}"#);
    let change = two.next_change();
    assert_eq!(change["by"], "page 1");
    one.ask(2, r#"{"request": "step", "unit": "instruction", "direction": "forward", "count": 4}"#);
    let change = two.next_change();
    assert_eq!(change["position"]["place"]["count"], 4);

    let mut terminal = service.client("terminal");
    terminal.ask(request::Reset {}, &mut Unattended).unwrap();
    let is_terminals = |message: &serde_json::Value| message["event"]["by"] == "terminal";
    for page in [&mut one, &mut two] {
        let change = page.wait_for(is_terminals);
        assert_eq!(change["event"]["position"]["place"]["count"], 0);
    }
    // Looking changes nothing, so nothing is told: the next message is the answer.
    let _ = terminal.ask(request::Where {}, &mut Unattended);
    two.send(r#"{"id": 5, "request": {"request": "where"}}"#);
    assert_eq!(two.next()["id"], 5);
}

#[test]
fn a_long_request_is_cancelled_and_those_behind_it_are_served() {
    let (server, _service) = serve(SPIN);
    let (mut page, _) = Page::open(&server);
    page.send(r#"{"id": 1, "request": {"request": "run", "direction": "forward"}}"#);
    page.send(r#"{"id": 2, "request": {"request": "reset"}}"#);
    page.send(r#"{"id": 3, "request": {"request": "reset"}}"#);
    page.send(r#"{"cancel": 3}"#);
    page.wait_for(|message| message["event"]["event"] == "progress");
    page.send(r#"{"cancel": 1}"#);
    let answer = page.wait_for(|message| message["id"] == 1);
    assert_eq!(answer["reply"]["data"]["halt"], "cancelled", "{answer}");
    let answer = page.wait_for(|message| message["id"] == 2);
    assert!(answer["reply"].is_object(), "{answer}");
    let answer = page.wait_for(|message| message["id"] == 3);
    assert_eq!(answer["error"]["kind"], "cancelled", "{answer}");
}

#[test]
fn a_page_that_comes_while_another_one_runs_is_greeted_and_can_stop_it() {
    let (server, _service) = serve(SPIN);
    let (mut gone, _) = Page::open(&server);
    gone.send(r#"{"id": 1, "request": {"request": "run", "direction": "forward"}}"#);
    gone.wait_for(|message| message["event"]["event"] == "progress");
    drop(gone);
    let (mut page, hello) = Page::open(&server);
    assert_eq!(hello["busy"], "page 1");
    page.send(r#"{"cancel": "current"}"#);
    assert_eq!(page.next_change()["by"], "page 1");
}

#[test]
fn a_page_that_comes_while_another_one_runs_sees_what_there_is() {
    let (server, _service) = serve(LIGHT);
    let (mut gone, _) = Page::open(&server);
    gone.send(r#"{"id": 1, "request": {"request": "run", "direction": "forward"}}"#);
    gone.wait_for(|message| message["event"]["event"] == "passing");
    drop(gone);
    let (mut page, _) = Page::open(&server);
    let place = page.ask(1, r#"{"request": "where"}"#)["reply"]["data"]["place"].clone();
    let nodes = page.ask(2, r#"{"request": "tree-changes"}"#)["reply"]["data"]["nodes"].clone();
    let board = page.ask(3, r#"{"request": "world"}"#)["reply"]["data"]["board"].clone();
    let end = page.ask(4, r#"{"request": "universe", "place": "end", "limit": 5}"#);
    assert!(place["count"].as_u64() > Some(0), "{place}");
    assert!(nodes.as_u64() > Some(1), "{nodes}");
    assert!(board["pins"]["13"].is_object(), "{board}");
    assert!(end["reply"]["data"]["place"]["count"].as_u64() >= place["count"].as_u64(), "{end}");
    // It goes on meanwhile, and tells so.
    let later = page.wait_for(|message| message["event"]["event"] == "passing");
    let later = later["event"]["position"]["place"]["count"].clone();
    assert!(later.as_u64() > place["count"].as_u64(), "{later} is after {place}");
    page.send(r#"{"cancel": "current"}"#);
    assert_eq!(page.next_change()["by"], "page 1");
}

#[test]
fn too_many_waiting_requests_are_refused() {
    let (server, _service) = serve(SPIN);
    let (mut page, _) = Page::open(&server);
    page.send(r#"{"id": 0, "request": {"request": "run", "direction": "forward"}}"#);
    page.send(r#"{"id": 0, "request": {"request": "reset"}}"#);
    let answer = page.wait_for(|message| message["id"] == 0);
    assert!(answer["error"]["message"].as_str().unwrap().contains("number them"), "{answer}");
    for id in 1..=256 {
        page.send(&format!(r#"{{"id": {id}, "request": {{"request": "reset"}}}}"#));
    }
    let answer = page.wait_for(|message| message["id"] == 256);
    assert!(answer["error"]["message"].as_str().unwrap().contains("wait already"), "{answer}");
    page.send(r#"{"cancel": 0}"#);
    assert!(page.wait_for(|message| message["id"] == 255)["reply"].is_object());
    assert!(page.ask(257, r#"{"request": "where"}"#)["reply"].is_object());
}

#[test]
fn too_long_a_message_is_refused() {
    let (server, _service) = serve(LIGHT);
    let (mut page, _) = Page::open(&server);
    page.send(&" ".repeat((16 << 20) + 1));
    assert!(page.next()["error"]["message"].as_str().unwrap().contains("too long"));
    assert!(page.ask(1, r#"{"request": "where"}"#)["reply"].is_object());
    // One that is longer still cannot be sent to its end.
    let _ = page.try_send(&" ".repeat((32 << 20) + 1));
    assert!(page.try_next().is_err());
    let (mut page, _) = Page::open(&server);
    assert!(page.ask(1, r#"{"request": "where"}"#)["reply"].is_object());
}

#[test]
fn a_page_that_does_not_read_is_dropped_and_holds_nobody_up() {
    let (server, service) = serve(LIGHT);
    let (mut slow, _) = Page::open(&server);
    let mut terminal = service.client("terminal");
    terminal.ask(request::Mock::new("chip_analog_read(5)", "77"), &mut Unattended).unwrap();
    let there = request::Slide { to: "start".into() };
    let step =
        request::Step { unit: mw_api::Unit::Instruction, direction: Direction::Forward, count: 1 };
    // More than fits between the two ends of a connection, by far: 4096 messages and more wait.
    for _ in 0..10_000 {
        terminal.ask(step.clone(), &mut Unattended).unwrap();
        terminal.ask(there.clone(), &mut Unattended).unwrap();
    }
    let mut seen = 0;
    while slow.try_next().is_ok() {
        seen += 1;
    }
    assert!(seen < 20_000, "it was dropped before it had seen everything");
    let (mut again, _) = Page::open(&server);
    assert!(again.ask(1, r#"{"request": "where"}"#)["reply"].is_object());
}

#[test]
fn so_many_pages_and_no_more() {
    let (server, _service) = serve(LIGHT);
    let mut pages: Vec<Page> = (0..32).map(|_| Page::open(&server).0).collect();
    let origin = format!("http://127.0.0.1:{}", server.port());
    let refused = Page::connect(&server, &common::token(&server), Some(&origin)).err();
    assert!(refused.is_some_and(|(status, text)| status == 503 && text.contains("close one")));
    assert!(pages[31].ask(1, r#"{"request": "where"}"#)["reply"].is_object());
}

#[test]
fn a_page_has_lines_carried_out_as_a_terminal_does() {
    let (server, _service) = serve(SPIN);
    let (mut page, _) = Page::open(&server);
    page.send(r#"{"id": 1, "line": "where"}"#);
    assert_eq!(page.wait_for(|message| message["id"] == 1)["said"], "0.0");
    page.send(r#"{"id": 2, "line": "fly"}"#);
    let answer = page.wait_for(|message| message["id"] == 2);
    assert_eq!(answer["error"]["message"], "there is no command fly");
    // A line that never ends is cancelled as a request is, and those behind it wait for it.
    page.send(r#"{"id": 3, "line": "run"}"#);
    page.send(r#"{"id": 4, "line": "where"}"#);
    page.wait_for(|message| message["event"]["event"] == "progress");
    page.send(r#"{"cancel": 3}"#);
    assert_eq!(page.wait_for(|message| message["said"].is_string())["id"], 3);
    let answer = page.wait_for(|message| message["id"] == 4);
    assert_ne!(answer["said"], "0.0", "{answer}");
}
