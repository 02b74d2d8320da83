//! A scheme beside what others do, in flows between walls: time, speedup over a core's plain loop, share of bandwidth.

use lbm_core::engine::Setup;
use lbm_core::{Domain, Error, FaceRule};
use lbm_cuda::assemble::Way;
use serde::Serialize;

use super::contestants::{Contestant, comparator, populations_after};
use super::{Record, Session, number};
use crate::bench::turns::{Turns, copy};
use crate::bench::{BEYOND_CACHES, Request, flow, size_for};
use crate::output::{Panel, Scale, Series};
use crate::simulation::Backend;
use crate::variants::{self, Entry};

/// What every variant's name begins with.
const FAMILY: &str = "d3q19-bgk-f64-soa-dense";

/// The two-lattice pull, of which the comparators are ways.
const STANDARD: &str = "two-lattice-pull";

/// The scheme that is compared.
const SCHEME: &str = "ccas";

/// Nodes along an edge on the CPU (and on the host in a device's place), and on a GPU.
const EDGES: [&[usize]; 2] = [&[32, 64, 96], &[64, 128, 192]];

/// The paper's scheme over its comparators, on a K40c: averages over both flows.
const OVER: [(&str, f64); 2] = [("separate kernels", 1.1439), ("tiled pull", 1.0794)];

/// A flow between walls.
struct Flow {
    name: &'static str,
    title: &'static str,
    faces: [FaceRule; 6],
    /// The paper's smallest and largest speedup of its scheme on a K40c, of three boxes, over a core of a Xeon E5-2650.
    speedups: [f64; 2],
}

const FLOWS: [Flow; 2] = [
    Flow {
        name: "shear",
        title: "Shear flow, D3Q19 BGK, f64",
        faces: [P, P, P, P, sliding([0.0, -0.1, 0.0]), sliding([0.0, 0.1, 0.0])],
        speedups: [114.29, 163.0],
    },
    Flow {
        name: "cavity",
        title: "Cube with a lid, D3Q19 BGK, f64",
        faces: [WALL, WALL, WALL, WALL, WALL, sliding([0.1, 0.0, 0.0])],
        speedups: [118.0, 167.58],
    },
];

const P: FaceRule = FaceRule::Periodic;

const WALL: FaceRule = FaceRule::WALL;

const fn sliding(velocity: [f64; 3]) -> FaceRule {
    FaceRule::Wall { velocity }
}

/// A contestant in a flow.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Compared {
    pub flow: &'static str,
    /// A comparator's name, or a variant's streaming pattern.
    pub contestant: &'static str,
    pub size: [usize; 3],
    pub engine: String,
    /// Steps of a turn, from which those of 1000 are scaled.
    pub steps: u64,
    /// What 1000 steps take.
    pub seconds_for_1000_steps: f64,
    /// Million lattice updates a second, median.
    pub mlups: f64,
    /// Its speed over that of the plain loop.
    pub speedup_over_scalar_loop: f64,
    /// The same of the paper's scheme: its smallest and its largest.
    pub paper_speedup: Option<[f64; 2]>,
    /// The speed of the compared scheme over this one's.
    pub ccas_over_it: f64,
    /// The same of the paper.
    pub paper_ccas_over_it: Option<f64>,
    /// Bytes that one update must move in its own way.
    pub bytes_per_node: usize,
    /// The copy's bandwidth where it ran, GB/s.
    pub copy_gb_s: f64,
    /// Median over the turns of its bytes a second over the copy's.
    pub share_of_copy: f64,
    /// Of a population from the CPU engine's, over the population of a fluid at rest.
    pub largest_difference: f64,
    /// Whether that is rounding (1e-12), and for a variant nothing.
    pub verified: bool,
}

/// The largest difference that is rounding. Comparators sum in an order of their own, of numbers of order 1.
const TOLERANCE: f64 = 1e-12;

/// Steps after which populations are compared: enough to carry what walls do past any end of a tile or a thread.
const CHECKED_STEPS: u64 = 16;

/// Steps of the papers' table.
const REPORTED_STEPS: f64 = 1000.0;

/// The comparators. The first is a core's.
const WAYS: [(&str, Option<Way>); 3] =
    [("scalar loop", None), ("separate kernels", Some(Way::Separate)), ("tiled pull", Some(Way::Tiled))];

/// A flow in a box, and what must come of it.
struct Trial<'a> {
    setup: Setup,
    standard: &'static Entry,
    request: &'a Request,
    start: Vec<f64>,
    expected: Vec<f64>,
}

/// Measures, tells and writes `KEY_FLOW.csv` and `KEY_FLOW.png`.
pub(super) fn run(session: &mut Session<'_>) -> Result<(), Error> {
    let sizes = match session.request.size {
        Some(size) => vec![size],
        None => session.small_or_large(EDGES).iter().map(|&n| [n; 3]).collect(),
    };
    for flow in &FLOWS {
        let mut rows = Vec::new();
        for &size in &sizes {
            let row = measured(flow, size, session.request)?;
            row.iter().try_for_each(|compared| session.report(&Record::Compared(compared)))?;
            rows.extend(row);
        }
        write(session, flow, &rows)?;
        draw(session, flow, &rows)?;
    }
    Ok(())
}

fn measured(flow: &Flow, size: [usize; 3], request: &Request) -> Result<Vec<Compared>, Error> {
    let entry = |streaming: &str| variants::find(&format!("{FAMILY}-{streaming}"));
    let standard = entry(STANDARD)?;
    let size = size_for(standard, Some(size), BEYOND_CACHES)?;
    let trial = Trial::new(flow, size, standard, request)?;
    let mut row = Vec::new();
    for (contestant, way) in WAYS {
        let mut running = comparator(way, standard, &trial.setup, request)?;
        let backend = if way.is_some() { request.placement.backend } else { Backend::Cpu };
        // The plain loop moves what the tiled one moves.
        let bytes = way.unwrap_or(Way::Tiled).bytes_per_update(&standard.facts);
        let measured = trial.measure(running.as_mut(), bytes, backend, TOLERANCE)?;
        row.push(Compared { contestant, ..measured });
    }
    for contestant in [SCHEME, STANDARD] {
        let entry = entry(contestant)?;
        let mut engine = entry.engine_on(&trial.setup, &request.placement)?;
        // A variant's bits are the reference's.
        let bytes = entry.facts.bytes_per_update();
        let measured = trial.measure(&mut engine, bytes, request.placement.backend, 0.0)?;
        row.push(Compared { contestant, ..measured });
    }
    let speed = |name: &str| {
        row.iter().find(|compared| compared.contestant == name).map_or(f64::NAN, |compared| compared.mlups)
    };
    let (plain, scheme) = (speed(WAYS[0].0), speed(SCHEME));
    for compared in &mut row {
        compared.flow = flow.name;
        compared.speedup_over_scalar_loop = compared.mlups / plain;
        compared.ccas_over_it = scheme / compared.mlups;
        compared.paper_speedup = (compared.contestant == SCHEME).then_some(flow.speedups);
        compared.paper_ccas_over_it = paper_over(compared.contestant);
    }
    Ok(row)
}

/// The paper's scheme over this contestant.
fn paper_over(contestant: &str) -> Option<f64> {
    OVER.iter().find(|(name, _)| *name == contestant).map(|(_, ratio)| *ratio)
}

fn write(session: &mut Session<'_>, flow: &Flow, rows: &[Compared]) -> Result<(), Error> {
    session.table(
        flow.name,
        rows,
        &[
            ("nodes", &|c| c.size.iter().product::<usize>().to_string()),
            ("edge", &|c| c.size[0].to_string()),
            ("contestant", &|c| c.contestant.to_owned()),
            ("steps measured", &|c| c.steps.to_string()),
            ("seconds for 1000 steps", &|c| number(c.seconds_for_1000_steps)),
            ("MLUPS", &|c| number(c.mlups)),
            ("speedup over the scalar loop", &|c| number(c.speedup_over_scalar_loop)),
            ("paper, K40c over a core", &|c| {
                c.paper_speedup.map_or_else(String::new, |[least, most]| format!("{least} to {most}"))
            }),
            (&format!("{SCHEME} over it"), &|c| number(c.ccas_over_it)),
            ("paper", &|c| number(c.paper_ccas_over_it)),
            ("bytes a node", &|c| c.bytes_per_node.to_string()),
            ("share of copy", &|c| number(c.share_of_copy)),
            ("largest difference", &|c| format!("{:e}", c.largest_difference)),
            ("verified", &|c| match (c.verified, c.largest_difference) {
                (false, _) => "NO".to_owned(),
                (true, 0.0) => "yes, to the bit".to_owned(),
                (true, _) => format!("yes, within {TOLERANCE:e}"),
            }),
            ("where", &|c| c.engine.clone()),
        ],
    )
}

fn draw(session: &mut Session<'_>, flow: &Flow, rows: &[Compared]) -> Result<(), Error> {
    let names = WAYS.map(|(name, _)| name).into_iter().chain([SCHEME, STANDARD]);
    let lines = |of: fn(&Compared) -> Option<f64>| -> Vec<Series> {
        let points = |name: &str| {
            let named = rows.iter().filter(|compared| compared.contestant == name);
            named.filter_map(|compared| Some((compared.size[0] as f64, of(compared)?))).collect()
        };
        names.clone().map(|name| Series::line(name, points(name))).collect()
    };
    // The paper says of which boxes its figures are, but not which is whose.
    let middle = rows.get(rows.len() / 2).map_or(0.0, |compared| compared.size[0] as f64);
    // Who has no figure has an empty series, so that colours are those of the lines.
    let paper = |label: fn(&str) -> String, of: &dyn Fn(&str) -> Vec<f64>| -> Vec<Series> {
        let points = |name: &str| of(name).into_iter().map(|value| (middle, value)).collect();
        names.clone().map(|name| Series::marks(label(name), points(name))).collect()
    };
    let mut speedups = lines(|compared| Some(compared.speedup_over_scalar_loop));
    let of_scheme = |name: &str| if name == SCHEME { flow.speedups.to_vec() } else { Vec::new() };
    speedups.extend(paper(|name| format!("paper, {name} on a K40c: least, most"), &of_scheme));
    let mut over = lines(|compared| compared.paper_ccas_over_it.map(|_| compared.ccas_over_it));
    over.extend(paper(|name| format!("paper, over {name}"), &|name| paper_over(name).into_iter().collect()));
    let shares = lines(|compared| Some(compared.share_of_copy));
    let [speedups, over, shares] = [
        ("speed over a core's plain loop", "speedup", speedups),
        ("ccas over what others do", "ratio of speeds", over),
        ("each one's own bytes, as a share of the copy", "share of bandwidth", shares),
    ]
    .map(|(title, y_label, series)| Panel::new(title, "nodes along an edge", y_label, series));
    let panels = [Panel { scale: Scale::Logarithmic, ..speedups }, over, shares];
    session.picture(flow.name, flow.title, &panels)
}

impl<'a> Trial<'a> {
    /// Waves between the walls of the flow, and what the CPU's engine, whose bits are the reference's, makes of them.
    fn new(
        flow: &Flow,
        size: [usize; 3],
        standard: &'static Entry,
        request: &'a Request,
    ) -> Result<Trial<'a>, Error> {
        let domain = Domain::periodic(size).with_faces(flow.faces);
        let setup = Setup::new(domain, flow::parameters(standard));
        let start = flow::Flow::new(standard, size).populations();
        let expected = populations_after(CHECKED_STEPS, &start, standard, &setup, request)?;
        Ok(Trial { setup, standard, request, start, expected })
    }

    /// The largest difference of these populations from what must be, each over its weight.
    fn difference(&self, found: &[f64]) -> f64 {
        let (weights, nodes) = (self.standard.facts.lattice.weights, self.setup.domain().nodes());
        let pairs = self.expected.iter().zip(found).enumerate();
        let difference = |(n, (a, b)): (usize, (&f64, &f64))| match (a - b).abs() / weights[n / nodes] {
            _ if a.to_bits() == b.to_bits() => 0.0,
            // What is not a number differs by more than any, and a sign of zero by a bit.
            difference if difference.is_nan() => f64::INFINITY,
            difference => difference.max(f64::MIN_POSITIVE),
        };
        pairs.map(difference).fold(0.0, f64::max)
    }

    /// Checks and times a contestant; the names and what is relative to others are left to be filled in.
    fn measure(
        &self,
        contestant: &mut dyn Contestant,
        bytes_per_node: usize,
        backend: Backend,
        tolerance: f64,
    ) -> Result<Compared, Error> {
        let (nodes, size) = (self.setup.domain().nodes(), self.setup.domain().size);
        contestant.set(&self.start)?;
        let warm = contestant.timed(CHECKED_STEPS)?;
        let mut found = vec![0.0; self.start.len()];
        contestant.get(&mut found)?;
        let largest_difference = self.difference(&found);
        drop(found);
        let mut copy = copy(backend, 2 * size_of_val(self.start.as_slice()), self.request)?;
        let steps = (0.2 * CHECKED_STEPS as f64 / warm).ceil().clamp(1.0, REPORTED_STEPS) as u64;
        let turns = Turns::run(self.request, 11, &mut copy, || Ok(contestant.timed(steps)? / steps as f64))?;
        Ok(Compared {
            size,
            engine: contestant.description(),
            steps,
            seconds_for_1000_steps: REPORTED_STEPS * turns.seconds(),
            mlups: nodes as f64 / turns.seconds() * 1e-6,
            bytes_per_node,
            copy_gb_s: turns.copy(),
            share_of_copy: turns.share_of_copy(nodes * bytes_per_node),
            largest_difference,
            verified: largest_difference <= tolerance,
            ..Compared::default()
        })
    }
}

#[cfg(test)]
mod tests;
