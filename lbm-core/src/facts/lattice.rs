//! A lattice as a value.

use crate::error::Error;
use crate::lattice::{Lattice, Set};

/// A lattice without its type.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LatticeFacts {
    /// [`Lattice::NAME`]
    pub name: &'static str,
    /// [`Lattice::D`]
    pub dimension: usize,
    /// [`Lattice::VELOCITIES`]
    pub velocities: &'static [[i32; 3]],
    /// [`Lattice::OPPOSITES`]
    pub opposites: &'static [usize],
    /// [`Lattice::WEIGHTS`]
    pub weights: &'static [f64],
    /// [`Lattice::CS2`]
    pub cs2: f64,
    /// [`Lattice::SETS`]
    pub sets: &'static [Set],
}

impl LatticeFacts {
    /// Those of a lattice.
    #[must_use]
    pub const fn of<L: Lattice>() -> LatticeFacts {
        LatticeFacts {
            name: L::NAME,
            dimension: L::D,
            velocities: L::VELOCITIES,
            opposites: L::OPPOSITES,
            weights: L::WEIGHTS,
            cs2: L::CS2,
            sets: L::SETS,
        }
    }

    /// How many nodes away along an axis a population comes from at most.
    #[must_use]
    pub fn reach(&self) -> usize {
        self.velocities.iter().flatten().map(|c| c.unsigned_abs() as usize).max().unwrap_or(0)
    }

    /// The directions whose populations carry the momentum: all, or those of the first of several sets.
    #[must_use]
    pub fn flow(&self) -> std::ops::Range<usize> {
        self.sets.first().map_or(0..self.q(), Set::directions)
    }

    /// The set of populations of this name.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the names that there are.
    pub fn set(&self, name: &str) -> Result<&'static Set, Error> {
        self.sets.iter().find(|set| set.name == name).ok_or_else(|| {
            let remedy = match self.sets.is_empty() {
                true => "only a model has sets of populations by name".to_owned(),
                false => format!(
                    "{} has {}",
                    self.name,
                    self.sets.iter().map(|set| set.name).collect::<Vec<_>>().join(", ")
                ),
            };
            Error::unknown("set of populations", name, self.sets.iter().map(|set| set.name), remedy)
        })
    }

    /// Number of velocities.
    #[must_use]
    pub const fn q(&self) -> usize {
        self.velocities.len()
    }

    /// What half-way bounce-back adds to the population that comes back along c_i from a wall moving with `velocity`
    /// (lattice units): 2 w_i rho0 (c_i . u_w) / c_s^2 with rho0 = 1.
    ///
    /// A wall at rest adds minus zero, which changes no number: it need not be added at all. Nor does a wall move what populations of further
    /// sets carry.
    ///
    /// Source: Ladd, J. Fluid Mech. 271 (1994) 285; the reference density keeps the mass of a closed box.
    #[must_use]
    pub fn wall_term(&self, i: usize, velocity: [f64; 3]) -> f64 {
        let c = self.velocities[i].map(f64::from);
        let along = c[0] * velocity[0] + c[1] * velocity[1] + c[2] * velocity[2];
        if along == 0.0 || !self.flow().contains(&i) {
            -0.0
        } else {
            2.0 * self.weights[i] * along / self.cs2
        }
    }

    /// The terms of each direction of each of these walls: direction i of wall w at `w Q + i`.
    #[must_use]
    pub fn wall_terms(&self, walls: &[[f64; 3]]) -> Vec<f64> {
        walls.iter().flat_map(|&velocity| (0..self.q()).map(move |i| self.wall_term(i, velocity))).collect()
    }
}
