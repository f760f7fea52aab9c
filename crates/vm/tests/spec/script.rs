//! A script: the directives of one file, executed in order.

use std::collections::BTreeMap;
use std::sync::Arc;

use mw_vm::{Limits, LoadError, Module, Value};
use wast::lexer::Lexer;
use wast::parser::{self, ParseBuffer};
use wast::token::Id;
use wast::{QuoteWat, Wast, WastDirective, WastExecute, WastInvoke, Wat};

use crate::linker::{Linker, Refusal};
use crate::{exceptions, expect};

/// What became of a directive.
pub enum Outcome {
    Passed,
    OutOfScope(String),
    Failed(String),
}

/// Why a directive did not pass.
#[derive(Clone, Debug)]
pub enum Problem {
    OutOfScope(String),
    Failed(String),
}

impl Problem {
    pub fn out_of_scope(reason: impl Into<String>) -> Self {
        Problem::OutOfScope(reason.into())
    }

    pub fn failed(message: impl Into<String>) -> Self {
        Problem::Failed(message.into())
    }
}

impl From<wast::Error> for Problem {
    fn from(error: wast::Error) -> Self {
        Problem::failed(error.to_string())
    }
}

/// What imports of tests come from besides their own modules.
const SPECTEST: &str = r#"(module
    (global (export "global_i32") i32 (i32.const 666))
    (global (export "global_i64") i64 (i64.const 666))
    (global (export "global_f32") f32 (f32.const 666.6))
    (global (export "global_f64") f64 (f64.const 666.6))
    (table (export "table") 10 20 funcref)
    (memory (export "memory") 1 2)
    (func (export "print"))
    (func (export "print_i32") (param i32))
    (func (export "print_i64") (param i64))
    (func (export "print_f32") (param f32))
    (func (export "print_f64") (param f64))
    (func (export "print_i32_f32") (param i32 f32))
    (func (export "print_f64_f64") (param f64 f64)))"#;

/// What an error says when a module is refused for a feature that it uses. If the module should
/// be refused, but for another reason, that shows nothing.
const OF_FEATURES: &[&str] =
    &["enabled", "proposal", "feature", "references required", "descriptors required"];

/// An instance, or why there is none.
type Instance = Result<usize, Problem>;

pub struct Script {
    linker: Linker,
    /// The last module, and all that have a name.
    current: Option<Instance>,
    named: BTreeMap<String, Instance>,
    registered: BTreeMap<String, Instance>,
    /// Modules to make instances of, by name.
    definitions: BTreeMap<Option<String>, Result<Arc<Module>, Problem>>,
}

impl Script {
    /// Runs all directives of a file; `report` is told of each, with its line.
    pub fn run(file: &str, text: &str, mut report: impl FnMut(usize, Outcome)) {
        let mut lexer = Lexer::new(text);
        lexer.allow_confusing_unicode(true);
        let buffer = ParseBuffer::new_with_lexer(lexer).expect("the suite can be read");
        let wast: Wast<'_> = match parser::parse(&buffer) {
            Ok(wast) => wast,
            Err(error) => {
                report(1, Outcome::Failed(format!("cannot be parsed: {error}")));
                return;
            }
        };
        let mut script = Script {
            linker: Linker::default(),
            current: None,
            named: BTreeMap::new(),
            registered: BTreeMap::new(),
            definitions: BTreeMap::new(),
        };
        let spectest = wat::parse_str(SPECTEST).expect("it is well written");
        let spectest = script.load(&spectest).and_then(|module| script.instantiate(&module));
        script.registered.insert("spectest".into(), spectest);
        for directive in wast.directives {
            let line = directive.span().linecol_in(text).0 + 1;
            let exception = exceptions::reason(file, line);
            let outcome = match (script.directive(directive), exception) {
                (Ok(()), None) => Outcome::Passed,
                (Err(Problem::OutOfScope(reason)), None) => Outcome::OutOfScope(reason),
                (Err(Problem::Failed(message)), None) => Outcome::Failed(message),
                (Err(Problem::Failed(_)), Some(reason)) => Outcome::OutOfScope(reason.into()),
                (_, Some(_)) => Outcome::Failed("an exception that is none any more".into()),
            };
            report(line, outcome);
        }
    }

    fn directive(&mut self, directive: WastDirective<'_>) -> Result<(), Problem> {
        match directive {
            WastDirective::Module(module) => self.module(module),
            WastDirective::ModuleDefinition(module) => self.define(module),
            WastDirective::ModuleInstance { instance, module, .. } => {
                let module = self.definitions.get(&module.map(name_of));
                let module = module.cloned().ok_or(Problem::failed("no such definition"))?;
                let made = module.and_then(|module| self.instantiate(&module));
                self.add(instance, made)
            }
            WastDirective::Register { name, module, .. } => {
                let instance = self.instance(module);
                self.registered.insert(name.into(), instance.clone());
                instance.map(drop)
            }
            WastDirective::Invoke(invoke) => match self.invoke(&invoke)? {
                Ok(_) => Ok(()),
                Err(kind) => Err(Problem::failed(format!("trapped: {kind}"))),
            },
            WastDirective::AssertReturn { exec, results, .. } => match self.execute(exec)? {
                Ok(actual) => expect::results(&actual, &results),
                Err(message) => Err(Problem::failed(format!("trapped: {message}"))),
            },
            WastDirective::AssertTrap { exec, message, .. } => match self.execute(exec)? {
                Ok(actual) => Err(Problem::failed(format!("returned {actual:x?}"))),
                Err(actual) => expect::message(&actual, message),
            },
            WastDirective::AssertExhaustion { call, message, .. } => match self.invoke(&call)? {
                Ok(actual) => Err(Problem::failed(format!("returned {actual:x?}"))),
                Err(kind) => expect::message(&kind.to_string(), message),
            },
            WastDirective::AssertInvalid { module, .. }
            | WastDirective::AssertMalformed { module, .. } => self.refused(module),
            WastDirective::AssertUnlinkable { mut module, message, .. } => {
                let module = self.load(&module.encode()?)?;
                match self.link(&module)? {
                    Err(Refusal::Unlinkable(actual)) => expect::message(actual, message),
                    Err(Refusal::Trap(kind)) => Err(Problem::failed(format!("trapped: {kind}"))),
                    Ok(_) => Err(Problem::failed("was linked")),
                }
            }
            WastDirective::AssertException { .. } => Err(Problem::out_of_scope("needs exceptions")),
            WastDirective::AssertSuspension { .. } => {
                Err(Problem::out_of_scope("needs stack-switching"))
            }
            WastDirective::Thread(_) | WastDirective::Wait { .. } => {
                Err(Problem::out_of_scope("needs threads"))
            }
            WastDirective::AssertMalformedCustom { .. }
            | WastDirective::AssertInvalidCustom { .. } => {
                Err(Problem::out_of_scope("custom sections, which mean nothing to the machine"))
            }
        }
    }

    fn module(&mut self, mut module: QuoteWat<'_>) -> Result<(), Problem> {
        let name = module.name();
        let made = self.encode(&mut module).and_then(|module| self.instantiate(&module));
        self.add(name, made)
    }

    fn define(&mut self, mut module: QuoteWat<'_>) -> Result<(), Problem> {
        let name = module.name().map(name_of);
        let module = self.encode(&mut module);
        self.definitions.insert(None, module.clone());
        self.definitions.insert(name, module.clone());
        module.map(drop)
    }

    fn add(&mut self, name: Option<Id<'_>>, made: Instance) -> Result<(), Problem> {
        // What was to be said about the module has been said: that it is missing later on is no
        // new failure, but what depends on it cannot be run.
        let kept = made.clone().map_err(|problem| match problem {
            Problem::Failed(_) => Problem::failed("the module failed"),
            problem => problem,
        });
        if let Some(name) = name {
            self.named.insert(name_of(name), kept.clone());
        }
        self.current = Some(kept);
        made.map(drop)
    }

    fn encode(&mut self, module: &mut QuoteWat<'_>) -> Result<Arc<Module>, Problem> {
        if let QuoteWat::Wat(Wat::Component(_)) | QuoteWat::QuoteComponent(..) = module {
            return Err(Problem::out_of_scope("needs component-model"));
        }
        let binary = module.encode()?;
        self.load(&binary)
    }

    /// Loads a module that should be valid.
    fn load(&mut self, binary: &[u8]) -> Result<Arc<Module>, Problem> {
        // Some modules are only defined, and larger than any machine could be.
        let limits = Limits { table_elements: u32::MAX, ..Linker::limits() };
        match Module::from_binary(binary, &limits) {
            Ok(module) => Ok(Arc::new(module)),
            Err(LoadError::Unsupported { feature, .. }) => {
                Err(Problem::out_of_scope(format!("needs {feature}")))
            }
            Err(error) => Err(Problem::failed(format!("was refused: {error}"))),
        }
    }

    /// Checks that a module is refused.
    fn refused(&mut self, mut module: QuoteWat<'_>) -> Result<(), Problem> {
        // What is wrong with a text alone is found by the parser of texts.
        let Ok(binary) = module.encode() else { return Ok(()) };
        match Module::from_binary(&binary, &Linker::limits()) {
            Err(LoadError::Unsupported { feature, .. }) => {
                Err(Problem::out_of_scope(format!("needs {feature}")))
            }
            Err(LoadError::Invalid { message, .. })
                if OF_FEATURES.iter().any(|words| message.contains(words)) =>
            {
                Err(Problem::out_of_scope("wrong use of a feature that is not supported"))
            }
            Err(_) => Ok(()),
            Ok(_) => Err(Problem::failed("was accepted")),
        }
    }

    fn link(&mut self, module: &Arc<Module>) -> Result<Result<usize, Refusal>, Problem> {
        self.linker.instantiate(module, |name| self.registered.get(name).cloned())
    }

    fn instantiate(&mut self, module: &Arc<Module>) -> Instance {
        self.link(module)?.map_err(|refusal| match refusal {
            Refusal::Unlinkable(message) => Problem::failed(format!("not linked: {message}")),
            Refusal::Trap(kind) => Problem::failed(format!("trapped: {kind}")),
        })
    }

    fn instance(&self, name: Option<Id<'_>>) -> Instance {
        let instance = match name {
            Some(name) => self.named.get(name.name()),
            None => self.current.as_ref(),
        };
        instance.cloned().unwrap_or(Err(Problem::failed("there is no such module")))
    }

    fn invoke(
        &mut self,
        invoke: &WastInvoke<'_>,
    ) -> Result<Result<Vec<Value>, mw_vm::TrapKind>, Problem> {
        let instance = self.instance(invoke.module)?;
        let args = invoke.args.iter().map(expect::argument).collect::<Result<Vec<_>, _>>()?;
        let function = self.linker.exported_func(instance, invoke.name);
        self.linker.call(function.ok_or(Problem::failed("no such function"))?, &args)
    }

    /// Results, or the message of the trap.
    fn execute(&mut self, exec: WastExecute<'_>) -> Result<Result<Vec<Value>, String>, Problem> {
        Ok(match exec {
            WastExecute::Invoke(invoke) => self.invoke(&invoke)?.map_err(|kind| kind.to_string()),
            WastExecute::Get { module, global, .. } => {
                let instance = self.instance(module)?;
                let value = self.linker.exported_global(instance, global);
                Ok(vec![value.ok_or(Problem::failed("no such global"))?])
            }
            WastExecute::Wat(mut module) => {
                let module = self.load(&module.encode()?)?;
                match self.link(&module)? {
                    Ok(_) => Ok(Vec::new()),
                    Err(Refusal::Trap(kind)) => Err(kind.to_string()),
                    Err(Refusal::Unlinkable(message)) => {
                        return Err(Problem::failed(format!("not linked: {message}")));
                    }
                }
            }
        })
    }
}

fn name_of(id: Id<'_>) -> String {
    id.name().into()
}
