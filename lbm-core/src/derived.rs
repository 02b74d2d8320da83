//! Fields of nodes that follow from others, computed before nodes collide: what neighbours may read of a node.
//!
//! A step computes them in passes: first from the populations that come to each node, then from fields of the passes before, at neighbours too. They
//! stand behind the fields that are set ([`Body::FIELDS`](crate::Body::FIELDS)), one number a field and node.

mod padded;
mod surroundings;

pub use lbm_base::body::MOST_PASSES;

use std::ops::Range;

pub use padded::Padded;
pub use surroundings::Surroundings;

/// A field that follows from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DerivedField {
    /// Its name.
    pub name: &'static str,
    /// What a wall has is the mean of the fluid nodes beside it times this one of the [uniforms](crate::Body::Uniforms), and the next one more.
    pub at_wall: usize,
    /// Whether the collision reads it, and not only a later pass.
    pub collides: bool,
}

impl DerivedField {
    /// One of this name.
    #[must_use]
    pub const fn new(name: &'static str, at_wall: usize, collides: bool) -> DerivedField {
        DerivedField { name, at_wall, collides }
    }
}

/// A value that a pass reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NearRead {
    /// The number of the field, among all that a node has.
    pub field: usize,
    /// How far away the node is that has it.
    pub offset: [i32; 3],
}

impl NearRead {
    /// Of this field, so far away.
    #[must_use]
    pub const fn new(field: usize, offset: [i32; 3]) -> NearRead {
        NearRead { field, offset }
    }
}

/// A pass that computes fields of all nodes. The first one reads what comes to each node, and its fields that are set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Derivation {
    /// The fields that it computes.
    pub fields: Range<usize>,
    /// What a later one reads.
    pub reads: &'static [NearRead],
}

impl Derivation {
    /// One that computes these fields from what it reads.
    #[must_use]
    pub const fn new(fields: Range<usize>, reads: &'static [NearRead]) -> Derivation {
        Derivation { fields, reads }
    }
}

/// How far away values are read along an axis at most, nodes.
#[must_use]
pub const fn reach(derivations: &[Derivation]) -> usize {
    let (mut most, mut pass) = (0, 0);
    while pass < derivations.len() {
        let (reads, mut n) = (derivations[pass].reads, 0);
        while n < 3 * reads.len() {
            let far = reads[n / 3].offset[n % 3].unsigned_abs() as usize;
            most = if far > most { far } else { most };
            n += 1;
        }
        pass += 1;
    }
    most
}
