//! What the collision reads of each node beside its populations: numbers of the arithmetic type, field after field, the nodes of each in the order
//! x, y, z, or as they are listed.

use std::ops::Range;

use lbm_core::Expression;
use lbm_core::derived::NearRead;

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
    read_some(pieces, 0..pieces.fields(), [first, all], nodes)
}

/// The same, of which only some are read.
fn read_some(pieces: &Pieces<'_>, some: Range<usize>, [first, all]: [&str; 2], nodes: usize) -> String {
    let (mut text, count) = (String::new(), pieces.fields());
    if count == 0 {
        return text;
    }
    put!(text, "// What the collision reads of its node.");
    put!(text, "real field{}[{count}];", extent_of(nodes));
    for (k, at) in each_of(nodes).enumerate() {
        for n in some.clone() {
            put!(text, "field{at}[{n}] = {}[{first} + {k}u + {n}u * (size_t)({all})];", Resource::NodeFields);
        }
    }
    text
}

/// The same of nodes of a box at `x`, `y`, `z`, of which the last pass computes some fields here ([`joined_pass`](lbm_core::facts::BodyFacts::joined_pass)), so that these are not stored.
pub(super) fn read_at(pieces: &Pieces<'_>, scheme: &Scheme, nodes: usize) -> String {
    let derivations = pieces.facts.body.derivations;
    let known =
        pieces.facts.body.joined_pass().map_or(pieces.fields(), |pass| derivations[pass].fields.start);
    let mut text = read_before(pieces, scheme, 0..known, nodes);
    for (k, at) in each_of(nodes).enumerate() {
        let Some(pass) = pieces.facts.body.joined_pass() else { break };
        put!(text, "{{");
        text += &near(pieces, scheme, pass, k);
        for (n, field) in derivations[pass].fields.clone().enumerate() {
            put!(text, "field{at}[{field}] = derived[{n}];");
        }
        put!(text, "}}");
    }
    text
}

/// The same where nothing was computed yet but what is set.
pub(super) fn read_set(pieces: &Pieces<'_>, scheme: &Scheme, nodes: usize) -> String {
    read_before(pieces, scheme, 0..pieces.facts.body.fields.len(), nodes)
}

fn read_before(pieces: &Pieces<'_>, scheme: &Scheme, some: Range<usize>, nodes: usize) -> String {
    let numbers = pieces.facts.padded(scheme.size.clone());
    let first = numbers.number(AXES.map(Expression::name), [0; 3]).to_string();
    read_some(pieces, some, [&first, &numbers.nodes().to_string()], nodes)
}

/// Declares `derived`, what a pass over fields makes of those around the `k`th of the nodes from `x`, `y`, `z` on.
pub(super) fn near(pieces: &Pieces<'_>, scheme: &Scheme, pass: usize, k: usize) -> String {
    let (mut text, derivation) = (String::new(), &pieces.facts.body.derivations[pass]);
    let numbers = pieces.facts.padded(scheme.size.clone());
    put!(text, "real near[{}], derived[{}];", derivation.reads.len(), derivation.fields.len());
    let all = numbers.nodes();
    for (n, &NearRead { field, mut offset, .. }) in derivation.reads.iter().enumerate() {
        offset[0] += k as i32;
        let at = numbers.number(AXES.map(Expression::name), offset);
        put!(text, "near[{n}] = {}[{at} + {field}u * (size_t)({all})];", Resource::NodeFields);
    }
    put!(text, "near_{pass}(near, uniforms.k, derived);");
    text
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
