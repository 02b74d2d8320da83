//! The lid-driven cavity of Ghia, Ghia & Shin (1982), and how far a computed one is from it.
//!
//! U. Ghia, K. N. Ghia, C. T. Shin, "High-Re solutions for incompressible flow using the Navier-Stokes equations
//! and a multigrid method", J. Comput. Phys. 48 (1982) 387-411: Table I (u along the vertical line through the
//! centre) and Table II (v along the horizontal one), both on 129 x 129 points. The lid is the upper wall and
//! moves in +x. Coordinates are in units of the cavity's side, velocities in units of the lid's.
//!
//! Two entries are misprints, kept as printed but marked: v at x = 0.9063 for Re 400 (its neighbours and all
//! later work ask for about -0.38), and u at y = 0.4531 for Re 3200 (a lost zero: about -0.0866).

/// An entry of the tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// y of the u table, x of the v table: from 0 to 1.
    pub coordinate: f64,
    /// u or v in units of the lid's velocity, as printed.
    pub value: f64,
    /// Whether the entry is a known misprint; comparisons leave it out.
    pub misprint: bool,
}

/// The Reynolds numbers for which the tables are given here.
pub const REYNOLDS_NUMBERS: [u32; 4] = [100, 400, 1000, 3200];

/// Table I: u(y) at x = 1/2, upwards from the bottom. `None` if this Reynolds number is not in
/// [`REYNOLDS_NUMBERS`].
#[must_use]
pub fn u_centreline(reynolds: u32) -> Option<&'static [Point]> {
    let column = REYNOLDS_NUMBERS.iter().position(|&re| re == reynolds)?;
    Some(&U[column])
}

/// Table II: v(x) at y = 1/2, from the left to the right. `None` if this Reynolds number is not in
/// [`REYNOLDS_NUMBERS`].
#[must_use]
pub fn v_centreline(reynolds: u32) -> Option<&'static [Point]> {
    let column = REYNOLDS_NUMBERS.iter().position(|&re| re == reynolds)?;
    Some(&V[column])
}

/// A point of the tables beside the computed value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Ghia's entry.
    pub point: Point,
    /// The profile, interpolated at the point's coordinate.
    pub computed: f64,
}

impl Row {
    /// Computed minus printed, in units of the lid's velocity.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        self.computed - self.point.value
    }
}

/// How far a profile is from the tables, in units of the lid's velocity.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// One row a point, misprints included.
    pub rows: Vec<Row>,
    /// The largest absolute deviation, misprints left out.
    pub max: f64,
    /// The root of the mean square deviation, misprints left out.
    pub rms: f64,
}

/// Compares a profile with a column of the tables.
///
/// `coordinates` ascend within 0 to 1 and `values` are velocities over the lid's. Give the wall values at 0 and 1
/// too; nodes of half-way walls lie at (i + 1/2) / N. Between the samples a cubic through the four nearest
/// is taken, so that the comparison's own error is far below the tables' five digits.
///
/// # Panics
/// If there are fewer than four samples, or not as many values as coordinates.
#[must_use]
pub fn compare(points: &[Point], coordinates: &[f64], values: &[f64]) -> Comparison {
    let row = |&point: &Point| Row { point, computed: interpolate(coordinates, values, point.coordinate) };
    let rows: Vec<Row> = points.iter().map(row).collect();
    // A NaN must not pass for a small deviation, as it would with f64::max.
    let larger = |a: f64, b: f64| if a >= b || a.is_nan() { a } else { b };
    let deviations = rows.iter().filter(|row| !row.point.misprint).map(Row::deviation);
    let (count, max, squares) = deviations.fold((0u32, 0.0, 0.0), |(count, max, squares), deviation| {
        (count + 1, larger(max, deviation.abs()), squares + deviation * deviation)
    });
    Comparison { rows, max, rms: (squares / f64::from(count.max(1))).sqrt() }
}

/// Lagrange's cubic through the four samples around `at`; the outermost four near the ends.
fn interpolate(coordinates: &[f64], values: &[f64], at: f64) -> f64 {
    assert_eq!(coordinates.len(), values.len(), "one value a coordinate");
    assert!(coordinates.len() >= 4, "a profile needs four samples, this has {}", coordinates.len());
    let above = coordinates.partition_point(|&coordinate| coordinate < at);
    let first = above.saturating_sub(2).min(coordinates.len() - 4);
    let (x, f) = (&coordinates[first..first + 4], &values[first..first + 4]);
    let weight = |i: usize| (0..4).filter(|&j| j != i).map(|j| (at - x[j]) / (x[i] - x[j])).product::<f64>();
    (0..4).map(|i| weight(i) * f[i]).sum()
}

const fn column(coordinates: &[f64; 17], values: &[f64; 17], misprint: Option<usize>) -> [Point; 17] {
    let mut points = [Point { coordinate: 0.0, value: 0.0, misprint: false }; 17];
    let mut i = 0;
    while i < 17 {
        points[i] = Point { coordinate: coordinates[i], value: values[i], misprint: false };
        i += 1;
    }
    if let Some(i) = misprint {
        points[i].misprint = true;
    }
    points
}

const Y: [f64; 17] = [
    0.0000, 0.0547, 0.0625, 0.0703, 0.1016, 0.1719, 0.2813, 0.4531, 0.5000, 0.6172, 0.7344, 0.8516, 0.9531,
    0.9609, 0.9688, 0.9766, 1.0000,
];

const X: [f64; 17] = [
    0.0000, 0.0625, 0.0703, 0.0781, 0.0938, 0.1563, 0.2266, 0.2344, 0.5000, 0.8047, 0.8594, 0.9063, 0.9453,
    0.9531, 0.9609, 0.9688, 1.0000,
];

/// Table I.
static U: [[Point; 17]; 4] = [
    column(
        &Y,
        &[
            0.00000, -0.03717, -0.04192, -0.04775, -0.06434, -0.10150, -0.15662, -0.21090, -0.20581,
            -0.13641, 0.00332, 0.23151, 0.68717, 0.73722, 0.78871, 0.84123, 1.00000,
        ],
        None,
    ),
    column(
        &Y,
        &[
            0.00000, -0.08186, -0.09266, -0.10338, -0.14612, -0.24299, -0.32726, -0.17119, -0.11477, 0.02135,
            0.16256, 0.29093, 0.55892, 0.61756, 0.68439, 0.75837, 1.00000,
        ],
        None,
    ),
    column(
        &Y,
        &[
            0.00000, -0.18109, -0.20196, -0.22220, -0.29730, -0.38289, -0.27805, -0.10648, -0.06080, 0.05702,
            0.18719, 0.33304, 0.46604, 0.51117, 0.57492, 0.65928, 1.00000,
        ],
        None,
    ),
    column(
        &Y,
        &[
            0.00000, -0.32407, -0.35344, -0.37827, -0.41933, -0.34323, -0.24427, -0.86636, -0.04272, 0.07156,
            0.19791, 0.34682, 0.46101, 0.46547, 0.48296, 0.53236, 1.00000,
        ],
        Some(7),
    ),
];

/// Table II.
static V: [[Point; 17]; 4] = [
    column(
        &X,
        &[
            0.00000, 0.09233, 0.10091, 0.10890, 0.12317, 0.16077, 0.17507, 0.17527, 0.05454, -0.24533,
            -0.22445, -0.16914, -0.10313, -0.08864, -0.07391, -0.05906, 0.00000,
        ],
        None,
    ),
    column(
        &X,
        &[
            0.00000, 0.18360, 0.19713, 0.20920, 0.22965, 0.28124, 0.30203, 0.30174, 0.05186, -0.38598,
            -0.44993, -0.23827, -0.22847, -0.19254, -0.15663, -0.12146, 0.00000,
        ],
        Some(11),
    ),
    column(
        &X,
        &[
            0.00000, 0.27485, 0.29012, 0.30353, 0.32627, 0.37095, 0.33075, 0.32235, 0.02526, -0.31966,
            -0.42665, -0.51550, -0.39188, -0.33714, -0.27669, -0.21388, 0.00000,
        ],
        None,
    ),
    column(
        &X,
        &[
            0.00000, 0.39560, 0.40917, 0.41906, 0.42768, 0.37119, 0.29030, 0.28188, 0.00999, -0.31184,
            -0.37401, -0.44307, -0.54053, -0.52357, -0.47425, -0.39017, 0.00000,
        ],
        None,
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = (u32, &'static [Point])> {
        REYNOLDS_NUMBERS
            .into_iter()
            .flat_map(|re| [u_centreline(re), v_centreline(re)].map(|points| (re, points.unwrap())))
    }

    #[test]
    fn the_tables_meet_the_walls_and_ascend() {
        for (re, points) in all() {
            assert_eq!(points.len(), 17);
            assert!(points.is_sorted_by(|a, b| a.coordinate < b.coordinate));
            assert_eq!((points[0].coordinate, points[16].coordinate), (0.0, 1.0));
            assert_eq!(points[0].value, 0.0);
            let lid = if points == u_centreline(re).unwrap() { 1.0 } else { 0.0 };
            assert_eq!(points[16].value, lid);
            // Their grid has 128 cells; printed coordinates are rounded to four digits.
            for point in points {
                let cell = point.coordinate * 128.0;
                assert!((cell - cell.round()).abs() < 0.01, "{}", point.coordinate);
            }
        }
        assert_eq!(u_centreline(500), None);
    }

    #[test]
    fn columns_sum_to_what_the_sources_sum_to() {
        // Sums of the columns as found in two independent transcriptions of the tables.
        let sums: Vec<i64> =
            all().map(|(_, points)| points.iter().map(|p| (p.value * 1e5).round() as i64).sum()).collect();
        assert_eq!(sums, [328674, 2730, 281385, -1683, 205789, -23732, 58640, -45257]);
    }

    #[test]
    fn just_the_two_known_misprints_are_marked() {
        let marked: Vec<_> = all()
            .flat_map(|(re, points)| points.iter().map(move |point| (re, point)))
            .filter(|(_, point)| point.misprint)
            .map(|(re, point)| (re, point.coordinate, point.value))
            .collect();
        assert_eq!(marked, [(400, 0.9063, -0.23827), (3200, 0.4531, -0.86636)]);
    }

    #[test]
    fn a_cubic_profile_is_met_exactly_and_a_shift_is_measured() {
        let nodes: Vec<f64> = (0..32).map(|i| (f64::from(i) + 0.5) / 32.0).collect();
        let coordinates: Vec<f64> = [0.0].into_iter().chain(nodes).chain([1.0]).collect();
        let cubic = |x: f64| 0.3 - x + 2.0 * x * x - 0.7 * x.powi(3);
        let values: Vec<f64> = coordinates.iter().map(|&x| cubic(x)).collect();
        let points: Vec<Point> = u_centreline(3200)
            .unwrap()
            .iter()
            .map(|p| Point { value: if p.misprint { 9.0 } else { cubic(p.coordinate) }, ..*p })
            .collect();
        let exact = compare(&points, &coordinates, &values);
        assert!(exact.max < 1e-14 && exact.rms < 1e-14 && exact.rows.len() == 17);
        let shifted: Vec<f64> = values.iter().map(|v| v + 0.01).collect();
        let shifted = compare(&points, &coordinates, &shifted);
        assert!((shifted.max - 0.01).abs() < 1e-13 && (shifted.rms - 0.01).abs() < 1e-13);
        assert!((shifted.rows[0].deviation() - 0.01).abs() < 1e-13);
    }

    #[test]
    fn a_profile_with_a_nan_does_not_pass() {
        let coordinates: Vec<f64> = (0..=10).map(|i| f64::from(i) / 10.0).collect();
        for broken in 0..11 {
            let mut values = [0.5; 11];
            values[broken] = f64::NAN;
            let comparison = compare(u_centreline(100).unwrap(), &coordinates, &values);
            assert!(comparison.max.is_nan() && comparison.rms.is_nan());
        }
    }
}
