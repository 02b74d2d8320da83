//! What the collision reads of each node beside its populations: numbers of the arithmetic type, field after field, the nodes of each in the order
//! x, y, z, or as they are listed.

use lbm_core::Expression;

use super::pieces::Pieces;
use super::resource::{Parameter, Resource};
use super::scheme::{AXES, Scheme, each_of, extent_of, put};

/// The parameter of kernels that collide, if there are fields.
pub(super) fn parameters(pieces: &Pieces<'_>) -> Vec<Parameter> {
    let any = (pieces.fields() > 0).then_some(Resource::NodeFields.read());
    any.into_iter().collect()
}

/// Declares `field`, the values of so many nodes side by side of which the first is number `first` of `all`.
pub(super) fn read(pieces: &Pieces<'_>, first: &str, all: &str, nodes: usize) -> String {
    let (mut text, count) = (String::new(), pieces.fields());
    if count == 0 {
        return text;
    }
    put!(text, "// What the collision reads of its node.");
    put!(text, "real field{}[{count}];", extent_of(nodes));
    for (k, at) in each_of(nodes).enumerate() {
        for n in 0..count {
            put!(text, "field{at}[{n}] = {}[{first} + {k}u + {n}u * (size_t)({all})];", Resource::NodeFields);
        }
    }
    text
}

/// The same of nodes of a box at `x`, `y`, `z`.
pub(super) fn read_at(pieces: &Pieces<'_>, scheme: &Scheme, nodes: usize) -> String {
    let numbers = pieces.facts.padded(scheme.size.clone());
    let first = numbers.number(AXES.map(Expression::name), [0; 3]).to_string();
    read(pieces, &first, &numbers.nodes().to_string(), nodes)
}

/// Puts what was derived to the fields of a pass.
pub(super) fn written(pieces: &Pieces<'_>, scheme: &Scheme, nodes: usize, pass: usize) -> String {
    let (mut text, numbers) = (String::new(), pieces.facts.padded(scheme.size.clone()));
    let (first, all) = (numbers.number(AXES.map(Expression::name), [0; 3]), numbers.nodes());
    put!(text, "// What neighbours may read.");
    for (k, at) in each_of(nodes).enumerate() {
        for (n, field) in pieces.facts.body.derivations[pass].fields.clone().enumerate() {
            put!(
                text,
                "{}[{first} + {k}u + {field}u * (size_t)({all})] = derived{at}[{n}];",
                Resource::NodeFields
            );
        }
    }
    text
}

/// What `collide` is handed of node `k` of them, with a comma.
pub(super) fn handed(pieces: &Pieces<'_>, k: &str) -> String {
    if pieces.fields() > 0 { format!("field{k}, ") } else { String::new() }
}
