//! What is wrong with a case file, and where.

use std::path::Path;

use lbm_core::Error;

/// What is wrong with a file, at a byte of it.
#[derive(Debug)]
pub(super) struct Fault {
    offset: Option<usize>,
    what: String,
    /// None where `what` says it.
    remedy: Option<String>,
}

impl Fault {
    pub(super) fn new(offset: Option<usize>, what: impl ToString, remedy: impl Into<String>) -> Fault {
        Fault { offset, what: what.to_string(), remedy: Some(remedy.into()) }
    }

    /// An error that belongs to a place. It has a remedy of its own.
    pub(super) fn at(offset: usize, error: &Error) -> Fault {
        Fault { offset: Some(offset), what: error.to_string(), remedy: None }
    }

    /// The error of a file with this text.
    pub(super) fn in_file(self, path: &Path, text: &str) -> Error {
        let Fault { offset, what, remedy } = self;
        let what = offset.map_or_else(|| what.clone(), |offset| format!("{}: {what}", place(text, offset)));
        let (what, remedy) = match remedy {
            Some(remedy) => (what, remedy),
            // The words behind the last semicolon are the remedy.
            None => match what.rsplit_once("; ") {
                Some((what, remedy)) => (what.to_owned(), remedy.to_owned()),
                None => (what, "correct it, or see `lbm cases` for the settings of each case".to_owned()),
            },
        };
        Error::Format { path: path.to_owned(), what, remedy }
    }
}

/// `line 3, column 7` of a byte.
fn place(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    format!("line {line}, column {column}")
}
