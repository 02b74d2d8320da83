//! The lecture's kernels: nodes are distinguished by a flag each and a branch, or by a list; solid nodes stay in memory, and what
//! comes from them is put there before the pass, kind after kind.

use std::collections::BTreeSet;

use lbm_core::Access;

use super::super::bulk::{position, stop_if};
use super::super::kernel::{Kernel, Threads};
use super::super::pieces::Pieces;
use super::super::resource::{Parameter, Resource};
use super::super::scheme::{Scheme, node, position_of, put};
use super::{FromSolids, half_way};

/// The name of the kernel that collides.
pub(crate) const PASS: &str = "fluid";

/// The kernels over links: all kinds in one, with a branch; one kind at rest; one kind in motion.
pub(crate) const OF_LINKS: [&str; 3] = ["links_of_all_kinds", "links_at_rest", "links_in_motion"];

/// All kernels: the pass is the last.
pub(super) fn kernels(
    pieces: &Pieces<'_>,
    scheme: &Scheme,
    listed: bool,
    from_solids: FromSolids,
) -> Vec<Kernel> {
    let (terms, [all, at_rest, in_motion]) = (Resource::Terms.read(), OF_LINKS);
    let moving = moving();
    let branching = ["if (kinds[number] == 0u) {", RESTING, "} else {", &moving, "}"];
    let mut kernels = match from_solids {
        FromSolids::Asked => Vec::new(),
        FromSolids::Together => vec![over_links(all, &[Resource::Kinds.read(), terms], &branching)],
        FromSolids::InTurn | FromSolids::SideBySide => {
            vec![over_links(at_rest, &[], &[RESTING]), over_links(in_motion, &[terms], &[&moving])]
        }
    };
    kernels.push(pass(pieces, scheme, listed, from_solids == FromSolids::Asked));
    kernels
}

/// What every kernel over links is handed. It writes where it reads, but never the same place.
const OVER_LINKS: [Parameter; 4] =
    [Resource::Source.shared(), Resource::Count.value(), Resource::To.read(), Resource::From.read()];

const RESTING: &str = "source[to[number]] = source[from[number]];";

/// The same where what is met moves.
fn moving() -> String {
    let back = half_way("decode(source[from[number]])", "terms[number]");
    format!("source[to[number]] = encode({back});")
}

/// A kernel of which each thread does a link, with what it is handed beside.
fn over_links(name: &str, beside: &[Parameter], statements: &[&str]) -> Kernel {
    let about =
        "\n// What fluid nodes sent into solid ones, put where they will read it, a link each thread.\n";
    let mut kernel = Kernel::over_a_list(about, name, [&OVER_LINKS, beside].concat());
    statements.iter().for_each(|line| put!(kernel.body, "{line}"));
    kernel
}

/// The step of fluid nodes: of a thread each node of the box with a branch, or of a thread each node of a list. It may ask every
/// neighbour for its flag.
fn pass(pieces: &Pieces<'_>, scheme: &Scheme, listed: bool, asks: bool) -> Kernel {
    let (facts, q) = (pieces.facts, pieces.q);
    let mut parameters = pieces.parameters();
    if !listed || asks {
        parameters.push(Resource::Flags.read());
    }
    if asks {
        parameters.push(Resource::Terms.read());
    }
    let reads: Vec<Access> = (0..q).map(|i| facts.read(i, 0)).collect();
    let shifts: BTreeSet<[i32; 3]> = reads.iter().map(|access| access.shift).chain([[0; 3]]).collect();
    let mut kernel = if listed {
        let about = "\n// A time step of fluid nodes, of which a list says where they are.\n";
        parameters.extend([Resource::Count.value(), Resource::Fluid.read()]);
        let mut kernel = Kernel::over_a_list(about, PASS, parameters);
        put!(kernel.body, "const unsigned index = fluid[number];");
        put!(kernel.body, "{}", position_of("index", &scheme.size));
        kernel
    } else {
        let about = "\n// A time step, a node each thread; its flag says whether it is fluid.\n";
        let mut kernel = Kernel::new(about, PASS, 0, Threads::of(pieces.plan.shape), parameters);
        let outside = position(&mut kernel.body, scheme, pieces.plan, 0..3);
        kernel.body += &stop_if(&outside);
        kernel
    };
    let text = &mut kernel.body;
    *text += &scheme.neighbours(&shifts, 1);
    let inner = fluid(pieces, scheme, &reads, asks);
    if listed {
        *text += &inner;
    } else {
        put!(text, "if (flags[node] == 0u) {{");
        inner.lines().for_each(|line| put!(text, "{line}"));
        put!(text, "}}");
    }
    kernel
}

/// What is done for a fluid node.
fn fluid(pieces: &Pieces<'_>, scheme: &Scheme, reads: &[Access], asks: bool) -> String {
    let (facts, q, mut text) = (pieces.facts, pieces.q, String::new());
    put!(text, "real h[{q}], post[{q}];");
    for (i, &access) in reads.iter().enumerate() {
        let read = format!("decode(source[{}])", scheme.offset(access));
        if !asks || access.shift == [0; 3] {
            put!(text, "h[{i}] = {read};");
            continue;
        }
        let from = node(access.shift);
        let sent = scheme.offset(facts.sent(facts.lattice.opposites[i], 0));
        let back = half_way(&format!("decode(source[{sent}])"), &format!("terms[{q}u * met_{i} + {i}u]"));
        put!(text, "const unsigned met_{i} = flags[{from}];");
        put!(text, "if (met_{i} == 0u) {{");
        put!(text, "    h[{i}] = {read};");
        put!(text, "}} else {{");
        put!(text, "    h[{i}] = {back};");
        put!(text, "}}");
    }
    put!(text, "collide(h, uniforms.k, post);");
    for i in 0..q {
        put!(text, "target[{}] = encode(post[{i}]);", scheme.offset(facts.write(i, 0)));
    }
    text
}
