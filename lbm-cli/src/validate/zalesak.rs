//! What a phase field is made of, beside a flow that is known: Zalesak's disc, which turns once around.

use std::f64::consts::TAU;

use lbm::models::PhaseFields;
use lbm::prelude::*;

use super::{Event, Options, Row};
use crate::cases::interface::share;

model! {
    /// A phase field that turns about the middle of a square box, with so many nodes along each side, in a flow that does not matter.
    Turned<Flow>(nodes in 1.., rate, field position[dimensions], width = 3 in 1.., mobility = 1/100 in 0..) {
        use PhaseFields;
        let flow = set(1);
        let phase = set(0);
        let phi = field(phase.rho);
        let slope = grad(phi);
        let middle = (nodes - 1) / 2;
        let v = [rate * (middle - position[1]), rate * (position[0] - middle)];
        phase.u = flow.u;
        flow.f = Flow(flow);
        let omega = 1 / (mobility / phase.cs2 + 1/2);
        let along = |i| dot(phase.c[i], v) / phase.cs2;
        let at_equilibrium = |i| phase.w[i] * phase.rho * (1 + along(i) + along(i) * along(i) / 2 - dot(v, v) / (2 * phase.cs2));
        let after = phase.directions.map(|i| phase.f[i] + omega * (at_equilibrium(i) - phase.f[i]));
        let sharp = sharpened(phase.rho, width);
        let outward = direction(slope);
        phase.f = with_flux(phase, after, mobility, dimensions.map(|a| sharp * outward[a]));
    }
}

solver! { Disc { model: Turned<Bgk>, lattices: [D2Q9, D2Q9] } }

/// Nodes along a side, with the error that an independent program of the same equations has.
const KNOWN: [(usize, f64); 1] = [(64, 0.020_863_9)];

/// The width of the interface, the velocity at the middle of a side over pi, and the Peclet number of both and the mobility.
const WIDTH: f64 = 3.0;
const SPEED: f64 = 0.02;
const PECLET: f64 = 80.0;

const MODEL: &str = "an independent program of the conservative Allen-Cahn equation (Geier, Fakhari & Lee, Phys. Rev. E 91 (2015) 063309) for the disc of Zalesak, \
                     J. Comput. Phys. 31 (1979) 335";

/// The disc with its slot, of a radius of 0.4 sides: how much of a node is in it.
fn disc([x, y, _]: [usize; 3], nodes: usize) -> f64 {
    let (side, middle) = (nodes as f64, (nodes - 1) as f64 / 2.0);
    let (radius, dx, dy) = (0.4 * side, x as f64 - middle, y as f64 - middle);
    // From the slot: 0.4 radii wide, and as long as two thirds of the diameter.
    let (beside, above) = (dx.abs() - 0.2 * radius, dy - 0.6667 * radius);
    let away = match beside < 0.0 && above < 0.0 {
        true => beside.max(above),
        false => beside.max(0.0).hypot(above.max(0.0)),
    };
    let depth = (radius - dx.hypot(dy)).min(away);
    share(depth, WIDTH)
}

/// The error of the disc after one turn, sqrt(sum (phi - phi_0)^2 / sum phi_0^2), and what is lost of it.
fn turned(nodes: usize, options: &Options) -> Result<[f64; 2], Error> {
    let steps = (2.0 * nodes as f64 / SPEED).round() as u64;
    let (rate, middle) = (TAU / steps as f64, (nodes - 1) as f64 / 2.0);
    let mut flow = Disc::builder()
        .size([nodes, nodes])
        .viscosity(0.5)
        .parameter("nodes", nodes as f64)
        .parameter("rate", rate)
        .parameter("width", WIDTH)
        .parameter("mobility", SPEED * WIDTH / PECLET)
        .initial(move |[x, y, _]| {
            Initial::velocity([rate * (middle - y as f64), rate * (x as f64 - middle), 0.0])
        })
        .initial_sum("phase", move |at| disc(at, nodes))
        .placement(options.small_box())
        .build()?;
    let before = flow.sum_of("phase")?;
    flow.run(steps)?;
    let after = flow.sum_of("phase")?;
    let of = |f: &dyn Fn(f64, f64) -> f64| before.iter().zip(&after).map(|(a, b)| f(*a, *b)).sum::<f64>();
    let error = (of(&|a, b| (a - b).powi(2)) / of(&|a, _| a * a)).sqrt();
    Ok([error, of(&|_, b| b) / of(&|a, _| a) - 1.0])
}

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    for (nodes, known) in KNOWN {
        let name = format!("zalesak-{nodes}");
        heard(Event::Progress(name.clone()));
        let [error, lost] = turned(nodes, options)?;
        let row = Row { reference: known, ..Row::error(name, &Disc::name(), error, 0.02 * known) };
        heard(Event::Row(row.about(
            format!("rms error of a disc with a slot after one turn, {nodes} nodes a side, width {WIDTH}, velocity {SPEED} pi at the middle of a side, Peclet number {PECLET}; tolerance: 2 %"),
            MODEL,
        )));
        let row = Row::error(format!("zalesak-mass-{nodes}"), &Disc::name(), lost, 1e-10);
        heard(Event::Row(
            row.about("the disc after one turn over that before, less 1", "exact; to rounding"),
        ));
    }
    Ok(())
}
