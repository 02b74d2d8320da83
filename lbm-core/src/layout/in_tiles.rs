//! Layouts that give the nodes of a 4 x 4 x 4 tile another order in each slot, so that fewer memory transactions move them.
//!
//! Source: Tomczak & Szafran, *A new GPU implementation for lattice-Boltzmann simulations on sparse geometries*, section 3.2.

use std::fmt::Debug;
use std::marker::PhantomData;

use super::{Contents, Layout};
use crate::geometry::{TILE_EDGE, TILE_NODES, TileOrder, best_order};
use crate::index::Index;

/// Which order each slot has.
pub trait OrderRule: Clone + Debug + Send + Sync + 'static {
    /// The name of the layout.
    const NAME: &'static str;
    /// The order of a slot.
    fn order<I: Index>(slot: usize, contents: &Contents<I>) -> TileOrder;
}

/// The paper's choice for D3Q19 in f64 ([`TileOrder::of_paper`]), by the velocity with the slot's number.
#[derive(Clone, Copy, Debug)]
pub struct Paper;

impl OrderRule for Paper {
    const NAME: &'static str = "tile-paper";

    fn order<I: Index>(slot: usize, contents: &Contents<I>) -> TileOrder {
        contents.velocities.get(slot).map_or(TileOrder::XYZ, |&velocity| TileOrder::of_paper(velocity))
    }
}

/// Lanes of a warp.
const WARP: usize = 32;

/// The order with the fewest transactions over a period of the streaming pattern, for values of the variant's size and warps of 32
/// lanes.
#[derive(Clone, Copy, Debug)]
pub struct Best;

impl OrderRule for Best {
    const NAME: &'static str = "tile-best";

    fn order<I: Index>(slot: usize, contents: &Contents<I>) -> TileOrder {
        let best = |accesses| best_order(accesses, contents.value_bytes, WARP);
        contents.accesses.get(slot).map_or(TileOrder::XYZ, best)
    }
}

/// The paper's orders in tiles: [`InTiles`] by the rule [`Paper`].
pub type TilePaper<I = usize> = InTiles<Paper, I>;

/// The best orders in tiles: [`InTiles`] by the rule [`Best`].
pub type TileBest<I = usize> = InTiles<Best, I>;

/// Tile after tile of 4 x 4 x 4 nodes, of each the values of slot 0, then of slot 1, ...; within a slot the nodes have the order that the
/// rule `R` gives it, or XYZ if that is no permutation.
#[derive(Clone, Debug)]
pub struct InTiles<R, I = usize> {
    tiles: I,
    /// Of each slot, with the places that it gives.
    orders: Vec<(TileOrder, [u8; TILE_NODES])>,
    rule: PhantomData<R>,
}

impl<R: OrderRule, I: Index> Layout<I> for InTiles<R, I> {
    const NAME: &'static str = R::NAME;
    const TILE: Option<[usize; 3]> = Some([TILE_EDGE; 3]);
    type On<J: Index> = InTiles<R, J>;

    fn new(contents: &Contents<I>) -> InTiles<R, I> {
        let order = |slot: usize| {
            let order = R::order(slot, contents);
            let of_rule = order.places().map(|places| (order, places));
            of_rule.unwrap_or_else(|| (TileOrder::XYZ, std::array::from_fn(|node| node as u8)))
        };
        InTiles {
            tiles: contents.nodes.clone().next_multiple(TILE_NODES) / TILE_NODES,
            orders: (0..contents.slots).map(order).collect(),
            rule: PhantomData,
        }
    }

    #[inline(always)]
    fn offset(&self, slot: usize, node: I) -> I {
        let (order, places) = &self.orders[slot];
        let tile = node.clone() / TILE_NODES * (TILE_NODES * self.orders.len());
        let place = I::tabulated(places, node % TILE_NODES, |within| order.place(within));
        tile + place + TILE_NODES * slot
    }

    /// Nodes side by side lie anywhere in their tile.
    #[inline(always)]
    fn cluster(&self) -> usize {
        1
    }

    fn values(&self) -> I {
        self.tiles.clone() * (TILE_NODES * self.orders.len())
    }
}
