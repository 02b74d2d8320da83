//! What the tiles paper found on its card, as shares of that card's bandwidth.

use std::sync::LazyLock;

use crate::variants::Entry;

/// A row of the paper's tables: the speed of a kernel along a series.
struct Found {
    /// The name of the series.
    part: &'static str,
    /// `f64` or `f32`.
    precision: &'static str,
    /// What was timed, on tiles and with two copies: a step with the collision of this name, [`PROPAGATION`] or [`READ_WRITE`].
    kernel: &'static str,
    /// Place along the series, million fluid nodes a second.
    values: Vec<(f64, f64)>,
}

/// Streaming without collision.
pub(super) const PROPAGATION: &str = "propagation";

/// As many values in and out, in place.
pub(super) const READ_WRITE: &str = "read-write";

static FOUND: LazyLock<Vec<Found>> = LazyLock::new(|| {
    let lines = include_str!("tiles.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| read(line).expect("the table is well-formed")).collect()
});

fn read(line: &'static str) -> Option<Found> {
    let mut words = line.split(' ');
    let (part, precision, kernel) = (words.next()?, words.next()?, words.next()?);
    let value = |word: &str| {
        let (at, value) = word.split_once(':')?;
        Some((at.parse().ok()?, value.parse().ok()?))
    };
    Some(Found { part, precision, kernel, values: words.map(value).collect::<Option<_>>()? })
}

/// What was found along a series, as it is in the table; nothing if it is not there.
fn values(part: &str, kernel: &str, precision: &str) -> &'static [(f64, f64)] {
    let row = FOUND.iter().find(|row| (row.part, row.kernel, row.precision) == (part, kernel, precision));
    row.map_or(&[], |row| &row.values)
}

/// The utilisation of tiles along a series.
pub(super) fn utilisation(part: &str) -> &'static [(f64, f64)] {
    values(part, "utilisation", "-")
}

/// A GTX Titan's peak bandwidth, bytes a second a million nodes a second.
const PEAK: f64 = 288.4e3;

/// Places along a series, and shares of the peak bandwidth that a kernel had there.
pub(super) fn shares(part: &str, kernel: &str, precision: &str) -> Vec<(f64, f64)> {
    let bytes = if precision == "f64" { 304.0 } else { 152.0 };
    let share = |&(at, mflups): &(f64, f64)| (at, mflups * bytes / PEAK);
    values(part, kernel, precision).iter().map(share).collect()
}

/// The same of a variant, if it is of tiles in two copies.
pub(super) fn shares_of(part: &str, kernel: &str, entry: &Entry) -> Vec<(f64, f64)> {
    let facts = &entry.facts;
    let alike = (facts.pattern.name, facts.addressing.name) == ("two-lattice-pull", "tiled4");
    if alike { shares(part, kernel, facts.precision.name) } else { Vec::new() }
}

/// The value at the nearest place, which is not an eighth away: the paper's best cubes are not ours to the node.
pub(super) fn nearest(values: &[(f64, f64)], at: f64) -> Option<f64> {
    let off = |place: f64| (place - at).abs();
    let nearest = values.iter().min_by(|a, b| off(a.0).total_cmp(&off(b.0)));
    nearest.filter(|(place, _)| off(*place) < place / 8.0).map(|&(_, value)| value)
}
