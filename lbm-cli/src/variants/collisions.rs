//! The collisions that the command has: on which lattices, with which equilibria and parameters.

use std::ops::Bound;

use lbm_bodies::Body;
use lbm_core::Error;
use lbm_core::facts::BodyFacts;
use lbm_core::range::Range;
use lbm_generator::language::{Equilibrium, Forcing};

use super::{Axis, names_on};

/// All equilibria.
pub(super) const EQUILIBRIA: [Equilibrium; 2] = [Equilibrium::QuasiCompressible, Equilibrium::Incompressible];

pub(super) fn equilibrium_name(of: Equilibrium) -> &'static str {
    match of {
        Equilibrium::QuasiCompressible => "quasi-compressible",
        Equilibrium::Incompressible => "incompressible",
    }
}

/// The collisions on one of these lattices, each with a body force or without, whatever their equilibrium.
#[must_use]
pub fn operators(on: &[(&str, bool)]) -> Vec<&'static str> {
    names_on(Axis::Collision).into_iter().filter(|name| !equilibria(on, name).is_empty()).collect()
}

/// The equilibria that a collision has on one of these lattices, each with a body force or without.
#[must_use]
pub fn equilibria(on: &[(&str, bool)], operator: &str) -> Vec<&'static str> {
    let has = |equilibrium: &Equilibrium| {
        lbm_bodies::all().iter().any(|body| {
            let of = (body.facts.lattice.name, body.facts.body.forced);
            body.operator == operator && body.choices.equilibrium == *equilibrium && on.contains(&of)
        })
    };
    EQUILIBRIA.into_iter().filter(has).map(equilibrium_name).collect()
}

/// What a collision is called in names of variants, on a lattice, with this equilibrium and forcing.
///
/// # Errors
/// [`Error::Conflict`] where it is not there, with the equilibria that go with the forcing.
pub fn collision(
    lattice: &str,
    operator: &str,
    equilibrium: &str,
    forcing: Forcing,
) -> Result<&'static str, Error> {
    let all = lbm_bodies::all().iter().filter(|body| body.facts.lattice.name == lattice);
    let of_name: Vec<_> =
        all.filter(|body| body.operator == operator && body.choices.forcing == forcing).collect();
    let has = |body: &&&Body| equilibrium_name(body.choices.equilibrium) == equilibrium;
    if let Some(found) = of_name.iter().find(has) {
        return Ok(found.facts.body.collision);
    }
    let forced = match forcing {
        Forcing::None => "is not compiled in",
        Forcing::Guo => "has no force",
        Forcing::GuoField => "has no force of each node",
    };
    let others = of_name.iter().map(|body| equilibrium_name(body.choices.equilibrium));
    let remedy = match others.collect::<Vec<_>>().join(" or ") {
        none if none.is_empty() => "take another --set collision=; `lbm variants` lists them".to_owned(),
        some => format!("take --set equilibrium={some}"),
    };
    Err(Error::conflict(
        format!("`{operator}` with the {equilibrium} equilibrium {forced} on {lattice}"),
        remedy,
    ))
}

/// The parameters of a collision that only it has: not its viscosity and its force, which a flow sets.
#[must_use]
pub fn free_parameters(body: &BodyFacts) -> Vec<&'static str> {
    let of_flow = |name: &&str| *name == "viscosity" || name.starts_with("force_");
    body.parameters.iter().copied().filter(|name| !of_flow(name)).collect()
}

/// The same of all collisions, each name once.
#[must_use]
pub fn parameters() -> Vec<&'static str> {
    let mut all: Vec<&str> =
        lbm_bodies::all().iter().flat_map(|body| free_parameters(&body.facts.body)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The number nearest to 0 that a parameter may be.
pub(super) fn nearest_to_zero((least, greatest): Range) -> f64 {
    let end = |bound, open| match bound {
        Bound::Included(end) | Bound::Excluded(end) => end,
        Bound::Unbounded => open,
    };
    0.0f64.max(end(least, f64::NEG_INFINITY)).min(end(greatest, f64::INFINITY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_as_near_to_zero_as_it_may_be() {
        let from_one = (Bound::Included(1.0), Bound::Unbounded);
        let below = (Bound::Unbounded, Bound::Included(-0.5));
        assert_eq!([from_one, below, lbm_core::range::ANY].map(nearest_to_zero), [1.0, -0.5, 0.0]);
    }
}
