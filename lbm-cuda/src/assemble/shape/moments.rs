//! The shapes worth trying where moments are stored: marches through the box.

use lbm_core::Facts;
use lbm_core::facts::{Arithmetics, Drift};
use lbm_core::legal::can_do_steps_at_once;

use super::{March, REGISTERS, Shape, blocks, on_the_way};

/// Marches, the likeliest first; then, where planes have no order, a node a thread and marches that do several steps at once, or fields on the way.
pub(super) fn candidates_of_moments(facts: &Facts, size: [usize; 3], ordered: bool) -> Vec<Shape> {
    let axis = facts.lattice.dimension - 1;
    if ordered {
        return candidates_of_drift(facts, size, facts.drift(size));
    }
    let mut shapes = match facts.streaming.steps_at_once {
        None | Some(1) => candidates_of_single_steps(facts, axis, size),
        Some(_) => Vec::new(),
    };
    shapes.extend(candidates_of_several_steps(facts, axis, size));
    shapes
}

/// Nodes a thread, whether to prefetch, parts, and blocks, with how many of them a multiprocessor must have room for.
type Choices<'a> = (&'a [usize], bool, &'a [u32], &'a [([u32; 3], Option<u32>)]);

/// The marches of these choices that a box fills.
fn marches((wide, prefetch, parts, tiles): Choices<'_>, facts: &Facts, size: [usize; 3]) -> Vec<Shape> {
    let axis = facts.lattice.dimension - 1;
    let mut shapes = Vec::new();
    for &nodes in wide {
        for (&parts, &(block, blocks)) in parts.iter().flat_map(|p| tiles.iter().map(move |t| (p, t))) {
            let march = Some(March::new(axis, parts).with_prefetch(prefetch));
            let shape = Shape { nodes, block, blocks, march };
            let filled = block[0] as usize <= size[0].div_ceil(nodes) && block[1] as usize <= size[1].max(1);
            if filled && shape.fits(facts, size) && !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
    }
    shapes
}

/// Those where steps are done one by one.
fn candidates_of_single_steps(facts: &Facts, axis: usize, size: [usize; 3]) -> Vec<Shape> {
    // What an H200 was fast with. Three parts of 256^3 then fill the device once.
    let choices: Choices<'_> = match (axis, facts.precision.stored_bytes) {
        (2, 2) => {
            (&[4, 2], true, &[12, 3, 8], &[([64, 2, 1], Some(3)), ([32, 4, 1], Some(3)), ([16, 16, 1], None)])
        }
        (2, 4) => (
            &[4, 2],
            false,
            &[4, 2, 8, 12, 3],
            &[
                ([32, 8, 1], None),
                ([64, 4, 1], None),
                ([64, 2, 1], Some(3)),
                ([128, 4, 1], None),
                ([16, 16, 1], None),
            ],
        ),
        (2, _) => (
            &[1],
            true,
            &[40, 32, 24, 12, 4],
            &[([128, 4, 1], None), ([256, 2, 1], None), ([512, 1, 1], None)],
        ),
        (_, bytes) => (
            if bytes > 4 { &[1] } else { &[4, 2] },
            false,
            &[192, 128, 96, 64],
            &[([256, 1, 1], None), ([128, 1, 1], None), ([64, 1, 1], None)],
        ),
    };
    // Of several sets of populations fewer nodes have room.
    let several = facts.lattice.sets.len() > 1;
    let choices = if several { (&[2, 1][..], choices.1, choices.2, choices.3) } else { choices };
    let mut shapes = marches(choices, facts, size);
    shapes.retain(|shape| {
        let registers = REGISTERS / shape.block.iter().product::<u32>() / shape.blocks.unwrap_or(1);
        // Nodes wait in registers: some 35 values of four bytes each, with ten moments.
        let each = 9 * shape.nodes * facts.precision.arithmetic.bytes() * facts.body.moments.max(10) / 10;
        let enough = registers as usize >= 24 + each;
        enough && size[axis] >= 8 * shape.grid(size)[axis] as usize
    });
    shapes.extend(blocks(size).into_iter().map(Shape::of));
    // Small boxes can march, too, in one part and with one warp a block.
    let (wide, prefetch, ..) = choices;
    shapes.extend(wide.iter().filter_map(|&nodes| {
        let width = size[0].div_ceil(nodes).next_power_of_two().min(32) as u32;
        let block = if axis == 2 { [width, 32 / width, 1] } else { [32, 1, 1] };
        let march = Some(March::new(axis, 1).with_prefetch(prefetch));
        Some(Shape { nodes, march, ..Shape::of(block) }).filter(|shape| shape.fits(facts, size))
    }));
    shapes
}

/// The shapes worth trying where a copy drifts, the likeliest first: as many planes at once as there are to spare, or half of them,
/// so that a part need not wait for the one just before it.
fn candidates_of_drift(facts: &Facts, size: [usize; 3], drift: Drift) -> Vec<Shape> {
    let wide: &[usize] = if facts.precision.stored_bytes <= 4 { &[4, 2, 1] } else { &[1] };
    let tiles: &[([u32; 3], Option<u32>)] = match drift.axis {
        2 => &[([64, 4, 1], None), ([32, 8, 1], None), ([32, 4, 1], None), ([32, 1, 1], None)],
        _ => &[([256, 1, 1], None), ([64, 1, 1], None), ([32, 1, 1], None)],
    };
    let parts = [2, 4, 1].map(|portion| drift.planes.div_ceil((drift.at_once() / portion).max(1)) as u32);
    let mut shapes = marches((wide, false, &parts, tiles), facts, size);
    let march = Some(March::new(drift.axis, drift.planes as u32));
    shapes.push(Shape { march, ..Shape::of([32, 1, 1]) });
    shapes
}

/// The shapes worth trying where several steps are done at once, or where fields follow on the way, the likeliest first.
fn candidates_of_several_steps(facts: &Facts, axis: usize, size: [usize; 3]) -> Vec<Shape> {
    let steps = facts.streaming.steps_at_once.unwrap_or(2) as u32;
    let fields = on_the_way(facts).is_some();
    if !fields && (steps == 1 || !can_do_steps_at_once(facts)) {
        return Vec::new();
    }
    let march = |parts: u32| match fields {
        true => March::new(axis, parts).with_fields(true),
        false => March::new(axis, parts).with_steps(steps),
    };
    // With 12 rows all values have registers between walls, too; of more rows, a smaller share only serves the others. Fields on the way take more shared
    // memory, and fewer registers.
    let (heights, parts): (&[u32], &[u32]) = match (axis, facts.precision.arithmetic, fields) {
        (1, ..) => (&[1], &[64, 32, 128, 16]),
        (_, Arithmetics::F32, false) => (&[12, 16, 20, 24], &[4, 8, 2, 1]),
        (_, Arithmetics::F64, false) => (&[8, 12], &[8, 6, 4]),
        (_, Arithmetics::F32, true) => (&[20, 16, 12], &[4, 8, 2]),
        (_, Arithmetics::F64, true) => (&[10, 8, 6], &[4, 8, 2]),
    };
    let shape = |height: u32, parts: u32| Shape { march: Some(march(parts)), ..Shape::of([32, height, 1]) };
    let mut shapes: Vec<Shape> = parts
        .iter()
        .flat_map(|&parts| heights.iter().map(move |&height| shape(height, parts)))
        .filter(|shape| shape.march.is_some_and(|march| size[axis] >= 16 * march.parts as usize))
        .collect();
    let least = match (axis, fields) {
        (1, _) => 1,
        (_, true) => 5,
        // Of many wide values a block of 12 rows would take more shared memory than there is.
        (_, false) => match shape(12, 1).has_room(facts, true, usize::MAX) {
            true => 12,
            false => 8,
        },
    };
    let whole = shape(least, 1);
    if !shapes.contains(&whole) {
        shapes.push(whole);
    }
    shapes.retain(|shape| shape.fits(facts, size));
    shapes
}
