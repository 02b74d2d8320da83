//! What others do instead, as texts: kernels that papers compare their own with, printed from the same declarations.
//!
//! [`Way::Separate`] gives every part of a step its own pass over memory, with density, velocity and equilibrium stored
//! in between (Tölke & Krafczyk 2008, Habich et al. 2011, as Khani & Wu have them). [`Way::Tiled`] pulls through tiles of a
//! row in shared memory, so that no read from global memory is shifted along x (Tölke 2010, Tran, Lee & Choi 2015).
//! [`Way::Flagged`] and [`Way::Listed`] are the lecture's on a wind tunnel (Dorozhinskii & Ashraf 2018): solid nodes stay in the box.
//! Measuring sticks only: no engine is built on them, and their bits are their own where their operations are.

mod lecture;

use std::collections::BTreeSet;

use lbm_core::{Access, Error, Expression, Facts};

pub(crate) use lecture::{OF_LINKS, PASS};

use super::boundary::{BOUNDARY_BLOCK, boundary, half_way};
use super::bulk::{position, stop_if};
use super::kernel::{Grid, Kernel, Program, Threads};
use super::pieces::Pieces;
use super::plan::Plan;
use super::resource::{Parameter, Resource};
use super::scheme::{Scheme, along_rows, put};
use super::shape::Shape;

/// Which kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Streaming, density, velocity, equilibrium and collision each in a pass of their own.
    Separate,
    /// One pass that pulls through tiles in shared memory.
    Tiled,
    /// One pass over all nodes of the box, which branches on a flag of each.
    Flagged(FromSolids),
    /// One pass over a list of the fluid nodes.
    Listed(FromSolids),
}

/// How what fluid nodes sent into solid ones comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FromSolids {
    /// The pass asks every neighbour for its flag, direction after direction.
    Asked,
    /// A kernel before the pass, over all links, which branches on the kind of each.
    Together,
    /// Kernels before the pass, one for each kind, one after the other.
    InTurn,
    /// The same, each in a stream of its own.
    SideBySide,
}

/// Bytes of a flag of a node, and of its number in a list.
const WORD: usize = 4;

/// Threads a block where nothing else decides.
const MOST_THREADS: usize = 256;

impl Way {
    /// Bytes that one update of a node must move: all that its passes read and write.
    #[must_use]
    pub fn bytes_per_update(self, facts: &Facts) -> usize {
        let (q, d) = (facts.lattice.q(), facts.lattice.dimension);
        let values = match self {
            // In the order of the kernels: f to f; f to rho; f and rho to u; rho and u to feq; f and feq to f.
            Way::Separate => 2 * q + (q + 1) + (q + 1 + d) + (1 + d + q) + 3 * q,
            Way::Tiled | Way::Flagged(_) | Way::Listed(_) => 2 * q,
        };
        values * facts.precision.stored_bytes
    }

    /// Bytes that one step of a box must move; lists of links are not counted.
    #[must_use]
    pub fn bytes_per_step(self, facts: &Facts, nodes: usize, fluid: usize) -> usize {
        let words = match self {
            Way::Separate | Way::Tiled => 0,
            Way::Flagged(_) => nodes,
            Way::Listed(_) => fluid,
        };
        fluid * self.bytes_per_update(facts) + WORD * words
    }

    /// How what comes from solid nodes comes back, where there may be such.
    #[must_use]
    pub fn from_solids(self) -> Option<FromSolids> {
        match self {
            Way::Separate | Way::Tiled => None,
            Way::Flagged(from_solids) | Way::Listed(from_solids) => Some(from_solids),
        }
    }

    /// How nodes are dealt out to threads: a part of a row each block, without rest.
    #[must_use]
    pub fn shape(self, size: [usize; 3]) -> Shape {
        let threads = (1..=MOST_THREADS.min(size[0])).rev().find(|n| size[0].is_multiple_of(*n)).unwrap_or(1);
        Shape { block: [threads as u32, 1, 1], ..Shape::PLAIN }
    }
}

/// A way's kernels for a box, in the order in which they run.
///
/// # Errors
/// [`Error::Conflict`] for another variant than a two-lattice pull whose numbers are stored as they are; what
/// [`step`](super::step()) refuses.
pub fn comparator(facts: &Facts, size: [usize; 3], way: Way) -> Result<Program, Error> {
    let own = |i: usize| facts.write(i, 0) == Access { shift: [0; 3], slot: i };
    let pulls = facts.copies == 2 && !facts.pattern.stores_moments() && (0..facts.lattice.q()).all(own);
    if !pulls || !facts.precision.plain || facts.body.field_count() > 0 {
        return Err(Error::conflict(
            format!("`{}` is no two-lattice pull in f32 or f64 that reads populations only", facts.name()),
            "take e.g. d3q19-bgk-f64-soa-dense-two-lattice-pull",
        ));
    }
    let plan = Plan { size: Some(size), shape: way.shape(size), ..Plan::default() };
    let pieces = Pieces::of(facts, &plan)?;
    let scheme = pieces.scheme();
    let preamble = pieces.preamble(1.0);
    let kernels = match way {
        Way::Separate => return Ok(Program { preamble, kernels: separate(&pieces, &scheme, size) }),
        Way::Tiled => vec![tiled(&pieces, &scheme), boundary(&pieces, 0)],
        Way::Flagged(from_solids) => lecture::kernels(&pieces, &scheme, false, from_solids),
        Way::Listed(from_solids) => lecture::kernels(&pieces, &scheme, true, from_solids),
    };
    Ok(Program { preamble: preamble + &pieces.collide(), kernels })
}

/// A kernel of a thread a node, down to the places of the nodes at these shifts.
fn head(
    pieces: &Pieces<'_>,
    scheme: &Scheme,
    about: &str,
    name: &str,
    parameters: &[Parameter],
    shifts: &BTreeSet<[i32; 3]>,
) -> Kernel {
    let (plan, about) = (pieces.plan, format!("\n// {about}\n"));
    let mut kernel = Kernel::new(about, name, 0, Threads::of(plan.shape), parameters.to_vec());
    let text = &mut kernel.body;
    let outside = position(text, scheme, plan, 0..3);
    *text += &(stop_if(&outside) + &scheme.neighbours(shifts, 1));
    kernel
}

/// A pass of its own for each part of a step.
fn separate(pieces: &Pieces<'_>, scheme: &Scheme, size: [usize; 3]) -> Vec<Kernel> {
    let lattice = &pieces.facts.lattice;
    let nodes = size.iter().product::<usize>();
    let places: Vec<Expression> = scheme.values("node", pieces.q).map(|(_, place)| place).collect();
    let pass = |about: &str, name: &str, parameters: &[Parameter]| {
        head(pieces, scheme, about, name, parameters, &BTreeSet::from([[0; 3]]))
    };
    let f = Resource::Target;
    let [rho, u, feq] = [Resource::Density, Resource::Velocity, Resource::Equilibrium];
    let populations: Vec<String> = places.iter().map(|place| format!("decode({f}[{place}])")).collect();

    let mut density = pass("The density.", "density", &[f.read(), rho.written()]);
    put!(density.body, "rho[node] = {};", populations.join(" + "));

    let parameters = [f.read(), rho.read(), u.written()];
    let mut velocity = pass("The velocity, component after component.", "velocity", &parameters);
    for axis in 0..lattice.dimension {
        let moving = lattice.velocities.iter().zip(&populations).filter(|(c, _)| c[axis] != 0);
        let terms = moving.map(|(c, f)| format!("{} * {f}", pieces.arithmetic.literal(c[axis].into())));
        let sum = terms.collect::<Vec<_>>().join(" + ");
        put!(velocity.body, "u[{}ull + node] = ({sum}) / rho[node];", axis * nodes);
    }

    let mut equilibrium = pass("The equilibrium.", "equilibrium", &[rho.read(), u.read(), feq.written()]);
    equilibrium.body += &equilibria(pieces, &places, nodes);

    let parameters = [f.written(), feq.read(), Resource::Rate.value()];
    let mut relax = pass("The collision.", "relax", &parameters);
    for (place, f_i) in places.iter().zip(populations) {
        put!(relax.body, "{f}[{place}] = encode({f_i} + omega * (decode(feq[{place}]) - {f_i}));");
    }
    vec![stream(pieces, scheme, &places), from_walls(), density, velocity, equilibrium, relax]
}

const FROM_TO: [Parameter; 2] = [Resource::Source.read(), Resource::Target.written()];

fn stream(pieces: &Pieces<'_>, scheme: &Scheme, places: &[Expression]) -> Kernel {
    let reads: Vec<Access> = (0..pieces.q).map(|i| pieces.facts.read(i, 0)).collect();
    let shifts = reads.iter().map(|access| access.shift).chain([[0; 3]]).collect();
    let about = "Streaming alone, around the box.";
    let mut kernel = head(pieces, scheme, about, "stream", &FROM_TO, &shifts);
    for (place, access) in places.iter().zip(reads) {
        put!(kernel.body, "target[{place}] = source[{}];", scheme.offset(access));
    }
    kernel
}

fn from_walls() -> Kernel {
    let about = "\n// What comes from walls: the place that it goes to, the place where it was sent from, and what the wall adds.\n";
    let lists = [Resource::Count.value(), Resource::To.read(), Resource::From.read(), Resource::Terms.read()];
    let threads = Threads::in_rows(BOUNDARY_BLOCK, None, Grid::Each(Resource::Count));
    let mut kernel = Kernel::new(about, "walls", 0, threads, [&FROM_TO[..], &lists].concat());
    let text = &mut kernel.body;
    put!(text, "const unsigned link = {BOUNDARY_BLOCK}u * blockIdx.x + threadIdx.x;");
    let back = half_way("decode(source[from[link]])", "terms[link]");
    put!(text, "if (link < count) target[to[link]] = encode({back});");
    kernel
}

/// The statements that set the equilibrium of each direction at its place.
fn equilibria(pieces: &Pieces<'_>, places: &[Expression], nodes: usize) -> String {
    let (mut text, lattice) = (String::new(), &pieces.facts.lattice);
    let literal = |x: f64| pieces.arithmetic.literal(x);
    let axes = &["ux", "uy", "uz"][..lattice.dimension];
    for (axis, u) in axes.iter().enumerate() {
        put!(text, "const real {u} = u[{}ull + node];", axis * nodes);
    }
    let squares: Vec<String> = axes.iter().map(|u| format!("{u} * {u}")).collect();
    let (one, half) = (literal(1.0), literal(0.5 / lattice.cs2));
    let (linear, quadratic) = (literal(1.0 / lattice.cs2), literal(0.5 / (lattice.cs2 * lattice.cs2)));
    put!(text, "const real r = rho[node];");
    put!(text, "const real still = {one} - {half} * ({});", squares.join(" + "));
    for (i, c) in lattice.velocities.iter().enumerate() {
        let moving = axes.iter().zip(c).filter(|&(_, &c)| c != 0);
        let along: Vec<String> = moving.map(|(u, &c)| format!("{} * {u}", literal(c.into()))).collect();
        let along = if along.is_empty() { literal(0.0) } else { along.join(" + ") };
        put!(text, "const real cu_{i} = {along};");
        let polynomial = format!("still + {linear} * cu_{i} + {quadratic} * cu_{i} * cu_{i}");
        put!(text, "feq[{}] = encode({} * r * ({polynomial}));", places[i], literal(lattice.weights[i]));
    }
    text
}

/// Nodes at walls are done as if the box were periodic; `boundary_0` does them again.
fn tiled(pieces: &Pieces<'_>, scheme: &Scheme) -> Kernel {
    let (facts, q, threads) = (pieces.facts, pieces.q, pieces.plan.shape.block[0]);
    let reads: Vec<Access> = (0..q).map(|i| facts.read(i, 0)).collect();
    let shifts =
        reads.iter().flat_map(|&access| [access.shift, along_rows(access).shift]).chain([[0; 3]]).collect();
    let shifted: Vec<(usize, Access)> =
        reads.iter().copied().enumerate().filter(|(_, access)| access.shift[0] != 0).collect();
    let about = "A time step: directions that move along x come through tiles of a row, a value longer than the block.";
    let mut kernel = head(pieces, scheme, about, "tiled", &pieces.parameters(), &shifts);
    let text = &mut kernel.body;
    put!(text, "__shared__ real tile[{}][{}];", shifted.len().max(1), threads + 1);
    put!(text, "const unsigned t = threadIdx.x;");
    // A tile begins a node to the west where its direction comes from there.
    let first = |access: &Access| u32::from(access.shift[0] < 0);
    for (k, (_, access)) in shifted.iter().enumerate() {
        let pack = scheme.offset(along_rows(*access));
        put!(text, "tile[{k}][t + {}u] = decode(source[{pack}]);", first(access));
    }
    for (thread, west) in [(0, true), (threads - 1, false)] {
        put!(text, "if (t == {thread}u) {{");
        for (k, (_, access)) in shifted.iter().enumerate().filter(|(_, (_, a))| (a.shift[0] < 0) == west) {
            let end = if west { 0 } else { threads };
            put!(text, "    tile[{k}][{end}] = decode(source[{}]);", scheme.offset(*access));
        }
        put!(text, "}}");
    }
    put!(text, "__syncthreads();");
    put!(text, "real h[{q}], post[{q}];");
    for (i, &access) in reads.iter().enumerate() {
        match shifted.iter().position(|&(direction, _)| direction == i) {
            Some(k) => put!(text, "h[{i}] = tile[{k}][t + {}u];", 1 - first(&access)),
            None => put!(text, "h[{i}] = decode(source[{}]);", scheme.offset(access)),
        }
    }
    put!(text, "collide(h, uniforms.k, post);");
    for i in 0..q {
        put!(text, "target[{}] = encode(post[{i}]);", scheme.offset(facts.write(i, 0)));
    }
    kernel
}
