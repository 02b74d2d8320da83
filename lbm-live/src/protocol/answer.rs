//! What the server says as JSON.

use serde::Serialize;

use crate::flow::{About, FlowStatus};

/// A text to a viewer.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Answer<'a> {
    /// What the flow is: the first text.
    About(&'a About),
    /// What this viewer shows to load a checkpoint while it steers: the second text.
    Key { key: &'a str },
    /// The numbers of its present state, ten times a second at most.
    Status {
        step: u64,
        mlups: f64,
        paused: bool,
        steering: bool,
        viewers: usize,
        #[serde(flatten)]
        flow: &'a FlowStatus,
    },
    /// A wish of this viewer that was not done, or done but for a part, and why.
    Refused { message: &'a str, partly: bool },
    /// The flow stopped by itself.
    Fault { message: &'a str },
}

impl Answer<'_> {
    /// The text. Numbers that are not finite become `null`.
    pub(crate) fn text(&self) -> String {
        // All keys are texts and nothing else can fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
