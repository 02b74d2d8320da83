//! Fluid nodes, each with the numbers of its neighbours, compressed.
//!
//! Source: Bernaschi, Fatica, Melchionna, Succi, Kaxiras, *A flexible high-performance lattice Boltzmann GPU code for the
//! simulations of fluid flows in complex geometries*, Concurrency Computat.: Pract. Exper. 22 (2010) 1 (the connectivity matrix,
//! with an entry for each direction); the compression is ours.

use super::{Addressing, Extent, Listing, Region};
use crate::domain::position;
use crate::index::{Index, Numbers, Table};
use crate::parallel::{cores, each_chunk, in_pieces};

/// Stored nodes row after row along x, rows in the order of a Hilbert curve in y and z. Neighbours that lie side by side in a
/// row are neighbours in the storage, too; so of each of the 8 rows around a node one number is kept, that of the first of
/// up to three neighbours that are stored, and a bit for each of all 27 says whether it is: 36 bytes a node. At the ends of
/// periodic rows, where neighbours are apart, a list beside the table has them singly.
#[derive(Clone, Debug)]
pub struct ConnectivityMatrix<I: Index = usize> {
    nodes: I,
    /// The first neighbour in each row around the node's own, or where all of them begin in the list; then bits.
    rows: I::Table,
    apart: I::Table,
}

/// Rows around a node's own.
const ROWS: usize = 8;

/// The node's own row among the 9 that it is in the middle of.
const OWN: usize = 4;

/// The bit that says that a node has its neighbours singly.
const APART: usize = 1 << 31;

impl<I: Index> Addressing<I> for ConnectivityMatrix<I> {
    const NAME: &'static str = "connectivity-matrix";
    type On<J: Index> = ConnectivityMatrix<J>;
    const LISTED: bool = true;

    fn list(region: &Region<'_>) -> Listing {
        let positions = along_curve(region);
        let numbers = Listing::numbers(&positions, region.domain().nodes());
        let tables = connect(region, &positions, &numbers);
        Listing { positions, tables }
    }

    fn new(extent: &Extent<I>) -> Self {
        let [rows, apart] = [0, 1].map(|n: usize| extent.tables[n].clone());
        ConnectivityMatrix { nodes: extent.nodes.clone(), rows, apart }
    }

    #[inline(always)]
    fn neighbour(&self, node: I, shift: [i32; 3]) -> I {
        if shift == [0; 3] {
            return node;
        }
        let [x, y, z] = shift.map(|component| (component + 1) as usize);
        let row = y + 3 * z;
        let bits = self.rows.look(I::from(ROWS), node.clone());
        let bit = |x: usize| bits.clone() / (1 << (x + 3 * row)) % 2;
        let first = |row: usize| self.rows.look(I::from(row), node.clone());
        let side_by_side = || match (row, x) {
            // The node itself is stored, and so is one that is asked for.
            (OWN, 0) => node.clone() - 1,
            (OWN, _) => node.clone() + 1,
            _ => (0..x).fold(first(row - usize::from(row > OWN)), |place, before| place + bit(before)),
        };
        let singly = || self.apart.look(I::from(0), first(0) + (x + 3 * row));
        I::choose(bits.clone() / APART, singly, side_by_side)
    }

    fn nodes(&self) -> I {
        self.nodes.clone()
    }
}

/// Stored nodes in the order of the storage.
fn along_curve(region: &Region<'_>) -> Vec<u32> {
    let [nx, ny, nz] = region.size();
    let order = ny.max(nz).next_power_of_two();
    let mut rows: Vec<(u64, u32)> = (0..ny * nz)
        .map(|row| (hilbert(order as u64, [(row % ny) as u64, (row / ny) as u64]), row as u32))
        .collect();
    rows.sort_unstable();
    in_pieces(rows.len(), 1, |range| {
        let mut positions = Vec::new();
        for &(_, row) in &rows[range] {
            let (y, z) = (row as usize % ny, row as usize / ny);
            let stored = (0..nx).map(|x| [x, y, z]).filter(|&position| region.stores(position));
            positions.extend(stored.map(|position| region.index(position)));
        }
        positions
    })
}

/// The distance of a point along the Hilbert curve that fills a square of `order` points along an edge, a power of two.
fn hilbert(order: u64, point: [u64; 2]) -> u64 {
    let [mut x, mut y] = point;
    let (mut distance, mut s) = (0, order / 2);
    while s > 0 {
        let (right, up) = (u64::from(x & s > 0), u64::from(y & s > 0));
        distance += s * s * ((3 * right) ^ up);
        if up == 0 {
            if right == 1 {
                (x, y) = (order - 1 - x, order - 1 - y);
            }
            (x, y) = (y, x);
        }
        s /= 2;
    }
    distance
}

/// The table of rows, filled in its place since it is most of all that is kept, and the list of neighbours that lie apart.
fn connect(region: &Region<'_>, positions: &[u32], numbers: &[u32]) -> Vec<Numbers> {
    let number = |position: [usize; 3], [x, y, z]: [i32; 3]| {
        Some(numbers[region.index(region.around(position, [x, y, z])) as usize])
            .filter(|&node| node != u32::MAX)
    };
    // Node by node: numbers of all 27, as they lie in the rows around it.
    let around = |node: usize| -> [Option<u32>; 27] {
        let here = region.position(positions[node]);
        std::array::from_fn(|n| number(here, position([3; 3], n).map(|step| step as i32 - 1)))
    };
    let (nodes, mut singly) = (positions.len(), Vec::new());
    let rows = Numbers::filled(nodes, (ROWS + 1) * nodes, |rows| {
        singly = fill(rows, nodes, around);
        for (number, &node) in singly.iter().enumerate() {
            rows[node] = (1 + 27 * number) as u32;
        }
    });
    // The first number belongs to no node, so that the list is never empty.
    let all = singly.iter().flat_map(|&node| around(node).map(|node| node.unwrap_or(0)));
    let apart: Vec<u32> = std::iter::once(0).chain(all).collect();
    vec![rows, Numbers::new(apart.len(), apart)]
}

/// A piece of all nodes: its part of each column of the table, one for each row around a node and one for the bits, and the nodes in it whose
/// neighbours lie apart.
#[derive(Default)]
struct Piece<'a> {
    columns: Vec<&'a mut [u32]>,
    singly: Vec<usize>,
}

/// Fills the table of rows, and gives the nodes whose neighbours lie apart.
fn fill(rows: &mut [u32], nodes: usize, around: impl Fn(usize) -> [Option<u32>; 27] + Sync) -> Vec<usize> {
    let side_by_side = |three: &[Option<u32>]| {
        let mut stored = three.iter().flatten();
        let first = stored.next().copied();
        first.is_none_or(|first| stored.zip(first + 1..).all(|(&node, next)| node == next))
    };
    let length = nodes.div_ceil(8 * cores()).max(1);
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    pieces.resize_with(nodes.div_ceil(length), Piece::default);
    for column in rows.chunks_mut(nodes.max(1)) {
        pieces.iter_mut().zip(column.chunks_mut(length)).for_each(|(piece, part)| piece.columns.push(part));
    }
    each_chunk(&mut pieces, 1, |number, piece| {
        let Piece { columns, singly } = &mut piece[0];
        for n in 0..columns[ROWS].len() {
            let node = number * length + n;
            let around = around(node);
            let mut bits = (0..27).filter(|&n| around[n].is_some()).fold(0, |bits, n| bits | 1u32 << n);
            for (row, three) in around.chunks(3).enumerate() {
                if row != OWN {
                    columns[row - usize::from(row > OWN)][n] =
                        three.iter().flatten().next().copied().unwrap_or(0);
                }
                bits |= if side_by_side(three) { 0 } else { APART as u32 };
            }
            columns[ROWS][n] = bits;
            if bits & APART as u32 != 0 {
                singly.push(node);
            }
        }
    });
    pieces.into_iter().flat_map(|piece| piece.singly).collect()
}

#[cfg(test)]
mod tests {
    use super::hilbert;

    #[test]
    fn the_curve_goes_through_every_point_from_neighbour_to_neighbour() {
        let order = 8;
        let mut points: Vec<_> = (0..order * order).map(|n| [n % order, n / order]).collect();
        points.sort_by_key(|&point| hilbert(order, point));
        let distance = |a: [u64; 2], b: [u64; 2]| a[0].abs_diff(b[0]) + a[1].abs_diff(b[1]);
        assert!(points.windows(2).all(|pair| distance(pair[0], pair[1]) == 1));
        assert_eq!(hilbert(order, points[63]), 63);
    }
}
