//! Variants over geometries: million fluid nodes a second, share of bandwidth, utilisation of tiles, beside a paper's.

use std::path::{Path, PathBuf};
use std::time::Instant;

use lbm_core::engine::Setup;
use lbm_core::geometry::{TileStatistics, Tiling};
use lbm_core::{Domain, Engine, Error, FaceRule};
use lbm_cpu::StoreKind;
use lbm_cpu::bandwidth::Streams;
use lbm_cuda::assemble::Work;
use lbm_cuda::engine::Measured;

use super::places::{Place, Series as Places};
use super::{Experiment, Heard, Told};
use crate::bench::device::copy;
use crate::bench::{Request, flow, median};
use crate::output::{Panel, Scale, Series, Style, write_plot, write_rows};
use crate::simulation::Backend;
use crate::variants::{self, Entry};

/// A series of geometries, or what is drawn in one picture.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) along: &'static str,
    pub(super) places: Places,
    pub(super) faces: [FaceRule; 6],
    pub(super) variants: &'static [&'static str],
    /// What the paper found, on a card of 288.4 GB/s: label, place, million fluid nodes a second, utilisation if it gives it.
    pub(super) found: &'static [Found],
}

/// A figure of the paper: f64, one of its cards' 288.4 GB/s.
pub(super) struct Found {
    pub(super) label: &'static str,
    pub(super) at: f64,
    pub(super) mflups: f64,
    pub(super) utilisation: Option<f64>,
}

impl Found {
    /// Its share of the card's bandwidth, at 304 bytes an update.
    fn share(&self) -> f64 {
        self.mflups * 304.0 / 288.4e3
    }
}

/// A variant in a geometry.
#[derive(Clone, Debug)]
pub struct Sparse {
    /// The series.
    pub part: &'static str,
    /// The geometry.
    pub place: String,
    /// Its place along the series.
    pub at: f64,
    /// The variant.
    pub variant: String,
    /// Nodes of the box.
    pub size: [usize; 3],
    /// Fluid nodes.
    pub fluid: usize,
    /// Tiles of 4 x 4 x 4 nodes that are not empty.
    pub tiles: usize,
    /// Share of fluid nodes in these, Eq. 14.
    pub utilisation: f64,
    /// The share of bandwidth that Eq. 19 expects of streaming alone, from common faces and edges.
    pub expected: f64,
    /// Common faces and edges a tile.
    pub common: [f64; 2],
    /// Million fluid nodes a second, median.
    pub mflups: f64,
    /// Bytes that one update of a fluid node must move.
    pub bytes_per_node: usize,
    /// Bytes of storage a fluid node, lists and tables included.
    pub stored_per_node: f64,
    /// The copy's bandwidth in the same run, GB/s.
    pub copy: f64,
    /// Median over the turns of the fluid nodes' bytes a second over the copy's.
    pub share_of_copy: f64,
    /// The same of streaming without collision, and of as many values in and out in place; on a device.
    pub sticks: Option<[f64; 2]>,
    /// Whether every population equals that of the whole box on the CPU, bit for bit; nothing where the box is too large for it.
    pub verified: Option<bool>,
    /// Where and how it ran.
    pub engine: String,
}

/// Steps after which populations are compared.
const CHECKED_STEPS: u64 = 6;

/// Most nodes of a box whose populations cross to be compared.
const CHECKED_NODES: usize = 8 << 20;

impl Part {
    /// Measures, tells and writes `KEY_PART.csv` and `KEY_PART.png`.
    pub(super) fn run(
        &self,
        experiment: &Experiment,
        request: &Request,
        folder: &Path,
        heard: Heard<'_>,
    ) -> Result<[PathBuf; 2], Error> {
        let on_gpu = matches!(request.placement.backend, Backend::Cuda(_));
        let mut rows = Vec::new();
        for place in self.places.all(on_gpu)? {
            let statistics = Tiling::new([4; 3], [0; 3])?.statistics(&place.geometry)?;
            let domain = place.geometry.clone().into_domain(self.faces)?;
            for &name in self.variants {
                let row = self.measure(variants::find(name)?, &place, &domain, &statistics, request)?;
                heard(&Told::Sparse(&row))?;
                rows.push(row);
            }
        }
        let [table, picture] = ["csv", "png"].map(|end| experiment.file(folder, self.name, end));
        write_table(&table, &rows)?;
        self.draw(&picture, &rows)?;
        Ok([table, picture])
    }

    fn measure(
        &self,
        entry: &'static Entry,
        place: &Place,
        domain: &Domain,
        statistics: &TileStatistics,
        request: &Request,
    ) -> Result<Sparse, Error> {
        let setup = Setup { domain: domain.clone(), parameters: flow::parameters(entry) };
        let mut running = Running::new(entry, &setup, request)?;
        let flow = flow::Flow::new(entry, domain.size);
        let verified = (domain.nodes() <= CHECKED_NODES)
            .then(|| running.verify(entry, &setup, &flow.populations(), request))
            .transpose()?;
        if let (None, Running::Device(engine)) = (verified, &mut running) {
            let (cell, start) = flow.repeated();
            engine.set_repeated(cell, &start, 0)?;
        }
        let mut copy = running.copy(request, domain.nodes() * entry.bytes_per_node)?;
        let once = running.timed(2)?.min(running.timed(2)?) / 2.0;
        let steps = (0.1 / once).ceil().clamp(2.0, 500.0) as u64;
        let turns = if request.turns == 0 { 7 } else { request.turns };
        let (fluid, bytes) = (statistics.fluid_nodes as f64, entry.bytes_per_node as f64);
        let (mut speeds, mut copies, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..turns {
            copies.push(copy()?);
            let seconds = running.timed(steps)? / steps as f64;
            speeds.push(fluid / seconds * 1e-6);
            shares.push(fluid * bytes / seconds * 1e-9 / copies[copies.len() - 1]);
        }
        let bandwidth = median(&mut copies);
        let sticks =
            running.sticks(steps)?.map(|seconds| seconds.map(|s| fluid * bytes / s * 1e-9 / bandwidth));
        Ok(Sparse {
            part: self.name,
            place: place.label.clone(),
            at: place.at,
            variant: entry.name.clone(),
            size: domain.size,
            fluid: statistics.fluid_nodes,
            tiles: statistics.tiles,
            utilisation: statistics.utilisation(),
            expected: statistics.propagation_utilisation(),
            common: [statistics.faces_per_tile(), statistics.edges_per_tile()],
            mflups: median(&mut speeds),
            bytes_per_node: entry.bytes_per_node,
            stored_per_node: running.engine().allocated_bytes() as f64 / fluid,
            copy: bandwidth,
            share_of_copy: median(&mut shares),
            sticks,
            verified,
            engine: running.engine().description(),
        })
    }

    fn draw(&self, path: &Path, rows: &[Sparse]) -> Result<(), Error> {
        let lines = |of: fn(&Sparse) -> f64| {
            self.variants.iter().map(move |&name| {
                let named = rows.iter().filter(move |row| row.variant == name);
                Series {
                    label: name.to_owned(),
                    style: Style::Line,
                    points: named.map(|row| (row.at, of(row))).collect(),
                }
            })
        };
        let mut labels: Vec<&str> = self.found.iter().map(|found| found.label).collect();
        labels.dedup();
        let theirs = |of: fn(&Found) -> Option<f64>| {
            labels.clone().into_iter().map(move |label| {
                let points = self.found.iter().filter(|found| found.label == label);
                let points = points.filter_map(|found| of(found).map(|value| (found.at, value))).collect();
                Series { label: label.to_owned(), style: Style::Markers, points }
            })
        };
        let panel = |title: &str, y_label: &str, series: Vec<Series>| Panel {
            title: title.to_owned(),
            x_label: self.along.to_owned(),
            y_label: y_label.to_owned(),
            series,
            scale: Scale::Linear,
        };
        let first = &self.variants[..1.min(self.variants.len())];
        let utilisation = lines(|row| row.utilisation)
            .take(first.len())
            .map(|line| Series { label: "tiles of 4 x 4 x 4".to_owned(), ..line });
        let panels = [
            panel(
                "fluid nodes' bytes a second, as a share of the copy",
                "share of bandwidth",
                lines(|row| row.share_of_copy).chain(theirs(|found| Some(found.share()))).collect(),
            ),
            panel(
                "utilisation of tiles (Eq. 14)",
                "fluid nodes of all in tiles",
                utilisation.chain(theirs(|found| found.utilisation)).collect(),
            ),
        ];
        write_plot(path, self.title, &panels)
    }
}

/// A variant at work.
enum Running {
    Cpu(Box<dyn Engine>),
    Device(Box<dyn Measured>),
}

impl Running {
    fn new(entry: &Entry, setup: &Setup, request: &Request) -> Result<Running, Error> {
        Ok(match request.placement.backend {
            Backend::Cpu => Running::Cpu((entry.engine)(setup, &request.options)?.0),
            _ => Running::Device(request.placement.measured(&entry.facts, setup)?),
        })
    }

    fn engine(&self) -> &dyn Engine {
        match self {
            Running::Cpu(engine) => engine.as_ref(),
            Running::Device(engine) => engine.as_ref(),
        }
    }

    fn engine_mut(&mut self) -> &mut dyn Engine {
        match self {
            Running::Cpu(engine) => engine.as_mut(),
            Running::Device(engine) => engine.as_mut(),
        }
    }

    fn timed(&mut self, steps: u64) -> Result<f64, Error> {
        match self {
            Running::Device(engine) => engine.timed(steps),
            Running::Cpu(engine) => {
                let start = Instant::now();
                engine.run(steps)?;
                Ok(start.elapsed().as_secs_f64())
            }
        }
    }

    /// Seconds a step of streaming without collision, and of reads and writes in place.
    fn sticks(&mut self, steps: u64) -> Result<Option<[f64; 2]>, Error> {
        let Running::Device(engine) = self else { return Ok(None) };
        let mut seconds = [0.0; 2];
        for (work, seconds) in [Work::Propagate, Work::ReadWrite].into_iter().zip(&mut seconds) {
            *seconds = engine.timed_work(work, steps)?.min(engine.timed_work(work, steps)?) / steps as f64;
        }
        Ok(Some(seconds))
    }

    /// Whether some steps from a state give what the whole box gives on the CPU; the state is what they give.
    fn verify(
        &mut self,
        entry: &Entry,
        setup: &Setup,
        start: &[f64],
        request: &Request,
    ) -> Result<bool, Error> {
        let (lattice, operator) = (entry.axes[0].to_lowercase(), &entry.operator);
        let whole =
            variants::find(&format!("{lattice}-{operator}-{}-soa-dense-two-lattice-pull", entry.precision))?;
        let (mut expecting, _) = (whole.engine)(setup, &request.options)?;
        let (mut expected, mut found) = (vec![0.0; start.len()], vec![f64::NAN; start.len()]);
        for (engine, out) in [(expecting.as_mut(), &mut expected), (self.engine_mut(), &mut found)] {
            engine.set_populations(start, 0)?;
            engine.run(CHECKED_STEPS)?;
            engine.populations(out)?;
        }
        Ok(expected.iter().zip(&found).all(|(a, b)| a.to_bits() == b.to_bits()))
    }

    /// What measures the copy.
    fn copy(&self, request: &Request, bytes: usize) -> Result<Box<dyn FnMut() -> Result<f64, Error>>, Error> {
        if let Running::Device(_) = self {
            return copy(request.placement.backend, request.copy_bytes);
        }
        let mut streams = Streams::<1>::new(bytes, &request.options)?;
        Ok(Box::new(move || {
            Ok(streams.measure(StoreKind::Ordinary).max(streams.measure(StoreKind::NonTemporal)))
        }))
    }
}

fn write_table(path: &Path, rows: &[Sparse]) -> Result<(), Error> {
    let columns = [
        "geometry",
        "size",
        "fluid nodes",
        "porosity",
        "tiles",
        "utilisation (Eq. 14)",
        "common faces a tile",
        "common edges a tile",
        "expected share (Eq. 19)",
        "variant",
        "MFLUPS",
        "share of copy",
        "propagation only, share of copy",
        "read/write only, share of copy",
        "bytes an update",
        "bytes stored a fluid node",
        "verified",
        "where",
    ];
    let number = |value: f64| format!("{value:?}");
    let row = |row: &Sparse| {
        let nodes: usize = row.size.iter().product();
        let stick = |n: usize| row.sticks.map_or_else(String::new, |sticks| number(sticks[n]));
        vec![
            row.place.clone(),
            format!("{} x {} x {}", row.size[0], row.size[1], row.size[2]),
            row.fluid.to_string(),
            number(row.fluid as f64 / nodes as f64),
            row.tiles.to_string(),
            number(row.utilisation),
            number(row.common[0]),
            number(row.common[1]),
            number(row.expected),
            row.variant.clone(),
            number(row.mflups),
            number(row.share_of_copy),
            stick(0),
            stick(1),
            row.bytes_per_node.to_string(),
            number(row.stored_per_node),
            row.verified
                .map_or("not asked", |verified| if verified { "yes, to the bit" } else { "NO" })
                .to_owned(),
            row.engine.clone(),
        ]
    };
    write_rows(path, &columns.map(str::to_owned), &rows.iter().map(row).collect::<Vec<_>>())
}
