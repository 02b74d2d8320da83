//! The built-in lattices, declared with the macro that a user's crate uses.
//!
//! Weights are Qian, d'Humieres & Lallemand 1992 (D2Q9, D3Q15, D3Q19), He & Luo 1997 (D3Q27).

use lbm_macros::lattice;

lattice! {
    /// Two dimensions, nine velocities.
    pub D2Q9 {
        dimension: 2,
        shells: [[0, 0], [1, 0], [1, 1]],
        weights: [4/9, 1/9, 1/36],
    }
}

lattice! {
    /// Three dimensions, nineteen velocities: rest, axes, edges.
    pub D3Q19 {
        dimension: 3,
        shells: [[0, 0, 0], [1, 0, 0], [1, 1, 0]],
        weights: [1/3, 1/18, 1/36],
    }
}

lattice! {
    /// Three dimensions, fifteen velocities: rest, axes, corners.
    pub D3Q15 {
        dimension: 3,
        shells: [[0, 0, 0], [1, 0, 0], [1, 1, 1]],
        weights: solve,
        cs2: 1/3,
    }
}

lattice! {
    /// Three dimensions, all twenty-seven velocities: isotropic to the fourth order, and of the sixth all but c_a^6.
    pub D3Q27 {
        dimension: 3,
        shells: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]],
        weights: solve,
        cs2: 1/3,
    }
}

lattice! {
    /// Two dimensions, five velocities: isotropic to the second order only, for advection-diffusion.
    pub D2Q5 {
        dimension: 2,
        shells: [[0, 0], [1, 0]],
        weights: solve,
        cs2: 1/3,
        isotropy: 2,
    }
}

lattice! {
    /// Three dimensions, seven velocities: isotropic to the second order only, for advection-diffusion.
    pub D3Q7 {
        dimension: 3,
        shells: [[0, 0, 0], [1, 0, 0]],
        weights: solve,
        cs2: 1/4,
        isotropy: 2,
    }
}
