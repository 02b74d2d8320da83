//! Schemes in boxes that grow until two copies of the populations no longer fit a budget, and beyond.

use lbm_core::error::DeviceError;
use lbm_core::{Error, Facts};
use lbm_cuda::device::Device;
use serde::Serialize;

use super::{Record, Session, number};
use crate::bench::turns::median;
use crate::bench::{Measurement, Request, measure};
use crate::output::{Panel, Series};
use crate::simulation::Backend;
use crate::variants;

const NAME: &str = "d2q9";
const TITLE: &str = "D2Q9 BGK, f64: two copies and one";

/// What every variant's name begins with.
const FAMILY: &str = "d2q9-bgk-f64-soa-dense";

/// The streaming pattern with two copies, by which boxes are sized.
const STANDARD: &str = "two-lattice-pull";

/// Streaming patterns.
const SCHEMES: [&str; 5] = [STANDARD, "ghost", "swap", "aa", "esoteric-pull"];

/// The paper's card is a K20c. Its ghost copy is almost 10 % slower than two copies and takes 55 % of their memory; swap is about
/// 40 % slower than two copies, and takes 50 %.
const PAPER: [Paper; 2] = [
    Paper { scheme: "ghost", speed: 0.90, memory: 0.55 },
    Paper { scheme: "swap", speed: 0.60, memory: 0.50 },
];

/// What the paper found of a scheme, over two copies.
struct Paper {
    scheme: &'static str,
    speed: f64,
    memory: f64,
}

/// A scheme in a box.
#[derive(Serialize)]
pub struct Cell {
    pub scheme: &'static str,
    pub variant: String,
    pub size: [usize; 3],
    pub nodes: usize,
    /// Bytes that the populations take: as allocated where they were, else as they would be.
    pub memory_bytes: u64,
    /// Whether it takes no more memory than the budget, and than is free.
    pub fits: bool,
    /// What a table says in the place of figures.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub note: &'static str,
    /// Where it fits.
    #[serde(flatten)]
    pub measured: Option<Measurement>,
}

/// A scheme over two copies.
#[derive(Serialize)]
pub struct Ratio {
    pub scheme: &'static str,
    /// Its speed over that of two copies: median over the boxes that hold both.
    pub speed_over_two_copies: Option<f64>,
    /// The same of the paper.
    pub paper_speed_over_two_copies: Option<f64>,
    /// Its memory over that of two copies, in the largest box that holds both.
    pub memory_over_two_copies: Option<f64>,
    /// The same of the paper.
    pub paper_memory_over_two_copies: Option<f64>,
    /// Its speed in the largest box that it fits over that of two copies in the largest that these fit.
    #[serde(rename = "speed_in_largest_box_over_two_copies_in_theirs")]
    pub beyond: Option<f64>,
}

/// What two copies would take of the budget, box after box: the last ones hold one copy only.
const SHARES: [f64; 7] = [0.125, 0.25, 0.5, 0.95, 1.3, 1.7, 1.95];

/// Bytes where nobody says, so that it can be shown anywhere: on the CPU and on the host in a device's place.
const SMALL_BUDGETS: [u64; 2] = [192_000_000, 16_000_000];

/// What of a GPU's memory may be taken.
const SHARE_OF_DEVICE: f64 = 0.95;

/// What the copy moves, since there is little room beside populations that fill a device; more than a cache holds.
const COPY_BYTES: usize = 1 << 30;

/// What is noted of a scheme that takes more memory than the budget, or than is free.
const DOES_NOT_FIT: &str = "does not fit";

impl Cell {
    fn mlups(&self) -> Option<f64> {
        Some(self.measured.as_ref()?.mlups)
    }

    fn million_nodes(&self) -> f64 {
        self.nodes as f64 * 1e-6
    }
}

/// Measures, tells and writes `KEY_NAME.csv`, `KEY_NAME_shares.csv` and `KEY_NAME.png`.
pub(super) fn run(session: &mut Session<'_>) -> Result<(), Error> {
    let budget = budget(session.request)?;
    let standard = &variants::find(&variant(STANDARD))?.facts;
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for size in boxes(standard, budget)? {
        let mut row = Vec::new();
        for scheme in SCHEMES {
            let measured = cell(scheme, size, budget, session.request)?;
            session.report(&Record::Cell(&measured))?;
            row.push(measured);
        }
        rows.push(row);
    }
    let ratios = SCHEMES.map(|scheme| ratio(scheme, &rows));
    ratios.iter().try_for_each(|ratio| session.report(&Record::Ratio(ratio)))?;
    write(session, &rows)?;
    session.table(
        &format!("{NAME}_shares"),
        &ratios,
        &[
            ("scheme", &|ratio| ratio.scheme.to_owned()),
            ("speed over two copies", &|ratio| number(ratio.speed_over_two_copies)),
            ("paper", &|ratio| number(ratio.paper_speed_over_two_copies)),
            ("memory over two copies", &|ratio| number(ratio.memory_over_two_copies)),
            ("paper", &|ratio| number(ratio.paper_memory_over_two_copies)),
            ("speed in the largest box over two copies in theirs", &|ratio| number(ratio.beyond)),
        ],
    )?;
    draw(session, &rows, &ratios, budget)
}

fn variant(scheme: &str) -> String {
    format!("{FAMILY}-{scheme}")
}

/// Squares in which the memory of two copies is so many shares of the budget.
fn boxes(standard: &Facts, budget: u64) -> Result<Vec<[usize; 3]>, Error> {
    let edge = |share: &f64| {
        let edge = (share * budget as f64 / standard.bytes_per_node() as f64).sqrt() as usize;
        // So that small cells repeat in them, and large ones are dealt out to threads without rest.
        edge - edge % if edge < 1024 { 16 } else { 128 }
    };
    let mut edges: Vec<usize> = SHARES.iter().map(edge).collect();
    edges.dedup();
    if edges[0] == 0 {
        let least = (16 * 16 * standard.bytes_per_node()) as f64 / SHARES[0];
        let allowed =
            format!("at least {:.0} KB, for two copies of 16 nodes along each edge", (least / 1e3).ceil());
        let (given, remedy) = (format!("{budget} bytes"), "give more, or leave it out");
        return Err(Error::out_of_range("--memory", given, allowed, remedy));
    }
    Ok(edges.into_iter().map(|n| [n, n, 1]).collect())
}

fn cell(scheme: &'static str, size: [usize; 3], budget: u64, request: &Request) -> Result<Cell, Error> {
    let entry = variants::find(&variant(scheme))?;
    let mut cell = Cell {
        scheme,
        variant: entry.name.clone(),
        size,
        nodes: size.iter().product(),
        memory_bytes: needed(&entry.facts, size),
        fits: false,
        note: DOES_NOT_FIT,
        measured: None,
    };
    if cell.memory_bytes > budget {
        return Ok(cell);
    }
    let request = Request { size: Some(size), copy_bytes: Some(COPY_BYTES), ..request.clone() };
    match measure(entry, &request) {
        Ok(measured) => {
            cell.memory_bytes = measured.memory_bytes as u64;
            if cell.memory_bytes <= budget {
                cell = Cell { fits: true, note: "", measured: Some(measured), ..cell };
            }
            Ok(cell)
        }
        Err(Error::OutOfMemory { .. } | Error::Device(DeviceError::OutOfMemory { .. })) => Ok(cell),
        Err(error) => Err(error),
    }
}

fn ratio(scheme: &'static str, rows: &[Vec<Cell>]) -> Ratio {
    let of = |row: &[Cell], scheme: &str| -> Option<(f64, f64)> {
        let cell = row.iter().find(|cell| cell.scheme == scheme)?;
        Some((cell.mlups()?, cell.memory_bytes as f64))
    };
    let both: Vec<[(f64, f64); 2]> =
        rows.iter().filter_map(|row| Some([of(row, scheme)?, of(row, STANDARD)?])).collect();
    let speeds = both.iter().map(|[own, standard]| own.0 / standard.0);
    let last = |scheme: &str| rows.iter().rev().find_map(|row| of(row, scheme)).map(|(mlups, _)| mlups);
    let paper = PAPER.iter().find(|paper| paper.scheme == scheme);
    Ratio {
        scheme,
        speed_over_two_copies: (!both.is_empty()).then(|| median(speeds)),
        paper_speed_over_two_copies: paper.map(|paper| paper.speed),
        memory_over_two_copies: both.last().map(|[own, standard]| own.1 / standard.1),
        paper_memory_over_two_copies: paper.map(|paper| paper.memory),
        beyond: last(scheme).zip(last(STANDARD)).map(|(own, standard)| own / standard),
    }
}

fn write(session: &mut Session<'_>, rows: &[Vec<Cell>]) -> Result<(), Error> {
    let mut columns = vec!["nodes".to_owned(), "edge".to_owned()];
    for scheme in SCHEMES {
        columns.extend(["bytes", "MLUPS", "share of copy", "note"].map(|what| format!("{scheme} {what}")));
    }
    let cells = |row: &Vec<Cell>| {
        let mut cells = vec![row[0].nodes.to_string(), row[0].size[0].to_string()];
        for cell in row {
            cells.extend([
                cell.memory_bytes.to_string(),
                number(cell.mlups()),
                number(cell.measured.as_ref().map(|measured| measured.share_of_copy)),
                cell.note.to_owned(),
            ]);
        }
        cells
    };
    session.cells(NAME, &columns, &rows.iter().map(cells).collect::<Vec<_>>())
}

fn draw(session: &mut Session<'_>, rows: &[Vec<Cell>], ratios: &[Ratio], budget: u64) -> Result<(), Error> {
    let points = |scheme: &str, of: &dyn Fn(&Cell) -> Option<f64>| -> Vec<(f64, f64)> {
        let cells = rows.iter().flatten().filter(|cell| cell.scheme == scheme);
        cells.filter_map(|cell| Some((cell.million_nodes(), of(cell)?))).collect()
    };
    // The paper's stand beside them, as shares of what two copies do here. A scheme without a figure has an empty series, so
    // that colours are those of the lines.
    let beside = |of: &dyn Fn(&Cell) -> Option<f64>, share: fn(&Ratio) -> Option<f64>| -> Vec<Series> {
        let lines = SCHEMES.into_iter().map(|scheme| Series::line(scheme, points(scheme, of)));
        let papers = ratios.iter().map(|ratio| {
            let (scheme, share) = (ratio.scheme, share(ratio));
            let label = format!("paper, {scheme}: {:.2} of two copies", share.unwrap_or_default());
            let standard = points(STANDARD, of).into_iter();
            Series::marks(
                label,
                standard.filter_map(|(nodes, value)| Some((nodes, share? * value))).collect(),
            )
        });
        lines.chain(papers).collect()
    };
    let speed = beside(&Cell::mlups, |ratio| ratio.paper_speed_over_two_copies);
    let mut memory =
        beside(&|cell| Some(cell.memory_bytes as f64 * 1e-9), |ratio| ratio.paper_memory_over_two_copies);
    let boxes = rows.iter().map(|row| (row[0].million_nodes(), budget as f64 * 1e-9));
    memory.push(Series::crosses("budget", boxes.collect()));
    let panels = [
        Panel::new("speed, where it fits", "million nodes", "MLUPS", speed),
        Panel::new("memory of the populations", "million nodes", "GB", memory),
    ];
    session.picture(NAME, TITLE, &panels)
}

/// Bytes that the populations of a periodic box take, but for what an engine pads them with.
fn needed(facts: &Facts, size: [usize; 3]) -> u64 {
    u64::try_from(facts.bytes(size)).unwrap_or(u64::MAX)
}

/// The budget: what was asked for, else most of a GPU's memory, else little.
fn budget(request: &Request) -> Result<u64, Error> {
    match (request.memory, request.placement.backend) {
        (Some(bytes), _) => Ok(bytes),
        (None, Backend::Cpu) => Ok(SMALL_BUDGETS[0]),
        (None, Backend::Cuda(index)) => {
            Ok((SHARE_OF_DEVICE * Device::open(index)?.properties().total_memory as f64) as u64)
        }
        (None, _) => Ok(SMALL_BUDGETS[1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_grow_until_one_copy_just_fits() {
        let facts = &variants::find(&variant("two-lattice-pull")).unwrap().facts;
        let boxes = |budget| boxes(facts, budget);
        for budget in [20_000_000, 192_000_000, 140_000_000_000] {
            let sizes = boxes(budget).unwrap();
            let two: Vec<u64> = sizes.iter().map(|&size| needed(facts, size)).collect();
            assert_eq!(two.iter().filter(|&&bytes| bytes <= budget).count(), 4, "{two:?}");
            let last = two[6] as f64 / budget as f64;
            assert!(last > 1.7 && last <= 1.95, "{last}");
            assert!(two.is_sorted() && sizes.iter().all(|size| size[0] % 16 == 0 && size[2] == 1));
        }
        let message = boxes(10_000).unwrap_err().to_string();
        for part in ["--memory = 10000 bytes", "at least 295 KB"] {
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn what_does_not_fit_is_not_measured() {
        let request = Request { turns: 1, ..Request::default() };
        let cell = |scheme, budget| super::cell(scheme, [32, 32, 1], budget, &request).unwrap();
        let two = 2 * 9 * 8 * 32 * 32;
        let refused = cell("two-lattice-pull", two - 1);
        assert!(refused.note == DOES_NOT_FIT && refused.memory_bytes == two);
        // The CPU's engine pads its streams; what it took is what counts.
        let padded = cell("two-lattice-pull", two);
        assert!(padded.note == DOES_NOT_FIT && padded.memory_bytes > two);
        let fits = cell("two-lattice-pull", 10 * two);
        assert!(fits.measured.unwrap().verified && fits.memory_bytes == padded.memory_bytes);
    }
}
