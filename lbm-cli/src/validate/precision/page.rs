//! The page of what storage costs: how the formats round, and the errors of flows in them.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use lbm_core::Error;
use lbm_core::facts::{PrecisionFacts, Rounding};

use super::super::largest;
use super::{Errors, Flow};
use crate::output::write_once;
use crate::variants;

/// Writes `accuracy.md`, and says where.
pub(super) fn write(folder: &Path, measured: &[(&Flow, Errors)], steps: u64) -> Result<PathBuf, Error> {
    let path = folder.join("accuracy.md");
    let text = page(measured, steps);
    write_once(&path, |file| io::Write::write_all(file, text.as_bytes()))?;
    Ok(path)
}

fn page(measured: &[(&Flow, Errors)], steps: u64) -> String {
    let mut page = formats();
    let _ = writeln!(
        page,
        "\n## Flows\n\nThe same flow in f64 and in each precision, {steps} steps side by side: the largest difference of the velocity at any time \
         and in the end, over the flow's speed U, and by how much the mean density has changed."
    );
    for (flow, errors) in measured {
        let _ = writeln!(page, "\n### {}, U = {}\n", sentence(flow.title), flow.speed);
        page += "| precision | largest | in the end | mean density |\n|---|---|---|---|\n";
        for ((variant, errors), drift) in errors.columns().zip(errors.drifts()) {
            let name = variant.facts.precision.name;
            let (most, last) = (largest(errors.iter().copied()), errors.last().copied().unwrap_or(f64::NAN));
            let _ = writeln!(page, "| `{name}` | {most:.1e} | {last:.1e} | {drift:.1e} |");
        }
    }
    page
}

/// What the page begins with, which nothing is measured for.
fn formats() -> String {
    let mut text = String::from(
        "# What storage costs\n\nWritten by `lbm validate precision`, as `accuracy.md` in its folder. What is stored is f - w. A stored value x is off by at most \
         `relative` |x| + `absolute` while it is below `largest`.\n\n\
         | precision | as it is declared | bytes | relative | absolute | largest |\n|---|---|---|---|---|---|\n",
    );
    for precision in variants::axes().precisions() {
        text += &row(precision);
    }
    text
}

fn row(precision: &PrecisionFacts) -> String {
    let Rounding { relative, absolute, largest, .. } = precision.rounding();
    let (name, declared, bytes) = (precision.name, (precision.declared)(), precision.stored_bytes);
    format!("| `{name}` | `{declared}` | {bytes} | {relative:.1e} | {absolute:.1e} | {largest:.1e} |\n")
}

/// With a capital letter.
fn sentence(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{FLOWS, PRECISIONS};
    use super::*;

    /// What is measured takes minutes and is not done again here.
    #[test]
    fn the_recorded_page_has_every_format_and_flow() {
        let remedy = "run `lbm validate precision` and copy out/validate/accuracy.md to docs";
        let fresh = formats();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/accuracy.md");
        let recorded = std::fs::read_to_string(file).unwrap();
        assert!(
            recorded.starts_with(&fresh),
            "docs/accuracy.md does not begin with this; {remedy}:\n{fresh}"
        );
        let sections: Vec<&str> = recorded.split("\n### ").skip(1).collect();
        assert_eq!(sections.len(), FLOWS.len(), "{remedy}");
        for (flow, section) in FLOWS.iter().zip(sections) {
            assert!(section.starts_with(&sentence(flow.title)), "{remedy}: {section}");
            for precision in PRECISIONS.into_iter().chain([flow.graded]) {
                assert_eq!(
                    section.matches(&format!("\n| `{precision}` |")).count(),
                    1,
                    "{remedy}: {section}"
                );
            }
        }
    }
}
