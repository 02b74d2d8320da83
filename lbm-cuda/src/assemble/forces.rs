//! The kernels that add up what a flow does to a body: their arithmetic is that of `lbm_core::forces`.
//!
//! `arrive_beside` finds what comes to nodes beside the body that have rules, a thread each, and puts it behind the populations that were asked
//! for. `push` goes over the links at which the body is touched; a thread does some of them, and a warp adds before it asks for memory that
//! others add to.

use lbm_core::forces::COMPONENTS;
use lbm_core::sums::LIMBS;
use lbm_core::{Error, Facts};

use super::boundary::half_way;
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

/// Links that a thread does, about.
const TOUCHES: usize = 8;

/// Threads for so many links: whole warps.
pub(crate) fn threads_for(touches: usize) -> usize {
    touches.div_ceil(TOUCHES).next_multiple_of(32)
}

/// Types of the text, and of the machine's memory.
const TYPES: &str = "
// A link that a wall cuts: where, the wall's velocity, what is added to what comes back; the direction that goes there, a byte a
// component, and among the values what goes and what comes.
struct Touch { double at[3], velocity[3], term; unsigned toward, gone, come, unused; };

// The point about which a torque is, and a power of two above all arms.
struct About { double point[3], unit; };
";

/// The kernels `push` and, where there are rules, `arrive_beside`.
///
/// # Errors
/// As [`step`](super::step()).
pub fn forces(facts: &Facts, plan: &Plan) -> Result<Program, Error> {
    // What is only looked at does not count as a step.
    let plan = &plan.clone().with_rules(plan.rules.looked_at());
    let pieces = Pieces::of(facts, plan)?;
    let mut preamble = pieces.preamble(pieces.unit()) + TYPES + &sums::functions();
    let mut kernels = vec![push(&pieces)];
    if !plan.rules.is_empty() {
        preamble += concat!("\n", include_str!("number_linked.cuh"));
        preamble += &rules::functions(&pieces);
        kernels.push(arrive_beside(&pieces));
    }
    Ok(Program { preamble, kernels })
}

/// The kernel of nodes with rules: populations that meet there, and what rules make of them.
fn arrive_beside(pieces: &Pieces<'_>) -> Kernel {
    let (q, values) = (pieces.q, Resource::Values);
    let read = [Resource::Beside, Resource::Sources, Resource::SourceTerms, Resource::SentPlaces];
    let mut parameters = vec![Resource::Count.value(), Resource::AskedCount.value()];
    parameters.extend(read.map(Resource::read));
    parameters.push(values.shared());
    if [0, 1].into_iter().any(|of| pieces.plan.rules.see(of)) {
        parameters.push(pieces.stored().read());
    }
    parameters.extend(rules::parameters(pieces));
    let about = "\n// What arrives at `count` nodes with rules beside a body, behind the populations that were asked for.\n";
    let mut kernel = Kernel::over_a_list(about, "arrive_beside", parameters);
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
        let come = half_way(&format!("(real){values}[sources[{at}]]"), &format!("(real)source_terms[{at}]"));
        put!(text, "h[{i}] = ({come}){up};");
    }
    *text += &rules::looked_up(pieces, "index", 1);
    if pieces.stores_moments() {
        // What rules keep of the step before follows from what the node sent.
        *text += &rules::rebuilt(pieces, "index", |i| {
            let at = format!("number + (size_t)count * {i}u");
            format!("const real population = (real){values}[sent_places[{at}]]{up};")
        });
    }
    *text += &rules::arrived(
        pieces,
        &[],
        1,
        |_| "h".to_owned(),
        |_, i| format!("(real){values}[sent_places[number + (size_t)count * {i}u]]"),
        pieces.stored(),
    );
    for i in 0..q {
        put!(text, "{values}[asked_count + number + (size_t)count * {i}u] = h[{i}]{down};");
    }
    kernel
}

/// The kernel of links: what goes into the body less what comes out.
fn push(pieces: &Pieces<'_>) -> Kernel {
    let dimension = pieces.facts.lattice.dimension;
    let (values, counter) = (Resource::Values, Resource::Counter);
    let mut parameters = vec![Resource::Count.value(), Resource::TouchCount.value(), Resource::About.value()];
    parameters.extend([values, Resource::Touches].map(Resource::read));
    parameters.push(counter.shared());
    let about = "\n// What goes into a body along its links less what comes out: each of `count` threads, whole warps, does some.\n";
    let mut kernel = Kernel::over_a_list(about, "push", parameters);
    let text = &mut kernel.body;
    put!(text, "unsigned long long sums[{WORDS}] = {{}};");
    put!(text, "for (size_t n = number; n < touch_count; n += count) {{");
    put!(text, "    const Touch touch = touches[n];");
    put!(text, "    const double gone = {values}[touch.gone];");
    let come = half_way(&format!("(real){values}[touch.come]"), "(real)touch.term");
    put!(text, "    const double come = {come};");
    put!(text, "    double force[3], arm[3] = {{0.0, 0.0, 0.0}};");
    put!(text, "    for (unsigned k = 0; k < 3u; ++k) {{");
    put!(text, "        const double toward = (signed char)(touch.toward >> 8u * k);");
    put!(text, "        force[k] = toward * (gone + come) - touch.velocity[k] * (gone - come);");
    put!(text, "    }}");
    put!(text, "    for (unsigned k = 0; k < {dimension}u; ++k) {{");
    put!(text, "        arm[k] = (touch.at[k] - about.point[k]) / about.unit;");
    put!(text, "    }}");
    for k in 0..3 {
        let (a, b) = ((k + 1) % 3, (k + 2) % 3);
        put!(text, "    add_exactly(force[{k}], &sums[{}]);", k * (LIMBS + 1));
        let torque = format!("arm[{a}] * force[{b}] - arm[{b}] * force[{a}]");
        put!(text, "    add_exactly({torque}, &sums[{}]);", (3 + k) * (LIMBS + 1));
    }
    put!(text, "}}");
    put!(text, "unsigned long long* const room = &{counter}[{WORDS}u * (blockIdx.x % {ROOMS}u)];");
    put!(text, "for (unsigned n = 0; n < {WORDS}u; ++n) {{");
    put!(text, "    unsigned long long sum = sums[n];");
    put!(
        text,
        "    for (unsigned apart = 16u; apart > 0u; apart /= 2u) sum += __shfl_down_sync(0xffffffffu, sum, apart);"
    );
    put!(text, "    if ((number & 31u) == 0u && sum != 0ull) atomicAdd(&room[n], sum);");
    put!(text, "}}");
    kernel
}
