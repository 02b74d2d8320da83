//! `lbm crosscheck`.

mod full;
mod row;

pub use full::products;

use std::sync::mpsc;
use std::thread;

use clap::Args;
use indicatif::ProgressBar;
use lbm_core::Error;
use lbm_core::laws::SEEDS;
use lbm_cuda::assemble::Shape;
use lbm_cuda::crosscheck::{Options, Subject, Target, check_all};
use lbm_cuda::host::HostCompiler;
use serde_json::json;

use super::print_line;
use super::progress::bar;
use crate::variants::{self, fits};
use row::Row;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Check only variants whose name contains all of these; or the whole name of any legal product of the axes, which is compared
    /// with the plain reference if it is not compiled in
    filter: Vec<String>,
    /// Check all products of the built-in axes, compiled on demand; what passed once is not checked again until the
    /// sources change
    #[arg(long)]
    all: bool,
    /// What the CPU is compared with: cuda[:N], cuda-on-host
    #[arg(long)]
    device: Target,
    /// Launch shape: nodes a thread and the block, e.g. 2x128x1x1; chosen by itself if not given
    #[arg(long)]
    shape: Option<Shape>,
    /// Compare after these numbers of steps
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 200])]
    steps: Vec<u64>,
    /// Seeds of the random states and walls
    #[arg(long, value_delimiter = ',', default_values_t = SEEDS)]
    seeds: Vec<u64>,
    /// Variants at once; one a core if not given
    #[arg(long)]
    threads: Option<usize>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn options(&self) -> Options {
        let mut steps = self.steps.clone();
        steps.sort_unstable();
        Options { steps, sizes: Vec::new(), seeds: self.seeds.clone(), shape: self.shape }
    }

    fn threads(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok().map(usize::from)).unwrap_or(1)
    }
}

/// Compares; `Ok(false)` if a population differs or a variant cannot be compared.
pub(super) fn crosscheck(arguments: &Arguments) -> Result<bool, Error> {
    match arguments.device {
        // What is missing is said once and not for every variant.
        Target::OnHost => drop(HostCompiler::find()?),
        Target::Gpu(index) => drop(lbm_cuda::Gpu::open(index)?),
    }
    let mut table = Table::new(arguments);
    if arguments.all {
        full::check(arguments, &mut table)?;
    } else {
        compiled(arguments, &mut table)?;
    }
    table.finish()
}

/// Checks what is compiled into this program.
fn compiled(arguments: &Arguments, table: &mut Table) -> Result<(), Error> {
    let chosen = variants::all().iter().filter(|entry| fits(&entry.name, &arguments.filter));
    let mut named: Vec<(String, Subject)> =
        chosen.map(|entry| (entry.name.clone(), entry.crosscheck)).collect();
    if named.is_empty() {
        let [name] = arguments.filter.as_slice() else {
            return Err(nothing_fits(arguments, variants::names()));
        };
        named.push((name.clone(), Subject::of_product(variants::axes().product(name)?)));
    }
    table.expect(named.len());
    let subjects: Vec<Subject> = named.iter().map(|(_, subject)| *subject).collect();
    let (options, threads) = (arguments.options(), arguments.threads());
    let (subjects, options, named) = (&subjects, &options, &named);
    thread::scope(|scope| {
        let (rows, printed) = mpsc::channel();
        scope.spawn(move || {
            check_all(subjects, arguments.device, options, threads, &|index, outcome| {
                // Nobody listens any more if printing failed; that is said below.
                let _ = rows.send(Row::new(&named[index].0, arguments.device, options, outcome));
            });
        });
        printed.iter().try_for_each(|row| table.take(&row))
    })
}

fn nothing_fits<'a>(arguments: &Arguments, known: impl IntoIterator<Item = &'a str>) -> Error {
    Error::unknown(
        "variant",
        &arguments.filter.join(" "),
        known,
        "`lbm variants` lists those that are compiled in",
    )
}

/// Prints rows and counts them.
struct Table {
    json: bool,
    passed: usize,
    failed: usize,
    bar: ProgressBar,
}

impl Table {
    fn new(arguments: &Arguments) -> Table {
        let bar = bar("{bar:30.cyan} {pos}/{len} {elapsed} {wide_msg}");
        Table { json: arguments.json, passed: 0, failed: 0, bar }
    }

    fn expect(&self, rows: usize) {
        self.bar.set_length(rows as u64);
    }

    /// Shows what is going on, where somebody looks.
    fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    fn take(&mut self, row: &Row) -> Result<(), Error> {
        *if row.passed { &mut self.passed } else { &mut self.failed } += 1;
        self.bar.inc(1);
        let json = self.json;
        self.bar.suspend(|| if json { print_line(json!(row)) } else { print_line(row) })
    }

    fn finish(self) -> Result<bool, Error> {
        self.bar.finish_and_clear();
        if !self.json {
            print_line(format_args!("{} passed, {} failed", self.passed, self.failed))?;
        }
        Ok(self.failed == 0)
    }
}
