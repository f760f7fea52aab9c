//! Types of values.

use std::sync::Arc;

/// A type, by a number that its format gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId(pub usize);

/// A type of values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Type {
    pub name: Option<Arc<str>>,
    /// Bytes of a value.
    pub size: Option<u64>,
    pub kind: Kind,
    /// The unit that it belongs to.
    pub unit: u32,
}

/// What kind of values a type has.
#[derive(Clone, Debug, Default)]
pub(crate) enum Kind {
    /// Nothing is known.
    #[default]
    Unknown,
    Base(Encoding),
    /// To a value of a type, or to anything.
    Pointer(Option<TypeId>),
    /// C++'s `&`.
    Reference(Option<TypeId>),
    /// Another name.
    Alias(Option<TypeId>),
    /// The same with another word before it, such as `const`.
    Qualified(&'static str, Option<TypeId>),
    /// A struct, a union, or a Rust enum.
    Record(Record),
    /// With the number of elements in each dimension.
    Array(Option<TypeId>, Vec<Option<u64>>),
    Enumeration(Vec<(i128, Arc<str>)>),
    Function,
    /// A pointer to a string of AssemblyScript.
    String,
    /// A pointer to elements of AssemblyScript.
    Sequence(Sequence),
}

/// Elements of one type that AssemblyScript's runtime keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sequence {
    pub element: TypeId,
    pub layout: Layout,
}

/// How they are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// `Array`: buffer, start, bytes, length.
    Array,
    /// `Uint8Array` and its like: buffer, start, bytes.
    Typed,
    /// `StaticArray`: nothing but the elements.
    Static,
}

/// How the bits of a number are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Signed,
    Unsigned,
    Float,
    Boolean,
    /// A character of one byte that counts below zero; one that does not is a plain number.
    Character,
    /// A character of Unicode.
    Unicode,
}

/// Values side by side or on top of each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub union: bool,
    pub members: Vec<Member>,
    /// What a Rust enum can be.
    pub variants: Option<Variants>,
    /// What a generic type was made with.
    pub parameters: Vec<(Arc<str>, TypeId)>,
}

/// A part of a record.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub name: Option<Arc<str>>,
    pub ty: Option<TypeId>,
    /// In bytes from the start of the record.
    pub offset: u64,
    /// For a part of a number: the first bit, from the start of the record, and how many.
    pub bits: Option<(u64, u64)>,
}

/// The variants of a Rust enum.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variants {
    /// The number of the member that tells which one it is, while it is read.
    pub discriminant_at: Option<usize>,
    pub discriminant: Option<Member>,
    pub variants: Vec<Variant>,
}

/// One of them.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// The discriminant's value; whatever no other variant has, if there is none.
    pub value: Option<u128>,
    pub member: Option<Member>,
}
