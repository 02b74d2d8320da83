//! How well tiles cover infinitely long straight channels along an axis: the data of Figs. 8 and 10 of Tomczak & Szafran.

use super::Geometry;
use super::primitives::Cylinder;
use super::shape::Shape;
use super::tile_origins::tile_origins;
use crate::error::Error;

/// The tile utilisation of a channel of one size, for all placements of the tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelPoint {
    /// Side or diameter, in nodes.
    pub side: usize,
    /// The utilisation (Eq. 14) for each of the a^2 placements of tiles with edge a.
    pub utilisations: Vec<f64>,
}

impl ChannelPoint {
    /// The average over the placements.
    #[must_use]
    pub fn average(&self) -> f64 {
        self.utilisations.iter().sum::<f64>() / self.utilisations.len() as f64
    }

    /// That of the worst placement.
    #[must_use]
    pub fn least(&self) -> f64 {
        self.utilisations.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// That of the best placement.
    #[must_use]
    pub fn greatest(&self) -> f64 {
        self.utilisations.iter().copied().fold(0.0, f64::max)
    }
}

/// A channel of side x side nodes covered by tiles of `edge` nodes: a point of Fig. 8.
///
/// # Errors
/// [`Error::OutOfRange`] if the side or the edge is 0.
pub fn square_channel(side: usize, edge: usize) -> Result<ChannelPoint, Error> {
    point(side, edge, &Geometry::empty([side, side, 1])?)
}

/// A circular channel `side` nodes across, covered by tiles of `edge` nodes: a point of Fig. 10. A node belongs to it if its centre
/// does; the paper does not say what it took, and what it says of the averages holds within 0.01.
///
/// # Errors
/// [`Error::OutOfRange`] if the diameter or the edge is 0.
pub fn circular_channel(side: usize, edge: usize) -> Result<ChannelPoint, Error> {
    let middle = side as f64 / 2.0;
    let fluid = Cylinder { from: [middle, middle, -1.0], to: [middle, middle, 2.0], radius: middle };
    point(side, edge, &Geometry::of([side, side, 1], &fluid.complement())?)
}

fn point(side: usize, edge: usize, section: &Geometry) -> Result<ChannelPoint, Error> {
    let fluid = section.fluid_nodes() as f64;
    let placements = tile_origins(section, [edge, edge, 1])?;
    let utilisation = |tiles: usize| fluid / (tiles * edge * edge) as f64;
    Ok(ChannelPoint { side, utilisations: placements.iter().map(|count| utilisation(count.tiles)).collect() })
}
