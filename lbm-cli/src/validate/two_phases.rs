//! A liquid and its vapour: the densities of both at a flat interface.

use lbm::models::{CarnahanStarling, ShanChen};
use lbm::prelude::*;

use super::{Event, Options, Row};

solver! {
    /// A fluid that attracts itself.
    Attracted { model: ShanChen<Bgk>, lattice: D2Q9 }
}

solver! {
    /// A fluid with an equation of state.
    Starling { model: CarnahanStarling<Bgk>, lattice: D2Q9 }
}

/// Temperatures as shares of the critical one, with the densities of vapour and liquid.
const MAXWELL: [(f64, [f64; 2]); 3] = [
    (0.9, [0.045_409_46, 0.248_107_98]),
    (0.8, [0.021_717_98, 0.307_212_54]),
    (0.7, [0.009_291_72, 0.358_144_40]),
];

const THERMODYNAMICS: &str = "Maxwell's construction for the equation of state of Carnahan & Starling, a = 1/2, b = 4, solved elsewhere";

const SOURCE: &str = "the mechanical balance of the model itself: Shan, Phys. Rev. E 77 (2008) 066702, with epsilon = 0; solved here";

/// psi of a density, and how it grows.
fn psi(rho: f64) -> [f64; 2] {
    [1.0 - (-rho).exp(), (-rho).exp()]
}

/// The pressure of the model.
fn pressure(rho: f64, attraction: f64) -> f64 {
    rho / 3.0 + attraction / 6.0 * psi(rho)[0].powi(2)
}

/// Where a function that changes its sign between two places is 0.
fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let below = f(low) < 0.0;
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if (f(middle) < 0.0) == below { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The densities of vapour and liquid: of all pairs of one pressure p0 those for which the integral of (p0 - p) psi'/psi over densities is 0.
fn in_balance(attraction: f64) -> [f64; 2] {
    let slope = |rho: f64| {
        let [psi, grows] = psi(rho);
        1.0 / 3.0 + attraction / 3.0 * psi * grows
    };
    // The spinodal points on both sides of the critical density.
    let critical = 2f64.ln();
    let [low, high] = [root(1e-9, critical, slope), root(critical, 9.0, slope)];
    let pair = |p0: f64| {
        let excess = |rho: f64| pressure(rho, attraction) - p0;
        [root(1e-12, low, excess), root(high, 9.0, excess)]
    };
    let integral = |p0: f64| {
        let [vapour, liquid] = pair(p0);
        let count = 4000;
        let at = |n: i32| vapour + (liquid - vapour) * (f64::from(n) + 0.5) / f64::from(count);
        (0..count)
            .map(at)
            .map(|rho| (p0 - pressure(rho, attraction)) * psi(rho)[1] / psi(rho)[0])
            .sum::<f64>()
    };
    let [least, most] = [pressure(high, attraction).max(1e-6), pressure(low, attraction)];
    pair(root(least + 1e-9, most - 1e-9, integral))
}

/// The densities at a flat interface, which begins with these.
fn interface(
    builder: Builder<impl lbm::core::Variant>,
    [vapour, liquid]: [f64; 2],
    options: &Options,
) -> Result<[f64; 2], Error> {
    let profile = move |x: usize| {
        let x = x as f64 + 0.5;
        let share = 0.5 * (((x - 24.0) / 2.5).tanh() - ((x - 72.0) / 2.5).tanh());
        vapour + (liquid - vapour) * share
    };
    let mut flow = builder
        .size([96, 1])
        .viscosity(1.0 / 6.0)
        .initial(move |[x, ..]| Initial { density: profile(x), ..Initial::default() })
        .placement(options.small_box())
        .build()?;
    flow.run(20_000)?;
    flow.check_finite()?;
    let density = flow.density()?;
    Ok([density[0], density[48]])
}

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let mut say = |name: String, variant: String, found: [f64; 2], expected: [f64; 2], source| {
        for (n, phase) in ["vapour", "liquid"].into_iter().enumerate() {
            let row = Row::error(format!("{name}-{phase}"), &variant, found[n], 0.02 * expected[n]);
            heard(Event::Row(
                Row { reference: expected[n], ..row }
                    .about(format!("density of the {phase} at a flat interface; tolerance: 2 %"), source),
            ));
        }
    };
    for attraction in [-4.6, -5.0, -5.5] {
        let expected = in_balance(attraction);
        let builder = Attracted::builder().parameter("attraction", attraction);
        let found = interface(builder, expected, options)?;
        say(format!("two-phases{attraction}"), Attracted::name(), found, expected, SOURCE);
    }
    for (temperature, expected) in MAXWELL {
        let builder = Starling::builder().parameter("temperature", temperature);
        let found = interface(builder, expected, options)?;
        say(
            format!("two-phases-carnahan-starling-{temperature}"),
            Starling::name(),
            found,
            expected,
            THERMODYNAMICS,
        );
    }
    Ok(())
}
