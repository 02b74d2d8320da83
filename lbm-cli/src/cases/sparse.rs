//! What flows through pores and vessels share: a variant by its addressing, a geometry that was checked, mass flows by plane.

use lbm_core::{Error, Geometry};

use super::evaluation::Profile;
use super::settings::Settings;
use super::state::State;
use crate::geometry::{Need, Source, connect, require_memory};
use crate::simulation::Backend;
use crate::variants::{self, Entry};

/// The variant of D3Q19 with a body force that the settings choose; its layout is the one that the table has with the addressing.
///
/// # Errors
/// [`Error::Conflict`] where the table has each of the settings, but not together.
pub(super) fn variant(settings: &Settings) -> Result<&'static Entry, Error> {
    let [collision, precision, addressing, streaming] =
        ["collision", "precision", "addressing", "streaming"].map(|name| settings.name(name));
    let driven = || {
        variants::all()
            .iter()
            .filter(|entry| entry.dimension == 3 && entry.q == 19 && entry.facts.body.forced)
    };
    let wanted = |entry: &&Entry| {
        entry.operator == collision
            && entry.precision == precision
            && entry.facts.addressing.name == addressing
            && entry.streaming == streaming
    };
    driven().find(wanted).ok_or_else(|| Error::Conflict {
        what: format!(
            "collision = {collision}, precision = {precision}, addressing = {addressing} and streaming = {streaming} \
             are each known, but no built-in variant of D3Q19 with a body force has them together"
        ),
        remedy: format!(
            "take one of these, or declare your own with `solver!`: {}",
            driven().map(|entry| entry.name.as_str()).collect::<Vec<_>>().join(", ")
        ),
    })
}

/// The geometry of a case, once it is known to fit in memory with this variant, and all its fluid connected or filled as the setting
/// `fill` says.
///
/// # Errors
/// [`Error::TooLarge`] before anything is allocated; [`Error::Conflict`] for several regions of fluid; those of [`Source::geometry`].
pub(super) fn geometry(source: &Source, entry: &Entry, settings: &Settings) -> Result<Geometry, Error> {
    let facts = &entry.facts;
    if let Some((size, porosity)) = source.extent() {
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
        require_memory(&need, facts.addressing.name)?;
    }
    let mut geometry = source.geometry()?;
    let fill = settings.name("fill") == "true";
    connect(&mut geometry, &source.faces(), fill, "--set fill=true")?;
    Ok(geometry)
}

/// The fluid nodes that have a solid one, or a wall, among the neighbours that the lattice links them to.
pub(super) fn wall_nodes(geometry: &Geometry, source: &Source, links: &[[i32; 3]]) -> usize {
    let (size, periodic) = (geometry.size(), source.periodic());
    let is_wall = |position: [usize; 3], link: &[i32; 3]| {
        let mut at = [0; 3];
        for axis in 0..3 {
            let n = size[axis] as i64;
            let to = position[axis] as i64 + i64::from(link[axis]);
            if !periodic[axis] && !(0..n).contains(&to) {
                return true;
            }
            at[axis] = to.rem_euclid(n) as usize;
        }
        geometry.is_solid(at)
    };
    geometry.fluid_positions().filter(|&position| links.iter().any(|link| is_wall(position, link))).count()
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
pub(super) fn by_plane(name: &str, title: &str, labels: [&str; 2], values: &[f64]) -> Profile {
    let share = |plane: usize| (plane as f64 + 0.5) / values.len() as f64;
    Profile {
        name: name.to_owned(),
        title: title.to_owned(),
        coordinate: labels[0].to_owned(),
        quantity: labels[1].to_owned(),
        simulated: values.iter().enumerate().map(|(plane, &value)| [share(plane), value]).collect(),
        reference: Vec::new(),
        source: String::new(),
    }
}

/// How far the mass flow of a plane is from the mean of all, as a share of it, at most: 0 in a steady state, since mass is conserved.
pub(super) fn unevenness(rates: &[f64]) -> f64 {
    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
    rates.iter().fold(0.0, |most, rate| f64::max(most, (rate / mean - 1.0).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mass_flows_are_sums_over_planes() {
        let velocity: Vec<[f64; 3]> = (0..24).map(|node| [1.0, f64::from(node % 4), 2.0]).collect();
        let state = State { size: [4, 3, 2], step: 0, viscosity: 0.1, density: vec![2.0; 24], velocity };
        assert_eq!(mass_flows(&state, 0), [12.0; 4]);
        assert_eq!(mass_flows(&state, 1), [24.0; 3]);
        assert_eq!(mass_flows(&state, 2), [48.0; 2]);
        assert_eq!(unevenness(&[1.0, 1.0, 4.0]), 1.0);
    }

    #[test]
    fn nodes_beside_solid_ones_are_at_the_wall() {
        let source = Source::Channel { side: 4, round: false };
        let links = crate::geometry::links([9; 3]);
        assert_eq!(wall_nodes(&source.geometry().unwrap(), &source, links), 12 * 64);
    }
}
