//! What a lattice is: velocities, weights, speed of sound, and the facts derived from them.

use std::fmt::Debug;

use crate::facts::LatticeFacts;

/// A set of populations of a node that has several: some of the directions of the lattice that they are together.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Set {
    /// Its name in the model, e.g. `heat`.
    pub name: &'static str,
    /// Its first direction.
    pub first: usize,
    /// The sum of its populations at rest: where shifted ones are 0.
    pub rest: f64,
    /// Its own lattice, of which direction i is `first + i`.
    pub lattice: LatticeFacts,
}

impl Set {
    /// A set of this name on a lattice.
    #[must_use]
    pub const fn new(name: &'static str, first: usize, rest: f64, lattice: LatticeFacts) -> Set {
        Set { name, first, rest, lattice }
    }

    /// Whether it is a value that nodes keep from step to step, [`Rest`].
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.lattice.q() == 1
    }

    /// Its directions.
    #[must_use]
    pub fn directions(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.lattice.q()
    }
}

/// One population at rest: a value that a node of a model keeps from step to step (`prev(x)`).
#[derive(Clone, Copy, Debug)]
pub struct Rest<const DIMENSION: usize>;

impl<const DIMENSION: usize> Lattice for Rest<DIMENSION> {
    const NAME: &'static str = ["", "D1Q1", "D2Q1", "D3Q1"][DIMENSION];
    const D: usize = DIMENSION;
    const Q: usize = 1;
    const VELOCITIES: &'static [[i32; 3]] = &[[0; 3]];
    const WEIGHTS: &'static [f64] = &[1.0];
    const OPPOSITES: &'static [usize] = &[0];
    const CS2: f64 = 1.0 / 3.0;
    const ISOTROPY: u32 = 0;
    const DECLARATION: &'static str = "";

    type PerDirection<T: Copy + Send + Sync> = [T; 1];

    fn filled<T: Copy + Send + Sync>(value: T) -> [T; 1] {
        [value]
    }
}

/// A velocity set with its weights. Written by `lattice!`, which computes every derived constant.
///
/// Velocities are integers (nodes a time step); components past [`D`](Lattice::D) are zero.
pub trait Lattice: Copy + Debug + Send + Sync + 'static {
    /// The name as declared, e.g. `D3Q19`.
    const NAME: &'static str;
    /// Dimension: 1, 2 or 3.
    const D: usize;
    /// Number of velocities.
    const Q: usize;
    /// The velocities c_i.
    const VELOCITIES: &'static [[i32; 3]];
    /// The weights w_i; they sum to 1, those of each set where there are several.
    const WEIGHTS: &'static [f64];
    /// `OPPOSITES[i]` is the direction with c = -c_i.
    const OPPOSITES: &'static [usize];
    /// The speed of sound squared, c_s^2.
    const CS2: f64;
    /// The highest even order to which the weighted velocity tensors are isotropic: 2 (advection-diffusion),
    /// 4 (Navier-Stokes) or 6.
    const ISOTROPY: u32;
    /// The declaration's tokens, so that tools can print a kernel at run time.
    const DECLARATION: &'static str;
    /// The sets of populations that a node of a model has, in the order of their directions; none where it has one. The first carries the momentum.
    const SETS: &'static [Set] = &[];

    /// `Q` values, one a direction.
    type PerDirection<T: Copy + Send + Sync>: AsRef<[T]> + AsMut<[T]> + Copy + Send + Sync;

    /// `Q` copies of one value.
    fn filled<T: Copy + Send + Sync>(value: T) -> Self::PerDirection<T>;
}
