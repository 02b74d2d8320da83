//! Several steps of moments in one pass over memory.
//!
//! A block marches through the planes of its part of the box, a column a thread. What it reads is a plane's moments; of these
//! it makes, as one step does, those of the plane below a step later, which stay in registers; of those the plane below that
//! one, another step later; and the last it stores. Populations go to the columns beside by shuffles along x and through shared
//! memory along y. The columns at the block's sides get what nobody sent, and each step spoils one column more, so as many at
//! each side as there are steps only serve the others, and store nothing. So do as many planes at each end.

use lbm_core::{DeviceHalves, Facts};

use super::boundary::INSIDE;
use super::inside::{Inside, Plane};
use super::march::AXES;
use super::scheme::{Scheme, line, signature};
use super::shape::{March, Shape};
use super::step::{Pieces, Plan, Work, parameters};

/// Threads of a row: a warp.
const ROW: u32 = 32;

/// Bytes of shared memory that a block takes.
pub(crate) fn shared_bytes(facts: &Facts, shape: &Shape) -> u32 {
    match shape.march {
        Some(March { halo: 1.., axis, .. }) => {
            let across = sent_across(facts, axis).len() * facts.steps;
            (across * facts.arithmetic.bytes()) as u32 * shape.block.iter().product::<u32>()
        }
        _ => 0,
    }
}

/// The directions that go to other rows of a block.
fn sent_across(facts: &Facts, axis: usize) -> Vec<usize> {
    let velocities = facts.lattice.velocities.iter().enumerate();
    velocities.filter(|(_, c)| axis == 2 && c[1] != 0).map(|(i, _)| i).collect()
}

/// The kernel `steps_0`.
pub(super) fn several_steps(
    facts: &Facts,
    pieces: &Pieces,
    halves: &DeviceHalves,
    scheme: &Scheme,
    plan: &Plan,
    March { axis, parts, .. }: March,
) -> String {
    let (steps, q, moments) = (facts.steps, pieces.q, facts.moments);
    let Shape { block, blocks, .. } = plan.shape;
    let threads = block.iter().product::<u32>();
    let bounds = blocks.map_or_else(|| threads.to_string(), |blocks| format!("{threads}, {blocks}"));
    let mut parameters = parameters(facts, plan);
    if plan.walls {
        parameters.extend(INSIDE);
    }
    let mut text = format!(
        "\n// {steps} time steps: each block marches along {} through one of {parts} parts of the box. Threads at its sides \
         only\n// serve the others.\n",
        AXES[axis]
    );
    text += &signature(&bounds, "steps_0", &parameters);
    if plan.work == Work::Nothing {
        return text + "}\n";
    }
    let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
    let across = sent_across(facts, axis);
    if !across.is_empty() {
        put(format_args!("extern __shared__ real exchange[];"));
    }
    let mut within = Vec::new();
    for (a, name) in AXES.iter().enumerate().take(axis) {
        let (size, width) = (&scheme.size[a], block[a] as usize - 2 * steps);
        put(format_args!("const unsigned {name}_thread = {width}u * blockIdx.{name} + threadIdx.{name};"));
        // Columns before the first one and after the last one are those at the other end of the box.
        put(format_args!(
            "const unsigned {name} = ({name}_thread + (size_t){size} * {steps}u - {steps}u) % {size};"
        ));
        within.push(format!("threadIdx.{name} >= {steps}u && threadIdx.{name} < {}u", steps + width));
        within.push(format!("{name}_thread - {steps}u < {size}"));
    }
    put(format_args!("const bool stores = {};", within.join(" && ")));
    AXES.iter().skip(axis + 1).for_each(|name| put(format_args!("const unsigned {name} = 0u;")));
    let size = &scheme.size[axis];
    let part = |number: &str| format!("(size_t){size} * {number} / {parts}u");
    let along = AXES[axis];
    let (begin, end) = (part(&format!("blockIdx.{along}")), part(&format!("(blockIdx.{along} + 1u)")));
    put(format_args!("const unsigned begin = {begin}, end = {end};"));
    let ups: Vec<usize> = (0..q).filter(|&i| facts.lattice.velocities[i][axis] > 0).collect();
    let waiting = halves.waiting;
    let ends: Vec<String> = (0..steps).map(|s| format!("_{s}")).collect();
    let inside: Vec<Inside<'_>> =
        ends.iter().map(|end| Inside { facts, scheme, nodes: 1, axis, end }).collect();
    for (end, inside) in ends.iter().zip(&inside) {
        let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
        put(format_args!("real waiting{end}[{waiting}] = {{}}, rising{end}[{}] = {{}};", ups.len()));
        if plan.walls {
            text += &inside.declared();
        }
    }
    let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
    if !across.is_empty() {
        let me = format!("threadIdx.x + {ROW}u * threadIdx.y");
        put(format_args!("const unsigned me = {me};"));
        // The rows at the sides take their own, which serves nobody.
        put(format_args!("const unsigned below = threadIdx.y == 0u ? me : me - {ROW}u;"));
        put(format_args!("const unsigned above = threadIdx.y == {}u ? me : me + {ROW}u;", block[1] - 1));
        put(format_args!(
            "const int west = threadIdx.x == 0u ? 0 : -1, east = threadIdx.x == {}u ? 0 : 1;",
            ROW - 1
        ));
    }
    let reads = |text: &mut String, indent: &str, plane: &str, into: &str| {
        let mut position = AXES.map(lbm_core::Expression::name);
        position[axis] = lbm_core::Expression::name(plane);
        let place = scheme.node(position);
        line(text, format_args!("{indent}const size_t node_{into} = {place};"));
        for n in 0..moments {
            let at = scheme.value(n, lbm_core::Expression::name(format!("node_{into}")));
            line(text, format_args!("{indent}{into}[{n}] = decode(source[{at}]);"));
        }
    };
    // The plane with a number from the first one on that serves.
    let plane = |number: &str| format!("(begin + {number} + (size_t){size} * {steps}u - {steps}u) % {size}");
    put(format_args!("real next[{moments}];"));
    put(format_args!("{{"));
    put(format_args!("    const unsigned first = {};", plane("0u")));
    reads(&mut text, "    ", "first", "next");
    line(&mut text, format_args!("}}"));
    text += "#pragma unroll 1\n";
    let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
    put(format_args!("for (unsigned number = 0; number < end - begin + {}u; ++number) {{", 2 * steps));
    put(format_args!("    real state[{moments}];"));
    for n in 0..moments {
        put(format_args!("    state[{n}] = next[{n}];"));
    }
    for (s, (end, inside)) in ends.iter().zip(&inside).enumerate() {
        let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
        put(format_args!("    {{"));
        match s {
            0 => put(format_args!("        // The first step, with the plane that was read.")),
            _ => put(format_args!("        // The next step, with the plane that this has completed below.")),
        }
        put(format_args!("        real h[{q}];"));
        put(format_args!("        {{"));
        put(format_args!("            real leaving[{q}];"));
        put(format_args!("            rebuild_all(state, leaving);"));
        let threads = threads as usize;
        for (n, i) in across.iter().enumerate() {
            let at = (s * across.len() + n) * threads;
            put(format_args!("            exchange[{at}u + me] = leaving[{i}];"));
        }
        for (i, c) in facts.lattice.velocities.iter().enumerate().filter(|(i, _)| !across.contains(i)) {
            match c[0] {
                0 => put(format_args!("            h[{i}] = leaving[{i}];")),
                1.. => {
                    put(format_args!("            h[{i}] = __shfl_up_sync(0xffffffffu, leaving[{i}], 1);"))
                }
                _ => {
                    put(format_args!("            h[{i}] = __shfl_down_sync(0xffffffffu, leaving[{i}], 1);"))
                }
            }
        }
        put(format_args!("        }}"));
        if s == 0 {
            put(format_args!("        if (number + 1u < end - begin + {}u) {{", 2 * steps));
            put(format_args!("            // Read now what the next plane begins with."));
            put(format_args!("            const unsigned following = {};", plane("number + 1u")));
            reads(&mut text, "            ", "following", "next");
            line(&mut text, format_args!("        }}"));
        }
        let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
        if !across.is_empty() {
            put(format_args!("        __syncthreads();"));
        }
        for (n, &i) in across.iter().enumerate() {
            let (c, at) = (facts.lattice.velocities[i], (s * across.len() + n) * threads);
            let row = if c[1] > 0 { "below" } else { "above" };
            let beside = match c[0] {
                0 => "",
                1.. => " + west",
                _ => " + east",
            };
            put(format_args!("        h[{i}] = exchange[{at}u + {row}{beside}];"));
        }
        if plan.walls {
            text += &inside.fallen("h", "        ");
        }
        line(&mut text, format_args!("        real after[{moments}];"));
        line(&mut text, format_args!("        late(waiting{end}, h, uniforms.k, after);"));
        if plan.walls {
            text += &inside.solid("after", "        ");
            let of = format!("plane{end}");
            let before = if s == 0 { "number".to_owned() } else { format!("number + (size_t){size} - {s}u") };
            line(&mut text, format_args!("        const unsigned {of} = {};", plane(&before)));
            let rising = format!("rising{end}");
            text += &inside.come_back(&of, &Plane { moments: "state", h: "h", rising: &rising }, "        ");
        }
        let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
        for (n, i) in ups.iter().enumerate() {
            put(format_args!(
                "        {{ const real up = h[{i}]; h[{i}] = rising{end}[{n}]; rising{end}[{n}] = up; }}"
            ));
        }
        put(format_args!("        early(h, waiting{end});"));
        for n in 0..moments {
            // As if it had been stored in between.
            let rounded = if s + 1 < steps && !facts.plain { "decode(encode(after[" } else { "after[" };
            let closed = if rounded == "after[" { "]" } else { "]))" };
            put(format_args!("        state[{n}] = {rounded}{n}{closed};"));
        }
        put(format_args!("    }}"));
    }
    let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
    put(format_args!("    if (stores && number >= {}u) {{", 2 * steps));
    put(format_args!("        const unsigned {along} = begin + number - {}u;", 2 * steps));
    let place = scheme.node(AXES.map(lbm_core::Expression::name));
    put(format_args!("        const size_t node = {place};"));
    for n in 0..moments {
        let at = scheme.value(n, lbm_core::Expression::name("node"));
        put(format_args!("        target[{at}] = encode(state[{n}]);"));
    }
    put(format_args!("    }}"));
    put(format_args!("}}"));
    text + "}\n"
}
