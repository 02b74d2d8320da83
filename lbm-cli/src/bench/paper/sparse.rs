//! Variants over geometries: million fluid nodes a second, share of bandwidth, utilisation of tiles, beside a paper's.

mod found;
mod parts;
mod plot;
mod refit;
mod running;

use lbm_core::engine::Setup;
use lbm_core::geometry::{PropagationModel, TileStatistics, Tiling};
use lbm_core::{Domain, Engine, Error};
use serde::Serialize;

use super::contestants::populations_after;
use super::places::{Place, Series as Places};
use super::{Record, Session, number};
use crate::bench::turns::{Turns, copy, seconds};
use crate::bench::{Request, flow};
use crate::variants::{self, Entry};
use found::{PROPAGATION, READ_WRITE, nearest};
pub use refit::Refit;
use running::Running;

/// A series of geometries, or what is drawn in one picture.
struct Part {
    name: &'static str,
    title: &'static str,
    along: &'static str,
    places: Places,
    variants: &'static [&'static str],
}

/// A variant in a geometry.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Sparse {
    pub part: &'static str,
    pub geometry: String,
    /// Its place along the series.
    #[serde(skip)]
    pub at: f64,
    pub variant: String,
    pub size: [usize; 3],
    pub fluid_nodes: usize,
    /// Tiles of 4 x 4 x 4 nodes that are not empty.
    pub tiles: usize,
    /// Share of fluid nodes in these, Eq. 14.
    pub utilisation: f64,
    /// The same in the paper's geometry of this place.
    pub paper_utilisation: Option<f64>,
    /// Common faces a tile.
    pub common_faces_per_tile: f64,
    /// Common edges a tile.
    pub common_edges_per_tile: f64,
    /// The share of bandwidth that Eq. 19 expects of streaming alone, from common faces and edges.
    pub expected_share: f64,
    /// The same with the coefficients that were fitted to this series.
    #[serde(skip)]
    pub refitted: Option<f64>,
    /// Million fluid nodes a second, median.
    pub mflups: f64,
    /// Bytes that one update of a fluid node must move.
    pub bytes_per_node: usize,
    /// Bytes of storage a fluid node, lists and tables included.
    pub stored_bytes_per_fluid_node: f64,
    /// The copy's bandwidth in the same run, GB/s.
    pub copy_gb_s: f64,
    /// Median over the turns of the fluid nodes' bytes a second over the copy's.
    pub share_of_copy: f64,
    /// The same of streaming without collision, on a device.
    pub propagation_share_of_copy: Option<f64>,
    /// The same of as many values in and out in place, on a device.
    pub read_write_share_of_copy: Option<f64>,
    /// What the paper found, as a share of the peak bandwidth of its card.
    pub paper_share_of_peak: Option<f64>,
    /// The same of streaming without collision.
    pub paper_propagation_share_of_peak: Option<f64>,
    /// The same of as many values in and out in place.
    pub paper_read_write_share_of_peak: Option<f64>,
    /// Whether every population equals that of the whole box on the CPU, bit for bit; nothing where the box is too large for it.
    pub verified: Option<bool>,
    pub engine: String,
}

/// Steps after which populations are compared.
const CHECKED_STEPS: u64 = 6;

/// Most nodes of a box whose populations cross to be compared, and of the first and the last box of a series: what takes the longest.
const CHECKED_NODES: [usize; 2] = [2 << 20, 8 << 20];

/// What a turn takes at least, seconds, and the most steps of one.
const TURN: (f64, f64) = (0.05, 500.0);

/// Runs all parts.
pub(super) fn run(session: &mut Session<'_>) -> Result<(), Error> {
    let wanted: Vec<&Part> = parts::PARTS.iter().filter(|part| session.wants(part.name)).collect();
    wanted.into_iter().try_for_each(|part| part.run(session))
}

/// What its series are called.
pub(super) fn parts() -> Vec<&'static str> {
    parts::PARTS.iter().map(|part| part.name).collect()
}

impl Part {
    /// Measures, tells and writes `KEY_PART.csv` and `KEY_PART.png`; for channels `KEY_model.csv`, too.
    fn run(&self, session: &mut Session<'_>) -> Result<(), Error> {
        let entries: Result<Vec<&'static Entry>, Error> =
            self.variants.iter().map(|name| variants::find(name)).collect();
        let entries = entries?;
        let mut rows = Vec::new();
        let places = self.places.all(session.small_or_large([false, true]))?;
        for (n, place) in places.iter().enumerate() {
            let statistics = Tiling::new([4; 3], [0; 3])?.statistics(&place.geometry)?;
            let domain = place.geometry.clone().into_domain(place.faces)?;
            let at_end = n == 0 || n + 1 == places.len();
            let checked = domain.nodes() <= CHECKED_NODES[usize::from(at_end)];
            let mut whole = checked.then(WholeBox::default);
            for &entry in &entries {
                let row =
                    self.measure(entry, place, &domain, &statistics, whole.as_mut(), session.request)?;
                session.report(&Record::Sparse(&row))?;
                rows.push(row);
            }
        }
        if self.places == Places::Channels {
            let refits: Vec<Refit> =
                self.variants.iter().map(|variant| refit::refit(variant, &mut rows)).collect();
            refits.iter().try_for_each(|refit| session.report(&Record::Refit(refit)))?;
            refit::write(session, &refits)?;
        }
        write_table(session, self.name, &rows)?;
        self.draw(session, &entries, &rows)
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
        let setup = place.setup(entry, domain)?;
        let mut running = Running::new(entry, &setup, request)?;
        let verified = match whole {
            Some(whole) => Some(whole.verify(running.engine(), entry, &setup, request)?),
            None => {
                running.set_repeated(&flow::Flow::new(entry, domain.size))?;
                None
            }
        };
        let mut copy =
            copy(request.placement.backend, domain.nodes() * entry.facts.bytes_per_update(), request)?;
        let once = seconds(running.engine(), 2)?.min(seconds(running.engine(), 2)?) / 2.0;
        let steps = (TURN.0 / once).ceil().clamp(1.0, TURN.1) as u64;
        let turns =
            Turns::run(request, 7, &mut copy, || Ok(seconds(running.engine(), steps)? / steps as f64))?;
        let (fluid, bytes) =
            (statistics.fluid_nodes, statistics.fluid_nodes * entry.facts.bytes_per_update());
        let sticks = running.sticks(steps)?;
        let stick = |n: usize| sticks.map(|seconds| bytes as f64 / seconds[n] * 1e-9 / turns.copy());
        let kernels = [entry.facts.body.collision, PROPAGATION, READ_WRITE];
        let [step, propagation, read_write] =
            kernels.map(|kernel| nearest(&found::shares_of(self.name, kernel, entry), place.at));
        Ok(Sparse {
            part: self.name,
            geometry: place.label.clone(),
            at: place.at,
            variant: entry.name.clone(),
            size: domain.size,
            fluid_nodes: fluid,
            tiles: statistics.tiles,
            utilisation: statistics.utilisation(),
            paper_utilisation: nearest(found::utilisation(self.name), place.at),
            common_faces_per_tile: statistics.faces_per_tile(),
            common_edges_per_tile: statistics.edges_per_tile(),
            expected_share: statistics.propagation_share(&PropagationModel::PAPER),
            refitted: None,
            mflups: turns.mlups(fluid)[1],
            bytes_per_node: entry.facts.bytes_per_update(),
            stored_bytes_per_fluid_node: running.engine().allocated_bytes() as f64 / fluid as f64,
            copy_gb_s: turns.copy(),
            share_of_copy: turns.share_of_copy(bytes),
            propagation_share_of_copy: stick(0),
            read_write_share_of_copy: stick(1),
            paper_share_of_peak: step,
            paper_propagation_share_of_peak: propagation,
            paper_read_write_share_of_peak: read_write,
            verified,
            engine: running.engine().description(),
        })
    }
}

/// Writes the rows of a series as CSV.
fn write_table(session: &mut Session<'_>, name: &str, rows: &[Sparse]) -> Result<(), Error> {
    session.table(
        name,
        rows,
        &[
            ("geometry", &|row| row.geometry.clone()),
            ("size", &|row| row.size.map(|n| n.to_string()).join(" x ")),
            ("fluid nodes", &|row| row.fluid_nodes.to_string()),
            ("porosity", &|row| number(row.fluid_nodes as f64 / row.size.iter().product::<usize>() as f64)),
            ("tiles", &|row| row.tiles.to_string()),
            ("utilisation (Eq. 14)", &|row| number(row.utilisation)),
            ("paper's utilisation", &|row| number(row.paper_utilisation)),
            ("common faces a tile", &|row| number(row.common_faces_per_tile)),
            ("common edges a tile", &|row| number(row.common_edges_per_tile)),
            ("expected share (Eq. 19)", &|row| number(row.expected_share)),
            ("expected share (Eq. 19 refitted)", &|row| number(row.refitted)),
            ("variant", &|row| row.variant.clone()),
            ("MFLUPS", &|row| number(row.mflups)),
            ("share of copy", &|row| number(row.share_of_copy)),
            ("paper's share of peak", &|row| number(row.paper_share_of_peak)),
            ("propagation only, share of copy", &|row| number(row.propagation_share_of_copy)),
            ("paper's propagation only, share of peak", &|row| number(row.paper_propagation_share_of_peak)),
            ("read/write only, share of copy", &|row| number(row.read_write_share_of_copy)),
            ("paper's read/write only, share of peak", &|row| number(row.paper_read_write_share_of_peak)),
            ("bytes an update", &|row| row.bytes_per_node.to_string()),
            ("bytes stored a fluid node", &|row| number(row.stored_bytes_per_fluid_node)),
            ("verified", &|row| match row.verified {
                Some(true) => "yes, to the bit".to_owned(),
                Some(false) => "NO".to_owned(),
                None => "not asked".to_owned(),
            }),
            ("where", &|row| row.engine.clone()),
        ],
    )
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
        running: &mut dyn Engine,
        entry: &Entry,
        setup: &Setup,
        request: &Request,
    ) -> Result<bool, Error> {
        if self.start.is_empty() {
            self.start = flow::Flow::new(entry, setup.domain().size).populations();
        }
        let (lattice, collision) = (entry.facts.lattice.name.to_lowercase(), entry.facts.body.collision);
        let precision = entry.facts.precision.name;
        let dense = variants::find(&format!("{lattice}-{collision}-{precision}-soa-dense-two-lattice-pull"))?;
        let expected = match self.expected.take() {
            Some((name, populations)) if name == dense.name => populations,
            _ => populations_after(CHECKED_STEPS, &self.start, dense, setup, request)?,
        };
        running.set_populations(&self.start, 0)?;
        running.run(CHECKED_STEPS)?;
        let mut found = vec![f64::NAN; self.start.len()];
        running.populations(&mut found)?;
        let same = expected.iter().zip(&found).all(|(a, b)| a.to_bits() == b.to_bits());
        self.expected = Some((dense.name.as_str(), expected));
        Ok(same)
    }
}

#[cfg(test)]
mod tests;
