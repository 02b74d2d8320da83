//! Schemes in boxes that grow until two copies of the populations no longer fit a budget, and beyond.

use std::path::{Path, PathBuf};

use lbm_core::error::DeviceError;
use lbm_core::{Error, Facts};
use lbm_cuda::device::Device;

use super::{Experiment, Heard, Told};
use crate::bench::{Measured, Request, measure, measure_on_device, median};
use crate::output::{Panel, Scale, Series, Style, write_plot, write_rows};
use crate::simulation::Backend;
use crate::variants;

/// An experiment of this kind.
pub(super) struct Contest {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// What every variant's name begins with.
    pub(super) family: &'static str,
    /// The streaming pattern with two copies, by which boxes are sized.
    pub(super) standard: &'static str,
    /// Streaming patterns. One that the table of variants lacks is reported so.
    pub(super) schemes: &'static [&'static str],
    pub(super) dimension: i32,
    pub(super) paper: &'static [Paper],
}

/// What the paper found of a scheme, over two copies.
pub(super) struct Paper {
    pub(super) scheme: &'static str,
    pub(super) speed: f64,
    pub(super) memory: f64,
}

/// A scheme in a box.
pub struct Cell {
    /// The streaming pattern.
    pub scheme: &'static str,
    /// The variant.
    pub variant: String,
    /// Nodes of the box.
    pub size: [usize; 3],
    /// Bytes that the populations take: as allocated where they were, else as they would be. None where there is no such
    /// variant.
    pub memory: Option<u64>,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a scheme in a box.
pub enum Outcome {
    /// It was measured.
    Measured(Box<Measured>),
    /// It takes more memory than the budget, or than is free.
    DoesNotFit,
    /// The table of variants has it not.
    NotThere,
}

/// A scheme over two copies.
pub struct Ratio {
    /// The streaming pattern.
    pub scheme: &'static str,
    /// Its speed over that of two copies: median over the boxes that hold both.
    pub speed: Option<f64>,
    /// The same of the paper.
    pub paper_speed: Option<f64>,
    /// Its memory over that of two copies, in the largest box that holds both.
    pub memory: Option<f64>,
    /// The same of the paper.
    pub paper_memory: Option<f64>,
    /// Its speed in the largest box that it fits over that of two copies in the largest that these fit.
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

impl Outcome {
    /// What a table says in the place of figures.
    #[must_use]
    pub fn note(&self) -> &'static str {
        match self {
            Outcome::Measured(_) => "",
            Outcome::DoesNotFit => "does not fit",
            Outcome::NotThere => "not there yet",
        }
    }
}

impl Cell {
    /// Nodes of the box.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.size.iter().product()
    }

    fn measured(&self) -> Option<&Measured> {
        match &self.outcome {
            Outcome::Measured(measured) => Some(measured),
            _ => None,
        }
    }

    fn mlups(&self) -> Option<f64> {
        self.measured().map(Measured::mlups)
    }
}

impl Contest {
    /// Measures, tells and writes `KEY_NAME.csv`, `KEY_NAME_shares.csv` and `KEY_NAME.png`.
    pub(super) fn run(
        &self,
        experiment: &Experiment,
        request: &Request,
        folder: &Path,
        heard: Heard<'_>,
    ) -> Result<[PathBuf; 3], Error> {
        let budget = budget(request)?;
        let standard = &variants::find(&self.variant(self.standard))?.facts;
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for size in self.boxes(standard, budget)? {
            let mut row = Vec::new();
            for &scheme in self.schemes {
                let cell = self.cell(scheme, size, budget, request)?;
                heard(&Told::Cell(&cell))?;
                row.push(cell);
            }
            rows.push(row);
        }
        let ratios: Vec<Ratio> = self.schemes.iter().map(|scheme| self.ratio(scheme, &rows)).collect();
        ratios.iter().try_for_each(|ratio| heard(&Told::Ratio(ratio)))?;
        let path = |name: &str, end| experiment.file(folder, name, end);
        let [table, shares] = [path(self.name, "csv"), path(&format!("{}_shares", self.name), "csv")];
        let picture = path(self.name, "png");
        self.write_table(&table, &rows)?;
        write_ratios(&shares, &ratios)?;
        self.draw(&picture, &rows, &ratios, budget)?;
        Ok([table, shares, picture])
    }

    fn variant(&self, scheme: &str) -> String {
        format!("{}-{scheme}", self.family)
    }

    /// Boxes with equal edges, in which the memory of two copies is so many shares of the budget.
    fn boxes(&self, standard: &Facts, budget: u64) -> Result<Vec<[usize; 3]>, Error> {
        let edge = |share: &f64| {
            let nodes = share * budget as f64 / standard.bytes_per_node() as f64;
            let edge = nodes.powf(1.0 / f64::from(self.dimension)) as usize;
            // So that small cells repeat in them, and large ones are dealt out to threads without rest.
            edge - edge % if edge < 1024 { 16 } else { 128 }
        };
        let mut edges: Vec<usize> = SHARES.iter().map(edge).collect();
        edges.dedup();
        if edges[0] == 0 {
            let least = 16f64.powi(self.dimension) * standard.bytes_per_node() as f64 / SHARES[0];
            return Err(Error::out_of_range(
                "--memory",
                format!("{budget} bytes"),
                format!(
                    "at least {:.0} KB, for two copies of 16 nodes along each edge",
                    (least / 1e3).ceil()
                ),
                "give more, or leave it out",
            ));
        }
        Ok(edges.into_iter().map(|n| [n, n, if self.dimension == 3 { n } else { 1 }]).collect())
    }

    fn cell(
        &self,
        scheme: &'static str,
        size: [usize; 3],
        budget: u64,
        request: &Request,
    ) -> Result<Cell, Error> {
        let variant = self.variant(scheme);
        let Some(entry) = variants::all().iter().find(|entry| entry.name == variant) else {
            return Ok(Cell { scheme, variant, size, memory: None, outcome: Outcome::NotThere });
        };
        let memory = needed(&entry.facts, size);
        let cell =
            |memory, outcome| Cell { scheme, variant: variant.clone(), size, memory: Some(memory), outcome };
        if memory > budget {
            return Ok(cell(memory, Outcome::DoesNotFit));
        }
        let request = Request { size: Some(size), copy_bytes: Some(COPY_BYTES), ..request.clone() };
        let measured = match request.placement.backend {
            Backend::Cpu => measure(entry, &request).map(Measured::Cpu),
            _ => measure_on_device(entry, &request).map(Measured::Device),
        };
        match measured {
            Ok(measured) if measured.memory() <= budget => {
                Ok(cell(measured.memory(), Outcome::Measured(Box::new(measured))))
            }
            Ok(measured) => Ok(cell(measured.memory(), Outcome::DoesNotFit)),
            Err(Error::OutOfMemory { .. } | Error::Device(DeviceError::OutOfMemory { .. })) => {
                Ok(cell(memory, Outcome::DoesNotFit))
            }
            Err(error) => Err(error),
        }
    }

    fn ratio(&self, scheme: &'static str, rows: &[Vec<Cell>]) -> Ratio {
        let of = |row: &[Cell], scheme: &str| -> Option<(f64, f64)> {
            let cell = row.iter().find(|cell| cell.scheme == scheme)?;
            Some((cell.mlups()?, cell.memory? as f64))
        };
        let both: Vec<[(f64, f64); 2]> =
            rows.iter().filter_map(|row| Some([of(row, scheme)?, of(row, self.standard)?])).collect();
        let mut speeds: Vec<f64> = both.iter().map(|[own, standard]| own.0 / standard.0).collect();
        let last = |scheme: &str| rows.iter().rev().find_map(|row| of(row, scheme)).map(|(mlups, _)| mlups);
        let paper = self.paper.iter().find(|paper| paper.scheme == scheme);
        Ratio {
            scheme,
            speed: (!speeds.is_empty()).then(|| median(&mut speeds)),
            paper_speed: paper.map(|paper| paper.speed),
            memory: both.last().map(|[own, standard]| own.1 / standard.1),
            paper_memory: paper.map(|paper| paper.memory),
            beyond: last(scheme).zip(last(self.standard)).map(|(own, standard)| own / standard),
        }
    }

    fn write_table(&self, path: &Path, rows: &[Vec<Cell>]) -> Result<(), Error> {
        let mut columns = vec!["nodes".to_owned(), "edge".to_owned()];
        for scheme in self.schemes {
            columns.extend(
                ["bytes", "MLUPS", "share of copy", "note"].map(|column| format!("{scheme} {column}")),
            );
        }
        let rows = rows.iter().map(|row| {
            let mut cells = vec![row[0].nodes().to_string(), row[0].size[0].to_string()];
            for cell in row {
                let measured = cell.measured();
                cells.extend([
                    cell.memory.map_or_else(String::new, |bytes| bytes.to_string()),
                    number(measured.map(Measured::mlups)),
                    number(measured.map(Measured::share)),
                    cell.outcome.note().to_owned(),
                ]);
            }
            cells
        });
        write_rows(path, &columns, &rows.collect::<Vec<_>>())
    }

    fn draw(&self, path: &Path, rows: &[Vec<Cell>], ratios: &[Ratio], budget: u64) -> Result<(), Error> {
        let column = |scheme: &str, of: &dyn Fn(&Cell) -> Option<f64>| -> Vec<(f64, f64)> {
            let cells = rows.iter().flatten().filter(|cell| cell.scheme == scheme);
            cells.filter_map(|cell| Some((cell.nodes() as f64 * 1e-6, of(cell)?))).collect()
        };
        let line = |label: String, points| Series { label, style: Style::Line, points };
        let lines = |of: &dyn Fn(&Cell) -> Option<f64>| -> Vec<Series> {
            self.schemes.iter().map(|scheme| line((*scheme).to_owned(), column(scheme, of))).collect()
        };
        // The paper's, as shares of what two copies do here where both fit.
        let paper = |share: fn(&Ratio) -> Option<f64>, of: &dyn Fn(&Cell) -> Option<f64>, beyond: bool| {
            let standard: Vec<(f64, f64)> = rows
                .iter()
                .filter_map(|row| row.iter().find(|cell| cell.scheme == self.standard))
                .filter(|cell| beyond || cell.measured().is_some())
                .filter_map(|cell| Some((cell.nodes() as f64 * 1e-6, of(cell)?)))
                .collect();
            // A scheme without a figure has an empty series, so that colours are those of the lines.
            let series = |ratio: &Ratio| {
                let share = share(ratio);
                let points = standard.iter().filter_map(|&(nodes, value)| Some((nodes, share? * value)));
                let label =
                    format!("paper, {}: {:.2} of two copies", ratio.scheme, share.unwrap_or_default());
                Series { label, style: Style::Markers, points: points.collect() }
            };
            ratios.iter().map(series).collect::<Vec<_>>()
        };
        let gigabytes = |cell: &Cell| cell.memory.map(|bytes| bytes as f64 * 1e-9);
        let mut memory = lines(&gigabytes);
        memory.extend(paper(|ratio| ratio.paper_memory, &gigabytes, true));
        let boxes = rows.iter().map(|row| row[0].nodes() as f64 * 1e-6);
        memory.push(Series {
            label: "budget".to_owned(),
            style: Style::Crosses,
            points: boxes.map(|nodes| (nodes, budget as f64 * 1e-9)).collect(),
        });
        let mut speed = lines(&Cell::mlups);
        speed.extend(paper(|ratio| ratio.paper_speed, &Cell::mlups, false));
        let panel = |title: &str, y_label: &str, series| Panel {
            title: title.to_owned(),
            x_label: "million nodes".to_owned(),
            y_label: y_label.to_owned(),
            series,
            scale: Scale::Linear,
        };
        let panels =
            [panel("speed, where it fits", "MLUPS", speed), panel("memory of the populations", "GB", memory)];
        write_plot(path, self.title, &panels)
    }
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
        (None, Backend::CudaOnHost) => Ok(SMALL_BUDGETS[1]),
        (None, Backend::Cuda(index)) => {
            Ok((SHARE_OF_DEVICE * Device::open(index)?.properties().total_memory as f64) as u64)
        }
    }
}

fn write_ratios(path: &Path, ratios: &[Ratio]) -> Result<(), Error> {
    let columns = [
        "scheme",
        "speed over two copies",
        "paper",
        "memory over two copies",
        "paper",
        "speed in the largest box over two copies in theirs",
    ];
    let row = |ratio: &Ratio| {
        let Ratio { scheme, speed, paper_speed, memory, paper_memory, beyond } = *ratio;
        let numbers = [speed, paper_speed, memory, paper_memory, beyond].map(number);
        [scheme.to_owned()].into_iter().chain(numbers).collect()
    };
    write_rows(path, &columns.map(str::to_owned), &ratios.iter().map(row).collect::<Vec<_>>())
}

/// A number as CSV has it; an empty cell for none.
fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::paper::{EXPERIMENTS, Plan};

    fn contest() -> &'static Contest {
        EXPERIMENTS.iter().find_map(|e| if let Plan::Memory(c) = &e.plan { Some(*c) } else { None }).unwrap()
    }

    #[test]
    fn boxes_grow_until_one_copy_just_fits() {
        let facts = &variants::find(&contest().variant("two-lattice-pull")).unwrap().facts;
        let boxes = |budget| contest().boxes(facts, budget);
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
    fn what_does_not_fit_is_not_measured_and_what_is_missing_is_said() {
        let request = Request { turns: 1, ..Request::default() };
        let cell = |scheme, budget| contest().cell(scheme, [32, 32, 1], budget, &request).unwrap();
        let two = 2 * 9 * 8 * 32 * 32;
        let refused = cell("two-lattice-pull", two - 1);
        assert!(matches!(refused.outcome, Outcome::DoesNotFit) && refused.memory == Some(two));
        // The CPU's engine pads its streams; what it took is what counts.
        let padded = cell("two-lattice-pull", two);
        assert!(matches!(padded.outcome, Outcome::DoesNotFit) && padded.memory > Some(two));
        let fits = cell("two-lattice-pull", 10 * two);
        assert!(fits.measured().is_some_and(Measured::verified) && fits.memory == padded.memory);
        let missing = cell("no-such-scheme", 10 * two);
        assert!(matches!(missing.outcome, Outcome::NotThere) && missing.memory.is_none());
    }
}
