//! What papers compare with, on the CPU, as their users write it: D3Q19 BGK in f64 with a table of velocities, a loop over
//! nodes and a loop over directions; no vectors, no symbolic engine, no schemes.
//!
//! Populations are stored as they are, not less their weights, direction after direction. Walls are half-way walls, of
//! which a list of the nodes at faces knows what to read.

mod sweep;

use std::time::Instant;

use lbm_core::facts::LatticeFacts;
use lbm_core::{Domain, Error, Lattice, Links};
use lbm_cuda::assemble::Way;

use super::contestants::Contestant;
use crate::lattices::D3Q19;
use sweep::{by_planes, tiles};

/// Velocities, and their tables.
const Q: usize = 19;
const C: &[[i32; 3]] = D3Q19::VELOCITIES;
const E: [[f64; 3]; Q] = as_numbers();
const W: [f64; Q] = *D3Q19::WEIGHTS.first_chunk().expect("nineteen weights");

/// The velocities as the loops multiply with them: no conversion in every node.
const fn as_numbers() -> [[f64; 3]; Q] {
    let (mut numbers, mut i) = ([[0.0; 3]; Q], 0);
    while i < Q {
        numbers[i] = [C[i][0] as f64, C[i][1] as f64, C[i][2] as f64];
        i += 1;
    }
    numbers
}

/// A node at a face of the box: where its populations come from, and what walls add.
struct Edge {
    node: usize,
    from: [u32; Q],
    terms: [f64; Q],
}

/// A comparator in motion: in a [`Way`] that devices know, too, or as one loop in one thread, node after node.
pub(super) struct Comparator {
    way: Option<Way>,
    size: [usize; 3],
    omega: f64,
    threads: usize,
    /// Sorted by their nodes.
    edges: Vec<Edge>,
    f: Vec<f64>,
    next: Vec<f64>,
    /// What the passes leave for each other, empty where there is one.
    rho: Vec<f64>,
    u: Vec<f64>,
    feq: Vec<f64>,
}

impl Comparator {
    /// A fluid at rest in a box without solid nodes; `omega` is the collision's rate.
    pub(super) fn new(
        domain: &Domain,
        omega: f64,
        way: Option<Way>,
        threads: usize,
    ) -> Result<Comparator, Error> {
        let nodes = domain.nodes();
        let between = |values: usize| match way {
            Some(Way::Separate) => vec![0.0; values * nodes],
            _ => Vec::new(),
        };
        Ok(Comparator {
            way,
            size: domain.size,
            omega,
            threads: if way.is_none() { 1 } else { threads },
            edges: edges(domain)?,
            f: W.iter().flat_map(|&w| std::iter::repeat_n(w, nodes)).collect(),
            next: vec![0.0; Q * nodes],
            rho: between(1),
            u: between(3),
            feq: between(Q),
        })
    }

    /// One loop: pull, collide, store.
    fn fused(&mut self) {
        let Comparator { way, size: [nx, ny, _], omega, .. } = *self;
        let (f, edges, size) = (self.f.as_slice(), self.edges.as_slice(), self.size);
        by_planes(self.threads, size, &mut self.next, &|range, out| {
            let mut row = |y: usize, z: usize| {
                let start = nx * (y + ny * z);
                pull(f, edges, size, start, |node, mut h| {
                    let (rho, u) = (density(&h), momentum(&h));
                    let u = u.map(|j| j / rho);
                    for i in 0..Q {
                        h[i] += omega * (equilibrium(i, rho, u) - h[i]);
                        out[i][node - range.start] = h[i];
                    }
                });
            };
            let planes = range.start / (nx * ny)..range.end / (nx * ny);
            match way {
                Some(Way::Tiled) => tiles(ny, planes, &mut row),
                _ => planes.for_each(|z| (0..ny).for_each(|y| row(y, z))),
            }
        });
    }

    /// Pass after pass. What is left in `next` is post-collision.
    fn separate(&mut self) {
        let Comparator { threads, size, omega, .. } = *self;
        let [nx, ..] = size;
        let nodes: usize = size.iter().product();
        let (f, edges) = (self.f.as_slice(), self.edges.as_slice());
        by_planes(threads, size, &mut self.next, &|range, out| {
            for start in range.clone().step_by(nx) {
                pull(f, edges, size, start, |node, h| {
                    for i in 0..Q {
                        out[i][node - range.start] = h[i];
                    }
                });
            }
        });
        let at = |values: &[f64], node: usize| std::array::from_fn::<f64, Q, _>(|i| values[i * nodes + node]);
        let streamed = self.next.as_slice();
        by_planes(threads, size, &mut self.rho, &|range, out| {
            range.clone().for_each(|node| out[0][node - range.start] = density(&at(streamed, node)));
        });
        let rho = self.rho.as_slice();
        by_planes(threads, size, &mut self.u, &|range, out| {
            for node in range.clone() {
                let j = momentum(&at(streamed, node));
                (0..3).for_each(|axis| out[axis][node - range.start] = j[axis] / rho[node]);
            }
        });
        let u = self.u.as_slice();
        by_planes(threads, size, &mut self.feq, &|range, out| {
            for node in range.clone() {
                let u = [0, 1, 2].map(|axis| u[axis * nodes + node]);
                (0..Q).for_each(|i| out[i][node - range.start] = equilibrium(i, rho[node], u));
            }
        });
        let feq = self.feq.as_slice();
        by_planes(threads, size, &mut self.next, &|range, out| {
            for i in 0..Q {
                let feq = &feq[i * nodes + range.start..i * nodes + range.end];
                out[i].iter_mut().zip(feq).for_each(|(f, feq)| *f += omega * (feq - *f));
            }
        });
    }
}

impl Contestant for Comparator {
    fn set(&mut self, populations: &[f64]) -> Result<(), Error> {
        let nodes = self.f.len() / Q;
        for (n, (f, h)) in self.f.iter_mut().zip(populations).enumerate() {
            *f = h + W[n / nodes];
        }
        Ok(())
    }

    fn get(&self, populations: &mut [f64]) -> Result<(), Error> {
        let nodes = self.f.len() / Q;
        for (n, (h, f)) in populations.iter_mut().zip(&self.f).enumerate() {
            *h = f - W[n / nodes];
        }
        Ok(())
    }

    fn timed(&mut self, steps: u64) -> Result<f64, Error> {
        let start = Instant::now();
        for _ in 0..steps {
            match self.way {
                Some(Way::Separate) => self.separate(),
                _ => self.fused(),
            }
            std::mem::swap(&mut self.f, &mut self.next);
        }
        Ok(start.elapsed().as_secs_f64())
    }

    fn description(&self) -> String {
        format!("cpu, {} thread{}, plain loops", self.threads, if self.threads == 1 { "" } else { "s" })
    }
}

fn density(f: &[f64; Q]) -> f64 {
    f.iter().sum()
}

fn momentum(f: &[f64; Q]) -> [f64; 3] {
    let mut j = [0.0; 3];
    for i in 0..Q {
        for axis in 0..3 {
            j[axis] += E[i][axis] * f[i];
        }
    }
    j
}

/// w rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u.u)
#[inline(always)]
fn equilibrium(i: usize, rho: f64, u: [f64; 3]) -> f64 {
    let cu = E[i][0] * u[0] + E[i][1] * u[1] + E[i][2] * u[2];
    let uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    W[i] * rho * (1.0 + 3.0 * cu + 4.5 * cu * cu - 1.5 * uu)
}

/// Gathers the populations that meet at each node of the row from `start` on; `edges` are all nodes at faces of the box.
#[inline(always)]
fn pull(
    f: &[f64],
    edges: &[Edge],
    [nx, ny, nz]: [usize; 3],
    start: usize,
    mut meet: impl FnMut(usize, [f64; Q]),
) {
    let nodes = nx * ny * nz;
    let strides = [1, nx as isize, (nx * ny) as isize];
    let back: [isize; Q] =
        std::array::from_fn(|i| (0..3).map(|axis| C[i][axis] as isize * strides[axis]).sum());
    let mut edges = edges[edges.partition_point(|edge| edge.node < start)..].iter().peekable();
    for node in start..start + nx {
        let mut h = [0.0; Q];
        match edges.next_if(|edge| edge.node == node) {
            Some(edge) => (0..Q).for_each(|i| h[i] = f[edge.from[i] as usize] + edge.terms[i]),
            None => (0..Q).for_each(|i| h[i] = f[(i * nodes + node).wrapping_add_signed(-back[i])]),
        }
        meet(node, h);
    }
}

fn edges(domain: &Domain) -> Result<Vec<Edge>, Error> {
    let (nodes, walls, lattice) = (domain.nodes(), domain.walls(), LatticeFacts::of::<D3Q19>());
    let links = Links::of(&lattice, domain)?;
    let edge = |node: usize| {
        let position = domain.position(node);
        if domain.is_inner(C, position) {
            return None;
        }
        let (mut from, mut terms) = ([0; Q], [0.0; Q]);
        for i in 0..Q {
            let place = match links.at(node).link(i) {
                Some(link) => {
                    terms[i] = lattice.wall_term(i, walls[link.meets]);
                    lattice.opposites[i] * nodes + node
                }
                None => i * nodes + domain.index(domain.around(position, C[i].map(|c| -c))),
            };
            from[i] = place as u32;
        }
        Some(Edge { node, from, terms })
    };
    Ok((0..nodes).filter_map(edge).collect())
}
