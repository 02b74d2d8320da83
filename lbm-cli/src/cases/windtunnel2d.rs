//! A wind tunnel in two dimensions: what enters in the west leaves in the east, past a cylinder or past what is drawn (`lbm live`).

use lbm_core::rules::Course;
use lbm_core::{Error, Face, FaceRule};

use super::case::{Case, Defaults, Flow, variant};
use super::evaluation::Evaluation;
use super::probes::{Row, Table};
use super::pushed::{Pushed, Sample};
use super::setting::{Allowed, Setting, shared};
use super::settings::Settings;
use super::shown::{AtFirst, Disc, Drawn, Shown};
use super::state::State;
use super::tunnel::{OUTLET, SIDES, evaluate as of_force};
use crate::simulation::{Body, Initial, PlacedRule, Problem, Solid, Viscosity};

/// The factor that is the speed of what enters.
pub const SPEED: &str = "speed";

/// The fastest that may enter, node spacings a time step.
pub const FASTEST: f64 = 0.15;

/// In heights of the tunnel: its length, the cylinder's diameter, and where its centre lies. A little off the middle, so that the street begins.
const LENGTH: f64 = 2.0;
const DIAMETER: f64 = 0.125;
const CENTRE: [f64; 2] = [0.4, 0.502];

/// Samples of the force in the time in which the flow passes a diameter.
const SAMPLES: f64 = 20.0;

/// The case `windtunnel2d`.
pub(super) static CASE: Case = Case {
    name: "windtunnel2d",
    about: "wind tunnel in two dimensions with a cylinder, or with what is drawn into it while it runs (`lbm live`)",
    bodies: &[("D2Q9", false)],
    own: &[
        Setting::integer("size", 512, [16, 16_384])
            .about("nodes over the tunnel's height; it is twice as long"),
        shared::reynolds(
            250.0,
            1e6,
            "Reynolds number of what enters and the cylinder's diameter, an eighth of the height",
        ),
        shared::velocity(0.06, "velocity of what enters"),
        Setting::named("obstacle", "cylinder", Allowed::Names(&["cylinder", "none"]))
            .about("what stands in the tunnel"),
        SIDES,
        OUTLET,
        shared::MAGIC,
    ],
    defaults: Defaults {
        collision: "recursive-regularized",
        precision: "f32",
        storage: shared::STORAGE,
        steps: 40_000,
        tolerance: None,
        checkpoint: 0,
        film: 200,
    },
    flow,
    shown: Shown { live: Some(&LIVE), ..Shown::SPEED },
    evaluate,
};

/// Seen while it runs it has 8192 x 4096 nodes on a GPU, and its cylinder can be erased.
static LIVE: AtFirst = AtFirst {
    on_a_gpu: ("size", "4096"),
    drawn: |settings| {
        (settings.name("obstacle") == "cylinder")
            .then(|| Drawn { disc: cylinder(settings.size()), without: ("obstacle", "none") })
    },
};

/// The cylinder in a tunnel of this height.
fn cylinder(height: usize) -> Disc {
    let height = height as f64;
    Disc { centre: CENTRE.map(|share| share * height), diameter: DIAMETER * height }
}

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (height, speed) = (settings.size(), settings.velocity());
    let Disc { centre, diameter } = cylinder(height);
    let length = (LENGTH * height as f64) as usize;
    let enters = PlacedRule::named("regularized-velocity")
        .with("velocity", [1.0, 0.0])
        .in_time("velocity", Course::steered(SPEED, speed, [0.0, FASTEST.max(speed)])?);
    let mut problem = Problem {
        size: Some([length, height].into()),
        viscosity: Some(Viscosity::Reynolds {
            reynolds: settings.real("re"),
            length: diameter,
            velocity: speed,
        }),
        rules: vec![
            (Face::West, enters),
            (Face::East, PlacedRule::named(&format!("{}-pressure", settings.name("outlet")))),
        ],
        initial: Some(Box::new(move |_| Initial::velocity([speed, 0.0, 0.0]))),
        ..Problem::default()
    };
    for face in [Face::South, Face::North] {
        match settings.name("sides") {
            "wall" => problem.faces[face.index()] = FaceRule::WALL,
            _ => problem.rules.push((face, PlacedRule::named("free-slip"))),
        }
    }
    let stands = settings.name("obstacle") == "cylinder";
    if stands {
        let contains = move |[x, y, _]: [usize; 3]| {
            let away = [x, y].map(|at| at as f64 + 0.5);
            (away[0] - centre[0]).hypot(away[1] - centre[1]) <= diameter / 2.0
        };
        problem.solids.push(Solid::new([0.0; 3], Box::new(contains)));
    }
    let passes = diameter / speed;
    Ok(Flow {
        title: format!("windtunnel2d, Re = {}", settings.real("re")),
        variant: variant("D2Q9", false, settings)?,
        problem,
        notes: Vec::new(),
        reference_length: diameter,
        steady: None,
        table: stands.then(|| {
            Table::of_force(Pushed {
                body: Body::Solid(0),
                interval: (passes / SAMPLES).ceil() as u64,
                about: [centre[0], centre[1], 0.5],
                speed,
                axes: Pushed::ALONG_X,
                area: Some(diameter),
                unit: passes,
            })
        }),
    })
}

fn evaluate(settings: &Settings, _state: &State, rows: &[Row]) -> Evaluation {
    match settings.name("obstacle") {
        "cylinder" => of_force(&Sample::all(rows), None, "y"),
        _ => Evaluation::default(),
    }
}
