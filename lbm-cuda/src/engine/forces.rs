//! Forces on bodies, summed where the flow is: only the sums cross.

use std::sync::Arc;

use lbm_core::Error;
use lbm_core::forces::{COMPONENTS, Contact, Forces};
use lbm_core::sums::{ExactSum, LIMBS};

use super::DeviceEngine;
use super::arrays::filled;
use super::asked::numbers;
use super::binding::Bindings;
use super::built::{Built, launch};
use crate::assemble::{self, ROOMS, Resource, WORDS};
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
    /// Where the nodes are stored of which populations are asked for.
    asked: M::Memory,
    /// These populations.
    populations: M::Memory,
    /// What is added up.
    counter: M::Memory,
    /// All else that the kernel is handed.
    arrays: Vec<(Resource, M::Memory)>,
    /// The point of the last look, and the unit of arms about it.
    about: Option<([f64; 3], f64)>,
}

impl<M: Machine> Pushed<M> {
    pub(super) fn nothing() -> Pushed<M> {
        Pushed { built: Built::nothing(), bodies: Vec::new() }
    }
}

impl<M: Machine> Body<M> {
    fn new(
        machine: &M,
        contact: &Arc<Contact>,
        q: usize,
        positions: Option<&[u32]>,
    ) -> Result<Body<M>, Error> {
        let places = contact.touches.iter().flat_map(|touch| [touch.gone, touch.back as u32]);
        let touches = contact.touches.iter().map(|touch| [touch.toward, touch.at, touch.velocity]);
        let arrays = vec![
            (Resource::Beside, filled(machine, &numbers(&contact.beside, positions))?),
            (Resource::Sources, filled(machine, &contact.sources)?),
            (Resource::SourceTerms, filled(machine, &contact.terms)?),
            (Resource::Arrived, machine.memory(size_of_val(&contact.terms[..]))?),
            (Resource::FirstTouches, filled(machine, &contact.firsts)?),
            (Resource::TouchPlaces, filled(machine, &places.collect::<Vec<_>>())?),
            (Resource::Touches, filled(machine, &touches.collect::<Vec<_>>())?),
        ];
        Ok(Body {
            contact: Arc::clone(contact),
            asked: filled(machine, &numbers(&contact.nodes, positions))?,
            populations: machine.memory(q * contact.nodes.len() * size_of::<f64>())?,
            counter: machine.memory(ROOMS * WORDS * size_of::<u64>())?,
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
                Body::new(&self.machine, contact, self.facts.lattice.q(), self.positions.as_deref())?
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
        body.counter.write(0, bytes_of(&[0u64; ROOMS * WORDS]))?;
        self.gather_listed(body.asked.address(), 0..body.contact.nodes.len(), body.populations.address())?;
        // Rules see what the coming step has them see.
        self.arrays.set_clock(self.motion.now.step)?;
        self.observe(self.motion.now)?;
        let mut bindings = Bindings::over(&self.arrays.bindings);
        let own = [(Resource::Values, &body.populations), (Resource::Counter, &body.counter)];
        let arrays = body.arrays.iter().map(|(resource, memory)| (*resource, memory));
        arrays.chain(own).for_each(|(resource, memory)| _ = bindings.array(resource, memory.address()));
        bindings.number(Resource::Count, body.contact.beside.len());
        bindings.number(Resource::AskedNodes, body.contact.nodes.len());
        let [x, y, z] = about;
        bindings.bytes(Resource::About, bytes_of(&[x, y, z, unit]));
        let kernel = self.pushed.built.named("push").expect("the text has one");
        launch(&self.machine, kernel, &self.facts, self.setup.domain.size, &bindings)?;
        let mut bytes = [0; ROOMS * WORDS * size_of::<u64>()];
        body.counter.read(0, &mut bytes)?;
        let words: Vec<u64> = bytes.as_chunks().0.iter().map(|&word| u64::from_ne_bytes(word)).collect();
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
