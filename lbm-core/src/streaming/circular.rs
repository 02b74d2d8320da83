//! One copy of the populations in rings that turn: streaming moves no data.

use super::{Access, Streaming};
use crate::facts::{Facts, LatticeFacts};
use crate::lattice::Lattice;

/// One copy; a node reads and writes its own place in each ring, and from step to step each ring turns by its velocity.
///
/// Source: Dethier, de Marneffe, Marchot, *Lattice Boltzmann simulation code optimization based on constant-time circular
/// array shifting*, Procedia Computer Science 4 (2011) 1004; Khani & Wu (CCAS on a GPU).
#[derive(Clone, Copy, Debug)]
pub struct Ccas;

impl Streaming for Ccas {
    const NAME: &'static str = "ccas";
    const COPIES: usize = 1;
    const PERIOD: usize = 1;
    const CIRCULAR: bool = true;

    #[inline(always)]
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        Access { shift: [0; 3], slot: i }
    }
}

/// One direction's links into one plane of nodes at a face, from the opposite face: what turning rings bring to a wrong
/// place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The axis that the face is across.
    pub axis: usize,
    /// The direction.
    pub direction: usize,
    /// How far the plane lies from the face where the direction enters: 0 and up to the velocity's component less 1.
    pub depth: usize,
}

impl Crossing {
    /// All of a lattice. A link across two faces is in two of them.
    #[must_use]
    pub fn all(lattice: &LatticeFacts) -> Vec<Crossing> {
        let mut all = Vec::new();
        for axis in 0..3 {
            for (direction, c) in lattice.velocities.iter().enumerate() {
                let reach = c[axis].unsigned_abs() as usize;
                all.extend((0..reach).map(|depth| Crossing { axis, direction, depth }));
            }
        }
        all
    }

    /// How many values cross the faces of a box of `size` nodes: none where slots do not turn.
    #[must_use]
    pub fn values(facts: &Facts, size: [usize; 3]) -> usize {
        let all = if facts.circular { Crossing::all(&facts.lattice) } else { Vec::new() };
        all.iter().map(|crossing| crossing.area(size)).sum()
    }

    /// Nodes of the plane in a box of `size` nodes.
    #[must_use]
    pub fn area(&self, size: [usize; 3]) -> usize {
        self.along().into_iter().map(|axis| size[axis]).product()
    }

    /// The two other axes, along which the plane lies.
    #[must_use]
    pub fn along(&self) -> [usize; 2] {
        match self.axis {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        }
    }
}
