//! A fluid that wets two plates draws itself in between them, compared with Washburn's law.

use std::sync::Arc;

use lbm_core::Error;

use super::case::{Case, Defaults, Flow, variant};
use super::drops::share;
use super::evaluation::{Evaluation, Measure, Profile, ReferencePoint};
use super::probes::{Gauge, Row, Table};
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::shown::{PHI, Shown};
use super::state::State;
use crate::simulation::{Problem, Solid, Viscosity};

/// The case `capillary-rise`.
pub(super) static CASE: Case = Case {
    name: "capillary-rise",
    about: "a fluid that wets two plates rises between them, without weight: the height beside Washburn's law",
    bodies: &[("D2Q9D2Q9", false)],
    own: &[
        shared::size(16, 8, 1024, "nodes between the plates, which are eight times as long"),
        Setting::real("angle", 60.0, [0.0, 85.0])
            .unit("degrees")
            .about("angle at which the red fluid, which rises, meets the plates"),
        shared::tension(0.03),
        shared::viscosity(1.0 / 6.0, 1e-3),
        shared::VISCOSITY_RATIO,
        shared::velocity(0.01, "reference velocity, which pictures divide by"),
    ],
    defaults: Defaults {
        collision: "emulsion-of-regularized",
        precision: "f32",
        storage: shared::STORAGE,
        steps: 50_000,
        tolerance: None,
        checkpoint: 0,
        film: 1_000,
    },
    flow,
    shown: Shown::scalar(&PHI),
    evaluate,
};

/// Over the distance of the plates: their length, the red fluid before them, the blue one behind them, and how far it has risen in the beginning.
const LENGTH: usize = 8;
const BEFORE: usize = 6;
const BEHIND: usize = 2;
const RISEN: f64 = 1.0;

/// The shares of the plates between which the time of the rise is compared.
const BETWEEN: [f64; 2] = [0.3, 0.8];

/// Rows of the table at most, and those that are compared with the law.
const LOOKS: u64 = 200;
const COMPARED: usize = 20;

const SOURCE: &str =
    "Washburn, Phys. Rev. 17 (1921) 273, between plates, with the viscosity of the fluid that is displaced";

/// What drives the red fluid and what holds it back.
#[derive(Clone, Copy, Debug)]
struct Law {
    /// Nodes along the plates.
    length: f64,
    /// Tension times the cosine of the angle times the distance of the plates, over 6: the difference of pressures 2 tension cos / distance over the
    /// friction 12 viscosity / distance^2 of each length.
    drive: f64,
    /// Viscosities of the red fluid and of the blue one, of density 1.
    viscosities: [f64; 2],
}

impl Law {
    fn of(settings: &Settings) -> Law {
        let (distance, viscosity) = (settings.size() as f64, settings.real("viscosity"));
        let cosine = settings.real("angle").to_radians().cos();
        Law {
            length: LENGTH as f64 * distance,
            drive: settings.real("tension") * cosine * distance / 6.0,
            viscosities: [settings.real("viscosity_ratio") * viscosity, viscosity],
        }
    }

    /// The steps to a height from 0: the integral of the friction of both columns over what drives.
    fn time(self, height: f64) -> f64 {
        let [red, blue] = self.viscosities;
        (blue * self.length * height + 0.5 * (red - blue) * height * height) / self.drive
    }

    /// The height so many steps after 0, where it is between the plates.
    fn height(self, time: f64) -> f64 {
        let [red, blue] = self.viscosities;
        let (whole, way) = (blue * self.length, self.drive * time);
        // The root of the square equation that stays where both viscosities are the same.
        2.0 * way / (whole + (whole * whole + 2.0 * (red - blue) * way).max(0.0).sqrt())
    }
}

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (distance, angle) = (settings.size(), settings.real("angle"));
    let [from, to] = [BEFORE * distance, (BEFORE + LENGTH) * distance];
    let size = [to + BEHIND * distance, 2 * distance];
    let between = [distance / 2, distance / 2 + distance];
    let (long, edge) = (size[0] as f64, from as f64 + RISEN * distance as f64);
    let parameters = [
        ("tension", settings.real("tension")),
        ("viscosity_ratio", settings.real("viscosity_ratio")),
        ("near_contact", 0.0),
        ("wetting", angle.to_radians().cos()),
    ];
    let problem = Problem {
        size: Some(size.into()),
        viscosity: Some(Viscosity::Value(settings.real("viscosity"))),
        parameters: parameters.map(|(name, value)| (name.to_owned(), value)).to_vec(),
        // Both fluids also meet where the periodic box ends, in a flat interface.
        sums: vec![(
            "red".to_owned(),
            Box::new(move |[x, ..]| {
                let x = x as f64 + 0.5;
                share(if x < edge { x.min(edge - x) } else { -(x - edge).min(long - x) })
            }),
        )],
        solids: vec![Solid::new(
            [0.0; 3],
            Box::new(move |[x, y, _]| (from..to).contains(&x) && !(between[0]..between[1]).contains(&y)),
        )],
        ..Problem::default()
    };
    let gauge = Gauge {
        columns: &["height", "red"],
        look: Arc::new(move |simulation| {
            let phi = (PHI.of)(simulation)?;
            let rows = (between[0]..between[1]).map(|y| &phi[size[0] * y..][from..to]);
            let red: f64 = rows.flatten().map(|phi| 0.5 * (1.0 + phi)).sum();
            Ok(vec![red / distance as f64, simulation.total_of("red")?])
        }),
    };
    let interval = (settings.integer("steps") / LOOKS).max(1);
    Ok(Flow {
        title: format!("capillary-rise, {angle} degrees"),
        variant: variant("D2Q9D2Q9", false, settings)?,
        problem,
        notes: Vec::new(),
        reference_length: distance as f64,
        steady: None,
        table: Some(Table::of_gauge("rise.csv", interval, 1.0, gauge)),
    })
}

fn evaluate(settings: &Settings, _: &State, rows: &[Row]) -> Evaluation {
    let law = Law::of(settings);
    let [low, high] = BETWEEN.map(|share| share * law.length);
    let risen: Vec<&Row> = rows.iter().filter(|row| (low..=high).contains(&row.values[0])).collect();
    let mut profile = Profile {
        name: "height",
        title: "how far the red fluid has risen between the plates, nodes",
        labels: ["t", "height"],
        simulated: rows.iter().map(|row| [row.time, row.values[0]]).collect(),
        source: SOURCE,
        ..Profile::default()
    };
    let mut measures = Vec::new();
    if let [first, .., last] = risen[..] {
        let begun = law.time(first.values[0]) - first.time;
        profile.reference = risen
            .iter()
            .step_by(risen.len().div_ceil(COMPARED))
            .map(|row| ReferencePoint {
                at: row.time,
                reference: law.height(begun + row.time),
                simulated: row.values[0],
                counts: true,
            })
            .collect();
        let took = (last.time - first.time) / (law.time(last.values[0]) - law.time(first.values[0]));
        measures.push(Measure::compared("time of the rise over that of the law", took, 1.0, SOURCE));
    }
    measures.extend(rows.last().map(|row| Measure::alone("height in the end, nodes", row.values[0])));
    measures.extend(Measure::change("red", rows, 1));
    Evaluation { profiles: vec![profile], measures }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_law_gives_the_height_of_its_time_for_any_viscosities() {
        for ratio in ["0.1", "1", "20"] {
            let law = Law::of(&Settings::with(&CASE, &format!("viscosity_ratio={ratio}")).unwrap());
            for height in [1.0, 40.0, 128.0] {
                assert!((law.height(law.time(height)) / height - 1.0).abs() < 1e-12, "{ratio} {height}");
            }
        }
        // Of one viscosity the speed is that of Poiseuille under the pressure of the meniscus: 2 tension cos / distance over 12 viscosity length / distance^2.
        let law = Law::of(&Settings::of(&CASE));
        let speed = 0.03 * 0.5 * 16.0 / (6.0 / 6.0 * 128.0);
        assert!((1.0 / law.time(1.0) / speed - 1.0).abs() < 1e-12);
    }
}
