//! The kernel that adds up what a flow does to a body: its arithmetic is that of `lbm_core::forces`, a thread each node beside it.

use lbm_core::forces::COMPONENTS;
use lbm_core::sums::LIMBS;
use lbm_core::{Error, Facts};

use super::kernel::{Kernel, Program};
use super::pieces::Pieces;
use super::plan::Plan;
use super::resource::Resource;
use super::scheme::put;
use super::{rules, sums};

/// Rooms in which blocks add, so that they seldom wait for each other.
pub(crate) const ROOMS: usize = 32;

/// Words of a room: of each component the limbs of a sum, and how many numbers could not be added.
pub(crate) const WORDS: usize = COMPONENTS * (LIMBS + 1);

/// Types of the text, and of the machine's memory.
const TYPES: &str = "
// A link that a wall cuts: the direction that goes there, where it is cut, the wall's velocity.
struct Touch { double toward[3], at[3], velocity[3]; };

// The point about which a torque is, and a power of two above all arms.
struct About { double point[3], unit; };
";

/// The kernel `push`.
///
/// # Errors
/// As [`step`](super::step()).
pub fn forces(facts: &Facts, plan: &Plan) -> Result<Program, Error> {
    let pieces = Pieces::of(facts, plan)?;
    let mut preamble = pieces.preamble(pieces.unit()) + TYPES + &sums::functions();
    if !plan.rules.is_empty() {
        preamble += concat!("\n", include_str!("number_linked.cuh"));
    }
    preamble += &rules::functions(&pieces);
    Ok(Program { preamble, kernels: vec![push(&pieces)] })
}

/// The kernel: populations that meet at a node beside the body, and what rules make of them; then what crosses each of its touches.
fn push(pieces: &Pieces<'_>) -> Kernel {
    let (q, dimension) = (pieces.q, pieces.facts.lattice.dimension);
    let read = [
        Resource::Values,
        Resource::Beside,
        Resource::Sources,
        Resource::SourceTerms,
        Resource::FirstTouches,
        Resource::TouchPlaces,
        Resource::Touches,
    ];
    let (arrived, counter) = (Resource::Arrived, Resource::Counter);
    let mut parameters = vec![Resource::Count.value(), Resource::AskedNodes.value(), Resource::About.value()];
    parameters.extend(read.map(Resource::read));
    parameters.extend([arrived.written(), counter.shared()]);
    parameters.extend(rules::parameters(pieces));
    let about = "\n// What goes into a body at `count` nodes beside it less what comes out; populations are asked for of `asked_nodes`.\n";
    let mut kernel = Kernel::over_a_list(about, "push", parameters);
    let text = &mut kernel.body;
    let times = |by: f64| match by {
        1.0 => String::new(),
        by => format!(" * {}", pieces.arithmetic.literal(by)),
    };
    put!(text, "const size_t index = beside[number];");
    put!(text, "real h[{q}];");
    let (up, down) = (times(pieces.unit()), times(1.0 / pieces.unit()));
    for i in 0..q {
        let at = format!("number + (size_t)count * {i}u");
        put!(text, "h[{i}] = ((real)doubles[sources[{at}]] + (real)source_terms[{at}]){up};");
    }
    *text += &rules::looked_up(pieces, "index", 1);
    if pieces.facts.pattern.stores_moments() && !pieces.plan.rules.is_empty() {
        // What rules keep of the step before follows from what the node sent.
        put!(text, "const size_t itself = touch_places[2u * first_touches[number]] % asked_nodes;");
        *text += &rules::rebuilt(pieces, "index", |i| {
            format!("const real population = (real)doubles[itself + asked_nodes * {i}u]{up};")
        });
    }
    *text += &rules::arrived(pieces, "index", 1, |_| "h".to_owned());
    for i in 0..q {
        put!(text, "{arrived}[number + (size_t)count * {i}u] = h[{i}]{down};");
    }
    put!(text, "unsigned long long sums[{WORDS}] = {{}};");
    put!(text, "for (unsigned n = first_touches[number]; n < first_touches[number + 1]; ++n) {{");
    put!(text, "const Touch touch = touches[n];");
    put!(text, "const double gone = doubles[touch_places[2 * n]];");
    put!(text, "const double come = {arrived}[number + (size_t)count * touch_places[2 * n + 1]];");
    put!(text, "double force[3], arm[3] = {{0.0, 0.0, 0.0}};");
    put!(text, "for (unsigned k = 0; k < 3u; ++k) {{");
    put!(text, "force[k] = touch.toward[k] * (gone + come) - touch.velocity[k] * (gone - come);");
    put!(text, "}}");
    put!(text, "for (unsigned k = 0; k < {dimension}u; ++k) {{");
    put!(text, "arm[k] = (touch.at[k] - about.point[k]) / about.unit;");
    put!(text, "}}");
    for k in 0..3 {
        let (a, b) = ((k + 1) % 3, (k + 2) % 3);
        put!(text, "add_exactly(force[{k}], &sums[{}]);", k * (LIMBS + 1));
        let torque = format!("arm[{a}] * force[{b}] - arm[{b}] * force[{a}]");
        put!(text, "add_exactly({torque}, &sums[{}]);", (3 + k) * (LIMBS + 1));
    }
    put!(text, "}}");
    put!(text, "unsigned long long* const room = &{counter}[{WORDS}u * (blockIdx.x % {ROOMS}u)];");
    put!(text, "for (unsigned n = 0; n < {WORDS}u; ++n) {{");
    put!(text, "if (sums[n] != 0ull) atomicAdd(&room[n], sums[n]);");
    put!(text, "}}");
    kernel
}
