//! From a node of the box to a node of the storage.
//!
//! [`Dense`] stores all nodes of the box, and computes where. The others store what the flow needs, in a [`Listing`] that is made
//! before the run, and say how a storage node finds its neighbours.

mod connectivity;
mod dense;
mod group_neighbours;
mod index_array;
mod listed_nodes;
mod redrawn;
mod region;
mod tiled;

use crate::index::{Index, Numbers};

pub use connectivity::ConnectivityMatrix;
pub use dense::Dense;
pub use group_neighbours::{Along, GroupNeighbours, Step};
pub use index_array::FluidIndexArray;
pub use listed_nodes::ListedNodes;
pub use redrawn::{Drawable, Renewed};
pub use region::Region;
pub use tiled::Tiled;

/// What an addressing is made for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Extent<I: Index> {
    /// Nodes of the box.
    pub size: [I; 3],
    /// Rows of a box that is stored as a whole are padded to a multiple of so many nodes.
    pub row_multiple: usize,
    /// Storage nodes, where they are listed.
    pub nodes: I,
    /// The tables of the [`Listing`].
    pub tables: Vec<I::Table>,
}

impl<I: Index> Extent<I> {
    /// A box of so many listed nodes with these tables.
    #[must_use]
    pub fn with_tables(size: [I; 3], nodes: I, tables: Vec<I::Table>) -> Extent<I> {
        Extent { size, row_multiple: 1, nodes, tables }
    }

    /// A box that is stored as a whole.
    #[must_use]
    pub fn of_box(size: [I; 3], row_multiple: usize) -> Extent<I> {
        Extent { size, row_multiple, nodes: I::from(0), tables: Vec::new() }
    }
}

impl Extent<usize> {
    /// A box of which nodes are listed.
    #[must_use]
    pub fn listed(size: [usize; 3], listing: &Listing) -> Extent<usize> {
        Extent::with_tables(size, listing.positions.len(), listing.tables.clone())
    }
}

/// The storage nodes of a box, in their order, and the tables by which they find each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// For each storage node its index in the box, in the order x, y, z; [`Listing::PADDING`] where it is no node of the box.
    pub positions: Vec<u32>,
    /// What [`Addressing::neighbour`] looks up.
    pub tables: Vec<Numbers>,
}

impl Listing {
    /// The number of each of `all` things that are `listed`, [`PADDING`](Listing::PADDING) for those that are not.
    fn numbers(listed: &[u32], all: usize) -> Vec<u32> {
        let mut numbers = vec![Listing::PADDING; all];
        for (number, &thing) in listed.iter().enumerate().filter(|(_, thing)| **thing != Listing::PADDING) {
            numbers[thing as usize] = number as u32;
        }
        numbers
    }

    /// Stands for a storage node that is no node of the box.
    pub const PADDING: u32 = u32::MAX;

    /// Bytes of the tables.
    #[must_use]
    pub fn table_bytes(&self) -> usize {
        self.tables.iter().map(|table| size_of_val(&*table.entries)).sum()
    }
}

/// Where nodes are stored.
///
/// Written once, for every kind of index: machine integers on the CPU, printed expressions on a device. An addressing either
/// stores the whole box and gives [`locate`](Addressing::locate), or is [`LISTED`](Addressing::LISTED) and gives
/// [`list`](Addressing::list) and [`neighbour`](Addressing::neighbour). A missing neighbour is nothing that it has to know of.
pub trait Addressing<I: Index = usize>: Clone + Send + Sync + 'static {
    /// The name that variants carry: `dense`.
    const NAME: &'static str;
    /// The same addressing on another kind of index.
    type On<J: Index>: Addressing<J>;
    /// Whether nodes are listed before the run.
    const LISTED: bool = false;
    /// How many storage nodes form a group, which begins at a multiple of this number. All nodes of a group look up row g of
    /// the first table, where g is the group's number, and a device then reads it once for all of them. With 1 there are
    /// no groups, and any row of any table may be looked up.
    const GROUP: usize = 1;
    /// Along an axis on which the box is periodic its length must be a multiple of this.
    const GRANULE: [usize; 3] = [1; 3];
    /// Lists the storage nodes of a region: all nodes that it [`stores`](Region::stores), each once, in whole groups.
    #[must_use]
    fn list(_region: &Region<'_>) -> Listing {
        Listing::default()
    }
    /// Prepares the addressing of a box.
    fn new(extent: &Extent<I>) -> Self;
    /// The storage node of the node at `position`, which lies in the box, where the whole box is stored.
    fn locate(&self, _position: [I; 3]) -> Option<I> {
        None
    }
    /// The storage node at a shift from a listed one, at most one node along each axis and around a periodic box; anything if
    /// nothing is stored there.
    fn neighbour(&self, node: I, _shift: [i32; 3]) -> I {
        node
    }
    /// How many storage nodes there are, padding included.
    fn nodes(&self) -> I;
    /// Consecutive storage nodes that form a row along x, padding included, where the whole box is stored.
    fn row(&self) -> I {
        self.nodes()
    }
}
