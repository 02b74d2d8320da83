//! What the collision reads of each node beside its populations: numbers of the arithmetic type, field after field, the nodes of each in the order
//! x, y, z, or as they are listed.

use lbm_core::Expression;

use super::pieces::Pieces;
use super::resource::{Parameter, Resource};
use super::scheme::{AXES, Scheme, each_of, extent_of, put};

/// The numbers of nodes of a box among the values of a field: as in the box, or in one that is wider by as far as fields are read.
pub(super) struct Numbers {
    size: [Expression; 3],
    margin: [usize; 3],
    /// How many there are.
    pub(super) all: Expression,
}

impl Numbers {
    pub(super) fn of(pieces: &Pieces<'_>, scheme: &Scheme) -> Numbers {
        let margin = pieces.facts.padded([1; 3]).margin();
        let wider = |axis: usize| match margin[axis] {
            0 => scheme.size[axis].clone(),
            margin => scheme.size[axis].clone() + 2 * margin,
        };
        let size = [0, 1, 2].map(wider);
        let [nx, ny, nz] = size.clone();
        Numbers { size, margin, all: nx * ny * nz }
    }

    /// That of the node so far away from a position.
    pub(super) fn number(&self, position: [Expression; 3], offset: [i32; 3]) -> Expression {
        let mut axis = 0;
        let [x, y, z] = position.map(|along| {
            let away = (self.margin[axis] as i32 + offset[axis]) as usize;
            axis += 1;
            if away == 0 { along } else { along + away }
        });
        let [nx, ny, _] = self.size.clone();
        x + nx * (y + ny * z)
    }
}

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
    let numbers = Numbers::of(pieces, scheme);
    let first = numbers.number(AXES.map(Expression::name), [0; 3]).to_string();
    read(pieces, &first, &numbers.all.to_string(), nodes)
}

/// Puts what was derived to the fields of a pass.
pub(super) fn written(pieces: &Pieces<'_>, scheme: &Scheme, nodes: usize, pass: usize) -> String {
    let (mut text, numbers) = (String::new(), Numbers::of(pieces, scheme));
    let (first, all) = (numbers.number(AXES.map(Expression::name), [0; 3]), &numbers.all);
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
