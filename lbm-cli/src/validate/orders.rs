//! How errors fall from grid to grid.

/// The lowest order of errors between neighbouring numbers of nodes, so that no pair hides behind the others.
pub(super) fn lowest_order(nodes: &[usize], errors: &[f64]) -> f64 {
    let pairs = errors.windows(2).zip(nodes.windows(2));
    lowest(pairs.map(|(e, n)| (e[0] / e[1]).ln() / (n[1] as f64 / n[0] as f64).ln()))
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
