//! How errors fall from grid to grid.

/// The lowest order of errors between neighbouring numbers of nodes, so that no pair hides behind the others.
pub(super) fn lowest_order(nodes: &[usize], errors: &[f64]) -> f64 {
    let pairs = errors.windows(2).zip(nodes.windows(2));
    lowest(pairs.map(|(e, n)| (e[0] / e[1]).ln() / (n[1] as f64 / n[0] as f64).ln()))
}

/// The slope with which errors fall, of the straight line that is nearest to the logarithms of (nodes, error).
pub(super) fn slope(errors: &[(f64, f64)]) -> f64 {
    let points = || errors.iter().map(|(nodes, error)| (nodes.ln(), error.ln()));
    let count = errors.len() as f64;
    let (x, y) = points().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (both, square) = points().fold((0.0, 0.0), |(both, square), point| {
        (both + (point.0 - x) * (point.1 - y), square + (point.0 - x).powi(2))
    });
    -both / square
}

/// `1.2e-3, 3.1e-4`.
pub(super) fn joined(errors: &[f64]) -> String {
    errors.iter().map(|error| format!("{error:.2e}")).collect::<Vec<_>>().join(", ")
}

/// The lowest value; NaN if there is one.
pub(super) fn lowest(values: impl IntoIterator<Item = f64>) -> f64 {
    // f64::min would drop a NaN.
    let lower = |least: f64, value: f64| if value >= least || least.is_nan() { least } else { value };
    values.into_iter().fold(f64::INFINITY, lower)
}
