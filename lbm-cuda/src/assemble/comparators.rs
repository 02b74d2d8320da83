//! What others do instead, as texts: kernels that papers compare their own with, printed from the same declarations.
//!
//! [`Way::Separate`] gives every part of a step its own pass over memory, with density, velocity and equilibrium stored
//! in between (Tölke & Krafczyk 2008, Habich et al. 2011, as Khani & Wu have them). [`Way::Tiled`] pulls through tiles of a
//! row in shared memory, so that no read from global memory is shifted along x (Tölke 2010, Tran, Lee & Choi 2015).
//! Measuring sticks only: no engine is built on them, and their bits are their own where their operations are.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use lbm_core::{Access, Error, Expression, Facts};

use super::boundary::{BOUNDARY_BLOCK, boundary};
use super::bulk::position;
use super::kernel::{Grid, Kernel, Program, Threads};
use super::pieces::Pieces;
use super::plan::Plan;
use super::resource::{Parameter, Resource};
use super::scheme::{Scheme, put};
use super::shape::Shape;

/// Which kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Streaming, density, velocity, equilibrium and collision each in a pass of their own.
    Separate,
    /// One pass that pulls through tiles in shared memory.
    Tiled,
}

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
            Way::Tiled => 2 * q,
        };
        values * facts.precision.stored_bytes
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
    if !pulls || !facts.precision.plain {
        return Err(Error::conflict(
            format!("`{}` is no two-lattice pull in f32 or f64", facts.name()),
            "take e.g. d3q19-bgk-f64-soa-dense-two-lattice-pull",
        ));
    }
    let plan = Plan { size: Some(size), shape: way.shape(size), ..Plan::default() };
    let pieces = Pieces::of(facts, &plan)?;
    let scheme = Scheme::new(facts, plan.size);
    let preamble = pieces.preamble(1.0);
    Ok(match way {
        Way::Separate => Program { preamble, kernels: separate(&pieces, &scheme, size) },
        Way::Tiled => Program {
            preamble: preamble + &pieces.collide(),
            kernels: vec![tiled(&pieces, &scheme), boundary(&pieces, &scheme, 0)],
        },
    })
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
    if !outside.is_empty() {
        put!(text, "if ({}) return;", outside.join(" || "));
    }
    *text += &scheme.neighbours(shifts, 1);
    kernel
}

fn separate(pieces: &Pieces<'_>, scheme: &Scheme, size: [usize; 3]) -> Vec<Kernel> {
    let (facts, lattice) = (pieces.facts, &pieces.facts.lattice);
    let nodes = size.iter().product::<usize>();
    let literal = |x: f64| pieces.arithmetic.literal(x);
    let own = BTreeSet::from([[0; 3]]);
    let here = |i: usize| scheme.value(i, Expression::name("node"));
    let reads: Vec<Access> = (0..pieces.q).map(|i| facts.read(i, 0)).collect();

    let from_to = [Resource::Source.read(), Resource::Target.written()];
    let shifts = reads.iter().map(|access| access.shift).chain([[0; 3]]).collect();
    let mut stream = head(pieces, scheme, "Streaming alone, around the box.", "stream", &from_to, &shifts);
    for (i, &access) in reads.iter().enumerate() {
        put!(stream.body, "target[{}] = source[{}];", here(i), scheme.offset(access));
    }
    let about = "\n// What comes from walls: the place that it goes to, the place where it was sent from, and what the wall adds.\n";
    let lists = [Resource::Count.value(), Resource::To.read(), Resource::From.read(), Resource::Terms.read()];
    let threads = Threads::in_rows(BOUNDARY_BLOCK, None, Grid::Each(Resource::Count));
    let mut walls = Kernel::new(about, "walls", 0, threads, [&from_to[..], &lists].concat());
    let text = &mut walls.body;
    put!(text, "const unsigned link = {BOUNDARY_BLOCK}u * blockIdx.x + threadIdx.x;");
    put!(text, "if (link < count) target[to[link]] = encode(decode(source[from[link]]) + terms[link]);");

    let f = Resource::Target;
    let [rho, u, feq] = [Resource::Density, Resource::Velocity, Resource::Equilibrium];
    let parameters = [f.read(), rho.written()];
    let mut density = head(pieces, scheme, "The density.", "density", &parameters, &own);
    let all = (0..pieces.q).map(|i| format!("decode({f}[{}])", here(i))).collect::<Vec<_>>().join(" + ");
    put!(density.body, "rho[node] = {all};");

    let (about, parameters) =
        ("The velocity, component after component.", [f.read(), rho.read(), u.written()]);
    let mut velocity = head(pieces, scheme, about, "velocity", &parameters, &own);
    for axis in 0..lattice.dimension {
        let mut sum = String::new();
        for (i, c) in lattice.velocities.iter().enumerate().filter(|(_, c)| c[axis] != 0) {
            write!(sum, "{} * decode({f}[{}]) + ", literal(f64::from(c[axis])), here(i))
                .expect("a string takes any text");
        }
        let sum = sum.trim_end_matches(" + ");
        put!(velocity.body, "u[{}ull + node] = ({sum}) / rho[node];", axis * nodes);
    }

    let parameters = [rho.read(), u.read(), feq.written()];
    let mut equilibrium = head(pieces, scheme, "The equilibrium.", "equilibrium", &parameters, &own);
    let text = &mut equilibrium.body;
    let axes = ["ux", "uy", "uz"];
    for axis in 0..lattice.dimension {
        put!(text, "const real {} = u[{}ull + node];", axes[axis], axis * nodes);
    }
    let squares: Vec<String> = axes[..lattice.dimension].iter().map(|u| format!("{u} * {u}")).collect();
    let (linear, quadratic) = (literal(1.0 / lattice.cs2), literal(0.5 / (lattice.cs2 * lattice.cs2)));
    put!(text, "const real r = rho[node];");
    put!(
        text,
        "const real still = {} - {} * ({});",
        literal(1.0),
        literal(0.5 / lattice.cs2),
        squares.join(" + ")
    );
    for (i, c) in lattice.velocities.iter().enumerate() {
        let along: Vec<String> = (0..lattice.dimension)
            .filter(|&axis| c[axis] != 0)
            .map(|axis| format!("{} * {}", literal(f64::from(c[axis])), axes[axis]))
            .collect();
        let along = if along.is_empty() { literal(0.0) } else { along.join(" + ") };
        put!(text, "const real cu_{i} = {along};");
        put!(
            text,
            "feq[{}] = encode({} * r * (still + {linear} * cu_{i} + {quadratic} * cu_{i} * cu_{i}));",
            here(i),
            literal(lattice.weights[i])
        );
    }

    let parameters = [f.written(), feq.read(), Resource::Rate.value()];
    let mut relax = head(pieces, scheme, "The collision.", "relax", &parameters, &own);
    for i in 0..pieces.q {
        let at = here(i);
        put!(
            relax.body,
            "{f}[{at}] = encode(decode({f}[{at}]) + omega * (decode(feq[{at}]) - decode({f}[{at}])));"
        );
    }
    vec![stream, walls, density, velocity, equilibrium, relax]
}

/// Nodes at walls are done as if the box were periodic; `boundary_0` does them again.
fn tiled(pieces: &Pieces<'_>, scheme: &Scheme) -> Kernel {
    let (facts, q, threads) = (pieces.facts, pieces.q, pieces.plan.shape.block[0]);
    let reads: Vec<Access> = (0..q).map(|i| facts.read(i, 0)).collect();
    let along_rows = |access: Access| Access { shift: [0, access.shift[1], access.shift[2]], ..access };
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
        let group = scheme.offset(along_rows(*access));
        put!(text, "tile[{k}][t + {}u] = decode(source[{group}]);", first(access));
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
