//! Fields and sums from populations.

use lbm_core::{Body, Domain, Lattice, Variant};

/// The nodes of a box in the order x, y, z.
pub(crate) fn positions(size: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let [nx, ny, nz] = size;
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
}

/// Calls `visit(index, shifted populations)` for every fluid node.
pub(super) fn for_each_fluid_node<V: Variant>(
    domain: &Domain,
    populations: &[f64],
    mut visit: impl FnMut(usize, &[f64]),
) {
    let nodes = domain.nodes();
    let mut h = V::Lattice::filled(0.0);
    for index in 0..nodes {
        if domain.flags.get(index).is_some_and(|&flag| flag != 0) {
            continue;
        }
        for (i, value) in h.as_mut().iter_mut().enumerate() {
            *value = populations[index + nodes * i];
        }
        visit(index, h.as_ref());
    }
}

/// The viscous stress of a node, `[xx, yy, zz, xy, xz, yz]`, from its pre-collision populations:
/// -(1 - omega / 2) times the second moment of the non-equilibrium, completed by the force's half term
/// (Guo, Zheng & Shi, PRE 65, 046308, 2002).
pub(super) fn stress<V: Variant>(
    h: &[f64],
    force: [f64; 3],
    omega: f64,
    equilibrium: &mut [f64],
) -> [f64; 6] {
    let [rho, ux, uy, uz] = V::Body::macroscopic(h, force);
    let u = [ux, uy, uz];
    V::Body::equilibrium(rho, u, equilibrium);
    let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
    pairs.map(|(a, b)| {
        let moment: f64 = (0..V::Lattice::Q)
            .map(|i| {
                let c = V::Lattice::VELOCITIES[i];
                f64::from(c[a] * c[b]) * (h[i] - equilibrium[i])
            })
            .sum();
        -(1.0 - 0.5 * omega) * (moment + 0.5 * (u[a] * force[b] + u[b] * force[a]))
    })
}

/// A sum that keeps the digits lost in each addition (Neumaier, ZAMM 54, 39, 1974).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CompensatedSum {
    sum: f64,
    lost: f64,
}

impl CompensatedSum {
    /// Adds a number.
    pub(crate) fn add(&mut self, x: f64) {
        let sum = self.sum + x;
        let larger_first = self.sum.abs() >= x.abs();
        self.lost += if larger_first { (self.sum - sum) + x } else { (x - sum) + self.sum };
        self.sum = sum;
    }

    /// The sum, rounded once.
    pub(crate) fn value(self) -> f64 {
        self.sum + self.lost
    }
}
