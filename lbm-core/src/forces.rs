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

mod among;
mod wall;

use std::ops::Range;

use crate::domain::Face;
use crate::engine::Setup;
use crate::facts::Facts;
use crate::incoming::Incoming;
use crate::links::{Link, NodeLinks};
use crate::sums::ExactSum;
use wall::{Moving, Ruled};

pub use among::{Among, forces_on, mass_into};

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
    /// The direction that goes to the body.
    pub toward: usize,
    /// Where the wall cuts it; the centre of node `[i, j, k]` is `[i + 1/2, j + 1/2, k + 1/2]`.
    pub at: [f64; 3],
    /// The wall's velocity there; where it changes in time, [`Contact::touches_at`] has that of a step.
    pub velocity: [f64; 3],
    /// What goes to the body, by its number among the values of [`Contact::values`].
    pub gone: u32,
    /// What comes back, by the same numbers.
    pub come: u32,
    /// What is added on the way back: a wall's term; nothing, which is -0, where a rule has said all.
    pub term: f64,
}

/// Where a body touches the fluid, in lists as a machine goes through them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Contact {
    /// The fluid nodes beside the body, ascending.
    pub beside: Vec<usize>,
    /// The nodes whose populations are asked for, ascending: those beside the body, and of those with rules their neighbours and what
    /// their rules observe.
    pub nodes: Vec<usize>,
    /// The populations that are asked for, ascending: their places among those of [`nodes`](Contact::nodes), direction after direction.
    pub asked: Vec<u32>,
    /// The nodes beside the body that have boundary rules, ascending.
    pub ruled: Vec<usize>,
    /// What comes to each of them, direction after direction, by its number in [`asked`](Contact::asked): sent by a neighbour, or by the node
    /// itself where a wall sends it back.
    pub sources: Vec<u32>,
    /// What is added on the way: a wall's term; nothing, which is -0, where there is no wall.
    pub terms: Vec<f64>,
    /// What each of them has sent itself, direction after direction, where nothing is kept: all where moments are stored, and where
    /// [`Facts::sent_lies`] what rules of its links read; for all else the first that is asked for.
    pub sent: Vec<u32>,
    /// The links, node after node; behind them what rules of a face take that replace populations.
    pub touches: Vec<Touch>,
    /// Those whose wall has a velocity that changes in time.
    moving: Vec<Moving>,
}

/// The numbers that a touch adds to: force and torque along the axes.
pub const COMPONENTS: usize = 6;

impl Contact {
    /// The contact of the body whose walls have these numbers ([`Domain::walls`](crate::Domain::walls)).
    #[must_use]
    pub fn of(incoming: &Incoming, setup: &Setup, walls: &Range<usize>) -> Contact {
        Contact::at(incoming, setup, walls, |_| true)
    }

    /// The same at those of its links alone for which `takes` holds: of a patch of a face or of a surface. Of a model only those count whose
    /// populations carry the momentum.
    #[must_use]
    pub fn at(
        incoming: &Incoming,
        setup: &Setup,
        walls: &Range<usize>,
        takes: impl Fn(&Link) -> bool,
    ) -> Contact {
        Contact::along(incoming, setup, walls, &incoming.facts().lattice.flow(), takes)
    }

    /// The same of some directions: of a set of populations.
    #[must_use]
    pub fn along(
        incoming: &Incoming,
        setup: &Setup,
        walls: &Range<usize>,
        directions: &Range<usize>,
        takes: impl Fn(&Link) -> bool,
    ) -> Contact {
        let facts = incoming.facts();
        let (q, lattice) = (facts.lattice.q(), &facts.lattice);
        let cut: Vec<(usize, usize, usize)> = incoming
            .links()
            .iter()
            .flat_map(NodeLinks::iter)
            .filter(|link| walls.contains(&link.meets) && directions.contains(&link.direction) && takes(link))
            .map(|link| (link.node, link.direction, link.meets))
            .collect();
        let mut beside: Vec<usize> = cut.iter().map(|&(node, ..)| node).collect();
        beside.dedup();
        let ruled: Vec<usize> = beside.iter().copied().filter(|&node| incoming.has_rules(node)).collect();
        let source = |node: usize, i: usize| {
            let (from, direction, _) = incoming.source(node, i);
            (from, direction)
        };
        let mut pairs: Vec<(usize, usize)> =
            cut.iter().map(|&(node, back, _)| (node, lattice.opposites[back])).collect();
        let owns: Vec<Vec<usize>> = ruled.iter().map(|&node| read_of_own(incoming, node)).collect();
        for (&node, own) in ruled.iter().zip(&owns) {
            pairs.extend((0..q).map(|i| source(node, i)));
            pairs.extend(own.iter().map(|&i| (node, i)));
        }
        let observed = ruled.iter().flat_map(|&node| incoming.observed(node));
        let mut nodes: Vec<usize> = pairs.iter().map(|&(node, _)| node).chain(observed).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut contact = Contact {
            beside,
            nodes,
            asked: Vec::new(),
            sources: Vec::new(),
            terms: Vec::new(),
            sent: Vec::new(),
            ruled,
            touches: Vec::with_capacity(cut.len()),
            moving: Vec::new(),
        };
        let mut asked: Vec<u32> = pairs.into_iter().map(|(node, i)| contact.place(node, i)).collect();
        asked.sort_unstable();
        asked.dedup();
        contact.asked = asked;
        contact.list_sources(incoming, &owns);
        for (node, back, wall) in cut {
            let ruled = Ruled::of(setup, incoming, node, back);
            contact.moving.extend(ruled.as_ref().and_then(|ruled| ruled.moving(contact.touches.len())));
            contact.touches.push(contact.touch(incoming, ruled, node, back, wall));
        }
        if let Some(&face) = Face::ALL.get(walls.start) {
            for n in 0..contact.ruled.len() {
                if incoming.replaces(contact.ruled[n], face) {
                    contact.replaced(incoming, directions, n);
                }
            }
        }
        contact
    }

    /// Lists what comes to nodes with rules, and of each what its rules read of its own.
    fn list_sources(&mut self, incoming: &Incoming, owns: &[Vec<usize>]) {
        let (q, count) = (incoming.facts().lattice.q(), self.ruled.len());
        let come = |(i, &node): (usize, &usize)| {
            let (from, direction, term) = incoming.source(node, i);
            (self.number(from, direction), term.unwrap_or(-0.0))
        };
        let each = (0..q).flat_map(|i| self.ruled.iter().map(move |node| (i, node)));
        (self.sources, self.terms) = each.map(come).unzip();
        if owns.iter().all(Vec::is_empty) {
            return;
        }
        let mut sent = vec![0; q * count];
        for ((n, &node), own) in self.ruled.iter().enumerate().zip(owns) {
            own.iter().for_each(|&i| sent[n + count * i] = self.number(node, i));
        }
        self.sent = sent;
    }

    /// What a rule takes that replaces populations from neighbours, beside what crosses links: the sum over known directions of c_i times what was there
    /// less what it made of it. As touches take and give along one line, that is, over all directions, c_i times what was there and what the rule made of the opposite
    /// one, which for directions of links is one too much of what the node sent, and one of what it gets.
    fn replaced(&mut self, incoming: &Incoming, directions: &Range<usize>, n: usize) {
        let (node, lattice, domain) = (self.ruled[n], &incoming.facts().lattice, incoming.domain());
        let made = |i: usize| (self.asked.len() + n + self.ruled.len() * i) as u32;
        let at = domain.position(node).map(|at| at as f64 + 0.5);
        let touch = |toward, gone, come| Touch { toward, at, velocity: [0.0; 3], gone, come, term: -0.0 };
        let mut touches = Vec::new();
        for i in directions.clone() {
            let opposite = lattice.opposites[i];
            let (from, direction, wall) = incoming.source(node, i);
            let there = self.number(from, direction);
            touches.push(touch(i, there, made(opposite)));
            if wall.is_some() {
                touches.push(touch(opposite, there, there));
                touches.push(touch(i, made(i), there));
            }
        }
        self.touches.extend(touches);
    }

    /// Where a population of one of the nodes that are asked for is.
    fn place(&self, node: usize, direction: usize) -> u32 {
        (self.nodes.partition_point(|&other| other < node) + self.nodes.len() * direction) as u32
    }

    /// Its number among those that are asked for.
    fn number(&self, node: usize, direction: usize) -> u32 {
        let place = self.place(node, direction);
        self.asked.partition_point(|&other| other < place) as u32
    }

    /// The touch of a link that comes from a wall.
    fn touch(
        &self,
        incoming: &Incoming,
        ruled: Option<Ruled<'_>>,
        node: usize,
        back: usize,
        wall: usize,
    ) -> Touch {
        let (lattice, domain) = (&incoming.facts().lattice, incoming.domain());
        let half_way = || (0.5, domain.velocity_of_wall(wall));
        let (distance, velocity) = ruled.map_or_else(half_way, |ruled| (ruled.distance, ruled.velocity()));
        let toward = lattice.opposites[back];
        let (c, position) = (lattice.velocities[back], domain.position(node));
        let (come, term) = match self.ruled.binary_search(&node) {
            Ok(n) => ((self.asked.len() + n + self.ruled.len() * back) as u32, -0.0),
            Err(_) => {
                let (from, direction, term) = incoming.source(node, back);
                (self.number(from, direction), term.unwrap_or(-0.0))
            }
        };
        Touch {
            toward,
            at: std::array::from_fn(|axis| position[axis] as f64 + 0.5 - distance * f64::from(c[axis])),
            velocity,
            gone: self.number(node, toward),
            come,
            term,
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
        unit_of(self.longest(dimension, about))
    }

    /// The longest component of its arms about a point, 1 at least.
    fn longest(&self, dimension: usize, about: [f64; 3]) -> f64 {
        let all = self.touches.iter().flat_map(|touch| arm(touch, dimension, about));
        all.fold(1.0, |most: f64, length| most.max(length.abs()))
    }

    /// What touches name, after `step` steps with these post-collision populations of [`nodes`](Contact::nodes), direction after direction: the
    /// [populations asked for](Contact::asked), then what arrives at [nodes with rules](Contact::ruled), direction after direction.
    #[must_use]
    pub fn values(&self, incoming: &Incoming, step: u64, populations: &[f64]) -> Vec<f64> {
        let (facts, count, asked) = (incoming.facts(), self.ruled.len(), self.asked.len());
        let q = facts.lattice.q();
        let mut values: Vec<f64> = self.asked.iter().map(|&place| populations[place as usize]).collect();
        values.resize(asked + q * count, 0.0);
        let mut before = vec![0.0; q];
        for (n, &node) in self.ruled.iter().enumerate() {
            for (i, value) in before.iter_mut().enumerate() {
                let at = n + count * i;
                *value =
                    facts.precision.arithmetic.half_way(values[self.sources[at] as usize], self.terms[at]);
            }
            let sent = |from: usize, i: usize| populations[self.place(from, i) as usize];
            incoming.ruled((node, step + 1), sent, &mut before);
            before.iter().enumerate().for_each(|(i, &value)| values[asked + n + count * i] = value);
        }
        values
    }

    /// Force and torque about a point from the post-collision populations of [`nodes`](Contact::nodes) after `step` steps, direction after direction. The
    /// point is given as shapes are: the centre of node `[i, j, k]` is `[i + 1/2, j + 1/2, k + 1/2]`.
    #[must_use]
    pub fn forces(&self, incoming: &Incoming, step: u64, populations: &[f64], about: [f64; 3]) -> Forces {
        let unit = self.unit(incoming.facts().lattice.dimension, about);
        Forces::of(&self.sums(incoming, step, populations, (about, unit)), unit)
    }

    /// What the touches add up to, arms about a point being divided by a unit.
    fn sums(
        &self,
        incoming: &Incoming,
        step: u64,
        populations: &[f64],
        (about, unit): ([f64; 3], f64),
    ) -> [ExactSum; COMPONENTS] {
        let Facts { lattice, precision, .. } = incoming.facts();
        let values = self.values(incoming, step, populations);
        let mut sums = [ExactSum::default(); COMPONENTS];
        for touch in &*self.touches_at(incoming.domain(), incoming.courses(), step) {
            let gone = values[touch.gone as usize];
            let come = precision.arithmetic.half_way(values[touch.come as usize], touch.term);
            let (c, u) = (lattice.velocities[touch.toward].map(f64::from), touch.velocity);
            let force = [0, 1, 2].map(|k| c[k] * (gone + come) - u[k] * (gone - come));
            let arm = arm(touch, lattice.dimension, about).map(|length| length / unit);
            let torque = [(1, 2), (2, 0), (0, 1)].map(|(a, b)| arm[a] * force[b] - arm[b] * force[a]);
            let parts = force.into_iter().chain(torque);
            sums.iter_mut().zip(parts).for_each(|(sum, part)| sum.add(part));
        }
        sums
    }

    /// What goes to the body less what comes back: of a rule that replaces populations what was there less what it made of them.
    fn mass(&self, incoming: &Incoming, step: u64, populations: &[f64]) -> ExactSum {
        let values = self.values(incoming, step, populations);
        let mut sum = ExactSum::default();
        for touch in &self.touches {
            let come =
                incoming.facts().precision.arithmetic.half_way(values[touch.come as usize], touch.term);
            sum.add(values[touch.gone as usize] - come);
        }
        sum
    }
}

/// A power of two above what the longest arm is divided by.
fn unit_of(longest: f64) -> f64 {
    4.0 * longest.log2().ceil().exp2()
}

/// The directions along which rules of a node read what it sent itself where it lies ([`Contact::sent`]).
fn read_of_own(incoming: &Incoming, node: usize) -> Vec<usize> {
    let facts = incoming.facts();
    match facts.pattern.stores_moments() {
        true => (0..facts.lattice.q()).collect(),
        false if facts.sent_lies() => incoming.kept_at_links(node).collect(),
        false => Vec::new(),
    }
}

/// From a point to where a link is cut; in 2D its last component is zero.
fn arm(touch: &Touch, dimension: usize, about: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < dimension { touch.at[axis] - about[axis] } else { 0.0 })
}
