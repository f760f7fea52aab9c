//! Automata for people.

use mw_monitor::{Marks, StateId, TransitionId};

use crate::common::Run;

#[test]
fn an_automaton_is_told_as_text() {
    let shown = Run::new(super::queue::PROPERTY).automaton.to_text();
    let expected = "\
property
  sliced on queue
  at first N = 0, max = 0
  init (accepting)
    after event queue_new(queue, size)
      → queue_ready, max = size
  queue_ready (accepting)
    before event queue_push(queue), N < max
      yes → queue_ready, N = N + 1
      no → sink
  sink (non-accepting)
";
    assert_eq!(shown, expected);
    let soon = "after open(name) eventually close(file) within 20 ms";
    let shown = Run::new(soon).automaton.to_text();
    assert!(shown.contains("  waiting (within 20 ms)\n"), "{shown}");
    assert!(shown.contains("    within 20 ms\n      else → violated\n"), "{shown}");
}

#[test]
fn graphviz_gets_states_and_ways() {
    let marks =
        Marks { current: vec![StateId(2)], former: vec![StateId(1)], last: Some(TransitionId(1)) };
    let dot = Run::new(super::queue::PROPERTY).automaton.to_dot(&marks);
    for line in [
        r##"  0 [label="init\naccepting", fillcolor="#ffffff"];"##,
        r##"  2 [label="sink\nnon-accepting", fillcolor="#e53935"];"##,
        r##"  1 -> 2 [label="before event queue_push(queue)\nif not (N < max)", style=dashed, color="#8d6e63", penwidth=3];"##,
    ] {
        assert!(dot.contains(line), "{line}\n{dot}");
    }
}

#[test]
fn a_picture_has_everything_in_it_and_is_the_same_each_time() {
    let run = Run::new(super::queue::PROPERTY);
    let svg = run.automaton.to_svg(&Marks::default()).unwrap();
    if let Some(path) = std::env::var_os("MW_PICTURE") {
        std::fs::write(path, &svg).unwrap();
    }
    for text in [">queue_ready<", ">non-accepting<", ">if N &lt; max<", ">N = N + 1<", "#ffcdd2"] {
        assert!(svg.contains(text), "{text}\n{svg}");
    }
    assert!(!svg.contains("href") && !svg.contains("NaN"), "{svg}");
    assert_eq!(run.automaton.to_svg(&Marks::default()).unwrap(), svg);
}

/// Every graph of four states, with ways in both directions and to itself.
#[test]
fn every_small_automaton_can_be_drawn() {
    for ways in 0..1_u32 << 12 {
        if ways % 37 != 0 {
            continue;
        }
        let mut text = String::new();
        for from in 0..4 {
            let name = |state| if state == 0 { "init".to_owned() } else { format!("s{state}") };
            text.push_str(&format!("state {} {{ ", name(from)));
            let next = (from + 1) % 4;
            for to in 0..4 {
                if to == next || ways >> (3 * from + to % 3) & 1 == 1 {
                    let event = "before event close()";
                    text.push_str(&format!("transition {{ {event} success {} }} ", name(to)));
                }
            }
            text.push_str("}\n");
        }
        let run = Run::new(&text);
        let svg = run.automaton.to_svg(&Marks::default()).unwrap();
        assert!(!svg.contains("NaN"));
    }
    let many = (0..150).map(|state| {
        let name = if state == 0 { "init".to_owned() } else { format!("s{state}") };
        format!(
            "state {name} {{ transition {{ before event close() success s{} }} }}\n",
            state % 149 + 1
        )
    });
    let run = Run::new(&many.collect::<String>());
    assert!(run.automaton.to_svg(&Marks::default()).is_err());
}
