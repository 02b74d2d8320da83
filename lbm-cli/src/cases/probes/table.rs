//! Tables of probes that grow while a flow runs, and go on where a run does.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use lbm_core::Error;

use super::placed::panel_of_line;
use super::{Gauge, Placed};
use crate::cases::pushed::Pushed;
use crate::output::{Panel, Series, number};
use crate::simulation::Simulation;

/// What probes had at a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The step.
    pub step: u64,
    /// Time, in the unit of its [`Table`].
    pub time: f64,
    /// The values of all columns; of a line those of its points, one behind the other.
    pub values: Vec<f64>,
}

/// Probes that are looked at together.
#[derive(Clone, Debug)]
pub(in crate::cases) struct Table {
    /// The file, in the folder of results.
    pub(in crate::cases) file: String,
    /// Steps from one row to the next.
    pub(in crate::cases) interval: u64,
    /// Steps in the unit of time.
    pub(in crate::cases) unit: f64,
    /// Probes by name; one without a name has columns that stand alone.
    pub(in crate::cases) probes: Vec<(String, Placed)>,
    /// What was seen so far.
    pub(in crate::cases) rows: Vec<Row>,
    /// Whether it is what a case measures: its evaluation has the rows, and plots them.
    pub(in crate::cases) of_case: bool,
}

impl Table {
    pub(in crate::cases) fn new(
        file: impl Into<String>,
        interval: u64,
        unit: f64,
        probes: Vec<(String, Placed)>,
    ) -> Table {
        Table { file: file.into(), interval, unit, probes, rows: Vec::new(), of_case: false }
    }

    /// The points of a line, in a table of its own name: so many rows at a step, of which the last are kept.
    pub(in crate::cases) fn of_line(name: &str, interval: u64, unit: f64, line: Placed) -> Table {
        Table::new(format!("{name}.csv"), interval, unit, vec![(String::new(), line)])
    }

    /// Whether it is that of a line.
    pub(in crate::cases) fn is_of_line(&self) -> bool {
        matches!(self.probes[..], [(_, Placed::Line(_))])
    }

    /// The force on a body that a case watches, `forces.csv`.
    pub(in crate::cases) fn of_force(pushed: Pushed) -> Table {
        let (interval, unit) = (pushed.interval, pushed.unit);
        let probes = vec![(String::new(), Placed::Force(pushed))];
        Table { of_case: true, ..Table::new("forces.csv", interval, unit, probes) }
    }

    /// What a case measures by a function of its own.
    pub(in crate::cases) fn of_gauge(file: &str, interval: u64, unit: f64, gauge: Gauge) -> Table {
        let probes = vec![(String::new(), Placed::Gauge(gauge))];
        Table { of_case: true, ..Table::new(file, interval, unit, probes) }
    }

    /// Whether a row is due at a step.
    pub(in crate::cases) fn due(&self, step: u64) -> bool {
        self.interval > 0 && step.is_multiple_of(self.interval)
    }

    /// Whether the last step has no row yet. A controller acts when it is looked at: it needs none.
    pub(in crate::cases) fn lacks(&self, step: u64) -> bool {
        let acts = matches!(self.probes[..], [(_, Placed::Held(_))]);
        !acts && self.rows.last().is_none_or(|row| row.step < step)
    }

    /// Looks at all probes: adds a row, and gives it with the name of the file.
    pub(in crate::cases) fn look(&mut self, simulation: &mut Simulation) -> Result<(&str, &Row), Error> {
        let step = simulation.time_step();
        let mut values = Vec::new();
        for (_, probe) in &self.probes {
            values.extend(probe.look(simulation)?);
        }
        if self.is_of_line() {
            self.rows.clear();
        }
        self.rows.push(Row { step, time: step as f64 / self.unit, values });
        Ok((&self.file, &self.rows[self.rows.len() - 1]))
    }

    /// The names of all columns but `step` and `time`.
    pub(in crate::cases) fn columns(&self) -> Vec<String> {
        let of_probe = |(name, probe): &(String, Placed)| -> Vec<String> {
            let columns = probe.columns().iter();
            match name.is_empty() {
                true => columns.map(|&column| column.to_owned()).collect(),
                false => columns.map(|column| format!("{name}.{column}")).collect(),
            }
        };
        self.probes.iter().flat_map(of_probe).collect()
    }

    /// What was seen as plots, one a column; of a line what was seen last.
    pub(in crate::cases) fn panels(&self) -> Vec<Panel> {
        if self.is_of_line() {
            let name = self.file.trim_end_matches(".csv");
            return self.rows.last().map(|row| panel_of_line(name, &row.values)).into_iter().collect();
        }
        let columns = self.columns().into_iter().enumerate();
        let panel = |(k, column): (usize, String)| {
            let points = self.rows.iter().map(|row| (row.time, row.values[k])).collect();
            Panel::new(column.clone(), "time", &column, vec![Series::line("lbm", points)])
        };
        columns.map(panel).collect()
    }

    /// The row of a line of the file; none for one that was not written to its end.
    fn read(&self, line: &str, columns: usize) -> Option<Row> {
        let (step, numbers) = line.split_once(',')?;
        let value = |cell: &str| if cell.is_empty() { Some(f64::NAN) } else { cell.parse().ok() };
        let numbers: Vec<f64> = numbers.split(',').map(value).collect::<Option<_>>()?;
        let (&time, values) = numbers.split_first()?;
        (values.len() == columns).then_some(Row { step: step.parse().ok()?, time, values: values.to_vec() })
    }
}

/// The file of a table, a line a row, of the table of a line a point.
#[derive(Debug)]
pub(in crate::cases) struct Log {
    path: PathBuf,
    file: File,
    columns: usize,
}

impl Log {
    /// Begins the file of a table anew; where a run goes on from a checkpoint, the rows before it are kept, if the columns are the same, and taken
    /// up in the table.
    pub(in crate::cases) fn begin(folder: &Path, table: &mut Table, step: u64) -> Result<Log, Error> {
        let path = folder.join(&table.file);
        let known = if step > 0 { fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
        let columns = table.columns();
        let head = ["step".to_owned(), "time".to_owned()].into_iter().chain(columns.iter().cloned());
        let head = head.collect::<Vec<_>>().join(",");
        // What stands behind the last line break was cut off, perhaps before a cell.
        let mut lines = known[..known.rfind('\n').unwrap_or_default()].lines();
        let same = lines.next() == Some(&head);
        let rows = lines.filter_map(|line| Some((line, table.read(line, columns.len())?)));
        let before: Vec<(&str, Row)> = rows.filter(|(_, row)| same && row.step < step).collect();
        let file = File::create(&path).map_err(|source| failed(&path, source))?;
        let mut log = Log { path, file, columns: columns.len() };
        log.line(&head)?;
        before.iter().try_for_each(|(line, _)| log.line(line))?;
        if !table.is_of_line() {
            table.rows = before.into_iter().map(|(_, row)| row).collect();
        }
        Ok(log)
    }

    /// Adds a row, which can be read at once; of what is no number the cell is empty.
    pub(in crate::cases) fn add(&mut self, Row { step, time, values }: &Row) -> Result<(), Error> {
        for values in values.chunks(self.columns.max(1)) {
            let numbers = [*time].into_iter().chain(values.iter().copied());
            let cell = |value: f64| number(Some(value).filter(|value| !value.is_nan()));
            self.line(&numbers.fold(step.to_string(), |row, value| row + "," + &cell(value)))?;
        }
        Ok(())
    }

    pub(in crate::cases) fn path(&self) -> &Path {
        &self.path
    }

    fn line(&mut self, text: &str) -> Result<(), Error> {
        writeln!(self.file, "{text}").map_err(|source| failed(&self.path, source))
    }
}

fn failed(path: &Path, source: std::io::Error) -> Error {
    Error::file("write", path, source, "make room, or give another folder, e.g. --out results")
}
