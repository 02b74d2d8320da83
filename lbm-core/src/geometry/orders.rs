//! In which order the values of a tile's nodes lie in memory.
//!
//! Orders are for tiles of 4 x 4 x 4 nodes. Thread t of a tile does the node x = t & 3, y = t >> 2 & 3, z = t >> 4 whatever the
//! orders are, and each direction may have its own.
//!
//! Source: Tomczak & Szafran, section 3.2.

use crate::index::Index;

/// Nodes along an edge of a tile that has an order.
pub const TILE_EDGE: usize = 4;

/// Nodes of a tile that has an order.
pub const TILE_NODES: usize = 64;

/// A permutation of a tile's nodes, by a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TileOrder {
    /// The axes from the fastest to the slowest: `[0, 1, 2]` is XYZ.
    Axes([u8; 3]),
    /// The bits of x + 4 y + 16 z from the fastest to the slowest.
    Bits([u8; 6]),
    /// Rows of three in the plane of two axes and what is left of it last, as in Eq. 13.
    Zigzag {
        /// The axes: of the rows, across them, and the third.
        axes: [u8; 3],
        /// Whether rows run backwards: for steps along the other diagonal.
        mirrored: bool,
        /// Whether two neighbours along the third axis lie side by side, as in Eq. 13; otherwise planes follow one another.
        paired: bool,
    },
}

impl TileOrder {
    /// x + 4 y + 16 z (Eq. 11).
    pub const XYZ: TileOrder = TileOrder::Axes([0, 1, 2]);
    /// y + 4 x + 16 z (Eq. 12).
    pub const YXZ: TileOrder = TileOrder::Axes([1, 0, 2]);
    /// 2 (x + 3 y + ((x + 1) & 4) (3 - y)) + (z & 1) + 16 (z & 2) (Eq. 13): a step to the north-east within the tile is 8 places
    /// on, and two neighbours along z lie side by side.
    pub const ZIGZAG_NE: TileOrder = TileOrder::Zigzag { axes: [0, 1, 2], mirrored: false, paired: true };

    /// The order that the paper gives to a direction of D3Q19 by its velocity (E, N, T are +x, +y, +z): [`YXZ`](TileOrder::YXZ)
    /// to E, W, ET, EB, NW, SW, WT, WB, [`ZIGZAG_NE`](TileOrder::ZIGZAG_NE) to NE, SE, [`XYZ`](TileOrder::XYZ) to all others.
    #[must_use]
    pub fn of_paper(velocity: [i32; 3]) -> TileOrder {
        match velocity {
            [1, 1 | -1, 0] => TileOrder::ZIGZAG_NE,
            [0, _, _] => TileOrder::XYZ,
            _ => TileOrder::YXZ,
        }
    }

    /// The place of a node, from its number x + 4 y + 16 z.
    #[must_use]
    pub fn place<I: Index>(self, node: I) -> I {
        match self {
            TileOrder::Axes(axes) => by_bits(axes.map(|axis| [2 * axis, 2 * axis + 1]).as_flattened(), node),
            TileOrder::Bits(bits) => by_bits(&bits, node),
            TileOrder::Zigzag { axes, mirrored, paired } => zigzag(axes, mirrored, paired, node),
        }
    }

    /// The places of all nodes; nothing if two nodes have the same, because an axis or a bit is named twice.
    #[must_use]
    pub fn places(self) -> Option<[u8; TILE_NODES]> {
        let places: [usize; TILE_NODES] = std::array::from_fn(|node| self.place(node));
        let taken = places.iter().fold(0u64, |taken, &place| taken | 1 << (place % TILE_NODES));
        (taken == u64::MAX).then(|| places.map(|place| place as u8))
    }
}

/// Bit k of the place is bit `bits[k]` of the node's number; bits that stay side by side move together.
fn by_bits<I: Index>(bits: &[u8], node: I) -> I {
    let bit = |n: u8| 1usize << n;
    let (mut place, mut to) = (None::<I>, 0);
    for run in bits.chunk_by(|a, b| a + 1 == *b) {
        let moved = node.clone() / bit(run[0]) % bit(run.len() as u8) * bit(to);
        place = Some(place.map_or(moved.clone(), |place| place + moved));
        to += run.len() as u8;
    }
    place.unwrap_or(node)
}

/// Eq. 13 on any axes: a + 3 b in the plane of the first two, but 15 - b where a is 3.
fn zigzag<I: Index>(axes: [u8; 3], mirrored: bool, paired: bool, node: I) -> I {
    let at = |axis: u8| node.clone() / (1 << (2 * axis)) % TILE_EDGE;
    // 3 - n is 3 n + 3 around 4.
    let back = |n: I| (n * 3 + 3) % TILE_EDGE;
    let [a, b, c] = axes.map(at);
    let a = if mirrored { back(a) } else { a };
    let in_plane =
        I::choose((a.clone() + 1) / TILE_EDGE, || back(b.clone()) + 12, || a.clone() + b.clone() * 3);
    if paired { in_plane * 2 + c.clone() % 2 + c / 2 * 32 } else { in_plane + c * 16 }
}
