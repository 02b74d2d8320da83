//! Nodes that become solid or fluid while a flow runs.

use lbm_core::Error;
use lbm_core::domain::Upstream;
use lbm_core::engine::Changed;
use lbm_core::geometry::Shape;
use lbm_core::links::{Around, beside};

use super::Simulation;

/// Nodes that have become solid or fluid, and what they were before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redrawn {
    /// Their indices in the box, ascending.
    pub nodes: Vec<usize>,
    /// The solid of which each was a part, an entry of [`Domain::solids`](lbm_core::Domain::solids); none where it was fluid.
    pub before: Vec<Option<usize>>,
}

impl Redrawn {
    /// Nodes, ascending, and what each was before: for [`Simulation::undo`] to have them be that.
    #[must_use]
    pub fn new(nodes: Vec<usize>, before: Vec<Option<usize>>) -> Redrawn {
        Redrawn { nodes, before }
    }
}

impl Simulation {
    /// The number of the solid that is drawn, an entry of [`Domain::solids`](lbm_core::Domain::solids) once something was.
    #[must_use]
    pub fn drawn_solid(&self) -> usize {
        self.bodies.drawn()
    }

    /// Makes the fluid nodes solid whose centres lie in a region, between two steps, as an obstacle at rest with half-way walls. All that is drawn is one
    /// body, [`Body::Drawn`](crate::simulation::Body::Drawn). On any backend the flow goes on with the bits of one that was built with that geometry and set to the
    /// state of this step; boundary rules remember nothing then. Sections, points and averages that were made before know nothing of it, and the next
    /// [`velocity_change`](Simulation::velocity_change) is 0 as the first one is.
    ///
    /// ```
    /// use lbm::core::geometry::Cylinder;
    /// use lbm::prelude::*;
    ///
    /// solver! { Channel { lattice: D2Q9, collision: Bgk, boundaries: [ZouHeVelocity, ZouHePressure] } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let mut channel = Channel::builder()
    ///     .size([64, 32])
    ///     .viscosity(0.05)
    ///     .boundary(Face::West, ZouHeVelocity.with("velocity", [0.05, 0.0]))
    ///     .boundary(Face::East, ZouHePressure)
    ///     .initial(|_| Initial::velocity([0.05, 0.0, 0.0]))
    ///     .build()?;
    /// channel.run(100)?;
    /// let rod = Cylinder { from: [20.0, 16.0, 0.0], to: [20.0, 16.0, 1.0], radius: 4.0 };
    /// let drawn = channel.set_solid(&rod)?;
    /// channel.run(200)?;
    /// assert!(channel.force_on(Body::Drawn, [0.0; 3])?.force[0] > 0.0);
    /// channel.undo(&drawn)?;
    /// assert_eq!(channel.domain().fluid_nodes(), 64 * 32);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Conflict`] near links with rules of their own (a surface), at nodes with rules of the fluid, if no fluid would be left, and where boundary rules
    /// of faces meet the region in a way that they cannot do; nothing is changed then. Those of a device.
    pub fn set_solid(&mut self, region: &(impl Shape + ?Sized)) -> Result<Redrawn, Error> {
        let nodes = self.domain().nodes_within(region, |node| self.domain().solid_at(node).is_none());
        self.draw(nodes, Some(self.bodies.drawn()))
    }

    /// Makes the solid nodes fluid whose centres lie in a region. Each begins with the equilibrium of the mean density and velocity (and sums of
    /// further sets of populations) of those neighbours that were fluid before, added up in ascending order of nodes; at rest where there are none. Under a
    /// body force it is the momentum after the collision that is the mean.
    ///
    /// # Errors
    /// As [`set_solid`](Simulation::set_solid).
    pub fn set_fluid(&mut self, region: &(impl Shape + ?Sized)) -> Result<Redrawn, Error> {
        let nodes = self.domain().nodes_within(region, |node| self.domain().solid_at(node).is_some());
        self.draw(nodes, None)
    }

    /// Has nodes be what they were before a change. Those that become fluid begin as [`set_fluid`](Simulation::set_fluid) says.
    ///
    /// # Errors
    /// As [`set_solid`](Simulation::set_solid); [`Error::OutOfRange`] for the change of another flow.
    pub fn undo(&mut self, redrawn: &Redrawn) -> Result<Redrawn, Error> {
        self.check_redrawn(redrawn)?;
        self.redraw(redrawn.nodes.clone(), redrawn.before.clone())
    }

    /// Refuses nodes and solids that there are not.
    fn check_redrawn(&self, Redrawn { nodes, before }: &Redrawn) -> Result<(), Error> {
        let (all, solids) = (self.nodes(), self.domain().solids.len());
        let are_there =
            nodes.last().is_none_or(|&last| last < all) && nodes.is_sorted_by(|one, other| one < other);
        let known = before.iter().flatten().all(|&solid| solid < solids || solid == self.drawn_solid());
        if are_there && known && nodes.len() == before.len() {
            return Ok(());
        }
        Err(Error::out_of_range(
            "nodes that were redrawn",
            nodes.len(),
            format!("ascending nodes of {all}, parts of {solids} solids"),
            "take back a change of the same flow",
        ))
    }

    fn draw(&mut self, nodes: Vec<usize>, solid: Option<usize>) -> Result<Redrawn, Error> {
        let now = vec![solid; nodes.len()];
        self.redraw(nodes, now)
    }

    /// Makes each of these nodes a part of a solid, or fluid.
    fn redraw(&mut self, nodes: Vec<usize>, now: Vec<Option<usize>>) -> Result<Redrawn, Error> {
        let (nodes, before, now) = self.changes(nodes, now);
        let redrawn = Redrawn { nodes, before };
        if redrawn.nodes.is_empty() {
            return Ok(redrawn);
        }
        self.check_rules_near(&redrawn.nodes)?;
        let populations = self.begin_with(&redrawn.nodes, &now)?;
        self.all_known()?;
        let (engine, changed) = (&mut self.engine, Changed::new(&redrawn.nodes, &populations));
        if self.setup.others().is_some() {
            self.bodies.forget();
        }
        let setup = self.setup.all_mut()?;
        // What only the engine keeps of the box, it changes in place.
        self.bodies.let_go();
        let done = setup.redraw(&redrawn.nodes, &now, |setup| match setup.domain().has_fluid() {
            true => engine.set_geometry(setup, changed),
            false => Err(Error::conflict("no fluid node would be left", "leave some of the box open")),
        });
        self.bodies.follow(setup, if done.is_ok() { &redrawn.nodes } else { &[] });
        done?;
        self.velocities.clear();
        Ok(redrawn)
    }

    /// Of these nodes those that are something else than what they are to be, what they are, and what they are to be.
    fn changes(
        &self,
        mut nodes: Vec<usize>,
        mut now: Vec<Option<usize>>,
    ) -> (Vec<usize>, Vec<Option<usize>>, Vec<Option<usize>>) {
        let domain = self.domain();
        let (mut before, mut count) = (Vec::with_capacity(nodes.len()), 0);
        for n in 0..nodes.len() {
            let is = domain.solid_at(nodes[n]);
            if is != now[n] {
                before.push(is);
                (nodes[count], now[count]) = (nodes[n], now[n]);
                count += 1;
            }
        }
        nodes.truncate(count);
        now.truncate(count);
        (nodes, before, now)
    }

    /// Refuses a change beside links with rules of their own, and of nodes with rules of the fluid.
    fn check_rules_near(&self, nodes: &[usize]) -> Result<(), Error> {
        let domain = self.domain();
        if domain.links.is_empty() && domain.in_fluid.is_empty() {
            return Ok(());
        }
        let near = beside(&self.facts.lattice, domain, nodes);
        let of_link = near.iter().find(|&&node| !domain.links_of(node).is_empty());
        let in_fluid = nodes.iter().find(|&&node| !domain.in_fluid_within(node..node + 1).is_empty());
        let Some(&node) = of_link.or(in_fluid) else { return Ok(()) };
        Err(Error::conflict(
            format!(
                "node {:?}, at which a boundary rule of a surface or of the fluid stands, would change",
                domain.position(node)
            ),
            "draw and erase two nodes or more away from it, or build the flow anew with that geometry",
        ))
    }

    /// Appends the fluid nodes around a node, ascending: none from beyond a wall or a face that is not periodic.
    fn fluid_around(&self, node: usize, within: &Around, all: &mut Vec<usize>) {
        let domain = self.domain();
        if let Some(around) = within.node(domain, node) {
            return all.extend(around.filter(|&near| domain.solid_at(near).is_none()));
        }
        let position = domain.position(node);
        let along =
            self.facts.lattice.velocities.iter().filter_map(|&c| match domain.upstream(position, c) {
                Upstream::Node(near) => Some(domain.index(near)),
                Upstream::Wall(_) => None,
            });
        let mut around: Vec<usize> = along.filter(|&near| near != node).collect();
        around.sort_unstable();
        around.dedup();
        all.extend(around);
    }

    /// Goes through those of some nodes that are fluid now and have nodes around that were before: the place of each, and these nodes, ascending.
    fn each_beside_fluid(
        &self,
        nodes: &[usize],
        now: &[Option<usize>],
        mut each: impl FnMut(usize, &[usize]),
    ) {
        let (domain, mut around) = (self.domain(), Vec::new());
        let (nx, within) = (domain.size[0], Around::of(&self.facts.lattice, domain.size));
        let opened: Vec<usize> = (0..nodes.len()).filter(|&n| now[n].is_none()).collect();
        let follows =
            |&one: &usize, &other: &usize| nodes[other] == nodes[one] + 1 && !nodes[other].is_multiple_of(nx);
        for run in opened.chunk_by(follows) {
            let first = nodes[run[0]];
            // In the midst of a solid there are none.
            let near = within.fold(domain, &(first..first + run.len()), u8::MAX, u8::min);
            for &n in run.iter().filter(|&&n| near.as_ref().is_none_or(|near| near[nodes[n] - first] == 0)) {
                around.clear();
                self.fluid_around(nodes[n], &within, &mut around);
                if !around.is_empty() {
                    each(n, &around);
                }
            }
        }
    }

    /// What nodes begin with that are fluid now; zeros for those that are parts of solids.
    fn begin_with(&self, nodes: &[usize], now: &[Option<usize>]) -> Result<Vec<f64>, Error> {
        let (facts, q, count) = (self.facts, self.facts.lattice.q(), nodes.len());
        let mut all = vec![0.0; q * count];
        // Those that have fluid nodes around, with the places of these in one list.
        let (mut listed, mut around) = (Vec::new(), Vec::new());
        self.each_beside_fluid(nodes, now, |n, near| {
            listed.push((n, around.len()..around.len() + near.len()));
            around.extend_from_slice(near);
        });
        let mut known = around.clone();
        known.sort_unstable();
        known.dedup();
        let mut sent = vec![0.0; q * known.len()];
        if !known.is_empty() {
            self.engine.now().populations_at(&known, &mut sent)?;
        }
        let (mut h, further) = (vec![0.0; q], facts.lattice.sets.get(1..).unwrap_or_default());
        for (n, places) in listed {
            let around = &around[places];
            let (mut sum, mut sums) = ([0.0; 4], vec![0.0; further.len()]);
            for &node in around {
                let place = known.partition_point(|&other| other < node);
                h.iter_mut().enumerate().for_each(|(i, h)| *h = sent[place + known.len() * i]);
                let force = self.last_forces(node..node + 1)?.turned_at(0, &h);
                let state = facts.macroscopic(&h, force);
                sum.iter_mut().zip(state).for_each(|(sum, value)| *sum += value);
                for (sum, set) in sums.iter_mut().zip(further) {
                    *sum += set.rest + set.directions().map(|i| h[i]).sum::<f64>();
                }
            }
            let mean = |sum: f64| sum / around.len() as f64;
            let [rho, u @ ..] = sum.map(mean);
            let sums: Vec<f64> = sums.into_iter().map(mean).collect();
            facts.equilibrium_of_sets(rho, u, &sums, &mut h);
            h.iter().enumerate().for_each(|(i, &h)| all[n + count * i] = h);
        }
        Ok(all)
    }
}
