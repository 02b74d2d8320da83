//! Populations that stay in a checkpoint until moments go on from them.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use lbm_core::checkpoint::Stored;
use lbm_core::engine::Setup;
use lbm_core::incoming::Incoming;
use lbm_core::pieces::{Give, Take, map_nodes, nodes_of_piece, pieces};
use lbm_core::rules::Remembered;
use lbm_core::{Domain, Engine, Error, Facts};

/// Nodes of a part that is read at once.
const PART: usize = 1 << 14;

/// Parts that are kept: those around a few planes, so that most are read once.
const KEPT: usize = 32;

/// Populations of all nodes of a part, direction after direction.
type Part = Arc<Vec<f64>>;

/// The flow of a checkpoint before its next step. It is looked at, and gives the moments of that step, which follow from populations of
/// neighbours as these are; of the box it holds a few parts.
pub(super) struct FromDisk {
    facts: Facts,
    incoming: Incoming,
    /// What rules are to remember after the next step, of the nodes whose moments were asked for.
    next: Mutex<Vec<(Remembered, f64)>>,
    uniforms: Vec<f64>,
    stored: Stored,
    /// The parts that were read last, the latest in the end.
    parts: Mutex<VecDeque<(usize, Part)>>,
}

impl FromDisk {
    /// # Errors
    /// As [`Incoming::of`].
    pub(super) fn new(facts: &Facts, setup: &Setup, stored: Stored) -> Result<FromDisk, Error> {
        let mut incoming = Incoming::of(facts, setup)?;
        incoming.set_memory(&stored.header.memory)?;
        let next = Mutex::default();
        let (uniforms, parts) = (facts.uniforms(&setup.parameters), Mutex::default());
        Ok(FromDisk { facts: *facts, incoming, next, uniforms, stored, parts })
    }

    /// What rules remember after the next step, once the moments of all nodes were asked for.
    pub(super) fn next_memory(mut self) -> Vec<f64> {
        let next = self.next.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.incoming.remember(&next);
        self.incoming.memory()
    }

    /// The moments that a step more will store of these nodes ([`Engine::set_state_from`]), zero in solid ones.
    ///
    /// # Errors
    /// [`Error::File`].
    pub(super) fn next_moments(&self, nodes: Range<usize>, moments: &mut [f64]) -> Result<(), Error> {
        let (facts, domain, count) = (&self.facts, self.incoming.domain(), nodes.len());
        let mut before = vec![0.0; facts.lattice.q()];
        let mut after = vec![0.0; facts.body.moments];
        let mut next = Vec::new();
        let around = Around { from: self, parts: RefCell::default(), failed: RefCell::default() };
        moments.fill(0.0);
        for node in nodes.clone().filter(|&node| domain.flags.get(node).is_none_or(|&flag| flag == 0)) {
            let sent = |from, i| around.population(from, i);
            let here = (node, self.step() + 1);
            self.incoming.step(here, sent, &mut before, &mut |one, value| next.push((one, value)));
            facts.gather(&before, &[], &self.uniforms, &mut after);
            for (n, &moment) in after.iter().enumerate() {
                moments[node - nodes.start + count * n] = facts.store(moment);
            }
        }
        self.next.lock().unwrap_or_else(PoisonError::into_inner).extend(next);
        around.failed.into_inner().map_or(Ok(()), Err)
    }

    /// A part by its number.
    fn part(&self, number: usize) -> Result<Part, Error> {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let known = parts.iter().position(|&(known, _)| known == number);
        let part = match known.and_then(|at| parts.remove(at)) {
            Some((_, part)) => part,
            None => {
                let nodes = number * PART..self.nodes().min((number + 1) * PART);
                let mut values = vec![0.0; self.facts.lattice.q() * nodes.len()];
                read_populations(&self.facts, self.incoming.domain(), &self.stored, nodes, &mut values)?;
                Arc::new(values)
            }
        };
        if parts.len() == KEPT {
            parts.pop_front();
        }
        parts.push_back((number, Arc::clone(&part)));
        Ok(part)
    }
}

/// Populations that a thread asks for, of few parts.
struct Around<'a> {
    from: &'a FromDisk,
    parts: RefCell<Vec<(usize, Part)>>,
    failed: RefCell<Option<Error>>,
}

impl Around<'_> {
    /// A population of a node; 0 once a part could not be read.
    fn population(&self, node: usize, direction: usize) -> f64 {
        let (number, within) = (node / PART, node % PART);
        let mut parts = self.parts.borrow_mut();
        let at = match parts.iter().position(|&(known, _)| known == number) {
            Some(at) => at,
            None if self.failed.borrow().is_some() => return 0.0,
            None => match self.from.part(number) {
                Ok(part) => {
                    parts.push((number, part));
                    parts.len() - 1
                }
                Err(error) => {
                    self.failed.borrow_mut().get_or_insert(error);
                    return 0.0;
                }
            },
        };
        let part = &parts[at].1;
        part[within + part.len() / self.from.facts.lattice.q() * direction]
    }
}

/// Looks only: the steps are those of the engine that goes on.
impl Engine for FromDisk {
    fn run(&mut self, _steps: u64) -> Result<(), Error> {
        Err(looked_at_only())
    }

    fn populations_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let q = self.facts.lattice.q();
        for nodes in pieces(nodes, nodes_of_piece(q)) {
            let mut values = vec![0.0; q * nodes.len()];
            read_populations(&self.facts, self.incoming.domain(), &self.stored, nodes.clone(), &mut values)?;
            take(nodes, &values)?;
        }
        Ok(())
    }

    fn set_populations_from(&mut self, _give: Give<'_>, _step: u64) -> Result<(), Error> {
        Err(looked_at_only())
    }

    fn set_parameters(&mut self, parameters: &[f64]) -> Result<(), Error> {
        self.uniforms = self.facts.uniforms(parameters);
        Ok(())
    }

    fn set_factor(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        self.incoming.steer(name, factor)
    }

    fn memory(&self) -> Result<Vec<f64>, Error> {
        Ok(self.incoming.memory())
    }

    fn nodes(&self) -> usize {
        self.incoming.domain().nodes()
    }

    fn step(&self) -> u64 {
        self.stored.header.step
    }

    fn allocated_bytes(&self) -> usize {
        0
    }

    fn description(&self) -> String {
        "a checkpoint".to_owned()
    }
}

fn looked_at_only() -> Error {
    Error::conflict("a state in a file does no steps", "go on from it with an engine")
}

/// Reads the populations of some nodes: those that a checkpoint holds, or that its moments carry.
///
/// # Errors
/// [`Error::File`].
pub(super) fn read_populations(
    facts: &Facts,
    domain: &Domain,
    stored: &Stored,
    nodes: Range<usize>,
    populations: &mut [f64],
) -> Result<(), Error> {
    let holds = stored.header.holds;
    let Some(count) = holds.moments() else { return stored.read(nodes, populations) };
    let mut moments = vec![0.0; count * nodes.len()];
    stored.read(nodes.clone(), &mut moments)?;
    map_nodes(nodes, &moments, populations, &|node, moments, h| {
        if domain.is_solid(domain.position(node)) { h.fill(0.0) } else { facts.expand(holds, moments, h) }
    });
    Ok(())
}
