//! Fluids whose viscosity follows the rate of shear, between plates: a force drives them, and their profiles are known.

use lbm_core::{Error, Face, FaceRule};

use super::{Event, Options, Row, joined, largest, lowest_order, plain};
use crate::simulation::{Problem, Simulation, Viscosity};

const POWER_LAW: &str = "exact: u = n / (n + 1) (F / K)^(1/n) (H^(1 + 1/n) - y^(1 + 1/n)), Bird, Armstrong & Hassager, Dynamics of Polymeric \
                         Liquids (1987), section 4.2";
const CARREAU: &str =
    "exact: the integral of the rate of shear g with nu(g) g = F y, Carreau, Trans. Soc. Rheol. 16 (1972) 99";
const STRESS: &str = "exact: the stress bears the force on what lies further in";

/// Nodes from plate to plate.
const NODES: [usize; 2] = [16, 32];
const QUICK: [usize; 2] = [8, 16];

/// Nodes along the plates, where nothing changes.
const WIDTH: usize = 2;

/// Indices of power-law fluids, and how far below 2 the order may be: 8 nodes are not yet of one order, and where the viscosity goes to zero in the
/// middle, above 1, it is less.
const INDICES: [(f64, f64); 3] = [(0.5, 0.2), (0.8, 0.2), (1.5, 0.6)];

/// A fluid in a channel of so many nodes.
struct Channel {
    variant: String,
    nodes: usize,
    force: f64,
    viscosity: f64,
    parameters: Vec<(String, f64)>,
}

/// A channel, and its velocity by the distance from the middle.
type Known = (Channel, Box<dyn Fn(f64) -> f64>);

/// What is allowed of a fluid: how far below 2 the order may be, the error of the velocity with 32 nodes, that of the stress.
struct Allowed {
    order: f64,
    velocity: f64,
    stress: f64,
}

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let indices = if options.quick { &INDICES[..1] } else { &INDICES[..] };
    for &(index, order) in indices {
        let allowed = Allowed { order, velocity: 2e-3, stress: 1e-8 };
        let known = |nodes| power_law(nodes, index);
        rows(&format!("power-law-{index}"), known, &allowed, POWER_LAW, options, heard)?;
    }
    let allowed = Allowed { order: 1.0, velocity: 1e-2, stress: 1e-6 };
    rows("carreau", carreau, &allowed, CARREAU, options, heard)
}

/// The largest velocity is 0.8 / nodes, the viscosity at the wall 1/20.
fn power_law(nodes: usize, index: f64) -> Known {
    let half = 0.5 * nodes as f64;
    let at_wall = 0.8 / nodes as f64 * (index + 1.0) / (index * half);
    let consistency = 0.05 * at_wall.powf(1.0 - index);
    let force = 0.05 * at_wall / half;
    let power = 1.0 + 1.0 / index;
    let channel = Channel {
        variant: plain("d2q9-power-law-of-trt-guo"),
        nodes,
        force,
        viscosity: consistency,
        parameters: vec![("index".to_owned(), index)],
    };
    let profile = move |y: f64| {
        index / (index + 1.0) * (force / consistency).powf(1.0 / index) * (half.powf(power) - y.powf(power))
    };
    (channel, Box::new(profile))
}

/// A fluid that thins to less than half of its viscosity at the wall.
fn carreau(nodes: usize) -> Known {
    let (index, least, viscosity) = (0.4, 0.1, 0.1);
    let half = 0.5 * nodes as f64;
    let (time, force) = (300.0 * half, 0.003 / (half * half));
    let thinned = move |g: f64| {
        viscosity * (least + (1.0 - least) * (1.0 + (time * g).powi(2)).powf((index - 1.0) / 2.0))
    };
    let rate = move |y: f64| {
        let (mut low, mut high) = (0.0, force * y / (viscosity * least) + 1e-300);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if thinned(middle) * middle < force * y { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    };
    // By Simpson's rule.
    let profile = move |y: f64| {
        let width = (half - y) / 400.0;
        let part = |n: u32| {
            let at = y + f64::from(n) * width;
            width / 6.0 * (rate(at) + 4.0 * rate(at + 0.5 * width) + rate(at + width))
        };
        (0..400).map(part).sum()
    };
    let parameters = [("index", index), ("time", time), ("least", least)];
    let channel = Channel {
        variant: plain("d2q9-carreau-of-trt-guo"),
        nodes,
        force,
        viscosity,
        parameters: parameters.map(|(name, value)| (name.to_owned(), value)).into(),
    };
    (channel, Box::new(profile))
}

/// The finer channel's error, the order between both, and the error of the stress.
fn rows(
    name: &str,
    known: impl Fn(usize) -> Known,
    allowed: &Allowed,
    source: &'static str,
    options: &Options,
    heard: &mut dyn FnMut(Event),
) -> Result<(), Error> {
    let nodes = if options.quick { QUICK } else { NODES };
    let (mut velocities, mut stresses, mut variant) = (Vec::new(), Vec::new(), String::new());
    for nodes in nodes {
        heard(Event::Progress(format!("rheology: {name}, {nodes} nodes")));
        let (channel, profile) = known(nodes);
        let [velocity, stress] = channel.errors(profile, options)?;
        velocities.push(velocity);
        stresses.push(stress);
        variant = channel.variant;
    }
    // The tolerance of 32 nodes goes with the square of the spacing.
    let tolerance = allowed.velocity * (32.0 / nodes[1] as f64).powi(2);
    let order = lowest_order(&nodes, &velocities);
    let order =
        Row { tolerance: allowed.order, ..Row::order(format!("rheology-{name}-order"), &variant, order) };
    let found = joined(&velocities);
    for row in [
        Row::error(format!("rheology-{name}-velocity"), &variant, velocities[1], tolerance).about(
            format!("largest error of the velocity over that in the middle, {} nodes", nodes[1]),
            source,
        ),
        order.about(format!("order of it between {nodes:?} nodes ({found})"), source),
        Row::error(format!("rheology-{name}-stress"), &variant, largest(stresses), allowed.stress)
            .about("largest error of the stress over that at the wall", STRESS),
    ] {
        heard(Event::Row(row));
    }
    Ok(())
}

impl Channel {
    /// The flow once nothing changes.
    fn settled(&self, options: &Options) -> Result<Simulation, Error> {
        let mut problem = Problem {
            size: Some([WIDTH, self.nodes].into()),
            viscosity: Some(Viscosity::Value(self.viscosity)),
            force: Some([self.force, 0.0, 0.0]),
            parameters: self.parameters.clone(),
            placement: options.small_box(),
            ..Problem::default()
        };
        [Face::South, Face::North].iter().for_each(|face| problem.faces[face.index()] = FaceRule::WALL);
        let mut flow = crate::variants::build(&self.variant, problem)?;
        flow.run(120 * (self.nodes * self.nodes) as u64)?;
        Ok(flow)
    }

    /// The largest difference from a profile over its largest value, and that of the stress from the force on what lies further in over the
    /// stress at the wall.
    fn errors(&self, profile: impl Fn(f64) -> f64, options: &Options) -> Result<[f64; 2], Error> {
        let flow = self.settled(options)?;
        let half = 0.5 * self.nodes as f64;
        let off = |node: usize| (node / WIDTH) as f64 + 0.5 - half;
        let velocity = flow.velocity()?.into_iter().enumerate();
        let stress = flow.stress()?.into_iter().enumerate();
        Ok([
            largest(velocity.map(|(node, u)| u[0] - profile(off(node).abs()))) / profile(0.0),
            largest(stress.map(|(node, s)| s[3] + self.force * off(node))) / (self.force * half),
        ])
    }
}
