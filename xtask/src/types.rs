//! The page's types, made from the Rust types that go over the line to it.
//!
//! `cargo xtask types` reads the sources of the crates whose types can be part of a message, and
//! writes what is reachable from requests, events and errors as TypeScript: by serde's rules, as
//! far as they are used here, and with the comments; requests with what they are answered with. A rule that is not known is an error, so that
//! nothing comes out wrong silently. A test fails when the file is not up to date.
//!
//! The sources are read, instead of deriving something in each crate, because the types belong to
//! six crates of which the lowest builds without a standard library.

mod read;
mod serde_rules;
mod write;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use self::read::Types;
use crate::project;

/// The crates whose types can be part of a message.
const CRATES: [&str; 6] = ["web", "api", "session", "source", "world", "vm"];

/// What messages are made of: crate and name.
const ROOTS: [(&str, &str); 4] =
    [("api", "Request"), ("api", "ApiError"), ("api", "Event"), ("web", "Hello")];

/// Types that are called otherwise in TypeScript: crate, name here, name there.
const RENAMED: [(&str, &str, &str); 3] = [
    ("world", "Direction", "PinDirection"),
    ("world", "View", "WorldView"),
    ("api", "Request", "Requests"),
];

const HEAD: &str = "\
// Made from the Rust types by `cargo xtask types`; changes belong there.
";

/// `cargo xtask types`: write the file.
pub fn update() -> Result<()> {
    let file = file();
    fs::create_dir_all(file.parent().expect("the file lies in a folder"))?;
    fs::write(&file, generate()?)?;
    println!("{} is up to date", project::shown(&file));
    Ok(())
}

fn file() -> PathBuf {
    project::root().join("ui/src/api/types.ts")
}

fn generate() -> Result<String> {
    let mut types = Types::default();
    for name in CRATES {
        types.read_crate(name, &project::root().join("crates").join(name).join("src"))?;
    }
    let mut text = HEAD.to_owned();
    text += &write::reachable(&types, &ROOTS).context("the page's types cannot be made")?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The TypeScript of a piece of Rust, from the type `T` on.
    fn check(rust: &str, expected: &str) {
        let mut types = Types::default();
        types.read_file("web", rust).unwrap();
        let found = write::reachable(&types, &[("web", "T")]).unwrap();
        assert_eq!(found.trim(), expected.trim());
    }

    #[test]
    fn structs() {
        check(
            "/// A thing.
            #[derive(Serialize)]
            #[serde(rename_all = \"kebab-case\")]
            struct T {
                /// Its number.
                first_one: u64,
                #[serde(rename = \"type\")]
                ty: Option<Box<str>>,
                #[serde(default)]
                many: Vec<(u8, Option<bool>)>,
                by: BTreeMap<u8, U>,
                #[serde(flatten)]
                rest: U,
            }
            #[derive(Serialize)]
            struct U { text: String }
            #[derive(Serialize)]
            struct Unused;",
            "
/** A thing. */
export type T = {
  /** Its number. */
  \"first-one\": number;
  type: string | null;
  many?: [number, boolean | null][];
  by: { [key: string]: U };
} & U;

export type U = {
  text: string;
};",
        );
    }

    #[test]
    fn enums() {
        check(
            "#[derive(Serialize)]
            #[serde(untagged)]
            enum T { A(Plain), B(Within), C(Beside), D(Around) }
            #[derive(Serialize)]
            #[serde(rename_all = \"kebab-case\")]
            enum Plain { OneWord, Two }
            #[derive(Serialize)]
            #[serde(tag = \"kind\", rename_all = \"lowercase\")]
            enum Within { A, B { x: i64 }, C(Named) }
            #[derive(Serialize)]
            struct Named { y: f64 }
            #[derive(Serialize)]
            #[serde(tag = \"kind\", content = \"data\")]
            enum Beside { A, B(Vec<u8>) }
            #[derive(Serialize)]
            enum Around {
                A,
                /// With something.
                B(u32),
                C { x: u32 },
                D(u8, u8),
            }",
            "
export type T = Plain | Within | Beside | Around;

export type Around =
  | \"A\"
  /** With something. */
  | { B: number }
  | { C: { x: number } }
  | { D: [number, number] };

export type Beside = { kind: \"A\" } | { kind: \"B\"; data: number[] };

export type Named = {
  y: number;
};

export type Plain = \"one-word\" | \"two\";

export type Within = { kind: \"a\" } | { kind: \"b\"; x: number } | ({ kind: \"c\" } & Named);",
        );
    }

    #[test]
    fn requests_know_their_replies() {
        check(
            "requests! {
                #[derive(Serialize)]
                #[serde(rename_all = \"kebab-case\")]
                enum T { GoOn(GoOn), Stop(Halt) }
            }
            /// Goes on.
            #[derive(Serialize)]
            struct GoOn { #[serde(default)] count: u64, to: Option<String> }
            impl Ask for GoOn { type Reply = Vec<Gone>; fn serve(self) {} }
            #[derive(Serialize)]
            struct Gone { far: bool }
            #[derive(Serialize)]
            struct Halt {}
            impl Ask for Halt { type Reply = (); }",
            "
export type T = {
  /** Goes on. */
  \"go-on\": [{ count?: number; to: string | null }, Gone[]];
  stop: [Halt, null];
};

export type Gone = {
  far: boolean;
};

export type Halt = {
};",
        );
    }

    #[test]
    fn names_are_found_as_rust_finds_them() {
        let mut types = Types::default();
        types
            .read_file("web", "use mw_session::Unit; #[derive(Serialize)] struct T { u: Unit }")
            .unwrap();
        types.read_file("world", "#[derive(Serialize)] enum Unit { Metre }").unwrap();
        types.read_file("session", "#[derive(Serialize)] enum Unit { Over }").unwrap();
        let found = write::reachable(&types, &[("web", "T")]).unwrap();
        assert!(found.contains("\"Over\"") && !found.contains("Metre"), "{found}");
    }

    #[test]
    fn what_is_not_known_is_an_error() {
        for (rust, expected) in [
            ("#[derive(Serialize)] struct T { x: Unheard }", "Unheard"),
            ("#[derive(Serialize)] struct T { #[serde(with = \"x\")] x: u8 }", "with"),
            ("#[derive(Serialize)] #[serde(into = \"u8\")] struct T { x: u8 }", "into"),
            ("struct T { x: u8 }", "T"),
        ] {
            let mut types = Types::default();
            types.read_file("web", rust).unwrap();
            let error = write::reachable(&types, &[("web", "T")]).unwrap_err();
            assert!(format!("{error:#}").contains(expected), "{error:#}");
        }
    }

    #[test]
    fn the_types_of_the_page_are_up_to_date() {
        let found = fs::read_to_string(file()).unwrap_or_default();
        let is_up_to_date = found == generate().unwrap();
        assert!(is_up_to_date, "run `cargo xtask types`, and look at what the page makes of it");
    }
}
