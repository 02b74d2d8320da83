//! What a backend needs to set a variant in motion.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::domain::{AppliedRule, Domain, RuledLink};
use crate::error::Error;
use crate::facts::LatticeFacts;
use crate::links::Links;
use crate::rules::RuleFacts;

/// What a backend needs to set a variant in motion, checked by the builder before.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setup {
    domain: Domain,
    /// The links of the box, while somebody keeps them; shared with all that this was cloned to.
    links: Arc<Mutex<Option<Known>>>,
    /// The values of [`Body::PARAMETERS`](crate::Body::PARAMETERS), in that order.
    pub parameters: Vec<f64>,
    /// The boundary rules that the box may name.
    pub rules: Vec<RuleFacts>,
    exchange_every: Option<usize>,
}

/// Of a box what may change without a change of which links there are.
#[derive(Debug)]
#[non_exhaustive]
pub struct Adjustable<'a> {
    /// [`Domain::rules`].
    pub rules: &'a mut Vec<AppliedRule>,
    /// [`Domain::links`].
    pub links: &'a mut Vec<RuledLink>,
    /// The velocities of [`Domain::solids`].
    pub velocities: &'a mut [[f64; 3]],
}

/// Links of a box along the velocities of a lattice.
#[derive(Debug)]
struct Known {
    velocities: &'static [[i32; 3]],
    links: Weak<Links>,
}

impl Known {
    /// Those along the velocities of this lattice, if somebody keeps them.
    fn of(&self, lattice: &LatticeFacts) -> Option<Arc<Links>> {
        self.links.upgrade().filter(|_| self.velocities == lattice.velocities)
    }
}

impl Setup {
    /// A box with the values of a body's parameters.
    #[must_use]
    pub fn new(domain: Domain, parameters: Vec<f64>) -> Setup {
        Setup { domain, links: Arc::default(), parameters, rules: Vec::new(), exchange_every: None }
    }

    /// The same for a part of a box, to which something is brought once in so many steps.
    #[must_use]
    pub fn exchanging_every(self, steps: usize) -> Setup {
        Setup { exchange_every: Some(steps), ..self }
    }

    /// Once in how many steps something is brought, if it is: then no execution that does more of them at once is worth its while.
    #[must_use]
    pub fn exchange_every(&self) -> Option<usize> {
        self.exchange_every
    }

    /// The same, with rules that the box may name.
    #[must_use]
    pub fn with_rules(self, rules: Vec<RuleFacts>) -> Setup {
        Setup { rules, ..self }
    }

    /// The same for an engine to keep, which has lists of its own of rules at single links.
    #[must_use]
    pub fn without_links(&self) -> Setup {
        let Setup { links, parameters, rules, domain, exchange_every } = self;
        let (links, parameters, rules) = (Arc::clone(links), parameters.clone(), rules.clone());
        let (domain, exchange_every) = (domain.without_links(), *exchange_every);
        Setup { domain, links, parameters, rules, exchange_every }
    }

    /// The box.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The box, to be changed in any way ([`redraw`](Setup::redraw) for nodes alone): its links are listed anew when they are asked for next.
    pub fn domain_mut(&mut self) -> &mut Domain {
        self.links = Arc::default();
        &mut self.domain
    }

    /// Makes each of some nodes a part of a solid, or fluid, as [`Domain::redraw`] does, in time in proportion to their number, and has `follow` do what is
    /// to be done then. Where it fails, the box is as it was before.
    ///
    /// # Errors
    /// Those of [`Domain::redraw`] and of `follow`.
    pub fn redraw<T>(
        &mut self,
        nodes: &[usize],
        now: &[Option<usize>],
        follow: impl FnOnce(&Setup) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (before, links) = (self.domain.labels(nodes), std::mem::take(&mut self.links));
        let done = self.domain.redraw(nodes, now).and_then(|()| follow(self));
        if done.is_err() {
            self.domain.restore(nodes, &before);
            self.links = links;
        }
        done
    }

    /// Follows a setup of which these nodes have become solid or fluid, and nothing else of the box is another, in time in proportion to their number.
    pub fn follow(&mut self, now: &Setup, nodes: &[usize]) {
        self.domain.follow(&now.domain, nodes);
        self.links = Arc::clone(&now.links);
        self.parameters.clone_from(&now.parameters);
    }

    /// Has those that ask for the links of the box have these, which are they, unless somebody keeps a list of them.
    pub fn share(&self, lattice: &LatticeFacts, links: &Arc<Links>) {
        if self.known_links(lattice).is_none() {
            let mut known = self.links.lock().unwrap_or_else(PoisonError::into_inner);
            *known = Some(Known { velocities: lattice.velocities, links: Arc::downgrade(links) });
        }
    }

    /// The links of the box, if somebody keeps them.
    pub(crate) fn known_links(&self, lattice: &LatticeFacts) -> Option<Arc<Links>> {
        let known = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().and_then(|known| known.of(lattice))
    }

    /// What may change without a change of which links there are.
    pub fn adjustable(&mut self) -> Adjustable<'_> {
        let Domain { rules, links, solids, .. } = &mut self.domain;
        Adjustable { rules, links, velocities: solids }
    }

    /// The links of the box, listed once for all that ask while somebody keeps them.
    ///
    /// # Errors
    /// As [`Links::of`].
    pub fn links(&self, lattice: &LatticeFacts) -> Result<Arc<Links>, Error> {
        // A thread that panicked left what was known before.
        let mut known = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(links) = known.as_ref().and_then(|known| known.of(lattice)) {
            return Ok(links);
        }
        let links = Arc::new(Links::of(lattice, &self.domain)?);
        *known = Some(Known { velocities: lattice.velocities, links: Arc::downgrade(&links) });
        Ok(links)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::FaceRule;

    const VELOCITIES: [[i32; 3]; 5] = [[0; 3], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]];

    const LATTICE: LatticeFacts = LatticeFacts {
        name: "near",
        dimension: 2,
        velocities: &VELOCITIES,
        opposites: &[],
        weights: &[],
        cs2: 1.0 / 3.0,
        sets: &[],
    };

    #[test]
    fn what_is_refused_leaves_the_box_as_it_was() {
        let mut setup = Setup::new(Domain::periodic([4, 3, 1]), Vec::new());
        for solid in [0, 1] {
            let (before, links) = (setup.domain().clone(), setup.links(&LATTICE).unwrap());
            let refused: Result<(), Error> = setup.redraw(&[1, 6], &[Some(solid); 2], |now| {
                assert_eq!((now.domain().solid_at(6), now.domain().solids.len()), (Some(solid), solid + 1));
                assert!(!Arc::ptr_eq(&links, &now.links(&LATTICE)?));
                Err(Error::conflict("no", "none"))
            });
            assert!(refused.is_err());
            assert_eq!(*setup.domain(), before);
            assert!(Arc::ptr_eq(&links, &setup.links(&LATTICE).unwrap()));
            let mut other = setup.clone();
            setup.redraw(&[1], &[Some(solid)], |_| Ok(())).unwrap();
            other.follow(&setup, &[1]);
            assert_eq!(other.domain(), setup.domain());
            setup.share(&LATTICE, &links);
            assert!(Arc::ptr_eq(&links, &other.links(&LATTICE).unwrap()), "they share what they know");
        }
    }

    #[test]
    fn links_are_listed_once_while_they_are_kept() {
        let lattice = LATTICE;
        let mut setup = Setup::new(Domain::periodic([4, 3, 1]), Vec::new());
        let (one, other) = (setup.links(&lattice).unwrap(), setup.clone().links(&lattice).unwrap());
        assert!(Arc::ptr_eq(&one, &other));
        assert_eq!(one.iter().count(), 0);

        setup.adjustable().rules.clear();
        assert!(Arc::ptr_eq(&one, &setup.links(&lattice).unwrap()));

        let before = setup.clone();
        setup.domain_mut().faces[2] = FaceRule::WALL;
        assert_eq!(setup.links(&lattice).unwrap().iter().count(), 4);
        assert!(Arc::ptr_eq(&one, &before.links(&lattice).unwrap()));
    }
}
