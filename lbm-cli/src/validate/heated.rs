//! Natural convection in a square between two walls of different temperatures: Nusselt numbers.

use lbm::models::Boussinesq;
use lbm::prelude::*;

use super::{Event, Options, Row};

solver! {
    /// The flow, with the temperature on the lattice that is enough for it.
    Heated {
        model: Boussinesq<Trt, Trt>, lattices: [D2Q9, D2Q5], boundaries: [heat: FixedValue],
    }
}

const SOURCE: &str = "Hortmann, Peric & Scheuerer, Int. J. Numer. Methods Fluids 11 (1990) 189 (2.245, 4.522); \
                      Le Quere, Comput. Fluids 20 (1991) 29 (8.825)";

/// The Prandtl number of air.
const PRANDTL: f64 = 0.71;

/// The speed that a parcel would reach that falls from top to bottom without friction.
const SPEED: f64 = 0.1;

/// From one look to the next, the Nusselt number changes by this share at most once the flow is steady.
const STEADY: f64 = 1e-6;

/// A Rayleigh number, nodes along a side, the published Nusselt number.
const FLOWS: [(f64, usize, f64); 3] = [(1e4, 64, 2.245), (1e5, 96, 4.522), (1e6, 160, 8.825)];

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let count = if options.quick { 1 } else { FLOWS.len() };
    for (rayleigh, n, published) in FLOWS.into_iter().take(count) {
        let name = format!("natural-convection-ra{rayleigh:e}");
        heard(Event::Progress(format!("{name}: {n} nodes a side")));
        let [warm, cold] = nusselt(rayleigh, n, options)?;
        let variant = Heated::name();
        let row = Row { reference: published, ..Row::error(name.clone(), &variant, warm, 0.01 * published) };
        heard(Event::Row(row.about(
            format!("mean Nusselt number of the warm wall, Ra {rayleigh:e}, Pr {PRANDTL}, {n} nodes a side; tolerance: 1 %"),
            SOURCE,
        )));
        let row = Row::error(format!("{name}-balance"), &variant, warm / cold - 1.0, 1e-4);
        heard(Event::Row(row.about(
            "heat into the warm wall's fluid over that out of it at the cold one, less 1",
            "exact: what goes in goes out once the flow is steady",
        )));
    }
    Ok(())
}

/// The mean Nusselt numbers of the warm and of the cold wall once the flow is steady.
fn nusselt(rayleigh: f64, n: usize, options: &Options) -> Result<[f64; 2], Error> {
    let length = n as f64;
    // Ra = lift L^3 / (nu alpha) with SPEED^2 = lift L, Pr = nu / alpha.
    let (lift, diffusivity) = (SPEED * SPEED / length, SPEED * length / (rayleigh * PRANDTL).sqrt());
    let mut flow = Heated::builder()
        .size([n, n])
        .viscosity(PRANDTL * diffusivity)
        .parameter("diffusivity", diffusivity)
        .parameter("gravity_y", -lift)
        .parameter("reference", 0.5)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .boundary(Face::West, FixedValue.with("value", [1.0]).of("heat"))
        .boundary(Face::East, FixedValue.with("value", [0.0]).of("heat"))
        .initial_sum("heat", move |[x, ..]| 1.0 - (x as f64 + 0.5) / length)
        .backend(options.placement.backend)
        .build()?;
    let look = (length / SPEED).round() as u64;
    let mut before = 0.0;
    loop {
        flow.run(10 * look)?;
        flow.check_finite()?;
        // Over the n nodes of a wall conduction alone would carry diffusivity (1 - 0) n / L.
        let through = [(Face::West, -1.0), (Face::East, 1.0)]
            .map(|(face, sign)| flow.flux_into("heat", face).map(|flux| sign * flux / diffusivity));
        let [warm, cold] = through;
        let [warm, cold] = [warm?, cold?];
        if (warm / before - 1.0).abs() < STEADY {
            return Ok([warm, cold]);
        }
        before = warm;
    }
}
