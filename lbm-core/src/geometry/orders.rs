//! In which order the values of a tile's nodes lie in memory.
//!
//! Orders are for tiles of 4 x 4 x 4 nodes. Thread t of a tile does the node x = t & 3, y = t >> 2 & 3, z = t >> 4 whatever the
//! orders are, and each direction may have its own.
//!
//! Source: Tomczak & Szafran, section 3.2.

use crate::error::Error;

/// Nodes along an edge of a tile that has an order.
pub const TILE_EDGE: usize = 4;

/// Nodes of a tile that has an order.
pub const TILE_NODES: usize = 64;

/// A permutation of a tile's nodes: the place of node (x, y, z) is entry x + 4 y + 16 z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileOrder([u8; TILE_NODES]);

impl TileOrder {
    /// x + 4 y + 16 z (Eq. 11).
    pub const XYZ: TileOrder = TileOrder(equation(11));
    /// y + 4 x + 16 z (Eq. 12).
    pub const YXZ: TileOrder = TileOrder(equation(12));
    /// 2 (x + 3 y + ((x + 1) & 4) (3 - y)) + (z & 1) + 16 (z & 2) (Eq. 13): a step to the north-east within the tile is 8 places
    /// on, and two neighbours along z lie side by side.
    pub const ZIGZAG_NE: TileOrder = TileOrder(equation(13));

    /// An order from its table.
    ///
    /// # Errors
    /// [`Error::Conflict`] if two nodes have the same place, or one has a place beyond 63.
    pub fn new(places: [u8; TILE_NODES]) -> Result<TileOrder, Error> {
        let mut taken = [false; TILE_NODES];
        for (node, &place) in places.iter().enumerate() {
            let free = taken.get_mut(usize::from(place)).filter(|taken| !**taken);
            let Some(free) = free else {
                return Err(Error::Conflict {
                    what: format!("place {place} of node {node} is beyond 63 or another node's, too"),
                    remedy: "give each of the 64 nodes of a tile one of the places 0 to 63".to_owned(),
                });
            };
            *free = true;
        }
        Ok(TileOrder(places))
    }

    /// An order by the six bits of a node's number x + 4 y + 16 z: bit k of the place is bit `bits[k]` of the number. Such an order
    /// is as cheap to compute as [`XYZ`](TileOrder::XYZ).
    ///
    /// # Errors
    /// [`Error::Conflict`] if a bit is named twice, or one beyond 5 is.
    pub fn of_bits(bits: [u8; 6]) -> Result<TileOrder, Error> {
        let bit = |node: u8, from: u8| u32::from(node).checked_shr(u32::from(from)).unwrap_or(0) & 1;
        TileOrder::new(std::array::from_fn(|node| {
            (0..6).map(|k| (bit(node as u8, bits[k]) as u8) << k).sum()
        }))
    }

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

    /// The places, by x + 4 y + 16 z.
    #[must_use]
    pub const fn places(&self) -> &[u8; TILE_NODES] {
        &self.0
    }

    /// The place of a node; coordinates count within the tile, around it where they leave it.
    #[must_use]
    pub fn place(&self, [x, y, z]: [usize; 3]) -> usize {
        usize::from(self.0[(x & 3) + 4 * (y & 3) + 16 * (z & 3)])
    }
}

/// The places by an equation of the paper: 11, 12 or else 13.
const fn equation(number: u32) -> [u8; TILE_NODES] {
    let mut places = [0; TILE_NODES];
    let mut node = 0;
    while node < TILE_NODES as u8 {
        let (x, y, z) = (node & 3, node >> 2 & 3, node >> 4);
        places[node as usize] = match number {
            11 => x + 4 * y + 16 * z,
            12 => y + 4 * x + 16 * z,
            _ => 2 * (x + 3 * y + ((x + 1) & 4) * (3 - y)) + (z & 1) + 16 * (z & 2),
        };
        node += 1;
    }
    places
}
