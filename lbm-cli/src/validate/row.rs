//! One line of the table.

use std::fmt;

use lbm_core::Error;
use serde::Serialize;

use crate::simulation::Backend;

/// Which side of the reference a measured value may lie on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    /// At most the tolerance away, on either side.
    Within,
    /// Not below the reference by more than the tolerance; above it all is well (an order of convergence).
    AtLeast,
    /// There is no reference: it is shown, and is a number.
    Shown,
}

/// Something measured, beside what it should be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The check's name and what of it, e.g. `cavity-re1000-u-largest`.
    pub name: String,
    /// The variant that computed it.
    pub variant: String,
    /// Where it ran, e.g. `cpu`, `cuda:0`.
    pub device: String,
    /// What was measured.
    pub measured: f64,
    /// What it should be.
    pub reference: f64,
    /// By how much the two may differ.
    pub tolerance: f64,
    /// On which side.
    pub criterion: Criterion,
    /// What is measured, in words.
    pub quantity: String,
    /// Where the reference comes from: paper and equation or table.
    pub source: &'static str,
}

impl Row {
    /// An error or a difference that should be zero, and is allowed to be as large as the tolerance.
    pub(super) fn error(name: String, variant: &str, measured: f64, tolerance: f64) -> Row {
        Row {
            name,
            variant: variant.to_owned(),
            device: Backend::Cpu.to_string(),
            measured,
            reference: 0.0,
            tolerance,
            criterion: Criterion::Within,
            quantity: String::new(),
            source: "",
        }
    }

    /// An order of convergence, which should be 2 and must not be below 1.95.
    pub(super) fn order(name: String, variant: &str, measured: f64) -> Row {
        let row = Row::error(name, variant, measured, 0.05);
        Row { reference: 2.0, criterion: Criterion::AtLeast, ..row }
    }

    /// What is shown without a reference.
    pub(super) fn shown(name: String, variant: &str, measured: f64) -> Row {
        Row { criterion: Criterion::Shown, ..Row::error(name, variant, measured, 0.0) }
    }

    /// A flow that diverged, of a check or of a part of one: it fails.
    pub(super) fn diverged(name: &str, error: &Error) -> Row {
        let row = Row::shown(format!("{name}-diverged"), "a flow", f64::NAN);
        row.about(error.to_string(), "every population is looked at")
    }

    /// The same with words and a source.
    pub(super) fn about(self, quantity: impl Into<String>, source: &'static str) -> Row {
        Row { quantity: quantity.into(), source, ..self }
    }

    /// Whether the measured value is good. NaN is not.
    #[must_use]
    pub fn passed(&self) -> bool {
        let difference = self.measured - self.reference;
        match self.criterion {
            Criterion::Within => difference.abs() <= self.tolerance,
            Criterion::AtLeast => difference >= -self.tolerance,
            Criterion::Shown => self.measured.is_finite(),
        }
    }
}

impl fmt::Display for Row {
    /// Two lines: verdict, name, measured, reference and tolerance; then what it is, the variant and the source.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.passed() { "passed" } else { "FAILED" };
        let Row { name, variant, device, measured, reference, tolerance, quantity, source, .. } = self;
        let measured = format!("{measured:.6e}");
        let allowed = match self.criterion {
            Criterion::Within => format!("reference {reference} +- {tolerance:e}"),
            Criterion::AtLeast => format!("reference {reference}, at least {:.4}", reference - tolerance),
            Criterion::Shown => "no reference".to_owned(),
        };
        writeln!(f, "{verdict}  {name:<44} {measured:>13}  {allowed}")?;
        write!(f, "        {quantity}; {variant} on {device}; source: {source}")
    }
}
