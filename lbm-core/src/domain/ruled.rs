//! Boundary rules with their values, and what they stand at besides faces: links, and nodes of the fluid.

use crate::rules::InTime;

/// A boundary rule ([`rules`](crate::rules)) with its values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AppliedRule {
    /// Its name, e.g. `zou-he-velocity`.
    pub rule: String,
    /// Values of its parameters, component after component: those of all nodes, or of one node of the face after another, in the order
    /// x, y, z; of links, of one place after another.
    pub values: Vec<f64>,
    /// How many there are of a node.
    pub count: usize,
    /// What comes to them in time.
    pub in_time: Vec<InTime>,
    /// How far the wall of what flows lies beyond nodes at a face, in node spacings: 0 on them; 1/2 half-way, as where the rule is that of a
    /// further set of populations.
    pub beyond: f64,
    /// Whether what comes from beyond its face and a wall's beside is the rule's, at a face; else it is the wall's.
    pub before_walls: bool,
}

impl AppliedRule {
    /// A rule with `count` values a place, which are the same at all times.
    #[must_use]
    pub fn new(rule: impl Into<String>, count: usize, values: Vec<f64>) -> AppliedRule {
        AppliedRule {
            rule: rule.into(),
            values,
            count,
            in_time: Vec::new(),
            beyond: 0.5,
            before_walls: false,
        }
    }

    /// The same with these products in time.
    #[must_use]
    pub fn with_products(self, in_time: Vec<InTime>) -> AppliedRule {
        AppliedRule { in_time, ..self }
    }

    /// The same whose wall lies so far beyond the nodes at a face.
    #[must_use]
    pub fn with_wall(self, beyond: f64) -> AppliedRule {
        AppliedRule { beyond, ..self }
    }

    /// The same which holds before walls beside its face.
    #[must_use]
    pub fn holding_before_walls(self, before_walls: bool) -> AppliedRule {
        AppliedRule { before_walls, ..self }
    }

    /// The values of a node of the face.
    #[must_use]
    pub fn at(&self, place: usize) -> &[f64] {
        self.of_place(&self.values, place)
    }

    /// The factors of a node of a product in time, an entry of [`in_time`](AppliedRule::in_time).
    #[must_use]
    pub fn factors_at(&self, term: usize, place: usize) -> &[f64] {
        self.of_place(&self.in_time[term].values, place)
    }

    fn of_place<'a>(&self, values: &'a [f64], place: usize) -> &'a [f64] {
        let first = if values.len() > self.count { place * self.count } else { 0 };
        &values[first..first + self.count]
    }
}

/// A link that a wall with a boundary rule cuts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RuledLink {
    /// Index of its fluid node in the box.
    pub node: usize,
    /// Number of the direction that would come from beyond the wall.
    pub back: usize,
    /// From the node to the wall, in lengths of the link, in 0..=1.
    pub distance: f64,
    /// The rule: an entry of [`Domain::rules`](super::Domain::rules).
    pub rule: usize,
    /// Which of its values are the link's ([`AppliedRule::at`]).
    pub place: usize,
}

impl RuledLink {
    /// The link of a node from beyond which direction `back` would come, half-way, with the first values of this rule.
    #[must_use]
    pub fn new(node: usize, back: usize, rule: usize) -> RuledLink {
        RuledLink { node, back, distance: 0.5, rule, place: 0 }
    }

    /// The same with the wall so far from the node, in lengths of the link, in 0..=1.
    #[must_use]
    pub fn at_distance(self, distance: f64) -> RuledLink {
        RuledLink { distance, ..self }
    }

    /// The same with the values of this place.
    #[must_use]
    pub fn with_place(self, place: usize) -> RuledLink {
        RuledLink { place, ..self }
    }
}

/// A node of the fluid with a boundary rule of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuledNode {
    /// Index of the node in the box.
    pub node: usize,
    /// The rule: an entry of [`Domain::rules`](super::Domain::rules).
    pub rule: usize,
    /// Which of its values are the node's ([`AppliedRule::at`]).
    pub place: usize,
}

impl RuledNode {
    /// A node with the values of a place of this rule.
    #[must_use]
    pub fn new(node: usize, rule: usize, place: usize) -> RuledNode {
        RuledNode { node, rule, place }
    }
}
