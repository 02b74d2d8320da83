//! What a backend offers once a variant runs on it.

mod changed;
mod held;
mod own;
mod pending;
mod setup;

use std::ops::Range;
use std::sync::Arc;

use crate::cut::{Alone, Direct, OwnBox, Rim, Transport};
use crate::error::Error;
use crate::forces::{Contact, Forces};
use crate::pieces::{Give, Take, cut, paste, spans};
use crate::rules::check_memory;
use crate::sums::ExactSum;
pub use changed::Changed;
pub use held::{HeldFields, Part};
pub use own::{OfNodes, TakeRuns};
pub use pending::{FieldRequest, Grid, PendingFields, PendingState, TakeOf, TakeRounded};
pub use setup::{Adjustable, Setup};

/// Ranges in which single nodes are asked for, at most: each costs a call, and nodes in between cost a copy.
pub const MOST_SPANS: usize = 64;

/// A variant in motion on some backend.
///
/// Populations cross this interface in canonical form: shifted post-collision values f*_i(x) - w_i, direction
/// after direction, nodes of the box in the order x, y, z without padding, at index `x + nx (y + ny (z + nz i))`,
/// widened to f64 (exact for every storage type). Solid nodes read as zero. They cross in pieces.
///
/// # Errors
/// Every method that can fail does so where a device is lost. The CPU does not fail.
pub trait Engine: Send {
    /// Runs `steps` time steps. A device may do them after this has returned; all that reads the state waits for them.
    fn run(&mut self, steps: u64) -> Result<(), Error>;
    /// Waits until all steps are done, and tells how long those of the last [`run`](Engine::run) took, seconds. None, as by
    /// default, from an engine whose `run` returns when they are done: the call's own time is theirs.
    fn finish(&self) -> Result<Option<f64>, Error> {
        Ok(None)
    }
    /// Hands out the populations of these nodes of the box, piece after piece ([`pieces`](crate::pieces)), Q values a node. An error of
    /// `take` ends it.
    fn populations_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error>;
    /// Copies the populations out. `out.len()` is Q times the nodes of the box.
    fn populations(&self, out: &mut [f64]) -> Result<(), Error> {
        let nodes = self.nodes();
        assert!(out.len().is_multiple_of(nodes), "one value a direction and node");
        self.populations_of(0..nodes, &mut |nodes, values| {
            paste(out, nodes, values);
            Ok(())
        })
    }
    /// Copies out the populations of some nodes of the box, ascending: direction after direction, in the order of the list.
    /// `out.len()` is Q times as many.
    fn populations_at(&self, nodes: &[usize], out: &mut [f64]) -> Result<(), Error> {
        populations_within_spans(self, nodes, out)
    }
    /// Force and torque on a body about a point, as [`Contact::forces`] has them, summed where the flow is. None, as by default, from an engine
    /// that hands out [populations](Engine::populations_at) instead.
    fn forces_on(&mut self, _contact: &Arc<Contact>, _about: [f64; 3]) -> Result<Option<Forces>, Error> {
        Ok(None)
    }
    /// Sets the populations to what is given, Q values a node, rounding to the storage type, as of step `step`; boundary rules remember nothing
    /// then ([`memory`](Engine::memory)). Where moments are
    /// stored, what is set is their projection: populations that came from such an engine come back within rounding.
    fn set_populations_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error>;
    /// The same from those of the whole box.
    fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        assert!(populations.len().is_multiple_of(self.nodes()), "one value a direction and node");
        self.set_populations_from(&|nodes, values| cut(populations, nodes, values), step)
    }
    /// Sets every node to the same populations. By default they are given node by node.
    fn set_uniform(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        let give = |nodes: Range<usize>, values: &mut [f64]| {
            values.chunks_mut(nodes.len()).zip(populations).for_each(|(line, &value)| line.fill(value));
        };
        self.set_populations_from(&give, step)
    }
    /// The first of these nodes that cannot become solid or fluid, as a list does not store it ([`Drawable::lacks`](crate::addressing::Drawable::lacks)); none, as by
    /// default, where all can. [`set_geometry`](Engine::set_geometry) refuses it: this is for who has several engines change together.
    fn undrawable(&mut self, _nodes: &[usize]) -> Option<usize> {
        None
    }
    /// Goes on from the present step in a box of which some nodes have become solid or fluid, as `setup` has it now. It has the bits of an engine
    /// that is made for `setup` and set to what this one stores ([`state_of`](Engine::state_of)), but for these nodes: they have the
    /// populations that are given, and, where they are fluid, the fields' defaults. Parameters and fields of other nodes stay; boundary rules remember
    /// nothing.
    ///
    /// # Errors
    /// Those of making such an engine, and [`Error::Conflict`] for a node that is [undrawable](Engine::undrawable), and nothing is changed then; [`Error::Conflict`] from an engine that cannot, as by default; those of a device.
    fn set_geometry(&mut self, _setup: &Setup, _changed: Changed<'_>) -> Result<(), Error> {
        Err(Error::conflict(
            format!("solid nodes stay where they are on the engine `{}`", self.description()),
            "build the flow anew with its geometry, and set its populations",
        ))
    }
    /// Sets the values of [`Body::PARAMETERS`](crate::Body::PARAMETERS), in that order, for all steps that follow.
    ///
    /// # Errors
    /// [`Error::Conflict`] from an engine that cannot, as by default; those of a device.
    fn set_parameters(&mut self, _parameters: &[f64]) -> Result<(), Error> {
        Err(Error::conflict(
            format!("parameters stay as they were set on the engine `{}`", self.description()),
            "build the flow anew, and go on from a checkpoint",
        ))
    }
    /// Sets a factor of values of boundary rules that is set while a flow runs ([`Course::steered`](crate::rules::Course::steered)), for all steps
    /// that follow.
    ///
    /// # Errors
    /// Those of [`Arrivals::steer`](crate::rules::Arrivals::steer); [`Error::Conflict`] from an engine that cannot, as by default; those of a device.
    fn set_factor(&mut self, name: &str, _factor: f64) -> Result<(), Error> {
        Err(Error::conflict(
            format!("the factor `{name}` stays as it was given to the engine `{}`", self.description()),
            "build the flow anew, and go on from a checkpoint",
        ))
    }
    /// What boundary rules remember, in the order of [`Arrivals::memory`](crate::rules::Arrivals::memory), each number less what it is at first; none, as
    /// by default, if they remember nothing. With the populations it is the state of a flow.
    fn memory(&self) -> Result<Vec<f64>, Error> {
        Ok(Vec::new())
    }
    /// Sets what boundary rules remember, as an engine with the same box and rules handed it out.
    ///
    /// # Errors
    /// Those of [`check_memory`]; those of a device.
    fn set_memory(&mut self, values: &[f64]) -> Result<(), Error> {
        check_memory(0, values.len())
    }
    /// Sets the values of field `n` of [`Body::FIELDS`](crate::Body::FIELDS), one a node, for all steps that follow; they are rounded to the
    /// arithmetic type. What is given of solid nodes does not matter. Until it is called, all nodes have the declared default, or 0.
    ///
    /// # Errors
    /// [`Error::Conflict`] from an engine that cannot, as by default; those of a device.
    fn set_node_field(&mut self, n: usize, _give: Give<'_>) -> Result<(), Error> {
        Err(no_such_field(n, &self.description()))
    }
    /// Hands out the values of field `n` of these nodes of the box, piece after piece; zeros in solid nodes. Behind the fields that are set come those
    /// that follow ([`Body::DERIVED`](crate::Body::DERIVED)), as they were in the last step, or 0 where the state was set since.
    ///
    /// # Errors
    /// As [`set_node_field`](Engine::set_node_field).
    fn node_field_of(&self, n: usize, _nodes: Range<usize>, _take: Take<'_>) -> Result<(), Error> {
        Err(no_such_field(n, &self.description()))
    }
    /// Hands out what the engine stores of each node, as [`populations_of`](Engine::populations_of) does populations: these, as by
    /// default, or the moments that carry them ([`Facts::state_values`](crate::Facts::state_values)); zeros in solid nodes.
    fn state_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        self.populations_of(nodes, take)
    }
    /// Keeps the present state apart, to be handed out while further steps run, and change nothing of it. None, as by default, from an
    /// engine that cannot, or has no room for it, such as beside others that are not handed out yet: the caller then takes the state before
    /// the next step.
    fn start_state(&mut self) -> Result<Option<Box<dyn PendingState>>, Error> {
        Ok(None)
    }
    /// Whether [`state_of`](Engine::state_of) hands out moments.
    fn stores_moments(&self) -> bool {
        false
    }
    /// Sets what the engine stores of each node, as of step `step`, with rules that remember nothing, to what [`state_of`](Engine::state_of) hands out. Values of the
    /// storage type are kept exactly.
    fn set_state_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        self.set_populations_from(give, step)
    }
    /// Hands out density and velocity `rho, u_x, u_y, u_z` of these nodes of the box, piece after piece, by
    /// [`Body::macroscopic`](crate::Body::macroscopic) from the present populations and this force; anything in solid nodes. False,
    /// as by default, if the backend leaves it to the caller.
    fn fields_of(&self, _force: [f64; 3], _nodes: Range<usize>, _take: Take<'_>) -> Result<bool, Error> {
        Ok(false)
    }
    /// Hands out what populations along these directions of each of these nodes of the box sum to, in their order, piece after piece; anything in solid nodes.
    fn sums_of(&self, directions: Range<usize>, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        sums_of_populations(self, directions, nodes, take)
    }
    /// As [`fields_of`](Engine::fields_of), but only started, and only what is asked for: further steps run meanwhile, and change nothing of
    /// what comes. None, as by default, if the backend leaves it to the caller, or has no room for it.
    fn start_fields(
        &mut self,
        _force: [f64; 3],
        _request: &FieldRequest,
    ) -> Result<Option<Box<dyn PendingFields>>, Error> {
        Ok(None)
    }
    /// Names the nodes of its box that numbers of all nodes are of from now on: [`not_finite`](Engine::not_finite),
    /// [`largest_change`](Engine::largest_change), [`sum_of_velocity`](Engine::sum_of_velocity). False, as by default, if it does not know them.
    fn look_at(&mut self, _own: Grid) -> bool {
        false
    }
    /// How many populations are not finite; none, as by default, if the backend leaves it to the caller.
    fn not_finite(&self) -> Result<Option<u64>, Error> {
        Ok(None)
    }
    /// By how much a component of the velocity of a fluid node differs at most from what it was when this was asked before, in f64;
    /// NaN where one of them is no number, and 0 the first time. None, as by default, if the backend leaves it to the caller, who
    /// then does so for the whole run.
    fn largest_change(&mut self, _force: [f64; 3]) -> Result<Option<f64>, Error> {
        Ok(None)
    }
    /// The sum of a component of the velocity over all fluid nodes. None, as by default, if the backend leaves it to the caller.
    fn sum_of_velocity(&self, _force: [f64; 3], _component: usize) -> Result<Option<ExactSum>, Error> {
        Ok(None)
    }
    /// Names lists of stored values that cross to other parts of a box or come from there ([`cut`](crate::cut)), each by its number; those that were named
    /// before are forgotten. A change of the geometry forgets them, too. Nodes are fluid.
    ///
    /// # Errors
    /// [`Error::Conflict`] from an engine that cannot, as by default; those of a device.
    fn set_rims(&mut self, _rims: Vec<Rim>) -> Result<(), Error> {
        Err(Error::conflict(
            format!("no values cross between parts on the engine `{}`", self.description()),
            "run the box as a whole",
        ))
    }
    /// Hands out the values of a list, in its order, widened to f64.
    ///
    /// # Panics
    /// If the list was not named, or `out` has not its length.
    fn rim(&self, number: usize, _out: &mut [f64]) -> Result<(), Error> {
        unreachable!("list {number} was not named")
    }
    /// Sets the values of a list, and what boundary rules keep of them, here or in [`keep_rims`](Engine::keep_rims); other values stay.
    ///
    /// # Panics
    /// As [`rim`](Engine::rim).
    fn set_rim(&mut self, number: usize, _values: &[f64]) -> Result<(), Error> {
        unreachable!("list {number} was not named")
    }
    /// Has walls and boundary rules keep what they do of the values of lists that were set. It is called once they all are, before the step that reads
    /// them. By default there is nothing more to do.
    fn keep_rims(&mut self) -> Result<(), Error> {
        Ok(())
    }
    /// How its lists cross to other engines without the host. None, as by default, from an engine of which they do not.
    fn direct(&mut self) -> Option<&mut dyn Direct> {
        None
    }
    /// How it goes over nodes, where that was its own choice, as [`choose`](Engine::choose) takes it. None, as by default, from one that has no choice.
    fn chosen(&self) -> Option<String> {
        None
    }
    /// Goes over nodes as the engine of another part of the box does, if it can: what was measured there need not be found again. It may be anything;
    /// by default it changes nothing.
    ///
    /// # Errors
    /// Those of making it so.
    fn choose(&mut self, _chosen: &str) -> Result<(), Error> {
        Ok(())
    }
    /// Hands out values of those nodes of the box that this process has, in ranges, in any order: all processes together hand out each node once. By default
    /// there is one.
    fn own_of(&self, what: OfNodes, take: TakeRuns<'_>) -> Result<(), Error> {
        what.hand_out(self, 0..self.nodes(), &mut |nodes, values| take(std::slice::from_ref(&nodes), values))
    }
    /// The parts of the box, with the ranks of those that have them; none, as by default, where it is not cut.
    fn owners(&self) -> Vec<(usize, OwnBox)> {
        Vec::new()
    }
    /// The processes that share the flow; by default there is one.
    fn processes(&self) -> &dyn Transport {
        &Alone
    }
    /// Nodes of the box.
    fn nodes(&self) -> usize;
    /// Steps done.
    fn step(&self) -> u64;
    /// Bytes of memory that were really allocated for populations.
    fn allocated_bytes(&self) -> usize;
    /// What runs it, e.g. `cpu, 2 threads, AVX2`.
    fn description(&self) -> String;
}

/// [`Engine::populations_at`] by a few ranges that hold the nodes.
///
/// # Errors
/// Those of the engine.
pub fn populations_within_spans(
    engine: &(impl Engine + ?Sized),
    nodes: &[usize],
    out: &mut [f64],
) -> Result<(), Error> {
    let count = nodes.len();
    for range in spans(nodes, MOST_SPANS) {
        engine.populations_of(range, &mut |piece, values| {
            let first = nodes.partition_point(|&node| node < piece.start);
            let last = nodes.partition_point(|&node| node < piece.end);
            for (line, out) in values.chunks(piece.len()).zip(out.chunks_mut(count)) {
                for (node, out) in nodes[first..last].iter().zip(&mut out[first..last]) {
                    *out = line[node - piece.start];
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// What populations along some directions sum to, of an engine that leaves it to the host.
///
/// # Errors
/// Those of [`Engine::populations_of`].
pub fn sums_of_populations(
    engine: &(impl Engine + ?Sized),
    directions: Range<usize>,
    nodes: Range<usize>,
    take: Take<'_>,
) -> Result<(), Error> {
    engine.populations_of(nodes, &mut |nodes, values| {
        let count = nodes.len();
        let sum = |n: usize| directions.clone().map(|i| values[n + count * i]).sum();
        take(nodes, &(0..count).map(sum).collect::<Vec<f64>>())
    })
}

/// Field n is none of the engine's.
#[must_use]
pub fn no_such_field(n: usize, engine: &str) -> Error {
    Error::conflict(
        format!(
            "field {n} of nodes was asked for, but the collision on the engine `{engine}` reads none of that number"
        ),
        "declare the collision with `field name`, and take an engine that knows fields",
    )
}
