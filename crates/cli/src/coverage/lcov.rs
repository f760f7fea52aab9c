//! What was reached in the format of lcov, which many tools read.

use std::fmt::Write;
use std::path::Path;

use mw_api::{BranchCoverage, CoverageView, FileCoverage};

use crate::sources::beside;

/// The records, one for each file.
pub fn records(view: &CoverageView, program: &Path) -> String {
    view.files.iter().map(|file| record(view, file, program)).collect()
}

fn record(view: &CoverageView, file: &FileCoverage, program: &Path) -> String {
    let mut text = format!("TN:\nSF:{}\n", beside(program, &file.path).display());
    let is_here = |path: &Option<String>| path.as_deref() == Some(&*file.path);
    let functions: Vec<_> = view.functions.iter().filter(|f| is_here(&f.file)).collect();
    // Writing to a string does not fail.
    for function in &functions {
        let _ = writeln!(text, "FN:{},{}", function.line.unwrap_or(0), function.function);
    }
    for function in &functions {
        let _ = writeln!(text, "FNDA:{},{}", u8::from(function.reached > 0), function.function);
    }
    let hit = functions.iter().filter(|function| function.reached > 0).count();
    let _ = writeln!(text, "FNF:{}\nFNH:{hit}", functions.len());
    let branches: Vec<_> = view.branches.iter().filter(|b| is_here(&b.file)).collect();
    for (block, branch) in branches.iter().enumerate() {
        for (number, way) in branch.ways.iter().enumerate() {
            let taken = match (branch.reached, way.reached) {
                (false, _) => "-",
                (true, false) => "0",
                (true, true) => "1",
            };
            let line = branch.line.unwrap_or(0);
            let _ = writeln!(text, "BRDA:{line},{block},{number},{taken}");
        }
    }
    let (taken, ways) = CoverageView::ways(branches.iter().map(|b| -> &BranchCoverage { b }));
    let _ = writeln!(text, "BRF:{ways}\nBRH:{taken}");
    for line in &file.lines {
        let _ = writeln!(text, "DA:{},{}", line.line, u8::from(line.reached));
    }
    let hit = file.lines.iter().filter(|line| line.reached).count();
    let _ = writeln!(text, "LF:{}\nLH:{hit}\nend_of_record", file.lines.len());
    text
}
