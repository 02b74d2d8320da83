//! The lecture's choices side by side in a wind tunnel, turn by turn: flags or lists of nodes, kernels of boundary nodes, layouts,
//! blocks, precisions; which of them matter where it runs, beside what the lecture says.

mod parts;
mod report;
mod tunnel;

use lbm_core::engine::Setup;
use lbm_core::{Domain, Error};
use lbm_cuda::assemble::Shape;
use serde::Serialize;

use super::contestants::{Contestant, on_device, populations_after, variant};
use super::{Record, Session};
use crate::bench::turns::{Turns, copy};
use crate::bench::{Request, flow, size_for};
use crate::simulation::Backend;
use crate::variants::{self, Entry};
use parts::{Choice, How, PARTS, Part};

/// A choice that was measured.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Chosen {
    pub part: &'static str,
    pub choice: &'static str,
    pub variant: String,
    pub size: [usize; 3],
    pub fluid_nodes: usize,
    /// Their share of all nodes.
    pub share_of_fluid: f64,
    /// Million updates of fluid nodes a second: slowest turn, median, fastest turn.
    pub mlups_slowest: f64,
    pub mlups: f64,
    pub mlups_fastest: f64,
    /// Bytes that an update of a fluid node must move, flags of others and entries of lists of nodes included.
    pub bytes_per_node: f64,
    /// The copy's bandwidth in the same turns, GB/s.
    pub copy_gb_s: f64,
    /// Median over the turns of its own bytes a second over the copy's.
    pub share_of_copy: f64,
    /// Median over the turns of its speed over that of the part's first choice.
    pub over_first: f64,
    /// The same of the lecture's.
    pub paper_over_first: Option<f64>,
    /// Registers a thread, on a GPU.
    pub registers: Option<u32>,
    /// The share of threads that are on a multiprocessor at the same time of those that can be, on a GPU.
    pub occupancy: Option<f64>,
    /// What the lecture says of the part.
    pub paper: &'static str,
    /// Whether every population equals that of the whole box on the CPU, bit for bit.
    pub verified: bool,
    pub engine: String,
}

/// What is not measured where it runs.
#[derive(Debug, Serialize)]
pub struct LeftOut {
    pub part: &'static str,
    pub choice: &'static str,
    pub left_out: &'static str,
}

/// Whether a part's choices matter.
#[derive(Debug, Serialize)]
pub struct Verdict {
    pub part: &'static str,
    pub title: &'static str,
    /// The slowest and the fastest choice of those that the lecture has, or else of all.
    pub slowest: &'static str,
    pub fastest: &'static str,
    /// The speed of the one over that of the other.
    pub fastest_over_slowest: f64,
    /// Whether that is more than 5 %.
    pub matters: bool,
    /// What the lecture says of it.
    pub paper: &'static str,
}

/// By how much choices must differ to matter.
const MATTERS: f64 = 1.05;

/// Nodes of the tunnel on the CPU, on a GPU, and on the host in its place.
const SIZES: [[usize; 3]; 3] = [[1536, 768, 1], [4096, 2048, 1], [128, 64, 1]];

/// Steps after which populations are compared.
const CHECKED_STEPS: u64 = 6;

/// What a turn takes at least, seconds, and the most steps of one.
const TURN: (f64, f64) = (0.05, 500.0);

/// Measures all parts, tells each, and writes `KEY_choices.csv`, `KEY_verdicts.csv` and `KEY_PART.png`.
pub(super) fn run(session: &mut Session<'_>) -> Result<(), Error> {
    let size = size_of(session.request)?;
    let (mut rows, mut verdicts) = (Vec::new(), Vec::new());
    for part in PARTS {
        if !session.wants(part.name) {
            continue;
        }
        let (chosen, left_out) = part.measure(size, session.request)?;
        chosen.iter().try_for_each(|row| session.report(&Record::Chosen(row)))?;
        left_out.iter().try_for_each(|one| session.report(&Record::LeftOut(one)))?;
        if chosen.is_empty() {
            continue;
        }
        let verdict = part.verdict(&chosen);
        session.report(&Record::Verdict(&verdict))?;
        report::draw(session, part, &chosen)?;
        rows.extend(chosen);
        verdicts.push(verdict);
    }
    report::write(session, &rows, &verdicts)
}

/// What its choices are called.
pub(super) fn parts() -> Vec<&'static str> {
    PARTS.iter().map(|part| part.name).collect()
}

/// The box: the one asked for, or one beyond the caches.
fn size_of(request: &Request) -> Result<[usize; 3], Error> {
    let [cpu, gpu, on_host] = SIZES;
    let usual = match request.placement.backend {
        Backend::Cpu => cpu,
        Backend::Cuda(_) => gpu,
        _ => on_host,
    };
    let entry = variants::find(PARTS[0].choices[0].variant)?;
    size_for(entry, Some(request.size.unwrap_or(usual)), [0; 2])
}

/// A choice at work.
struct Running {
    choice: &'static Choice,
    entry: &'static Entry,
    contestant: Box<dyn Contestant>,
    /// Bytes of a step.
    bytes: usize,
    verified: bool,
}

impl Part {
    fn measure(
        &'static self,
        size: [usize; 3],
        request: &Request,
    ) -> Result<(Vec<Chosen>, Vec<LeftOut>), Error> {
        let domain = self.tunnel.domain(size)?;
        let (nodes, fluid) = (domain.nodes(), domain.fluid_nodes());
        let (mut all, mut left_out) = (Vec::new(), Vec::new());
        let mut expected = Expected::default();
        for choice in self.choices {
            match choice.how.left_out(request.placement.backend) {
                Some(reason) => {
                    left_out.push(LeftOut { part: self.name, choice: choice.label, left_out: reason })
                }
                None => all.push(choice.started(&domain, &mut expected, request)?),
            }
        }
        drop(expected);
        if all.len() < 2 {
            // Nothing is left to compare it with.
            let alone =
                all.iter().map(|one| LeftOut { part: self.name, choice: one.choice.label, left_out: ALONE });
            left_out.extend(alone);
            return Ok((Vec::new(), left_out));
        }
        let largest = all.iter().map(|one| one.bytes).max().unwrap_or_default();
        let mut copy = copy(request.placement.backend, largest, request)?;
        let mut steps = Vec::new();
        for one in &mut all {
            let once = one.contestant.timed(2)?.min(one.contestant.timed(2)?) / 2.0;
            steps.push((TURN.0 / once).ceil().clamp(1.0, TURN.1) as u64);
        }
        let turns = Turns::together(request, 11, &mut copy, all.len(), |n| {
            Ok(all[n].contestant.timed(steps[n])? / steps[n] as f64)
        })?;
        let first = self.choices.iter().find_map(|choice| choice.paper);
        let mut rows = Vec::new();
        for (one, own) in all.iter().zip(&turns) {
            let [mlups_slowest, mlups, mlups_fastest] = own.mlups(fluid);
            let residency = one.contestant.residency()?;
            rows.push(Chosen {
                part: self.name,
                choice: one.choice.label,
                variant: one.entry.name.clone(),
                size,
                fluid_nodes: fluid,
                share_of_fluid: fluid as f64 / nodes as f64,
                mlups_slowest,
                mlups,
                mlups_fastest,
                bytes_per_node: one.bytes as f64 / fluid as f64,
                copy_gb_s: own.copy(),
                share_of_copy: own.share_of_copy(one.bytes),
                over_first: own.over(&turns[0]),
                paper_over_first: one.choice.paper.zip(first).map(|(own, first)| own / first),
                registers: residency.map(|residency| residency.registers),
                occupancy: residency.map(|residency| residency.occupancy()),
                paper: self.paper,
                verified: one.verified,
                engine: one.contestant.description(),
            });
        }
        Ok((rows, left_out))
    }

    /// Compares the choices that the lecture has, where these are measured: what is generated then only stands beside them.
    fn verdict(&self, chosen: &[Chosen]) -> Verdict {
        let is_own = |row: &&Chosen| {
            let choice = self.choices.iter().find(|choice| choice.label == row.choice);
            choice.is_some_and(|choice| !matches!(choice.how, How::Generated))
        };
        let mut compared: Vec<&Chosen> = chosen.iter().filter(is_own).collect();
        if compared.len() < 2 {
            compared = chosen.iter().collect();
        }
        let by_speed = |a: &&&Chosen, b: &&&Chosen| a.over_first.total_cmp(&b.over_first);
        let slowest = compared.iter().min_by(by_speed).expect("some were measured");
        let fastest = compared.iter().max_by(by_speed).expect("some were measured");
        let fastest_over_slowest = fastest.over_first / slowest.over_first;
        Verdict {
            part: self.name,
            title: self.title,
            slowest: slowest.choice,
            fastest: fastest.choice,
            fastest_over_slowest,
            matters: fastest_over_slowest > MATTERS,
            paper: self.paper,
        }
    }
}

/// Why the last of a part's choices is not measured.
const ALONE: &str = "it is the only choice of its part here, so that there is nothing to compare it with";

impl How {
    /// Why it is not measured on a backend, if it is not.
    fn left_out(self, backend: Backend) -> Option<&'static str> {
        match (backend, self) {
            (Backend::Cpu, How::Published(_)) => Some(
                "a CUDA kernel: on the CPU nodes are no threads of a warp that take a branch together; run it with --device cuda",
            ),
            (Backend::Cpu, How::Threads(_)) => Some(
                "a CPU has no blocks of threads and no registers that they share; run it with --device cuda",
            ),
            _ => None,
        }
    }
}

impl Choice {
    /// Sets the choice in motion in a tunnel, and compares its bits after some steps with what the whole box on the CPU makes.
    fn started(
        &'static self,
        domain: &Domain,
        expected: &mut Expected,
        request: &Request,
    ) -> Result<Running, Error> {
        let entry = variants::find(self.variant)?;
        let setup = Setup::new(domain.clone(), flow::parameters(entry));
        let (facts, fluid) = (&entry.facts, domain.fluid_nodes());
        let mut bytes = fluid * facts.bytes_per_update();
        let mut contestant = match self.how {
            How::Generated => variant(entry, &setup, request)?,
            How::Threads(threads) => {
                let mut placement = request.placement;
                placement.device.shape = Some(Shape::PLAIN.with_block([threads, 1, 1]));
                variant(entry, &setup, &Request { placement, ..request.clone() })?
            }
            How::Published(way) => {
                bytes = way.bytes_per_step(facts, domain.nodes(), fluid);
                on_device(way, entry, &setup, request)?
            }
        };
        let (start, after) = expected.of(entry, &setup, request)?;
        contestant.set(start)?;
        contestant.timed(CHECKED_STEPS)?;
        let mut found = vec![f64::NAN; start.len()];
        contestant.get(&mut found)?;
        let verified = after.iter().zip(&found).all(|(a, b)| a.to_bits() == b.to_bits());
        Ok(Running { choice: self, entry, contestant, bytes, verified })
    }
}

/// Waves, and what becomes of them on the CPU in a precision: of the one that was asked for last.
#[derive(Default)]
struct Expected {
    precision: &'static str,
    start: Vec<f64>,
    after: Vec<f64>,
}

impl Expected {
    fn of(&mut self, entry: &Entry, setup: &Setup, request: &Request) -> Result<(&[f64], &[f64]), Error> {
        let precision = entry.facts.precision.name;
        if self.precision != precision {
            let whole = variants::find(&format!("d2q9-bgk-{precision}-soa-dense-two-lattice-pull"))?;
            self.start = flow::Flow::new(whole, setup.domain().size).populations();
            self.after = populations_after(CHECKED_STEPS, &self.start, whole, setup, request)?;
            self.precision = precision;
        }
        Ok((&self.start, &self.after))
    }
}

#[cfg(test)]
mod tests;
