//! Tiles of the box with at least one fluid node.
//!
//! Source: Tomczak & Szafran, *A new GPU implementation for lattice-Boltzmann simulations on sparse geometries*, section 3.

use super::{Addressing, Extent, Listing, Region};
use crate::domain::position;
use crate::geometry::{OriginCount, Tiling, count_origins};
use crate::index::{Index, Numbers, Table};
use crate::parallel::in_pieces;

/// Tiles of `X` x `Y` x `Z` nodes (`Tiled<4>` has cubes); those without a fluid node are not stored. A tile knows the numbers of
/// the 27 tiles around it. Between walls tiles begin where the fewest are needed, and the box is filled up with solid nodes to
/// whole tiles.
#[derive(Clone, Debug)]
pub struct Tiled<const X: usize, const Y: usize = X, const Z: usize = X, I: Index = usize> {
    nodes: I,
    around: I::Table,
}

/// Tiles around a tile, itself included.
const AROUND: usize = 27;

impl<const X: usize, const Y: usize, const Z: usize, I: Index> Addressing<I> for Tiled<X, Y, Z, I> {
    const NAME: &'static str = name([X, Y, Z]);
    type On<J: Index> = Tiled<X, Y, Z, J>;
    const LISTED: bool = true;
    const GROUP: usize = X * Y * Z;
    const GRANULE: [usize; 3] = [X, Y, Z];

    fn list(region: &Region<'_>) -> Listing {
        list(region, [X, Y, Z])
    }

    fn new(extent: &Extent<I>) -> Self {
        Tiled { nodes: extent.nodes.clone(), around: extent.tables[0].clone() }
    }

    #[inline(always)]
    fn neighbour(&self, node: I, shift: [i32; 3]) -> I {
        if shift == [0; 3] {
            return node;
        }
        let (tile, within) = (node.clone() / (X * Y * Z), node % (X * Y * Z));
        let [x, y, z] = [within.clone() % X, within.clone() / X % Y, within / (X * Y)];
        // From the start of the tile before, so that nothing is negative: which tile along the axis, and where in it.
        let moved = |at: I, along: i32, edge: usize| match along {
            0 => (I::from(1), at),
            _ => {
                let at = at + (edge as i64 + i64::from(along)) as usize;
                (at.clone() / edge, at % edge)
            }
        };
        let (x, y, z) = (moved(x, shift[0], X), moved(y, shift[1], Y), moved(z, shift[2], Z));
        let number = x.0 + (y.0 + z.0 * 3) * 3;
        let within = x.1 + (y.1 + z.1 * Y) * X;
        self.around.look(tile, number) * (X * Y * Z) + within
    }

    fn nodes(&self) -> I {
        self.nodes.clone()
    }
}

/// The tiling algorithm of the paper, section 3.1, from the origin with the fewest tiles.
fn list(region: &Region<'_>, edges: [usize; 3]) -> Listing {
    let (size, tiling) = (region.size(), fewest_tiles(region, edges));
    let (grid, nodes) = (tiling.grid(size), tiling.nodes());
    let node = |tile: usize, n: usize| -> Option<[usize; 3]> {
        let corner = tiling.corner(position(grid, tile));
        let within = position(edges, n);
        // Before the box the sum is negative, which is a large number, too.
        let at = [0, 1, 2].map(|axis| (corner[axis] + within[axis] as i64) as usize);
        (0..3).all(|axis| at[axis] < size[axis]).then_some(at)
    };
    let tiles: Vec<u32> = in_pieces(grid.iter().product(), 1, |tiles| {
        let stored =
            |&tile: &usize| (0..nodes).filter_map(|n| node(tile, n)).any(|position| region.stores(position));
        tiles.filter(stored).map(|tile| tile as u32).collect()
    });
    let map = Listing::numbers(&tiles, grid.iter().product());
    let around = in_pieces(tiles.len(), 1, |numbers| {
        let mut entries = Vec::with_capacity(AROUND * numbers.len());
        for &tile in &tiles[numbers] {
            let at = position(grid, tile as usize);
            entries.extend((0..AROUND).map(|n| {
                let step = position([3; 3], n);
                let [x, y, z]: [usize; 3] =
                    std::array::from_fn(|axis| (at[axis] + grid[axis] + step[axis] - 1) % grid[axis]);
                map[x + grid[0] * (y + grid[1] * z)]
            }));
        }
        entries
    });
    let positions =
        in_pieces(tiles.len(), 1, |numbers| {
            let mut positions = Vec::with_capacity(nodes * numbers.len());
            for &tile in &tiles[numbers] {
                positions.extend((0..nodes).map(|n| {
                    node(tile as usize, n).map_or(Listing::PADDING, |position| region.index(position))
                }));
            }
            positions
        });
    Listing { positions, tables: vec![Numbers::new(AROUND, around)] }
}

/// The tiles whose origin, of all that are allowed, has the fewest of them. Around a periodic box tiles begin at its corner, in a part at its cuts.
fn fewest_tiles(region: &Region<'_>, edges: [usize; 3]) -> Tiling {
    let domain = region.domain();
    let fixed: [Option<usize>; 3] =
        std::array::from_fn(|axis| match edges[axis] > 1 && !domain.is_periodic(axis) {
            true => domain.seams[axis].map(|seam| seam % edges[axis]),
            false => Some(0),
        });
    let corner = fixed.map(|origin| origin.unwrap_or(0));
    if domain.flags.is_empty() || !fixed.contains(&None) {
        // All origins but the corner's leave more of the box's faces to tiles that are not full.
        return Tiling::at(edges, corner);
    }
    let allowed = |count: &&OriginCount| {
        (0..3).all(|axis| fixed[axis].is_none_or(|origin| count.origin[axis] == origin))
    };
    let counts = count_origins(domain.size, &domain.flags, edges);
    let fewest = counts.iter().filter(allowed).min_by_key(|count| count.tiles);
    Tiling::at(edges, fewest.map_or(corner, |count| count.origin))
}

/// A name has to be known as text when the program is compiled.
const fn name(edges: [usize; 3]) -> &'static str {
    match edges {
        [2, 2, 2] => "tiled2",
        [4, 4, 4] => "tiled4",
        [8, 8, 8] => "tiled8",
        [4, 4, 1] => "tiled4x4x1",
        [8, 8, 1] => "tiled8x8x1",
        [16, 16, 1] => "tiled16x16x1",
        [8, 4, 2] => "tiled8x4x2",
        [8, 4, 4] => "tiled8x4x4",
        [8, 8, 4] => "tiled8x8x4",
        [16, 2, 2] => "tiled16x2x2",
        [16, 4, 4] => "tiled16x4x4",
        [32, 2, 2] => "tiled32x2x2",
        [32, 4, 4] => "tiled32x4x4",
        [64, 4, 4] => "tiled64x4x4",
        _ => panic!(
            "the edges of `Tiled` are 2, 4, 8 (cubes), 4x4x1, 8x8x1, 16x16x1, 8x4x2, 8x4x4, 8x8x4, 16x2x2, 16x4x4, 32x2x2, \
             32x4x4 or 64x4x4"
        ),
    }
}
