//! `lbm schemes`: what each streaming pattern stores, and what its steps read and write. The page `docs/schemes.md` is what it prints.

mod figure;
mod words;

use clap::Args;
use lbm_core::{Error, Facts};

use super::print_line;
use crate::variants;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Print only these patterns
    pattern: Vec<String>,
}

/// The page's introduction, and a few sentences on what each built-in pattern is for, below a heading. All else on the page follows from
/// arrays, passes and reads.
const ABOUT: &str = include_str!("schemes/about.md");

/// The patterns' names and sentences.
fn about() -> impl Iterator<Item = (&'static str, String)> {
    ABOUT.split("\n## ").skip(1).filter_map(|section| {
        let (heading, sentences) = section.split_once("\n\n")?;
        Some((heading.trim_matches('`'), sentences.trim_end().replace('\n', " ")))
    })
}

/// Prints patterns.
pub(super) fn schemes(arguments: &Arguments) -> Result<bool, Error> {
    if arguments.pattern.is_empty() {
        print_line(schemes_page().trim_end())?;
        return Ok(true);
    }
    for name in &arguments.pattern {
        let Some((name, about)) = about().find(|(known, _)| known == name) else {
            let known = about().map(|(known, _)| known);
            return Err(Error::unknown("streaming", name, known, "`lbm schemes` prints all"));
        };
        print_line(words::section(&product(name), &about).trim_end())?;
    }
    Ok(true)
}

/// The page of all built-in patterns, as `docs/schemes.md` holds it.
#[must_use]
pub fn schemes_page() -> String {
    let mut page = ABOUT.split("\n## ").next().unwrap_or_default().to_owned();
    for (name, about) in about() {
        page += "\n";
        page += &words::section(&product(name), &about);
    }
    page
}

/// A pattern on the lattice that is easily drawn, with a collision that moments carry.
fn product(name: &str) -> Facts {
    let product = variants::axes().product(&format!("d2q9-regularized-f32-soa-dense-{name}"));
    product.expect("the page is of built-in patterns")
}
