//! The flow that is timed: a small cell of waves, repeated through a periodic box.

use lbm_core::engine::Setup;
use lbm_core::reference::Reference;
use lbm_core::{Domain, Engine, Error};

use crate::simulation::positions;
use crate::variants::Entry;

/// The viscosity of all measurements, in lattice units: tau = 0.56 on a lattice with c_s^2 = 1/3.
pub(super) const VISCOSITY: f64 = 0.02;

/// The parameters of a measurement, in the order of the variant's.
pub(super) fn parameters(entry: &Entry) -> Vec<f64> {
    entry.parameters(&[("viscosity", VISCOSITY), ("force_x", 1e-6)])
}

/// A cell that fits a whole number of times in the box along every axis.
pub(super) struct Flow {
    q: usize,
    size: [usize; 3],
    cell: [usize; 3],
}

/// The longest edge of a cell.
const LONGEST_CELL: usize = 20;

impl Flow {
    pub(super) fn new(entry: &Entry, size: [usize; 3]) -> Flow {
        // A size without a small divisor is its own cell, up to a point; beyond it repeats node after node.
        let divisor = |n: usize| (1..=LONGEST_CELL.min(n)).rev().find(|d| n.is_multiple_of(*d)).unwrap_or(1);
        Flow { q: entry.facts.lattice.q(), size, cell: size.map(divisor) }
    }

    /// The same of a cell with so many planes along z, of which the box has as many cells, and one node long along x or y unless parts of the box are whole there.
    pub(super) fn of_parts(entry: &Entry, size: [usize; 3], whole: [bool; 2], planes: usize) -> Flow {
        let flow = Flow::new(entry, size);
        let [x, y] = [0, 1].map(|axis| if whole[axis] { flow.cell[axis] } else { 1 });
        Flow { cell: [x, y, planes], ..flow }
    }

    /// The shifted populations at a place of the cell: different in every direction and at every node, small.
    fn value(&self, i: usize, [x, y, z]: [usize; 3]) -> f64 {
        let phase = |n: usize, edge: usize| std::f64::consts::TAU * n as f64 / edge as f64;
        let wave = (phase(x, self.cell[0]) + 0.3 * i as f64).sin()
            * (phase(y, self.cell[1]) + 0.7 * i as f64).cos()
            * (phase(z, self.cell[2]) + 1.1 * i as f64).cos();
        1e-3 * wave / self.q as f64
    }

    /// The populations of one cell to start from, in canonical order.
    fn of_cell(&self) -> Vec<f64> {
        (0..self.q).flat_map(|i| positions(self.cell).map(move |position| self.value(i, position))).collect()
    }

    /// The populations of the box that copies of a cell fill.
    fn filled(&self, of_cell: &[f64]) -> Vec<f64> {
        let ([cx, cy, cz], [nx, ny, nz]) = (self.cell, self.size);
        let mut all = Vec::with_capacity(self.q * nx * ny * nz);
        for i in 0..self.q {
            for (z, y) in (0..nz).flat_map(|z| (0..ny).map(move |y| (z, y))) {
                let row = &of_cell[cx * (y % cy + cy * (z % cz + cz * i))..][..cx];
                (0..nx / cx).for_each(|_| all.extend_from_slice(row));
            }
        }
        all
    }

    /// The state to start from.
    pub(super) fn populations(&self) -> Vec<f64> {
        self.filled(&self.of_cell())
    }

    /// The cell, and its populations to start from.
    pub(super) fn repeated(&self) -> ([usize; 3], Vec<f64>) {
        (self.cell, self.of_cell())
    }

    /// The same for a box that begins at this plane across z of that which the cells fill.
    pub(super) fn repeated_from(&self, plane: usize) -> ([usize; 3], Vec<f64>) {
        let here = |[x, y, z]: [usize; 3]| [x, y, (z + plane) % self.cell[2]];
        let of = |i| positions(self.cell).map(move |position| self.value(i, here(position)));
        (self.cell, (0..self.q).flat_map(of).collect())
    }

    /// The populations at some nodes of the box that copies of a cell fill, direction after direction.
    pub(super) fn at(&self, of_cell: &[f64], nodes: &[usize]) -> Vec<f64> {
        let ([cx, cy, cz], [nx, ny, _]) = (self.cell, self.size);
        let place = |node: usize| node % nx % cx + cx * (node / nx % ny % cy + cy * (node / nx / ny % cz));
        of_cell.chunks(cx * cy * cz).flat_map(|line| nodes.iter().map(|&node| line[place(node)])).collect()
    }

    /// The populations that the reference computes in one cell after some steps.
    pub(super) fn expected(&self, entry: &Entry, setup: &Setup, steps: u64) -> Result<Vec<f64>, Error> {
        let cell_setup = Setup::new(Domain::periodic(self.cell), setup.parameters.clone());
        let mut reference = Reference::new(&entry.facts, &cell_setup)?;
        reference.set_populations(&self.of_cell(), 0)?;
        reference.run(steps)?;
        let mut expected = vec![0.0; self.q * self.cell.iter().product::<usize>()];
        reference.populations(&mut expected)?;
        Ok(expected)
    }

    /// Whether the engine's populations are those that the reference computes in one cell, everywhere, bit for bit.
    pub(super) fn verify(&self, entry: &Entry, setup: &Setup, engine: &dyn Engine) -> Result<bool, Error> {
        let expected = self.filled(&self.expected(entry, setup, engine.step())?);
        let mut found = vec![0.0; expected.len()];
        engine.populations(&mut found)?;
        Ok(found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()))
    }
}
