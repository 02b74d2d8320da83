//! A fluid that attracts itself parts in liquid and vapour, from noise: how fast the pieces grow.

use std::sync::Arc;

use lbm_core::Error;
use lbm_core::laws::SplitMix64;

use super::case::{Case, Defaults, Flow, variant};
use super::evaluation::{Evaluation, Measure, Profile};
use super::interface;
use super::probes::{Gauge, Row, Table};
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::shown::{CRITICAL, LIQUID, Shown};
use super::state::State;
use crate::simulation::{Initial, Problem, Viscosity};

/// The case `spinodal`.
pub(super) static CASE: Case = Case {
    name: "spinodal",
    about: "a fluid parts in liquid and vapour, from noise: densities, and how fast the pieces grow",
    bodies: &[("D2Q9", false)],
    own: &[
        shared::size(256, 16, 4096, "nodes along each side of the periodic box"),
        Setting::real("attraction", -5.0, [-8.0, -4.0])
            .about("how strongly the fluid attracts itself; it parts below -4"),
        Setting::real("density", CRITICAL, [0.1, 2.0])
            .unit("lattice")
            .about("mean density in the beginning; ln 2 is the critical one"),
        Setting::real("noise", 0.01, [1e-6, 0.5]).about(
            "by how much densities of nodes differ from the mean in the beginning, at most, as a share of it",
        ),
        shared::viscosity(1.0 / 6.0, 1e-3),
        Setting::integer("seed", 1, shared::ANY).about("what the noise begins from"),
        shared::velocity(0.01, "reference velocity, which pictures divide by"),
    ],
    defaults: Defaults {
        collision: "shan-chen-of-bgk",
        precision: "f32",
        storage: shared::STORAGE,
        steps: 4_000,
        tolerance: None,
        checkpoint: 0,
        film: 80,
    },
    flow,
    shown: Shown::scalar(&LIQUID),
    evaluate,
};

/// Steps between two rows of the table.
const LOOK: u64 = 100;

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (n, mean, noise) = (settings.size(), settings.real("density"), settings.real("noise"));
    let seed = settings.integer("seed");
    // Each node has a generator of its own, so that nodes may be asked in any order.
    let density = move |[x, y, _]: [usize; 3]| {
        let own = seed.wrapping_add(SplitMix64::new((x + n * y) as u64).bits());
        mean * (1.0 + SplitMix64::new(own).between(-noise, noise))
    };
    let problem = Problem {
        size: Some([n, n].into()),
        viscosity: Some(Viscosity::Value(settings.real("viscosity"))),
        parameters: vec![("attraction".to_owned(), settings.real("attraction"))],
        initial: Some(Box::new(move |at| Initial { density: density(at), ..Initial::default() })),
        ..Problem::default()
    };
    let gauge = Gauge {
        columns: &["length", "liquid", "vapour", "mass"],
        look: Arc::new(move |simulation| {
            let density = simulation.density()?;
            let [least, most] = density
                .iter()
                .fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], rho| [a.min(*rho), b.max(*rho)]);
            Ok(vec![scale(&density, n), most, least, density.iter().sum()])
        }),
    };
    Ok(Flow {
        title: format!("spinodal, attraction {}", settings.real("attraction")),
        variant: variant("D2Q9", false, settings)?,
        problem,
        notes: Vec::new(),
        reference_length: n as f64,
        steady: None,
        table: Some(Table::of_gauge("growth.csv", LOOK, 1.0, gauge)),
    })
}

/// How large pieces of liquid and vapour are: the area of a periodic square over the length of the interfaces in it, at most its side.
fn scale(density: &[f64], n: usize) -> f64 {
    // The first row again after the last one.
    let above: Vec<f64> = density.iter().chain(&density[..n]).map(|rho| rho - CRITICAL).collect();
    ((n * n) as f64 / interface::length(&above, [n, n + 1])).min(n as f64)
}

/// The power of time with which pieces grow in the second half of it; none where there are too few rows.
fn growth(rows: &[Row]) -> Option<f64> {
    let last = rows.last()?;
    let half = rows.iter().find(|row| 2.0 * row.time >= last.time && row.time > 0.0)?;
    let power = (last.values[0] / half.values[0]).ln() / (last.time / half.time).ln();
    power.is_finite().then_some(power)
}

fn evaluate(_: &Settings, _: &State, rows: &[Row]) -> Evaluation {
    let series = |k: usize| -> Vec<[f64; 2]> { rows.iter().map(|row| [row.time, row.values[k]]).collect() };
    let mut measures = Vec::new();
    if let Some(last) = rows.last() {
        let named = [("size of pieces in the end, nodes", 0), ("greatest density", 1), ("least density", 2)];
        measures.extend(named.map(|(name, k)| Measure::alone(name, last.values[k])));
    }
    // In two dimensions of a liquid and its vapour 2/3 where viscosity is small, 1/2 where it is large: Osborn et al., Phys. Rev. Lett. 75 (1995) 4031.
    measures.extend(growth(rows).map(|power| Measure::alone("power of time with which pieces grow", power)));
    measures.extend(Measure::change("whole", rows, 3));
    let profile = |name, title, simulated| Profile {
        name,
        title,
        labels: ["t", name],
        simulated,
        ..Profile::default()
    };
    let profiles = vec![
        profile("length", "area over the length of the interfaces", series(0)),
        profile("liquid", "greatest density", series(1)),
        profile("vapour", "least density", series(2)),
    ];
    Evaluation { profiles, measures }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stripes_have_their_width_and_growth_its_power() {
        let n = 32;
        // Two stripes along x, of which one goes through the periodic face: four interfaces.
        let stripes: Vec<f64> =
            (0..n * n).map(|node| if (node / n + 4) % 16 < 8 { 2.0 } else { 0.1 }).collect();
        assert!((scale(&stripes, n) - 8.0).abs() < 1e-12, "{}", scale(&stripes, n));
        assert_eq!(scale(&vec![0.1; n * n], n), n as f64);
        let row = |step: u64| Row { step, time: step as f64, values: vec![(step as f64).powf(0.6)] };
        let rows: Vec<Row> = (0..=10).map(|k| row(100 * k)).collect();
        assert!((growth(&rows).unwrap() - 0.6).abs() < 1e-12);
        assert_eq!(growth(&rows[..1]), None);
    }
}
