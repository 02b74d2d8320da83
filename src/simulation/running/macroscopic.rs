//! Density, velocity and stress of a flow in motion.

use std::ops::Range;

use lbm_core::engine::{FieldRequest, Grid, HeldFields};
use lbm_core::pieces::{Take, map_nodes};
use lbm_core::reference::Reference;
use lbm_core::sums::ExactSum;
use lbm_core::units::relaxation_rate;
use lbm_core::{Engine, Error};

use super::super::fields::{self, Fields};
use super::super::rate::Rates;
use super::super::started::StartedFields;
use super::Simulation;

impl Simulation {
    /// The density of each node; 1 in solids.
    pub fn density(&self) -> Result<Vec<f64>, Error> {
        self.check_gathered(self.nodes(), size_of::<f64>())?;
        let mut density = vec![1.0; self.nodes()];
        self.for_each_state(|index, [rho, ..]| density[index] = rho)?;
        Ok(density)
    }

    /// The velocity of each node; zero in solids.
    pub fn velocity(&self) -> Result<Vec<[f64; 3]>, Error> {
        self.check_gathered(self.nodes(), size_of::<[f64; 3]>())?;
        let mut velocity = vec![[0.0; 3]; self.nodes()];
        self.for_each_state(|index, [_, ux, uy, uz]| velocity[index] = [ux, uy, uz])?;
        Ok(velocity)
    }

    /// Density and velocity of each node, in one pass.
    pub fn fields(&self) -> Result<Fields, Error> {
        self.fields_of(0..self.nodes())
    }

    /// The same of some nodes, by index, e.g. of a plane: `nx * ny * z..nx * ny * (z + 1)`. Only these are computed.
    pub fn fields_of(&self, nodes: Range<usize>) -> Result<Fields, Error> {
        self.check_gathered(nodes.len(), size_of::<[f64; 4]>())?;
        let mut fields = Fields::at_rest(self.time_step(), nodes.clone().into());
        self.pieces_of_fields(nodes, &mut |nodes, values| {
            fields.take(&self.domain().flags, nodes, values);
            Ok(())
        })?;
        Ok(fields)
    }

    /// Asks for fields of the present step, of a range of nodes or as a [`FieldRequest`] says, and goes on: a GPU computes them and keeps
    /// them apart, so that pieces of them cross while it runs the steps that follow. On the CPU they are computed at once, on a grid by the threads
    /// of the steps.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for nodes that the box has not.
    pub fn start_fields(&mut self, request: impl Into<FieldRequest>) -> Result<StartedFields, Error> {
        let request = request.into();
        self.check_request(&request)?;
        let pending = match self.turned_force() {
            Some(force) => self.engine.now_mut().start_fields(force, &request)?,
            None => None,
        };
        let pending = match pending {
            Some(pending) => pending,
            None => {
                let mut fields = HeldFields::room(request.clone());
                match &request.grid {
                    None => self.pieces_of_fields(request.nodes.clone(), &mut |nodes, values| {
                        fields.take(nodes, values);
                        Ok(())
                    })?,
                    Some(grid) => self.fields_on(grid, &mut |nodes, values| {
                        fields.take(nodes, values);
                        Ok(())
                    })?,
                }
                Box::new(fields)
            }
        };
        Ok(StartedFields::new(self.time_step(), request, self.domain(), pending))
    }

    /// Refuses nodes beyond the box.
    fn check_request(&self, request: &FieldRequest) -> Result<(), Error> {
        let (nodes, size) = (self.nodes(), self.size());
        let fits = match &request.grid {
            None => request.nodes.start <= request.nodes.end && request.nodes.end <= nodes,
            Some(grid) => grid.size == size && grid.fits() && request.nodes == (0..grid.nodes()),
        };
        if fits {
            return Ok(());
        }
        Err(Error::out_of_range(
            "nodes of which fields are asked for",
            request.grid.map_or_else(|| format!("{:?}", request.nodes), |grid| format!("{grid:?}")),
            format!("within a box of {size:?} nodes"),
            "ask for nodes of the box",
        ))
    }

    /// Hands out density and velocity of the nodes of a grid, some of its rows at a time, by their numbers there.
    fn fields_on(&self, grid: &Grid, take: Take<'_>) -> Result<(), Error> {
        let (first, [along, up, _]) = grid.strides();
        let [columns, rows, planes] = grid.count;
        // Rows side by side are looked at together.
        let together = if grid.step[1] == 1 { rows } else { 1 };
        for row in (0..planes * rows).step_by(together) {
            let start = first + row % rows * up + row / rows * grid.strides().1[2];
            let end = start + (together - 1) * up + (columns - 1) * along + 1;
            let mut values = vec![0.0; 4 * columns * together];
            self.pieces_of_fields(start..end, &mut |nodes, some| {
                for number in 0..columns * together {
                    let node = start + number / columns * up + number % columns * along;
                    if nodes.contains(&node) {
                        for n in 0..4 {
                            values[number + columns * together * n] =
                                some[node - nodes.start + nodes.len() * n];
                        }
                    }
                }
                Ok(())
            })?;
            take(columns * row..columns * (row + together), &values)?;
        }
        Ok(())
    }

    /// The force of the last step with its sign turned, since the stored populations come after the collision, which added it: what an engine is
    /// handed that computes fields itself. Where each node has a force of its own it is none, and the host computes them.
    fn turned_force(&self) -> Option<[f64; 3]> {
        (!self.facts.body.force_varies()).then(|| self.last_force.map(|f| -f))
    }

    /// By how much a velocity component of a node differs at most from what it was when this was asked before; 0 the first time. Each
    /// engine finds it of its own nodes, and keeps 24 bytes a node for it; where each node has a force of its own, the host does.
    pub fn velocity_change(&mut self) -> Result<f64, Error> {
        if self.velocities.is_empty()
            && let Some(force) = self.turned_force()
            && let Some(change) = self.engine.now_mut().largest_change(force)?
        {
            return Ok(change);
        }
        let nodes = self.nodes();
        let mut before = std::mem::take(&mut self.velocities);
        let first = before.is_empty();
        before.resize(3 * nodes, 0.0);
        let mut most = 0.0;
        let seen = self.for_each_state(|index, [_, u @ ..]| {
            for (now, before) in u.into_iter().zip(&mut before[3 * index..]) {
                let change = (now - std::mem::replace(before, now)).abs();
                // f64::max would drop a NaN.
                most = if most >= change || f64::is_nan(most) { most } else { change };
            }
        });
        self.velocities = before;
        seen.map(|()| if first { 0.0 } else { most })
    }

    /// The mean of a component of the velocity, 0, 1 or 2, over all nodes of the box; solid ones, which are at rest, count. NaN where a
    /// velocity is no number, or 2 or more. The order of nodes does not matter to it ([`ExactSum`]).
    pub fn mean_velocity(&self, component: usize) -> Result<f64, Error> {
        let sum = match self.turned_force() {
            Some(force) => self.engine.now().sum_of_velocity(force, component)?,
            None => None,
        };
        let sum = match sum {
            Some(sum) => sum,
            None => {
                let mut sum = ExactSum::default();
                self.for_each_state(|_, [_, u @ ..]| sum.add(u[component]))?;
                sum
            }
        };
        Ok(sum.value() / self.nodes() as f64)
    }

    /// The viscous stress of each node, `[xx, yy, zz, xy, xz, yz]`, without pressure; zero in solids.
    ///
    /// It comes from the populations that the next step collides, so it belongs to one step later than
    /// [`velocity`](Simulation::velocity). No derivative is taken: it is the mean of what the stress is before the collision and after it, so that it follows whatever
    /// rates the collision has, of each node and of the trace (the bulk viscosity), too.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the collision has no viscosity, and for a model of several sets of populations, or one that states a force.
    pub fn stress(&self) -> Result<Vec<[f64; 6]>, Error> {
        let body = &self.facts.body;
        if !self.facts.lattice.sets.is_empty() || body.states_force {
            return Err(Error::conflict(
                format!("{} is a model, of which no stress is known", self.facts.name()),
                "take second moments of the populations",
            ));
        }
        let given = self.viscosity().map(|viscosity| relaxation_rate(viscosity, self.cs2())).transpose()?;
        let parameters = &self.setup.known().parameters;
        let rates = Rates { facts: &self.facts, parameters, force: self.force, given };
        let q = self.facts.lattice.q();
        let count = self.facts.body.field_count();
        if rates.of(&vec![0.0; q], &vec![1.0; count]).is_none() {
            return Err(Error::conflict(
                format!("{} has no viscosity, so it has no viscous stress", self.facts.name()),
                "take second moments of the populations",
            ));
        }
        let known = self.all_known()?;
        let (populations, step) = (self.populations()?, self.engine.now().step());
        let mut now = Reference::holding(&self.facts, known, populations, step)?;
        now.set_memory(&self.engine.now().memory()?)?;
        let mut stress = vec![[0.0; 6]; self.nodes()];
        let (mut equilibrium, mut after, mut here) = (vec![0.0; q], vec![0.0; q], vec![0.0; count]);
        let uniforms = self.facts.uniforms(parameters);
        for n in 0..body.fields.len() {
            let field = self.node_field(n)?;
            now.set_node_field(n, &|nodes, values| values.copy_from_slice(&field[nodes]))?;
        }
        let (fields, nodes) = (now.incoming_fields(), self.nodes());
        fields::for_each_fluid_node(q, self.domain(), &now.incoming(), |index, h| {
            here.iter_mut().enumerate().for_each(|(n, value)| *value = fields[index + nodes * n]);
            self.facts.collide(h, &here, &uniforms, &mut after);
            stress[index] = fields::stress(&self.facts, [h, &after], rates.force_of(&here), &mut equilibrium);
        });
        Ok(stress)
    }

    /// Calls `visit(index, [rho, ux, uy, uz])` for every fluid node.
    fn for_each_state(&self, mut visit: impl FnMut(usize, [f64; 4])) -> Result<(), Error> {
        self.pieces_of_fields(0..self.nodes(), &mut |nodes, values| {
            fields::each_fluid(&self.domain().flags, nodes, values, &mut visit);
            Ok(())
        })
    }

    /// Hands out density and velocity of some nodes; anything in solid ones.
    fn pieces_of_fields(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let (now, facts) = (self.engine.now(), self.facts);
        if let Some(force) = self.turned_force()
            && now.fields_of(force, nodes.clone(), take)?
        {
            return Ok(());
        }
        now.populations_of(nodes, &mut |nodes, populations| {
            let mut values = vec![0.0; 4 * nodes.len()];
            let forces = self.last_forces(nodes.clone())?;
            map_nodes(nodes.clone(), populations, &mut values, &|node, h, fields| {
                fields.copy_from_slice(&facts.macroscopic(h, forces.turned_at(node - nodes.start, h)));
            });
            take(nodes, &values)
        })
    }
}
