//! Which collisions read which fields of nodes.

use lbm_bodies::Body;

/// The fields of nodes of all collisions that a flow may be given, each name once.
#[must_use]
pub fn fields() -> Vec<&'static str> {
    each_once(lbm_bodies::all().iter().flat_map(names))
}

/// The collisions on a lattice that read this field of nodes.
#[must_use]
pub fn operators_with_field(lattice: &str, name: &str) -> Vec<&'static str> {
    let has =
        |body: &&'static Body| body.facts.lattice.name == lattice && names(body).any(|known| known == name);
    each_once(lbm_bodies::all().iter().filter(has).map(|body| body.operator.as_str()))
}

/// Whether a field of nodes is a component of a force of each node.
#[must_use]
pub fn is_force(name: &str) -> bool {
    let with_force = lbm_bodies::all().iter().filter(|body| body.facts.body.force_field);
    with_force
        .into_iter()
        .any(|body| names(body).take(body.facts.lattice.dimension).any(|known| known == name))
}

fn names(body: &'static Body) -> impl Iterator<Item = &'static str> {
    body.facts.body.fields.iter().map(|field| field.name)
}

fn each_once(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut all: Vec<&str> = names.collect();
    all.sort_unstable();
    all.dedup();
    all
}
