//! What comes to a node: the populations that its next step collides.

use crate::domain::Domain;
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::Facts;
use crate::links::{Column, Links};
use crate::rules::Arrivals;

/// Gathers what comes to a node from what nodes have sent: from neighbours, walls and boundary rules, plainly.
#[derive(Clone, Debug)]
pub struct Incoming {
    facts: Facts,
    domain: Domain,
    links: Links,
    /// What the wall of each link adds, rounded to the arithmetic type.
    terms: Column<f64>,
    arrivals: Arrivals,
}

impl Incoming {
    /// For the nodes of a box.
    ///
    /// # Errors
    /// As [`Links::of`] and [`Arrivals::of`].
    pub fn of(facts: &Facts, setup: &Setup) -> Result<Incoming, Error> {
        let (links, walls) = (Links::of(&facts.lattice, &setup.domain)?, setup.domain.walls());
        let terms = Column::of(&links, |link| {
            facts.precision.arithmetic.round(facts.lattice.wall_term(link.direction, walls[link.meets]))
        });
        let arrivals = Arrivals::of(facts, setup)?;
        Ok(Incoming { facts: *facts, domain: setup.domain.clone(), links, terms, arrivals })
    }

    /// The variant.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The box.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Its links.
    #[must_use]
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// As [`Arrivals::steer`].
    ///
    /// # Errors
    /// Its.
    pub fn steer(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        self.arrivals.steer(name, factor)
    }

    /// The node from which direction `i` comes to the fluid node of this index; itself, where a wall sends it back.
    #[must_use]
    pub fn origin(&self, node: usize, i: usize) -> usize {
        if self.links.at(node).link(i).is_some() {
            return node;
        }
        let back = self.facts.lattice.velocities[i].map(|c| -c);
        self.domain.index(self.domain.around(self.domain.position(node), back))
    }

    /// The nodes of which rules at a node read populations.
    pub fn observed(&self, node: usize) -> impl Iterator<Item = usize> {
        self.arrivals.observed_from(node).map(|observed| observed.node)
    }

    /// The *pre-collision* shifted populations of the fluid node of this index, in the order of directions. `sent(from, i)` is the
    /// post-collision population i of a node: [`origin`](Incoming::origin) of a direction, the node itself, or one of those that its rules
    /// [`observe`](Incoming::observed).
    /// `time` are the steps that are done when this one is.
    pub fn at(&self, (node, time): (usize, u64), sent: impl Fn(usize, usize) -> f64, before: &mut [f64]) {
        let (lattice, here) = (&self.facts.lattice, self.links.at(node));
        let position = self.domain.position(node);
        for (i, value) in before.iter_mut().enumerate() {
            *value = match here.link(i) {
                None => {
                    let upstream = self.domain.around(position, lattice.velocities[i].map(|c| -c));
                    sent(self.domain.index(upstream), i)
                }
                Some(link) => {
                    let term = self.terms.values()[link.number];
                    self.facts.precision.arithmetic.half_way(sent(node, lattice.opposites[i]), term)
                }
            };
        }
        self.arrivals.arrive(&self.facts, (node, time), sent, before);
    }
}
