//! From shapes to nodes, plane by plane, on all cores.

use std::ops::Range;

use super::shape::{Bounds, Shape};
use crate::domain::{Piece, Portion};
use crate::parallel::each_chunk;

/// A box of nodes within the box: where it begins and how many nodes it has along x, y, z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first node.
    pub low: [usize; 3],
    /// Nodes along each axis.
    pub size: [usize; 3],
}

impl Window {
    /// How many nodes it has.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.size.iter().product()
    }

    /// The part of it that may have centres within `bounds`; a node more at each side where rounding could matter.
    #[must_use]
    pub fn within(&self, bounds: &Bounds) -> Window {
        let mut part = *self;
        for axis in 0..3 {
            let end = (self.low[axis] + self.size[axis]) as f64;
            // NaN and infinities become the window's own ends.
            let low = (bounds.low[axis] - 0.5).floor().max(self.low[axis] as f64).min(end);
            let high = ((bounds.high[axis] - 0.5).ceil() + 1.0).min(end).max(low);
            part.low[axis] = low as usize;
            part.size[axis] = (high - low) as usize;
        }
        part
    }

    /// The rows (y, z) of that part, and the nodes along x that it has.
    pub(super) fn rows(&self, bounds: &Bounds) -> impl Iterator<Item = ([usize; 2], Range<usize>)> + use<> {
        let Window { low, size } = self.within(bounds);
        let [x, y, z] = [0, 1, 2].map(|axis| low[axis]..low[axis] + size[axis]);
        z.flat_map(move |z| y.clone().map(move |y| [y, z])).map(move |row| (row, x.clone()))
    }
}

/// A window being painted: one byte a node, 1 where a shape is.
#[derive(Debug)]
pub struct Raster<'a> {
    window: Window,
    cells: &'a mut [u8],
}

impl<'a> Raster<'a> {
    /// Paints on `cells`, one byte a node in the order x, y, z; bytes without a node, and nodes without a byte, are left out.
    #[must_use]
    pub fn new(window: Window, cells: &'a mut [u8]) -> Raster<'a> {
        Raster { window, cells }
    }

    /// The box of nodes that is painted.
    #[must_use]
    pub fn window(&self) -> Window {
        self.window
    }

    /// The rows (y, z) of its part within `bounds`, and the nodes along x that this part has.
    pub fn rows(&self, bounds: &Bounds) -> impl Iterator<Item = ([usize; 2], Range<usize>)> + use<> {
        self.window.rows(bounds)
    }

    /// Paints nodes of a row (y, z) along x. What lies outside of the window is left out.
    pub fn fill(&mut self, row: [usize; 2], x: Range<usize>) {
        if let Some(cells) = self.row(row) {
            let (from, to) = (x.start.saturating_sub(cells.1), x.end.saturating_sub(cells.1));
            let to = to.min(cells.0.len());
            cells.0[from.min(to)..to].fill(1);
        }
    }

    /// Paints the nodes within `bounds` with their centre where `inside` says.
    pub fn fill_where(&mut self, bounds: &Bounds, inside: impl Fn([f64; 3]) -> bool) {
        self.fill_each(bounds, |_, node| inside(node.map(|n| n as f64 + 0.5)));
    }

    /// Paints, of the nodes within `bounds`, those that `chosen` picks by whether each of `shapes` has them. The shapes are
    /// painted apart first, within `bounds` only.
    pub fn fill_combined<const N: usize>(
        &mut self,
        bounds: &Bounds,
        shapes: [&dyn Shape; N],
        chosen: impl Fn([bool; N]) -> bool,
    ) {
        let window = self.window.within(bounds);
        if window.nodes() == 0 {
            return;
        }
        let masks = shapes.map(|shape| {
            let mut cells = vec![0; window.nodes()];
            shape.paint(&mut Raster::new(window, &mut cells));
            cells
        });
        self.fill_each(bounds, |n, _| chosen(std::array::from_fn(|shape| masks[shape][n] != 0)));
    }

    /// Paints the nodes within `bounds` that are chosen by their number there and their position.
    fn fill_each(&mut self, bounds: &Bounds, chosen: impl Fn(usize, [usize; 3]) -> bool) {
        for (row, ([y, z], xs)) in self.rows(bounds).enumerate() {
            let (start, first) = (row * xs.len(), xs.start);
            let Some((cells, low)) = self.row([y, z]) else { continue };
            for ((n, x), cell) in (start..).zip(xs).zip(&mut cells[first - low..]) {
                // Shapes that overlap, such as pieces of a tube, are asked once only.
                if *cell == 0 && chosen(n, [x, y, z]) {
                    *cell = 1;
                }
            }
        }
    }

    /// The cells of a row and the x of the first one.
    fn row(&mut self, [y, z]: [usize; 2]) -> Option<(&mut [u8], usize)> {
        let Window { low, size } = self.window;
        let (y, z) = (y.checked_sub(low[1])?, z.checked_sub(low[2])?);
        if y >= size[1] || z >= size[2] {
            return None;
        }
        let start = size[0] * (y + size[1] * z);
        Some((self.cells.get_mut(start..start + size[0])?, low[0]))
    }
}

/// Nodes of a slab of planes, at most: masks of combined shapes stay in a core's cache, and there are slabs for all cores.
const SLAB: usize = 1 << 20;

/// Slabs of planes of a whole box, each with its window and its cells, on all cores; whichever is next.
pub(super) fn each_slab<T: Send>(size: [usize; 3], cells: &mut [T], work: impl Fn(Window, &mut [T]) + Sync) {
    let plane = size[0] * size[1];
    let planes = (SLAB / plane).clamp(1, size[2].div_ceil(4));
    each_chunk(cells, planes * plane, |chunk, part| {
        let window = Window { low: [0, 0, chunk * planes], size: [size[0], size[1], part.len() / plane] };
        work(window, part);
    });
}

/// Paints a shape on the nodes of a whole box.
pub(super) fn paint(size: [usize; 3], cells: &mut [u8], shape: &(impl Shape + ?Sized)) {
    each_slab(size, cells, |window, part| shape.paint(&mut Raster::new(window, part)));
}

/// Does something with the cell of each node of a portion of a box whose centre a shape contains; on all cores.
pub(crate) fn paint_cells<T: Send>(
    portion: &Portion,
    cells: &mut [T],
    shape: &(impl Shape + ?Sized),
    work: impl Fn(&mut T) + Sync,
) {
    each_slab(portion.size(), cells, |slab, part| {
        portion.pieces(slab).iter().for_each(|piece| each_within(piece, part, shape, &work));
    });
}

/// Does something with the cell of each node of a piece whose centre a shape contains.
pub(super) fn each_within<T>(
    piece: &Piece,
    cells: &mut [T],
    shape: &(impl Shape + ?Sized),
    mut work: impl FnMut(&mut T),
) {
    let Piece { window: all, first, cells: count } = piece;
    let window = all.within(&shape.bounds());
    if window.nodes() == 0 {
        return;
    }
    let mut mask = vec![0; window.nodes()];
    shape.paint(&mut Raster::new(window, &mut mask));
    for (row, mask) in mask.chunks(window.size[0]).enumerate() {
        let low: [usize; 3] = std::array::from_fn(|axis| first[axis] + window.low[axis] - all.low[axis]);
        let (y, z) = (low[1] + row % window.size[1], low[2] + row / window.size[1]);
        let start = low[0] + count[0] * (y + count[1] * z);
        let own = cells[start..].iter_mut().zip(mask);
        own.filter(|(_, mask)| **mask != 0).for_each(|(cell, _)| work(cell));
    }
}
