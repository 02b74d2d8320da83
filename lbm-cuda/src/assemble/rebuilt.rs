//! Where moments are stored: populations are rebuilt from those of the node that they come from.

use std::collections::BTreeSet;

use lbm_core::{Access, DeviceHalves, DeviceText, Error, Facts, State};

use super::boundary::{BOUNDARY_BLOCK, listed};
use super::bulk::position;
use super::scheme::{Scheme, line, signature};
use super::step::{Pieces, Plan, Work, parameters};

/// The halves of a collision whose moments are stored; nothing where populations are.
pub(super) fn halves(facts: &Facts) -> Result<Option<DeviceHalves>, Error> {
    if facts.state == State::Populations {
        return Ok(None);
    }
    let halves = facts.body_text.and_then(|text| text.halves);
    halves.map(Some).ok_or_else(|| Error::Unavailable {
        what: format!("the collision of `{}` has no CUDA text in two halves", facts.name()),
        remedy: "take a collision that moments carry, such as `Regularized`".to_owned(),
    })
}

/// The second half, a function for each direction.
pub(super) fn rebuild(pieces: &Pieces, moments: usize, halves: &DeviceHalves) -> String {
    let mut text = "\n// The population of each direction that leaves a node, from its moments.\n".to_owned();
    for (i, statements) in halves.rebuild.iter().enumerate() {
        let statements = DeviceText::numbers(statements, |x| pieces.arithmetic.literal(x));
        text += &format!(
            "__device__ __forceinline__ real rebuild_{i}(const real (&m)[{moments}]) {{\n    real population;\n{statements}    \
             return population;\n}}\n"
        );
    }
    text
}

/// The first half.
pub(super) fn gather(pieces: &Pieces, moments: usize, halves: &DeviceHalves) -> String {
    let Pieces { q, uniforms, arithmetic, .. } = pieces;
    // An array of no elements is no C++.
    let count = (*uniforms).max(1);
    format!(
        "\n// Coefficients that are the same for all nodes.\nstruct Uniforms {{ real k[{count}]; }};\n\n\
         // The collision of one node, to the moments that carry it.\n\
         __device__ __forceinline__ void gather(const real (&h)[{q}], const real (&k)[{count}], real (&m)[{moments}]) {{\n{}}}\n",
        DeviceText::numbers(halves.gather, |x| arithmetic.literal(x))
    )
}

/// The moments that a direction is rebuilt from.
pub(super) fn needed(halves: &DeviceHalves, i: usize, moments: usize) -> Vec<usize> {
    (0..moments).filter(|n| halves.rebuild[i].contains(&format!("m[{n}]"))).collect()
}

/// The statement that sets `h[i]` to the population of direction `rebuilt` of a node, whose moments are read for it alone.
fn population(scheme: &Scheme, halves: &DeviceHalves, facts: &Facts, access: Access) -> String {
    let reads: String = needed(halves, access.slot, facts.moments)
        .into_iter()
        .map(|n| format!("m[{n}] = decode(source[{}]); ", scheme.offset(Access { slot: n, ..access })))
        .collect();
    format!("{reads}h_i = rebuild_{}(m);", access.slot)
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
    let (q, moments) = (pieces.q, facts.moments);
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
            let from = population(scheme, halves, facts, access).replace("h_i", &format!("h[{i}]"));
            line(&mut text, format_args!("{{ real m[{moments}]; {from} }}"));
        }
        line(&mut text, format_args!("gather(h, uniforms.k, after);"));
    } else {
        for n in 0..moments {
            let own = scheme.offset(Access { shift: [0; 3], slot: n });
            line(&mut text, format_args!("after[{n}] = decode(source[{own}]);"));
        }
    }
    text + &leave(scheme, moments) + "}\n"
}

/// The statements that store `after`.
fn leave(scheme: &Scheme, moments: usize) -> String {
    let mut text = String::new();
    line(&mut text, format_args!("// Moments that stay."));
    for n in 0..moments {
        let own = scheme.offset(Access { shift: [0; 3], slot: n });
        line(&mut text, format_args!("target[{own}] = encode(after[{n}]);"));
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
    let (q, moments) = (pieces.q, facts.moments);
    let mut text = "\n// The same for `count` listed nodes at walls. Bit i of `missing` says that direction i comes from a wall, whose\n\
                    // number follows in `walls`; what this node sent there comes back, and a moving wall adds its term.\n"
        .to_owned();
    let mut parameters = parameters(facts, plan);
    parameters.extend(super::boundary::LISTS);
    text += &signature(&format!("{BOUNDARY_BLOCK}, 1"), &format!("boundary_{phase}"), &parameters);
    text += &listed(scheme);
    let reads: Vec<Access> = (0..q).map(|i| facts.read(i, phase)).collect();
    let own = |i: usize| Access { shift: [0; 3], slot: facts.lattice.opposites[i] };
    text += &scheme.neighbours(&reads.iter().map(|access| access.shift).chain([[0; 3]]).collect(), 1);
    line(&mut text, format_args!("real h[{q}], after[{moments}];"));
    line(&mut text, format_args!("// Populations that meet here, or come back."));
    for (i, &access) in reads.iter().enumerate() {
        let at = format!("h[{i}]");
        let from = population(scheme, halves, facts, access).replace("h_i", &at);
        if facts.lattice.velocities[i] == [0; 3] {
            line(&mut text, format_args!("{{ real m[{moments}]; {from} }}"));
            continue;
        }
        let back = population(scheme, halves, facts, own(i)).replace("h_i", &at);
        line(&mut text, format_args!("if (lost >> {i} & 1u) {{"));
        line(&mut text, format_args!("    real m[{moments}]; {back}"));
        line(&mut text, format_args!("    {at} += terms[{q}u * walls[link++] + {i}u];"));
        line(&mut text, format_args!("}} else {{ real m[{moments}]; {from} }}"));
    }
    line(&mut text, format_args!("gather(h, uniforms.k, after);"));
    text + &leave(scheme, moments) + "}\n"
}
