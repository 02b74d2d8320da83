//! `lbm crosscheck`.

mod products;
mod row;

pub use products::products;

use std::sync::{Arc, mpsc};
use std::thread;

use clap::Args;
use clap::builder::RangedU64ValueParser;
use indicatif::ProgressBar;
use lbm_core::Error;
use lbm_core::cut::{Transport, on_all_ranks};
use lbm_core::laws::{SEEDS, SEEDS_OF_RULES};
use lbm_cuda::assemble::Shape;
use lbm_cuda::crosscheck::{Options, Outcome, Subject, Target, check_all};
use lbm_cuda::host::HostCompiler;
use lbm_mpi::Mpi;
use serde_json::json;

use super::progress::bar;
use super::{be_silent, print_line, several};
use crate::simulation::{Gpus, gpu_of_process};
use crate::variants::{self, Entry, meant};
use row::Row;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Check only variants of the tier whose name contains all of these; or the whole name of any legal product of the axes, which is
    /// compared with the plain reference if its body is not compiled in
    filter: Vec<String>,
    /// Check the products of the built-in axes: those that are not compiled in are compared with the plain reference
    #[arg(long)]
    all: bool,
    /// Check so many legal products, drawn at random from all axes
    #[arg(long, value_name = "N", conflicts_with_all = ["filter", "all"])]
    random: Option<usize>,
    /// Seed of the draw
    #[arg(long, default_value_t = 1, requires = "random")]
    seed: u64,
    /// In boxes with boundary rules, where the body has some
    #[arg(long)]
    rules: bool,
    /// What is compared: cuda[:N] or cuda-on-host with the CPU, cpu with the plain reference
    #[arg(long, required_unless_present = "devices")]
    device: Option<Target>,
    /// GPUs that each have a part of every box, e.g. cuda:0,1,2,3
    #[arg(long, conflicts_with = "device")]
    devices: Option<Gpus>,
    /// Cuts every box into so many parts, as many as there are GPUs if not given
    #[arg(long, value_name = "N", default_value_t = 0)]
    parts: usize,
    /// Has values cross between parts once in so many steps; if not given, once in as many as --shape or the variant's name has done at once
    #[arg(long, value_name = "STEPS", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    exchange_every: Option<usize>,
    /// Launch shape: nodes a thread and the block, e.g. 2x128x1x1; chosen by itself if not given
    #[arg(long)]
    shape: Option<Shape>,
    /// Compare after these numbers of steps; 1,2,3,200 if none are given, with --rules 1,2,3
    #[arg(long, value_delimiter = ',')]
    steps: Option<Vec<u64>>,
    /// Seeds of the random states and walls; if none are given a few that have boxes of all kinds, with --rules those with which each rule stands somewhere
    #[arg(long, value_delimiter = ',')]
    seeds: Option<Vec<u64>>,
    /// Variants at once; one a core if not given
    #[arg(long)]
    threads: Option<usize>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// After so many steps populations are compared.
const STEPS: &[u64] = &[1, 2, 3, 200];

/// The same in boxes with rules: random states between inlets and outlets need not stay bounded.
const STEPS_OF_RULES: &[u64] = &[1, 2, 3];

impl Arguments {
    fn options(&self, processes: Option<Mpi>) -> Options {
        let (steps, seeds): (_, &[u64]) = match self.rules {
            true => (STEPS_OF_RULES, &SEEDS_OF_RULES),
            false => (STEPS, &SEEDS),
        };
        let mut steps = self.steps.clone().unwrap_or_else(|| steps.to_vec());
        steps.sort_unstable();
        let seeds = self.seeds.clone().unwrap_or_else(|| seeds.to_vec());
        let gpus: Vec<usize> = self.devices.iter().flat_map(|gpus| gpus.iter()).collect();
        let parts = if self.parts == 0 { gpus.len() } else { self.parts };
        let options = Options::default().with_steps(steps).with_seeds(seeds).with_shape(self.shape);
        let options = options.with_parts(parts, gpus).with_exchange_every(self.exchange_every);
        match processes {
            Some(processes) => options.with_processes(Arc::new(processes)),
            None => options,
        }
    }

    /// What is compared; of several processes each takes the GPU of its number on its host.
    ///
    /// # Errors
    /// As [`gpu_of_process`].
    fn target(&self, processes: Option<&Mpi>) -> Result<Target, Error> {
        let first = self.devices.and_then(|gpus| gpus.iter().next());
        let target = first.map(Target::Gpu).or(self.device).unwrap_or(Target::Cpu);
        match (target, processes) {
            (Target::Gpu(asked), Some(processes)) if self.devices.is_none() => {
                let local = [processes.local_rank(), processes.local_ranks()];
                gpu_of_process(asked, local).map(Target::Gpu)
            }
            _ => Ok(target),
        }
    }

    fn threads(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok().map(usize::from)).unwrap_or(1)
    }
}

/// Compares; `Ok(false)` if a population differs or a variant cannot be compared.
pub(super) fn crosscheck(arguments: &Arguments) -> Result<bool, Error> {
    let processes = several()?;
    if processes.as_ref().is_some_and(|processes| processes.rank() > 0) {
        be_silent();
    }
    let ready = arguments.target(processes.as_ref()).and_then(|target| {
        // What is missing is said once and not for every variant.
        match target {
            Target::Cpu => {}
            Target::OnHost => drop(HostCompiler::find()?),
            Target::Gpu(index) => drop(lbm_cuda::Gpu::open(index)?),
        }
        Ok(target)
    });
    let target = match &processes {
        Some(processes) => on_all_ranks(processes, ready)?,
        None => ready?,
    };
    let (named, skipped) = subjects(arguments, target)?;
    let subjects: Vec<Subject> = named.iter().map(|(_, subject)| subject.clone()).collect();
    let mut table = Table::new(arguments, subjects.len());
    let (options, threads) = (arguments.options(processes), arguments.threads());
    if let (0, Some(steps)) = (options.parts, options.exchange_every) {
        return Err(Error::conflict(
            format!("--exchange-every {steps} was given, and no box is cut"),
            "leave it out, or add --parts N or --devices cuda:0,1,..",
        ));
    }
    let (subjects, options, named) = (&subjects, &options, &named);
    thread::scope(|scope| {
        let (rows, printed) = mpsc::channel();
        scope.spawn(move || {
            check_all(subjects, target, options, threads, &|index, outcome| {
                if options.processes.ranks() > 1 {
                    end_if_lost(&outcome);
                }
                // Nobody listens any more if printing failed; that is said below.
                let _ = rows.send(Row::new(&named[index].0, target, options, outcome));
            });
        });
        printed.iter().try_for_each(|row| table.take(&row))
    })?;
    table.finish(skipped)
}

/// Ends this process, and so all, where it alone may have failed: the others wait for it in the midst of a variant.
fn end_if_lost(outcome: &Result<Outcome, Error>) {
    if let Err(error @ (Error::Device(_) | Error::Unavailable { .. })) = outcome {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

/// What is checked, by its name, and how many the CPU cannot be asked for, since it has no machine code of them.
fn subjects(arguments: &Arguments, target: Target) -> Result<(Vec<(String, Subject)>, usize), Error> {
    let subject = |entry: &Entry| match arguments.rules {
        true => entry.crosscheck_rules(),
        false => Some(entry.crosscheck()),
    };
    if let Some(count) = arguments.random {
        if count == 0 {
            let remedy = "give how many products are drawn";
            return Err(Error::out_of_range("--random", count, "an integer from 1", remedy));
        }
        let drawn = variants::random(count, arguments.seed, target == Target::Cpu);
        let named = drawn.into_iter().filter_map(|entry| Some((entry.name.clone(), subject(&entry)?)));
        return Ok((named.collect(), 0));
    }
    let tier = variants::all();
    let known: Vec<String> = match arguments.all {
        true => products(),
        false => tier.iter().map(|entry| entry.name.clone()).collect(),
    };
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let mut names: Vec<String> = meant(&known, &arguments.filter).into_iter().map(str::to_owned).collect();
    // What is named whole is asked for, and refused if there is none.
    let is_skipped = |entry: &Entry| {
        target == Target::Cpu && !entry.is_compiled() && !arguments.filter.contains(&entry.name)
    };
    if names.is_empty() {
        let [name] = arguments.filter.as_slice() else {
            let remedy = "`lbm variants` lists the tier";
            return Err(Error::unknown("variant", &arguments.filter.join(" "), known, remedy));
        };
        names.push(name.clone());
    }
    let (mut subjects, mut skipped) = (Vec::new(), 0);
    for name in names {
        let entry = variants::find(&name)?;
        if is_skipped(entry) {
            skipped += 1;
            continue;
        }
        match (subject(entry), entry.refused_rules()) {
            (Some(subject), _) => subjects.push((name, subject)),
            (None, Some(why)) if arguments.filter.contains(&name) => return Err(why),
            // Of the others those are checked that can be.
            (None, _) => {}
        }
    }
    Ok((subjects, skipped))
}

/// Prints rows and counts them.
struct Table {
    json: bool,
    passed: usize,
    failed: usize,
    bar: ProgressBar,
}

impl Table {
    fn new(arguments: &Arguments, rows: usize) -> Table {
        let bar = bar("{bar:30.cyan} {pos}/{len} {elapsed}");
        bar.set_length(rows as u64);
        Table { json: arguments.json, passed: 0, failed: 0, bar }
    }

    fn take(&mut self, row: &Row) -> Result<(), Error> {
        *if row.passed { &mut self.passed } else { &mut self.failed } += 1;
        self.bar.inc(1);
        let json = self.json;
        self.bar.suspend(|| if json { print_line(json!(row)) } else { print_line(row) })
    }

    fn finish(self, skipped: usize) -> Result<bool, Error> {
        self.bar.finish_and_clear();
        if !self.json {
            let skipped = match skipped {
                0 => String::new(),
                _ => format!(", {skipped} skipped: the CPU has no machine code of them"),
            };
            print_line(format_args!("{} passed, {} failed{skipped}", self.passed, self.failed))?;
        }
        Ok(self.failed == 0)
    }
}
