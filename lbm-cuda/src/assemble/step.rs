//! The kernels of a time step, assembled: the collision's body between reads and writes of the streaming pattern.
//!
//! `step_<phase>` does all nodes without a branch for walls: a node with a missing neighbour, and a solid one, is
//! named by a bit of `skip`, and its results are not written. `boundary_<phase>` then does the fluid ones among these,
//! a thread each. A box without walls has neither bits nor second kernel. Where a pattern has passes before the step, their
//! kernels come first; where nodes at walls cannot wait until after the step, it does them itself.

use super::arithmetic::ArithmeticText;
use super::blocks::{refresh, step_in_blocks};
use super::boundary::{NUMBER_LISTED, boundary};
use super::bulk::{Pass, bulk};
use super::faces::faces;
use super::listed::{ListedPlan, listed_kernels, listed_step};
use super::march::march;
use super::rebuilt::{self, halves};
use super::ring::first_plane;
use super::scheme::Scheme;
use super::shape::{March, Shape};
use super::two_steps::several_steps;
use lbm_core::{DeviceText, Error, Facts};

/// What a kernel does between its reads and its writes: a step, or a measuring stick beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Work {
    /// The time step.
    #[default]
    Step,
    /// Streaming without collision: the tiles paper's `propagation only`.
    Propagate,
    /// As many values in and out, none moved to another node, no arithmetic.
    ReadWrite,
    /// Nothing at all: what a launch itself takes.
    Nothing,
}

/// What a text is assembled for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    /// Nodes of the box, baked into the text; none if the kernel is to be told.
    pub size: Option<[usize; 3]>,
    /// Whether the box has walls or solid nodes.
    pub walls: bool,
    /// How nodes are dealt out to threads.
    pub shape: Shape,
    /// What is done with the nodes.
    pub work: Work,
}

/// The kinds of kernels that a pattern has before its step, in the order in which they run; each has one a phase.
#[must_use]
pub fn passes(facts: &Facts) -> &'static [&'static str] {
    match (facts.pattern.swaps(), facts.pattern.turns()) {
        (true, _) => &["exchange"],
        (_, true) => &["faces_out", "faces_in"],
        _ if facts.pattern.sends() => &["scatter"],
        _ if facts.pattern.blocks().is_some() => &["refresh"],
        _ if facts.pattern.drift().is_some() => &["first_plane"],
        _ => &[],
    }
}

/// The names of the kernels of [`step`]'s text, kind after kind, with one a phase each: the step, several steps at once,
/// the passes before them, nodes at walls.
#[must_use]
pub fn kernels(facts: &Facts, walls: bool) -> Vec<Vec<String>> {
    if facts.addressing.listed {
        return listed_kernels(facts);
    }
    let several: &[&str] = if facts.streaming.steps_at_once.unwrap_or(1) > 1 { &["steps"] } else { &[] };
    let boundary: &[&str] = if walls && !facts.walls_within_step() { &["boundary"] } else { &[] };
    let phases = |kind: &&str| (0..facts.period).map(|phase| format!("{kind}_{phase}")).collect();
    [&["step"][..], several, passes(facts), boundary].into_iter().flatten().map(phases).collect()
}

/// The pieces of a variant's text that do not depend on the box.
pub(crate) struct Pieces {
    pub(crate) arithmetic: ArithmeticText,
    /// Conversions of 16-bit formats, if they are named, and the precision's own text.
    storage: String,
    /// What values are multiplied by before they are stored.
    stored_unit: f64,
    pub(crate) body: DeviceText,
    pub(crate) q: usize,
    pub(crate) uniforms: usize,
}

impl Pieces {
    pub(crate) fn of(facts: &Facts) -> Result<Pieces, Error> {
        let missing = |what: String, remedy: &str| Error::Unavailable { what, remedy: remedy.to_owned() };
        let body = facts.body.text.ok_or_else(|| {
            missing(
                format!("the collision of `{}` has no CUDA text", facts.name()),
                "declare it with `collision!`, which prints one; a body written by hand in Rust runs on the CPU only",
            )
        })?;
        let storage = facts.precision.stored_text.ok_or_else(|| {
            missing(
                format!("the precision `{}` has no CUDA text", facts.precision.name),
                "give its impl of `Precision` a `DEVICE`, or run on the CPU",
            )
        })?;
        if facts.lattice.q() > 32 {
            return Err(Error::out_of_range(
                "velocities of the lattice",
                facts.lattice.q(),
                "at most 32 on a device",
                "run on the CPU",
            ));
        }
        Ok(Pieces {
            arithmetic: ArithmeticText::of(facts.precision.arithmetic),
            storage: format!("{}{storage}", super::formats::for_storage(storage)),
            stored_unit: facts.precision.stored_unit,
            body,
            q: facts.lattice.q(),
            uniforms: facts.body.uniform_count,
        })
    }

    /// How values are stored, as text, where those that are computed with are so many times as large as they are.
    pub(crate) fn storage(&self, unit: f64) -> String {
        if self.stored_unit == 1.0 {
            return self.storage.clone();
        }
        format!(
            "// What is stored of a value is so many times as large as it is here.\nconstexpr real unit = {};\n{}",
            self.arithmetic.literal(self.stored_unit / unit),
            self.storage
        )
    }
}

/// The text of a time step's kernels.
///
/// # Errors
/// [`Error::Unavailable`] if the collision or the precision has no CUDA text; [`Error::OutOfRange`] for a lattice of more
/// than 32 velocities.
pub fn step(facts: &Facts, plan: &Plan) -> Result<String, Error> {
    if facts.addressing.listed {
        return listed_step(facts, &ListedPlan::of(facts, plan)?);
    }
    let pieces = Pieces::of(facts)?;
    let scheme = Scheme::new(facts, plan.size);
    let mut text = preamble(&pieces, rebuilt::unit(facts));
    if let Some(halves) = halves(facts)? {
        return Ok(text + &step_of_moments(facts, &pieces, &halves, &scheme, plan));
    }
    if let Some(blocks) = facts.blocks() {
        if plan.walls {
            text += NUMBER_LISTED;
        }
        text += &collide(&pieces, plan.work);
        for phase in 0..facts.period {
            text += &refresh(facts, &blocks, &scheme, plan, phase);
            text += &step_in_blocks(facts, &blocks, &pieces, &scheme, plan, phase);
        }
        return Ok(text);
    }
    let exchange = |phase| facts.pattern.swaps().then(|| Pass::exchange(facts, phase));
    let passes: Vec<Vec<Pass>> = (0..facts.period)
        .map(|phase| exchange(phase).into_iter().chain([Pass::step(facts, plan, phase)]).collect())
        .collect();
    text += &groups(plan, passes.iter().flatten());
    if facts.pattern.turns() {
        text += &scheme.rings(facts);
    }
    text += &collide(&pieces, plan.work);
    for (phase, passes) in passes.iter().enumerate() {
        if facts.pattern.turns() {
            text += &faces(facts, &scheme, plan, phase);
        }
        for pass in passes {
            text += "\n";
            text += &bulk(facts, &pieces, &scheme, plan, pass, phase);
        }
        if plan.walls {
            text += "\n";
            text += &boundary(facts, &pieces, &scheme, plan, phase);
        }
    }
    Ok(text)
}

/// The same where moments are stored.
fn step_of_moments(
    facts: &Facts,
    pieces: &Pieces,
    halves: &lbm_core::DeviceHalves,
    scheme: &Scheme,
    plan: &Plan,
) -> String {
    if facts.pattern.sends() {
        return step_that_scatters(facts, pieces, halves, scheme, plan);
    }
    let mut text = groups(plan, []);
    if facts.pattern.drift().is_some() {
        text += &scheme.rings(facts);
    }
    if plan.walls && facts.walls_within_step() {
        text += NUMBER_LISTED;
    }
    if plan.shape.nodes > 1 {
        text += "\n";
        text += include_str!("march.cuh");
    }
    if plan.shape.march.is_some_and(|march| march.ahead) {
        text += "\n";
        text += include_str!("ahead.cuh");
    }
    text += &rebuilt::rebuild(facts, pieces, halves);
    text += &rebuilt::gather(facts, pieces, halves, Work::Step);
    if plan.shape.march.is_some() {
        text += &rebuilt::gather_in_parts(facts, pieces, halves);
    }
    if let (2.., Some(way)) = (facts.streaming.steps_at_once.unwrap_or(1), plan.shape.march) {
        text += &rebuilt::rebuild_all(facts, pieces, halves, Work::Step);
        text += &several_steps(facts, pieces, halves, scheme, plan, way);
        let single = Plan { shape: plan.shape.single(), ..plan.clone() };
        let way = March { halo: 0, ..way };
        return text + &march(facts, pieces, halves, scheme, &single, way);
    }
    if let (true, Some(March { axis, parts, .. })) = (facts.pattern.drift().is_some(), plan.shape.march) {
        let before = Scheme::new(facts, plan.size).before();
        text += &first_plane(facts, &before, plan, axis, parts);
    }
    for phase in 0..facts.period {
        text += &match plan.shape.march {
            Some(way) => march(facts, pieces, halves, scheme, plan, way),
            None => rebuilt::plain(facts, pieces, halves, scheme, plan, phase),
        };
        if plan.walls && !facts.walls_within_step() {
            text += &rebuilt::boundary(facts, pieces, halves, scheme, plan, phase);
        }
    }
    text
}

/// The same where these send populations out before the step.
fn step_that_scatters(
    facts: &Facts,
    pieces: &Pieces,
    halves: &lbm_core::DeviceHalves,
    scheme: &Scheme,
    plan: &Plan,
) -> String {
    let passes: Vec<[Pass; 2]> = (0..facts.period)
        .map(|phase| [Pass::scatter(facts, plan, phase), Pass::gather(facts, plan, phase)])
        .collect();
    let mut text = groups(plan, passes.iter().flatten());
    if plan.walls {
        text += &rebuilt::rebuild(facts, pieces, halves);
    }
    text += &rebuilt::rebuild_all(facts, pieces, halves, plan.work);
    text += &rebuilt::gather(facts, pieces, halves, plan.work);
    for (phase, passes) in passes.iter().enumerate() {
        for pass in passes {
            text += "\n";
            text += &bulk(facts, pieces, scheme, plan, pass, phase);
        }
        if plan.walls {
            text += &rebuilt::boundary(facts, pieces, halves, scheme, plan, phase);
        }
    }
    text
}

/// How groups of nodes side by side are moved by these passes, if threads have such.
fn groups<'a>(plan: &Plan, passes: impl IntoIterator<Item = &'a Pass>) -> String {
    let mut text = String::new();
    if plan.shape.nodes > 1 {
        text += "\n";
        text += include_str!("groups.cuh");
        if passes.into_iter().any(Pass::writes_along_x) {
            text += "\n";
            text += include_str!("groups_shifted.cuh");
        }
    }
    text
}

/// Types and functions that everything below uses; values are so many times as large as they are.
pub(super) fn preamble(pieces: &Pieces, unit: f64) -> String {
    pieces.arithmetic.prelude() + &pieces.storage(unit)
}

pub(super) fn collide(pieces: &Pieces, work: Work) -> String {
    let Pieces { q, uniforms, arithmetic, body, .. } = pieces;
    let statements = match work {
        Work::Step => DeviceText::numbers(body.collide, |x| arithmetic.literal(x)),
        Work::Propagate | Work::ReadWrite | Work::Nothing => {
            (0..*q).map(|i| format!("    post[{i}] = h[{i}];\n")).collect()
        }
    };
    // An array of no elements is no C++.
    let count = (*uniforms).max(1);
    format!(
        "\n// Coefficients that are the same for all nodes.\nstruct Uniforms {{ real k[{count}]; }};\n\n\
         // The collision of one node.\n\
         __device__ __forceinline__ void collide(const real (&h)[{q}], const real (&k)[{count}], real (&post)[{q}]) {{\n{}}}\n",
        statements
    )
}

/// The memory that a step reads and the memory that it writes, as their parameters are named.
pub(super) fn memories(facts: &Facts) -> (&'static str, &'static str) {
    match (facts.copies, facts.pattern.stores_moments(), facts.pattern.sends()) {
        (1, _, true) => ("values", "values"),
        (1, true, false) => ("moments", "moments"),
        (1, false, false) => ("populations", "populations"),
        _ => ("source", "target"),
    }
}

/// The parameters that every kernel of a step has.
pub(super) fn parameters(facts: &Facts, plan: &Plan) -> Vec<&'static str> {
    let mut all = match (facts.copies, facts.pattern.sends()) {
        (1, true) => vec!["stored* const values"],
        (1, false) if facts.pattern.stores_moments() => vec!["stored* const moments"],
        (1, false) => vec!["stored* const populations"],
        _ => vec!["const stored* __restrict__ source", "stored* __restrict__ target"],
    };
    all.push("const Uniforms uniforms");
    all.extend(told(facts, plan));
    all
}

/// What every kernel is told of the box: its size, if that is not baked in, and how its rings stand, if there are any.
pub(super) fn told(facts: &Facts, plan: &Plan) -> Vec<&'static str> {
    let mut all = Vec::new();
    if plan.size.is_none() {
        all.extend(["const size_t nx", "const size_t ny", "const size_t nz"]);
    }
    if facts.pattern.moves() {
        all.push("const Origins origins");
    }
    all
}

/// The same as arguments of a function, after others.
pub(super) fn told_on(facts: &Facts, plan: &Plan) -> String {
    let names = told(facts, plan).into_iter().filter_map(|parameter| parameter.split(' ').next_back());
    names.map(|name| format!(", {name}")).collect()
}
