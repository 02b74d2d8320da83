//! Values of nodes in pieces, so that nobody needs those of a whole box at once.
//!
//! A piece are the nodes of a range of indices in the order x, y, z, with so many values each, value after value: value k of
//! node `nodes.start + n` lies at `n + nodes.len() * k`.

use std::ops::Range;

use crate::error::Error;
use crate::parallel::each_chunk;

/// Gives the values of a piece. It is asked from several threads, and for each node once.
pub type Give<'a> = &'a (dyn Fn(Range<usize>, &mut [f64]) + Sync);

/// Takes the values of a piece. Pieces come one after the other, from the first node to the last.
pub type Take<'a> = &'a mut dyn FnMut(Range<usize>, &[f64]) -> Result<(), Error>;

/// Makes values of a node of a piece, which is named by its index in the box, from others.
pub type Work<'a> = &'a (dyn Fn(usize, &[f64], &mut [f64]) + Sync);

/// Nodes that a thread does before it takes others: their values stay in its caches.
const AT_ONCE: usize = 1 << 11;

/// f64 values of a piece, about: 16 MiB.
const MOST_VALUES: usize = 1 << 21;

/// Nodes that make a piece, where each has so many values.
#[must_use]
pub fn nodes_of_piece(values: usize) -> usize {
    (MOST_VALUES / values.max(1)).max(1)
}

/// Cuts a range of nodes into pieces of so many at most.
pub fn pieces(nodes: Range<usize>, most: usize) -> impl Iterator<Item = Range<usize>> {
    let end = nodes.end;
    nodes.step_by(most.max(1)).map(move |first| first..end.min(first + most.max(1)))
}

/// So many ranges at most that hold these nodes, ascending: cut where the widest gaps are.
pub fn spans(nodes: &[usize], most: usize) -> Vec<Range<usize>> {
    let mut gaps: Vec<usize> = (1..nodes.len()).filter(|&n| nodes[n] > nodes[n - 1] + 1).collect();
    gaps.sort_by_key(|&n| std::cmp::Reverse(nodes[n] - nodes[n - 1]));
    gaps.truncate(most.saturating_sub(1));
    gaps.sort_unstable();
    let ends = gaps.iter().copied().chain((!nodes.is_empty()).then_some(nodes.len()));
    let mut first = 0;
    let range = |end: usize| nodes[std::mem::replace(&mut first, end)]..nodes[end - 1] + 1;
    ends.map(range).collect()
}

/// Some nodes of a piece, by their number in it, and their part of each of its values.
struct Part<'a> {
    first: usize,
    lines: Vec<&'a mut [f64]>,
}

/// Has `work` write all values of a piece of `count` nodes, some nodes at a time, on all cores.
fn in_parts(count: usize, values: &mut [f64], work: impl Fn(usize, &mut [&mut [f64]]) + Sync) {
    if count == 0 {
        return;
    }
    let mut parts: Vec<Part<'_>> =
        (0..count).step_by(AT_ONCE).map(|first| Part { first, lines: Vec::new() }).collect();
    for line in values.chunks_mut(count) {
        parts.iter_mut().zip(line.chunks_mut(AT_ONCE)).for_each(|(part, line)| part.lines.push(line));
    }
    each_chunk(&mut parts, 1, |_, part| {
        part.iter_mut().for_each(|Part { first, lines }| work(*first, lines));
    });
}

/// Fills a piece with what is given, on all cores.
pub fn fill(give: Give<'_>, nodes: Range<usize>, values: &mut [f64]) {
    in_parts(nodes.len(), values, |first, lines| {
        let (count, start) = (lines.first().map_or(0, |line| line.len()), nodes.start + first);
        let mut given = vec![0.0; count * lines.len()];
        give(start..start + count, &mut given);
        lines.iter_mut().zip(given.chunks(count)).for_each(|(line, given)| line.copy_from_slice(given));
    });
}

/// Makes the values of a piece from others, node by node, on all cores.
pub fn map_nodes(nodes: Range<usize>, from: &[f64], to: &mut [f64], work: Work<'_>) {
    let count = nodes.len();
    in_parts(count, to, |first, lines| {
        let (mut before, mut after) = (vec![0.0; from.len() / count], vec![0.0; lines.len()]);
        for n in 0..lines.first().map_or(0, |line| line.len()) {
            before.iter_mut().enumerate().for_each(|(k, value)| *value = from[first + n + count * k]);
            work(nodes.start + first + n, &before, &mut after);
            lines.iter_mut().zip(&after).for_each(|(line, &value)| line[n] = value);
        }
    });
}

/// Copies the values of some nodes out of those of a whole box.
pub fn cut(all: &[f64], nodes: Range<usize>, values: &mut [f64]) {
    let whole = all.len() * nodes.len() / values.len().max(1);
    for (line, all) in values.chunks_mut(nodes.len().max(1)).zip(all.chunks(whole.max(1))) {
        line.copy_from_slice(&all[nodes.clone()]);
    }
}

/// Copies the values of some nodes into those of a whole box.
pub fn paste(all: &mut [f64], nodes: Range<usize>, values: &[f64]) {
    let whole = all.len() * nodes.len() / values.len().max(1);
    for (line, all) in values.chunks(nodes.len().max(1)).zip(all.chunks_mut(whole.max(1))) {
        all[nodes.clone()].copy_from_slice(line);
    }
}

/// Zeroes what belongs to solid nodes among some, value after value; `flags` are the box's ([`Domain::flags`](crate::Domain::flags)).
pub fn clear_solids(flags: &[u8], nodes: impl ExactSizeIterator<Item = usize> + Clone, values: &mut [f64]) {
    // A domain without solids has no flags at all.
    if flags.is_empty() {
        return;
    }
    for line in values.chunks_mut(nodes.len()) {
        let solid = line.iter_mut().zip(nodes.clone()).filter(|(_, node)| flags[*node] != 0);
        solid.for_each(|(value, _)| *value = 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_filled_and_mapped_node_by_node() {
        let nodes = 3..3 + 2 * AT_ONCE + 5;
        let count = nodes.len();
        let mut given = vec![0.0; 2 * count];
        let give = |nodes: Range<usize>, values: &mut [f64]| {
            let count = nodes.len();
            for (n, node) in nodes.enumerate() {
                (values[n], values[n + count]) = (node as f64, -(node as f64));
            }
        };
        fill(&give, nodes.clone(), &mut given);
        assert_eq!((given[0], given[count - 1], given[count]), (3.0, (nodes.end - 1) as f64, -3.0));
        let mut made = vec![0.0; 3 * count];
        map_nodes(nodes.clone(), &given, &mut made, &|node, from, to| {
            to.copy_from_slice(&[from[0] + from[1], 2.0 * from[0], node as f64]);
        });
        for (n, node) in nodes.enumerate() {
            assert_eq!([0, 1, 2].map(|k| made[n + count * k]), [0.0, 2.0 * node as f64, node as f64]);
        }
    }

    #[test]
    fn spans_hold_all_nodes_and_leave_the_widest_gaps_out() {
        let nodes = [2, 3, 4, 9, 10, 40, 42];
        assert_eq!(spans(&nodes, 9), [2..5, 9..11, 40..41, 42..43]);
        assert_eq!(spans(&nodes, 2), [2..11, 40..43]);
        assert_eq!(spans(&nodes, 1).first(), Some(&(2..43)));
        assert_eq!(spans(&[], 4), []);
    }

    #[test]
    fn what_is_cut_out_is_pasted_back() {
        let all: Vec<f64> = (0..30).map(f64::from).collect();
        let mut copy = vec![0.0; 30];
        for nodes in pieces(0..10, 4) {
            let mut values = vec![0.0; 3 * nodes.len()];
            cut(&all, nodes.clone(), &mut values);
            assert_eq!(values[0], nodes.start as f64);
            paste(&mut copy, nodes, &values);
        }
        assert_eq!(copy, all);
        assert_eq!(pieces(5..12, 4).collect::<Vec<_>>(), [5..9, 9..12]);
    }
}
