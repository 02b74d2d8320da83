//! A scheme beside what others do, in flows between walls: time, speedup over a core's plain loop, share of bandwidth.

use std::path::{Path, PathBuf};

use lbm_core::engine::Setup;
use lbm_core::{Domain, Error, FaceRule};

use super::contestants::{Contestant, Running, comparator, populations_after};
use super::{Experiment, Heard, Told};
use crate::bench::comparators::Way;
use crate::bench::copy::copy;
use crate::bench::{Request, flow, median};
use crate::output::{Panel, Scale, Series, Style, write_plot, write_rows};
use crate::simulation::Backend;
use crate::variants::{self, Entry};

/// An experiment of this kind.
pub(super) struct Contest {
    /// What every variant's name begins with.
    pub(super) family: &'static str,
    /// The two-lattice pull, of which the comparators are ways.
    pub(super) standard: &'static str,
    /// The scheme that is compared.
    pub(super) scheme: &'static str,
    /// Nodes along an edge on the CPU (and on the host in a device's place), and on a GPU.
    pub(super) edges: [&'static [usize]; 2],
    pub(super) flows: &'static [Flow],
    /// The paper's scheme over its comparators.
    pub(super) over: &'static [Figure],
}

/// A flow between walls.
pub(super) struct Flow {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) faces: [FaceRule; 6],
    /// The paper's smallest and largest speedup of its scheme over a core.
    pub(super) speedups: [f64; 2],
}

/// A figure of the paper.
pub(super) struct Figure {
    pub(super) label: &'static str,
    pub(super) ratio: f64,
}

/// A contestant in a flow.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The flow.
    pub flow: &'static str,
    /// A comparator's name, or a variant's streaming pattern.
    pub contestant: &'static str,
    /// Nodes of the box.
    pub size: [usize; 3],
    /// Where and how it ran.
    pub engine: String,
    /// Steps of a turn, from which those of 1000 are scaled.
    pub steps: u64,
    /// What 1000 steps take.
    pub seconds: f64,
    /// Million lattice updates a second, median.
    pub mlups: f64,
    /// Its speed over that of the plain loop.
    pub speedup: f64,
    /// The same of the paper's scheme: its smallest and its largest.
    pub paper_speedup: Option<[f64; 2]>,
    /// The speed of the compared scheme over this one's.
    pub over: f64,
    /// The same of the paper.
    pub paper_over: Option<f64>,
    /// Bytes that one update must move in its own way.
    pub bytes_per_node: usize,
    /// The copy's bandwidth where it ran, GB/s.
    pub copy: f64,
    /// Median over the turns of its bytes a second over the copy's.
    pub share_of_copy: f64,
    /// The largest difference of a population from the CPU engine's, over the population of a fluid at rest.
    pub difference: f64,
    /// Whether that is rounding (1e-12), and for a variant nothing.
    pub verified: bool,
}

/// The largest difference that is rounding. Comparators sum in an order of their own, of numbers of order 1.
const TOLERANCE: f64 = 1e-12;

/// Steps after which populations are compared: enough to carry what walls do past any end of a tile or a thread.
const CHECKED_STEPS: u64 = 16;

/// Steps of the papers' table.
const TOLD_STEPS: f64 = 1000.0;

/// The comparators.
const WAYS: [(&str, Way); 3] =
    [("scalar loop", Way::Scalar), ("separate kernels", Way::Separate), ("tiled pull", Way::Tiled)];

/// A flow in a box, and what must come of it.
struct Trial<'a> {
    setup: Setup,
    standard: &'static Entry,
    request: &'a Request,
    start: Vec<f64>,
    expected: Vec<f64>,
}

impl Contest {
    /// Measures, tells and writes `KEY_FLOW.csv` and `KEY_FLOW.png`.
    pub(super) fn run(
        &self,
        experiment: &Experiment,
        request: &Request,
        folder: &Path,
        heard: Heard<'_>,
    ) -> Result<Vec<PathBuf>, Error> {
        let edges = self.edges[usize::from(matches!(request.placement.backend, Backend::Cuda(_)))];
        let sizes = match request.size {
            Some(size) => vec![size],
            None => edges.iter().map(|&n| [n; 3]).collect(),
        };
        let mut written = Vec::new();
        for flow in self.flows {
            let mut rows = Vec::new();
            for &size in &sizes {
                let row = self.row(flow, size, request)?;
                row.iter().try_for_each(|compared| heard(&Told::Compared(compared)))?;
                rows.extend(row);
            }
            let [table, picture] = ["csv", "png"].map(|end| experiment.file(folder, flow.name, end));
            self.write_table(&table, &rows)?;
            self.draw(&picture, flow, &rows)?;
            written.extend([table, picture]);
        }
        Ok(written)
    }

    fn row(&self, flow: &Flow, size: [usize; 3], request: &Request) -> Result<Vec<Compared>, Error> {
        let entry = |streaming: &str| variants::find(&format!("{}-{streaming}", self.family));
        let standard = entry(self.standard)?;
        let size = crate::bench::size_for(standard, Some(size))?;
        let trial = Trial::new(flow, size, standard, request)?;
        let mut row = Vec::new();
        for (name, way) in WAYS {
            let mut contestant = comparator(way, standard, &trial.setup, flow::VISCOSITY, request)?;
            let on_cpu = way == Way::Scalar;
            let measured = trial.measure(contestant.as_mut(), way.bytes_per_update(), on_cpu, TOLERANCE)?;
            row.push(Compared { contestant: name, ..measured });
        }
        for streaming in [self.scheme, self.standard] {
            let entry = entry(streaming)?;
            let mut contestant = Running::new(entry, &trial.setup, request)?;
            // A variant's bits are the reference's.
            let measured = trial.measure(&mut contestant, entry.bytes_per_node, false, 0.0)?;
            row.push(Compared { contestant: streaming, ..measured });
        }
        let speed = |row: &[Compared], name: &str| {
            row.iter()
                .find(|compared| compared.contestant == name)
                .map_or(f64::NAN, |compared| compared.mlups)
        };
        let (plain, scheme) = (speed(&row, WAYS[0].0), speed(&row, self.scheme));
        for compared in &mut row {
            compared.flow = flow.name;
            compared.speedup = compared.mlups / plain;
            compared.over = scheme / compared.mlups;
            compared.paper_speedup = (compared.contestant == self.scheme).then_some(flow.speedups);
            compared.paper_over = self
                .over
                .iter()
                .find(|figure| figure.label == compared.contestant)
                .map(|figure| figure.ratio);
        }
        Ok(row)
    }

    fn write_table(&self, path: &Path, rows: &[Compared]) -> Result<(), Error> {
        let over = format!("{} over it", self.scheme);
        let columns = [
            "nodes",
            "edge",
            "contestant",
            "steps measured",
            "seconds for 1000 steps",
            "MLUPS",
            "speedup over the scalar loop",
            "paper, K40c over a core",
            &over,
            "paper",
            "bytes a node",
            "share of copy",
            "largest difference",
            "verified",
            "where",
        ];
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:?}"));
        let row = |c: &Compared| {
            let verified = match (c.verified, c.difference) {
                (false, _) => "NO".to_owned(),
                (true, 0.0) => "yes, to the bit".to_owned(),
                (true, _) => format!("yes, within {TOLERANCE:e}"),
            };
            vec![
                c.size.iter().product::<usize>().to_string(),
                c.size[0].to_string(),
                c.contestant.to_owned(),
                c.steps.to_string(),
                number(Some(c.seconds)),
                number(Some(c.mlups)),
                number(Some(c.speedup)),
                c.paper_speedup.map_or_else(String::new, |[least, most]| format!("{least} to {most}")),
                number(Some(c.over)),
                number(c.paper_over),
                c.bytes_per_node.to_string(),
                number(Some(c.share_of_copy)),
                format!("{:e}", c.difference),
                verified,
                c.engine.clone(),
            ]
        };
        write_rows(path, &columns.map(str::to_owned), &rows.iter().map(row).collect::<Vec<_>>())
    }

    fn draw(&self, path: &Path, flow: &Flow, rows: &[Compared]) -> Result<(), Error> {
        let names = WAYS.map(|(name, _)| name).into_iter().chain([self.scheme, self.standard]);
        let lines = |of: fn(&Compared) -> f64| -> Vec<Series> {
            let points = |name: &str| {
                let named = rows.iter().filter(|compared| compared.contestant == name);
                named.map(|compared| (compared.size[0] as f64, of(compared))).collect()
            };
            let line = |name: &'static str| Series {
                label: name.to_owned(),
                style: Style::Line,
                points: points(name),
            };
            names.clone().map(line).collect()
        };
        // The paper says of which boxes its figures are, but not which is whose.
        let middle = rows.get(rows.len() / 2).map_or(0.0, |compared| compared.size[0] as f64);
        // Who has no figure has an empty series, so that colours are those of the lines.
        let marks = |label: &str, of: &dyn Fn(&str) -> Vec<f64>| -> Vec<Series> {
            let points = |name: &str| of(name).into_iter().map(|value| (middle, value)).collect();
            let marks = |name: &'static str| Series {
                label: label.replace("NAME", name),
                style: Style::Markers,
                points: points(name),
            };
            names.clone().map(marks).collect()
        };
        let panel = |title: &str, y_label: &str, series, scale| Panel {
            title: title.to_owned(),
            x_label: "nodes along an edge".to_owned(),
            y_label: y_label.to_owned(),
            series,
            scale,
        };
        let mut speedups = lines(|compared| compared.speedup);
        let paper = |name: &str| if name == self.scheme { flow.speedups.to_vec() } else { Vec::new() };
        speedups.extend(marks("paper, NAME on a K40c: least, most", &paper));
        let figures = |name: &str| -> Vec<f64> {
            self.over.iter().filter(|figure| figure.label == name).map(|figure| figure.ratio).collect()
        };
        let mut over = lines(|compared| compared.over);
        over.iter_mut().filter(|line| figures(&line.label).is_empty()).for_each(|line| line.points.clear());
        over.extend(marks("paper, over NAME", &figures));
        let (over_others, shares) =
            (format!("{} over what others do", self.scheme), lines(|c| c.share_of_copy));
        let panels = [
            panel("speed over a core's plain loop", "speedup", speedups, Scale::Logarithmic),
            panel(&over_others, "ratio of speeds", over, Scale::Linear),
            panel(
                "each one's own bytes, as a share of the copy",
                "share of bandwidth",
                shares,
                Scale::Linear,
            ),
        ];
        write_plot(path, flow.title, &panels)
    }
}

impl<'a> Trial<'a> {
    /// Waves between the walls of the flow, and what the CPU's engine, whose bits are the reference's, makes of them.
    fn new(
        flow: &Flow,
        size: [usize; 3],
        standard: &'static Entry,
        request: &'a Request,
    ) -> Result<Trial<'a>, Error> {
        let domain = Domain { faces: flow.faces, ..Domain::periodic(size) };
        let setup = Setup { domain, parameters: flow::parameters(standard) };
        let start = flow::Flow::new(standard, size).populations();
        let expected = populations_after(CHECKED_STEPS, &start, standard, &setup, request)?;
        Ok(Trial { setup, standard, request, start, expected })
    }

    /// The largest difference of these populations from what must be, each over its weight.
    fn difference(&self, found: &[f64]) -> f64 {
        let (weights, nodes) = (self.standard.facts.lattice.weights, self.setup.domain.nodes());
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
        on_cpu: bool,
        tolerance: f64,
    ) -> Result<Compared, Error> {
        let (nodes, size) = (self.setup.domain.nodes(), self.setup.domain.size);
        contestant.set(&self.start)?;
        let warm = contestant.timed(CHECKED_STEPS)?;
        let mut found = vec![0.0; self.start.len()];
        contestant.get(&mut found)?;
        let difference = self.difference(&found);
        drop(found);
        let bytes = (nodes * bytes_per_node) as f64;
        let backend = if on_cpu { Backend::Cpu } else { self.request.placement.backend };
        let mut copy = copy(backend, 2 * size_of_val(self.start.as_slice()), self.request)?;
        let steps = (0.2 * CHECKED_STEPS as f64 / warm).ceil().clamp(1.0, TOLD_STEPS) as u64;
        let turns = if self.request.turns == 0 { 11 } else { self.request.turns };
        let (mut times, mut copies, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..turns {
            copies.push(copy()?);
            let seconds = contestant.timed(steps)? / steps as f64;
            times.push(seconds);
            shares.push(bytes / seconds * 1e-9 / copies[copies.len() - 1]);
        }
        let seconds = median(&mut times);
        Ok(Compared {
            flow: "",
            contestant: "",
            size,
            engine: contestant.description(),
            steps,
            seconds: TOLD_STEPS * seconds,
            mlups: nodes as f64 / seconds * 1e-6,
            speedup: f64::NAN,
            paper_speedup: None,
            over: f64::NAN,
            paper_over: None,
            bytes_per_node,
            copy: median(&mut copies),
            share_of_copy: median(&mut shares),
            difference,
            verified: difference <= tolerance,
        })
    }
}

#[cfg(test)]
mod tests;
