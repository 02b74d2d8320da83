//! The permeability of cubic arrays of spheres.
//!
//! Half-way walls make a sphere a staircase, so what is compared is an array with the solid share that the grid really has. What
//! remains is where the flow sees the staircase's surface: its edges stand in the way more than its corners give room, so it acts as a
//! sphere that is larger by an `offset` of less than a tenth of a node. That is an error of first order.

use std::slice;

use lbm_core::geometry::{SphereArray, SphereLattice};
use lbm_core::{Error, Geometry};

use super::driven::{self, Driven};
use super::sphere_drag::{Filling, SOURCE};
use super::{Event, Options, Row, largest};
use crate::variants::Entry;

/// The share of space that is fluid, as Zick & Homsy (1982) and Sangani & Acrivos tabulate it.
const POROSITIES: [f64; 3] = [0.973, 0.875, 0.784];

/// The array that runs in every addressing, on the coarsest grid: the one that is steady the soonest.
const BITS: f64 = POROSITIES[2];

/// Nodes along a cell's edge by level, so that the spheres of both arrays have the same radii, within the grid's freedom: a body-centred
/// cell has two.
const LATTICES: [(&str, SphereLattice, [usize; 3]); 2] =
    [("sc", SphereLattice::SimpleCubic, [32, 64, 128]), ("bcc", SphereLattice::BodyCentred, [40, 80, 160])];

/// The relative error at the finest level. It is of first order, so that twice as much is allowed with twice the spacing.
const FINEST: f64 = 0.01;

/// How far the permeability is from where it settles, as a share of it: a thirtieth of the tolerance.
const STEADY: f64 = 3e-4;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let (dense, listed) = driven::entries()?;
    for (name, lattice, edges) in LATTICES {
        for porosity in POROSITIES {
            let name = format!("sphere-arrays-{name}-{porosity}");
            let mut errors = Vec::new();
            for (level, edge) in edges.into_iter().take(if options.quick { 1 } else { 3 }).enumerate() {
                heard(Event::Progress(format!("{name}: {edge} nodes an edge, {}", dense.name)));
                let cell = Cell::new(lattice, edge, porosity)?;
                let (flow, permeability) = cell.driven().settled(STEADY, dense, options.placement)?;
                let tolerance = FINEST * (edges[2] / edge) as f64;
                let row = cell.row(format!("{name}-n{edge}"), dense, permeability, tolerance);
                errors.push(row.measured);
                heard(Event::Row(row));
                if level > 0 || porosity != BITS {
                    continue;
                }
                for entry in &listed {
                    heard(Event::Progress(format!("{name}: {edge} nodes an edge, {}", entry.name)));
                    let same = cell.driven().after(flow.time_step(), entry, options.placement)?;
                    let name = format!("{name}-bits-{}", driven::label(entry));
                    heard(Event::Row(driven::bits_row(name, entry, slice::from_ref(&flow), &[same])?));
                }
            }
            if !options.quick {
                heard(Event::Row(falling(&name, dense, &errors)));
            }
        }
    }
    Ok(())
}

/// One cell of an array on a grid.
pub(super) struct Cell {
    /// What flows around it.
    pub(super) geometry: Geometry,
    /// The array as large as its nodes.
    filling: Filling,
}

impl Cell {
    /// The cell whose porosity comes nearest on this grid.
    pub(super) fn new(lattice: SphereLattice, edge: usize, porosity: f64) -> Result<Cell, Error> {
        let geometry = SphereArray::with_porosity(lattice, edge, porosity)?.geometry()?;
        let filling = Filling { lattice, concentration: 1.0 - geometry.porosity() };
        Ok(Cell { geometry, filling })
    }

    pub(super) fn driven(&self) -> Driven<'_> {
        Driven::new(&self.geometry, self.filling.permeability(self.edge()))
    }

    /// The relative error of a measured permeability.
    pub(super) fn row(&self, name: String, entry: &Entry, permeability: f64, tolerance: f64) -> Row {
        let (edge, reference) = (self.edge(), self.filling.permeability(self.edge()));
        let (radius, porosity) = (self.filling.radius(edge), 1.0 - self.filling.concentration);
        let error = permeability / reference - 1.0;
        // k goes with 1 / (a K(a)).
        let offset = -error * radius / (1.0 + self.filling.growth());
        Row::error(name, &entry.name, error, tolerance).about(
            format!(
                "relative error of the permeability k = {permeability:.4} of spheres with a radius of {radius:.3} nodes, {edge} \
                 nodes an edge, porosity {porosity:.5} by its nodes: as if the spheres were larger by {offset:.3} nodes; \
                 tolerance 1 % at the finest level, of first order"
            ),
            SOURCE,
        )
    }

    /// Nodes along the edge.
    fn edge(&self) -> f64 {
        self.geometry.size()[0] as f64
    }
}

/// That errors fall from level to level.
pub(super) fn falling(name: &str, entry: &Entry, errors: &[f64]) -> Row {
    let shares = errors.windows(2).map(|pair| pair[1] / pair[0]);
    let listed = errors.iter().map(|error| format!("{:.3} %", 100.0 * error)).collect::<Vec<_>>().join(", ");
    Row::error(format!("{name}-falling"), &entry.name, largest(shares), 1.0).about(
        format!(
            "largest share of an error that is left at the next level, below 1 where errors fall: {listed}"
        ),
        SOURCE,
    )
}
