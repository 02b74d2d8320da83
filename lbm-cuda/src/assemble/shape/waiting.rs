//! What waits in a block's shared memory where a march meets walls.

use lbm_core::Facts;

use super::super::masks::MaskWord;
use super::Shape;

/// Bytes of shared memory of a block that does something about walls, where so many values serve others.
pub(in crate::assemble) fn shared_bytes(facts: &Facts, shape: Shape, others: usize, lists: bool) -> usize {
    let kept: usize = (0..facts.lattice.q()).map(|i| kept(facts, shape, i)).sum();
    let nodes = shape.nodes * shape.block.iter().product::<u32>() as usize;
    let values = others + shape.steps() * kept * nodes;
    let bytes = facts.precision.arithmetic.bytes();
    match lists {
        false => values * bytes,
        true => {
            let words = remembered(shape.steps()) * nodes;
            words_begin(facts, values) * bytes + words * MaskWord::of(facts).bytes()
        }
    }
}

/// Where words of masks begin behind so many values: at a multiple of their size.
pub(in crate::assemble) fn words_begin(facts: &Facts, values: usize) -> usize {
    values.next_multiple_of((MaskWord::of(facts).bytes() / facts.precision.arithmetic.bytes()).max(1))
}

/// Declares the shared memory of a block in which populations are exchanged, where words of masks may lie, too.
pub(in crate::assemble) fn exchange(facts: &Facts) -> String {
    let (word, value) = (MaskWord::of(facts).bytes(), facts.precision.arithmetic.bytes());
    let align = if word > value { format!("__align__({word}) ") } else { String::new() };
    format!("extern __shared__ {align}real exchange[];")
}

/// Whether what comes along a direction is at hand only after what comes back was put in its place: that of the node's own row or
/// column, which a march of single steps rebuilds last.
pub(in crate::assemble) fn is_later(facts: &Facts, shape: Shape, i: usize) -> bool {
    let [x, y, _] = facts.read(i, 0).shift;
    let across = shape.march.is_some_and(|march| march.axis == 2) && y != 0;
    shape.steps() == 1 && !across && (x == 0 || shape.nodes > 1)
}

/// Values a node that wait in shared memory of a direction: in one half, or in two in turn.
pub(in crate::assemble) fn kept(facts: &Facts, shape: Shape, i: usize) -> usize {
    let (way, axis) = (facts.way(i, 0), shape.march.map_or(0, |march| march.axis));
    let later = usize::from(is_later(facts, shape, i));
    match way[axis].signum() {
        -1 => 1 + later,
        0 if way != [0; 3] => later,
        _ => 0,
    }
}

/// Planes of which it is remembered which directions come from walls: a power of two.
pub(in crate::assemble) fn remembered(steps: usize) -> usize {
    (2 * steps).next_power_of_two()
}
