//! Values that a collision reads of each node, where they come from: functions of the node, or the declared default.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use lbm_core::derived::DerivedField;
use lbm_core::pieces::{Give, fill, nodes_of_piece, pieces};
use lbm_core::range::described;
use lbm_core::{Domain, Engine, Error, Facts, NodeField, Variant};

use super::builder::Builder;
use super::check;
use super::problem::NodeValues;

impl<V: Variant> Builder<V> {
    /// Sets a field that the collision declares, `field solidity = 0 in 0..=1`: the value of the node at `[x, y, z]`, asked for each fluid node on all
    /// cores, perhaps more than once. Without it all nodes have the declared default. The last function of a name counts;
    /// [`Simulation::set_field`](super::Simulation::set_field) changes it between steps. Values of a file are looked up by the index of the node, such as
    /// [`Regions::region`](lbm_core::geometry::Regions::region) of voxels that NRRD holds, `table[region[x + nx * (y + ny * z)] as usize]`.
    ///
    /// ```
    /// use lbm::prelude::*;
    ///
    /// solver! { Bed { lattice: D2Q9, collision: PartialBounceBack<Bgk>, forcing: Guo } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let bed = || Bed::builder().size([4, 16]).viscosity(0.1).force([1e-6, 0.0, 0.0]);
    /// let mut flow = bed().field("solidity", |[_, y, _]| if y < 8 { 0.1 } else { 0.0 }).build()?;
    /// flow.run(500)?;
    /// let u = flow.velocity()?;
    /// assert!(u[4 * 12][0] > 2.0 * u[4 * 4][0]);
    ///
    /// let error = bed().field("solidity", |[x, ..]| x as f64).build().unwrap_err();
    /// assert!(error.to_string().starts_with("field `solidity` at node [2, 0, 0] = 2"), "{error}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn field(mut self, name: &str, value: impl Fn([usize; 3]) -> f64 + Send + Sync + 'static) -> Self {
        self.problem.fields.push((name.to_owned(), Box::new(value)));
        self
    }
}

/// The fields that are where a node lies, which flows set themselves.
const POSITION: [(&str, &At); 3] = [
    ("position_x", &|[x, _, _]| x as f64),
    ("position_y", &|[_, y, _]| y as f64),
    ("position_z", &|[_, _, z]| z as f64),
];

/// The value of the node at a place.
type At = dyn Fn([usize; 3]) -> f64 + Sync;

fn of_position(name: &str) -> Option<&'static At> {
    POSITION.iter().find(|(known, _)| *known == name).map(|&(_, at)| at)
}

/// The place of a field that may be set.
///
/// # Errors
/// As [`place_of`]; [`Error::Conflict`] for a position, and for what follows from others.
pub(super) fn settable(facts: &Facts, name: &str) -> Result<usize, Error> {
    let place = place_of(facts, name)?;
    if place >= facts.body.fields.len() {
        return Err(Error::conflict(
            format!("the field `{name}` follows from others in each step"),
            "leave it out; set what it follows from",
        ));
    }
    match of_position(name) {
        Some(_) => Err(Error::conflict(
            format!("the field `{name}` is where the node lies, which the flow knows"),
            "leave it out, or declare a field of another name",
        )),
        None => Ok(place),
    }
}

/// The place of a field of this name among those that the collision reads.
///
/// # Errors
/// [`Error::Unknown`] with those that there are.
pub(super) fn place_of(facts: &Facts, name: &str) -> Result<usize, Error> {
    let derived = facts.body.derived.iter().map(|field| field.name);
    let names = facts.body.fields.iter().map(|field| field.name).chain(derived);
    names.clone().position(|known| known == name).ok_or_else(|| {
        let list: Vec<&str> = names.clone().collect();
        let known = if list.is_empty() { "none".to_owned() } else { list.join(", ") };
        Error::unknown("field of nodes", name, names, format!("the fields of {} are: {known}", facts.name()))
    })
}

/// What fields the nodes of a flow have: of each that the collision reads the function that was given last, if there is one.
pub(super) struct GivenFields<'a>(Vec<(&'a NodeField, Option<&'a At>)>, &'static [DerivedField]);

impl<'a> GivenFields<'a> {
    /// Those that were given, and those that have a default.
    ///
    /// # Errors
    /// As [`settable`]; [`Error::Missing`] for one that must be given.
    pub(super) fn of(facts: &Facts, given: &'a [(String, NodeValues)]) -> Result<GivenFields<'a>, Error> {
        given.iter().try_for_each(|(name, _)| settable(facts, name).map(drop))?;
        let fields = facts.body.fields.iter().map(|field| {
            let own = given.iter().rev().find(|(name, _)| name == field.name);
            let own = own
                .map(|(_, values)| -> &At { values.as_ref() })
                .or(of_position(field.name).map(|at| -> &At { at }));
            if own.is_none() && field.default.is_none() {
                return Err(Error::Missing {
                    what: format!("the field `{}` of {}", field.name, facts.name()),
                    remedy: format!("call .field(\"{}\", |[x, y, z]| ..)", field.name),
                });
            }
            Ok((field, own))
        });
        Ok(GivenFields(fields.collect::<Result<_, _>>()?, facts.body.derived))
    }

    /// The values of a node, as they are given; what follows from others is 0 yet.
    pub(super) fn at(&self, position: [usize; 3]) -> Vec<f64> {
        let value = |(field, own): &(&NodeField, Option<&At>)| {
            own.map_or(field.default.unwrap_or_default(), |own| own(position))
        };
        self.0.iter().map(value).chain(self.1.iter().map(|_| 0.0)).collect()
    }

    /// Sets the fields of an engine, which has the defaults.
    ///
    /// # Errors
    /// As [`set`].
    pub(super) fn set(&self, engine: &mut dyn Engine, domain: &Domain) -> Result<(), Error> {
        for (n, (field, own)) in self.0.iter().enumerate() {
            if let Some(values) = own {
                set(engine, domain, n, field, *values)?;
            }
        }
        Ok(())
    }
}

/// Sets a field of an engine to a function of the node, on all cores. Solid nodes are not asked for.
///
/// # Errors
/// [`Error::OutOfRange`] for the first fluid node, in the order x, y, z, whose value is not in the field's range: the engine stays as it was; those of
/// the engine.
pub(super) fn set(
    engine: &mut dyn Engine,
    domain: &Domain,
    n: usize,
    field: &NodeField,
    values: &(impl Fn([usize; 3]) -> f64 + Sync + ?Sized),
) -> Result<(), Error> {
    let give = given(domain, values);
    check_all(domain, field, &give)?;
    engine.set_node_field(n, &give)
}

/// What gives the values of nodes: those of a function, and 0 of solid ones.
pub(super) fn given(
    domain: &Domain,
    values: &(impl Fn([usize; 3]) -> f64 + Sync + ?Sized),
) -> impl Fn(Range<usize>, &mut [f64]) + Sync {
    |nodes, out| {
        for (out, node) in out.iter_mut().zip(nodes) {
            let position = domain.position(node);
            *out = if domain.is_solid(position) { 0.0 } else { values(position) };
        }
    }
}

/// Refuses what is given of fluid nodes if a value is not finite or outside of the field's range.
pub(super) fn check_all(domain: &Domain, field: &NodeField, give: Give<'_>) -> Result<(), Error> {
    let refused: Mutex<Option<(usize, f64)>> = Mutex::default();
    let look = |nodes: Range<usize>, out: &mut [f64]| {
        give(nodes.clone(), out);
        let is_fluid = |n: usize| domain.solid_at(nodes.start + n).is_none();
        let wrong = |&(n, value): &(usize, &f64)| is_fluid(n) && !allows(field, *value);
        if let Some((n, &value)) = out.iter().enumerate().find(wrong) {
            let mut first = refused.lock().unwrap_or_else(PoisonError::into_inner);
            if first.is_none_or(|(other, _)| nodes.start + n < other) {
                *first = Some((nodes.start + n, value));
            }
        }
    };
    // Nodes of others are looked at by these.
    let known: Vec<Range<usize>> = match domain.is_whole() {
        true => std::iter::once(0..domain.nodes()).collect(),
        false => domain.portion().listed_runs().collect(),
    };
    for nodes in known.into_iter().flat_map(|run| pieces(run, nodes_of_piece(1))) {
        let mut values = vec![0.0; nodes.len()];
        fill(&look, nodes, &mut values);
        if let Some((node, value)) = *refused.lock().unwrap_or_else(PoisonError::into_inner) {
            let name = format!("field `{}` at node {:?}", field.name, domain.position(node));
            check::finite(&name, [&value], &value)?;
            let remedy = "the collision declares this range; give a number in it at each fluid node";
            return Err(Error::out_of_range(name, value, described(field.range), remedy));
        }
    }
    Ok(())
}

fn allows(field: &NodeField, value: f64) -> bool {
    use std::ops::RangeBounds as _;
    value.is_finite() && field.range.contains(&value)
}
