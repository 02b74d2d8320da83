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
    /// An exchange with other parts of a box.
    pub exchange: bool,
}

impl Between {
    /// Boundary rules, an exchange, or neither.
    #[must_use]
    pub const fn of(rules: bool, exchange: bool) -> Between {
        Between { rules, exchange }
    }
}

impl Shape {
    /// The [candidates](Shape::candidates) that let be done what is between two steps. A march in which blocks wait for each other's planes does nodes at walls itself, and no
    /// rules: planes are launches then. A variant that does nothing but several steps at once keeps its shapes where values are exchanged: each also does one.
    #[must_use]
    pub fn candidates_for(facts: &Facts, size: [usize; 3], between: Between) -> Vec<Shape> {
        let all = match between.rules && takes_turns(facts) {
            true => in_planes(facts, size),
            false => Shape::candidates(facts, size),
        };
        let single: Vec<Shape> = all.iter().filter(|shape| shape.steps() == 1).copied().collect();
        if between.rules || between.exchange && !single.is_empty() { single } else { all }
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
