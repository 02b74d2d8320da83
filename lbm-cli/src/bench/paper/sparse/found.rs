//! What the tiles paper found on its card, as shares of that card's bandwidth.

use crate::variants::Entry;

/// A row of the paper's tables: the speed of a kernel along a series.
pub(in super::super) struct Found {
    pub(in super::super) kernel: Kernel,
    /// `f64` or `f32`.
    pub(in super::super) precision: &'static str,
    /// Place along the series, million fluid nodes a second.
    pub(in super::super) mflups: &'static [(f64, f64)],
}

/// What was timed, on tiles and with two copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Kernel {
    /// A step with this collision.
    Step(&'static str),
    /// Streaming without collision.
    Propagation,
    /// As many values in and out, in place.
    ReadWrite,
}

/// A GTX Titan's peak bandwidth, bytes a second a million nodes a second.
const PEAK: f64 = 288.4e3;

impl Found {
    /// Places along the series, and shares of the peak bandwidth.
    pub(super) fn shares(&self) -> Vec<(f64, f64)> {
        let bytes = if self.precision == "f64" { 304.0 } else { 152.0 };
        self.mflups.iter().map(|&(at, mflups)| (at, mflups * bytes / PEAK)).collect()
    }

    /// Whether it is a step of this variant.
    pub(super) fn is_step_of(&self, entry: &'static Entry) -> bool {
        self.kernel == Kernel::Step(&entry.label) && self.is_like(entry)
    }

    /// Whether it is of tiles, in two copies of this precision.
    fn is_like(&self, entry: &Entry) -> bool {
        let two_copies = entry.streaming == "two-lattice-pull";
        two_copies && entry.facts.addressing.name == "tiled4" && entry.precision == self.precision
    }
}

/// The shares that the paper found of a variant's step, of its propagation, and of reads and writes.
pub(super) fn of(found: &[Found], entry: &'static Entry, at: f64) -> [Option<f64>; 3] {
    [Kernel::Step(&entry.label), Kernel::Propagation, Kernel::ReadWrite].map(|kernel| {
        let row = found.iter().find(|row| row.kernel == kernel && row.is_like(entry))?;
        nearest(&row.shares(), at)
    })
}

/// The value at the nearest place, which is not an eighth away: the paper's best cubes are not ours to the node.
pub(super) fn nearest(values: &[(f64, f64)], at: f64) -> Option<f64> {
    let off = |place: f64| (place - at).abs();
    let nearest = values.iter().min_by(|a, b| off(a.0).total_cmp(&off(b.0)));
    nearest.filter(|(place, _)| off(*place) < place / 8.0).map(|&(_, value)| value)
}
