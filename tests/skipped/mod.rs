//! How tests of any crate say what they skip.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes a line on standard error that says what is skipped and why. It is also seen where the test runner captures the output of tests that pass.
pub fn skipped(why: impl Display) {
    // A closed standard error is no reason to fail.
    let _ = writeln!(io::stderr(), "skipped: {why}");
}
