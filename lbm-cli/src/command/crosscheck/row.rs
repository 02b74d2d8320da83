//! One line of the cross-check.

use std::fmt;

use lbm_core::Error;
use lbm_cuda::crosscheck::{Options, Outcome, Target};
use serde::Serialize;

/// What was found about one variant: the object of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Row {
    pub(super) variant: String,
    pub(super) device: String,
    /// The last of the numbers of steps.
    pub(super) steps: Option<u64>,
    /// After these numbers of steps was compared.
    pub(super) compared_after: Vec<u64>,
    /// Boxes, states and launch shapes.
    pub(super) trials: u64,
    /// None if nothing could be compared.
    pub(super) max_ulp: Option<u64>,
    pub(super) passed: bool,
    /// The first difference, or why nothing could be compared; empty if it passed.
    pub(super) message: String,
}

impl Row {
    pub(super) fn new(
        variant: &str,
        device: Target,
        options: &Options,
        outcome: Result<Outcome, Error>,
    ) -> Row {
        let (trials, max_ulp, passed, message) = match outcome {
            Ok(outcome) => {
                let passed = outcome.passed();
                let message = outcome.difference.map(|difference| difference.to_string()).unwrap_or_default();
                (outcome.trials as u64, Some(outcome.max_ulp), passed, message)
            }
            Err(error) => (0, None, false, error.to_string()),
        };
        let (steps, compared_after) = (options.steps.last().copied(), options.steps.clone());
        let (variant, device) = (variant.to_owned(), device.to_string());
        Row { variant, device, steps, compared_after, trials, max_ulp, passed, message }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.passed { "passed" } else { "FAILED" };
        let ulp = self.max_ulp.map_or_else(|| "-".to_owned(), |ulp| ulp.to_string());
        write!(f, "{verdict}  {ulp} ULP  {} trials  {}  {}", self.trials, self.device, self.variant)?;
        if self.message.is_empty() { Ok(()) } else { write!(f, "\n    {}", self.message) }
    }
}
