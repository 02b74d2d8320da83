//! Density and velocity of the nodes of a grid, as a picture asks for them: by the threads of the steps, a few nodes of a row at a time.

use std::sync::{Mutex, PoisonError};

use lbm_core::engine::{FieldRequest, Grid, HeldFields, Part};

use crate::state::{Nodes, State};

/// Nodes whose values stay in a core's own caches.
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
    state.threads.split(rows.len(), &|some| {
        let mut room = vec![0.0; AT_ONCE * (state.facts.state_values() + 4)];
        for row in some {
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
        let node = state.domain().index(grid.position(columns * row + first));
        let (stored, values) = (&mut stored[..count * facts.state_values()], &mut values[..4 * count]);
        for (n, line) in stored.chunks_exact_mut(count).enumerate() {
            nodes.line(state, n, node, grid.step[0], line);
        }
        facts.fields_of(stored, force, values);
        part.put(first, values);
    }
}
