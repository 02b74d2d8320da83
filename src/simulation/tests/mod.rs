//! Tests with a variant written by hand, so that they stand apart from the macros.

mod checks;
mod flow;
mod handwritten;
