//! Values of the whole box, from those of its parts and to them.

use std::ops::Range;

use super::engine::Held;
use super::{Part, Stretch};
use crate::engine::Engine;
use crate::error::Error;
use crate::pieces::{Give, Take, nodes_of_piece, pieces};

/// Asks an engine for values of nodes of its box; false, if it has none.
pub(super) type Asked<'a> = &'a dyn Fn(&dyn Engine, Range<usize>, Take<'_>) -> Result<bool, Error>;

/// Hands out so many values of each of some nodes of the whole box, piece after piece, as the parts hand them out whose nodes they are. False, and
/// nothing is handed out, if one has none.
pub(super) fn collect(
    parts: &[Held],
    nodes: Range<usize>,
    count: usize,
    ask: Asked<'_>,
    take: Take<'_>,
) -> Result<bool, Error> {
    for piece in pieces(nodes, nodes_of_piece(count)) {
        let mut all = vec![0.0; count * piece.len()];
        for Held { part, engine, .. } in parts {
            let own: Vec<Stretch> = part.own_within(piece.clone()).collect();
            let (Some(first), Some(last)) = (own.first(), own.last()) else { continue };
            let has = ask(&**engine, first.here..last.here + last.nodes, &mut |here, values| {
                paste_own(&own, &piece, &mut all, &here, values);
                Ok(())
            })?;
            if !has {
                return Ok(false);
            }
        }
        take(piece, &all)?;
    }
    Ok(true)
}

/// Copies what a part gives of some nodes of its box among the values of a piece of the whole one.
fn paste_own(own: &[Stretch], piece: &Range<usize>, all: &mut [f64], here: &Range<usize>, values: &[f64]) {
    let lines = all.chunks_mut(piece.len()).zip(values.chunks(here.len()));
    for (all, values) in lines {
        let first = own.partition_point(|stretch| stretch.here + stretch.nodes <= here.start);
        for stretch in own[first..].iter().take_while(|stretch| stretch.here < here.end) {
            let (start, end) = (stretch.here.max(here.start), (stretch.here + stretch.nodes).min(here.end));
            let to = stretch.there + start - stretch.here - piece.start;
            all[to..to + end - start].copy_from_slice(&values[start - here.start..end - here.start]);
        }
    }
}

/// Fills values of some nodes of a part's box with those that are given of the whole one.
pub(super) fn given(part: &Part, give: Give<'_>, nodes: Range<usize>, values: &mut [f64]) {
    let (count, first) = (nodes.len(), nodes.start);
    let mut some = Vec::new();
    for Stretch { here, there, nodes } in part.stretches(nodes) {
        some.clear();
        some.resize(values.len() / count * nodes, 0.0);
        give(there..there + nodes, &mut some);
        for (line, some) in values.chunks_mut(count).zip(some.chunks(nodes)) {
            line[here - first..here - first + nodes].copy_from_slice(some);
        }
    }
}
