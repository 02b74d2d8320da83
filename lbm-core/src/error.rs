//! What can go wrong, said with the value, the allowed range and the remedy.

use std::path::{Path, PathBuf};

mod device;

pub use device::DeviceError;

/// Every failure of the library. A message names what was found, what is allowed and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter lies outside of its range.
    #[error("{name} = {value} is out of range: {allowed}; {remedy}")]
    OutOfRange {
        /// What it is, e.g. `viscosity`.
        name: String,
        /// The value given.
        value: String,
        /// The allowed range.
        allowed: String,
        /// What to do.
        remedy: String,
    },
    /// Something that a solver needs was not given.
    #[error("{what} is missing: {remedy}")]
    Missing {
        /// What is missing.
        what: String,
        /// How to give it.
        remedy: String,
    },
    /// Two things that were given do not fit together.
    #[error("{what}; {remedy}")]
    Conflict {
        /// What does not fit.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// More memory is needed than there is; found before anything is allocated.
    #[error(
        "{nodes} nodes of {bytes_per_node} bytes need {needed:.2} GiB, but {available:.2} GiB are free; \
         take fewer nodes (at most about {would_fit}), or a smaller storage type"
    )]
    OutOfMemory {
        /// Nodes asked for.
        nodes: u128,
        /// Bytes each needs.
        bytes_per_node: usize,
        /// GiB needed.
        needed: f64,
        /// GiB free.
        available: f64,
        /// How many nodes would fit.
        would_fit: u64,
    },
    /// A sparse box is larger than memory with the storage asked for; found before anything is allocated.
    #[error("{what}, but {available:.2} GiB are free; by addressing: {}", by_addressing(footprints, *available))]
    TooLarge {
        /// The box and what it needs, e.g. `9 x 9 x 9 nodes need at least 1.00 GiB`.
        what: String,
        /// GiB free.
        available: f64,
        /// Each addressing and the least that it needs, GiB.
        footprints: Vec<(String, f64)>,
    },
    /// A name that is not known.
    #[error("unknown {kind} `{name}`{}; {remedy}", nearest.as_ref().map(|n| format!(", did you mean `{n}`?")).unwrap_or_default())]
    Unknown {
        /// What kind of name, e.g. `case`.
        kind: String,
        /// The name given.
        name: String,
        /// The most similar known name.
        nearest: Option<String>,
        /// Where the known ones are listed.
        remedy: String,
    },
    /// The flow became unstable.
    #[error(
        "{what} at node ({}, {}, {}) in step {step}: the flow is unstable; lower the velocity or raise the viscosity \
         (tau further from 1/2; at the same Reynolds number, more nodes do that), or try another collision, since none is \
         the most stable in every flow{}{}",
        node[0], node[1], node[2],
        advice.as_ref().map(|advice| format!("; {advice}")).unwrap_or_default(),
        checkpoint.as_ref().map(|p| format!("; the last good checkpoint is {}", p.display())).unwrap_or_default()
    )]
    Diverged {
        /// What was found, e.g. `density is NaN`.
        what: String,
        /// Where.
        node: [usize; 3],
        /// When it was noticed (time steps).
        step: u64,
        /// What else to try in this flow.
        advice: Option<String>,
        /// The last state known to be good, if one was written.
        checkpoint: Option<PathBuf>,
    },
    /// A file or folder could not be read or written.
    #[error("cannot {action} {}: {source}; {remedy}", path.display())]
    File {
        /// `read`, `write`, `create`.
        action: &'static str,
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
        /// What to do.
        remedy: String,
    },
    /// A file holds something else than it should.
    #[error("{}: {what}; {remedy}", path.display())]
    Format {
        /// Which file.
        path: PathBuf,
        /// What is wrong, with line and column or byte where known.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// A backend that this build or machine does not have.
    #[error("{what}; {remedy}")]
    Unavailable {
        /// What is not there.
        what: String,
        /// How to get it.
        remedy: String,
    },
    /// A GPU, its driver or its compiler.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// What each addressing needs, and which of them would fit.
fn by_addressing(footprints: &[(String, f64)], available: f64) -> String {
    let needs: Vec<String> = footprints.iter().map(|(name, gib)| format!("{name} {gib:.2} GiB")).collect();
    let fitting: Vec<&str> =
        footprints.iter().filter(|(_, gib)| *gib <= available).map(|(name, _)| name.as_str()).collect();
    let which = if fitting.is_empty() {
        "none would fit; take fewer nodes".to_owned()
    } else {
        format!("{} would fit", fitting.join(" and "))
    };
    format!("{}; {which}", needs.join(", "))
}

impl Error {
    /// A value outside of its range.
    pub fn out_of_range(
        name: impl Into<String>,
        value: impl ToString,
        allowed: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Error {
        Error::OutOfRange {
            name: name.into(),
            value: value.to_string(),
            allowed: allowed.into(),
            remedy: remedy.into(),
        }
    }

    /// Two things that do not fit together.
    pub fn conflict(what: impl Into<String>, remedy: impl Into<String>) -> Error {
        Error::Conflict { what: what.into(), remedy: remedy.into() }
    }

    /// A file or folder on which an action (`read`, `write`, `create`) failed.
    pub fn file(
        action: &'static str,
        path: &Path,
        source: std::io::Error,
        remedy: impl Into<String>,
    ) -> Error {
        Error::File { action, path: path.to_owned(), source, remedy: remedy.into() }
    }

    /// An unknown name, with the nearest of the known ones.
    pub fn unknown<'a>(
        kind: impl Into<String>,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
        remedy: impl Into<String>,
    ) -> Error {
        let nearest = Error::nearest(name, known, 1).first().map(|&nearest| nearest.to_owned());
        Error::Unknown { kind: kind.into(), name: name.to_owned(), nearest, remedy: remedy.into() }
    }

    /// The known names that are like this one, the nearest first, so many at most.
    #[must_use]
    pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
        let mut near: Vec<(usize, &str)> = known
            .into_iter()
            .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
            .filter(|&(distance, candidate)| distance <= name.len().max(candidate.len()) / 2)
            .collect();
        near.sort_unstable();
        near.into_iter().take(most).map(|(_, candidate)| candidate).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered_and_a_far_one_is_not() {
        let near = Error::unknown("case", "cavty2d", ["cavity2d", "couette2d"], "see `lbm cases`");
        assert!(near.to_string().contains("did you mean `cavity2d`?"), "{near}");
        let far = Error::unknown("case", "zzzz", ["cavity2d"], "see `lbm cases`");
        assert_eq!(far.to_string(), "unknown case `zzzz`; see `lbm cases`");
    }
}
