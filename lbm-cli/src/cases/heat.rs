//! Flows that heat drives between a warm wall and a cold one.

use lbm_core::{Error, Face, FaceRule};

use super::case::{Flow, Steady, variant};
use super::evaluation::Measure;
use super::probes::{Gauge, Table};
use super::settings::Settings;
use crate::simulation::{PlacedRule, Problem, Simulation, Viscosity};

/// Prandtl number of the benchmarks.
const AIR: f64 = 0.71;

/// The diffusivity of heat: with the speed U of free fall over the length L, Ra = U^2 L^2 / (nu alpha) and Pr = nu / alpha.
pub(super) fn diffusivity(settings: &Settings) -> f64 {
    settings.velocity() * settings.size() as f64 / (settings.real("ra") * settings.real("pr")).sqrt()
}

/// A box between a warm wall, of temperature 1, and a cold one, of 0, with gravity along y and a temperature to begin with.
pub(super) fn between(
    settings: &Settings,
    size: [usize; 2],
    [warm, cold]: [Face; 2],
    temperature: impl Fn([usize; 3]) -> f64 + Send + Sync + 'static,
) -> Problem {
    let (speed, diffusivity) = (settings.velocity(), diffusivity(settings));
    let gravity = -speed * speed / settings.size() as f64;
    let parameters = [("diffusivity", diffusivity), ("gravity_y", gravity), ("reference", 0.5)];
    let mut problem = Problem {
        size: Some(size.into()),
        viscosity: Some(Viscosity::Value(settings.real("pr") * diffusivity)),
        parameters: parameters.map(|(name, value)| (name.to_owned(), value)).to_vec(),
        sums: vec![("heat".to_owned(), Box::new(temperature))],
        ..Problem::default()
    };
    for (face, temperature) in [(warm, 1.0), (cold, 0.0)] {
        problem.faces[face.index()] = FaceRule::WALL;
        let rule = PlacedRule::named("fixed-value").with("value", [temperature]).of("heat");
        problem.rules.push((face, rule));
    }
    problem
}

/// The mean Nusselt numbers of the warm wall and the cold one: the heat through each over what goes there by conduction alone.
pub(super) fn nusselt(
    simulation: &mut Simulation,
    [warm, cold]: [Face; 2],
    conducted: f64,
) -> Result<[f64; 2], Error> {
    let through = [simulation.flux_into("heat", warm)?, simulation.flux_into("heat", cold)?];
    Ok([-through[0] / conducted, through[1] / conducted])
}

/// Such a flow, which is steady when nothing changes while the speed of free fall passes from wall to wall; that is also the unit of time of the table.
pub(super) fn flow(name: &str, settings: &Settings, problem: Problem, gauge: Gauge) -> Result<Flow, Error> {
    let length = settings.size() as f64;
    let look = (length / settings.velocity()).round() as u64;
    Ok(Flow {
        title: format!("{name}, Ra = {}, Pr = {}", settings.real("ra"), settings.real("pr")),
        variant: variant("D2Q9D2Q5", false, settings)?,
        problem,
        notes: Vec::new(),
        reference_length: length,
        steady: Some(Steady::everywhere(look, settings)),
        table: Some(Table::of_gauge("nusselt.csv", look, look as f64, gauge)),
    })
}

/// What is known of air at the Rayleigh number of the settings.
pub(super) fn of_air<T: Copy>(settings: &Settings, known: &[(f64, T)]) -> Option<T> {
    let at = |&&(rayleigh, _): &&(f64, T)| settings.are(&[("ra", rayleigh), ("pr", AIR)]);
    known.iter().find(at).map(|&(_, known)| known)
}

/// Whether as much heat leaves as enters, by the Nusselt numbers of both walls.
pub(super) fn balance([warm, cold]: [f64; 2]) -> Measure {
    Measure::compared("the same over that of the cold one, less 1", warm / cold - 1.0, 0.0, "exact")
}
