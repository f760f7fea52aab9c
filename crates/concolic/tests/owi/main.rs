//! Programs written for other symbolic tools: what exploring finds is what runs with all inputs
//! find.

mod heap;
mod plain;
mod statements;
