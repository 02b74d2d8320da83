//! One trial: a device's engine beside the CPU's.

use lbm_core::engine::Setup;
use lbm_core::laws::{
    SplitMix64, random_fields, random_populations, random_setup, set_fields, take_some_singly,
    with_random_rules,
};
use lbm_core::{Engine, Error, Facts, RuleFacts};

use super::{Difference, MakeEngine, Options, Outcome, Trial, ulp_distance};
use crate::assemble::{Between, Shape};
use crate::engine::{DeviceOptions, engine};
use crate::machine::Machine;

/// Two engines that are set up alike and have not run yet.
pub struct Run {
    facts: Facts,
    trial: Trial,
    setup: Setup,
    start: Vec<f64>,
    /// Draws fields of nodes anew before each comparison.
    random: SplitMix64,
    device: Box<dyn Engine>,
    cpu: Box<dyn Engine>,
}

impl Run {
    /// Sets both up, the device's box in the parts of these options, if any; `machine` opens the one of a part.
    ///
    /// # Errors
    /// What machine and engines refuse.
    pub fn new<M: Machine>(
        machine: &dyn Fn(usize) -> Result<M, Error>,
        facts: &Facts,
        rules: &[RuleFacts],
        cpu: MakeEngine<'_>,
        trial: &Trial,
        options: &Options,
    ) -> Result<Run, Error> {
        let mut random = SplitMix64::new(trial.seed);
        let setup = random_setup(facts, trial.size, &mut random);
        let setup = with_random_rules(facts, rules, setup, &mut random);
        let start = random_populations(&facts.lattice, setup.domain(), &mut random);
        let device = options.engine(facts, &setup, &|part, setup| {
            let device = match options.parts {
                0 => trial.device,
                _ => {
                    let shape = of_part(facts, setup, !rules.is_empty(), trial.device.shape);
                    DeviceOptions { shape: Some(shape), ..trial.device }
                }
            };
            Ok(engine(machine(part)?, facts, setup, &device)? as Box<dyn Engine>)
        })?;
        Ok(Run { facts: *facts, trial: trial.clone(), start, random, device, cpu: cpu(&setup)?, setup })
    }

    /// Runs both, and compares after each of the options' numbers of steps until a population differs; and one step after the last, where what waits
    /// for a step shows, as what a node has kept for a wall.
    ///
    /// # Errors
    /// A device that fails; [`Error::Diverged`] if the CPU's populations grow beyond all bounds.
    pub fn finish(mut self, options: &Options) -> Result<Outcome, Error> {
        self.device.set_populations(&self.start, 0)?;
        self.cpu.set_populations(&self.start, 0)?;
        let nothing = Outcome::nothing_tried(self.facts.name(), options);
        let mut outcome = Outcome { trials: 1, ..nothing };
        let last = options.steps.last().map(|last| last + 1);
        for until in options.steps.iter().copied().chain(last) {
            let more = until.saturating_sub(self.cpu.step());
            let fields = random_fields(&self.facts, self.setup.domain(), &mut self.random);
            set_fields(&mut *self.device, &fields)?;
            set_fields(&mut *self.cpu, &fields)?;
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
        let domain = self.setup.domain();
        let nodes = domain.nodes();
        take_some_singly(&*self.device, &mut found, nodes, self.trial.seed)?;
        if let Some(at) = expected.iter().position(|value| !value.is_finite()) {
            return Err(Error::Diverged {
                what: format!("a population of {} is {} on the CPU", self.facts.name(), expected[at]),
                node: domain.position(at % nodes),
                step: self.cpu.step(),
                advice: None,
                checkpoint: None,
            });
        }
        let arithmetic = self.facts.precision.arithmetic;
        let (bits, digits) = (|value| arithmetic.bits(value), 2 * arithmetic.bytes());
        let differing = || (0..found.len()).filter(|&at| found[at].to_bits() != expected[at].to_bits());
        let ulp = |at: usize| ulp_distance(bits(found[at]), bits(expected[at]), digits);
        *max_ulp = differing().map(ulp).fold(*max_ulp, u64::max);
        // The first node, and in it the first direction.
        let first = differing().min_by_key(|at| (at % nodes, at / nodes));
        Ok(first.map(|at| Difference {
            variant: self.facts.name(),
            device: self.device.description(),
            size: domain.size,
            seed: self.trial.seed,
            step: self.cpu.step(),
            node: domain.position(at % nodes),
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

/// The shape of a part's launches: that of the box, or if it does not fit, another that does as many steps at once.
fn of_part(facts: &Facts, setup: &Setup, rules: bool, of_box: Option<Shape>) -> Shape {
    let (size, between) = (setup.domain().size, Between::of(rules, setup.exchange_every()));
    let likely = Shape::likely_for(facts, size, between);
    let Some(of_box) = of_box else { return likely };
    let as_many = |shape: &Shape| shape.steps() == of_box.steps();
    let all = Shape::candidates_for(facts, size, between);
    if all.contains(&of_box) || !as_many(&likely) && of_box.fits(facts, size) {
        return of_box;
    }
    // If there is none the engine says why.
    Some(likely).into_iter().chain(all).find(as_many).unwrap_or(of_box)
}
