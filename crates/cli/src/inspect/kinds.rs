//! What the imports of a module are in a world.

use mw_world::{Answers, Compensation, Description, Role};

/// What an imported function is in a world, and a word about it.
pub fn kind(world: &Description, module: &str, name: &str, ty: &str) -> (&'static str, String) {
    let Some(id) = world.find(module, name) else {
        return ("unknown", format!("not in the world {}", world.name()));
    };
    let primitive = &world.primitives()[id.0 as usize];
    let types: Vec<String> = primitive.types.iter().map(ToString::to_string).collect();
    if !types.iter().any(|known| known == ty) {
        return ("mismatch", format!("the world has it as {}", types.join(" or ")));
    }
    match &primitive.role {
        Role::Input(input) => ("input", answers(&input.answers)),
        Role::Output(output) => ("output", compensation(&output.compensation).into()),
        Role::Abort => ("abort", String::new()),
    }
}

fn answers(answers: &Answers) -> String {
    match answers {
        Answers::Values(domain) => domain.to_string(),
        Answers::Clock(_) => "the time, never backwards".into(),
        Answers::Level => "the level of a pin".into(),
        Answers::Behaviour(_) => "depends on the world's state".into(),
        Answers::Asked(_) => "depends on what was asked before".into(),
        Answers::Between => "from the first argument up to the second".into(),
    }
}

fn compensation(compensation: &Compensation) -> &'static str {
    match compensation {
        Compensation::Restore => "undone by restoring",
        Compensation::Call { .. } => "undone by a call",
        Compensation::Nothing => "nothing to undo",
        Compensation::Irreversible => "cannot be undone",
    }
}
