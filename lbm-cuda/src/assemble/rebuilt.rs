//! Where moments are stored: populations are rebuilt from those of the node that they come from, where they are read; or that
//! node sends them out before the step.

use std::collections::BTreeSet;

use lbm_core::{Access, AroundFields, DeviceParts, DeviceText, Expression, Facts};

use super::boundary::{self, at_walls, lists, node_at_walls, of_link};
use super::bulk::{SKIPPED, head};
use super::kernel::Kernel;
use super::pieces::Pieces;
use super::plan::Work;
use super::resource::{Held, Parameter, Resource};
use super::scheme::{Scheme, put};
use super::transfer::{AtWalls, MEETING, STAYING};
use super::{node_fields, rules};

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
    pieces.uniform_type()
        + &format!(
            "\n// The collision of one node, to the moments that carry it.\n\
         __device__ __forceinline__ void gather(const real (&h)[{q}], const real (&k)[{count}], {}real (&m)[{moments}]) {{\n{statements}}}\n",
            pieces.field_parameter()
        )
}

/// The same in two parts, of which the first needs no population that comes down along the march; and the fields that follow before.
pub(super) fn gather_in_parts(pieces: &Pieces<'_>) -> String {
    let fields = pieces.body.first_derivation.map(|parts| in_parts(pieces, Becomes::Fields, &parts));
    in_parts(pieces, Becomes::Moments, &pieces.halves().parts) + &fields.unwrap_or_default()
}

/// The later part of a collision in two, around what fields it reads.
pub(super) fn gather_around_fields(pieces: &Pieces<'_>) -> String {
    let Some(AroundFields { before, after, held, .. }) = pieces.halves().parts.around_fields else {
        return String::new();
    };
    let (q, count, moments, fields) =
        (pieces.q, pieces.uniforms(), pieces.facts.body.moments, pieces.field_parameter());
    let (waiting, [before, after]) =
        (pieces.halves().parts.waiting, [before, after].map(|part| statements(pieces, part)));
    format!(
        "\n// What these make in two parts: before fields of the node are known, and with them.\n\
         __device__ __forceinline__ void before_fields(\n    const real (&c)[{waiting}], const real (&h)[{q}], const real (&k)[{count}], real (&d)[{held}]\n) \
         {{\n{before}}}\n\n\
         __device__ __forceinline__ void with_fields(\n    const real (&d)[{held}], const real (&k)[{count}], {fields}real (&m)[{moments}]\n) {{\n{after}}}\n"
    )
}

/// What populations become in two parts.
fn in_parts(pieces: &Pieces<'_>, becomes: Becomes, parts: &DeviceParts) -> String {
    let (q, count, waiting, fields) = (pieces.q, pieces.uniforms(), parts.waiting, pieces.field_parameter());
    let [early, late] = [parts.early, parts.late].map(|part| statements(pieces, part));
    let (result, values, [first, second]) = (becomes.result(), becomes.values(pieces.facts), becomes.parts());
    format!(
        "\n// The same in two parts: what is known before the populations that come down, and what these make of it.\n\
         __device__ __forceinline__ void {first}(const real (&h)[{q}], real (&c)[{waiting}]) {{\n{early}}}\n\n\
         __device__ __forceinline__ void {second}(\n    const real (&c)[{waiting}], const real (&h)[{q}], \
         const real (&k)[{count}], {fields}real (&{result})[{values}]\n) {{\n{late}}}\n"
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

/// What becomes of populations that meet in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Becomes {
    /// They collide, to moments.
    Moments,
    /// Fields follow, before they do.
    Fields,
}

impl Becomes {
    /// What it is called in the functions that make it.
    fn result(self) -> &'static str {
        match self {
            Becomes::Moments => "m",
            Becomes::Fields => "derived",
        }
    }

    /// The same in kernels.
    pub(super) fn array(self) -> &'static str {
        match self {
            Becomes::Moments => "after",
            Becomes::Fields => "derived",
        }
    }

    /// How many values that are.
    pub(super) fn values(self, facts: &Facts) -> usize {
        match self {
            Becomes::Moments => facts.body.moments,
            Becomes::Fields => facts.body.derivations[0].fields.len(),
        }
    }

    /// The functions that make it in two parts.
    pub(super) fn parts(self) -> [&'static str; 2] {
        match self {
            Becomes::Moments => ["early", "late"],
            Becomes::Fields => ["early_derived", "late_derived"],
        }
    }

    /// How many values wait between these.
    pub(super) fn waiting(self, pieces: &Pieces<'_>) -> usize {
        match self {
            Becomes::Moments => pieces.halves().parts.waiting,
            Becomes::Fields => pieces.body.first_derivation.map_or(0, |parts| parts.waiting),
        }
    }

    /// What the kernel is called, and what it does.
    pub(super) fn kernel(self) -> [&'static str; 2] {
        match self {
            Becomes::Moments => ["step", "A time step"],
            Becomes::Fields => ["derive", "What neighbours may read of each node"],
        }
    }

    /// What a kernel is handed of fields.
    pub(super) fn parameters(self, pieces: &Pieces<'_>) -> Vec<Parameter> {
        match self {
            Becomes::Moments => node_fields::parameters(pieces),
            // Threads read what they do not write.
            Becomes::Fields => vec![Resource::NodeFields.shared()],
        }
    }

    /// The array of what they become, and how long it is.
    fn declared(self, pieces: &Pieces<'_>) -> String {
        format!("{}[{}]", self.array(), self.values(pieces.facts))
    }

    /// Declares the fields of so many nodes side by side that it is made of.
    pub(super) fn fields(self, pieces: &Pieces<'_>, scheme: &Scheme, nodes: usize) -> String {
        match self {
            Becomes::Moments => node_fields::read_at(pieces, scheme, nodes),
            Becomes::Fields => node_fields::read_set(pieces, scheme, nodes),
        }
    }

    /// The statements that make it, and store it: moments at these places.
    fn made(self, pieces: &Pieces<'_>, scheme: &Scheme, place: impl Fn(Access) -> Expression) -> String {
        let (mut text, fields) = (self.fields(pieces, scheme, 1), node_fields::handed(pieces, ""));
        match self {
            Becomes::Moments => put!(text, "gather(h, uniforms.k, {fields}after);"),
            Becomes::Fields => put!(text, "derive(h, uniforms.k, {fields}derived);"),
        }
        text + &match self {
            Becomes::Moments => leave(pieces, place),
            Becomes::Fields => node_fields::written(pieces, scheme, 1, 0),
        }
    }
}

/// The step with a node each thread, every neighbour's moments read where they are needed; or what comes before it.
pub(super) fn plain(pieces: &Pieces<'_>, phase: usize, becomes: Becomes) -> Kernel {
    let (facts, plan, scheme) = (pieces.facts, pieces.plan, pieces.scheme());
    let [name, about] = becomes.kernel();
    let (mut kernel, _) = head(
        pieces,
        &scheme,
        &format!("{about}, a node each thread."),
        name,
        &becomes.parameters(pieces),
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
    *text += &met(pieces, &scheme, phase, becomes);
    *text += &made(pieces, &scheme, becomes, |moment| scheme.offset(moment));
    kernel
}

/// What meets in a node, rebuilt from the moments of its neighbours.
pub(super) fn met(pieces: &Pieces<'_>, scheme: &Scheme, phase: usize, becomes: Becomes) -> String {
    let (mut text, q) = (String::new(), pieces.q);
    put!(text, "real h[{q}], {};", becomes.declared(pieces));
    if pieces.plan.work == Work::Step {
        put!(text, "// {MEETING}");
        for i in 0..q {
            let from = population(pieces, scheme, pieces.facts.read(i, phase), &format!("h[{i}]"));
            put!(text, "{{ {from} }}");
        }
    }
    text
}

/// What has met becomes this, moments at these places; where nothing is to be computed, the node's own stay.
pub(super) fn made(
    pieces: &Pieces<'_>,
    scheme: &Scheme,
    becomes: Becomes,
    place: impl Fn(Access) -> Expression,
) -> String {
    let (mut text, facts, source) = (String::new(), pieces.facts, pieces.source());
    if pieces.plan.work == Work::Step {
        return becomes.made(pieces, scheme, place);
    }
    for n in 0..facts.body.moments {
        put!(text, "after[{n}] = decode({source}[{}]);", scheme.offset(facts.moment(n)));
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
pub(super) fn boundary(pieces: &Pieces<'_>, phase: usize, becomes: Becomes) -> Kernel {
    let (facts, q, scheme) = (pieces.facts, pieces.q, pieces.scheme());
    let own = [&lists(pieces)[..], &rules::parameters(pieces), &becomes.parameters(pieces)].concat();
    let parameters = pieces.parameters_and(&own);
    let name = match becomes {
        Becomes::Moments => format!("boundary_{phase}"),
        Becomes::Fields => format!("derive_at_walls_{phase}"),
    };
    let mut kernel = Kernel::new(boundary::ABOUT, name, phase, at_walls(), parameters);
    let (text, source) = (&mut kernel.body, pieces.source());
    *text += &node_at_walls(pieces, &scheme.size);
    let reads: Vec<Access> = (0..q).map(|i| facts.read(i, phase)).collect();
    *text += &scheme.neighbours(&reads.iter().map(|access| access.shift).chain([[0; 3]]).collect(), 1);
    put!(text, "real h[{q}], {};", becomes.declared(pieces));
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
    *text += &rules::arrived(pieces, &[], 1, |_| "h".to_owned(), rules::kept_beside, pieces.source());
    *text += &becomes.made(pieces, &scheme, |moment| scheme.offset(moment));
    kernel
}
