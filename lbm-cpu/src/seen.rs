//! Density and velocity of the nodes of a grid, as a picture asks for them: by the threads of the steps, a few nodes of a row at a time.

use std::sync::{Mutex, PoisonError};

use lbm_core::engine::{FieldRequest, Grid, HeldFields, Part};
use lbm_core::lanes::MOST_LANES;

use crate::macroscopic::of_lines;
use crate::state::{Nodes, State};

/// Nodes whose values stay in a core's own caches, whole vectors of every level.
const AT_ONCE: usize = 256;

/// What is asked for, if it is on a grid and the box is stored as a whole; `force` is that of the last step with its sign turned.
pub(crate) fn seen(
    state: &State,
    nodes: &dyn Nodes,
    force: [f64; 3],
    request: &FieldRequest,
) -> Option<HeldFields> {
    let grid = request.grid.filter(|_| !state.facts.addressing.listed)?;
    let mut held = HeldFields::room(request.clone());
    // Each is locked once, by the thread that fills it.
    let rows: Vec<Mutex<Part<'_>>> = held.parts(grid.count[0]).into_iter().map(Mutex::new).collect();
    state.threads.deal(rows.len(), &|some| {
        let mut room = vec![0.0; AT_ONCE * (state.facts.state_values() + 4)];
        for row in some.flatten() {
            let mut part = rows[row].lock().unwrap_or_else(PoisonError::into_inner);
            of_row(state, nodes, force, (&grid, row), &mut room, &mut part);
        }
    });
    drop(rows);
    Some(held)
}

/// Those of a row of the grid.
fn of_row(
    state: &State,
    nodes: &dyn Nodes,
    force: [f64; 3],
    (grid, row): (&Grid, usize),
    room: &mut [f64],
    part: &mut Part<'_>,
) {
    let (facts, columns) = (&state.facts, grid.count[0]);
    let (stored, values) = room.split_at_mut(AT_ONCE * facts.state_values());
    for first in (0..columns).step_by(AT_ONCE) {
        let count = AT_ONCE.min(columns - first);
        // Lines of whole vectors.
        let length = count.next_multiple_of(MOST_LANES);
        let node = state.domain().index(grid.position(columns * row + first));
        let (stored, values) = (&mut stored[..length * facts.state_values()], &mut values[..4 * length]);
        for (n, line) in stored.chunks_exact_mut(length).enumerate() {
            nodes.line(state, n, node, grid.step[0], &mut line[..count]);
        }
        match state.programs.macroscopic {
            // SAFETY: it is the body's, for the level that the state was checked for.
            Some(program) => unsafe { of_lines(program, stored, force, values) },
            None => facts.fields_of(stored, force, values),
        }
        if length > count {
            (1..4).for_each(|n| values.copy_within(n * length..n * length + count, n * count));
        }
        part.put(first, &values[..4 * count]);
    }
}
