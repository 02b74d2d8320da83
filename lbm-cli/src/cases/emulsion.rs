//! Dozens of drops under shear: near-contact interactions keep them apart, without these they flow together.

use std::f64::consts::PI;
use std::sync::Arc;

use lbm_core::laws::SplitMix64;
use lbm_core::{Error, Face, FaceRule};

use super::case::{Case, Defaults, Flow, variant};
use super::drops::{self, share};
use super::evaluation::{Evaluation, Measure, Profile};
use super::probes::{Gauge, Row, Table};
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::shown::{Beside, PHI, Shown};
use super::state::State;
use crate::simulation::{Initial, Problem, Viscosity};

/// The case `emulsion`.
pub(super) static CASE: Case = Case {
    name: "emulsion",
    about: "dozens of drops between two walls that slide, with near-contact interactions beside without",
    bodies: &[("D2Q9D2Q9", false)],
    own: &[
        shared::size(160, 48, 4096, "nodes from wall to wall; the box is twice as long and periodic"),
        Setting::integer("rows", 4, [1, 64]).about("rows of drops, each of twice as many"),
        Setting::real("fraction", 0.4, [0.01, 0.6]).about("share of the box that drops take"),
        Setting::real("ca", 0.1, [1e-4, 10.0])
            .about("capillary number: viscosity of the blue fluid times the shear rate and the radius, over the tension"),
        shared::viscosity(1.0 / 6.0, 1e-3),
        shared::velocity(0.1, "speed of a wall against the other"),
        shared::VISCOSITY_RATIO,
        shared::NEAR_CONTACT,
        Setting::integer("seed", 1, shared::ANY).about("where drops begin: each is moved a little at random"),
    ],
    defaults: Defaults {
        collision: "emulsion-of-regularized",
        precision: "f32",
        storage: shared::STORAGE,
        steps: 12_000,
        tolerance: None,
        checkpoint: 0,
        film: 240,
    },
    flow,
    shown: Shown { beside: Some(Beside { setting: "near_contact", value: 0.0 }), ..Shown::scalar(&PHI) },
    evaluate,
};

/// The box is so many times as long as it is high.
const ASPECT: usize = 2;

/// Films between drops in their order, of which each may then be moved by a quarter of it, are so thick at least: what keeps drops apart looks six nodes away.
const LEAST_FILM: f64 = 6.0;

/// Rows of the table in the time in which one wall passes the other by their distance.
const LOOKS: f64 = 20.0;

/// Drops of one radius in a periodic box between walls.
struct Drops {
    size: [usize; 2],
    radius: f64,
    centres: Vec<[f64; 2]>,
}

impl Drops {
    /// Every second row of a hexagonal order moved by half a distance, and every drop by up to a quarter of the film at random.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for drops that would nearly touch.
    fn of(settings: &Settings) -> Result<Drops, Error> {
        let height = settings.size();
        let rows = usize::try_from(settings.integer("rows")).unwrap_or(usize::MAX);
        let size = [ASPECT * height, height];
        let (count, distance) = (ASPECT * rows * rows, height as f64 / rows as f64);
        let radius = (settings.real("fraction") * (size[0] * size[1]) as f64 / (PI * count as f64)).sqrt();
        let film = distance - 2.0 * radius;
        if film < LEAST_FILM {
            return Err(Error::out_of_range(
                "nodes of the films between drops",
                format!("{film:.1}"),
                format!("{LEAST_FILM} at least"),
                "set a larger size, fewer rows or a smaller fraction",
            ));
        }
        let mut random = SplitMix64::new(settings.integer("seed"));
        let mut centre = |number: usize| {
            let (column, row) = (number % (ASPECT * rows), number / (ASPECT * rows));
            let half = if row % 2 == 0 { 0.25 } else { 0.75 };
            let moved = |random: &mut SplitMix64| random.between(-0.25 * film, 0.25 * film);
            let x = (column as f64 + half) * distance + moved(&mut random);
            [x, (row as f64 + 0.5) * distance + moved(&mut random)]
        };
        Ok(Drops { size, radius, centres: (0..count).map(&mut centre).collect() })
    }

    /// The share of red at a node.
    fn share(&self, [x, y, _]: [usize; 3]) -> f64 {
        let long = self.size[0] as f64;
        let depth = |&[cx, cy]: &[f64; 2]| {
            let across = (x as f64 + 0.5 - cx).rem_euclid(long);
            self.radius - across.min(long - across).hypot(y as f64 + 0.5 - cy)
        };
        share(self.centres.iter().map(depth).fold(f64::NEG_INFINITY, f64::max))
    }
}

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (drops, speed, viscosity) = (Drops::of(settings)?, settings.velocity(), settings.real("viscosity"));
    let size @ [_, height] = drops.size;
    let rate = speed / height as f64;
    let parameters = [
        ("tension", viscosity * rate * drops.radius / settings.real("ca")),
        ("viscosity_ratio", settings.real("viscosity_ratio")),
        ("near_contact", settings.real("near_contact")),
        // Drops repel walls.
        ("wetting", -1.0),
    ];
    let title = format!("emulsion, {} drops, Ca = {}", drops.centres.len(), settings.real("ca"));
    let mut problem = Problem {
        size: Some(size.into()),
        viscosity: Some(Viscosity::Value(viscosity)),
        parameters: parameters.map(|(name, value)| (name.to_owned(), value)).to_vec(),
        initial: Some(Box::new(move |[_, y, _]| {
            Initial::velocity([rate * (y as f64 + 0.5) - 0.5 * speed, 0.0, 0.0])
        })),
        sums: vec![("red".to_owned(), Box::new(move |at| drops.share(at)))],
        ..Problem::default()
    };
    for (face, side) in [(Face::South, -0.5), (Face::North, 0.5)] {
        problem.faces[face.index()] = FaceRule::Wall { velocity: [side * speed, 0.0, 0.0] };
    }
    let gauge = Gauge {
        columns: &["drops", "red"],
        look: Arc::new(move |simulation| {
            let phi = (PHI.of)(simulation)?;
            Ok(vec![drops::count(&phi, size, false) as f64, simulation.total_of("red")?])
        }),
    };
    Ok(Flow {
        title,
        variant: variant("D2Q9D2Q9", false, settings)?,
        problem,
        notes: Vec::new(),
        reference_length: height as f64,
        steady: None,
        table: Some(Table::of_gauge("drops.csv", (1.0 / rate / LOOKS).ceil() as u64, 1.0 / rate, gauge)),
    })
}

fn evaluate(_: &Settings, _: &State, rows: &[Row]) -> Evaluation {
    let count: Vec<[f64; 2]> = rows.iter().map(|row| [row.time, row.values[0]]).collect();
    let ends = [("beginning", rows.first()), ("end", rows.last())].into_iter();
    let drops =
        ends.filter_map(|(end, row)| Some(Measure::alone(&format!("drops in the {end}"), row?.values[0])));
    let measures = drops.chain(Measure::change("red", rows, 1)).collect();
    let profile = Profile {
        name: "count",
        title: "drops",
        labels: ["shear", "drops"],
        simulated: count,
        ..Profile::default()
    };
    Evaluation { profiles: vec![profile], measures }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_begin_apart_and_take_their_share() {
        let drops = Drops::of(&Settings::with(&CASE, "").unwrap()).unwrap();
        let [nx, ny] = drops.size;
        let shares: Vec<f64> = (0..nx * ny).map(|node| drops.share([node % nx, node / nx, 0])).collect();
        let phi: Vec<f64> = shares.iter().map(|share| 2.0 * share - 1.0).collect();
        assert_eq!((drops.centres.len(), drops::count(&phi, drops.size, false)), (32, 32));
        let taken = shares.iter().sum::<f64>() / (nx * ny) as f64;
        assert!((taken - 0.4).abs() < 0.01, "{taken}");
    }

    #[test]
    fn drops_that_would_touch_are_refused() {
        let refused =
            Drops::of(&Settings::with(&CASE, "size=64").unwrap()).map(|_| ()).unwrap_err().to_string();
        assert!(refused.contains("6 at least") && refused.contains("fewer rows"), "{refused}");
    }
}
