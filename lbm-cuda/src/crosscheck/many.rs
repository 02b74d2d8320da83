//! Many variants, each without its type.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::thread;

use lbm_core::engine::Setup;
use lbm_core::laws;
use lbm_core::reference::Reference;
use lbm_core::{Engine, Error, Facts, RuleFacts};

use super::{Options, Outcome, Run, Trial, trials};
use crate::host::HostBatch;
use crate::machine::{Gpu, OnHost};

/// Variants whose texts are built together: about two translation units.
const VARIANTS_AT_ONCE: usize = 4;

/// Which device is compared with the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The CPU itself: it is compared with the plain reference.
    Cpu,
    /// The host's C++ compiler in a GPU's place.
    OnHost,
    /// The GPU of this index.
    Gpu(usize),
}

/// `cpu`, `cuda-on-host`, `cuda:0`.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Cpu => f.write_str("cpu"),
            Target::OnHost => f.write_str("cuda-on-host"),
            Target::Gpu(index) => write!(f, "cuda:{index}"),
        }
    }
}

impl FromStr for Target {
    type Err = Error;

    fn from_str(text: &str) -> Result<Target, Error> {
        let named = match text {
            "cpu" => Some(Target::Cpu),
            "cuda-on-host" => Some(Target::OnHost),
            "cuda" => Some(Target::Gpu(0)),
            _ => text.strip_prefix("cuda:").and_then(|index| index.parse().ok()).map(Target::Gpu),
        };
        named.ok_or_else(|| {
            let known = ["cpu", "cuda", "cuda:0", "cuda-on-host"];
            Error::unknown("device to compare", text, known, "take cpu, cuda[:N] or cuda-on-host")
        })
    }
}

/// Makes a variant's engine on the CPU.
pub type MakeOnCpu = Arc<dyn Fn(&Setup) -> Result<Box<dyn Engine>, Error> + Send + Sync>;

/// A variant as far as a cross-check needs to know it.
#[derive(Clone)]
pub struct Subject {
    facts: Facts,
    /// How its engine on the CPU is made; or the lines that declare it where it is not compiled: it is compared with the plain reference then.
    cpu: Result<MakeOnCpu, String>,
    /// The boundary rules that its boxes have.
    rules: Vec<RuleFacts>,
}

impl Subject {
    /// A variant, and how its CPU engine is made.
    #[must_use]
    pub fn new(facts: Facts, cpu: MakeOnCpu) -> Subject {
        Subject { facts, cpu: Ok(cpu), rules: Vec::new() }
    }

    /// A product that was not compiled ([`lbm_core::axes`]), and the lines that declare it in a crate of one's own: it is compared with the plain reference.
    #[must_use]
    pub fn of_product(facts: Facts, declared: String) -> Subject {
        Subject { facts, cpu: Err(declared), rules: Vec::new() }
    }

    /// The same in boxes with these boundary rules.
    #[must_use]
    pub fn with_rules(self, rules: Vec<RuleFacts>) -> Subject {
        Subject { rules, ..self }
    }

    fn on_cpu(&self, setup: &Setup) -> Result<Box<dyn Engine>, Error> {
        match &self.cpu {
            Ok(cpu) => cpu(setup),
            Err(_) => Ok(Box::new(Reference::new(&self.facts, setup)?)),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> String {
        self.facts.name()
    }

    /// Compares it with the CPU, or what the CPU computes with the plain reference.
    ///
    /// # Errors
    /// As [`crosscheck`](super::crosscheck); [`Error::Conflict`] if on the CPU a population differs, or it was not compiled.
    pub fn check(&self, target: Target, options: &Options) -> Result<Outcome, Error> {
        match target {
            Target::Cpu => self.against_reference(options),
            _ => self.finish(self.start(target, &Arc::default(), options)?, options),
        }
    }

    /// Compares the CPU with the plain reference.
    fn against_reference(&self, options: &Options) -> Result<Outcome, Error> {
        let cpu = self.cpu.as_ref().map_err(|declared| {
            let remedy = format!(
                "compare it on cuda[:N] or cuda-on-host, or have `cross_check!` compare it in a crate of your own with\n\n{declared}"
            );
            Error::conflict(format!("{} is not compiled in for the CPU", self.name()), remedy)
        })?;
        let sizes = match &options.sizes[..] {
            [] => &laws::boxes(self.facts.lattice.dimension),
            sizes => sizes,
        };
        laws::product_equals_reference(
            self.facts,
            &self.rules,
            &|setup| options.engine(&self.facts, setup, &|_, setup| cpu(setup)),
            sizes,
            &options.steps,
            &options.seeds,
        )
        .map_err(|violation| Error::conflict(violation.to_string(), "this is a defect: please report it"))?;
        let trials = sizes.len() * options.seeds.len();
        Ok(Outcome { trials, ..Outcome::nothing_tried(self.name(), options) })
    }

    /// Sets up all trials; on the host their texts wait in the batch.
    fn start(&self, target: Target, batch: &Arc<HostBatch>, options: &Options) -> Result<Vec<Run>, Error> {
        let cpu = |setup: &Setup| self.on_cpu(setup);
        let (facts, rules, gpus) = (&self.facts, &self.rules, &options.gpus);
        let run = |trial: &Trial| match target {
            // Not the CPU: that is no machine.
            Target::Cpu | Target::OnHost => {
                Run::new(&|_| Ok(OnHost::batched(trial.seed, batch)), facts, rules, &cpu, trial, options)
            }
            Target::Gpu(index) => {
                let open =
                    |part: usize| Gpu::open(gpus.get(part % gpus.len().max(1)).map_or(index, |gpu| *gpu));
                Run::new(&open, facts, rules, &cpu, trial, options)
            }
        };
        trials(&self.facts, !rules.is_empty(), options)?.iter().map(run).collect()
    }

    fn finish(&self, runs: Vec<Run>, options: &Options) -> Result<Outcome, Error> {
        let mut outcome = Outcome::nothing_tried(self.name(), options);
        for run in runs {
            outcome.join(run.finish(options)?);
        }
        Ok(outcome)
    }
}

/// Compares many variants with the CPU, `threads` at once, of several processes one by one. `listener` gets each outcome with the variant's index, as it comes.
pub fn check_all(
    subjects: &[Subject],
    target: Target,
    options: &Options,
    threads: usize,
    listener: &(dyn Fn(usize, Result<Outcome, Error>) + Sync),
) {
    // Held, so that the driver sets a device up once.
    let (at_once, _device) = match target {
        Target::OnHost => (VARIANTS_AT_ONCE, None),
        Target::Gpu(index) => (1, Gpu::open(index).ok()),
        Target::Cpu => (1, None),
    };
    // All processes come to the same one.
    let threads = if options.processes.ranks() > 1 { 1 } else { threads };
    let batches = Mutex::new(subjects.chunks(at_once).enumerate());
    let next = || batches.lock().ok()?.next();
    let check_batches = || {
        while let Some((number, subjects)) = next() {
            if let (Target::Cpu, [subject]) = (target, subjects) {
                listener(number, subject.against_reference(options));
                continue;
            }
            let batch = Arc::default();
            let start = |subject: &Subject| subject.start(target, &batch, options);
            let started: Vec<_> = subjects.iter().map(start).collect();
            for (n, (subject, runs)) in subjects.iter().zip(started).enumerate() {
                listener(at_once * number + n, runs.and_then(|runs| subject.finish(runs, options)));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, subjects.len().max(1)) {
            scope.spawn(check_batches);
        }
    });
}
