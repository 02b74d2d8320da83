//! What is measured in a flow in motion.

use lbm_core::Error;
use lbm_core::sums::ExactSum;

use super::{Body, Simulation};
use crate::simulation::derived;
use crate::simulation::probes::{self, PointValue, Points, Section};

impl Simulation {
    /// The volume that passes a section in a time step along its axis: the sum of that component of the velocity times the area over its nodes
    /// ([`Section::areas`]). It is the midpoint rule beside half-way walls, the trapezoidal rule beside walls on nodes. Only its nodes are looked at; the
    /// sum is exact.
    pub fn flow_rate(&self, section: &Section) -> Result<f64, Error> {
        self.sum_over(section, |value| value.velocity[section.axis()])
    }

    /// The fluid nodes of a patch of a face ([`Builder::patch`](crate::simulation::Builder::patch)), as a section across the face's axis.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a name that there is not, with those that there are; [`Error::Conflict`] where two patches have it, and for a patch of a surface,
    /// which is no section: [`mass_into`](Simulation::mass_into) and [`pressure_on`](Simulation::pressure_on) measure that.
    pub fn patch(&self, name: &str) -> Result<Section, Error> {
        let (domain, (patch, face)) = (self.domain(), self.bodies.patch(name)?);
        Section::of(domain, face.axis(), patch.nodes(domain, face))
    }

    /// Whether a name is that of a patch of a surface ([`Builder::surface_patch`](crate::simulation::Builder::surface_patch)).
    #[must_use]
    pub fn is_on_surface(&self, name: &str) -> bool {
        self.bodies.is_on_surface(name)
    }

    /// The mass that leaves the fluid through a face, a patch, or into a body, from this step to the next: what is sent along its links less
    /// what comes back, and where a rule of nodes replaces other populations what was there less what it made of them. So what all inlets and outlets take is
    /// what the mass of the flow changes by, whatever their rules, but for regions, which are sources. Negative where more comes in. The density at rest is 1, so it is a volume a time
    /// step but for compression. The sum is exact.
    ///
    /// # Errors
    /// As [`force_on`](Simulation::force_on).
    pub fn mass_into(&mut self, body: impl Into<Body>) -> Result<f64, Error> {
        let (body, directions) = (body.into(), self.facts.lattice.flow());
        self.bodies.mass_into(&self.facts, &self.setup, self.engine.now_mut(), (&body, directions))
    }

    /// The patches whose rule of links has values that go with a factor in time of this name: those by which a controller may hold what goes through
    /// ([`FlowRateController::through`](crate::simulation::FlowRateController::through)).
    #[must_use]
    pub fn patches_with(&self, factor: &str) -> Vec<&str> {
        let has = |rule: usize| {
            let mut terms = self.setup.known().domain().rules[rule].in_time.iter();
            terms.any(|term| term.course.name() == Some(factor))
        };
        self.bodies.patches_of_links().filter(|(_, rule)| has(*rule)).map(|(name, _)| name).collect()
    }

    /// The rule of a patch of links, an entry of [`Domain::rules`](lbm_core::Domain::rules), and how many fluid nodes are beside it.
    pub(in crate::simulation) fn of_patch(&mut self, name: &str) -> Result<(usize, usize), Error> {
        let beside = self.bodies.beside(&self.facts, &self.setup, &Body::from(name))?.len();
        let rule = self.bodies.patches_of_links().find(|(known, _)| *known == name).map(|(_, rule)| rule);
        let rule = rule.ok_or_else(|| {
            let names = self.bodies.patches_of_links().map(|(name, _)| name);
            Error::unknown("patch of links", name, names, "name a patch that has a rule of links; of one of nodes ask for the flow rate, `.flow_rate(&..)`")
        })?;
        Ok((rule, beside))
    }

    /// What of a set of populations of a model goes into a body, or out through a face or a patch, from this step to the next: of a temperature the heat that is given to a
    /// wall. Negative where more comes in. The sum is exact.
    ///
    /// # Errors
    /// As [`mass_into`](Simulation::mass_into); [`Error::Unknown`] for a name that the model has no set of.
    pub fn flux_into(&mut self, set: &str, body: impl Into<Body>) -> Result<f64, Error> {
        let (body, directions) = (body.into(), self.facts.lattice.set(set)?.directions());
        self.bodies.mass_into(&self.facts, &self.setup, self.engine.now_mut(), (&body, directions))
    }

    /// The mean pressure over the fluid nodes beside a body or a patch, above that of the fluid at rest with density 1: (rho - 1) c_s^2. Only these are looked
    /// at; the sum is exact.
    ///
    /// # Errors
    /// As [`force_on`](Simulation::force_on).
    pub fn pressure_on(&mut self, body: impl Into<Body>) -> Result<f64, Error> {
        let nodes = self.bodies.beside(&self.facts, &self.setup, &body.into())?;
        let mut sum = ExactSum::default();
        self.values_of(&nodes)?.iter().for_each(|value| sum.add(value.pressure));
        Ok(sum.value() / nodes.len() as f64)
    }

    /// The mean pressure over a section's area, above that of the fluid at rest with density 1: (rho - 1) c_s^2. Only its nodes are looked at;
    /// the sum is exact.
    pub fn mean_pressure(&self, section: &Section) -> Result<f64, Error> {
        Ok(self.sum_over(section, |value| value.pressure)? / section.area())
    }

    /// The sum of a number times the area over a section's nodes. Areas are 1, 1/2 and 1/4, so each product is exact, and so is the sum.
    fn sum_over(&self, section: &Section, number: impl Fn(&PointValue) -> f64) -> Result<f64, Error> {
        let (mut sum, values) = (ExactSum::default(), self.values_of(section.nodes())?);
        values.iter().zip(section.areas()).for_each(|(value, area)| sum.add(area * number(value)));
        Ok(sum.value())
    }

    /// The area that a body hides as seen along an axis (0, 1, 2 for x, y, z), in node spacings squared, in two dimensions a length: the rows of nodes along it
    /// that have a node of the body. It is known as exactly as the nodes are; 0 for faces and patches, which have none.
    ///
    /// # Errors
    /// [`Error::Unknown`] and [`Error::OutOfRange`] for a body that there is not, with those that there are, and for an axis.
    pub fn area_across(&self, body: impl Into<Body>, axis: usize) -> Result<usize, Error> {
        if axis >= 3 {
            return Err(Error::out_of_range("axis of an area", axis, "0, 1 or 2", "these are x, y, z"));
        }
        let domain = self.all_known()?.domain();
        let solids = self.bodies.solids(&domain.faces, &body.into())?;
        let mut across = domain.size;
        across[axis] = 1;
        let mut hidden = vec![false; across.iter().product()];
        let of_body = |node: &usize| domain.solid_at(*node).is_some_and(|solid| solids.contains(&solid));
        for node in (0..domain.nodes()).filter(of_body) {
            let mut at = domain.position(node);
            at[axis] = 0;
            hidden[at[0] + across[0] * (at[1] + across[1] * at[2])] = true;
        }
        Ok(hidden.into_iter().filter(|&row| row).count())
    }

    /// Pressure and velocity at points, interpolated linearly between nodes ([`Points::new`]). Only these are looked at.
    pub fn values_at(&self, points: &Points) -> Result<Vec<PointValue>, Error> {
        Ok(points.interpolate(&self.values_of(points.nodes())?))
    }

    /// The permeability along an axis, by the mean velocity of the box (solid nodes count as at rest) and the force along it; with two
    /// sections, the pressure that falls from the first to the second drives as well ([`probes::permeability`]).
    ///
    /// # Errors
    /// [`Error::Conflict`] for a variant without viscosity or with a force that is a field, where neither a force nor a pressure drives, and for sections
    /// at one place; [`Error::OutOfRange`] without sections for a force that is 0 along the axis.
    pub fn permeability(&self, axis: usize, between: Option<[&Section; 2]>) -> Result<f64, Error> {
        let viscosity = self.viscosity().ok_or_else(|| {
            let what = format!("{} has no viscosity, by which a permeability goes", self.variant());
            Error::conflict(what, "watch the flow rate")
        })?;
        if self.facts.body.force_varies() {
            let what = format!("the force of {} differs from node to node", self.variant());
            return Err(Error::conflict(
                what,
                "watch the flow rate, or declare the solver with `forcing: Guo`",
            ));
        }
        if between.is_none() && !self.facts.body.forced {
            return Err(Error::conflict(
                format!("nothing is known to drive the flow: {} has no body force", self.variant()),
                "give two sections, between which a pressure falls, or drive the flow by a body force",
            ));
        }
        let mut driving = self.last_force.get(axis).copied().unwrap_or(0.0);
        if between.is_none() && driving == 0.0 {
            let along = ["x", "y", "z"].get(axis).copied().unwrap_or("an axis that there is not");
            return Err(Error::out_of_range(
                format!("`force` along {along}"),
                driving,
                "anything but 0, by which a permeability is divided",
                "ask for it along the axis of the force, or give two sections, between which a pressure falls",
            ));
        }
        if let Some([first, second]) = between {
            let length = second.position() - first.position();
            if length == 0.0 {
                let what = "the pressure falls between two sections at one place";
                return Err(Error::conflict(what, "put the second one behind the first"));
            }
            driving += (self.mean_pressure(first)? - self.mean_pressure(second)?) / length;
        }
        Ok(probes::permeability(viscosity, self.mean_velocity(axis)?, driving))
    }

    /// The vorticity curl u of each node, 1 / time step; zero in solids. Differences are central, of second order, and one-sided beside walls.
    pub fn vorticity(&self) -> Result<Vec<[f64; 3]>, Error> {
        Ok(derived::vorticity(self.domain(), &self.velocity()?))
    }

    /// The Q criterion of each node ([`q_criterion`](crate::simulation::q_criterion)), 1 / time step squared; zero in solids.
    pub fn q_criterion(&self) -> Result<Vec<f64>, Error> {
        Ok(derived::q_criterion(self.domain(), &self.velocity()?))
    }

    /// What the fluid of each node beside a wall pulls on it along it, a stress; zero elsewhere. A boundary rule is a wall where it has a velocity, at a face none through
    /// it, on a body any: one that slips, or holds a pressure, is none. It comes from the non-equilibrium populations
    /// ([`stress`](Simulation::stress)) at the node, which lies half a spacing from a half-way wall and on one whose rule lies on nodes, and so is of first order in the distance to the wall. Where
    /// the wall looks follows from the links that it cuts: exact along axes and diagonals.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the collision has no viscosity.
    pub fn wall_shear_stress(&self) -> Result<Vec<[f64; 3]>, Error> {
        derived::wall_shear_stress(&self.facts, self.all_known()?, &self.stress()?)
    }

    /// Pressure and velocity of some fluid nodes, ascending.
    fn values_of(&self, nodes: &[usize]) -> Result<Vec<PointValue>, Error> {
        let (q, count) = (self.facts.lattice.q(), nodes.len());
        let mut populations = vec![0.0; q * count];
        self.engine.now().populations_at(nodes, &mut populations)?;
        // As for fields, the stored populations come after the collision.
        let first = nodes.first().copied().unwrap_or(0);
        let forces = self.last_forces(first..nodes.last().map_or(first, |last| last + 1))?;
        let mut h = vec![0.0; q];
        Ok((0..count)
            .map(|n| {
                h.iter_mut().enumerate().for_each(|(i, value)| *value = populations[n + count * i]);
                let [_, ux, uy, uz] = self.facts.macroscopic(&h, forces.turned_at(nodes[n] - first, &h));
                // Of the density what differs from 1 has all its digits.
                let pressure = self.facts.lattice.cs2 * h[self.facts.lattice.flow()].iter().sum::<f64>();
                PointValue { pressure, velocity: [ux, uy, uz] }
            })
            .collect())
    }
}
