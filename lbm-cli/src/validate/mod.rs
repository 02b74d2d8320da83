//! `lbm validate`: the physics, against exact solutions and published data.
//!
//! A [`Check`] runs flows and gives a [`Row`] for each thing that it measured, beside the reference, the tolerance and
//! the source of the reference. All runs in f64 unless the row's variant says otherwise.

mod backstep;
mod bits;
mod boundaries;
mod cavity;
mod cavity3d;
mod channels;
mod conduction;
mod couette;
mod curved;
mod cylinder;
mod driven;
mod duct;
mod force;
mod heated;
mod mass;
mod measured;
mod mixture;
mod node_walls;
mod orders;
mod phase_field;
mod poiseuille;
mod precision;
mod rayleigh_benard;
mod rheology;
mod row;
mod shear;
mod shear_layer;
mod sound;
mod sphere;
mod sphere_arrays;
mod sphere_drag;
mod table;
mod taylor_green;
mod taylor_green_3d;
#[cfg(test)]
mod tests;
mod two_fluids;
mod two_fluids_3d;
mod two_phases;
mod walls;
mod waves;
mod womersley;
mod zalesak;

use std::path::PathBuf;

use lbm_bodies::Body;
use lbm_core::Error;
use lbm_generator::language::Forcing;

use crate::cases::{self, Settings, largest};
use crate::simulation::{Backend, Placement, Problem, Simulation, Size};
use crate::variants::{self, Entry};
use orders::{joined, lowest_order, slope};
pub use row::{Criterion, Row};
pub use table::{asked, names};

/// How the checks run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether the reduced form runs, for continuous integration: one coarser cavity instead of the fine ones, the coarsest
    /// grid of the arrays of spheres, fewer steps in each precision, fewer grids of heat and drops, all else in full.
    pub quick: bool,
    /// Where checks that draw something leave their tables and pictures; nowhere if none.
    pub out: Option<PathBuf>,
    /// Where and how the flows run: backend, threads, SIMD level, stores. No result depends on them; the check `bits` chooses its own.
    pub placement: Placement,
    /// The variants whose bits are compared; those of the tier if there are none.
    pub variants: Vec<&'static Entry>,
}

impl Options {
    /// The options for a box so small that sharing it costs more than it saves: one thread unless asked otherwise.
    fn small_box(&self) -> Placement {
        let cpu = self.placement.cpu;
        self.placement.with_cpu(cpu.with_threads(cpu.threads.or(Some(1))))
    }
}

/// What is heard of a check while it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// What it does now, in a line; some times a second at most.
    Progress(String),
    /// A row is there.
    Row(Row),
    /// A table or a picture was written here.
    Written(PathBuf),
}

/// A flow that diverges becomes a row that fails and says why, so that all others still run.
fn unless_diverged(
    name: &str,
    outcome: Result<(), Error>,
    heard: &mut dyn FnMut(Event),
) -> Result<(), Error> {
    match outcome {
        Err(error @ Error::Diverged { .. }) => {
            heard(Event::Row(Row::diverged(name, &error)));
            Ok(())
        }
        other => other,
    }
}

/// Every collision with or without a force on every lattice, as far as its f64 runs where the flows do.
fn every_body(forcing: Forcing, options: &Options) -> impl Iterator<Item = &'static Body> {
    let on_cpu = options.placement.backend == Backend::Cpu;
    let runs = move |body: &&Body| !on_cpu || body.code("f64").is_some();
    let all = lbm_bodies::all().iter().filter(|body| !body.is_model());
    all.filter(move |body| body.choices.forcing == forcing).filter(runs)
}

/// A lattice and a collision, as names of variants begin.
fn label(body: &Body) -> String {
    format!("{}-{}", body.facts.lattice.name.to_lowercase(), body.facts.body.collision)
}

/// The variant of a lattice and a collision, in f64 and in the plainest of ways.
fn plain(name: &str) -> String {
    format!("{name}-f64-soa-dense-two-lattice-pull")
}

/// The flow of a case with these settings, e.g. `size=32 velocity=0.1`, apart from the variant that computes it.
fn flow_of(case: &str, settings: &str) -> Result<Problem, Error> {
    let case = cases::find(case)?;
    Ok(case.flow_of(&Settings::with(case, settings)?)?.problem)
}

/// The flow of a case in a box of this size, narrower where nothing changes, with further parameters of the collision.
fn narrow<const N: usize>(
    size: [usize; N],
    mut flow: Problem,
    parameters: &[(&str, f64)],
    variant: &str,
    options: &Options,
) -> Result<Simulation, Error> {
    flow.parameters.extend(parameters.iter().map(|&(name, value)| (name.to_owned(), value)));
    let (size, placement) = (Some(Size::from(size)), options.small_box());
    variants::build(variant, Problem { size, placement, ..flow })
}

/// MRT's rate of the bulk where it is that of the shear, by the collision's name. Others have none.
fn bulk(collision: &str, viscosity: f64) -> Option<(&'static str, f64)> {
    collision.ends_with("mrt").then_some(("rates_xx_trace", 1.0 / (3.0 * viscosity + 0.5)))
}
