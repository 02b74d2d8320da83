//! The plain reference: one node at a time, two arrays.
//!
//! It knows neither layout, addressing, streaming pattern, vectors nor threads, so it is short enough to be checked
//! by eye. Every backend and every scheme must give its bits ([`laws::equals_reference`](crate::laws::equals_reference)).
//! Numbers are held as f64, which holds those of every arithmetic and storage type exactly.

use std::ops::Range;

use crate::domain::{Domain, positions};
use crate::engine::{Engine, Setup};
use crate::error::Error;
use crate::facts::Facts;
use crate::links::{Column, Links};
use crate::pieces::{Give, Take, cut};
use crate::rules::Arrivals;

/// A variant in motion, plainly.
#[derive(Clone, Debug)]
pub struct Reference {
    facts: Facts,
    domain: Domain,
    links: Links,
    /// What the wall of each link adds, rounded to the arithmetic type.
    terms: Column<f64>,
    arrivals: Arrivals,
    uniforms: Vec<f64>,
    now: Vec<f64>,
    step: u64,
}

impl Reference {
    /// A fluid at rest: all shifted populations are zero.
    ///
    /// # Errors
    /// As [`Links::of`] and [`Arrivals::of`].
    pub fn new(facts: &Facts, setup: &Setup) -> Result<Reference, Error> {
        let (links, walls) = (Links::of(&facts.lattice, &setup.domain)?, setup.domain.walls());
        let terms = Column::of(&links, |link| {
            facts.precision.arithmetic.round(facts.lattice.wall_term(link.direction, walls[link.meets]))
        });
        Ok(Reference {
            links,
            terms,
            arrivals: Arrivals::of(facts, setup)?,
            uniforms: facts.uniforms(&setup.parameters),
            now: vec![0.0; facts.lattice.q() * setup.domain.nodes()],
            domain: setup.domain.clone(),
            facts: *facts,
            step: 0,
        })
    }

    /// The same with these post-collision populations as of step `step`, taken as they come from an [`Engine`].
    ///
    /// # Errors
    /// As [`Reference::new`].
    pub fn holding(facts: &Facts, setup: &Setup, now: Vec<f64>, step: u64) -> Result<Reference, Error> {
        Ok(Reference { now, step, ..Reference::new(facts, setup)? })
    }

    /// The *pre-collision* populations that the next step will collide, in the order and form of [`Engine::populations`].
    #[must_use]
    pub fn incoming(&self) -> Vec<f64> {
        self.of_fluid(self.facts.lattice.q(), |position, before| self.gather(position, before))
    }

    /// The moments that a step more will store ([`Engine::set_state_from`]), zero in solid nodes, for a variant that stores moments. They
    /// follow from the populations as these are, whether moments carry these exactly or not.
    #[must_use]
    pub fn next_moments(&self) -> Vec<f64> {
        let mut before = vec![0.0; self.facts.lattice.q()];
        self.of_fluid(self.facts.body.moments, |position, moments| {
            self.gather(position, &mut before);
            self.facts.gather(&before, &self.uniforms, moments);
            moments.iter_mut().for_each(|moment| *moment = self.facts.store(*moment));
        })
    }

    /// So many values of every fluid node, value after value, and zeros for solid ones.
    fn of_fluid(&self, count: usize, mut values: impl FnMut([usize; 3], &mut [f64])) -> Vec<f64> {
        let (mut all, mut here) = (vec![0.0; count * self.domain.nodes()], vec![0.0; count]);
        for position in positions(self.domain.size).filter(|&position| !self.domain.is_solid(position)) {
            values(position, &mut here);
            here.iter().enumerate().for_each(|(n, &value)| all[self.index(position, n)] = value);
        }
        all
    }

    /// Where value `i` of the node at `position` lies.
    fn index(&self, position: [usize; 3], i: usize) -> usize {
        self.domain.index(position) + self.domain.nodes() * i
    }

    /// The pre-collision populations of the fluid node at `position`.
    fn gather(&self, position: [usize; 3], before: &mut [f64]) {
        let (lattice, here) = (&self.facts.lattice, self.links.at(self.domain.index(position)));
        for (i, value) in before.iter_mut().enumerate() {
            *value = match here.link(i) {
                None => {
                    let upstream = self.domain.around(position, lattice.velocities[i].map(|c| -c));
                    self.now[self.index(upstream, i)]
                }
                Some(link) => {
                    let sent = self.now[self.index(position, lattice.opposites[i])];
                    self.facts.precision.arithmetic.half_way(sent, self.terms.values()[link.number])
                }
            };
        }
        let sent = |i| self.now[self.index(position, i)];
        self.arrivals.arrive(&self.facts, self.domain.index(position), sent, before);
    }
}

impl Engine for Reference {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        let mut before = vec![0.0; self.facts.lattice.q()];
        for _ in 0..steps {
            self.now = self.of_fluid(before.len(), |position, after| {
                self.gather(position, &mut before);
                self.facts.collide_and_store(&before, &self.uniforms, after);
            });
            self.step += 1;
        }
        Ok(())
    }

    fn populations_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let mut values = vec![0.0; self.facts.lattice.q() * nodes.len()];
        cut(&self.now, nodes.clone(), &mut values);
        take(nodes, &values)
    }

    fn set_populations_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        let (q, nodes) = (self.facts.lattice.q(), self.domain.nodes());
        let (mut all, mut given) = (vec![0.0; q * nodes], vec![0.0; q]);
        give(0..nodes, &mut all);
        self.now = self.of_fluid(q, |position, stored| {
            given.iter_mut().enumerate().for_each(|(i, value)| *value = all[self.index(position, i)]);
            self.facts.stored(&given, stored);
        });
        self.step = step;
        Ok(())
    }

    fn nodes(&self) -> usize {
        self.domain.nodes()
    }

    fn step(&self) -> u64 {
        self.step
    }

    fn allocated_bytes(&self) -> usize {
        size_of_val(self.now.as_slice())
    }

    fn description(&self) -> String {
        "plain reference, 1 thread, scalar".to_owned()
    }
}
