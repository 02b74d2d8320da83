//! Tables of numbers as texts: rows with commas between their numbers.

use crate::error::Error;

/// The rows of a table of so many columns, each with its line, counted from 1. A byte order mark, empty lines, lines that begin with `#` and one line of
/// words before the first row are left out.
///
/// # Errors
/// [`Error::OutOfRange`] for every other line, and for a table without rows.
pub fn rows(text: &str, columns: usize) -> Result<Vec<(usize, Vec<f64>)>, Error> {
    let (mut rows, mut has_head) = (Vec::new(), false);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().map(str::trim).zip(1..);
    for (line, number) in lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')) {
        let cells: Vec<Option<f64>> = line.split(',').map(|cell| cell.trim().parse().ok()).collect();
        let values: Option<Vec<f64>> = cells.iter().copied().collect();
        match values.filter(|values| values.len() == columns && values.iter().all(|x| x.is_finite())) {
            Some(values) => rows.push((number, values)),
            None if rows.is_empty() && !has_head && is_head(line) => has_head = true,
            None => {
                let shown: String = line.chars().take(LONGEST_SHOWN).collect();
                return Err(wrong(&format!("line {number}"), &shown, columns));
            }
        }
    }
    if rows.is_empty() { Err(wrong("the number of rows", "0", columns)) } else { Ok(rows) }
}

/// Whether a line is of words: no cell begins as a number does.
fn is_head(line: &str) -> bool {
    let is_word = |cell: &str| !cell.trim().starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    line.split(',').all(is_word)
}

/// How much of a line an error shows.
const LONGEST_SHOWN: usize = 60;

fn wrong(what: &str, found: &str, columns: usize) -> Error {
    Error::out_of_range(
        format!("{what} of a table"),
        found,
        format!("{columns} finite numbers with commas in each row, and at least one row"),
        "mend the line; words may stand in one line before the rows, and behind a `#`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_all_read_or_one_is_refused() {
        let exact = vec![(1, vec![0.0, 1.0]), (2, vec![2.0, -3.5])];
        assert_eq!(rows("0,1\n2,-3.5", 2).unwrap(), exact);
        // As spreadsheets write them.
        assert_eq!(rows("\u{feff}0,1\r\n2,-3.5\r\n", 2).unwrap(), exact);
        let with_words = rows("\u{feff}# measured\n\ntime, factor\n0, 1\n# half way\n 2 ,-3.5\n", 2).unwrap();
        assert_eq!(with_words, [(4, vec![0.0, 1.0]), (6, vec![2.0, -3.5])]);
        for (text, columns, said) in [
            ("", 2, "the number of rows of a table = 0"),
            ("time, factor\n", 2, "the number of rows of a table = 0"),
            ("7.O, 0.05\n", 2, "line 1 of a table = 7.O, 0.05"),
            ("1.0D0, 2.0D0\n1, 2\n", 2, "line 1 of a table = 1.0D0, 2.0D0"),
            ("0, 0\n7.O, 0.05\n9, 0\n", 2, "line 2 of a table = 7.O, 0.05"),
            ("0, 0, 9\n1, 1\n", 2, "line 1 of a table = 0, 0, 9"),
            ("t, u\nwhat, is this\n1, 1\n", 2, "line 2"),
            ("0, inf\n", 2, "2 finite numbers"),
            ("0, 1\n", 3, "3 finite numbers"),
        ] {
            let error = rows(text, columns).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
