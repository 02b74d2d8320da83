//! How well uniform tiles cover a sparse geometry, and what that costs.
//!
//! Source: Tomczak & Szafran, sections 3.1 and, for what tiles have in common, 4.4.

use super::Geometry;
use super::propagation::PropagationModel;
use super::tile_origins::tile_origins;
use crate::domain::shown;
use crate::error::Error;
use crate::parallel::each_chunk;

/// A uniform grid of equal tiles laid over a box. Where a tile sticks out of the box its nodes are solid; tiles without any
/// fluid node are left out (algorithm 1 of the paper).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tiling {
    edges: [usize; 3],
    origin: [usize; 3],
}

impl Tiling {
    /// Tiles of `edges` nodes along x, y, z, with a corner of one of them at `origin`: all tiles begin at nodes that differ from it by
    /// whole edges.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless a tile has 1 to 65536 nodes, or if the origin is not below the edges.
    pub fn new(edges: [usize; 3], origin: [usize; 3]) -> Result<Tiling, Error> {
        check_edges(edges)?;
        if (0..3).any(|axis| origin[axis] >= edges[axis]) {
            return Err(Error::out_of_range(
                "tile origin",
                format!("{origin:?}"),
                format!("below the tile's edges {}", shown(edges)),
                "take the remainder by the edges; the tiles are the same",
            ));
        }
        Ok(Tiling::at(edges, origin))
    }

    /// The same for edges and an origin that are allowed.
    pub(crate) fn at(edges: [usize; 3], origin: [usize; 3]) -> Tiling {
        Tiling { edges, origin }
    }

    /// Of all origins the one with the fewest tiles, the first in the order x, y, z of several as good.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless a tile has 1 to 65536 nodes.
    pub fn best(geometry: &Geometry, edges: [usize; 3]) -> Result<Tiling, Error> {
        let counts = tile_origins(geometry, edges)?;
        let best = counts.iter().min_by_key(|count| count.tiles);
        Tiling::new(edges, best.map_or([0; 3], |count| count.origin))
    }

    /// Nodes along the edges of a tile.
    #[must_use]
    pub fn edges(&self) -> [usize; 3] {
        self.edges
    }

    /// Where a tile begins, below the edges.
    #[must_use]
    pub fn origin(&self) -> [usize; 3] {
        self.origin
    }

    /// Nodes of a tile, n_tn of the paper.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.edges.iter().product()
    }

    /// How many tiles along x, y, z a box takes.
    #[must_use]
    pub fn grid(&self, size: [usize; 3]) -> [usize; 3] {
        std::array::from_fn(|axis| (size[axis] + self.lead(axis)).div_ceil(self.edges[axis]))
    }

    /// Whether each tile of the grid, in the order x, y, z, has a fluid node.
    #[must_use]
    pub fn occupied(&self, geometry: &Geometry) -> Vec<bool> {
        let [nx, ny, nz] = geometry.size();
        let [tx, ty, _] = self.grid(geometry.size());
        let mut occupied = vec![false; self.grid(geometry.size()).iter().product()];
        each_chunk(&mut occupied, tx * ty, |tile_z, layer| {
            // The first tiles may begin before the box.
            let from = (tile_z * self.edges[2]).saturating_sub(self.lead(2));
            let to = ((tile_z + 1) * self.edges[2] - self.lead(2)).min(nz);
            for (z, y) in (from..to).flat_map(|z| (0..ny).map(move |y| (z, y))) {
                let row = &geometry.solid()[nx * (y + ny * z)..][..nx];
                let tiles = &mut layer[tx * ((y + self.lead(1)) / self.edges[1])..][..tx];
                let (first, rest) = row.split_at((self.edges[0] - self.lead(0)).min(nx));
                let parts = std::iter::once(first).chain(rest.chunks(self.edges[0]));
                for (tile, part) in tiles.iter_mut().zip(parts) {
                    *tile = *tile || part.contains(&0);
                }
            }
        });
        occupied
    }

    /// The first node of a tile of the grid; before the box (negative) for the first tiles of some origins.
    #[must_use]
    pub fn corner(&self, tile: [usize; 3]) -> [i64; 3] {
        std::array::from_fn(|axis| (tile[axis] * self.edges[axis]) as i64 - self.lead(axis) as i64)
    }

    /// What these tiles make of a geometry.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if all nodes are solid.
    pub fn statistics(&self, geometry: &Geometry) -> Result<TileStatistics, Error> {
        geometry.require_fluid()?;
        let grid = self.grid(geometry.size());
        let occupied = self.occupied(geometry);
        let (common_faces, common_edges) = common(grid, &occupied);
        Ok(TileStatistics {
            tiling: *self,
            grid,
            tiles: occupied.iter().filter(|&&tile| tile).count(),
            fluid_nodes: geometry.fluid_nodes(),
            common_faces,
            common_edges,
        })
    }

    /// How many nodes of the first tile lie before the box.
    fn lead(&self, axis: usize) -> usize {
        (self.edges[axis] - self.origin[axis]) % self.edges[axis]
    }
}

/// Refuses tiles without nodes, and such as nobody can mean: there is a count for every origin.
pub(super) fn check_edges(edges: [usize; 3]) -> Result<(), Error> {
    let nodes = edges[0].checked_mul(edges[1]).and_then(|plane| plane.checked_mul(edges[2]));
    if nodes.is_some_and(|nodes| (1..=1 << 16).contains(&nodes)) {
        return Ok(());
    }
    Err(Error::out_of_range(
        "tile edges",
        shown(edges),
        "1 to 65536 nodes a tile",
        "take e.g. 4 x 4 x 4, or 1 along axes that the lattice has not",
    ))
}

/// Faces that two, and edges that four tiles with fluid have in common.
fn common(grid: [usize; 3], occupied: &[bool]) -> (usize, usize) {
    let [tx, ty, tz] = grid;
    let at = |x: usize, y: usize, z: usize| x < tx && y < ty && z < tz && occupied[x + tx * (y + ty * z)];
    let (mut faces, mut edges) = (0, 0);
    for z in 0..tz {
        for y in 0..ty {
            for x in (0..tx).filter(|&x| at(x, y, z)) {
                let (east, north, top) = (at(x + 1, y, z), at(x, y + 1, z), at(x, y, z + 1));
                faces += [east, north, top].into_iter().filter(|&face| face).count();
                edges += usize::from(east && north && at(x + 1, y + 1, z));
                edges += usize::from(east && top && at(x + 1, y, z + 1));
                edges += usize::from(north && top && at(x, y + 1, z + 1));
            }
        }
    }
    (faces, edges)
}

/// What tiles make of a geometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TileStatistics {
    /// The tiles.
    pub tiling: Tiling,
    /// Tiles along x, y, z that cover the box, with and without fluid.
    pub grid: [usize; 3],
    /// Tiles with at least one fluid node, t_n of the paper.
    pub tiles: usize,
    /// Fluid nodes, n_fn of the paper.
    pub fluid_nodes: usize,
    /// Faces between two tiles with fluid. Faces that meet around a periodic box do not count.
    pub common_faces: usize,
    /// Edges at which four tiles with fluid meet.
    pub common_edges: usize,
}

impl TileStatistics {
    /// The average tile utilisation eta_t (Eq. 14): fluid nodes as a share of the nodes of all tiles with fluid.
    #[must_use]
    pub fn utilisation(&self) -> f64 {
        self.fluid_nodes as f64 / (self.tiles * self.tiling.nodes()) as f64
    }

    /// Common faces a tile, eta_f of the paper: below 3.
    #[must_use]
    pub fn faces_per_tile(&self) -> f64 {
        self.common_faces as f64 / self.tiles as f64
    }

    /// Common edges a tile, eta_e of the paper: below 3.
    #[must_use]
    pub fn edges_per_tile(&self) -> f64 {
        self.common_edges as f64 / self.tiles as f64
    }

    /// The share of bandwidth that a model predicts of a kernel which only propagates.
    #[must_use]
    pub fn propagation_share(&self, model: &PropagationModel) -> f64 {
        model.share(self.faces_per_tile(), self.edges_per_tile())
    }
}
