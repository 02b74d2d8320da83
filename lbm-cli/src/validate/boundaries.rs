//! Boundary rules on nodes: channels of which the profile is a parabola, and a plane of symmetry, which are exact; an inlet and an
//! outlet.

use lbm_core::{Error, Face, FaceRule};

use super::{Event, Options, Row, largest, narrow, node_walls};
use crate::simulation::{PlacedRule, Problem, Viscosity};

const ZOU_HE: &str = "exact: u = F y (H - y) / (2 nu); Zou & He, Phys. Fluids 9 (1997) 1591, Hecht & Harting, J. Stat. Mech. (2010) P01018";

const VISCOSITY: f64 = 0.05;

const MASS: &str = "mass that leaves over mass that enters in a step, less 1, once steady";

/// Nodes from wall to wall, both included.
const NODES: usize = 13;

const SPEED: f64 = 0.01;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let still =
        |dimension: usize| PlacedRule::named("zou-he-velocity").with("velocity", &[0.0; 3][..dimension]);
    let slip = |_| PlacedRule::named("free-slip");
    type Upper<'a> = &'a dyn Fn(usize) -> PlacedRule;
    let flows: [(&str, &str, usize, Upper<'_>); 7] = [
        ("boundaries-zou-he-bgk", "d2q9-bgk-guo-f64-soa-dense-two-lattice-pull", 2, &still),
        ("boundaries-zou-he-regularized", "d2q9-regularized-guo-f64-soa-dense-two-lattice-pull", 2, &still),
        (
            "boundaries-zou-he-incompressible",
            "d2q9-bgk-incompressible-guo-f64-soa-dense-two-lattice-pull",
            2,
            &still,
        ),
        (
            "boundaries-zou-he-regularized-incompressible",
            "d2q9-regularized-incompressible-guo-f64-soa-dense-two-lattice-pull",
            2,
            &still,
        ),
        ("boundaries-zou-he-d3q19", "d3q19-bgk-guo-f64-soa-dense-two-lattice-pull", 3, &still),
        ("boundaries-zou-he-esoteric", "d3q19-bgk-guo-f64-aosoa128-dense-esoteric-pull", 3, &still),
        ("boundaries-free-slip", "d2q9-bgk-guo-f64-soa-dense-two-lattice-pull", 2, &slip),
    ];
    for (name, variant, dimension, upper) in flows {
        heard(Event::Progress(name.to_owned()));
        // A plane of symmetry has twice the channel.
        let height = if name.ends_with("slip") { 2 * (NODES - 1) } else { NODES - 1 } as f64;
        let force = 8.0 * VISCOSITY * SPEED / (height * height);
        let along = if dimension == 2 { [Face::South, Face::North] } else { [Face::Bottom, Face::Top] };
        let problem = Problem {
            viscosity: Some(Viscosity::Value(VISCOSITY)),
            force: Some([force, 0.0, 0.0]),
            rules: vec![(along[0], still(dimension)), (along[1], upper(dimension))],
            ..Problem::default()
        };
        let mut flow = match dimension {
            2 => narrow([4, NODES], problem, &[], variant, options)?,
            _ => narrow([4, 4, NODES], problem, &[], variant, options)?,
        };
        // 30 times of the slowest mode.
        flow.run((30.0 * height * height / (9.8 * VISCOSITY)) as u64)?;
        let plane = if dimension == 2 { 4 } else { 16 };
        let exact = |y: usize| force * y as f64 * (height - y as f64) / (2.0 * VISCOSITY);
        let velocity = flow.velocity()?.into_iter().enumerate();
        let off = largest(velocity.flat_map(|(at, [u, v, w])| [u - exact(at / plane), v, w])) / SPEED;
        heard(Event::Row(
            Row::error(name.to_owned(), variant, off, 1e-10)
                .about("largest error of the velocity over the greatest, walls on the nodes", ZOU_HE),
        ));
    }
    node_walls::run(options, heard)?;
    through(options, heard)
}

/// A parabola enters, a pressure lets it out.
fn through(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    const VARIANT: &str = "d2q9-bgk-f64-soa-dense-two-lattice-pull";
    let (length, height) = (61, NODES);
    let ends = [
        ("zou-he", "zou-he-velocity", "zou-he-pressure"),
        ("regularized", "regularized-velocity", "regularized-pressure"),
        ("neighbour", "zou-he-velocity-neighbour", "zou-he-pressure"),
        ("bounce-back", "half-way", "anti-bounce-back"),
        ("interpolated", "bouzidi", "anti-bounce-back"),
        ("windkessel", "half-way", "windkessel"),
        ("characteristic", "characteristic-velocity", "characteristic-pressure"),
        ("convective", "regularized-velocity", "convective-outflow"),
        ("extrapolation", "non-equilibrium-extrapolation-velocity", "non-equilibrium-extrapolation-pressure"),
        ("equilibrium", "regularized-velocity", "equilibrium"),
    ];
    for (kind, inlet, outlet) in ends {
        heard(Event::Progress(format!("boundaries: {kind} inlet and outlet")));
        let enters = move |[_, y, _]: [usize; 3]| {
            let y = (y as f64 + 0.5) / height as f64;
            [4.0 * SPEED * y * (1.0 - y), 0.0]
        };
        let leaves = |outlet: &str| match outlet {
            // Sound leaves with it, and the density is held strongly enough to settle.
            "convective-outflow" => {
                let outlet = PlacedRule::named(outlet).with("speed", [SPEED + 1.0 / 3f64.sqrt()]);
                outlet.with("relaxation", [0.01])
            }
            "equilibrium" => PlacedRule::named(outlet).with_each("velocity", enters),
            "windkessel" => {
                let rule = PlacedRule::named(outlet).with("resistance", [0.1]);
                rule.with("compliance", [100.0])
            }
            _ => PlacedRule::named(outlet),
        };
        let mut problem = Problem {
            viscosity: Some(Viscosity::Value(VISCOSITY)),
            rules: vec![
                (Face::West, PlacedRule::named(inlet).with_each("velocity", enters)),
                (Face::East, leaves(outlet)),
            ],
            ..Problem::default()
        };
        problem.faces[Face::South.index()] = FaceRule::WALL;
        problem.faces[Face::North.index()] = FaceRule::WALL;
        let mut flow = narrow([length, height], problem, &[], VARIANT, options)?;
        flow.run(40_000)?;
        let [enters, leaves] = [(Face::West, -1.0), (Face::East, 1.0)]
            .map(|(face, out)| flow.mass_into(face).map(|mass| out * mass));
        let off = leaves? / enters? - 1.0;
        let row = Row::error(format!("boundaries-{kind}-mass"), VARIANT, off, 1e-3);
        heard(Event::Row(row.about(MASS, "mass is kept")));
    }
    Ok(())
}
