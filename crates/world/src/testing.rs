//! A bench for tests: a world with all its primitives bound, and calls written as text.

use std::sync::Arc;

use mw_vm::{ValType, Value};

use crate::{Call, CallError, Description, Import, Outcome, PrimitiveId, Sample, Undo, World};

pub(crate) struct Bench {
    pub(crate) world: World,
    pub(crate) memory: Vec<u8>,
}

/// A world file next to the tests, with the recordings it names.
pub(crate) fn world_file(name: &str) -> Arc<Description> {
    let text = match name {
        "greenhouse" => include_str!("../tests/worlds/greenhouse.toml"),
        "vault" => include_str!("../tests/worlds/vault.toml"),
        other => panic!("no world file {other}"),
    };
    let load = |path: &str| match path {
        "moisture.txt" => Ok(include_str!("../tests/worlds/moisture.txt").to_owned()),
        _ => Err("no such file".to_owned()),
    };
    match Description::parse(&format!("{name}.toml"), text, &load) {
        Ok(description) => Arc::new(description),
        Err(error) => panic!("{error}"),
    }
}

impl Bench {
    pub(crate) fn new(description: Arc<Description>) -> Bench {
        let primitives = description.primitives().to_vec();
        // First each under its usual type, so that its number is that of its import; then under
        // the others.
        let usual = primitives.iter().map(|p| (p, &p.types[0]));
        let others = primitives.iter().flat_map(|p| p.types[1..].iter().map(move |ty| (p, ty)));
        let imports =
            usual.chain(others).map(|(p, ty)| Import { module: &p.module, name: &p.name, ty });
        let world = description.bind(imports).expect("all of the world's own primitives");
        Bench { world, memory: vec![0; 65536] }
    }

    pub(crate) fn board() -> Bench {
        Bench::new(Arc::new(Description::board(Default::default())))
    }

    /// `name(1, 2)` as an import and arguments.
    pub(crate) fn parse(&self, text: &str) -> (u32, Vec<Value>) {
        let (name, rest) = text.split_once('(').unwrap_or_else(|| panic!("{text} is no call"));
        let (module, name) = name.split_once('.').unwrap_or(("env", name));
        let PrimitiveId(id) = self.world.description().find(module, name).expect(text);
        let types = &self.world.description().primitives()[id as usize].types[0].params;
        let words = rest.trim_end_matches(')').split(',').map(str::trim).filter(|w| !w.is_empty());
        (id, words.zip(types).map(|(word, ty)| number(word, *ty)).collect())
    }

    pub(crate) fn perform(&mut self, text: &str) -> Outcome {
        let (import, args) = self.parse(text);
        self.world.perform(Call { import, args: &args }, &self.memory).expect(text)
    }

    /// Performs an output that works and returns how to undo it.
    pub(crate) fn done(&mut self, text: &str) -> Undo {
        match self.perform(text) {
            Outcome::Done { undo, .. } => undo,
            Outcome::Abort { message } => panic!("{text}: {message}"),
        }
    }

    /// What people are told about performing an output.
    pub(crate) fn effect(&mut self, text: &str) -> String {
        match self.perform(text) {
            Outcome::Done { effect, .. } => effect,
            Outcome::Abort { message } => format!("abort: {message}"),
        }
    }

    /// The domain of an input, or why it has none.
    pub(crate) fn domain(&self, text: &str) -> String {
        let (import, args) = self.parse(text);
        match self.world.domain(Call { import, args: &args }) {
            Ok(domain) => domain.to_string(),
            Err(error) => error.to_string(),
        }
    }

    /// What an input would return by itself, as text.
    pub(crate) fn sample(&self, text: &str) -> String {
        let (import, args) = self.parse(text);
        match self.world.sample(Call { import, args: &args }).expect(text) {
            Sample::Answer(answer) => answer.to_string(),
            Sample::Ask => "ask".into(),
        }
    }

    pub(crate) fn accept(&mut self, text: &str, value: &str) -> Result<Undo, CallError> {
        let (import, args) = self.parse(text);
        let ty = self.world.primitive(import).unwrap().types[0].results[0];
        let accepted = self.world.accept(Call { import, args: &args }, number(value, ty))?;
        assert_eq!(accepted.reply.results, [number(value, ty)]);
        Ok(accepted.undo)
    }

    pub(crate) fn set_reading(
        &mut self,
        text: &str,
        value: Option<i32>,
    ) -> Result<Undo, CallError> {
        let (import, args) = self.parse(text);
        self.world.set_reading(Call { import, args: &args }, value.map(Value::I32))
    }
}

pub(crate) fn number(text: &str, ty: ValType) -> Value {
    match ty {
        ValType::I32 => Value::I32(text.parse().expect(text)),
        ValType::I64 => Value::I64(text.parse().expect(text)),
        ValType::F32 => Value::from(text.parse::<f32>().expect(text)),
        _ => Value::from(text.parse::<f64>().expect(text)),
    }
}
