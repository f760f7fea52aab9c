//! Words that users of gdb write out of habit and that are none here: what to write instead.

/// For a command.
pub fn instead_of(word: &str) -> Option<&'static str> {
    Some(match word {
        "start" | "starti" => {
            "the program stands before its first instruction; `reset` goes back there"
        }
        "kill" => "`reset` goes back to the start, `quit` leaves",
        "jump" => "`slide` goes to a place that the program can come to; nothing else is shown",
        "call" | "return" => "functions are not called by hand; `set VARIABLE = VALUE` reaches in",
        "thread" | "inferior" => "`actor NAME` looks at another actor, `info actors` lists them",
        "rwatch" | "awatch" => {
            "`watch` stops at writes; `hits LINE VARIABLE` shows values at a line"
        }
        "catch" => "a trap stops the program in any case; `break PRIMITIVE` stops at calls of it",
        "checkpoint" => "every place can be gone back to; `bookmark NAME` names this one",
        "record" => "everything is recorded; `reverse-step` and the like go back",
        "attach" => "leave, and run `mw attach ADDRESS PROGRAM`",
        "file" | "exec-file" | "symbol-file" => "leave, and run `mw debug PROGRAM`",
        "shell" | "make" | "source" | "python" => {
            "this debugger runs no programs; `mw debug --script FILE` reads commands from a file"
        }
        _ => return None,
    })
}

/// For what `info` shows.
pub fn instead_of_info(what: &str) -> Option<&'static str> {
    Some(match what {
        "args" => "parameters are among `info locals`",
        "registers" | "reg" => {
            "the machine has a stack: `info stack`, `info locals`, `info globals`"
        }
        "threads" | "inferiors" => "`info actors` lists who can run",
        "variables" | "var" => "`info globals` and `info locals` show them",
        "types" => "`ptype NAME` shows one",
        "watchpoints" => "they are among `info breakpoints`",
        "signals" => "`info interrupts` lists those that the program has subscribed to",
        "sharedlibrary" | "files" | "target" => "`info program` says what is being debugged",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{commands, shell};
    use super::*;

    /// What is a command or shown by `info` needs nothing instead of it.
    #[test]
    fn no_word_of_ours_is_taken() {
        assert!(commands::all().all(|command| instead_of(command.name).is_none()));
        assert!(shell::INFO.iter().all(|what| instead_of_info(what).is_none()));
    }
}
