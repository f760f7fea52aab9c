//! From text to a tree.

use std::fmt;
use std::ops::Range;

use mw_vm::Cell;

use super::operator::{LEVELS, Operator};
use super::{EvaluateError, Names};

/// How deep an expression may be nested.
const DEEPEST: usize = 64;

/// An expression, by its parts.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// A variable of the source, or a name that it gives to a number.
    Name(String),
    /// A cell of the machine.
    Cell(Cell),
    /// A whole number.
    Integer(i128),
    /// A number with a fraction.
    Float(f64),
    /// A text.
    Text(String),
    /// True or false.
    Bool(bool),
    /// A pointer to nothing.
    Null,
    /// A member of a record.
    Member(Box<Tree>, String),
    /// An element.
    Index(Box<Tree>, Box<Tree>),
    /// `-`, `!`, `~`, `*` or `&`.
    Unary(char, Box<Tree>),
    /// An operator between two operands.
    Binary(Operator, Box<Tree>, Box<Tree>),
    /// A conversion.
    Cast(TypeName, Box<Tree>),
    /// How many bytes a value of a type has.
    TypeSize(TypeName),
    /// How many bytes a value has.
    Size(Box<Tree>),
}

impl Tree {
    /// The names of variables in it.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Tree::Name(name) => vec![name],
            Tree::Member(of, _) | Tree::Unary(_, of) | Tree::Cast(_, of) | Tree::Size(of) => {
                of.names()
            }
            Tree::Index(one, other) | Tree::Binary(_, one, other) => {
                [one.names(), other.names()].concat()
            }
            Tree::Cell(_)
            | Tree::Integer(_)
            | Tree::Float(_)
            | Tree::Text(_)
            | Tree::Bool(_)
            | Tree::TypeSize(_)
            | Tree::Null => Vec::new(),
        }
    }
}

/// As it can be read again.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Name(name) => f.write_str(name),
            Tree::Cell(cell) => write!(f, "{cell}"),
            Tree::Integer(number) => write!(f, "{number}"),
            Tree::Float(number) => write!(f, "{number:?}"),
            Tree::Text(text) => write!(f, "{text:?}"),
            Tree::Bool(value) => write!(f, "{value}"),
            Tree::Null => f.write_str("null"),
            Tree::Member(of, name) => write!(f, "{of}.{name}"),
            Tree::Index(of, index) => write!(f, "{of}[{index}]"),
            Tree::Unary(operator, of) => write!(f, "({operator}{of})"),
            Tree::Binary(operator, left, right) => write!(f, "({left} {operator} {right})"),
            Tree::Cast(ty, of) if ty.name.contains(' ') => write!(f, "(({ty}){of})"),
            Tree::Cast(ty, of) => write!(f, "({of} as {}{})", "*".repeat(ty.pointers), ty.name),
            Tree::TypeSize(ty) => write!(f, "sizeof({ty})"),
            Tree::Size(of) => write!(f, "sizeof {of}"),
        }
    }
}

/// A type in a conversion.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeName {
    /// Its words.
    pub name: String,
    /// How many pointers lead to it.
    pub pointers: usize,
}

impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, "*".repeat(self.pointers))
    }
}

/// Words that begin the name of a type in C.
const TYPE_WORDS: [&str; 13] = [
    "int", "char", "short", "long", "unsigned", "signed", "float", "double", "bool", "_Bool",
    "struct", "union", "enum",
];

/// Reads an expression; also gives its text with numbers in place of the names of cells, which
/// means the same wherever it is read.
pub(super) fn parse(text: &str, names: &Names<'_>) -> Result<(Tree, String), EvaluateError> {
    let mut parser = Parser { text, at: 0, names, cells: Vec::new() };
    let tree = parser.binary(0, DEEPEST)?;
    parser.skip_blanks();
    if parser.at < text.len() {
        return Err(parser.error("an operator was expected"));
    }
    let mut plain = text.to_owned();
    for (range, cell) in parser.cells.into_iter().rev() {
        plain.replace_range(range, &cell.to_string());
    }
    Ok((tree, plain))
}

/// What a person asks the type of.
pub(super) enum Written {
    Type(TypeName),
    Value(Tree),
}

/// Reads a type, or else an expression. A variable hides a type of its name, as in C.
pub(super) fn written(text: &str, names: &Names<'_>) -> Parsed<Written> {
    let mut parser = Parser { text, at: 0, names, cells: Vec::new() };
    if !names.is_in_source(text.trim())
        && let Some(ty) = parser.type_name()
        && parser.rest().trim().is_empty()
    {
        return Ok(Written::Type(ty));
    }
    parse(text, names).map(|(tree, _)| Written::Value(tree))
}

pub(super) struct Parser<'a> {
    pub text: &'a str,
    pub at: usize,
    pub names: &'a Names<'a>,
    /// Where cells are written.
    pub cells: Vec<(Range<usize>, Cell)>,
}

pub(super) type Parsed<T> = Result<T, EvaluateError>;

impl<'a> Parser<'a> {
    pub fn error(&self, message: &str) -> EvaluateError {
        EvaluateError::Syntax { message: message.to_owned(), position: self.at }
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Takes this text, if it comes next.
    pub fn take(&mut self, wanted: &str) -> bool {
        self.skip_blanks();
        let taken = self.rest().starts_with(wanted);
        self.at += if taken { wanted.len() } else { 0 };
        taken
    }

    fn expect(&mut self, wanted: &str) -> Parsed<()> {
        if self.take(wanted) { Ok(()) } else { Err(self.error(&format!("{wanted} was expected"))) }
    }

    fn binary(&mut self, level: usize, depth: usize) -> Parsed<Tree> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(self.error("this is nested too deeply"));
        };
        let Some(operators) = LEVELS.get(level) else { return self.converted(depth) };
        let mut tree = self.binary(level + 1, depth + 1)?;
        while let Some(operator) = self.operator(operators) {
            let right = self.binary(level + 1, depth)?;
            tree = Tree::Binary(operator, Box::new(tree), Box::new(right));
        }
        Ok(tree)
    }

    fn operator(&mut self, operators: &[(&str, Operator)]) -> Option<Operator> {
        self.skip_blanks();
        let found = operators.iter().find(|(text, _)| {
            let after = self.rest().strip_prefix(*text);
            // `a & b` is not the beginning of `a && b`, nor `<` that of `<<`; `=>` is nothing.
            after.is_some_and(|after| {
                !(text.len() == 1
                    && "&|<>=".contains(*text)
                    && after.starts_with([text.as_bytes()[0] as char, '>']))
            })
        });
        if let Some((text, operator)) = found {
            self.at += text.len();
            return Some(*operator);
        }
        let (word, operator) = match operators {
            [(_, Operator::Or)] => ("or", Operator::Or),
            [(_, Operator::And)] => ("and", Operator::And),
            _ => return None,
        };
        self.keyword(word).then_some(operator)
    }

    /// `a as T`, as in Rust and AssemblyScript.
    fn converted(&mut self, depth: usize) -> Parsed<Tree> {
        let mut tree = self.unary(depth)?;
        loop {
            self.skip_blanks();
            let before = self.at;
            if self.word() != Some("as") {
                self.at = before;
                return Ok(tree);
            }
            let mut pointers = 0;
            while self.take("*") {
                pointers += 1;
                let _ = self.keyword("const") || self.keyword("mut");
            }
            let Some(name) = self.word() else { return Err(self.error("a type was expected")) };
            let name = TypeName { name: name.to_owned(), pointers };
            tree = Tree::Cast(name, Box::new(tree));
        }
    }

    pub fn keyword(&mut self, wanted: &str) -> bool {
        let before = self.at;
        self.skip_blanks();
        let found = self.word() == Some(wanted);
        if !found {
            self.at = before;
        }
        found
    }

    fn unary(&mut self, depth: usize) -> Parsed<Tree> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(self.error("this is nested too deeply"));
        };
        self.skip_blanks();
        if let Some(cell) = self.odd_name() {
            return Ok(cell);
        }
        for operator in ['-', '!', '~', '*', '&', '+'] {
            if self.take(operator.encode_utf8(&mut [0; 4])) {
                let operand = self.unary(depth)?;
                return Ok(match (operator, operand) {
                    ('+', operand) => operand,
                    ('-', Tree::Integer(number)) => Tree::Integer(-number),
                    (_, operand) => Tree::Unary(operator, Box::new(operand)),
                });
            }
        }
        if !self.names.is_in_source("not") && self.negation() {
            return Ok(Tree::Unary('!', Box::new(self.unary(depth)?)));
        }
        let before = self.at;
        if self.keyword("sizeof") {
            return self.size(depth);
        }
        if self.take("(") {
            if let Some(name) = self.type_name()
                && self.take(")")
            {
                return Ok(Tree::Cast(name, Box::new(self.unary(depth)?)));
            }
            self.at = before;
        }
        let operand = self.primary(depth)?;
        self.postfix(operand, depth)
    }

    /// `not`, before something that it can be said of.
    fn negation(&mut self) -> bool {
        let before = self.at;
        let found = self.keyword("not")
            && self
                .rest()
                .trim_start()
                .starts_with(|next: char| next.is_alphanumeric() || "_$(!~*&-".contains(next));
        if !found {
            self.at = before;
        }
        found
    }

    /// What follows `sizeof`: a type in parentheses, or a value.
    fn size(&mut self, depth: usize) -> Parsed<Tree> {
        let before = self.at;
        if self.take("(")
            && let Some(ty) = self.type_name()
            && self.take(")")
        {
            return Ok(Tree::TypeSize(ty));
        }
        self.at = before;
        Ok(Tree::Size(Box::new(self.unary(depth)?)))
    }

    /// A type of C, if there is one. A value hides a type of its name.
    fn type_name(&mut self) -> Option<TypeName> {
        let mut words: Vec<&str> = Vec::new();
        loop {
            self.skip_blanks();
            let before = self.at;
            match self.word() {
                Some("const" | "volatile") => {}
                Some(word)
                    if TYPE_WORDS.contains(&word)
                        || matches!(words.last(), Some(&("struct" | "union" | "enum")))
                        || (words.is_empty()
                            && self.names.is_type(word)
                            && !self.names.is_in_source(word)) =>
                {
                    words.push(word);
                }
                _ => {
                    self.at = before;
                    break;
                }
            }
        }
        if words.is_empty() {
            return None;
        }
        let mut pointers = 0;
        while self.take("*") {
            pointers += 1;
            let _ = self.keyword("const");
        }
        Some(TypeName { name: words.join(" "), pointers })
    }

    fn postfix(&mut self, mut tree: Tree, depth: usize) -> Parsed<Tree> {
        loop {
            if self.take("[") {
                let index = self.binary(0, depth)?;
                self.expect("]")?;
                tree = Tree::Index(Box::new(tree), Box::new(index));
            } else if self.take("->") || (!self.rest().starts_with("..") && self.take(".")) {
                self.skip_blanks();
                let Some(member) = self.word() else {
                    return Err(self.error("the name of a member was expected"));
                };
                tree = Tree::Member(Box::new(tree), member.to_owned());
            } else {
                return Ok(tree);
            }
        }
    }

    fn primary(&mut self, depth: usize) -> Parsed<Tree> {
        self.skip_blanks();
        if self.take("(") {
            let tree = self.binary(0, depth)?;
            self.expect(")")?;
            return Ok(tree);
        }
        match self.rest().chars().next() {
            Some('"') => Ok(Tree::Text(self.quoted('"')?)),
            Some('\'') => {
                let text = self.quoted('\'')?;
                let mut characters = text.chars();
                match (characters.next(), characters.next()) {
                    (Some(only), None) => Ok(Tree::Integer((only as u32).into())),
                    _ => Ok(Tree::Text(text)),
                }
            }
            Some(first) if first.is_ascii_digit() || first == '.' => match self.number()? {
                Tree::Integer(from) if self.rest().starts_with("..") => self.range(from),
                number => Ok(number),
            },
            _ => {
                if let Some(cell) = self.cell()? {
                    return Ok(cell);
                }
                let start = self.at;
                let name = self.path().ok_or_else(|| self.error("a value was expected"))?;
                Ok(match name.as_str() {
                    "true" => Tree::Bool(true),
                    "false" => Tree::Bool(false),
                    "NULL" | "nullptr" | "null" => Tree::Null,
                    _ if self.names.is_in_source(&name) => Tree::Name(name),
                    _ => match self.names.cell(&name) {
                        Some(cell) => self.bound(start, cell),
                        None => match name.as_str() {
                            "inf" | "infinity" => Tree::Float(f64::INFINITY),
                            "nan" | "NaN" => Tree::Float(f64::NAN),
                            _ => Tree::Name(name),
                        },
                    },
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(tree: &Tree) -> String {
        let text = tree.to_string();
        // What is shown means the same.
        assert_eq!(parse(&text, &Names::default()).map(|(again, _)| again).as_ref(), Ok(tree));
        text
    }

    const PROGRAM: &str = r#"
        (module
          (global (export "level") (mut i32) (i32.const 0))
          (global $light-sensor/light (mut i32) (i32.const 0))
          (global $~lib/rt/total (mut i32) (i32.const 0))
          (func $main (param $x i32) (param $global i32))
          (func $caller (param $x i32) (param $y i32)))"#;

    fn parsed_with(text: &str) -> Result<(String, String), String> {
        let wasm = wat::parse_str(PROGRAM).unwrap();
        let module = mw_vm::Module::from_binary(&wasm, &Default::default()).unwrap();
        let locals = crate::LocalNames::new(&wasm);
        let locals = Some(&locals);
        let names = Names { locals, functions: &[0, 1], ..Names::of(&module) };
        let parsed = parse(text, &names).map_err(|error| error.to_string());
        parsed.map(|(tree, plain)| (shown(&tree), plain))
    }

    fn parsed(text: &str) -> Result<String, String> {
        parsed_with(text).map(|(tree, _)| tree)
    }

    #[test]
    fn cells_are_values_by_number_and_by_name() {
        for (text, expected, plain) in [
            ("global 0 == 5", "(global 0 == 5)", "global 0 == 5"),
            ("level = -0x5", "(global 0 = -5)", "global 0 = -0x5"),
            ("x+level*2", "(local 0 + (global 0 * 2))", "local 0+global 0*2"),
            ("local x of frame 1", "local 0 of frame 1", "local 0 of frame 1"),
            ("local y of frame 1 + a", "(local 1 of frame 1 + a)", "local 1 of frame 1 + a"),
            ("local 4 or light", "(local 4 || global 1)", "local 4 or global 1"),
            ("light-sensor/light>1", "(global 1 > 1)", "global 1>1"),
            ("-~lib/rt/total - rt/total", "((-global 2) - global 2)", "-global 2 - global 2"),
            ("global light-sensor/light", "global 1", "global 1"),
            ("global == 3", "(local 1 == 3)", "local 1 == 3"),
            ("i32@0x10 != u8 @ 5", "(i32 @ 16 != u8 @ 5)", "i32 @ 16 != u8 @ 5"),
            ("1024..1030", "1024..1030", "1024..1030"),
            (
                "x and x or x && x",
                "((local 0 && local 0) || (local 0 && local 0))",
                "local 0 and local 0 or local 0 && local 0",
            ),
            ("android", "android", "android"),
            ("local -1", "(local - 1)", "local -1"),
            ("(level) - 1", "(global 0 - 1)", "(global 0) - 1"),
        ] {
            let expected = (expected.to_owned(), plain.to_owned());
            assert_eq!(parsed_with(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn operators_bind_as_in_c() {
        for (text, expected) in [
            ("a.b[i]->c", "a.b[i].c"),
            ("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"),
            ("a & 1 == 0 && b | c", "((a & (1 == 0)) && (b | c))"),
            ("*p.x + -1", "((*p.x) + -1)"),
            ("sizeof(int) + sizeof a.b", "(sizeof(int) + sizeof a.b)"),
            ("sizeof (a) * 2", "(sizeof a * 2)"),
            ("a << 2 < b", "((a << 2) < b)"),
            ("a <= b", "(a <= b)"),
            ("(a + b) * c", "((a + b) * c)"),
            ("(unsigned char)a + (u16)b", "(((unsigned char)a) + (b as u16))"),
            ("(const struct jar *)0x10", "((struct jar*)16)"),
            ("(jar)->kind", "jar.kind"),
            ("a as u8 + 1", "((a as u8) + 1)"),
            ("a as *const Bed", "(a as *Bed)"),
            ("t.0.1", "t.0.1"),
            ("1.5f * 2.", "(1.5 * 2.0)"),
            (".5 < 1e3 + 2.5E-1f32", "(0.5 < (1000.0 + 0.25))"),
            ("'a' == \"b\\\"\"", "(97 == \"b\\\"\")"),
            ("garden::BUMP", "garden::BUMP"),
            ("0xffu + 10ull + 1_000i64", "((255 + 10) + 1000)"),
            ("!a == NULL", "((!a) == null)"),
            ("not a and not (b)", "((!a) && (!b))"),
            ("not == 1", "(not == 1)"),
        ] {
            assert_eq!(parsed(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_expression_is_said_with_its_place() {
        for (text, expected) in [
            ("", "a value was expected, at 0 in the expression"),
            ("a +", "a value was expected, at 3 in the expression"),
            ("a b", "an operator was expected, at 2 in the expression"),
            ("a[1", "] was expected, at 3 in the expression"),
            ("a.", "the name of a member was expected, at 2 in the expression"),
            ("\"a", "the text has no end, at 0 in the expression"),
            ("99999999999999999999", "this is no number of up to 64 bits, at 0 in the expression"),
            ("a => 1", "an operator was expected, at 2 in the expression"),
            ("i33 @ 5", "an operator was expected, at 4 in the expression"),
            ("i32 @ -1", "an address was expected, at 6 in the expression"),
            ("local x of frame y", "the number of a frame was expected, at 17 in the expression"),
            ("20..10", "the end of a range is after its beginning, at 6 in the expression"),
            ("global apples == 3", "there is no global apples here"),
            ("local y == 3", "there is no local y here"),
        ] {
            assert_eq!(parsed(text), Err(expected.to_owned()), "{text}");
        }
        let deep = "(".repeat(10_000) + "a";
        assert!(parsed(&deep).unwrap_err().starts_with("this is nested too deeply"));
        let deep = "-".repeat(10_000) + "a";
        assert!(parsed(&deep).unwrap_err().starts_with("this is nested too deeply"));
    }
}
