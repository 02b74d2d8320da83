//! Fields and sums from populations.

use std::ops::Range;

use lbm_core::engine::FieldRequest;
use lbm_core::parallel::each_chunk;
use lbm_core::{Domain, Facts};

/// Nodes of which a core takes the fields at a time.
const AT_ONCE: usize = 1 << 14;

/// Density and velocity of nodes at one step (lattice units, order x, y, z).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fields {
    /// Time steps done.
    pub step: u64,
    /// The nodes of the box, by index: all of them, or those that were asked for.
    pub nodes: Range<usize>,
    /// The density of each node, 1 in solids; empty where it was not asked for.
    pub density: Vec<f64>,
    /// The velocity of each node, zero in solids; empty where it was not asked for.
    pub velocity: Vec<[f64; 3]>,
}

impl Fields {
    /// Those that a request asks for, of a fluid at rest.
    pub(super) fn at_rest(step: u64, FieldRequest { nodes, components, .. }: FieldRequest) -> Fields {
        let count = |asked: bool| if asked { nodes.len() } else { 0 };
        let density = vec![1.0; count(components.contains(&0))];
        let velocity = vec![[0.0; 3]; count(components.contains(&1))];
        Fields { step, nodes, density, velocity }
    }

    /// Takes a piece of what an engine computes, but for solid nodes, on all cores.
    pub(super) fn take(&mut self, flags: &[u8], nodes: Range<usize>, values: &[f64]) {
        let (count, first) = (nodes.len(), nodes.start - self.nodes.start);
        let [of_density, of_velocity] = [!self.density.is_empty(), !self.velocity.is_empty()];
        let (density, velocity) = values.split_at(if of_density { count } else { 0 });
        let is_fluid = |n: usize| flags.get(nodes.start + n).is_none_or(|&flag| flag == 0);
        if of_density {
            each_chunk(&mut self.density[first..first + count], AT_ONCE, |number, own| {
                let own = own.iter_mut().enumerate().map(|(n, own)| (number * AT_ONCE + n, own));
                own.filter(|&(n, _)| is_fluid(n)).for_each(|(n, own)| *own = density[n]);
            });
        }
        if of_velocity {
            each_chunk(&mut self.velocity[first..first + count], AT_ONCE, |number, own| {
                let own = own.iter_mut().enumerate().map(|(n, own)| (number * AT_ONCE + n, own));
                let of = |n: usize| [0, 1, 2].map(|k| velocity[n + count * k]);
                own.filter(|&(n, _)| is_fluid(n)).for_each(|(n, own)| *own = of(n));
            });
        }
    }
}

/// Calls with index and `[rho, u_x, u_y, u_z]` of each fluid node of a piece; `flags` are those of a [`Domain`].
pub(super) fn each_fluid(
    flags: &[u8],
    nodes: Range<usize>,
    values: &[f64],
    mut visit: impl FnMut(usize, [f64; 4]),
) {
    let count = nodes.len();
    let fluid = nodes.enumerate().filter(|&(_, node)| flags.get(node).is_none_or(|&flag| flag == 0));
    fluid.for_each(|(n, node)| visit(node, [0, 1, 2, 3].map(|k| values[n + count * k])));
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
    for index in (0..nodes).filter(|&node| domain.flags.get(node).is_none_or(|&flag| flag == 0)) {
        for (i, value) in h.iter_mut().enumerate() {
            *value = populations[index + nodes * i];
        }
        visit(index, &h);
    }
}

/// The viscous stress of a node, `[xx, yy, zz, xy, xz, yz]`, from its populations before the collision and after it: minus the mean of what the second moments
/// of both are off the equilibrium by. Where all of the stress has one rate that is -(1 - omega / 2) times the second moment of the non-equilibrium, completed by the
/// force's half term (Guo, Zheng & Shi, PRE 65, 046308, 2002); a trace with a rate of its own has that.
pub(super) fn stress(
    facts: &Facts,
    [before, after]: [&[f64]; 2],
    force: [f64; 3],
    equilibrium: &mut [f64],
) -> [f64; 6] {
    let [rho, ux, uy, uz] = facts.macroscopic(before, force);
    facts.equilibrium(rho, [ux, uy, uz], equilibrium);
    let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
    pairs.map(|(a, b)| {
        let off = (0..facts.lattice.q()).map(|i| {
            let c = facts.lattice.velocities[i];
            f64::from(c[a] * c[b]) * ((before[i] - equilibrium[i]) + (after[i] - equilibrium[i]))
        });
        -0.5 * off.sum::<f64>()
    })
}
