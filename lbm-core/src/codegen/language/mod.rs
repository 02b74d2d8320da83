//! `collision!`: a small language of formulas in Rust's syntax, evaluated to polynomials.
//!
//! A collision is a name, its parameters, and statements over the populations of one node:
//!
//! ```text
//! pub Trt(magic = 3/16) {
//!     let tau_even = viscosity / cs2 + 1/2;             // uniform: computed once a run, not once a node
//!     let omega_even = 1 / tau_even;
//!     for i in directions {
//!         f[i] = f[i] + omega_even * (equilibrium[i] - f[i]);
//!     }
//! }
//! ```
//!
//! What stands in a formula is expanded and simplified freely; `let` names a quantity that the kernel computes
//! once and keeps whole. A closure (`let even = |i| (f[i] + f[opposite[i]]) / 2;`) is a formula without a
//! quantity of its own. On the right side `f` is always the pre-collision population.
//!
//! | name | what it is |
//! |---|---|
//! | `directions`, `dimensions`, `moments` | ranges `0..Q`, `0..D`, `0..Q` for `for`, `.map(..)`, `.sum(..)`, `.filter(..)` |
//! | `pairs` | list of `[i, opposite of i]`, each pair once |
//! | `f[i]`, `w[i]`, `c[i][a]`, `opposite[i]`, `cs2` | population, weight, velocity, opposite direction, speed of sound squared |
//! | `rho`, `u[a]`, `j[a]` | density, velocity, momentum (force's half step included) |
//! | `equilibrium[i]` | of the solver's equilibrium: quasi-compressible or incompressible |
//! | `force[a]`, `source[i]` | body force and Guo's source term; zero without forcing |
//! | `viscosity` | kinematic viscosity in lattice units |
//! | `to_moments(list)`, `from_moments(list)` | weighted-orthogonal moments of Q values, and back |
//! | `basis[k][i]`, `norm[k]`, `order[k]` | the moment basis, its norms, degrees |
//! | `is_conserved[k]`, `is_shear[k]`, `is_bulk[k]` | what moment k is |
//! | `isotropy` | the lattice's order of isotropy, for `require(isotropy >= 4, "why")` |
//! | `delta(a, b)`, `sqrt(x)` | Kronecker's delta of indices; the square root |
//! | `abs(x)`, `min(x, y)`, `max(x, y)`, `clamp(x, low, high)` | magnitude; the smaller, the larger; x, but not below low or above high |
//! | `select(condition, x, y)` | x where the condition holds, else y; both are computed |
//!
//! Conditions compare numbers with `<`, `<=`, `>`, `>=`, `==`, `!=` and are joined by `&&`, `||`, `!`. What compares constants
//! (indices, entries of `c`, `w`) is known while the kernel is generated, and `if`, `.filter(..)` and `require` need that; what
//! compares values of a node is a choice that the kernel makes, and `select` takes it. All bits are those of these rules, on every
//! backend, where a number is NaN (a comparison with NaN does not hold, but for `!=`, which does), and where a zero is negative
//! (`-0 == 0`):
//!
//! | word | is |
//! |---|---|
//! | `min(x, y)` | `select(x < y, x, y)`: y where one of them is NaN |
//! | `max(x, y)` | `select(x > y, x, y)`: y where one of them is NaN |
//! | `clamp(x, low, high)` | `min(max(x, low), high)`: low where x is NaN |
//! | `abs(x)` | x without its sign; NaN where x is NaN |

mod builtin;
mod condition;
mod evaluate;
mod foreign;
mod parse;
mod prelude;
mod statements;
mod value;

pub use builtin::REFUSED;
pub use evaluate::{Kernel, evaluate};
pub use parse::{CollisionDeclaration, ParameterDeclaration};

use super::lattice::LatticeSpec;
use super::rational::Rational;
use std::collections::BTreeMap;

/// The equilibrium that `equilibrium[i]` and `u` follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Equilibrium {
    /// f_eq = w rho (1 + c.u/cs2 + (c.u)^2/(2 cs4) - u.u/(2 cs2)), rho u = sum c f.
    #[default]
    QuasiCompressible,
    /// f_eq = w (rho + c.u/cs2 + (c.u)^2/(2 cs4) - u.u/(2 cs2)), u = sum c f (He & Luo 1997).
    Incompressible,
}

/// What the populations feel besides each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Forcing {
    /// Nothing.
    #[default]
    None,
    /// A constant body force after Guo, Zheng & Shi 2002.
    Guo,
}

/// Which quantities are given, and which follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Populations are given, density and velocity follow; the force is a parameter.
    Populations,
    /// The same, but the force is an input like the populations (for macroscopic fields).
    PopulationsAndForce,
    /// Density and velocity are given: for equilibrium populations.
    Macroscopic,
}

/// The choices under which a collision is evaluated.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The equilibrium.
    pub equilibrium: Equilibrium,
    /// The forcing.
    pub forcing: Forcing,
    /// Parameters with values that are built into the kernel: by name, or by the name of a family.
    pub baked: BTreeMap<String, Rational>,
    /// Whether the trace of the momentum flux is a quantity of its own. Sharing it helps BGK, spreading it
    /// helps moments; the pipeline tries both.
    pub share_flux_trace: bool,
}

/// What the names of the language mean for one lattice.
#[derive(Debug)]
pub struct Scope<'a> {
    /// The lattice.
    pub lattice: &'a LatticeSpec,
    /// The choices.
    pub choices: &'a Choices,
    /// What is given.
    pub given: Given,
}
