//! What the generator says of a body, and the most that one may have.

/// How many operations a kernel's body runs for one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operations {
    /// Additions and subtractions, those within an fma included.
    pub adds: usize,
    /// Multiplications, those within an fma included.
    pub muls: usize,
    /// Fused multiply-adds.
    pub fmas: usize,
    /// Divisions.
    pub divs: usize,
    /// Square roots, minima, maxima and the like.
    pub others: usize,
}

/// How the populations of a set follow from what is stored of a node, where that is moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetMoments {
    /// It is of second order, and has moments of its own as `Body::MOMENTS` has them.
    SecondOrder,
    /// It has what its density has beyond rest, its momentum j, and, in the order of `Body::MOMENTS`, second moments about its velocity u = j / rho,
    /// sum (c_i - u) (c_i - u) f_i - rho cs2; Hermite coefficients of higher order are what makes them 0 about u. A node has no other set then.
    ///
    /// Source: Malaspinas, arXiv:1505.06900 (2015); Coreixas, Wissocq, Puigt, Boussuge & Sagaut, Phys. Rev. E 96 (2017) 033306.
    Recursive,
    /// It is a share of the first set but for a flux: f_i = x f0_i + w_i c_i.b / cs2, with x, then the components of b.
    Share,
    /// Its shifted populations are stored themselves.
    Populations,
}

impl SetMoments {
    /// How many values that are, of a set on a lattice of this dimension and so many directions.
    #[must_use]
    pub const fn count(self, dimension: usize, q: usize) -> usize {
        match self {
            SetMoments::SecondOrder | SetMoments::Recursive => {
                1 + dimension + dimension * (dimension + 1) / 2
            }
            SetMoments::Share => 1 + dimension,
            SetMoments::Populations => q,
        }
    }
}

/// The most moments that carry a collision.
pub const MOST_MOMENTS: usize = 24;

/// The most passes of a body.
pub const MOST_PASSES: usize = 4;

/// The directions of a node must fit in a word beside a bit that lists use for themselves
/// (`ListedNodes::IDLE`).
pub const MOST_DIRECTIONS: usize = u64::BITS as usize - 1;
