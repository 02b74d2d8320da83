//! Forces on bodies, summed where the flow is: only the sums cross.

use std::sync::Arc;

use lbm_core::Error;
use lbm_core::facts::LatticeFacts;
use lbm_core::forces::{COMPONENTS, Contact, Forces, Touch};
use lbm_core::sums::{ExactSum, LIMBS};

use super::DeviceEngine;
use super::arrays::filled;
use super::asked::numbers;
use super::built::{Built, launch};
use crate::assemble::{self, ROOMS, Resource, WORDS, threads_for};
use crate::machine::{Machine, Memory, bytes_of};

/// Bodies that are kept on the machine.
const MOST_BODIES: usize = 8;

/// The kernel, and the bodies that were asked for last, the latest in the end.
pub(super) struct Pushed<M: Machine> {
    built: Built<M>,
    bodies: Vec<Body<M>>,
}

/// Where a body touches the fluid, on the machine.
struct Body<M: Machine> {
    contact: Arc<Contact>,
    /// The populations that are asked for, and behind them what arrives at nodes with rules.
    values: M::Memory,
    /// What is added up from look to look: so many words of 64 bits, of which the host takes what has come since the last look.
    counter: M::Memory,
    /// What it was then.
    counted: Vec<u64>,
    /// All else that kernels are handed.
    arrays: Vec<(Resource, M::Memory)>,
    /// The point of the last look, and the unit of arms about it.
    about: Option<([f64; 3], f64)>,
}

impl<M: Machine> Pushed<M> {
    pub(super) fn nothing() -> Pushed<M> {
        Pushed { built: Built::nothing(), bodies: Vec::new() }
    }

    /// Forgets where bodies are, and the kernel, too, where it is another one now.
    pub(super) fn forget(&mut self, kernel: bool) {
        self.bodies.clear();
        if kernel {
            self.built = Built::nothing();
        }
    }
}

/// A link as the text has it.
fn words(touch: &Touch, lattice: &LatticeFacts) -> [u64; 9] {
    let [x, y, z] = touch.at.map(f64::to_bits);
    let [u, v, w] = touch.velocity.map(f64::to_bits);
    let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let [a, b, c] = lattice.velocities[touch.toward].map(|component| component as u8);
    let toward = u32::from_le_bytes([a, b, c, 0]);
    [x, y, z, u, v, w, touch.term.to_bits(), pair(toward, touch.gone), pair(touch.come, 0)]
}

/// Links as the text has them.
fn all_words(touches: &[Touch], lattice: &LatticeFacts) -> Vec<[u64; 9]> {
    touches.iter().map(|touch| words(touch, lattice)).collect()
}

impl<M: Machine> Body<M> {
    fn new(
        machine: &M,
        contact: &Arc<Contact>,
        lattice: &LatticeFacts,
        positions: Option<&[u32]>,
    ) -> Result<Body<M>, Error> {
        let (nodes, count) = (numbers(&contact.nodes, positions), contact.nodes.len());
        let asked = || contact.asked.iter().map(|&place| place as usize);
        let touches = all_words(&contact.touches, lattice);
        let arrays = vec![
            (
                Resource::Asked,
                filled(machine, &asked().map(|place| nodes[place % count]).collect::<Vec<_>>())?,
            ),
            (
                Resource::AskedDirections,
                filled(machine, &asked().map(|place| (place / count) as u32).collect::<Vec<_>>())?,
            ),
            (Resource::Beside, filled(machine, &numbers(&contact.ruled, positions))?),
            (Resource::Sources, filled(machine, &contact.sources)?),
            (Resource::SourceTerms, filled(machine, &contact.terms)?),
            (Resource::SentPlaces, filled(machine, &contact.sent)?),
            (Resource::Touches, filled(machine, &touches)?),
        ];
        Ok(Body {
            contact: Arc::clone(contact),
            values: machine
                .memory((contact.asked.len() + lattice.q() * contact.ruled.len()) * size_of::<f64>())?,
            counter: filled(machine, &[0u64; ROOMS * WORDS])?,
            counted: vec![0; ROOMS * WORDS],
            arrays,
            about: None,
        })
    }
}

impl<M: Machine> DeviceEngine<M> {
    /// Force and torque on a body about a point.
    pub(super) fn push(&mut self, contact: &Arc<Contact>, about: [f64; 3]) -> Result<Forces, Error> {
        if self.pushed.built.is_empty() {
            self.pushed.built = Built::new(&self.machine, assemble::forces(&self.facts, &self.plan)?)?;
        }
        let bodies = &mut self.pushed.bodies;
        let known = bodies.iter().position(|body| Arc::ptr_eq(&body.contact, contact));
        let mut body = match known {
            Some(known) => bodies.remove(known),
            None => {
                if bodies.len() == MOST_BODIES {
                    // What was launched over it may be under way.
                    self.machine.wait()?;
                    bodies.remove(0);
                }
                Body::new(&self.machine, contact, &self.facts.lattice, self.positions.as_deref())?
            }
        };
        let forces = self.push_on(&mut body, about);
        self.pushed.bodies.push(body);
        forces
    }

    fn push_on(&self, body: &mut Body<M>, about: [f64; 3]) -> Result<Forces, Error> {
        let unit = match body.about {
            Some((known, unit)) if known == about => unit,
            _ => body.contact.unit(self.facts.lattice.dimension, about),
        };
        body.about = Some((about, unit));
        let (contact, size) = (&body.contact, self.setup.domain().size);
        let mut bindings = self.beside(None, size);
        let own = [(Resource::Values, &body.values), (Resource::Counter, &body.counter)];
        let arrays = body.arrays.iter().map(|(resource, memory)| (*resource, memory));
        arrays.chain(own).for_each(|(resource, memory)| _ = bindings.array(resource, memory.address()));
        let [x, y, z] = about;
        bindings.bytes(Resource::About, bytes_of(&[x, y, z, unit]));
        bindings.number(Resource::AskedCount, contact.asked.len());
        bindings.number(Resource::TouchCount, contact.touches.len());
        self.access("pick", bindings.number(Resource::Count, contact.asked.len()))?;
        let mut work = |name: &str, count: usize| {
            let kernel = self.pushed.built.named(name).expect("the text has it");
            launch(&self.machine, kernel, &self.facts, size, bindings.number(Resource::Count, count))
        };
        if !contact.ruled.is_empty() {
            // Rules see what the coming step has them see.
            self.arrays.set_clock(self.motion.now.step)?;
            self.observe(self.motion.now)?;
            work("arrive_beside", contact.ruled.len())?;
        }
        if contact.changes_in_time() {
            let (domain, step) = (self.setup.domain(), self.motion.now.step);
            let touches = contact.touches_at(domain, &self.arrivals.courses, step);
            let words = all_words(&touches, &self.facts.lattice);
            let of_touches = body.arrays.iter().find(|(resource, _)| *resource == Resource::Touches);
            // The last look has been waited for.
            of_touches.expect("a body has touches").1.write(0, bytes_of(&words))?;
        }
        work("push", threads_for(contact.touches.len()))?;
        let mut bytes = [0; ROOMS * WORDS * size_of::<u64>()];
        body.counter.read(0, &mut bytes)?;
        let counted = bytes.as_chunks().0.iter().map(|&word| u64::from_ne_bytes(word)).collect();
        let before = std::mem::replace(&mut body.counted, counted);
        let words: Vec<u64> =
            body.counted.iter().zip(before).map(|(now, before)| now.wrapping_sub(before)).collect();
        let mut sums = [ExactSum::default(); COMPONENTS];
        for room in words.as_chunks::<WORDS>().0 {
            let limbs = room.as_chunks::<{ LIMBS + 1 }>().0;
            for (sum, &[first, second, third, refused]) in sums.iter_mut().zip(limbs) {
                sum.join(&ExactSum::of([first, second, third], refused));
            }
        }
        Ok(Forces::of(&sums, unit))
    }
}
