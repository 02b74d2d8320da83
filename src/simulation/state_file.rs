//! A simulation's state as a [`Checkpoint`], and back.

use std::path::Path;

use lbm_core::checkpoint::Checkpoint;
use lbm_core::{Error, Facts};

use super::running::Simulation;

pub(super) fn write(path: &Path, facts: &Facts, simulation: &Simulation) -> Result<(), Error> {
    let names = facts.body.parameters.iter();
    let parameters = names.filter_map(|&name| Some((name.to_owned(), simulation.parameter(name)?))).collect();
    let checkpoint = Checkpoint {
        variant: facts.name(),
        lattice: facts.lattice.name.to_owned(),
        size: simulation.size(),
        precision: facts.precision.name.to_owned(),
        step: simulation.time_step(),
        parameters,
        populations: simulation.populations()?,
    };
    checkpoint.write(path)
}

/// Populations and step of a file, which fits the simulation.
pub(super) fn read(path: &Path, facts: &Facts, simulation: &Simulation) -> Result<(Vec<f64>, u64), Error> {
    let checkpoint = Checkpoint::read(path)?;
    checkpoint.check_fits(path, facts.lattice.name, simulation.size(), facts.precision.name)?;
    // The velocities' number is not in the name, and a user's lattice may share the name of another.
    let expected = facts.lattice.q() * simulation.domain().nodes();
    if checkpoint.populations.len() != expected {
        return Err(Error::Format {
            path: path.to_owned(),
            what: format!("it holds {} populations, the simulation {expected}", checkpoint.populations.len()),
            remedy: "the lattices have the same name, but other velocities: take the one that wrote it"
                .to_owned(),
        });
    }
    Ok((checkpoint.populations, checkpoint.step))
}
