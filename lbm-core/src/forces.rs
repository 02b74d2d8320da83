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
use std::sync::Arc;

use crate::engine::{Engine, Setup};
use crate::error::Error;
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

    /// Of what all touches add up to, arms being divided by [`unit`](Contact::unit).
    #[must_use]
    pub fn of(sums: &[ExactSum; COMPONENTS], unit: f64) -> Forces {
        let [x, y, z, along_x, along_y, along_z] = sums.map(|sum| sum.value());
        Forces { force: [x, y, z], torque: [along_x, along_y, along_z].map(|torque| torque * unit) }
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
#[non_exhaustive]
pub struct Touch {
    /// The direction that comes from the body.
    pub back: usize,
    /// That which goes to it.
    pub toward: [f64; 3],
    /// Where the wall cuts it; the centre of node `[i, j, k]` is `[i + 1/2, j + 1/2, k + 1/2]`.
    pub at: [f64; 3],
    /// The wall's velocity there.
    pub velocity: [f64; 3],
    /// Where what goes to the body is among the populations of [`Contact::nodes`].
    pub gone: u32,
}

/// Where a body touches the fluid, in lists as a machine goes through them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Contact {
    /// The nodes whose populations are asked for, ascending: those beside the body, their neighbours, and those that rules observe.
    pub nodes: Vec<usize>,
    /// The nodes beside the body, ascending.
    pub beside: Vec<usize>,
    /// What comes to each of them, direction after direction: where it is among the populations of [`nodes`](Contact::nodes), sent by a
    /// neighbour, or by the node itself where a wall sends it back.
    pub sources: Vec<u32>,
    /// What is added on the way: a wall's term; nothing, which is -0, where there is no wall.
    pub terms: Vec<f64>,
    /// The first of each node's touches, and behind the last node their number.
    pub firsts: Vec<u32>,
    /// The links, node after node.
    pub touches: Vec<Touch>,
}

/// The numbers that a touch adds to: force and torque along the axes.
pub const COMPONENTS: usize = 6;

impl Contact {
    /// The contact of the body whose walls have these numbers ([`Domain::walls`](crate::Domain::walls)).
    #[must_use]
    pub fn of(incoming: &Incoming, setup: &Setup, walls: &Range<usize>) -> Contact {
        let lattice = &incoming.facts().lattice;
        let touched =
            incoming.links().iter().filter(|here| here.iter().any(|link| walls.contains(&link.meets)));
        let beside: Vec<usize> = touched.map(|here| here.node).collect();
        let directions = 0..lattice.q();
        let asked = |&node: &usize| {
            directions
                .clone()
                .map(move |i| incoming.origin(node, i))
                .chain([node])
                .chain(incoming.observed(node))
        };
        let mut nodes: Vec<usize> = beside.iter().flat_map(asked).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut contact = Contact {
            sources: Vec::with_capacity(lattice.q() * beside.len()),
            terms: Vec::with_capacity(lattice.q() * beside.len()),
            nodes,
            beside,
            firsts: vec![0],
            touches: Vec::new(),
        };
        for i in directions {
            for &node in &contact.beside {
                let (from, direction, term) = incoming.source(node, i);
                contact.sources.push(contact.place(from, direction));
                contact.terms.push(term.unwrap_or(-0.0));
            }
        }
        for &node in &contact.beside {
            let here = incoming.links().at(node);
            let cut = here.iter().filter(|link| walls.contains(&link.meets));
            let touches = cut.map(|link| contact.touch(incoming, setup, node, link.direction, link.meets));
            contact.touches.extend(touches.collect::<Vec<_>>());
            contact.firsts.push(contact.touches.len() as u32);
        }
        contact
    }

    /// Where a population of one of the nodes that are asked for is.
    fn place(&self, node: usize, direction: usize) -> u32 {
        (self.nodes.partition_point(|&other| other < node) + self.nodes.len() * direction) as u32
    }

    /// The touch of a link that comes from a wall.
    fn touch(&self, incoming: &Incoming, setup: &Setup, node: usize, back: usize, wall: usize) -> Touch {
        let (lattice, domain) = (&incoming.facts().lattice, incoming.domain());
        let ruled = Ruled::of(setup, incoming, node, back);
        let at_rest = || Ruled { distance: 0.5, velocity: domain.walls()[wall] };
        let Ruled { distance, velocity } = ruled.unwrap_or_else(at_rest);
        let opposite = lattice.opposites[back];
        let (c, position) = (lattice.velocities[back], domain.position(node));
        Touch {
            back,
            toward: lattice.velocities[opposite].map(f64::from),
            at: std::array::from_fn(|axis| position[axis] as f64 + 0.5 - distance * f64::from(c[axis])),
            velocity,
            gone: self.place(node, opposite),
        }
    }

    /// Links between fluid and body.
    #[must_use]
    pub fn links(&self) -> usize {
        self.touches.len()
    }

    /// What arms about a point are divided by before they are added up: a power of two above all of them, by which no digit is lost and
    /// the sum's numbers stay small.
    #[must_use]
    pub fn unit(&self, dimension: usize, about: [f64; 3]) -> f64 {
        let all = self.touches.iter().flat_map(|touch| arm(touch, dimension, about));
        let longest = all.fold(1.0, |most: f64, length| most.max(length.abs()));
        4.0 * longest.log2().ceil().exp2()
    }

    /// Force and torque about a point from the post-collision populations of [`nodes`](Contact::nodes) after `step` steps, direction after direction. The
    /// point is given as shapes are: the centre of node `[i, j, k]` is `[i + 1/2, j + 1/2, k + 1/2]`.
    #[must_use]
    pub fn forces(&self, incoming: &Incoming, step: u64, populations: &[f64], about: [f64; 3]) -> Forces {
        let (facts, count) = (incoming.facts(), self.beside.len());
        let (q, dimension) = (facts.lattice.q(), facts.lattice.dimension);
        let unit = self.unit(dimension, about);
        let mut sums = [ExactSum::default(); COMPONENTS];
        let mut before = vec![0.0; q];
        for (number, &node) in self.beside.iter().enumerate() {
            for (i, value) in before.iter_mut().enumerate() {
                let at = number + count * i;
                let sent = populations[self.sources[at] as usize];
                *value = facts.precision.arithmetic.half_way(sent, self.terms[at]);
            }
            let sent = |from: usize, i: usize| populations[self.place(from, i) as usize];
            incoming.ruled((node, step + 1), sent, &mut before);
            for touch in &self.touches[self.firsts[number] as usize..self.firsts[number + 1] as usize] {
                let (gone, come) = (populations[touch.gone as usize], before[touch.back]);
                let force =
                    [0, 1, 2].map(|k| touch.toward[k] * (gone + come) - touch.velocity[k] * (gone - come));
                let arm = arm(touch, dimension, about).map(|length| length / unit);
                let torque = [(1, 2), (2, 0), (0, 1)].map(|(a, b)| arm[a] * force[b] - arm[b] * force[a]);
                let parts = force.into_iter().chain(torque);
                sums.iter_mut().zip(parts).for_each(|(sum, part)| sum.add(part));
            }
        }
        Forces::of(&sums, unit)
    }
}

/// Force and torque on a body about a point, from step t to t + 1 of an engine.
///
/// # Errors
/// A lost device.
pub fn forces_on(
    engine: &mut dyn Engine,
    incoming: &Incoming,
    contact: &Arc<Contact>,
    about: [f64; 3],
) -> Result<Forces, Error> {
    if let Some(forces) = engine.forces_on(contact, about)? {
        return Ok(forces);
    }
    let mut populations = vec![0.0; incoming.facts().lattice.q() * contact.nodes.len()];
    engine.populations_at(&contact.nodes, &mut populations)?;
    Ok(contact.forces(incoming, engine.step(), &populations, about))
}

/// From a point to where a link is cut; in 2D its last component is zero.
fn arm(touch: &Touch, dimension: usize, about: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < dimension { touch.at[axis] - about[axis] } else { 0.0 })
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
