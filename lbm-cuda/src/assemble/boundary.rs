//! Nodes at walls in lists, the half-way wall, and the kernel that does such nodes a thread each.
//!
//! A missing population is what the node itself sent to the opposite direction: read back from wherever the pattern wrote
//! it, or, in one copy, from where it was kept; plus a wall's term. No rule is written per pattern.

use lbm_core::Expression;

use super::kernel::{Grid, Kernel, Threads};
use super::masks::MaskWord;
use super::pieces::Pieces;
use super::resource::{Parameter, Resource};
use super::scheme::{position_of, put};

/// Threads a block of this kernel.
pub(super) const BOUNDARY_BLOCK: u32 = 128;

/// A thread each node at walls. With all registers; without, a few bytes are spilled here and there.
pub(super) fn at_walls() -> Threads {
    Threads::in_rows(BOUNDARY_BLOCK, Some(1), Grid::Each(Resource::Count))
}

/// What the kernel does, as a comment.
pub(super) const ABOUT: &str = "\n// The same for `count` nodes at walls. Bit i of `missing` says that direction i comes from a wall, whose\n\
                                // number follows in `walls`; what this node sent there comes back, and a moving wall adds its term.\n";

/// The kernel of a phase, in two copies.
pub(super) fn boundary(pieces: &Pieces<'_>, phase: usize) -> Kernel {
    let (q, facts) = (pieces.q, pieces.facts);
    let (source, target, scheme) = (pieces.source(), pieces.target(), pieces.scheme());
    let parameters = pieces.parameters_and(&lists(pieces));
    let mut kernel = Kernel::new(ABOUT, format!("boundary_{phase}"), phase, at_walls(), parameters);
    let text = &mut kernel.body;
    *text += &node_at_walls(pieces, &scheme.size);
    let reads: Vec<_> = (0..q).map(|i| facts.read(i, phase)).collect();
    let sent: Vec<_> = (0..q).map(|i| facts.sent(facts.lattice.opposites[i], phase)).collect();
    let writes: Vec<_> = (0..q).map(|i| facts.write(i, phase)).collect();
    let all = reads.iter().chain(&sent).chain(&writes);
    *text += &scheme.neighbours(&all.map(|access| access.shift).collect(), 1);
    put!(text, "// Populations that meet here, or come back.");
    put!(text, "real h[{q}], post[{q}];");
    for i in 0..q {
        let read = format!("decode({source}[{}])", scheme.offset(reads[i]));
        if facts.lattice.velocities[i] == [0; 3] {
            put!(text, "h[{i}] = {read};");
            continue;
        }
        let back = format!("{source}[{}]", scheme.offset(sent[i]));
        put!(text, "h[{i}] = lost >> {i} & 1u");
        put!(text, "    ? {}", of_link(pieces, &format!("decode({back})"), "link", i));
        put!(text, "    : {read};");
        put!(text, "link += lost >> {i} & 1u;");
    }
    put!(text, "collide(h, uniforms.k, post);");
    put!(text, "// Populations that leave.");
    for (i, &access) in writes.iter().enumerate() {
        put!(text, "{target}[{}] = encode(post[{i}]);", scheme.offset(access));
    }
    kernel
}

/// The parameters that name the nodes at walls.
pub(super) fn lists(pieces: &Pieces<'_>) -> [Parameter; 6] {
    [
        Resource::Count.value(),
        Resource::AtWalls.read(),
        MaskWord::of(pieces.facts).read(Resource::Missing),
        Resource::Links.read(),
        Resource::Walls.read(),
        Resource::Terms.read(),
    ]
}

/// What a kernel is handed that does nodes at walls itself: a bit a node for those that are solid or at walls, another for those
/// of them that are fluid, and so have links; before each word of these, how many there are; and the lists of nodes at walls.
pub(super) fn within_step(pieces: &Pieces<'_>) -> [Parameter; 7] {
    let [_, _, missing, links, walls, terms] = lists(pieces);
    let [skip, linked, ranks] = [Resource::Skip, Resource::Linked, Resource::Ranks].map(Resource::read);
    [skip, linked, ranks, missing, links, walls, terms]
}

/// The half-way wall ([`lbm_core::links::half_way`]): what comes back of what was sent, to which the wall's motion adds a term.
pub(super) fn half_way(sent: &str, term: &str) -> String {
    format!("{sent} + {term}")
}

/// What comes back from a wall that adds the term of this number.
pub(super) fn from_wall(pieces: &Pieces<'_>, sent: &str, number: &str) -> String {
    let times = match pieces.unit() {
        1.0 => String::new(),
        unit => pieces.arithmetic.literal(unit) + " * ",
    };
    half_way(sent, &format!("{times}terms[{number}u]"))
}

/// What comes back along direction `i` from the wall of a link, which `link` numbers and may count on.
pub(super) fn of_link(pieces: &Pieces<'_>, sent: &str, link: &str, i: usize) -> String {
    from_wall(pieces, sent, &format!("{}u * walls[{link}] + {i}", pieces.q))
}

/// The directions that come from neighbours, each with the opposite one.
pub(super) fn from_neighbours(pieces: &Pieces<'_>) -> impl Iterator<Item = (usize, usize)> {
    let opposites = pieces.facts.lattice.opposites.iter().copied().enumerate();
    opposites.filter(|(i, opposite)| i != opposite)
}

/// Declares a node at walls, which of its directions come from walls, and the number of the first such link.
pub(super) fn node_at_walls(pieces: &Pieces<'_>, size: &[Expression; 3]) -> String {
    let mut text = String::new();
    put!(text, "const unsigned number = {BOUNDARY_BLOCK}u * blockIdx.x + threadIdx.x;");
    put!(text, "if (number >= count) return;");
    put!(text, "const unsigned index = at_walls[number];");
    put!(text, "{}", position_of("index", size));
    put!(text, "const {} lost = missing[number];", MaskWord::of(pieces.facts));
    put!(text, "unsigned link = links[number];");
    text
}

/// Keeps what goes into walls, in the order in which it is read back.
pub(super) fn keep(pieces: &Pieces<'_>, sent: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    put!(text, "// What goes into walls comes back in the next step.");
    put!(text, "link = links[number];");
    for (i, opposite) in from_neighbours(pieces) {
        put!(text, "if (lost >> {i} & 1u) kept[link++] = {};", sent(opposite));
    }
    text
}
