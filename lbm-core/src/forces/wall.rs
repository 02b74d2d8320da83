//! How the wall moves that cuts a link: as its rule says, at each step anew where that changes in time.

use std::borrow::Cow;

use super::{Contact, Touch};
use crate::domain::{AppliedRule, Domain, RuledLink};
use crate::engine::Setup;
use crate::incoming::Incoming;
use crate::rules::Course;

/// What a rule of links knows of one.
pub(super) struct Ruled<'a> {
    pub(super) distance: f64,
    link: &'a RuledLink,
    applied: &'a AppliedRule,
    /// Where the wall's velocity begins among the values of the rule, and its components; none of a rule without one, whose wall is at rest.
    place: Option<(usize, usize)>,
}

impl<'a> Ruled<'a> {
    /// That of a link, if it has such a rule.
    pub(super) fn of(setup: &'a Setup, incoming: &Incoming, node: usize, back: usize) -> Option<Ruled<'a>> {
        let (domain, dimension) = (setup.domain(), incoming.facts().lattice.dimension);
        let link = domain.links_of(node).iter().find(|link| link.back == back)?;
        let applied = &domain.rules[link.rule];
        let rule = setup.rules.iter().find(|rule| rule.name == applied.rule)?;
        let (mut place, mut first) = (None, 0);
        for parameter in rule.parameters {
            let count = parameter.components(dimension);
            if parameter.vector && parameter.name == "velocity" {
                place = Some((first, count));
            }
            first += count;
        }
        Some(Ruled { distance: link.distance, link, applied, place })
    }

    /// The wall's velocity, without what changes in time.
    pub(super) fn velocity(&self) -> [f64; 3] {
        let mut velocity = [0.0; 3];
        if let Some((first, count)) = self.place {
            velocity[..count].copy_from_slice(&self.applied.at(self.link.place)[first..first + count]);
        }
        velocity
    }

    /// What has to be known of its touch, the one of this number, where that velocity changes in time.
    pub(super) fn moving(&self, touch: usize) -> Option<Moving> {
        let (first, count) = self.place.filter(|_| !self.applied.in_time.is_empty())?;
        Some(Moving { touch, rule: self.link.rule, place: self.link.place, first, count })
    }
}

/// A touch whose wall has a velocity that changes in time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    touch: usize,
    /// An entry of [`Domain::rules`], and which of its values are the link's.
    rule: usize,
    place: usize,
    /// The velocity among them.
    first: usize,
    count: usize,
}

impl Contact {
    /// Whether [`touches_at`](Contact::touches_at) has other ones at each step.
    #[must_use]
    pub fn changes_in_time(&self) -> bool {
        !self.moving.is_empty()
    }

    /// The touches of the step after `step` steps, in which walls move as rules have them. `courses` are the factors in time as they are set now
    /// ([`Arrivals::courses`](crate::rules::Arrivals::courses)).
    #[must_use]
    pub fn touches_at(&self, domain: &Domain, courses: &[Course], step: u64) -> Cow<'_, [Touch]> {
        if self.moving.is_empty() {
            return Cow::Borrowed(&self.touches);
        }
        let mut touches = self.touches.clone();
        for moving in &self.moving {
            let applied = &domain.rules[moving.rule];
            for (term, in_time) in applied.in_time.iter().enumerate() {
                let name = in_time.course.name();
                let set = courses.iter().find(|course| name.is_some() && course.name() == name);
                let factor = set.unwrap_or(&in_time.course).at(step + 1);
                let values = &applied.factors_at(term, moving.place)[moving.first..][..moving.count];
                let velocity = touches[moving.touch].velocity.iter_mut();
                velocity.zip(values).for_each(|(u, &value)| *u = factor.mul_add(value, *u));
            }
        }
        Cow::Owned(touches)
    }
}
