//! Fluid nodes, found by an array of indices over the whole box.
//!
//! Source: Nita, Itu, Suciu, *GPU accelerated blood flow computation using the lattice Boltzmann method*, HPEC 2013 (the fluid
//! index array), as the tiles paper compares with it.

use super::{Addressing, Extent, Listing, Region};
use crate::index::{Index, Numbers, Table};
use crate::parallel::in_pieces;

/// Stored nodes one after the other in the order x, y, z; an array over the box holds the number of each, and -1 for nodes that
/// are not stored.
#[derive(Clone, Debug)]
pub struct FluidIndexArray<I: Index = usize> {
    size: [I; 3],
    nodes: I,
    positions: I::Table,
    indices: I::Table,
}

impl<I: Index> Addressing<I> for FluidIndexArray<I> {
    const NAME: &'static str = "fluid-index-array";
    type On<J: Index> = FluidIndexArray<J>;
    const LISTED: bool = true;

    fn list(region: &Region<'_>) -> Listing {
        let all = region.domain().nodes();
        let positions = in_pieces(all, 1, |indices| {
            let indices = indices.map(|index| index as u32);
            indices.filter(|&index| region.stores(region.position(index))).collect()
        });
        let indices = Listing::numbers(&positions, all);
        let tables = [positions.clone(), indices].map(|entries| Numbers::new(entries.len(), entries));
        Listing { positions, tables: tables.into() }
    }

    fn new(extent: &Extent<I>) -> Self {
        let [positions, indices] = [0, 1].map(|n: usize| extent.tables[n].clone());
        FluidIndexArray { size: extent.size.clone(), nodes: extent.nodes.clone(), positions, indices }
    }

    #[inline(always)]
    fn neighbour(&self, node: I, shift: [i32; 3]) -> I {
        if shift == [0; 3] {
            return node;
        }
        let [nx, ny, nz] = self.size.clone();
        let at = self.positions.look(I::from(0), node);
        let plane = nx.clone() * ny.clone();
        let (row, z) = (at.clone() % plane.clone(), at / plane);
        let (x, y) = (row.clone() % nx.clone(), row / nx.clone());
        let moved = |at: I, along: i32, size: I| match along {
            0 => at,
            1.. => (at + along as usize) % size,
            _ => (at + (size.clone() - along.unsigned_abs() as usize)) % size,
        };
        let [x, y, z] =
            [moved(x, shift[0], nx.clone()), moved(y, shift[1], ny.clone()), moved(z, shift[2], nz)];
        self.indices.look(I::from(0), x + nx * (y + ny * z))
    }

    fn nodes(&self) -> I {
        self.nodes.clone()
    }
}
