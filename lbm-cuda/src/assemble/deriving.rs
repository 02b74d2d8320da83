//! Fields that follow for each node before it collides: `derive_<phase>` computes what follows from populations, `near_<pass>_<phase>` what follows
//! from fields, and `surround_<pass>_<phase>` what these are around the fluid.

use lbm_core::{DeviceText, Expression};

use super::algorithm::Algorithm;
use super::bulk::{bulk_in, position, stop_if};
use super::kernel::{Grid, Kernel, Threads};
use super::march::march;
use super::node_fields;
use super::pieces::Pieces;
use super::plan::{Plan, Work};
use super::rebuilt::{self, Becomes};
use super::resource::{Held, Resource};
use super::scheme::{AXES, put};
use super::shape::Shape;
use super::transfer::Transfer;

/// Threads a block of the kernel for what is around the fluid.
const AROUND_BLOCK: u32 = 128;

/// The functions of the passes.
pub(super) fn functions(pieces: &Pieces<'_>) -> String {
    (0..pieces.facts.body.derivations.len()).map(|pass| function(pieces, pass)).collect()
}

/// The function of a pass.
fn function(pieces: &Pieces<'_>, pass: usize) -> String {
    let (mut text, derivation) = (String::new(), &pieces.facts.body.derivations[pass]);
    let (name, inputs) = match pass {
        0 => ("derive".to_owned(), format!("const real (&h)[{}]", pieces.q)),
        _ => (format!("near_{pass}"), format!("const real (&near)[{}]", derivation.reads.len())),
    };
    let field = if pass == 0 { pieces.field_parameter() } else { String::new() };
    let statements =
        DeviceText::numbers(pieces.body.derivations[pass], 1.0, |x| pieces.arithmetic.literal(x));
    put!(text, "");
    put!(text, "// Fields that follow for one node.");
    put!(
        text,
        "__device__ __forceinline__ void {name}({inputs}, const real (&k)[{}], {field}real (&derived)[{}]) {{",
        pieces.uniforms(),
        derivation.fields.len()
    );
    text += &statements;
    put!(text, "}}");
    text
}

/// The last pass by itself, where steps do not store what it makes: its function, and its kernel `near_<pass>_0`.
pub(super) fn last(pieces: &Pieces<'_>) -> Option<(String, Kernel)> {
    let pass = pieces.facts.body.joined_pass()?;
    Some((pieces.uniform_type() + &function(pieces, pass), near(pieces, pass, 0)))
}

/// The kernels before the step of a phase.
pub(super) fn kernels(pieces: &Pieces<'_>, algorithm: &Algorithm, phase: usize) -> Vec<Kernel> {
    if pieces.plan.work != Work::Step {
        return Vec::new();
    }
    let passes = pieces.facts.body.joined_pass().unwrap_or(pieces.facts.body.derivations.len());
    let each = |pass: usize| {
        let mut kernels = match pass {
            0 => first(pieces, algorithm, phase),
            _ => vec![near(pieces, pass, phase)],
        };
        kernels.push(surround(pieces, pass, phase));
        kernels
    };
    (0..passes).flat_map(each).collect()
}

/// The pass that goes on from populations. Where moments are stored, nodes at walls have a kernel of their own, as in the step.
fn first(pieces: &Pieces<'_>, algorithm: &Algorithm, phase: usize) -> Vec<Kernel> {
    let (facts, plan) = (pieces.facts, pieces.plan);
    let scheme = match algorithm {
        Algorithm::Planes => pieces.scheme().before(),
        _ => pieces.scheme(),
    };
    let over_nodes = match pieces.held {
        Held::Moments => match plan.shape.march {
            None => rebuilt::plain(pieces, phase, Becomes::Fields),
            Some(way) => march(pieces, way, false, Becomes::Fields, phase),
        },
        _ => bulk_in(pieces, scheme, &Transfer::derive(facts, plan, phase), phase),
    };
    let at_walls = (plan.walls && pieces.stores_moments() && !pieces.walls_within)
        .then(|| rebuilt::boundary(pieces, phase, Becomes::Fields));
    [Some(over_nodes), at_walls].into_iter().flatten().collect()
}

/// A pass over fields, a node each thread.
fn near(pieces: &Pieces<'_>, pass: usize, phase: usize) -> Kernel {
    let derivation = &pieces.facts.body.derivations[pass];
    let plan = Plan { shape: Shape::PLAIN, ..pieces.plan.clone() };
    let about = "\n// Fields follow from those at neighbours, a node each thread.\n";
    let mut parameters = vec![Resource::NodeFields.shared(), Resource::Uniforms.value()];
    parameters.extend(pieces.of_lengths());
    let name = format!("near_{pass}_{phase}");
    let mut kernel = Kernel::new(about, name, phase, Threads::of(Shape::PLAIN), parameters);
    let (text, scheme) = (&mut kernel.body, pieces.scheme());
    let numbers = pieces.facts.padded(scheme.size.clone());
    let outside = position(text, &scheme, &plan, 0..3);
    *text += &stop_if(&outside);
    *text += &node_fields::near(pieces, &scheme, pass, 0);
    let all = numbers.nodes();
    let at = numbers.number(AXES.map(Expression::name), [0; 3]);
    for (n, field) in derivation.fields.clone().enumerate() {
        put!(text, "{}[{at} + {field}u * (size_t)({all})] = derived[{n}];", Resource::NodeFields);
    }
    kernel
}

/// What the fields of a pass are around the fluid, a place each thread: what the nodes have that it follows from; in walls so many times that, and so
/// much more.
fn surround(pieces: &Pieces<'_>, pass: usize, phase: usize) -> Kernel {
    let body = &pieces.facts.body;
    let about = "\n// What fields are around the fluid, a place each thread: a mean of nodes, of which walls have so many times, and so much more.\n";
    let mut parameters = vec![Resource::NodeFields.shared(), Resource::Uniforms.value()];
    parameters.extend(pieces.of_lengths());
    parameters.extend([
        Resource::AroundCount.value(),
        Resource::FirstWall.value(),
        Resource::AroundPlaces.read(),
        Resource::AroundStarts.read(),
        Resource::AroundSources.read(),
        Resource::AroundWeights.read(),
    ]);
    let threads = Threads::in_rows(AROUND_BLOCK, Some(1), Grid::Each(Resource::AroundCount));
    let mut kernel = Kernel::new(about, format!("surround_{pass}_{phase}"), phase, threads, parameters);
    let (text, numbers) = (&mut kernel.body, pieces.facts.padded(pieces.scheme().size));
    put!(text, "const unsigned number = {AROUND_BLOCK}u * blockIdx.x + threadIdx.x;");
    put!(text, "if (number >= around_count) return;");
    put!(text, "const unsigned begin = around_starts[number], end = around_starts[number + 1];");
    for field in body.derivations[pass].fields.clone() {
        let at_wall = body.derived[field - body.fields.len()].at_wall;
        put!(text, "{{");
        put!(
            text,
            "    real* const values = {} + {field}u * (size_t)({});",
            Resource::NodeFields,
            numbers.nodes()
        );
        put!(text, "    real value = 0;");
        put!(text, "    for (unsigned n = begin; n < end; ++n) {{");
        put!(text, "        value = fma_rn(around_weights[n], values[around_sources[n]], value);");
        put!(text, "    }}");
        put!(
            text,
            "    if (number >= first_wall) value = fma_rn(uniforms.k[{at_wall}], value, uniforms.k[{}]);",
            at_wall + 1
        );
        put!(text, "    values[around_places[number]] = value;");
        put!(text, "}}");
    }
    kernel
}
