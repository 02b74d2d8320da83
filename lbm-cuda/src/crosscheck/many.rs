//! Many variants, each without its type.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lbm_core::engine::Setup;
use lbm_core::reference::Reference;
use lbm_core::{Engine, Error, Facts};

use super::{Options, Outcome, Run, crosscheck, trials};
use crate::host::HostBatch;
use crate::machine::{Gpu, OnHost};

/// Variants whose texts are built together: about two translation units.
const VARIANTS_AT_ONCE: usize = 4;

/// Which device is compared with the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The host's C++ compiler in a GPU's place.
    OnHost,
    /// The GPU of this index.
    Gpu(usize),
}

/// `cuda-on-host`, `cuda:0`.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::OnHost => f.write_str("cuda-on-host"),
            Target::Gpu(index) => write!(f, "cuda:{index}"),
        }
    }
}

impl FromStr for Target {
    type Err = Error;

    fn from_str(text: &str) -> Result<Target, Error> {
        let named = match text {
            "cuda-on-host" => Some(Target::OnHost),
            "cuda" => Some(Target::Gpu(0)),
            _ => text.strip_prefix("cuda:").and_then(|index| index.parse().ok()).map(Target::Gpu),
        };
        named.ok_or_else(|| {
            let known = ["cuda", "cuda:0", "cuda-on-host"];
            Error::unknown("device to compare the CPU with", text, known, "take cuda[:N] or cuda-on-host")
        })
    }
}

/// Makes a compiled variant's engine on the CPU.
pub type MakeOnCpu = fn(&Setup) -> Result<Box<dyn Engine>, Error>;

/// A variant as far as a cross-check needs to know it.
#[derive(Clone, Copy)]
pub struct Subject {
    facts: Facts,
    /// How its engine on the CPU is made, if it was compiled; else it is compared with the plain reference.
    cpu: Option<MakeOnCpu>,
}

impl Subject {
    /// A variant, and how its CPU engine is made.
    #[must_use]
    pub fn new(facts: Facts, cpu: MakeOnCpu) -> Subject {
        Subject { facts, cpu: Some(cpu) }
    }

    /// A product that was not compiled ([`lbm_core::axes`]): it is compared with the plain reference.
    #[must_use]
    pub fn of_product(facts: Facts) -> Subject {
        Subject { facts, cpu: None }
    }

    fn on_cpu(&self, setup: &Setup) -> Result<Box<dyn Engine>, Error> {
        match self.cpu {
            Some(cpu) => cpu(setup),
            None => Ok(Box::new(Reference::new(&self.facts, setup)?)),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> String {
        self.facts.name()
    }

    /// Compares it with the CPU.
    ///
    /// # Errors
    /// As [`crosscheck`](super::crosscheck).
    pub fn check(&self, target: Target, options: &Options) -> Result<Outcome, Error> {
        match target {
            Target::OnHost => self.finish(self.start(&Arc::default(), options)?, options),
            Target::Gpu(index) => {
                crosscheck(&self.facts, || Gpu::open(index), &|setup| self.on_cpu(setup), options)
            }
        }
    }

    /// Sets up all trials on the host; their texts wait in the batch.
    fn start(&self, batch: &Arc<HostBatch>, options: &Options) -> Result<Vec<Run>, Error> {
        trials(&self.facts, options)?
            .iter()
            .map(|trial| {
                let machine = OnHost::batched(trial.seed, batch);
                Run::new(machine, &self.facts, &|setup| self.on_cpu(setup), trial)
            })
            .collect()
    }

    fn finish(&self, runs: Vec<Run>, options: &Options) -> Result<Outcome, Error> {
        let mut outcome = Outcome::nothing_tried(self.name(), options);
        for run in runs {
            outcome.join(run.finish(options)?);
        }
        Ok(outcome)
    }
}

/// Compares many variants with the CPU, `threads` at once on the host, one by one on a GPU. `listener` gets each outcome
/// with the variant's index, as it comes.
pub fn check_all(
    subjects: &[Subject],
    target: Target,
    options: &Options,
    threads: usize,
    listener: &(dyn Fn(usize, Result<Outcome, Error>) + Sync),
) {
    if let Target::Gpu(index) = target {
        // Held, so that the driver sets the device up once.
        let _device = Gpu::open(index);
        return subjects
            .iter()
            .enumerate()
            .for_each(|(index, subject)| listener(index, subject.check(target, options)));
    }
    let groups: Vec<&[Subject]> = subjects.chunks(VARIANTS_AT_ONCE).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, groups.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let group = next.fetch_add(1, Ordering::Relaxed);
                    let Some(subjects) = groups.get(group) else { break };
                    let batch = Arc::default();
                    let started: Vec<_> =
                        subjects.iter().map(|subject| subject.start(&batch, options)).collect();
                    for (n, (subject, runs)) in subjects.iter().zip(started).enumerate() {
                        let outcome = runs.and_then(|runs| subject.finish(runs, options));
                        listener(VARIANTS_AT_ONCE * group + n, outcome);
                    }
                }
            });
        }
    });
}
