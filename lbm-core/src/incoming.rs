//! What comes to a node: the populations that its next step collides.

use std::sync::Arc;

use crate::domain::{Domain, Face};
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::Facts;
use crate::links::Links;
use crate::rules::{Arrivals, Course, Remembered};

/// Gathers what comes to a node from what nodes have sent: from neighbours, walls and boundary rules, plainly.
#[derive(Clone, Debug)]
pub struct Incoming {
    facts: Facts,
    domain: Domain,
    links: Arc<Links>,
    /// Whether nobody else has these links, which were to be let go: then they stay, and follow the box here.
    stays: bool,
    /// What each wall adds to each direction, rounded to the arithmetic type.
    terms: Vec<f64>,
    arrivals: Arrivals,
}

impl Incoming {
    /// For the nodes of a box.
    ///
    /// # Errors
    /// As [`Setup::links`] and [`Arrivals::of`].
    pub fn of(facts: &Facts, setup: &Setup) -> Result<Incoming, Error> {
        let arrivals = Arrivals::of(facts, setup)?;
        let (links, terms) = (setup.links(&facts.lattice)?, terms(facts, setup.domain()));
        let domain = setup.domain().without_links();
        Ok(Incoming { facts: *facts, domain, links, stays: false, terms, arrivals })
    }

    /// Lets go of the list of links until it [follows](Incoming::follow) the box, so that who else keeps it can change it in place.
    pub fn let_go(&mut self) {
        self.stays = Arc::strong_count(&self.links) == 1;
        if !self.stays {
            self.links = Arc::default();
        }
    }

    /// Follows a box in which these nodes, ascending, have become solid or fluid: in time in proportion to their number if the links are listed, but that
    /// all rules are listed anew where one may ask what these nodes are.
    ///
    /// # Errors
    /// As [`Incoming::of`]; it is of no use then.
    pub fn follow(&mut self, setup: &Setup, nodes: &[usize]) -> Result<(), Error> {
        let lattice = &self.facts.lattice;
        let links = match setup.known_links(lattice) {
            Some(links) => links,
            None if std::mem::take(&mut self.stays) => {
                Arc::make_mut(&mut self.links).renew(lattice, setup.domain(), nodes)?;
                setup.share(lattice, &self.links);
                Arc::clone(&self.links)
            }
            None => setup.links(lattice)?,
        };
        if Arrivals::concern(&self.facts, setup, nodes)? {
            self.arrivals = Arrivals::of(&self.facts, setup)?;
        }
        self.go_on(setup, &links, nodes);
        Ok(())
    }

    fn go_on(&mut self, setup: &Setup, links: &Arc<Links>, nodes: &[usize]) {
        self.terms = terms(&self.facts, setup.domain());
        self.links = Arc::clone(links);
        self.domain.follow(setup.domain(), nodes);
    }

    /// The variant.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The box. Which of its links have rules, the list of links says.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Its links.
    #[must_use]
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// What comes to the fluid node of this index along direction `i`, before rules set anything: which node sent it along which direction, and
    /// what a wall adds if it sent it back.
    #[must_use]
    pub fn source(&self, node: usize, i: usize) -> (usize, usize, Option<f64>) {
        let lattice = &self.facts.lattice;
        match self.links.at(node).link(i) {
            Some(link) => (node, lattice.opposites[i], Some(self.terms[link.meets * lattice.q() + i])),
            None => {
                let back = lattice.velocities[i].map(|c| -c);
                (self.domain.index(self.domain.around(self.domain.position(node), back)), i, None)
            }
        }
    }

    /// As [`Arrivals::steer`].
    ///
    /// # Errors
    /// Its.
    pub fn steer(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        self.arrivals.steer(name, factor)
    }

    /// The factors in time of its rules, as they are set now.
    #[must_use]
    pub fn courses(&self) -> &[Course] {
        &self.arrivals.courses
    }

    /// Whether a node, or a link of it, has boundary rules.
    #[must_use]
    pub fn has_rules(&self, node: usize) -> bool {
        self.arrivals.at(node).is_some() || self.arrivals.at_links.within(node..node + 1).next().is_some()
    }

    /// Whether the rule that a face has at a node replaces populations that arrive from neighbours, so that what it gives and takes is not all that
    /// crosses links; of several faces of a node the first one.
    #[must_use]
    pub fn replaces(&self, node: usize, face: Face) -> bool {
        let Some(arrival) = self.arrivals.at(node) else { return false };
        let (links, position) = (self.links.at(node), self.domain.position(node));
        let replaces = |face: &Face| {
            let [at, length] = [&position, &self.domain.size].map(|of| of[face.axis()]);
            let is_there = if face.index().is_multiple_of(2) { at == 0 } else { at + 1 == length };
            let number = self.domain.rule_at(face.index(), position).filter(|_| is_there);
            number.is_some_and(|number| {
                self.arrivals.kinds[arrival.kind].parts.iter().any(|part| {
                    let rule = &self.arrivals.rules[part.rule];
                    let comes = |&i: &usize| links.link(part.turn.directions[i]).is_none();
                    rule.name == self.domain.rules[number].rule
                        && rule.classes[part.class].sets.iter().any(comes)
                })
            })
        };
        Face::ALL.into_iter().find(replaces) == Some(face)
    }

    /// The directions along which a node sent what rules of its links read in the step after.
    pub fn kept_at_links(&self, node: usize) -> impl Iterator<Item = usize> {
        let Arrivals { at_links, rules, .. } = &self.arrivals;
        let own = at_links.within(node..node + 1);
        own.flat_map(|link| at_links.parts[link.part].kept(rules, &self.facts).map(|(i, _)| i))
    }

    /// The nodes of which rules at a node read populations.
    pub fn observed(&self, node: usize) -> impl Iterator<Item = usize> {
        self.arrivals.observed_from(node).map(|observed| observed.node)
    }

    /// The *pre-collision* shifted populations of the fluid node of this index, in the order of directions. `sent(from, i)` is the
    /// post-collision population i of a node: the [`source`](Incoming::source) of a direction, the node itself, or one of those that its rules
    /// [`observe`](Incoming::observed).
    /// `time` are the steps that are done when this one is. What rules remember stays as it is.
    pub fn at(&self, (node, time): (usize, u64), sent: impl Fn(usize, usize) -> f64, before: &mut [f64]) {
        self.plain(node, &sent, before);
        self.ruled((node, time), sent, before);
    }

    /// The same in a step that is done: `next` takes what rules are to remember.
    pub fn step(
        &self,
        (node, time): (usize, u64),
        sent: impl Fn(usize, usize) -> f64,
        before: &mut [f64],
        next: &mut dyn FnMut(Remembered, f64),
    ) {
        self.plain(node, &sent, before);
        self.arrivals.arrive(&self.facts, (node, time), sent, before, next);
    }

    /// What comes to a node before rules set anything.
    fn plain(&self, node: usize, sent: &dyn Fn(usize, usize) -> f64, before: &mut [f64]) {
        for (i, value) in before.iter_mut().enumerate() {
            let (from, direction, term) = self.source(node, i);
            let sent = sent(from, direction);
            *value = term.map_or(sent, |term| self.facts.precision.arithmetic.half_way(sent, term));
        }
    }

    /// What rules remember ([`Engine::memory`](crate::Engine::memory)).
    #[must_use]
    pub fn memory(&self) -> Vec<f64> {
        let all = self.arrivals.memory(&self.facts);
        all.into_iter().map(|one| self.arrivals.remembered(one)).collect()
    }

    /// Sets what rules remember.
    ///
    /// # Errors
    /// As [`Arrivals::set_memory`].
    pub fn set_memory(&mut self, values: &[f64]) -> Result<(), Error> {
        self.arrivals.set_memory(&self.facts, values)
    }

    /// Has rules remember nothing of the steps before.
    pub fn forget(&mut self) {
        self.remember(
            &self.arrivals.memory(&self.facts).into_iter().map(|one| (one, 0.0)).collect::<Vec<_>>(),
        );
    }

    /// Has rules remember what a step gave.
    pub fn remember(&mut self, next: &[(Remembered, f64)]) {
        next.iter().for_each(|&(one, value)| self.arrivals.set_remembered(one, value));
    }

    /// What rules at that node make of it.
    pub fn ruled(&self, (node, time): (usize, u64), sent: impl Fn(usize, usize) -> f64, before: &mut [f64]) {
        self.arrivals.arrive(&self.facts, (node, time), sent, before, &mut |_, _| ());
    }
}

/// What each wall adds to each direction, rounded to the arithmetic type.
fn terms(facts: &Facts, domain: &Domain) -> Vec<f64> {
    let terms = facts.lattice.wall_terms(&domain.walls()).into_iter();
    terms.map(|term| facts.precision.arithmetic.round(term)).collect()
}
