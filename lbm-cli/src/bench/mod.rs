//! How fast a variant is, against what the memory gives in the same run.
//!
//! A kernel is measured in turns with a copy and with a probe that reads and writes as many streams as the lattice has
//! velocities, with the same threads, vectors and stores and without any arithmetic: the machine's bandwidth
//! drifts, ratios within a turn do not. The flow that is timed repeats a small cell, so that the plain
//! reference can say for every node what bits must come out. A box with walls is timed in turns with the periodic one, and its
//! bits are compared in a box that the reference can do, with the same walls and in the same launch shape.

mod cpu;
mod device;
mod flow;
mod forces;
#[cfg(feature = "live")]
pub mod live;
pub mod paper;
pub mod scaling;
mod turns;
mod walled;

use lbm_core::{Engine, Error};
use lbm_cpu::CpuOptions;
use serde::Serialize;

use crate::simulation::{Backend, Placement};
use crate::variants::{self, Entry, meant};
use turns::Turns;
pub use walled::Walls;

/// What to measure.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Parts that the variant's name must contain; empty: a small selection.
    pub filter: Vec<String>,
    /// Nodes of the box; by default one that no cache holds.
    pub size: Option<[usize; 3]>,
    /// What stands in it.
    pub walls: Walls,
    /// The boundary rule at its faces in place of half-way walls.
    pub rule: Option<String>,
    /// Whether the force on the solid nodes is asked for after every step.
    pub forces: bool,
    /// Where and how: the device, its launch shape; threads, SIMD level and stores of the CPU.
    pub placement: Placement,
    /// Turns of measurement; 0 means 11.
    pub turns: usize,
    /// Bytes that populations may take, for an experiment that grows its boxes until they no longer fit; by default
    /// most of a GPU's memory, little elsewhere.
    pub memory: Option<u64>,
    /// Bytes that the copy on a device moves; by default several GB.
    pub copy_bytes: Option<usize>,
}

impl Request {
    fn turns(&self, usual: usize) -> usize {
        if self.turns == 0 { usual } else { self.turns }
    }
}

/// What was measured of one variant. Speeds are medians over the turns.
#[derive(Clone, Debug, Serialize)]
pub struct Measurement {
    pub variant: String,
    pub device: String,
    pub size: [usize; 3],
    /// Threads; on a device those of a block.
    pub threads: usize,
    /// The engine's own words: threads and vectors, or the device's name and the launch shape.
    pub engine: String,
    /// What stands in the box.
    pub flow: Walls,
    /// The boundary rule at its faces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Whether the force on the solid nodes was asked for after every step: speeds are then by the wall clock.
    pub forces: bool,
    /// Million lattice updates a second, of all nodes of the box.
    pub mlups: f64,
    /// The same in the slowest turn.
    pub mlups_slowest: f64,
    /// The same in the fastest turn.
    pub mlups_fastest: f64,
    /// Median over the turns of the speed over that of the same variant in a periodic box of the same size; only with walls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share_of_periodic: Option<f64>,
    /// Bytes that one update must move, where as many steps are done at once.
    pub bytes_per_node: usize,
    /// Bytes that the populations take.
    pub memory_bytes: usize,
    /// The copy's bandwidth, GB/s; on the CPU with the faster of ordinary and non-temporal stores.
    pub copy_gb_s: f64,
    /// Median over the turns of the kernel's bytes a second over the copy's.
    pub share_of_copy: f64,
    /// What else was measured in the same run.
    #[serde(flatten)]
    pub beside: Beside,
    /// Whether every population equals the reference's, bit for bit.
    pub verified: bool,
    /// The box in which that was asked: with walls perhaps a smaller one, with the same walls, in the same launch shape.
    pub verified_in: [usize; 3],
}

/// What is measured beside a variant, where it runs.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Beside {
    Cpu {
        /// How results were stored.
        stores: &'static str,
        /// As many streams in and out as the lattice has velocities, same stores, GB/s.
        streams_gb_s: f64,
        /// Median over the turns of the kernel's bytes a second over the streams'.
        share_of_streams: f64,
        /// The same loop written by hand, where there is one, million updates a second.
        by_hand_mlups: Option<f64>,
        /// Median over the turns of the generated kernel's speed over that one's.
        ratio_to_by_hand: Option<f64>,
    },
    Device {
        /// Steps that a turn runs, all in recorded graphs where there are many.
        steps: u64,
        /// Steps that a launch does at once.
        steps_at_once: usize,
        /// As many values in and out, in place and without arithmetic, GB/s.
        read_write_gb_s: f64,
        /// Streaming without collision, the tiles paper's `propagation only`: million updates a second. Nothing where moments
        /// are stored, of which none is propagated.
        propagation_mlups: Option<f64>,
        /// What a launch of the same shape takes that does nothing, microseconds, launched as the steps are.
        launch_us: f64,
    },
}

impl Measurement {
    fn new(
        entry: &Entry,
        request: &Request,
        engine: &(impl Engine + ?Sized),
        (size, threads): ([usize; 3], usize),
        bytes_per_node: usize,
        turns: &Turns,
        beside: Beside,
        (verified, verified_in): (bool, [usize; 3]),
    ) -> Measurement {
        let nodes = size.iter().product::<usize>();
        let [mlups_slowest, mlups, mlups_fastest] = turns.mlups(nodes);
        Measurement {
            variant: entry.name.clone(),
            device: request.placement.backend.to_string(),
            size,
            threads,
            engine: engine.description(),
            flow: request.walls,
            rule: request.rule.clone(),
            forces: request.forces,
            mlups,
            mlups_slowest,
            mlups_fastest,
            share_of_periodic: turns.share_of_periodic(),
            bytes_per_node,
            memory_bytes: engine.allocated_bytes(),
            copy_gb_s: turns.copy(),
            share_of_copy: turns.share_of_copy(nodes * bytes_per_node),
            beside,
            verified,
            verified_in,
        }
    }
}

/// What is measured if nothing is named.
const SELECTION: [&str; 7] = [
    "d2q9-bgk-f32-soa-dense-two-lattice-pull",
    "d2q9-bgk-f64-soa-dense-two-lattice-pull",
    "d3q19-bgk-f32-soa-dense-two-lattice-pull",
    "d3q19-bgk-f64-soa-dense-two-lattice-pull",
    "d3q19-trt-f32-soa-dense-two-lattice-pull",
    "d3q19-mrt-f32-soa-dense-two-lattice-pull",
    "d3q19-bgk-f32-aos-dense-two-lattice-pull",
];

/// The variants that a request means.
pub fn selected(request: &Request) -> Result<Vec<&'static Entry>, Error> {
    if request.filter.is_empty() {
        return SELECTION.iter().map(|name| variants::find(name)).collect();
    }
    let meant = meant(&variants::names(), &request.filter);
    let found: Vec<_> = variants::all().iter().filter(|entry| meant.contains(&entry.name.as_str())).collect();
    match (&found[..], &request.filter[..]) {
        ([], [name]) => Ok(vec![variants::find(name)?]),
        ([], words) => {
            let remedy = "every word of the filter must be part of the name; `lbm variants` lists them";
            Err(Error::unknown("variant", &words.join(" "), variants::names(), remedy))
        }
        _ => Ok(found),
    }
}

/// Measures one variant, where the request says.
pub fn measure(entry: &Entry, request: &Request) -> Result<Measurement, Error> {
    match request.placement.backend {
        Backend::Cpu => cpu::measure(entry, request),
        _ => device::measure(entry, request),
    }
}

/// Edges of a square and of a cube whose populations exceed the caches.
const BEYOND_CACHES: [usize; 2] = [2048, 160];

/// The box: the one asked for, or a square or a cube with an edge of so many nodes.
///
/// # Errors
/// [`Error::OutOfRange`] for a box that the variant's lattice does not fill.
pub fn size_for(
    entry: &Entry,
    asked: Option<[usize; 3]>,
    [square, cube]: [usize; 2],
) -> Result<[usize; 3], Error> {
    let dimension = entry.facts.lattice.dimension;
    let size = asked.unwrap_or(if dimension == 2 { [square, square, 1] } else { [cube; 3] });
    for (axis, &n) in size.iter().enumerate() {
        let allowed = match axis < dimension {
            true if n == 0 => "at least 1".to_owned(),
            false if n != 1 => format!("1, for dimension {dimension}"),
            _ => continue,
        };
        let name = format!("size along {}", ["x", "y", "z"][axis]);
        return Err(Error::out_of_range(name, n, allowed, "change --size NX,NY,NZ"));
    }
    Ok(size)
}

fn threads(options: &CpuOptions) -> usize {
    options.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
}

#[cfg(test)]
mod tests {
    use lbm_core::Domain;
    use lbm_core::engine::Setup;

    use super::*;

    #[test]
    fn a_small_measurement_is_verified_and_a_wrong_flow_is_not() {
        for name in ["d2q9-bgk-f64-soa-dense-two-lattice-pull", "d3q19-bgk-f32-aos-dense-two-lattice-pull"] {
            let entry = variants::find(name).unwrap();
            let size = if entry.facts.lattice.dimension == 2 { [36, 30, 1] } else { [18, 10, 7] };
            let request = Request { size: Some(size), turns: 1, ..Request::default() };
            assert!(measure(entry, &request).unwrap().verified, "{name}");

            let setup = Setup::new(Domain::periodic(size), flow::parameters(entry));
            let flow = flow::Flow::new(entry, size);
            let mut engine = entry.engine(&setup, &request.placement.cpu).unwrap();
            let mut populations = flow.populations();
            populations[5] += 1e-3;
            engine.set_populations(&populations, 0).unwrap();
            engine.run(3).unwrap();
            assert!(!flow.verify(entry, &setup, &engine).unwrap(), "{name}");
        }
    }

    #[test]
    fn a_size_of_zero_is_refused() {
        let request = Request { size: Some([0, 4, 1]), ..Request::default() };
        let error = measure(variants::find(SELECTION[0]).unwrap(), &request).unwrap_err();
        assert!(error.to_string().contains("size along x"), "{error}");
    }
}
