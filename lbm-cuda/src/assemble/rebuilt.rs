//! Where moments are stored: populations are rebuilt from those of the node that they come from, where they are read; or that
//! node sends them out before the step.

use std::collections::BTreeSet;

use lbm_core::{Access, DeviceHalves, DeviceText, Expression};

use super::boundary::{self, at_walls, lists, node_at_walls, of_link};
use super::bulk::{SKIPPED, head};
use super::kernel::Kernel;
use super::pieces::Pieces;
use super::plan::Work;
use super::resource::Held;
use super::rules;
use super::scheme::{Scheme, put};
use super::transfer::{AtWalls, MEETING, STAYING};

/// The statements of a half.
fn statements(pieces: &Pieces<'_>, text: &str) -> String {
    DeviceText::numbers(text, pieces.unit(), |x| pieces.arithmetic.literal(x))
}

/// The second half, a function for each direction. Populations that are stored on their way come back from there.
pub(super) fn rebuild(pieces: &Pieces<'_>) -> String {
    let moments = pieces.facts.body.moments;
    let result = if pieces.held == Held::Both { "decode(encode(population))" } else { "population" };
    let mut text = "\n// The population of each direction that leaves a node, from its moments.\n".to_owned();
    for (i, statements) in pieces.halves().rebuild.iter().enumerate() {
        let statements = self::statements(pieces, statements);
        text += &format!(
            "__device__ __forceinline__ real rebuild_{i}(const real (&m)[{moments}]) {{\n    real population;\n{statements}    \
             return {result};\n}}\n"
        );
    }
    text
}

/// The second half for all directions, or as many values without any arithmetic.
pub(super) fn rebuild_all(pieces: &Pieces<'_>, work: Work) -> String {
    let (q, moments) = (pieces.q, pieces.facts.body.moments);
    let statements = match work {
        Work::Step => statements(pieces, pieces.halves().rebuild_all),
        _ => (0..q).map(|i| format!("    post[{i}] = m[{}];\n", i % moments)).collect(),
    };
    format!(
        "\n// The populations that leave a node, from its moments.\n\
         __device__ __forceinline__ void rebuild_all(const real (&m)[{moments}], real (&post)[{q}]) {{\n{statements}}}\n"
    )
}

/// The first half, or sums to which every population comes.
pub(super) fn gather(pieces: &Pieces<'_>, work: Work) -> String {
    let (q, count, moments) = (pieces.q, pieces.uniforms(), pieces.facts.body.moments);
    let statements = match work {
        Work::Step => statements(pieces, pieces.halves().gather),
        _ => (0..moments)
            .map(|n| {
                let all: Vec<String> = (n..q).step_by(moments).map(|i| format!("h[{i}]")).collect();
                format!("    m[{n}] = {};\n", all.join(" + "))
            })
            .collect(),
    };
    format!(
        "\n// Coefficients that are the same for all nodes.\nstruct Uniforms {{ real k[{count}]; }};\n\n\
         // The collision of one node, to the moments that carry it.\n\
         __device__ __forceinline__ void gather(const real (&h)[{q}], const real (&k)[{count}], real (&m)[{moments}]) {{\n{statements}}}\n"
    )
}

/// The same in two parts, of which the first needs no population that comes down along the march.
pub(super) fn gather_in_parts(pieces: &Pieces<'_>) -> String {
    let (q, count, moments) = (pieces.q, pieces.uniforms(), pieces.facts.body.moments);
    let DeviceHalves { early, late, waiting, .. } = pieces.halves();
    let [early, late] = [early, late].map(|part| statements(pieces, part));
    format!(
        "\n// The same in two parts: what is known before the populations that come down, and what these make of it.\n\
         __device__ __forceinline__ void early(const real (&h)[{q}], real (&c)[{waiting}]) {{\n{early}}}\n\n\
         __device__ __forceinline__ void late(\n    const real (&c)[{waiting}], const real (&h)[{q}], \
         const real (&k)[{count}], real (&m)[{moments}]\n) {{\n{late}}}\n"
    )
}

/// The moments that a direction is rebuilt from.
pub(super) fn needed(pieces: &Pieces<'_>, i: usize) -> impl Iterator<Item = usize> {
    let rebuild = pieces.halves().rebuild[i];
    (0..pieces.facts.body.moments).filter(move |n| rebuild.contains(&format!("m[{n}]")))
}

/// The statements that set `target` to the population of direction `access.slot` of a node, whose moments are read for it alone.
fn population(pieces: &Pieces<'_>, scheme: &Scheme, access: Access, target: &str) -> String {
    let (source, facts) = (pieces.source(), pieces.facts);
    let place = |n: usize| scheme.offset(Access { shift: access.shift, ..facts.moment(n) });
    let reads: String =
        needed(pieces, access.slot).map(|n| format!("m[{n}] = decode({source}[{}]); ", place(n))).collect();
    format!("real m[{}]; {reads}{target} = rebuild_{}(m);", facts.body.moments, access.slot)
}

/// The step with a node each thread, every neighbour's moments read where they are needed.
pub(super) fn plain(pieces: &Pieces<'_>, phase: usize) -> Kernel {
    let (facts, plan, scheme) = (pieces.facts, pieces.plan, pieces.scheme());
    let about = "A time step, a node each thread.";
    let (mut kernel, _) = head(
        pieces,
        &scheme,
        about,
        "step",
        &[],
        if plan.walls { AtWalls::Left } else { AtWalls::Nothing },
        phase,
    );
    let text = &mut kernel.body;
    let mut shifts = BTreeSet::from([[0; 3]]);
    if plan.work == Work::Step {
        shifts.extend((0..pieces.q).map(|i| facts.read(i, phase).shift));
    }
    *text += &scheme.neighbours(&shifts, 1);
    if plan.walls {
        let [nx, ny, _] = &scheme.size;
        put!(text, "const size_t pack = x + {nx} * (y + (size_t){ny} * z);");
        put!(text, "if ({SKIPPED}) return;");
    }
    *text += &met(pieces, &scheme, phase);
    *text += &gathered(pieces, &scheme, |moment| scheme.offset(moment));
    kernel
}

/// What meets in a node, rebuilt from the moments of its neighbours.
pub(super) fn met(pieces: &Pieces<'_>, scheme: &Scheme, phase: usize) -> String {
    let (mut text, q) = (String::new(), pieces.q);
    put!(text, "real h[{q}], after[{}];", pieces.facts.body.moments);
    if pieces.plan.work == Work::Step {
        put!(text, "// {MEETING}");
        for i in 0..q {
            let from = population(pieces, scheme, pieces.facts.read(i, phase), &format!("h[{i}]"));
            put!(text, "{{ {from} }}");
        }
    }
    text
}

/// What has met becomes moments, which stay at these places; where nothing is to be computed, the node's own do.
pub(super) fn gathered(pieces: &Pieces<'_>, scheme: &Scheme, place: impl Fn(Access) -> Expression) -> String {
    let (mut text, facts, source) = (String::new(), pieces.facts, pieces.source());
    if pieces.plan.work == Work::Step {
        put!(text, "gather(h, uniforms.k, after);");
    } else {
        for n in 0..facts.body.moments {
            put!(text, "after[{n}] = decode({source}[{}]);", scheme.offset(facts.moment(n)));
        }
    }
    text + &leave(pieces, place)
}

/// The statements that store `after`.
fn leave(pieces: &Pieces<'_>, place: impl Fn(Access) -> Expression) -> String {
    let (mut text, target, facts) = (String::new(), pieces.target(), pieces.facts);
    put!(text, "// {STAYING}");
    for n in 0..facts.body.moments {
        put!(text, "{target}[{}] = encode(after[{n}]);", place(facts.moment(n)));
    }
    text
}

/// The kernel of the nodes at walls: what comes from a wall is rebuilt from the node's own moments.
pub(super) fn boundary(pieces: &Pieces<'_>, phase: usize) -> Kernel {
    let (facts, q, moments, scheme) = (pieces.facts, pieces.q, pieces.facts.body.moments, pieces.scheme());
    let parameters = pieces.parameters_and(&[&lists(pieces)[..], &rules::parameters(pieces)].concat());
    let name = format!("boundary_{phase}");
    let mut kernel = Kernel::new(boundary::ABOUT, name, phase, at_walls(), parameters);
    let (text, source) = (&mut kernel.body, pieces.source());
    *text += &node_at_walls(pieces, &scheme.size);
    let reads: Vec<Access> = (0..q).map(|i| facts.read(i, phase)).collect();
    *text += &scheme.neighbours(&reads.iter().map(|access| access.shift).chain([[0; 3]]).collect(), 1);
    put!(text, "real h[{q}], after[{moments}];");
    put!(text, "// Populations that meet here, or come back.");
    for (i, &access) in reads.iter().enumerate() {
        let at = format!("h[{i}]");
        let from = match pieces.held {
            Held::Both => format!("{{ {at} = decode({source}[{}]); }}", scheme.offset(access)),
            _ => format!("{{ {} }}", population(pieces, &scheme, access, &at)),
        };
        if facts.lattice.velocities[i] == [0; 3] {
            put!(text, "{from}");
            continue;
        }
        let sent = facts.sent(facts.lattice.opposites[i], phase);
        let back = population(pieces, &scheme, sent, &at);
        put!(text, "if (lost >> {i} & 1u) {{");
        put!(text, "    {back}");
        put!(text, "    {at} = {};", of_link(pieces, &at, "link++", i));
        put!(text, "}} else {from}");
    }
    *text += &rules::looked_up(pieces, "index", 1);
    *text += &rules::rebuilt(pieces, "index", |i| {
        let own = population(pieces, &scheme, facts.sent(i, phase), "population");
        format!("real population; {{ {own} }}")
    });
    *text += &rules::arrived(pieces, &[], "index", 1, |_| "h".to_owned(), rules::kept_beside);
    put!(text, "gather(h, uniforms.k, after);");
    *text += &leave(pieces, |moment| scheme.offset(moment));
    kernel
}
