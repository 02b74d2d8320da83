//! Variants over geometries: million fluid nodes a second, share of bandwidth, utilisation of tiles, beside a paper's.

mod found;
mod plot;
mod refit;
mod table;

use std::path::{Path, PathBuf};

use lbm_core::engine::Setup;
use lbm_core::geometry::{PropagationModel, TileStatistics, Tiling};
use lbm_core::{Domain, Error};

use super::contestants::{Contestant, Running, populations_after};
use super::places::{Place, Series as Places};
use super::{Experiment, Heard, Told};
use crate::bench::copy::copy;
use crate::bench::{Request, flow, median};
use crate::simulation::Backend;
use crate::variants::{self, Entry};
pub(super) use found::{Found, Kernel};
pub use refit::Refit;

/// A series of geometries, or what is drawn in one picture.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) along: &'static str,
    pub(super) places: Places,
    pub(super) variants: &'static [&'static str],
    /// What the paper found.
    pub(super) found: &'static [Found],
    /// The utilisation of tiles that it gives: place along the series, share.
    pub(super) found_utilisation: &'static [(f64, f64)],
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
    /// The same in the paper's geometry of this place.
    pub paper_utilisation: Option<f64>,
    /// Common faces and edges a tile.
    pub common: [f64; 2],
    /// The share of bandwidth that Eq. 19 expects of streaming alone, from common faces and edges.
    pub expected: f64,
    /// The same with the coefficients that were fitted to this series.
    pub refitted: Option<f64>,
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
    /// What the paper found of these three, as shares of the peak bandwidth of its card.
    pub paper: [Option<f64>; 3],
    /// Whether every population equals that of the whole box on the CPU, bit for bit; nothing where the box is too large for it.
    pub verified: Option<bool>,
    /// Where and how it ran.
    pub engine: String,
}

/// Steps after which populations are compared.
const CHECKED_STEPS: u64 = 6;

/// Most nodes of a box whose populations cross to be compared, and of the first and the last box of a series: what takes the longest.
const CHECKED_NODES: [usize; 2] = [2 << 20, 8 << 20];

/// What a turn takes at least, seconds, and the most steps of one.
const TURN: (f64, f64) = (0.05, 500.0);

impl Part {
    /// Measures, tells and writes `KEY_PART.csv` and `KEY_PART.png`; for channels `KEY_model.csv`, too.
    pub(super) fn run(
        &self,
        experiment: &Experiment,
        request: &Request,
        folder: &Path,
        heard: Heard<'_>,
    ) -> Result<Vec<PathBuf>, Error> {
        let entries: Result<Vec<&'static Entry>, Error> =
            self.variants.iter().map(|name| variants::find(name)).collect();
        let entries = entries?;
        let mut rows = Vec::new();
        let places = self.places.all(matches!(request.placement.backend, Backend::Cuda(_)))?;
        for (n, place) in places.iter().enumerate() {
            let statistics = Tiling::new([4; 3], [0; 3])?.statistics(&place.geometry)?;
            let domain = place.geometry.clone().into_domain(place.faces)?;
            let at_end = n == 0 || n + 1 == places.len();
            let checked = domain.nodes() <= CHECKED_NODES[usize::from(at_end)];
            let mut whole = checked.then(WholeBox::default);
            for &entry in &entries {
                let row = self.measure(entry, place, &domain, &statistics, whole.as_mut(), request)?;
                heard(&Told::Sparse(&row))?;
                rows.push(row);
            }
        }
        let mut written = Vec::new();
        if self.places == Places::Channels {
            let refits = refit::refit(self.variants, &mut rows);
            refits.iter().try_for_each(|refit| heard(&Told::Refit(refit)))?;
            written.push(experiment.file(folder, "model", "csv"));
            refit::write(&written[0], &refits)?;
        }
        let [table, picture] = ["csv", "png"].map(|end| experiment.file(folder, self.name, end));
        table::write(&table, &rows)?;
        self.draw(&picture, &entries, &rows)?;
        written.extend([table, picture]);
        Ok(written)
    }

    fn measure(
        &self,
        entry: &'static Entry,
        place: &Place,
        domain: &Domain,
        statistics: &TileStatistics,
        whole: Option<&mut WholeBox>,
        request: &Request,
    ) -> Result<Sparse, Error> {
        let setup = Setup { domain: domain.clone(), parameters: flow::parameters(entry) };
        let mut running = Running::new(entry, &setup, request)?;
        let verified = match whole {
            Some(whole) => Some(whole.verify(&mut running, entry, &setup, request)?),
            None => {
                running.set_repeated(&flow::Flow::new(entry, domain.size))?;
                None
            }
        };
        let mut copy = copy(request.placement.backend, domain.nodes() * entry.bytes_per_node, request)?;
        let once = running.timed(2)?.min(running.timed(2)?) / 2.0;
        let steps = (TURN.0 / once).ceil().clamp(1.0, TURN.1) as u64;
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
            paper_utilisation: found::nearest(self.found_utilisation, place.at),
            common: [statistics.faces_per_tile(), statistics.edges_per_tile()],
            expected: statistics.propagation_share(&PropagationModel::PAPER),
            refitted: None,
            mflups: median(&mut speeds),
            bytes_per_node: entry.bytes_per_node,
            stored_per_node: running.allocated_bytes() as f64 / fluid,
            copy: bandwidth,
            share_of_copy: median(&mut shares),
            sticks,
            paper: found::of(self.found, entry, place.at),
            verified,
            engine: running.description(),
        })
    }
}

/// What the whole box on the CPU makes of waves: kept for the variants that are to make the same of them.
#[derive(Default)]
struct WholeBox {
    start: Vec<f64>,
    /// The variant that stores the whole box, and its populations after some steps.
    expected: Option<(&'static str, Vec<f64>)>,
}

impl WholeBox {
    /// Whether some steps give what the variant with the same collision gives that stores the whole box; the flow goes on from there.
    fn verify(
        &mut self,
        running: &mut Running,
        entry: &Entry,
        setup: &Setup,
        request: &Request,
    ) -> Result<bool, Error> {
        if self.start.is_empty() {
            self.start = flow::Flow::new(entry, setup.domain.size).populations();
        }
        let (lattice, collision) = (entry.axes[0].to_lowercase(), &entry.label);
        let dense =
            variants::find(&format!("{lattice}-{collision}-{}-soa-dense-two-lattice-pull", entry.precision))?;
        let expected = match self.expected.take() {
            Some((name, populations)) if name == dense.name => populations,
            _ => populations_after(CHECKED_STEPS, &self.start, dense, setup, request)?,
        };
        running.set(&self.start)?;
        running.timed(CHECKED_STEPS)?;
        let mut found = vec![f64::NAN; self.start.len()];
        running.get(&mut found)?;
        let same = expected.iter().zip(&found).all(|(a, b)| a.to_bits() == b.to_bits());
        self.expected = Some((dense.name.as_str(), expected));
        Ok(same)
    }
}

#[cfg(test)]
mod tests;
