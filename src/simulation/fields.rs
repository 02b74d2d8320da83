//! Fields and sums from populations.

use lbm_core::engine::PendingFields;
use lbm_core::{Domain, Error, Facts};

/// Density and velocity of all nodes at one step (lattice units, order x, y, z).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fields {
    /// Time steps done.
    pub step: u64,
    /// The density of each node; 1 in solids.
    pub density: Vec<f64>,
    /// The velocity of each node; zero in solids.
    pub velocity: Vec<[f64; 3]>,
}

impl Fields {
    /// Those of a fluid at rest.
    pub(super) fn at_rest(step: u64, nodes: usize) -> Fields {
        Fields { step, density: vec![1.0; nodes], velocity: vec![[0.0; 3]; nodes] }
    }

    pub(super) fn set(&mut self, index: usize, [rho, ux, uy, uz]: [f64; 4]) {
        self.density[index] = rho;
        self.velocity[index] = [ux, uy, uz];
    }
}

/// Fields that were asked for at one step; the flow may go on before they are there.
#[must_use = "the fields come from `wait`"]
pub struct StartedFields {
    /// Those of a fluid at rest while an engine computes them.
    fields: Fields,
    /// Which nodes are solid, and what the engine computes.
    pending: Option<(Vec<u8>, Box<dyn PendingFields>)>,
}

impl StartedFields {
    pub(super) fn ready(fields: Fields) -> StartedFields {
        StartedFields { fields, pending: None }
    }

    pub(super) fn pending(step: u64, domain: &Domain, pending: Box<dyn PendingFields>) -> StartedFields {
        let fields = Fields::at_rest(step, domain.nodes());
        StartedFields { fields, pending: Some((domain.flags.clone(), pending)) }
    }

    /// Waits for them.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn wait(mut self) -> Result<Fields, Error> {
        if let Some((flags, pending)) = self.pending {
            let states = pending.wait()?;
            fluid(&flags, states.len()).for_each(|index| self.fields.set(index, states[index]));
        }
        Ok(self.fields)
    }
}

impl std::fmt::Debug for StartedFields {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StartedFields").field("step", &self.fields.step).finish_non_exhaustive()
    }
}

/// The indices of fluid nodes; `flags` are those of a [`Domain`].
pub(super) fn fluid(flags: &[u8], nodes: usize) -> impl Iterator<Item = usize> {
    (0..nodes).filter(|&index| flags.get(index).is_none_or(|&flag| flag == 0))
}

/// The nodes of a box in the order x, y, z.
pub fn positions(size: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let [nx, ny, nz] = size;
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
}

/// Calls `visit(index, shifted populations)` for every fluid node.
pub(super) fn for_each_fluid_node(
    q: usize,
    domain: &Domain,
    populations: &[f64],
    mut visit: impl FnMut(usize, &[f64]),
) {
    let nodes = domain.nodes();
    let mut h = vec![0.0; q];
    for index in fluid(&domain.flags, nodes) {
        for (i, value) in h.iter_mut().enumerate() {
            *value = populations[index + nodes * i];
        }
        visit(index, &h);
    }
}

/// The viscous stress of a node, `[xx, yy, zz, xy, xz, yz]`, from its pre-collision populations:
/// -(1 - omega / 2) times the second moment of the non-equilibrium, completed by the force's half term
/// (Guo, Zheng & Shi, PRE 65, 046308, 2002).
pub(super) fn stress(
    facts: &Facts,
    h: &[f64],
    force: [f64; 3],
    omega: f64,
    equilibrium: &mut [f64],
) -> [f64; 6] {
    let [rho, ux, uy, uz] = facts.macroscopic(h, force);
    let u = [ux, uy, uz];
    facts.equilibrium(rho, u, equilibrium);
    let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
    pairs.map(|(a, b)| {
        let moment: f64 = (0..facts.lattice.q())
            .map(|i| {
                let c = facts.lattice.velocities[i];
                f64::from(c[a] * c[b]) * (h[i] - equilibrium[i])
            })
            .sum();
        -(1.0 - 0.5 * omega) * (moment + 0.5 * (u[a] * force[b] + u[b] * force[a]))
    })
}

/// A sum that keeps the digits lost in each addition (Neumaier, ZAMM 54, 39, 1974).
#[derive(Clone, Copy, Debug, Default)]
pub struct CompensatedSum {
    sum: f64,
    lost: f64,
}

impl CompensatedSum {
    /// Adds a number.
    pub fn add(&mut self, x: f64) {
        let sum = self.sum + x;
        let larger_first = self.sum.abs() >= x.abs();
        self.lost += if larger_first { (self.sum - sum) + x } else { (x - sum) + self.sum };
        self.sum = sum;
    }

    /// The sum, rounded once.
    pub fn value(self) -> f64 {
        self.sum + self.lost
    }
}
