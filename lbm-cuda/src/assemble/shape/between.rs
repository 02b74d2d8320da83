//! What is done between two steps, and in which launch shapes.

use lbm_core::Facts;

use super::{Shape, in_planes};
use crate::assemble::algorithm::takes_turns;

/// What is done between two steps: not every launch shape lets it be done there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Between {
    /// Boundary rules.
    pub rules: bool,
    /// An exchange with other parts of a box, once in so many steps; none, if there is no other part.
    pub exchange: Option<usize>,
}

impl Between {
    /// Boundary rules, an exchange, or neither.
    #[must_use]
    pub const fn of(rules: bool, exchange: Option<usize>) -> Between {
        Between { rules, exchange }
    }

    /// Whether so many steps can be done at once.
    #[must_use]
    pub fn lets(&self, steps: usize) -> bool {
        (!self.rules || steps == 1) && self.exchange.is_none_or(|every| every.is_multiple_of(steps))
    }
}

impl Shape {
    /// The [candidates](Shape::candidates) that let be done what is between two steps. A march in which blocks wait for each other's planes does nodes at walls itself, and no
    /// rules: planes are launches then. A variant that does nothing but several steps at once keeps its shapes where values are exchanged in between: each also does one.
    #[must_use]
    pub fn candidates_for(facts: &Facts, size: [usize; 3], between: Between) -> Vec<Shape> {
        let all = match between.rules && takes_turns(facts) {
            true => in_planes(facts, size),
            false => Shape::candidates(facts, size),
        };
        let some: Vec<Shape> = all.iter().filter(|shape| between.lets(shape.steps())).copied().collect();
        if between.rules || !some.is_empty() { some } else { all }
    }

    /// The shape that is taken where nothing was measured.
    #[must_use]
    pub fn likely(facts: &Facts, size: [usize; 3]) -> Shape {
        Shape::likely_for(facts, size, Between::default())
    }

    /// The same with this between two steps. Of what does several steps at once, those that it does by themselves where rules stand.
    #[must_use]
    pub fn likely_for(facts: &Facts, size: [usize; 3], between: Between) -> Shape {
        let first = |between| Shape::candidates_for(facts, size, between).first().copied();
        let single = || first(Between::default()).map(|shape| shape.single());
        let does = |shape: &Shape| !between.rules || shape.does_rules(facts);
        first(between).or_else(single).filter(does).unwrap_or(Shape::PLAIN)
    }

    /// Whether the kernels of this shape do what boundary rules say.
    #[must_use]
    pub fn does_rules(&self, facts: &Facts) -> bool {
        self.steps() == 1 && (self.march.is_none() || !takes_turns(facts))
    }
}
