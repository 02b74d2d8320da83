//! What flows through pores and vessels share: a variant by its addressing, a geometry that was checked, mass flows by plane.

use lbm_core::facts::LatticeFacts;
use lbm_core::{Error, Geometry, Lattice, Links};
use lbm_cpu::available_memory;

use super::case::{Defaults, Steady, Watched, variant};
use super::evaluation::{Measure, Profile};
use super::setting::shared;
use super::settings::Settings;
use super::state::State;
use crate::geometry::{Need, Source, connect};
use crate::lattices::D3Q19;
use crate::simulation::{Backend, Problem, Viscosity};
use crate::variants::Entry;

/// The defaults of cases whose tolerance is for what `settled` says.
pub(super) const fn defaults(tolerance: f64, settled: &'static str) -> Defaults {
    Defaults {
        collision: "trt",
        precision: "f32",
        storage: shared::SPARSE_STORAGE,
        steps: 1_000_000,
        tolerance: Some(shared::tolerance(tolerance, settled)),
        checkpoint: 100_000,
        film: 0,
    }
}

/// A flow from rest through a geometry, that a body force drives if there is one.
pub(super) fn problem(
    source: &Source,
    geometry: Geometry,
    viscosity: f64,
    force: Option<[f64; 3]>,
) -> Problem {
    Problem {
        viscosity: Some(Viscosity::Value(viscosity)),
        faces: source.faces(),
        force,
        geometry: Some(geometry),
        ..Problem::default()
    }
}

/// A number is looked at whenever momentum has diffused over a radius.
pub(super) fn steady(radius: f64, viscosity: f64, watched: Watched, settings: &Settings) -> Steady {
    let interval = (radius * radius / viscosity).ceil() as u64;
    Steady { interval, tolerance: settings.tolerance(), watched }
}

/// The variant of a case, with a body force or without, and its geometry, once it is known to fit in memory with this variant, and all its fluid connected or filled
/// as the setting `fill` says.
///
/// # Errors
/// Those of the variant; [`Error::TooLarge`] before anything is allocated; [`Error::Conflict`] for several regions of fluid; those of
/// [`Source::geometry`].
pub(super) fn geometry(
    source: &Source,
    forced: bool,
    settings: &Settings,
) -> Result<(&'static Entry, Geometry), Error> {
    let entry = variant(D3Q19::NAME, forced, settings)?;
    let facts = &entry.facts;
    if let Some((size, porosity)) = source.extent {
        let on_cpu = settings.backend() == Backend::Cpu;
        let need = Need {
            size,
            porosity,
            q: facts.lattice.q(),
            // A device has memory of its own, of which it tells itself.
            copies: if on_cpu { facts.copies } else { 0 },
            value_bytes: facts.precision.stored_bytes,
            // Populations cross from and to the engine as f64; the geometry takes a byte, and making lists about eight.
            beside: 8 * facts.lattice.q() + 9,
        };
        need.require_stored(facts.addressing.name, available_memory())?;
    }
    let mut geometry = source.geometry()?;
    let fill = settings.name("fill") == "true";
    connect(&mut geometry, &source.faces(), fill, "--set fill=true")?;
    Ok((entry, geometry))
}

/// The fluid nodes that have a solid one, or a wall, among the neighbours that the lattice links them to.
pub(super) fn wall_nodes(geometry: Geometry, source: &Source) -> Result<usize, Error> {
    let domain = geometry.into_domain(source.faces())?;
    Ok(Links::of(&LatticeFacts::of::<D3Q19>(), &domain)?.iter().count())
}

/// The mass that passes each plane across an axis in a step: density times velocity, summed over the plane's nodes. A body force
/// between narrow parts moves the density by some percent, so volumes differ where masses do not.
pub(super) fn mass_flows(state: &State, axis: usize) -> Vec<f64> {
    let [nx, ny, _] = state.size;
    let mut rates = vec![0.0; state.size[axis]];
    for (node, (u, rho)) in state.velocity.iter().zip(&state.density).enumerate() {
        rates[[node % nx, node / nx % ny, node / (nx * ny)][axis]] += rho * u[axis];
    }
    rates
}

/// A line of one value a plane, at the planes' coordinates as shares of the box's length.
pub(super) fn by_plane(values: impl ExactSizeIterator<Item = f64>) -> Profile {
    let planes = values.len() as f64;
    let simulated = values.enumerate().map(|(plane, value)| [(plane as f64 + 0.5) / planes, value]).collect();
    Profile { simulated, ..Profile::default() }
}

/// How far the mass flow of a plane is from the mean of all, as a share of it, at most: 0 in a steady state, since mass is conserved.
pub(super) fn unevenness(rates: &[f64]) -> Measure {
    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
    let most = rates.iter().fold(0.0, |most, rate| f64::max(most, (rate / mean - 1.0).abs()));
    Measure::compared("largest deviation of a plane's mass flow", most, 0.0, "mass is conserved, once steady")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mass_flows_are_sums_over_planes() {
        let velocity: Vec<[f64; 3]> = (0..24).map(|node| [1.0, f64::from(node % 4), 2.0]).collect();
        let state = State { size: [4, 3, 2], density: vec![2.0; 24], velocity, ..State::default() };
        assert_eq!(mass_flows(&state, 0), [12.0; 4]);
        assert_eq!(mass_flows(&state, 1), [24.0; 3]);
        assert_eq!(mass_flows(&state, 2), [48.0; 2]);
        assert_eq!(unevenness(&[1.0, 1.0, 4.0]).measured, 1.0);
    }

    #[test]
    fn nodes_beside_solid_ones_are_at_the_wall() {
        let source = Source::channel(4, false);
        assert_eq!(wall_nodes(source.geometry().unwrap(), &source).unwrap(), 12 * 64);
    }
}
