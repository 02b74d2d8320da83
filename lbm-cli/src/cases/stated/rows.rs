//! Values that a table has at places along an axis.

use super::known::Known;
use super::rules::{Field, axis};
use super::table::{Item, Table, of, refused, text};
use crate::cases::fault::Fault;

/// Values along one of these axes from a file of rows: the place in nodes, then the value's numbers. Between rows they lie on a straight line, beyond
/// the first and the last they stay.
pub(super) fn along_rows(
    table: &Table<'_>,
    axes: &[usize],
    count: usize,
    known: &Known<'_>,
) -> Result<Field, Fault> {
    let file = table.need("file", "file = \"inlet.csv\"")?;
    let along = match table.get("along") {
        Some(item) => one_of(item, axes)?,
        None => axes.first().copied().unwrap_or(1),
    };
    let content = known.read(text(file)?).map_err(of(file))?;
    let rows = lbm_core::rows::rows(&content, 1 + count).map_err(of(file))?;
    let rows = ascending(&rows).map_err(|what| {
        let what = format!("{}: {what}", text(file).unwrap_or_default());
        refused(file, what, "give the rows in the order of their places, each once")
    })?;
    Ok(std::sync::Arc::new(move |point| at(&rows, point[along])))
}

/// An axis of those along which something lies.
pub(super) fn one_of(item: &Item<'_>, axes: &[usize]) -> Result<usize, Fault> {
    let along = axis(item)?;
    if axes.contains(&along) {
        return Ok(along);
    }
    let names: Vec<&str> = axes.iter().filter_map(|&axis| ["x", "y", "z"].get(axis).copied()).collect();
    let what = format!("nothing changes along {} here", text(item)?);
    Err(refused(item, what, &format!("take {}", names.join(" or "))))
}

/// Rows as places with vectors.
fn ascending(rows: &[(usize, Vec<f64>)]) -> Result<Vec<(f64, [f64; 3])>, String> {
    if let Some(pair) = rows.windows(2).find(|pair| pair[0].1[0] >= pair[1].1[0]) {
        return Err(format!("the place of line {} is not beyond that before", pair[1].0));
    }
    let vector = |row: &[f64]| std::array::from_fn(|k| row.get(1 + k).copied().unwrap_or(0.0));
    Ok(rows.iter().map(|(_, row)| (row[0], vector(row))).collect())
}

fn at(rows: &[(f64, [f64; 3])], place: f64) -> [f64; 3] {
    let after = rows.partition_point(|&(at, _)| at < place);
    let (Some(&(to, high)), Some(&(from, low))) = (rows.get(after), after.checked_sub(1).map(|k| &rows[k]))
    else {
        return rows[after.min(rows.len() - 1)].1;
    };
    let share = (place - from) / (to - from);
    std::array::from_fn(|k| low[k] + share * (high[k] - low[k]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_interpolated_and_ascend() {
        let read = |text| ascending(&lbm_core::rows::rows(text, 3).unwrap());
        let rows = read("y, u, v\n1, 0, 0\n# half way\n3, 0.2, -0.4\n").unwrap();
        assert_eq!(at(&rows, 2.0), [0.1, -0.2, 0.0]);
        assert_eq!((at(&rows, 0.0), at(&rows, 9.0)), ([0.0; 3], [0.2, -0.4, 0.0]));
        assert!(read("y, u, v\n1,0,0\n1,0,0\n").unwrap_err().contains("line 3"));
    }
}
