//! The shapes worth trying where moments are stored: marches through the box.

use lbm_core::Facts;
use lbm_core::facts::{Arithmetics, Drift};
use lbm_core::legal::can_do_steps_at_once;

use super::{March, REGISTERS, Shape, blocks};

/// Marches, the likeliest first; then a node a thread; then marches that do several steps at once.
pub(super) fn candidates_of_moments(facts: &Facts, size: [usize; 3]) -> Vec<Shape> {
    let axis = facts.lattice.dimension - 1;
    if let Some(drift) = facts.drift(size) {
        return candidates_of_drift(facts, size, drift);
    }
    let mut shapes = match facts.streaming.steps_at_once {
        None | Some(1) => candidates_of_single_steps(facts, axis, size),
        Some(_) => Vec::new(),
    };
    shapes.extend(candidates_of_several_steps(facts, axis, size));
    shapes
}

/// Those where steps are done one by one.
fn candidates_of_single_steps(facts: &Facts, axis: usize, size: [usize; 3]) -> Vec<Shape> {
    // What an H200 was fast with: nodes a thread, whether to prefetch, parts, and blocks, with how many of them a
    // multiprocessor must have room for. Three parts of 256^3 then fill the device once.
    type Choices = (&'static [usize], bool, &'static [u32], &'static [([u32; 3], Option<u32>)]);
    let (wide, prefetch, parts, tiles): Choices = match (axis, facts.precision.stored_bytes) {
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
    let mut shapes = Vec::new();
    for &nodes in wide {
        for (&parts, &(block, blocks)) in parts.iter().flat_map(|p| tiles.iter().map(move |t| (p, t))) {
            let registers = REGISTERS / block.iter().product::<u32>() / blocks.unwrap_or(1);
            // Nodes wait in registers: some 35 values of four bytes each.
            let enough = registers as usize >= 24 + 9 * nodes * facts.precision.arithmetic.bytes();
            let shape =
                Shape { nodes, block, blocks, march: Some(March { axis, parts, prefetch, steps: 1 }) };
            let filled = block[0] as usize <= size[0].div_ceil(nodes) && block[1] as usize <= size[1].max(1);
            if enough && filled && size[axis] >= 8 * parts as usize && shape.fits(facts, size) {
                shapes.push(shape);
            }
        }
    }
    shapes.extend(blocks(size).into_iter().map(|block| Shape { block, ..Shape::PLAIN }));
    // Small boxes can march, too, in one part and with one warp a block.
    shapes.extend(wide.iter().filter_map(|&nodes| {
        let width = size[0].div_ceil(nodes).next_power_of_two().min(32) as u32;
        let block = if axis == 2 { [width, 32 / width, 1] } else { [32, 1, 1] };
        let shape =
            Shape { nodes, block, blocks: None, march: Some(March { axis, parts: 1, prefetch, steps: 1 }) };
        shape.fits(facts, size).then_some(shape)
    }));
    shapes
}

/// The shapes worth trying where a copy drifts, the likeliest first: as many planes at once as there are to spare, or half of them,
/// so that a part need not wait for the one just before it.
fn candidates_of_drift(facts: &Facts, size: [usize; 3], drift: Drift) -> Vec<Shape> {
    let wide: &[usize] = match facts.precision.stored_bytes {
        2 | 4 => &[4, 2, 1],
        _ => &[1],
    };
    let tiles: &[[u32; 3]] = match drift.axis {
        2 => &[[64, 4, 1], [32, 8, 1], [32, 4, 1], [32, 1, 1]],
        _ => &[[256, 1, 1], [64, 1, 1], [32, 1, 1]],
    };
    let parts = [2, 4, 1].map(|portion| drift.planes.div_ceil((drift.at_once() / portion).max(1)) as u32);
    let mut shapes = Vec::new();
    for &nodes in wide {
        for parts in parts {
            for &block in tiles {
                let march = March { axis: drift.axis, parts, prefetch: false, steps: 1 };
                let shape = Shape { nodes, block, blocks: None, march: Some(march) };
                let filled =
                    block[0] as usize <= size[0].div_ceil(nodes) && block[1] as usize <= size[1].max(1);
                if filled && shape.fits(facts, size) && !shapes.contains(&shape) {
                    shapes.push(shape);
                }
            }
        }
    }
    let small = March { axis: drift.axis, parts: drift.planes as u32, prefetch: false, steps: 1 };
    shapes.push(Shape { nodes: 1, block: [32, 1, 1], blocks: None, march: Some(small) });
    shapes
}

/// The shapes worth trying where several steps are done at once, the likeliest first.
fn candidates_of_several_steps(facts: &Facts, axis: usize, size: [usize; 3]) -> Vec<Shape> {
    let steps = facts.streaming.steps_at_once.unwrap_or(2) as u32;
    if steps == 1 || !can_do_steps_at_once(facts) {
        return Vec::new();
    }
    // With 12 rows all values have registers between walls, too; of more rows, a smaller share only serves the others.
    let (heights, parts): (&[u32], &[u32]) = match (axis, facts.precision.arithmetic) {
        (1, _) => (&[1], &[64, 32, 128, 16]),
        (_, Arithmetics::F32) => (&[12, 16, 20, 24], &[4, 8, 2, 1]),
        (_, Arithmetics::F64) => (&[8, 12], &[8, 6, 4]),
    };
    let shape = |height: u32, parts: u32| {
        let march = March { axis, parts, prefetch: false, steps };
        Shape { nodes: 1, block: [32, height, 1], blocks: None, march: Some(march) }
    };
    let mut shapes: Vec<Shape> = parts
        .iter()
        .flat_map(|&parts| heights.iter().map(move |&height| shape(height, parts)))
        .filter(|shape| shape.march.is_some_and(|march| size[axis] >= 16 * march.parts as usize))
        .collect();
    let whole = shape(if axis == 2 { 12 } else { 1 }, 1);
    if !shapes.contains(&whole) {
        shapes.push(whole);
    }
    shapes.retain(|shape| shape.fits(facts, size));
    shapes
}
