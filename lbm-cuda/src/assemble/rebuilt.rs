//! Where moments are stored: populations are rebuilt from those of the node that they come from, where they are read; or that
//! node sends them out before the step.

use std::collections::BTreeSet;

use lbm_core::{Access, DeviceHalves, DeviceText, Error, Facts};

use super::boundary::{BOUNDARY_BLOCK, listed, term};
use super::bulk::{STAYING, position};
use super::scheme::{Scheme, line, signature};
use super::step::{Pieces, Plan, Work, memories, parameters};

/// The halves of a collision whose moments are stored; nothing where populations are.
pub(super) fn halves(facts: &Facts) -> Result<Option<DeviceHalves>, Error> {
    if !facts.pattern.stores_moments() {
        return Ok(None);
    }
    let halves = facts.body.text.and_then(|text| text.halves);
    halves.map(Some).ok_or_else(|| Error::Unavailable {
        what: format!("the collision of `{}` has no CUDA text in two halves", facts.name()),
        remedy: "take a collision that moments carry, such as `Regularized`".to_owned(),
    })
}

/// How many times as large as they are a step computes with populations and moments: as many as they are when they are stored,
/// where the collision does not mind, so that none is converted.
pub(super) fn unit(facts: &Facts) -> f64 {
    let halves = facts.body.text.and_then(|text| text.halves);
    let any = facts.pattern.stores_moments() && halves.is_some_and(|halves| halves.homogeneous);
    if any { facts.precision.stored_unit } else { 1.0 }
}

/// The statements of a half.
fn statements(facts: &Facts, pieces: &Pieces, text: &str) -> String {
    DeviceText::in_units(text, unit(facts), |x| pieces.arithmetic.literal(x))
}

/// The second half, a function for each direction. Populations that are stored on their way come back from there.
pub(super) fn rebuild(facts: &Facts, pieces: &Pieces, halves: &DeviceHalves) -> String {
    let moments = facts.body.moments;
    let result = if facts.pattern.sends() { "decode(encode(population))" } else { "population" };
    let mut text = "\n// The population of each direction that leaves a node, from its moments.\n".to_owned();
    for (i, statements) in halves.rebuild.iter().enumerate() {
        let statements = self::statements(facts, pieces, statements);
        text += &format!(
            "__device__ __forceinline__ real rebuild_{i}(const real (&m)[{moments}]) {{\n    real population;\n{statements}    \
             return {result};\n}}\n"
        );
    }
    text
}

/// The second half for all directions, or as many values without any arithmetic.
pub(super) fn rebuild_all(facts: &Facts, pieces: &Pieces, halves: &DeviceHalves, work: Work) -> String {
    let (q, moments) = (pieces.q, facts.body.moments);
    let statements = match work {
        Work::Step => statements(facts, pieces, halves.rebuild_all),
        _ => (0..q).map(|i| format!("    post[{i}] = m[{}];\n", i % moments)).collect(),
    };
    format!(
        "\n// The populations that leave a node, from its moments.\n\
         __device__ __forceinline__ void rebuild_all(const real (&m)[{moments}], real (&post)[{q}]) {{\n{statements}}}\n"
    )
}

/// The first half, or sums to which every population comes.
pub(super) fn gather(facts: &Facts, pieces: &Pieces, halves: &DeviceHalves, work: Work) -> String {
    let (Pieces { q, uniforms, .. }, moments) = (pieces, facts.body.moments);
    let statements = match work {
        Work::Step => statements(facts, pieces, halves.gather),
        _ => (0..moments)
            .map(|n| {
                let all: Vec<String> = (n..*q).step_by(moments).map(|i| format!("h[{i}]")).collect();
                format!("    m[{n}] = {};\n", all.join(" + "))
            })
            .collect(),
    };
    // An array of no elements is no C++.
    let count = (*uniforms).max(1);
    format!(
        "\n// Coefficients that are the same for all nodes.\nstruct Uniforms {{ real k[{count}]; }};\n\n\
         // The collision of one node, to the moments that carry it.\n\
         __device__ __forceinline__ void gather(const real (&h)[{q}], const real (&k)[{count}], real (&m)[{moments}]) {{\n{statements}}}\n"
    )
}

/// The same in two parts, of which the first needs no population that comes down along the march.
pub(super) fn gather_in_parts(facts: &Facts, pieces: &Pieces, halves: &DeviceHalves) -> String {
    let (Pieces { q, uniforms, .. }, moments) = (pieces, facts.body.moments);
    let [early, late] = [halves.early, halves.late].map(|part| statements(facts, pieces, part));
    let (count, waiting) = ((*uniforms).max(1), halves.waiting);
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
fn population(facts: &Facts, halves: &DeviceHalves, scheme: &Scheme, access: Access, target: &str) -> String {
    let (source, _) = memories(facts);
    let place = |n: usize| scheme.offset(Access { shift: access.shift, ..facts.moment(n) });
    let reads: String = needed(halves, access.slot, facts.body.moments)
        .into_iter()
        .map(|n| format!("m[{n}] = decode({source}[{}]); ", place(n)))
        .collect();
    format!("{reads}{target} = rebuild_{}(m);", access.slot)
}

/// The step with a node each thread, every neighbour's moments read where they are needed.
pub(super) fn plain(
    facts: &Facts,
    pieces: &Pieces,
    halves: &DeviceHalves,
    scheme: &Scheme,
    plan: &Plan,
    phase: usize,
) -> String {
    let threads = plan.shape.block.iter().product::<u32>();
    let mut parameters = parameters(facts, plan);
    let mut text = "\n// A time step, a node each thread.".to_owned();
    if plan.walls {
        parameters.push("const unsigned* __restrict__ skip");
        text += &format!(" Nodes whose bit of `skip` is set are left to `boundary_{phase}`.");
    }
    text += "\n";
    text += &signature(&threads.to_string(), &format!("step_{phase}"), &parameters);
    if plan.work == Work::Nothing {
        return text + "}\n";
    }
    let outside = position(&mut text, scheme, plan, 0..3);
    if !outside.is_empty() {
        line(&mut text, format_args!("if ({}) return;", outside.join(" || ")));
    }
    let (q, moments) = (pieces.q, facts.body.moments);
    let reads: Vec<Access> = (0..q).map(|i| facts.read(i, phase)).collect();
    let mut shifts: BTreeSet<[i32; 3]> = BTreeSet::from([[0; 3]]);
    if plan.work == Work::Step {
        shifts.extend(reads.iter().map(|access| access.shift));
    }
    text += &scheme.neighbours(&shifts, 1);
    if plan.walls {
        let [nx, ny, _] = &scheme.size;
        line(&mut text, format_args!("const size_t group = x + {nx} * (y + (size_t){ny} * z);"));
        line(&mut text, format_args!("if (skip[group >> 5] >> (group & 31u) & 1u) return;"));
    }
    line(&mut text, format_args!("real h[{q}], after[{moments}];"));
    if plan.work == Work::Step {
        line(&mut text, format_args!("// Populations that meet here."));
        for (i, &access) in reads.iter().enumerate() {
            let from = population(facts, halves, scheme, access, &format!("h[{i}]"));
            line(&mut text, format_args!("{{ real m[{moments}]; {from} }}"));
        }
        line(&mut text, format_args!("gather(h, uniforms.k, after);"));
    } else {
        for n in 0..moments {
            let own = scheme.offset(facts.moment(n));
            line(&mut text, format_args!("after[{n}] = decode(source[{own}]);"));
        }
    }
    text + &leave(facts, scheme) + "}\n"
}

/// The statements that store `after`.
fn leave(facts: &Facts, scheme: &Scheme) -> String {
    let (mut text, (_, target)) = (String::new(), memories(facts));
    line(&mut text, format_args!("// {STAYING}"));
    for n in 0..facts.body.moments {
        let own = scheme.offset(facts.moment(n));
        line(&mut text, format_args!("{target}[{own}] = encode(after[{n}]);"));
    }
    text
}

/// The kernel of the nodes at walls: what comes from a wall is rebuilt from the node's own moments.
pub(super) fn boundary(
    facts: &Facts,
    pieces: &Pieces,
    halves: &DeviceHalves,
    scheme: &Scheme,
    plan: &Plan,
    phase: usize,
) -> String {
    let (q, moments) = (pieces.q, facts.body.moments);
    let mut text = "\n// The same for `count` listed nodes at walls. Bit i of `missing` says that direction i comes from a wall, whose\n\
                    // number follows in `walls`; what this node sent there comes back, and a moving wall adds its term.\n"
        .to_owned();
    let mut parameters = parameters(facts, plan);
    parameters.extend(super::boundary::LISTS);
    text += &signature(&format!("{BOUNDARY_BLOCK}, 1"), &format!("boundary_{phase}"), &parameters);
    text += &listed(scheme);
    let reads: Vec<Access> = (0..q).map(|i| facts.read(i, phase)).collect();
    let (source, _) = memories(facts);
    text += &scheme.neighbours(&reads.iter().map(|access| access.shift).chain([[0; 3]]).collect(), 1);
    line(&mut text, format_args!("real h[{q}], after[{moments}];"));
    line(&mut text, format_args!("// Populations that meet here, or come back."));
    for (i, &access) in reads.iter().enumerate() {
        let at = format!("h[{i}]");
        let from = match facts.pattern.sends() {
            true => format!("{{ {at} = decode({source}[{}]); }}", scheme.offset(access)),
            false => {
                let from = population(facts, halves, scheme, access, &at);
                format!("{{ real m[{moments}]; {from} }}")
            }
        };
        if facts.lattice.velocities[i] == [0; 3] {
            line(&mut text, format_args!("{from}"));
            continue;
        }
        let sent = facts.sent(facts.lattice.opposites[i], phase);
        let back = population(facts, halves, scheme, sent, &at);
        line(&mut text, format_args!("if (lost >> {i} & 1u) {{"));
        line(&mut text, format_args!("    real m[{moments}]; {back}"));
        line(&mut text, format_args!("    {at} += {};", term(facts, "link++", i)));
        line(&mut text, format_args!("}} else {from}"));
    }
    line(&mut text, format_args!("gather(h, uniforms.k, after);"));
    text + &leave(facts, scheme) + "}\n"
}
