//! The kernels that put the faces of a box right before a step, where slots are rings that turn.
//!
//! A population that leaves the box at a face comes in at a wrong node of the opposite one, since a ring knows rows one
//! after the other only. `faces_out_<phase>` takes what crosses a face from where it was written, `faces_in_<phase>` puts it
//! where it is read: one kernel would overwrite what it has yet to take.

use lbm_core::Expression;
use lbm_core::crossings::{Crossing, crossings};
use lbm_core::streaming::Cut;

use super::kernel::{Grid, Kernel, Threads};
use super::pieces::Pieces;
use super::resource::Resource;
use super::scheme::{AXES, Scheme, around, minus, put};

/// Threads a block of these kernels.
pub(super) const FACES_BLOCK: u32 = 256;

/// The kernel of a pass over the faces: out of the populations, or in again. The grid is as wide as the largest face, and 3 high: an axis
/// each row of blocks.
pub(super) fn faces(pieces: &Pieces<'_>, out: bool, phase: usize) -> Kernel {
    let (facts, stored) = (pieces.facts, pieces.stored());
    let (scheme, before) = (pieces.scheme(), pieces.scheme().before());
    let (about, name) = if out { ("out", "faces_out") } else { ("in again", "faces_in") };
    let mut parameters = vec![stored.shared(), Resource::Crossing.shared()];
    parameters.extend(pieces.of_box());
    let about = format!("\n// Before a step: what crosses a face of the box, {about}.\n");
    let threads = Threads::in_rows(FACES_BLOCK, Some(1), Grid::Faces);
    let mut kernel = Kernel::new(about, format!("{name}_{phase}"), phase, threads, parameters);
    let text = &mut kernel.body;
    put!(text, "const unsigned number = {FACES_BLOCK}u * blockIdx.x + threadIdx.x;");
    let all = crossings(facts, Cut::Faces, 0);
    let mut first = Expression::from(0);
    for axis in 0..3 {
        let crossings: Vec<&Crossing> = all.iter().filter(|crossing| crossing.axis == axis).collect();
        let Some([u, v]) = crossings.first().map(|crossing| crossing.along()) else { continue };
        let area = scheme.size[u].clone() * scheme.size[v].clone();
        put!(text, "if (blockIdx.y == {axis}u && number < {area}) {{");
        let (along, row) = (AXES[u], &scheme.size[u]);
        put!(text, "    const unsigned {along} = number % {row}, {} = number / {row};", AXES[v]);
        for crossing in crossings {
            let i = crossing.direction;
            let c = facts.lattice.velocities[i];
            let node = Node { axis, depth: crossing.depth, from_low: c[axis] > 0 };
            let number = first.clone() + Expression::name("number");
            if out {
                let sent = facts.sent(i, phase);
                let shift = std::array::from_fn(|axis| sent.shift[axis] - c[axis]);
                let from = before.value(sent.slot, node.shifted(&before, shift));
                put!(text, "    crossing[{number}] = {stored}[{from}];");
            } else {
                let read = facts.read(i, phase);
                let to = scheme.value(read.slot, node.shifted(&scheme, read.shift));
                put!(text, "    {stored}[{to}] = crossing[{number}];");
            }
            first = first + area.clone();
        }
        put!(text, "}}");
    }
    kernel
}

/// A node at a face: in which plane across the axis, counted from one of its two faces. Along the two others its places have names.
struct Node {
    axis: usize,
    depth: usize,
    from_low: bool,
}

impl Node {
    /// The storage node at a shift from this one, around the box.
    fn shifted(&self, scheme: &Scheme, shift: [i32; 3]) -> Expression {
        scheme.node(std::array::from_fn(|axis| match shift[axis] {
            shift if axis == self.axis => self.across(shift, &scheme.size[axis]),
            0 => Expression::name(AXES[axis]),
            shift => Expression::name(format!("({})", around(AXES[axis], shift, &scheme.size[axis]))),
        }))
    }

    /// The coordinate across, at a shift.
    fn across(&self, shift: i32, size: &Expression) -> Expression {
        // From the low face counted upwards, from the high one downwards from -1.
        let at = if self.from_low { self.depth as i32 } else { -1 - self.depth as i32 } + shift;
        match size {
            Expression::Number(n) => Expression::from(at.rem_euclid(*n as i32) as usize),
            // The engine lets free sizes through only where they are as long as every shift.
            _ if at < 0 => Expression::name(format!("({})", minus(size, at.unsigned_abs() as usize))),
            _ => Expression::from(at as usize),
        }
    }
}
