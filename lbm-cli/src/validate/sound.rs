//! Sound that meets an inlet or an outlet: what comes back of a plane pulse, and whether mean density and velocity are held by the rules
//! that let it out.

use lbm::boundaries::layer;
use lbm_core::{Error, Face};

use super::{Event, Options, Row, largest, narrow};
use crate::simulation::{Initial, InitialField, PlacedRule, Problem, Region, Simulation, Viscosity};

const VARIANT: &str = "d2q9-bgk-f64-soa-dense-two-lattice-pull";

const SOURCE: &str = "what enters is set, so that all comes back, or does not change: Thompson, J. Comput. Phys. 68 (1987) 1; \
     Poinsot & Lele, J. Comput. Phys. 101 (1992) 104";

/// The box, along and across.
const SIZE: [usize; 2] = [400, 4];

const SPEED: f64 = 0.05;

/// The pulse: its height as a share of the density, and its half width.
const HEIGHT: f64 = 1e-3;
const WIDTH: f64 = 16.0;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let out = [
        "zou-he-pressure",
        "regularized-pressure",
        "characteristic-pressure",
        "convective-outflow",
        "sponge",
    ];
    let into = ["zou-he-velocity", "regularized-velocity", "characteristic-velocity"];
    for (downstream, rule) in out.map(|rule| (true, rule)).into_iter().chain(into.map(|rule| (false, rule))) {
        heard(Event::Progress(format!("sound: a pulse meets {rule}")));
        let back = returned(rule, downstream, options)?;
        let name = format!("sound-{rule}");
        let words =
            "amplitude that comes back of a plane pulse, as a share; 32 nodes wide, nu = 1/300, U = 0.05";
        // A pressure, or a velocity, that is held sends all back but for what viscosity takes from the pulse on its way.
        let row = match rule.split('-').next() {
            Some("characteristic" | "convective" | "sponge") => Row::error(name, VARIANT, back, 0.005),
            _ => Row { reference: 1.0, ..Row::error(name, VARIANT, back, 0.1) },
        };
        heard(Event::Row(row.about(words, SOURCE)));
    }
    at_once(options, heard)?;
    across_a_period(options, heard)?;
    from_a_point(options, heard)?;
    held(options, heard)
}

/// What is said of others, which hold a density, a velocity, or both at once, in ways of their own.
fn at_once(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    for (rule, downstream, what) in [
        ("equilibrium", true, "an outlet is the equilibrium of a density and a velocity"),
        ("anti-bounce-back", true, "an outlet of links holds the pressure half-way"),
        (
            "non-equilibrium-extrapolation-pressure",
            true,
            "an outlet holds the pressure and extrapolates the non-equilibrium",
        ),
        (AT_U, true, "a convective outlet has the speed U of the flow"),
        ("zero-gradient", true, "an outlet takes what arrives at the next node"),
        ("windkessel", true, "an outlet of links has the impedance of sound"),
        (
            "zou-he-velocity-neighbour",
            false,
            "an inlet holds the velocity, with a neighbour's density at edges",
        ),
        ("regularized-velocity-neighbour", false, "such an inlet is regularised"),
        ("half-way", false, "an inlet of links has the velocity half-way"),
        ("bouzidi", false, "an inlet of links has the velocity where it cuts them, at a face half-way"),
        ("bouzidi-quadratic", false, "such an inlet is interpolated over three nodes"),
        ("single-node", false, "such an inlet is interpolated centrally"),
        (
            "non-equilibrium-extrapolation-velocity",
            false,
            "an inlet holds the velocity and extrapolates the non-equilibrium",
        ),
    ] {
        heard(Event::Progress(format!("sound: a pulse meets {rule}")));
        let back = returned(rule, downstream, options)?;
        let words = format!("amplitude that comes back of a plane pulse, as a share, where {what}");
        heard(Event::Row(Row::shown(format!("sound-{rule}"), VARIANT, back).about(words, SOURCE)));
    }
    Ok(())
}

/// What the ends of a period change of a pulse that goes through them, beside the box that is periodic: without a difference of pressure
/// nothing but what draws the mean density to its own.
fn across_a_period(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    heard(Event::Progress("sound: a pulse goes through the ends of a period".to_owned()));
    let sound = 1.0 / 3f64.sqrt();
    // From the middle to the end, and as far again.
    let steps = (SIZE[0] as f64 / (sound + SPEED)) as u64;
    let density = |anchoring: Option<f64>| -> Result<Vec<f64>, Error> {
        let pulse = move |[x, _, _]: [usize; 3]| {
            let height = HEIGHT * (-((x as f64 - SIZE[0] as f64 / 2.0) / WIDTH).powi(2)).exp();
            let velocity = [SPEED + sound * height, 0.0, 0.0];
            Initial { density: 1.0 + height, velocity, ..Initial::default() }
        };
        let end = |share: f64| {
            PlacedRule::named("pressure-periodic").with("rise", [0.0]).with("anchoring", [share])
        };
        let ends = |share: f64| vec![(Face::West, end(share)), (Face::East, end(share))];
        let problem = Problem {
            viscosity: Some(Viscosity::Value(1.0 / 300.0)),
            rules: anchoring.map_or(Vec::new(), ends),
            initial: Some(Box::new(pulse)),
            ..Problem::default()
        };
        let mut flow = narrow(SIZE, problem, &[], VARIANT, options)?;
        flow.run(steps)?;
        flow.density()
    };
    let periodic = density(None)?;
    for (anchoring, name) in [(0.0, "sound-pressure-periodic"), (0.1, "sound-pressure-periodic-anchored")] {
        let off = density(Some(anchoring))?.into_iter().zip(&periodic).map(|(one, other)| one - other);
        let words = format!(
            "largest change of a plane pulse by the ends of a period without a difference of pressure, anchoring {anchoring}, as a share"
        );
        let row = match anchoring {
            0.0 => Row::error(name.to_owned(), VARIANT, largest(off) / HEIGHT, 1e-9),
            _ => Row::shown(name.to_owned(), VARIANT, largest(off) / HEIGHT),
        };
        heard(Event::Row(row.about(words, "the same flow in a periodic box")));
    }
    Ok(())
}

/// A convective outlet of the flow's speed.
const AT_U: &str = "convective-outflow-at-u";

/// What comes back of a pulse from a point, whose waves meet the outlet at an angle: the difference from a box so long that nothing has come
/// back.
fn from_a_point(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    const HALF: [usize; 2] = [50, 100];
    const STEPS: u64 = 130;
    let density = |rule: &str, longer: usize| -> Result<Vec<f64>, Error> {
        let size = [2 * (HALF[0] + longer), 2 * HALF[1]];
        let pulse = move |[x, y, _]: [usize; 3]| {
            let (x, y) = (x as f64 - (size[0] / 2) as f64, y as f64 - HALF[1] as f64);
            let height = HEIGHT * (-(x * x + y * y) / 36.0).exp();
            Initial { density: 1.0 + height, velocity: [SPEED, 0.0, 0.0], ..Initial::default() }
        };
        let problem = problem(["characteristic-velocity", rule], Box::new(pulse));
        let mut flow = narrow(size, problem, &[], VARIANT, options)?;
        flow.run(STEPS)?;
        let density = flow.density()?.into_iter().enumerate();
        let within = density.filter(|(at, _)| (longer..size[0] - longer).contains(&(at % size[0])));
        Ok(within.map(|(_, density)| density - 1.0).collect())
    };
    let endless = density("characteristic-pressure", 100)?;
    for rule in ["zou-he-pressure", "characteristic-pressure", "equilibrium"] {
        heard(Event::Progress(format!("sound: a pulse from a point meets {rule}")));
        let off = density(rule, 0)?.into_iter().zip(&endless).map(|(density, endless)| density - endless);
        let measured = largest(off) / largest(endless.iter().copied());
        let words = format!(
            "largest difference of the density from that of an endless box, over the greatest there, {STEPS} steps after a pulse of \
             half width 6, {} nodes from the outlet",
            HALF[0]
        );
        let row = Row::shown(format!("sound-point-{rule}"), VARIANT, measured);
        heard(Event::Row(row.about(words, "the same flow in a longer box")));
    }
    Ok(())
}

/// Nodes of the sponge, before an outlet that holds the pressure, and its strength there.
const DEPTH: usize = 80;
const STRENGTH: f64 = 0.1;

/// A sponge before the outlet of a tunnel of this length.
fn sponge(length: usize) -> Region {
    let strength = move |[x, ..]: [usize; 3]| [STRENGTH * layer((length - 1 - x) as f64, DEPTH as f64, 2.0)];
    let rule = PlacedRule::named("sponge").with("velocity", [SPEED, 0.0]).with_each("strength", strength);
    Region::new("sponge", Box::new(move |[x, ..]| x + DEPTH >= length), rule)
}

/// A flow between an inlet and an outlet of these rules.
fn problem([inlet, outlet]: [&str; 2], initial: InitialField) -> Problem {
    Problem {
        viscosity: Some(Viscosity::Value(1.0 / 300.0)),
        rules: vec![
            (Face::West, PlacedRule::named(inlet).with("velocity", [SPEED, 0.0])),
            (Face::East, placed(outlet)),
        ],
        regions: if outlet == "sponge" { vec![sponge(SIZE[0])] } else { Vec::new() },
        initial: Some(initial),
        ..Problem::default()
    }
}

/// A flow between an inlet and an outlet of which each is given or lets sound out.
fn tunnel(
    rules: [&str; 2],
    initial: impl Fn(f64) -> (f64, f64) + Send + Sync + 'static,
    options: &Options,
) -> Result<Simulation, Error> {
    let state = move |[x, _, _]: [usize; 3]| {
        let (density, velocity) = initial(x as f64 - SIZE[0] as f64 / 2.0);
        Initial { density, velocity: [velocity, 0.0, 0.0], ..Initial::default() }
    };
    narrow(SIZE, problem(rules, Box::new(state)), &[], VARIANT, options)
}

/// An outlet; a convective one has the speed of sound that goes with the flow, an equilibrium the flow's velocity, a windkessel the impedance of sound. Behind a sponge the pressure is held.
fn placed(outlet: &str) -> PlacedRule {
    match outlet {
        "equilibrium" => PlacedRule::named(outlet).with("velocity", [SPEED, 0.0]),
        AT_U => PlacedRule::named("convective-outflow").with("speed", [SPEED]),
        "convective-outflow" => PlacedRule::named(outlet).with("speed", [SPEED + 1.0 / 3f64.sqrt()]),
        "sponge" => PlacedRule::named("zou-he-pressure"),
        "windkessel" => {
            // The steady flow is at rest pressure.
            let sound = 1.0 / 3f64.sqrt();
            let rule = PlacedRule::named(outlet).with("resistance", [0.0]).with("compliance", [0.0]);
            rule.with("impedance", [sound]).with("density", [1.0 - SPEED / sound])
        }
        _ => PlacedRule::named(outlet),
    }
}

/// How much of a pulse comes back, as a share of its amplitude.
fn returned(rule: &str, downstream: bool, options: &Options) -> Result<f64, Error> {
    let (along, rules) = match downstream {
        true => (1.0, ["characteristic-velocity", rule]),
        false => (-1.0, [rule, "characteristic-pressure"]),
    };
    let sound = 1.0 / 3f64.sqrt();
    let pulse = move |x: f64| {
        let height = HEIGHT * (-(x / WIDTH).powi(2)).exp();
        (1.0 + height, SPEED + along * sound * height)
    };
    let mut flow = tunnel(rules, pulse, options)?;
    // From the middle to the end, and half of the way back.
    let half = SIZE[0] as f64 / 2.0;
    flow.run((half / (sound + along * SPEED) + 0.5 * half / (sound - along * SPEED)) as u64)?;
    Ok(largest(flow.density()?.into_iter().map(|density| density - 1.0)) / HEIGHT)
}

/// From another density and another velocity, both come to what is asked for.
fn held(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    const STEPS: u64 = 200_000;
    for (outlet, of) in
        [("characteristic-pressure", ""), ("convective-outflow", "-convective"), ("sponge", "-sponge")]
    {
        heard(Event::Progress(format!("sound: mean density and velocity, {outlet}")));
        let mut flow = tunnel(["characteristic-velocity", outlet], |_| (1.01, 0.8 * SPEED), options)?;
        flow.run(STEPS)?;
        let density = largest(flow.density()?.into_iter().map(|density| density - 1.0));
        let velocity = largest(flow.velocity()?.into_iter().map(|[u, ..]| u / SPEED - 1.0));
        for (name, measured) in [("density", density), ("velocity", velocity)] {
            let words = format!(
                "{name}, after {STEPS} steps with rules that let sound out (outlet: {outlet}): largest error as a share"
            );
            let row = Row::error(format!("sound-held{of}-{name}"), VARIANT, measured, 1e-3);
            heard(Event::Row(row.about(words, "what the rules are given")));
        }
    }
    Ok(())
}
