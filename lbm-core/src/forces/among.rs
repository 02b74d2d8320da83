//! What an engine's flow does to a body, where one process knows all of the body's contact, and where each of several knows that of its own nodes.

use std::sync::Arc;

use super::{COMPONENTS, Contact, Forces, unit_of};
use crate::cut::{Transport, lists, on_all_ranks, sums};
use crate::engine::Engine;
use crate::error::Error;
use crate::incoming::Incoming;
use crate::sums::ExactSum;

/// A contact with a body, as one process has it, or each of several that of its own nodes.
pub struct Among {
    contact: Arc<Contact>,
    shared: Option<Shared>,
}

/// What all processes know of a contact.
struct Shared {
    transport: Arc<dyn Transport>,
    /// The nodes whose populations one of them asks for, ascending.
    nodes: Vec<usize>,
    /// The fluid nodes beside the body, ascending.
    beside: Vec<usize>,
    links: usize,
}

impl Among {
    /// All of a contact in each process.
    #[must_use]
    pub fn whole(contact: Contact) -> Among {
        Among { contact: Arc::new(contact), shared: None }
    }

    /// That of this process's own nodes among those of others, in a box of so many nodes. All of them make theirs at the same time.
    ///
    /// # Errors
    /// [`Error::Conflict`] for a node that the box has not; those of the transport.
    pub fn own(contact: Contact, transport: Arc<dyn Transport>, nodes_of_box: usize) -> Result<Among, Error> {
        let of_all = |own: &[usize]| -> Result<Vec<usize>, Error> {
            let own: Vec<u64> = own.iter().map(|&node| node as u64).collect();
            let mut all: Vec<usize> =
                lists(&*transport, &own)?.into_iter().flatten().map(|node| node as usize).collect();
            all.sort_unstable();
            all.dedup();
            match all.last().filter(|last| **last >= nodes_of_box) {
                None => Ok(all),
                Some(node) => Err(Error::conflict(
                    format!("a rank asks for node {node} of a box of {nodes_of_box}"),
                    "start all ranks with the same program, arguments and files",
                )),
            }
        };
        let (nodes, beside) = (of_all(&contact.nodes)?, of_all(&contact.beside)?);
        let links = sums(&*transport, &[contact.links() as u64])?[0] as usize;
        Ok(Among { contact: Arc::new(contact), shared: Some(Shared { transport, nodes, beside, links }) })
    }

    /// Links between fluid and body.
    #[must_use]
    pub fn links(&self) -> usize {
        self.shared.as_ref().map_or(self.contact.links(), |shared| shared.links)
    }

    /// The fluid nodes beside the body, ascending.
    #[must_use]
    pub fn beside(&self) -> &[usize] {
        self.shared.as_ref().map_or(&self.contact.beside, |shared| &shared.beside)
    }

    /// As [`forces_on`].
    ///
    /// # Errors
    /// A lost device; those of the transport.
    pub fn forces_on(
        &self,
        engine: &mut dyn Engine,
        incoming: &mut Incoming,
        about: [f64; 3],
    ) -> Result<Forces, Error> {
        let Some(shared) = &self.shared else { return forces_on(engine, incoming, &self.contact, about) };
        let populations = self.populations(shared, engine, incoming);
        let populations = on_all_ranks(&*shared.transport, populations)?;
        let longest = self.contact.longest(incoming.facts().lattice.dimension, about);
        let all = lists(&*shared.transport, &[longest.to_bits()])?;
        let unit = unit_of(all.into_iter().flatten().map(f64::from_bits).fold(longest, f64::max));
        let own = self.contact.sums(incoming, engine.step(), &populations, (about, unit));
        let words = sums(&*shared.transport, &own.map(|sum| sum.words()).concat())?;
        let sum = |n: usize| sum_of(&words[4 * n..]);
        Ok(Forces::of(&std::array::from_fn::<_, COMPONENTS, _>(sum), unit))
    }

    /// As [`mass_into`].
    ///
    /// # Errors
    /// As [`forces_on`](Among::forces_on).
    pub fn mass_into(&self, engine: &mut dyn Engine, incoming: &mut Incoming) -> Result<f64, Error> {
        let Some(shared) = &self.shared else { return mass_into(engine, incoming, &self.contact) };
        let populations = self.populations(shared, engine, incoming);
        let populations = on_all_ranks(&*shared.transport, populations)?;
        let own = self.contact.mass(incoming, engine.step(), &populations);
        Ok(sum_of(&sums(&*shared.transport, &own.words())?).value())
    }

    /// The populations of the nodes that the contact of this process names, of those that all ask for together.
    fn populations(
        &self,
        shared: &Shared,
        engine: &mut dyn Engine,
        incoming: &mut Incoming,
    ) -> Result<Vec<f64>, Error> {
        let q = incoming.facts().lattice.q();
        let mut all = vec![0.0; q * shared.nodes.len()];
        engine.populations_at(&shared.nodes, &mut all)?;
        incoming.set_memory(&engine.memory()?)?;
        let place = |node: &usize| shared.nodes.partition_point(|other| other < node);
        let places: Vec<usize> = self.contact.nodes.iter().map(place).collect();
        let lines = all.chunks(shared.nodes.len().max(1));
        Ok(lines.flat_map(|line| places.iter().map(|&place| line[place])).collect())
    }
}

impl std::fmt::Debug for Among {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Among").field("links", &self.links()).finish_non_exhaustive()
    }
}

/// The sum of which these are the words.
fn sum_of(words: &[u64]) -> ExactSum {
    ExactSum::of([words[0], words[1], words[2]], words[3])
}

/// The mass that goes into a body or through a patch from step t to t + 1 of an engine, more than what comes out (lattice units, the density at rest is 1): what
/// is sent along links less what comes back, and of what rules of nodes replace beside links what was there less what they made of it.
///
/// # Errors
/// A lost device.
pub fn mass_into(engine: &mut dyn Engine, incoming: &mut Incoming, contact: &Contact) -> Result<f64, Error> {
    let mut populations = vec![0.0; incoming.facts().lattice.q() * contact.nodes.len()];
    engine.populations_at(&contact.nodes, &mut populations)?;
    incoming.set_memory(&engine.memory()?)?;
    Ok(contact.mass(incoming, engine.step(), &populations).value())
}

/// Force and torque on a body about a point, from step t to t + 1 of an engine.
///
/// # Errors
/// A lost device.
pub fn forces_on(
    engine: &mut dyn Engine,
    incoming: &mut Incoming,
    contact: &Arc<Contact>,
    about: [f64; 3],
) -> Result<Forces, Error> {
    if let Some(forces) = engine.forces_on(contact, about)? {
        return Ok(forces);
    }
    let mut populations = vec![0.0; incoming.facts().lattice.q() * contact.nodes.len()];
    engine.populations_at(&contact.nodes, &mut populations)?;
    incoming.set_memory(&engine.memory()?)?;
    Ok(contact.forces(incoming, engine.step(), &populations, about))
}
