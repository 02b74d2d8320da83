//! One trial: a device's engine beside the CPU's.

use lbm_core::engine::Setup;
use lbm_core::facts::Arithmetics;
use lbm_core::laws::{SplitMix64, random_populations, random_setup};
use lbm_core::{Engine, Error, Facts};

use super::{Difference, MakeEngine, Options, Outcome, Trial, ulp_distance};
use crate::engine::engine;
use crate::machine::Machine;

/// Two engines that are set up alike and have not run yet.
pub struct Run {
    variant: String,
    trial: Trial,
    setup: Setup,
    start: Vec<f64>,
    device: Box<dyn Engine>,
    cpu: Box<dyn Engine>,
    arithmetic: Arithmetics,
}

impl Run {
    /// Sets both up.
    ///
    /// # Errors
    /// What machine and engines refuse.
    pub fn new<M: Machine>(
        machine: M,
        facts: &Facts,
        cpu: MakeEngine<'_>,
        trial: &Trial,
    ) -> Result<Run, Error> {
        let mut random = SplitMix64::new(trial.seed);
        let setup = random_setup(facts, trial.size, &mut random);
        let start = random_populations(&facts.lattice, &setup.domain, &mut random);
        let device = engine(machine, facts, &setup, &trial.device)?;
        Ok(Run {
            variant: facts.name(),
            trial: trial.clone(),
            start,
            device,
            cpu: cpu(&setup)?,
            setup,
            arithmetic: facts.precision.arithmetic,
        })
    }

    /// Runs both, and compares after each of the options' numbers of steps until a population differs.
    ///
    /// # Errors
    /// A device that fails; [`Error::Diverged`] if the CPU's populations grow beyond all bounds.
    pub fn finish(mut self, options: &Options) -> Result<Outcome, Error> {
        self.device.set_populations(&self.start, 0)?;
        self.cpu.set_populations(&self.start, 0)?;
        let nothing = Outcome::nothing_tried(self.variant.clone(), options);
        let mut outcome = Outcome { trials: 1, ..nothing };
        for until in &options.steps {
            let more = until.saturating_sub(self.cpu.step());
            self.device.run(more)?;
            self.cpu.run(more)?;
            outcome.difference = self.first_difference(&mut outcome.max_ulp)?.map(Box::new);
            if outcome.difference.is_some() {
                break;
            }
        }
        Ok(outcome)
    }

    fn first_difference(&self, max_ulp: &mut u64) -> Result<Option<Difference>, Error> {
        // Not zero, so that an engine that writes nothing is found out.
        let (mut found, mut expected) = (vec![f64::NAN; self.start.len()], vec![f64::NAN; self.start.len()]);
        self.device.populations(&mut found)?;
        self.cpu.populations(&mut expected)?;
        let size = self.setup.domain.size;
        let nodes = self.setup.domain.nodes();
        let node = |index: usize| [index % size[0], index / size[0] % size[1], index / size[0] / size[1]];
        if let Some(at) = expected.iter().position(|value| !value.is_finite()) {
            return Err(Error::Diverged {
                what: format!("a population of {} is {} on the CPU", self.variant, expected[at]),
                node: node(at % nodes),
                step: self.cpu.step(),
                checkpoint: None,
            });
        }
        let (bits, digits) = (|value| self.arithmetic.bits(value), 2 * self.arithmetic.bytes());
        let differing = || (0..found.len()).filter(|&at| found[at].to_bits() != expected[at].to_bits());
        let ulp = |at: usize| ulp_distance(bits(found[at]), bits(expected[at]), digits);
        *max_ulp = differing().map(ulp).fold(*max_ulp, u64::max);
        // The first node, and in it the first direction.
        let first = differing().min_by_key(|at| (at % nodes, at / nodes));
        Ok(first.map(|at| Difference {
            variant: self.variant.clone(),
            device: self.device.description(),
            size,
            seed: self.trial.seed,
            step: self.cpu.step(),
            node: node(at % nodes),
            direction: at / nodes,
            found: found[at],
            found_bits: bits(found[at]),
            expected: expected[at],
            expected_bits: bits(expected[at]),
            ulp: ulp(at),
            count: differing().count(),
            digits,
        }))
    }
}
