//! Plane Couette flow: half-way walls give the linear profile exactly.

use lbm_core::Error;

use super::{Event, Options, Row, bulk, flow_of, largest, narrow, plain};

const SOURCE: &str = "exact: u = U y / H (Couette 1890); Krüger et al., The Lattice Boltzmann Method \
                                 (2017), sec. 5.3.3: half-way walls lie where they should for any tau";

const HEIGHT: usize = 32;
const WIDTH: usize = 4;
pub(super) const LID: f64 = 0.05;
pub(super) const VISCOSITY: f64 = 0.1;

/// The slowest mode decays as exp(-nu pi^2 t / H^2): 40 of its times leave 4e-18.
const STEPS: u64 = 42_000;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    for name in ["d2q9-bgk", "d2q9-trt", "d2q9-mrt", "d2q9-regularized", "d2q9-bgk-incompressible"] {
        let variant = plain(name);
        heard(Event::Progress(format!("couette: {variant}, {STEPS} steps")));
        // A bulk viscosity of its own moves MRT's profile by some Ma^2 / H^2 (7.6e-6 here): the density near the walls
        // leaves 1. With the shear's rate the profile is exact, whatever the rates of the higher moments.
        let bulk = bulk(name, VISCOSITY);
        for row in rows(name, &variant, [LID, VISCOSITY], bulk.as_slice(), options)? {
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
    let flow = flow_of("couette2d", &format!("size={HEIGHT} velocity={lid} viscosity={viscosity}"))?;
    let mut simulation = narrow([WIDTH, HEIGHT], flow, parameters, variant, options)?;
    simulation.run(STEPS)?;
    let exact = |index: usize| LID * ((index / WIDTH) as f64 + 0.5) / HEIGHT as f64;
    let velocity = simulation.velocity()?.into_iter().enumerate();
    let error = largest(velocity.flat_map(|(index, [u, v, _])| [u - exact(index), v])) / LID;
    let shear = VISCOSITY * LID / HEIGHT as f64;
    let stress_error = largest(simulation.stress()?.into_iter().map(|stress| stress[3] / shear - 1.0));
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
