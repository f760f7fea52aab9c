//! What exploring has reached: lines, functions, and the ways that branches went.

use std::collections::{BTreeMap, BTreeSet};

use mw_source::{FileId, Sources};
use mw_vm::{Module, Op};
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, Ask};
use crate::debugger::Debugger;
use crate::error::ApiError;
use crate::event::Listener;
use crate::suggested::SourceView;

/// What exploring has reached, if it was told to note that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {}

impl Ask for Coverage {
    type Reply = CoverageView;
    const ONLY_LOOKS: bool = true;

    fn serve(self, debugger: &mut Debugger, _: &mut dyn Listener) -> Answered<Self> {
        let Some(coverage) = debugger.noted_coverage() else {
            return Err(ApiError::not_here(
                "what was reached has not been noted; `suggest coverage` explores and notes it",
            ));
        };
        let module = debugger.session.module();
        let files = match debugger.sources() {
            Some(sources) => files(module, sources, coverage),
            None => Vec::new(),
        };
        let own = (0..module.funcs().len() as u32)
            .filter(|func| module.funcs()[*func as usize].import.is_none());
        Ok(CoverageView {
            files,
            functions: own.map(|func| debugger.function_coverage(func, coverage)).collect(),
            branches: (0..module.code().len() as u32)
                .filter_map(|pc| debugger.branch_coverage(pc, coverage))
                .collect(),
        })
    }
}

/// What was reached of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageView {
    /// The files that lines with code are known of.
    pub files: Vec<FileCoverage>,
    /// The functions, in the order of the binary.
    pub functions: Vec<FunctionCoverage>,
    /// The branches, in the order of the binary.
    pub branches: Vec<BranchCoverage>,
}

/// What was reached of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileCoverage {
    /// Its path, as the debug information has it.
    pub path: String,
    /// What is written in it, if that is known.
    pub text: Option<String>,
    /// The lines with code.
    pub lines: Vec<LineCoverage>,
}

/// Whether a line was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCoverage {
    /// The line, counted from 1.
    pub line: u32,
    /// Whether an instruction of it was reached.
    pub reached: bool,
}

/// What was reached of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCoverage {
    /// Its name.
    pub function: String,
    /// The file that it is written in, if that is known.
    pub file: Option<String>,
    /// The line that its code begins with.
    pub line: Option<u32>,
    /// How many instructions it has.
    pub instructions: u64,
    /// How many of them were reached.
    pub reached: u64,
    /// The byte offsets of those that were not, as ranges: the first, and the last.
    pub missed: Vec<(u32, u32)>,
}

/// Which ways a branch went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchCoverage {
    /// Where it is.
    pub at: SourceView,
    /// The file that it is written in, if that is known.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// Whether it was reached at all.
    pub reached: bool,
    /// The ways on from it.
    pub ways: Vec<WayCoverage>,
}

/// A way on from a branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WayCoverage {
    /// What leads there: `true`, `false`, `taken`, `not taken`, `goes to …`.
    pub text: String,
    /// Whether a path went there.
    pub reached: bool,
}

impl CoverageView {
    /// Ways of branches that were taken, and all that there are.
    pub fn ways<'a>(branches: impl IntoIterator<Item = &'a BranchCoverage>) -> (u64, u64) {
        let ways = branches.into_iter().flat_map(|branch| &branch.ways);
        ways.fold((0, 0), |(reached, all), way| (reached + u64::from(way.reached), all + 1))
    }
}

impl Debugger {
    fn function_coverage(&self, func: u32, coverage: &mw_concolic::Coverage) -> FunctionCoverage {
        let module = self.session.module();
        let code = module.func_code(func);
        let pcs = code.start..code.start + code.len;
        let mut missed: Vec<(u32, u32)> = Vec::new();
        let mut was_missed = false;
        for pc in pcs.clone() {
            let is_missed = !coverage.contains(pc);
            if let Some(offset) = module.offset_of(pc).filter(|_| is_missed) {
                match missed.last_mut().filter(|_| was_missed) {
                    Some(last) => last.1 = offset,
                    None => missed.push((offset, offset)),
                }
            }
            was_missed = is_missed;
        }
        let begin = pcs.clone().find_map(|pc| self.line_of(pc));
        FunctionCoverage {
            function: module.func_name(func),
            file: begin.as_ref().map(|(file, _)| file.clone()),
            line: begin.map(|(_, line)| line),
            instructions: code.len.into(),
            reached: pcs.filter(|pc| coverage.contains(*pc)).count() as u64,
            missed,
        }
    }

    fn branch_coverage(&self, pc: u32, coverage: &mw_concolic::Coverage) -> Option<BranchCoverage> {
        let module = self.session.module();
        let code = self.running().program();
        let at = code.source_view(pc);
        let words = match code.is_as_written(pc, &at) {
            true => ("true", "false"),
            false => ("taken", "not taken"),
        };
        let target = |branch: u32| module.branches()[branch as usize].target.to;
        let ways: Vec<(String, u32)> = match module.code()[pc as usize] {
            Op::BrIf { target, .. } => vec![(words.0.into(), target.to), (words.1.into(), pc + 1)],
            Op::BrUnless { target, .. } if words.0 == "true" => {
                vec![("true".into(), pc + 1), ("false".into(), target.to)]
            }
            Op::BrUnless { target, .. } => {
                vec![("taken".into(), target.to), ("not taken".into(), pc + 1)]
            }
            Op::BrIfMoving { branch, .. } => {
                vec![(words.0.into(), target(branch)), (words.1.into(), pc + 1)]
            }
            Op::BrTable { first, count, .. } => {
                let targets: BTreeSet<u32> = (first..first + count).map(target).collect();
                let way = |to: u32| (format!("goes to {}", code.place_text(to)), to);
                targets.into_iter().map(way).collect()
            }
            _ => return None,
        };
        let targets: BTreeSet<u32> = ways.iter().map(|(_, to)| *to).collect();
        // Where all ways lead to the same place, nothing is decided.
        if targets.len() < 2 {
            return None;
        }
        let begin = self.line_of(pc);
        let way =
            |(text, to)| WayCoverage { text, reached: coverage.branches().contains(&(pc, to)) };
        Some(BranchCoverage {
            at,
            file: begin.as_ref().map(|(file, _)| file.clone()),
            line: begin.map(|(_, line)| line),
            reached: coverage.contains(pc),
            ways: ways.into_iter().map(way).collect(),
        })
    }

    /// The file and line that an instruction comes from.
    fn line_of(&self, pc: u32) -> Option<(String, u32)> {
        let sources = self.sources()?;
        let at = sources.location_near(self.session.module().offset_of(pc)?)?;
        Some((sources.file(at.file).path().to_owned(), at.line))
    }
}

fn files(
    module: &Module,
    sources: &Sources,
    coverage: &mw_concolic::Coverage,
) -> Vec<FileCoverage> {
    let mut lines: BTreeMap<FileId, BTreeMap<u32, bool>> = BTreeMap::new();
    for pc in 0..module.code().len() as u32 {
        let location = module.offset_of(pc).and_then(|offset| sources.location(offset));
        if let Some(at) = location {
            *lines.entry(at.file).or_default().entry(at.line).or_default() |= coverage.contains(pc);
        }
    }
    let file = |(file, lines): (FileId, BTreeMap<u32, bool>)| FileCoverage {
        path: sources.file(file).path().to_owned(),
        text: sources.file(file).text().map(str::to_owned),
        lines: lines.into_iter().map(|(line, reached)| LineCoverage { line, reached }).collect(),
    };
    let mut files: Vec<FileCoverage> = lines.into_iter().map(file).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}
