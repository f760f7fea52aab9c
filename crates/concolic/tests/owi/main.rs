//! Programs written for other symbolic tools: what exploring finds is what runs with all inputs
//! find.

mod beginnings;
mod heap;
mod plain;
mod statements;
