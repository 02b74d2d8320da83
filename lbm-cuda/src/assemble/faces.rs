//! The kernels that put the faces of a box right before a step, where slots are rings that turn.
//!
//! A population that leaves the box at a face comes in at a wrong node of the opposite one, since a ring knows rows one
//! after the other only. `faces_out_<phase>` takes what crosses a face from where it was written, `faces_in_<phase>` puts it
//! where it is read: one kernel would overwrite what it has yet to take.

use lbm_core::crossings::{Crossing, crossings};
use lbm_core::streaming::Cut;
use lbm_core::{Expression, Facts};

use super::scheme::{AXES, Scheme, around, line, minus, signature};
use super::step::{Plan, Work, memories, told};

/// Threads a block of these kernels.
pub(crate) const FACES_BLOCK: u32 = 256;

/// Both kernels of a phase. The grid is as wide as the largest face, and 3 high: an axis each row of blocks.
pub(super) fn faces(facts: &Facts, scheme: &Scheme, plan: &Plan, phase: usize) -> String {
    let before = Scheme::new(facts, plan.size).before();
    let out = |crossing: &Crossing, position: &Position, number: &Expression| {
        let sent = facts.sent(crossing.direction, phase);
        let c = facts.lattice.velocities[crossing.direction];
        let from = position.at(&before, std::array::from_fn(|axis| sent.shift[axis] - c[axis]), sent.slot);
        format!("aside[{number}] = populations[{from}];")
    };
    let inward = |crossing: &Crossing, position: &Position, number: &Expression| {
        let read = facts.read(crossing.direction, phase);
        let to = position.at(scheme, read.shift, read.slot);
        format!("populations[{to}] = aside[{number}];")
    };
    let about = "// Before a step: what crosses a face of the box";
    kernel(facts, scheme, plan, &format!("{about}, aside."), &format!("faces_out_{phase}"), out)
        + &kernel(facts, scheme, plan, &format!("{about}, in again."), &format!("faces_in_{phase}"), inward)
}

/// A node at a face: its place across the axis, and the names of its places along the two others.
struct Position {
    axis: usize,
    /// `0u`, or `127u`.
    across: Across,
}

/// A plane counted from one of the two faces.
#[derive(Clone, Copy)]
struct Across {
    depth: usize,
    from_low: bool,
}

impl Position {
    /// The value of a slot at a shift from this node, around the box.
    fn at(&self, scheme: &Scheme, shift: [i32; 3], slot: usize) -> Expression {
        let position = std::array::from_fn(|axis| {
            if axis == self.axis {
                return self.across.shifted(shift[axis], &scheme.size[axis]);
            }
            match shift[axis] {
                0 => Expression::name(AXES[axis]),
                shift => Expression::name(format!("({})", around(AXES[axis], shift, &scheme.size[axis]))),
            }
        });
        scheme.at(slot, position)
    }
}

impl Across {
    /// The coordinate at a shift, around the box.
    fn shifted(self, shift: i32, size: &Expression) -> Expression {
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

/// A kernel that does `statement` for each link across a face.
fn kernel(
    facts: &Facts,
    scheme: &Scheme,
    plan: &Plan,
    about: &str,
    name: &str,
    statement: impl Fn(&Crossing, &Position, &Expression) -> String,
) -> String {
    let (populations, _) = memories(facts);
    debug_assert_eq!(populations, "populations", "rings are one copy");
    let mut parameters = vec!["stored* const populations", "stored* const aside"];
    parameters.extend(told(facts, plan));
    let mut text = format!("\n{about}\n{}", signature(&format!("{FACES_BLOCK}, 1"), name, &parameters));
    if plan.work == Work::Nothing {
        return text + "}\n";
    }
    line(&mut text, format_args!("const unsigned number = {FACES_BLOCK}u * blockIdx.x + threadIdx.x;"));
    let all = crossings(&facts, Cut::Faces, 0);
    let mut first = Expression::from(0);
    for axis in 0..3 {
        let crossings: Vec<&Crossing> = all.iter().filter(|crossing| crossing.axis == axis).collect();
        let Some([u, v]) = crossings.first().map(|crossing| crossing.along()) else { continue };
        let area = scheme.size[u].clone() * scheme.size[v].clone();
        line(&mut text, format_args!("if (blockIdx.y == {axis}u && number < {area}) {{"));
        let (across, row) = (AXES[u], &scheme.size[u]);
        line(
            &mut text,
            format_args!("    const unsigned {across} = number % {row}, {} = number / {row};", AXES[v]),
        );
        for crossing in crossings {
            let from_low = facts.lattice.velocities[crossing.direction][axis] > 0;
            let position = Position { axis, across: Across { depth: crossing.depth, from_low } };
            let number = first.clone() + Expression::name("number");
            line(&mut text, format_args!("    {}", statement(crossing, &position, &number)));
            first = first + area.clone();
        }
        line(&mut text, format_args!("}}"));
    }
    text + "}\n"
}
