//! A derived solver under a scheme by name.

use lbm::core::axes::Axes;
use lbm::core::{Facts, Variant};
use lbm::simulation::Product;

/// The same body in the same precision under another scheme.
pub fn product<V: Variant>(scheme: &str) -> Product {
    let facts = Facts::of::<V>();
    let axes = Axes::built_in().with_lattice::<V::Lattice>().with_facts(&facts);
    let body = format!("{}-{}", facts.lattice.name.to_lowercase(), facts.body.collision);
    let name = format!("{body}-{}-{scheme}", facts.precision.name);
    Product::of::<V>().with(axes.product(&name).unwrap_or_else(|error| panic!("{name}: {error}"))).unwrap()
}
