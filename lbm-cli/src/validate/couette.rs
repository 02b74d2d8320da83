//! Plane Couette flow: half-way walls give the linear profile exactly.

use lbm_core::{Error, Face, FaceRule};

use super::{Event, Options, Row};
use crate::simulation::{Problem, Simulation, Viscosity};

pub(super) const SOURCE: &str = "exact: u = U y / H (Couette 1890); Krüger et al., The Lattice Boltzmann Method \
                                 (2017), sec. 5.3.3: half-way walls lie where they should for any tau";

const HEIGHT: usize = 32;
const WIDTH: usize = 4;
pub(super) const LID: f64 = 0.05;
pub(super) const VISCOSITY: f64 = 0.1;

/// The slowest mode decays as exp(-nu pi^2 t / H^2): 40 of its times leave 4e-18.
const STEPS: u64 = 42_000;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    for name in ["d2q9-bgk", "d2q9-trt", "d2q9-mrt", "d2q9-regularized", "d2q9-bgk-incompressible"] {
        let variant = format!("{name}-f64-soa-dense-two-lattice-pull");
        heard(Event::Progress(format!("couette: {variant}, {STEPS} steps")));
        // A bulk viscosity of its own moves MRT's profile by some Ma^2 / H^2 (7.6e-6 here): the density near the walls
        // leaves 1. With the shear's rate the profile is exact, whatever the rates of the higher moments.
        let parameters = [("rates_xx_trace", 1.0 / (3.0 * VISCOSITY + 0.5))];
        let parameters = if name == "d2q9-mrt" { &parameters[..] } else { &[] };
        for row in rows(name, &variant, [LID, VISCOSITY], parameters, options)? {
            heard(Event::Row(row));
        }
    }
    Ok(())
}

/// The rows of a flow that is run with this lid's speed and viscosity, and judged by [`LID`] and [`VISCOSITY`].
pub(super) fn rows(
    name: &str,
    variant: &str,
    [lid, viscosity]: [f64; 2],
    parameters: &[(&str, f64)],
    options: &Options,
) -> Result<[Row; 2], Error> {
    let simulation = steady(variant, [lid, viscosity], parameters, options)?;
    let exact = |index: usize| LID * ((index / WIDTH) as f64 + 0.5) / HEIGHT as f64;
    let velocity = simulation.velocity()?.into_iter().enumerate();
    let error = super::largest(velocity.flat_map(|(index, [u, v, _])| [u - exact(index), v])) / LID;
    let shear = VISCOSITY * LID / HEIGHT as f64;
    let stress_error = super::largest(simulation.stress()?.into_iter().map(|stress| stress[3] / shear - 1.0));
    Ok([
        Row::error(format!("couette-{name}"), variant, error, 1e-11).about(
            format!("largest error of the velocity over the lid's, H = {HEIGHT}, nu = {VISCOSITY}"),
            SOURCE,
        ),
        Row::error(format!("couette-stress-{name}"), variant, stress_error, 1e-9).about(
            "largest relative error of the shear stress of a node",
            "exact: sigma_xy = rho nu U / H; from the populations by Krüger et al. (2017), eq. 4.14",
        ),
    ])
}

fn steady(
    variant: &str,
    [lid, viscosity]: [f64; 2],
    parameters: &[(&str, f64)],
    options: &Options,
) -> Result<Simulation, Error> {
    let mut problem = Problem {
        size: Some([WIDTH, HEIGHT].into()),
        viscosity: Some(Viscosity::Value(viscosity)),
        parameters: parameters.iter().map(|&(name, value)| (name.to_owned(), value)).collect(),
        placement: options.small_box(),
        ..Problem::default()
    };
    problem.faces[Face::South.index()] = FaceRule::WALL;
    problem.faces[Face::North.index()] = FaceRule::Wall { velocity: [lid, 0.0, 0.0] };
    let mut simulation = crate::variants::build(variant, problem)?;
    simulation.run(STEPS)?;
    Ok(simulation)
}
