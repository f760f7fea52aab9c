//! Parameters of events, as compilers leave them: read where an event happens.

use std::sync::Arc;

use mw_monitor::{Automaton, Bindings, Occasion, Point, Property, Variable};
use mw_source::Sources;
use mw_vm::{Breakpoints, Limits, Machine, Module, NoProbe, Op, Status, Stop, Value};

/// A program in C, and where it is.
struct C {
    programs: Vec<(Arc<Module>, Arc<Sources>)>,
    machine: Machine,
}

impl C {
    /// The program with the jars, before it calls a function.
    fn new(name: &str) -> C {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../source/tests/fixtures/");
        let load = |name: &str| std::fs::read(format!("{folder}{name}")).ok();
        let wasm = load(name).unwrap();
        let module = Arc::new(Module::from_binary(&wasm, &Limits::default()).unwrap());
        let sources = Arc::new(Sources::new(&module, &wasm, &load));
        let machine = Machine::new(module.clone(), Limits::default(), Default::default()).unwrap();
        C { programs: vec![(module, sources)], machine }
    }

    fn bind(&self, text: &str) -> Result<Automaton, String> {
        let property = Property::parse("property", text).map_err(|error| error.to_string())?;
        Automaton::bind(property, &Bindings { programs: &self.programs })
            .map_err(|error| error.to_string())
    }

    fn call(&mut self, function: &str, args: &[Value]) {
        let module = self.machine.module().clone();
        while self.machine.status() != Status::Idle {
            self.machine.step();
        }
        self.machine.call(module.exported_func(function).unwrap(), args).unwrap();
    }

    /// Goes on to a return of the function.
    fn run_to_return(&mut self, func: u32) {
        let module = self.machine.module().clone();
        let code = module.func_code(func);
        let is_return = |pc: &u32| matches!(module.code()[*pc as usize], Op::Return { .. });
        let pcs = (code.start..code.start + code.len).filter(is_return);
        let stop = self.machine.run(u64::MAX, &Breakpoints::new(&module, pcs), &mut NoProbe);
        assert!(matches!(stop, Stop::Breakpoint), "{stop:?}");
    }
}

/// The values of a property's only event, at the call of `weigh(shelf, 50)` or its return.
fn read(module: &str, event: &str) -> Vec<String> {
    let mut c = C::new(module);
    let text = format!("state init {{ transition {{ {event} success init }} }}");
    let automaton = c.bind(&text).unwrap_or_else(|error| panic!("{error}"));
    let shelf = c.machine.exported_global("shelf").unwrap();
    c.call("weigh", &[shelf, Value::I32(50)]);
    let weigh = c.machine.module().exported_func("weigh").unwrap();
    let watch = &automaton.watches()[0];
    let returns = matches!(watch.point, Point::Return { .. });
    let results = [Value::I64(290)];
    let results = match returns {
        true => {
            c.run_to_return(weigh);
            &results[..]
        }
        false => &[],
    };
    let occasion = Occasion { results, ..Occasion::new(&c.machine) };
    let values = automaton.read(watch, &occasion);
    let shown =
        |value: &Option<_>| value.map_or("?".to_owned(), |n: mw_monitor::Number| n.to_string());
    values.iter().map(shown).collect()
}

#[test]
fn parameters_are_what_was_passed_and_what_they_lead_to() {
    for module in ["shelf-O0.wasm", "shelf-O2.wasm"] {
        let event = "before event weigh(limit, first->weight as w, *first.next.label as c, arg 1)";
        assert_eq!(read(module, event), ["50", "40", "115", "50"], "{module}");
        let guard = "before event weigh() { return first.kind == SALT or shelf[1].weight > limit }";
        assert_eq!(read(module, guard), ["0", "5", "7", "50"], "{module}");
        let text = "before event weigh() { return first.label == \"tea\" }";
        assert_eq!(read(module, text), ["true"], "{module}");
        assert_eq!(
            read(module, "before event weigh(&shelf[0] == first as own, price)"),
            ["true", "2.5"]
        );
    }
    let event = "after event weigh(ret, limit, sum, first->weight)";
    assert_eq!(read("shelf-O0.wasm", event), ["290", "50", "290", "40"]);
}

#[test]
fn variables_are_found_where_they_are() {
    let c = C::new("shelf-O0.wasm");
    let point = |event: &str| {
        let text = format!("state init {{ transition {{ {event} success init }} }}");
        let automaton = c.bind(&text).unwrap_or_else(|error| panic!("{error}"));
        automaton.watches()[0].point.clone()
    };
    let Point::Access { variable: Variable::Static(cell), reads, writes, before, .. } =
        point("after event write price")
    else {
        panic!("a global has one place")
    };
    assert!(cell.to_string().starts_with("f64 @ "), "{cell}");
    assert_eq!((reads, writes, before), (false, true, false));
    let Point::Access { variable: Variable::Static(cell), .. } =
        point("before event read shelf[1].weight")
    else {
        panic!("a part of a global has one place")
    };
    assert!(cell.to_string().starts_with("i32 @ "), "{cell}");
    let local = point("before event access sum of weigh");
    let in_frame =
        |point: &Point| matches!(point, Point::Access { variable: Variable::InFrame { .. }, .. });
    assert!(in_frame(&local), "{local:?}");
    let parameter = point("before event access limit of weigh");
    assert!(in_frame(&parameter), "{parameter:?}");
}

#[test]
fn what_has_no_place_of_its_own_cannot_be_watched() {
    let error = C::new("shelf-O2.wasm").bind("never write sum of weigh").err().unwrap_or_default();
    assert!(error.contains("sum of weigh has no place of its own"), "{error}");
}

#[test]
fn a_local_variable_is_in_the_memory_of_its_frame() {
    let mut c = C::new("shelf-O0.wasm");
    let automaton = c.bind("never write sum of weigh").unwrap();
    let shelf = c.machine.exported_global("shelf").unwrap();
    c.call("weigh", &[shelf, Value::I32(50)]);
    let weigh = c.machine.module().exported_func("weigh").unwrap();
    c.run_to_return(weigh);
    let range = automaton.range_in_frame(&automaton.watches()[0], &c.machine, 0).unwrap();
    let mut bytes = [0; 8];
    c.machine.memories()[0].read(range.start, &mut bytes).unwrap();
    assert_eq!((range.end - range.start, i64::from_le_bytes(bytes)), (8, 290));
}

#[test]
fn what_the_source_does_not_have_is_said_when_it_is_loaded() {
    let c = C::new("shelf-O0.wasm");
    for (guard, expected) in [
        ("first->wheight > 3", "has no member wheight"),
        ("shelf.x", "has no member x"),
        ("limt > 3", "there is no limt here (did you mean limit?)"),
        ("*limit > 3", "this is no pointer"),
    ] {
        let text = format!("never weigh(first) where {guard}");
        let error = c.bind(&text).err().unwrap_or_default();
        assert!(error.contains(expected), "{guard}: {error}");
    }
}
