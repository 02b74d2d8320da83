//! The kernel of the nodes at walls.
//!
//! A missing population is what the node itself sent to the opposite direction: read back from wherever the pattern wrote
//! it, or, in one copy, from where it was kept; plus a wall's term. No rule is written per pattern.

use super::kernel::{Kernel, Over, Threads};
use super::pieces::Pieces;
use super::resource::{Parameter, Resource};
use super::scheme::{Scheme, line};

/// Threads a block of this kernel.
pub(super) const BOUNDARY_BLOCK: u32 = 128;

/// A thread each listed node. With all registers; without, a few bytes are spilled here and there.
pub(super) fn at_walls() -> Threads {
    Threads::in_rows(BOUNDARY_BLOCK, Some(1), Over::Each(Resource::Count))
}

/// What the kernel does, as a comment.
pub(super) const ABOUT: &str = "\n// The same for `count` listed nodes at walls. Bit i of `missing` says that direction i comes from a wall, whose\n\
                                // number follows in `walls`; what this node sent there comes back, and a moving wall adds its term.\n";

/// The kernel of a phase.
pub(super) fn boundary(pieces: &Pieces<'_>, scheme: &Scheme, phase: usize) -> Kernel {
    let (q, facts, keeps) = (pieces.q, pieces.facts, pieces.facts.keeps_sent);
    let (source, target) = (pieces.source(), pieces.target());
    let mut parameters = pieces.parameters_and(&LISTS);
    let mut about = ABOUT.to_owned();
    if keeps {
        parameters.push(Resource::Kept.written());
        about += "// Until then it is kept apart, since the missing neighbour's places may be another node's to write.\n";
    }
    let mut kernel = Kernel::new(about, format!("boundary_{phase}"), phase, at_walls(), parameters);
    let text = &mut kernel.body;
    *text += &listed(scheme);
    let reads: Vec<_> = (0..q).map(|i| facts.read(i, phase)).collect();
    let sent: Vec<_> = (0..q).map(|i| facts.sent(facts.lattice.opposites[i], phase)).collect();
    let writes: Vec<_> = (0..q).map(|i| facts.write(i, phase)).collect();
    let back: &[lbm_core::Access] = if keeps { &[] } else { &sent };
    let all = reads.iter().chain(back).chain(&writes);
    *text += &scheme.neighbours(&all.map(|access| access.shift).collect(), 1);
    line(text, format_args!("// Populations that meet here, or come back."));
    line(text, format_args!("real h[{q}], post[{q}];"));
    for i in 0..q {
        let read = format!("decode({source}[{}])", scheme.offset(reads[i]));
        if facts.lattice.velocities[i] == [0; 3] {
            line(text, format_args!("h[{i}] = {read};"));
            continue;
        }
        let back =
            if keeps { "kept[link]".to_owned() } else { format!("{source}[{}]", scheme.offset(sent[i])) };
        line(text, format_args!("h[{i}] = lost >> {i} & 1u"));
        line(text, format_args!("    ? decode({back}) + {}", term(pieces, "link", i)));
        line(text, format_args!("    : {read};"));
        line(text, format_args!("link += lost >> {i} & 1u;"));
    }
    line(text, format_args!("collide(h, uniforms.k, post);"));
    line(text, format_args!("// Populations that leave."));
    for (i, &access) in writes.iter().enumerate() {
        line(text, format_args!("{target}[{}] = encode(post[{i}]);", scheme.offset(access)));
    }
    if keeps {
        *text += &keep(pieces, |opposite| format!("encode(post[{opposite}])"));
    }
    kernel
}

/// The parameters that name the nodes at walls.
pub(super) const LISTS: [Parameter; 6] = [
    Resource::Count.value(),
    Resource::AtWalls.read(),
    Resource::Missing.read(),
    Resource::Links.read(),
    Resource::Walls.read(),
    Resource::Terms.read(),
];

/// What a kernel is handed that does nodes at walls itself: a bit a node for those that are solid or at walls, another for those
/// of them that are fluid, and so listed; before each word of these, how many are listed; and the lists.
pub(super) const INSIDE: [Parameter; 7] = [
    Resource::Skip.read(),
    Resource::Listed.read(),
    Resource::Ranks.read(),
    LISTS[2],
    LISTS[3],
    LISTS[4],
    LISTS[5],
];

/// A function that gives the number of a listed node.
pub(super) const NUMBER_LISTED: &str = "
// The number of a listed node, by its index in the order x, y, z.
__device__ __forceinline__ unsigned number_listed(
    const unsigned* __restrict__ listed, const unsigned* __restrict__ ranks, const size_t index
) {
    return ranks[index >> 5] + __popc(listed[index >> 5] & ((1u << (index & 31u)) - 1u));
}
";

/// What the wall of a link adds to direction `i`; `link` may count on.
pub(super) fn term(pieces: &Pieces<'_>, link: &str, i: usize) -> String {
    let times = match pieces.unit() {
        1.0 => String::new(),
        unit => pieces.arithmetic.literal(unit) + " * ",
    };
    format!("{times}terms[{}u * walls[{link}] + {i}u]", pieces.q)
}

/// Declares a listed node, which of its directions come from walls, and the number of the first such link.
pub(super) fn listed(scheme: &Scheme) -> String {
    let [nx, ny, _] = &scheme.size;
    let mut text = String::new();
    line(&mut text, format_args!("const unsigned number = {BOUNDARY_BLOCK}u * blockIdx.x + threadIdx.x;"));
    line(&mut text, format_args!("if (number >= count) return;"));
    line(&mut text, format_args!("const unsigned index = at_walls[number];"));
    line(
        &mut text,
        format_args!("const unsigned x = index % {nx}, y = index / {nx} % {ny}, z = index / {nx} / {ny};"),
    );
    line(&mut text, format_args!("const unsigned lost = missing[number];"));
    line(&mut text, format_args!("unsigned link = links[number];"));
    text
}

/// Keeps what goes into walls, in the order in which it is read back.
pub(super) fn keep(pieces: &Pieces<'_>, sent: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    line(&mut text, format_args!("// What goes into walls comes back in the next step."));
    line(&mut text, format_args!("link = links[number];"));
    for (i, &opposite) in
        pieces.facts.lattice.opposites.iter().enumerate().filter(|&(i, &opposite)| i != opposite)
    {
        line(&mut text, format_args!("if (lost >> {i} & 1u) kept[link++] = {};", sent(opposite)));
    }
    text
}
