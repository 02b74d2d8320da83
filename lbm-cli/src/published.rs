//! Published lines through flows, and series: tables of the literature, in CSV files beside this one, with what is known of misprints.

/// Table I of Ghia, Ghia & Shin: a column for each Reynolds number.
pub const GHIA_U: &str = include_str!("published/ghia_u.csv");
/// Table II.
pub const GHIA_V: &str = include_str!("published/ghia_v.csv");
/// The spectral solution of the square cavity at Re 1000: columns y, u, x, v.
pub const BOTELLA_PEYRET: &str = include_str!("published/botella_peyret.csv");
/// The spectral solution of the cubic cavity at Re 1000: columns y, u, x, v.
pub const ALBENSOEDER_KUHLMANN: &str = include_str!("published/albensoeder_kuhlmann.csv");
/// The drag on spheres in cubic arrays as series: columns power, simple cubic, body-centred.
pub const SANGANI_ACRIVOS: &str = include_str!("published/sangani_acrivos.csv");

/// The tips of a wave of a heavy fluid on a light one: columns t, spike, bubble.
pub const HE_CHEN_ZHANG: &str = include_str!("published/he_chen_zhang.csv");

/// A point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where, in the table's unit.
    pub at: f64,
    /// The value as printed.
    pub value: f64,
    /// Whether comparisons count it; they leave out known misprints.
    pub counts: bool,
}

/// The points of two columns of a table, places and values. None if the table has not both columns.
///
/// # Panics
/// If a cell is no number: the tables are part of the program.
#[must_use]
pub fn line(table: &str, at: &str, value: &str) -> Vec<Point> {
    let mut rows = table.lines().filter(|row| !row.starts_with('#')).map(|row| row.split(','));
    let names: Vec<&str> = rows.next().into_iter().flatten().collect();
    let column = |wanted: &str| names.iter().position(|&name| name == wanted);
    let Some((at, value)) = column(at).zip(column(value)) else { return Vec::new() };
    let number = |text: &str| text.parse::<f64>().expect("the tables hold numbers");
    rows.map(|row| {
        let cells: Vec<&str> = row.collect();
        let printed = cells[value].trim_end_matches('*');
        Point { at: number(cells[at]), value: number(printed), counts: printed == cells[value] }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REYNOLDS_NUMBERS: [&str; 4] = ["100", "400", "1000", "3200"];

    fn ghia() -> impl Iterator<Item = (&'static str, f64, Vec<Point>)> {
        REYNOLDS_NUMBERS
            .into_iter()
            .flat_map(|re| [(re, 1.0, line(GHIA_U, "y", re)), (re, 0.0, line(GHIA_V, "x", re))])
    }

    #[test]
    fn the_tables_meet_the_walls_and_ascend() {
        let others =
            [(BOTELLA_PEYRET, 0.0), (ALBENSOEDER_KUHLMANN, -0.5)].into_iter().flat_map(|(table, low)| {
                [("y", "u", 1.0), ("x", "v", 0.0)].map(|(at, value, lid)| (low, lid, line(table, at, value)))
            });
        for (low, lid, points) in ghia().map(|(_, lid, points)| (0.0, lid, points)).chain(others) {
            assert_eq!(points.len(), 17);
            assert!(points.is_sorted_by(|a, b| a.at < b.at));
            assert_eq!((points[0].at, points[16].at), (low, low + 1.0));
            assert_eq!((points[0].value, points[16].value), (0.0, lid));
        }
        // Ghia's grid has 128 cells; printed coordinates are rounded to four digits.
        for point in ghia().flat_map(|(_, _, points)| points) {
            let cell = point.at * 128.0;
            assert!((cell - cell.round()).abs() < 0.01, "{}", point.at);
        }
        assert!(line(GHIA_U, "y", "500").is_empty());
    }

    #[test]
    fn columns_sum_to_what_the_sources_sum_to() {
        // Sums of the columns as found in two independent transcriptions of the tables.
        let sums: Vec<i64> = ghia()
            .map(|(_, _, points)| points.iter().map(|p| (p.value * 1e5).round() as i64).sum())
            .collect();
        assert_eq!(sums, [328674, 2730, 281385, -1683, 205789, -23732, 58640, -45257]);
    }

    #[test]
    fn just_the_two_known_misprints_are_marked() {
        let marked: Vec<_> = ghia()
            .flat_map(|(re, _, points)| points.into_iter().map(move |point| (re, point)))
            .filter(|(_, point)| !point.counts)
            .map(|(re, point)| (re, point.at, point.value))
            .collect();
        assert_eq!(marked, [("400", 0.9063, -0.23827), ("3200", 0.4531, -0.86636)]);
    }
}
