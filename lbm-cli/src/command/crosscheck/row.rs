//! One line of the cross-check.

use std::fmt;

use lbm_core::Error;
use lbm_cuda::crosscheck::{Options, Outcome, Target};
use serde_json::{Value, json};

/// What was found about one variant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) variant: String,
    pub(super) device: String,
    /// After these numbers of steps was compared.
    pub(super) steps: Vec<u64>,
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
        let (variant, device, steps) = (variant.to_owned(), device.to_string(), options.steps.clone());
        Row { variant, device, steps, trials, max_ulp, passed, message }
    }

    /// The object of `--json`.
    pub(super) fn json(&self) -> Value {
        json!({
            "variant": self.variant,
            "device": self.device,
            "steps": self.steps.last(),
            "max_ulp": self.max_ulp,
            "passed": self.passed,
            "compared_after": self.steps,
            "trials": self.trials,
            "message": self.message,
        })
    }

    /// A row from its object.
    pub(super) fn from_json(line: &str) -> Option<Row> {
        let value: Value = serde_json::from_str(line).ok()?;
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        Some(Row {
            variant: text("variant")?,
            device: text("device")?,
            steps: value["compared_after"].as_array()?.iter().filter_map(Value::as_u64).collect(),
            trials: value["trials"].as_u64()?,
            max_ulp: value["max_ulp"].as_u64(),
            passed: value["passed"].as_bool()?,
            message: text("message")?,
        })
    }

    /// A row from a line of [`serve`](crate::cross_check::serve).
    pub(super) fn from_line(line: &str, device: Target, options: &Options) -> Option<Row> {
        let mut parts = line.splitn(5, '\t');
        let variant = parts.next()?.to_owned();
        let trials = parts.next()?.parse().ok()?;
        let max_ulp = parts.next()?.parse().ok();
        let passed = parts.next()?.parse().ok()?;
        let message = parts.next()?.to_owned();
        Some(Row {
            variant,
            device: device.to_string(),
            steps: options.steps.clone(),
            trials,
            max_ulp,
            passed,
            message,
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_reads_back_as_written() {
        let mut row = Row {
            variant: "v".to_owned(),
            device: "cuda-on-host".to_owned(),
            steps: vec![1, 200],
            trials: 5,
            max_ulp: Some(0),
            passed: true,
            message: String::new(),
        };
        assert_eq!(Row::from_json(&row.json().to_string()), Some(row.clone()));
        row.max_ulp = None;
        row.message = "two\nlines".to_owned();
        assert_eq!(Row::from_json(&row.json().to_string()), Some(row));
        assert_eq!(Row::from_json("{\"variant\":"), None);
    }
}
