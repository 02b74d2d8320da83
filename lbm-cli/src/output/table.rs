//! Tables as CSV and the summary of a run as JSON.

use std::io::{self, Write};
use std::path::Path;

use lbm_core::Error;
use serde::Serialize;

use super::write_once;

/// A column of a table: its name, and what it has of a row.
pub type Column<'a, R> = (&'a str, &'a dyn Fn(&R) -> String);

/// A number as tables have it, with all the digits that it takes to read the same bits back; an empty cell for none.
pub fn number(value: impl Into<Option<f64>>) -> String {
    value.into().map_or_else(String::new, |value| format!("{value:?}"))
}

/// Writes a table with a line for each row, as CSV.
pub fn write_table<R>(path: &Path, rows: &[R], columns: &[Column<'_, R>]) -> Result<(), Error> {
    let names: Vec<String> = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    let cells = |row: &R| columns.iter().map(|(_, cell)| cell(row)).collect();
    write_rows(path, &names, &rows.iter().map(cells).collect::<Vec<_>>())
}

/// Writes rows of texts under their columns' names, as CSV.
pub fn write_rows(path: &Path, columns: &[String], rows: &[Vec<String>]) -> Result<(), Error> {
    write_once(path, |file| {
        for row in std::iter::once(columns).chain(rows.iter().map(Vec::as_slice)) {
            let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
            writeln!(file, "{}", cells.join(","))?;
        }
        Ok(())
    })
}

/// A name as CSV wants it (RFC 4180): in quotes if it holds a comma, a quote or a line break.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

/// Writes any serializable summary as indented JSON with a final line break. JSON has no NaN: it becomes `null`.
pub fn write_summary(path: &Path, summary: &impl Serialize) -> Result<(), Error> {
    write_once(path, |file| {
        serde_json::to_writer_pretty(&mut *file, summary).map_err(io::Error::from)?;
        writeln!(file)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn columns_are_read_back_bit_for_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("profile.csv");
        let points = [[0.1, 1e-300], [0.2, -0.0], [1.0 / 3.0, 7e22]];
        write_table(&path, &points, &[("y/L", &|p| number(p[0])), ("u, \"lid\"", &|p| number(p[1]))])
            .unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("y/L,\"u, \"\"lid\"\"\""));
        for (row, line) in lines.enumerate() {
            let bits: Vec<u64> = line.split(',').map(|n| n.parse::<f64>().unwrap().to_bits()).collect();
            assert_eq!(bits, points[row].map(f64::to_bits));
        }
        assert_eq!(text.lines().count(), 4);
    }

    #[test]
    fn rows_hold_words_and_empty_cells() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        let texts = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let columns = texts(["nodes", "note"]);
        write_rows(&path, &columns, &[texts(["", "no, not \"this\""]), texts(["2", ""])]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "nodes,note\n,\"no, not \"\"this\"\"\"\n2,\n");
    }

    #[test]
    fn a_summary_is_json() {
        #[derive(Serialize)]
        struct Summary {
            case: &'static str,
            steps: u64,
            residual: f64,
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("summary.json");
        write_summary(&path, &Summary { case: "cavity2d", steps: 100, residual: f64::NAN }).unwrap();
        let read: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(read, serde_json::json!({ "case": "cavity2d", "steps": 100, "residual": null }));
    }
}
