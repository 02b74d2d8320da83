//! Where moments are stored: populations are rebuilt from those of the node that they come from, where they are read; or that
//! node sends them out before the step.

use std::collections::BTreeSet;

use lbm_core::{Access, DeviceHalves, DeviceText};

use super::boundary::{self, LISTS, at_walls, half_way, node_at_walls};
use super::bulk::{STAYING, position, skipped};
use super::kernel::{Kernel, Threads};
use super::pieces::Pieces;
use super::plan::Work;
use super::resource::Resource;
use super::scheme::{Scheme, put};

/// The statements of a half.
fn statements(pieces: &Pieces<'_>, text: &str) -> String {
    DeviceText::numbers(text, pieces.unit(), |x| pieces.arithmetic.literal(x))
}

/// The second half, a function for each direction. Populations that are stored on their way come back from there.
pub(super) fn rebuild(pieces: &Pieces<'_>, halves: &DeviceHalves) -> String {
    let (facts, moments) = (pieces.facts, pieces.facts.body.moments);
    let result = if facts.pattern.sends() { "decode(encode(population))" } else { "population" };
    let mut text = "\n// The population of each direction that leaves a node, from its moments.\n".to_owned();
    for (i, statements) in halves.rebuild.iter().enumerate() {
        let statements = self::statements(pieces, statements);
        text += &format!(
            "__device__ __forceinline__ real rebuild_{i}(const real (&m)[{moments}]) {{\n    real population;\n{statements}    \
             return {result};\n}}\n"
        );
    }
    text
}

/// The second half for all directions, or as many values without any arithmetic.
pub(super) fn rebuild_all(pieces: &Pieces<'_>, halves: &DeviceHalves, work: Work) -> String {
    let (q, moments) = (pieces.q, pieces.facts.body.moments);
    let statements = match work {
        Work::Step => statements(pieces, halves.rebuild_all),
        _ => (0..q).map(|i| format!("    post[{i}] = m[{}];\n", i % moments)).collect(),
    };
    format!(
        "\n// The populations that leave a node, from its moments.\n\
         __device__ __forceinline__ void rebuild_all(const real (&m)[{moments}], real (&post)[{q}]) {{\n{statements}}}\n"
    )
}

/// The first half, or sums to which every population comes.
pub(super) fn gather(pieces: &Pieces<'_>, halves: &DeviceHalves, work: Work) -> String {
    let (q, count, moments) = (pieces.q, pieces.uniforms(), pieces.facts.body.moments);
    let statements = match work {
        Work::Step => statements(pieces, halves.gather),
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
pub(super) fn gather_in_parts(pieces: &Pieces<'_>, halves: &DeviceHalves) -> String {
    let (q, count, moments) = (pieces.q, pieces.uniforms(), pieces.facts.body.moments);
    let [early, late] = [halves.early, halves.late].map(|part| statements(pieces, part));
    let waiting = halves.waiting;
    format!(
        "\n// The same in two parts: what is known before the populations that come down, and what these make of it.\n\
         __device__ __forceinline__ void early(const real (&h)[{q}], real (&c)[{waiting}]) {{\n{early}}}\n\n\
         __device__ __forceinline__ void late(\n    const real (&c)[{waiting}], const real (&h)[{q}], \
         const real (&k)[{count}], real (&m)[{moments}]\n) {{\n{late}}}\n"
    )
}

/// The moments that a direction is rebuilt from.
pub(super) fn needed(halves: &DeviceHalves, i: usize, moments: usize) -> Vec<usize> {
    (0..moments).filter(|n| halves.rebuild[i].contains(&format!("m[{n}]"))).collect()
}

/// The statements that set `target` to the population of direction `access.slot` of a node, whose moments are read for it alone.
fn population(
    pieces: &Pieces<'_>,
    halves: &DeviceHalves,
    scheme: &Scheme,
    access: Access,
    target: &str,
) -> String {
    let (source, facts) = (pieces.source(), pieces.facts);
    let place = |n: usize| scheme.offset(Access { shift: access.shift, ..facts.moment(n) });
    let reads: String = needed(halves, access.slot, facts.body.moments)
        .into_iter()
        .map(|n| format!("m[{n}] = decode({source}[{}]); ", place(n)))
        .collect();
    format!("{reads}{target} = rebuild_{}(m);", access.slot)
}

/// The step with a node each thread, every neighbour's moments read where they are needed.
pub(super) fn plain(pieces: &Pieces<'_>, halves: &DeviceHalves, scheme: &Scheme, phase: usize) -> Kernel {
    let (facts, plan) = (pieces.facts, pieces.plan);
    let mut parameters = pieces.parameters_and(&[]);
    let mut about = "\n// A time step, a node each thread.".to_owned();
    if plan.walls {
        parameters.push(Resource::Skip.read());
        about += &skipped(phase);
    }
    let threads = Threads::of(plan.shape);
    let mut kernel = Kernel::new(about + "\n", format!("step_{phase}"), phase, threads, parameters);
    let (text, source) = (&mut kernel.body, pieces.source());
    let outside = position(text, scheme, plan, 0..3);
    if !outside.is_empty() {
        put!(text, "if ({}) return;", outside.join(" || "));
    }
    let (q, moments) = (pieces.q, facts.body.moments);
    let reads: Vec<Access> = (0..q).map(|i| facts.read(i, phase)).collect();
    let mut shifts: BTreeSet<[i32; 3]> = BTreeSet::from([[0; 3]]);
    if plan.work == Work::Step {
        shifts.extend(reads.iter().map(|access| access.shift));
    }
    *text += &scheme.neighbours(&shifts, 1);
    if plan.walls {
        let [nx, ny, _] = &scheme.size;
        put!(text, "const size_t group = x + {nx} * (y + (size_t){ny} * z);");
        put!(text, "if (skip[group >> 5] >> (group & 31u) & 1u) return;");
    }
    put!(text, "real h[{q}], after[{moments}];");
    if plan.work == Work::Step {
        put!(text, "// Populations that meet here.");
        for (i, &access) in reads.iter().enumerate() {
            let from = population(pieces, halves, scheme, access, &format!("h[{i}]"));
            put!(text, "{{ real m[{moments}]; {from} }}");
        }
        put!(text, "gather(h, uniforms.k, after);");
    } else {
        for n in 0..moments {
            let own = scheme.offset(facts.moment(n));
            put!(text, "after[{n}] = decode({source}[{own}]);");
        }
    }
    *text += &leave(pieces, scheme);
    kernel
}

/// The statements that store `after`.
fn leave(pieces: &Pieces<'_>, scheme: &Scheme) -> String {
    let (mut text, target, facts) = (String::new(), pieces.target(), pieces.facts);
    put!(text, "// {STAYING}");
    for n in 0..facts.body.moments {
        let own = scheme.offset(facts.moment(n));
        put!(text, "{target}[{own}] = encode(after[{n}]);");
    }
    text
}

/// The kernel of the nodes at walls: what comes from a wall is rebuilt from the node's own moments.
pub(super) fn boundary(pieces: &Pieces<'_>, halves: &DeviceHalves, scheme: &Scheme, phase: usize) -> Kernel {
    let (facts, q, moments) = (pieces.facts, pieces.q, pieces.facts.body.moments);
    let parameters = pieces.parameters_and(&LISTS);
    let name = format!("boundary_{phase}");
    let mut kernel = Kernel::new(boundary::ABOUT, name, phase, at_walls(), parameters);
    let (text, source) = (&mut kernel.body, pieces.source());
    *text += &node_at_walls(scheme);
    let reads: Vec<Access> = (0..q).map(|i| facts.read(i, phase)).collect();
    *text += &scheme.neighbours(&reads.iter().map(|access| access.shift).chain([[0; 3]]).collect(), 1);
    put!(text, "real h[{q}], after[{moments}];");
    put!(text, "// Populations that meet here, or come back.");
    for (i, &access) in reads.iter().enumerate() {
        let at = format!("h[{i}]");
        let from = match facts.pattern.sends() {
            true => format!("{{ {at} = decode({source}[{}]); }}", scheme.offset(access)),
            false => {
                let from = population(pieces, halves, scheme, access, &at);
                format!("{{ real m[{moments}]; {from} }}")
            }
        };
        if facts.lattice.velocities[i] == [0; 3] {
            put!(text, "{from}");
            continue;
        }
        let sent = facts.sent(facts.lattice.opposites[i], phase);
        let back = population(pieces, halves, scheme, sent, &at);
        put!(text, "if (lost >> {i} & 1u) {{");
        put!(text, "    real m[{moments}]; {back}");
        put!(text, "    {at} = {};", half_way(pieces, &at, "link++", i));
        put!(text, "}} else {from}");
    }
    put!(text, "gather(h, uniforms.k, after);");
    *text += &leave(pieces, scheme);
    kernel
}
