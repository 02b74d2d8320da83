//! What a flow does to a body: the momentum that crosses its surface.
//!
//! Along a link that a wall cuts, a node sends f*_o(x, t) to the wall and takes f_i(x, t + 1) from it, with c_i = -c_o. The body takes
//! what goes in less what comes out, seen from the wall, which moves with u_w:
//!
//! ```text
//! F = sum over links of  (c_o - u_w) f*_o(x, t) - (c_i - u_w) f_i(x, t + 1)
//! ```
//!
//! Source: Wen, Zhang, Tu, Wang & Fang, J. Comput. Phys. 266 (2014) 161, eq. 13: Galilean-invariant. Any rule may have set f_i, so no body needs
//! arithmetic of its own. Shifted populations are used: what a fluid at rest of density 1 presses is left out. On a body that the
//! fluid surrounds it adds up to nothing, and on an open patch it is not wanted.
//!
//! The sums are exact ([`ExactSum`]): no scheme, layout, backend or number of threads changes a bit of them.

use std::ops::Range;

use crate::engine::Setup;
use crate::incoming::Incoming;
use crate::sums::ExactSum;

/// Force and torque on a body (lattice units), from step t to t + 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Forces {
    /// The force; pressure counts from that of the fluid at rest with density 1. NaN once the flow has diverged.
    pub force: [f64; 3],
    /// The torque about the point that was asked for; in 2D only the last component can differ from zero.
    pub torque: [f64; 3],
}

impl Forces {
    /// A force and a torque, e.g. of a table that was written before.
    #[must_use]
    pub fn new(force: [f64; 3], torque: [f64; 3]) -> Forces {
        Forces { force, torque }
    }

    /// Force coefficients along the axes, 2 F / (rho u^2 A) with rho = 1: drag and lift of a flow along x. `area` is the body's extent
    /// across the flow times its depth; in 2D the extent.
    #[must_use]
    pub fn coefficients(&self, speed: f64, area: f64) -> [f64; 3] {
        self.force.map(|force| 2.0 * force / (speed * speed * area))
    }
}

/// A link at which a body is touched.
#[derive(Clone, Copy, Debug)]
struct Touch {
    /// The direction that comes from the body.
    back: usize,
    /// Where the wall cuts it; the centre of node `[i, j, k]` is `[i + 1/2, j + 1/2, k + 1/2]`.
    at: [f64; 3],
    /// The wall's velocity there.
    velocity: [f64; 3],
}

/// A node beside a body.
#[derive(Clone, Debug)]
struct Beside {
    node: usize,
    /// For each direction, where in [`Contact::nodes`] the node is from which it comes.
    origins: Vec<u32>,
    /// Where in [`Contact::nodes`] it is itself.
    own: u32,
    touches: Vec<Touch>,
}

/// Where a body touches the fluid.
#[derive(Clone, Debug)]
pub struct Contact {
    nodes: Vec<usize>,
    beside: Vec<Beside>,
}

impl Contact {
    /// The contact of the body whose walls have these numbers ([`Domain::walls`](crate::Domain::walls)).
    #[must_use]
    pub fn of(incoming: &Incoming, setup: &Setup, walls: &Range<usize>) -> Contact {
        let (q, domain) = (incoming.facts().lattice.q(), incoming.domain());
        let at_rest = domain.walls();
        let mut found: Vec<(usize, Vec<Touch>)> = Vec::new();
        for here in incoming.links().iter() {
            let cut = here.iter().filter(|link| walls.contains(&link.meets));
            let touches: Vec<Touch> = cut
                .map(|link| {
                    let ruled = Ruled::of(setup, incoming, link.node, link.direction);
                    let Ruled { distance, velocity } =
                        ruled.unwrap_or(Ruled { distance: 0.5, velocity: at_rest[link.meets] });
                    let c = incoming.facts().lattice.velocities[link.direction];
                    let node = domain.position(link.node);
                    let at = |axis: usize| node[axis] as f64 + 0.5 - distance * f64::from(c[axis]);
                    Touch { back: link.direction, at: std::array::from_fn(at), velocity }
                })
                .collect();
            if !touches.is_empty() {
                found.push((here.node, touches));
            }
        }
        let asked = |node: usize| {
            (0..q).map(move |i| incoming.origin(node, i)).chain([node]).chain(incoming.observed(node))
        };
        let mut nodes: Vec<usize> = found.iter().flat_map(|&(node, _)| asked(node)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let place = |node: usize| nodes.partition_point(|&other| other < node) as u32;
        let beside = found.into_iter().map(|(node, touches)| {
            let origins = (0..q).map(|i| place(incoming.origin(node, i))).collect();
            Beside { node, origins, own: place(node), touches }
        });
        Contact { beside: beside.collect(), nodes }
    }

    /// The nodes whose populations are asked for, ascending: those beside the body and their neighbours.
    #[must_use]
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// Links between fluid and body.
    #[must_use]
    pub fn links(&self) -> usize {
        self.beside.iter().map(|beside| beside.touches.len()).sum()
    }

    /// Force and torque about a point from the post-collision populations of [`nodes`](Contact::nodes) after `step` steps, direction after direction. The
    /// point is given as shapes are: the centre of node `[i, j, k]` is `[i + 1/2, j + 1/2, k + 1/2]`.
    #[must_use]
    pub fn forces(&self, incoming: &Incoming, step: u64, populations: &[f64], about: [f64; 3]) -> Forces {
        let lattice = &incoming.facts().lattice;
        let (count, dimension) = (self.nodes.len(), lattice.dimension);
        let arm = |touch: &Touch| -> [f64; 3] {
            std::array::from_fn(|axis| if axis < dimension { touch.at[axis] - about[axis] } else { 0.0 })
        };
        let all = self.beside.iter().flat_map(|beside| &beside.touches).flat_map(arm);
        // A power of two above all arms: by it no digit is lost, and the sum's numbers stay small.
        let longest = all.fold(1.0, |most: f64, length| most.max(length.abs()));
        let unit = 4.0 * longest.log2().ceil().exp2();
        let mut sums = [ExactSum::default(); 6];
        let mut before = vec![0.0; lattice.q()];
        for beside in &self.beside {
            let stored = |place: u32, i: usize| populations[place as usize + count * i];
            let sent = |node: usize, i: usize| {
                let place = match self.nodes[beside.origins[i] as usize] {
                    _ if node == beside.node => beside.own,
                    origin if node == origin => beside.origins[i],
                    // One that a rule observes.
                    _ => self.nodes.partition_point(|&other| other < node) as u32,
                };
                stored(place, i)
            };
            incoming.at((beside.node, step + 1), sent, &mut before);
            for touch in &beside.touches {
                let (back, toward) = (touch.back, lattice.opposites[touch.back]);
                let (gone, come) = (stored(beside.own, toward), before[back]);
                let c = lattice.velocities[toward].map(f64::from);
                let force = [0, 1, 2].map(|k| c[k] * (gone + come) - touch.velocity[k] * (gone - come));
                let arm = arm(touch).map(|length| length / unit);
                let torque = [(1, 2), (2, 0), (0, 1)].map(|(a, b)| arm[a] * force[b] - arm[b] * force[a]);
                let parts = force.into_iter().chain(torque);
                sums.iter_mut().zip(parts).for_each(|(sum, part)| sum.add(part));
            }
        }
        let [x, y, z, along_x, along_y, along_z] = sums.map(|sum| sum.value());
        Forces { force: [x, y, z], torque: [along_x, along_y, along_z].map(|torque| torque * unit) }
    }
}

/// What a rule of links knows of one.
struct Ruled {
    distance: f64,
    velocity: [f64; 3],
}

impl Ruled {
    /// That of a link, if it has such a rule; a rule without a velocity has a wall at rest.
    fn of(setup: &Setup, incoming: &Incoming, node: usize, back: usize) -> Option<Ruled> {
        let (domain, dimension) = (&setup.domain, incoming.facts().lattice.dimension);
        let place = domain.links.binary_search_by_key(&(node, back), |link| (link.node, link.back)).ok()?;
        let link = &domain.links[place];
        let applied = &domain.rules[link.rule];
        let rule = setup.rules.iter().find(|rule| rule.name == applied.rule)?;
        let (mut velocity, mut first) = ([0.0; 3], 0);
        for parameter in rule.parameters {
            let count = parameter.components(dimension);
            if parameter.vector && parameter.name == "velocity" {
                velocity[..count].copy_from_slice(&applied.at(link.place)[first..first + count]);
            }
            first += count;
        }
        Some(Ruled { distance: link.distance, velocity })
    }
}
