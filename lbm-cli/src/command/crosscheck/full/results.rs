//! What passed, kept in a file.

use std::fs::{self, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

use lbm_core::Error;
use serde_json::json;

use super::super::row::Row;

/// The rows that passed with the same sources and options.
pub(super) struct Results {
    path: PathBuf,
    rows: Vec<Row>,
}

impl Results {
    /// Those of an earlier run, if there was one. A line that is damaged is as good as none.
    pub(super) fn open(folder: &Path, key: &str) -> Result<Results, Error> {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let path = folder.join(format!("passed-{:016x}.jsonl", hasher.finish()));
        fs::create_dir_all(folder).map_err(|source| cannot("create", folder, source))?;
        let text = fs::read_to_string(&path).unwrap_or_default();
        let rows = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .filter(|row: &Row| row.passed)
            .collect();
        Ok(Results { path, rows })
    }

    pub(super) fn passed(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter()
    }

    pub(super) fn has_passed(&self, variant: &str) -> bool {
        self.rows.iter().any(|row| row.variant == variant)
    }

    /// Adds a row if it passed. Rows are appended at once, so that a run that is broken off can be taken up again.
    pub(super) fn keep(&mut self, row: &Row) -> Result<(), Error> {
        if !row.passed {
            return Ok(());
        }
        let line = format!("{}\n", json!(row));
        let file = OpenOptions::new().create(true).append(true).open(&self.path);
        file.and_then(|mut file| file.write_all(line.as_bytes()))
            .map_err(|source| cannot("write", &self.path, source))
    }
}

fn cannot(action: &'static str, path: &Path, source: std::io::Error) -> Error {
    let remedy = "check the folder's rights, or name another with the variable CARGO_TARGET_DIR".to_owned();
    Error::file(action, path, source, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passed_is_known_again_and_what_failed_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let row = |variant: &str, passed: bool| Row {
            variant: variant.to_owned(),
            device: "cuda-on-host".to_owned(),
            steps: Some(1),
            compared_after: vec![1],
            trials: 1,
            max_ulp: Some(u64::from(!passed)),
            passed,
            message: String::new(),
        };
        let mut results = Results::open(folder.path(), "sources").unwrap();
        results.keep(&row("a", true)).unwrap();
        results.keep(&row("b", false)).unwrap();
        fs::write(&results.path, fs::read_to_string(&results.path).unwrap() + "{\"variant\":\"c\"").unwrap();
        let again = Results::open(folder.path(), "sources").unwrap();
        assert!(again.has_passed("a") && !again.has_passed("b") && !again.has_passed("c"));
        assert_eq!(again.passed().count(), 1);
        assert_eq!(Results::open(folder.path(), "other sources").unwrap().passed().count(), 0);
    }
}
