//! Values of the whole box, from those of its parts and to them.

use std::ops::Range;

use super::agreed::on_all_ranks;
use super::held::Held;
use super::{Part, Stretch, Transport};
use crate::engine::Engine;
use crate::error::Error;
use crate::pieces::{Give, Take, nodes_of_piece, pieces};

/// Asks an engine for values of nodes of its box; false, if it has none.
pub(super) type Asked<'a> = &'a dyn Fn(&dyn Engine, Range<usize>, Take<'_>) -> Result<bool, Error>;

/// What all processes know of the values of parts, since who has them shares them.
pub(super) struct Known<'a> {
    pub(super) parts: &'a [Held],
    pub(super) transport: &'a dyn Transport,
}

impl Known<'_> {
    /// Hands out so many values of each of some nodes of the whole box, piece after piece, as the parts hand them out whose nodes they are. False, and
    /// nothing is handed out, if one has none. What a part fails at ends all processes; what one of them cannot take ends it alone, when all is handed out.
    pub(super) fn collect(
        &self,
        nodes: Range<usize>,
        count: usize,
        ask: Asked<'_>,
        take: Take<'_>,
    ) -> Result<bool, Error> {
        let mut taken = Ok(());
        for piece in pieces(nodes, nodes_of_piece(count)) {
            let mut all = vec![0.0; count * piece.len()];
            for held in self.parts {
                let own: Vec<Stretch> = held.part.own_within(piece.clone()).collect();
                let (Some(first), Some(last)) = (own.first(), own.last()) else { continue };
                let range = first.here..last.here + last.nodes;
                let has = held.engine.as_ref().map_or(Ok(true), |engine| {
                    ask(&**engine, range, &mut |here, values| {
                        paste_own(&own, &piece, &mut all, &here, values);
                        Ok(())
                    })
                });
                if !self.shared(held.rank, has, &own, &piece, &mut all)? {
                    return Ok(false);
                }
            }
            taken = taken.and_then(|()| take(piece, &all));
        }
        taken.map(|()| true)
    }

    /// Has all processes know a part's own values among those of a piece, and whether it has some.
    fn shared(
        &self,
        rank: usize,
        has: Result<bool, Error>,
        own: &[Stretch],
        piece: &Range<usize>,
        all: &mut [f64],
    ) -> Result<bool, Error> {
        if self.transport.ranks() == 1 {
            return has;
        }
        let place =
            |stretch: &Stretch| stretch.there - piece.start..stretch.there - piece.start + stretch.nodes;
        let lines = all.chunks(piece.len());
        let mut values: Vec<f64> = lines
            .flat_map(|line| own.iter().flat_map(move |stretch| line[place(stretch)].iter()))
            .copied()
            .collect();
        // The last number says whether these are values.
        values.push(has.as_ref().map_or(0.0, |&has| f64::from(u8::from(has))));
        share_asked(self.transport, rank, has.map(drop), &mut values)?;
        let has = values.pop() == Some(1.0);
        let mut rest = &values[..];
        for line in all.chunks_mut(piece.len()) {
            for stretch in own {
                let (here, behind) = rest.split_at(stretch.nodes);
                line[place(stretch)].copy_from_slice(here);
                rest = behind;
            }
        }
        Ok(has)
    }
}

/// Has all processes know the numbers of one.
pub(super) fn share(transport: &dyn Transport, from: usize, values: &mut [f64]) -> Result<(), Error> {
    if transport.ranks() == 1 {
        return Ok(());
    }
    let mut bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    transport.share(from, &mut bytes)?;
    let numbers = bytes.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes));
    values.iter_mut().zip(numbers).for_each(|(value, number)| *value = number);
    Ok(())
}

/// Has all processes know the numbers that one was asked for, which may have failed at them: then all end.
///
/// # Errors
/// What it failed at, with its name; those of the transport.
pub(super) fn share_asked(
    transport: &dyn Transport,
    from: usize,
    asked: Result<(), Error>,
    values: &mut Vec<f64>,
) -> Result<(), Error> {
    if transport.ranks() == 1 {
        return asked;
    }
    values.push(if asked.is_ok() { 0.0 } else { f64::NAN });
    share(transport, from, values)?;
    match values.pop() {
        Some(said) if said.is_nan() => on_all_ranks(transport, asked),
        _ => Ok(()),
    }
}

/// What lies within some nodes of a part's box of stretches of its own nodes.
fn own_in<'a>(own: &'a [Stretch], here: &Range<usize>) -> impl Iterator<Item = Stretch> + use<'a> {
    let Range { start, end } = *here;
    let first = own.partition_point(|stretch| stretch.here + stretch.nodes <= start);
    own[first..].iter().take_while(move |stretch| stretch.here < end).map(move |stretch| {
        let (first, last) = (stretch.here.max(start), (stretch.here + stretch.nodes).min(end));
        Stretch { here: first, there: stretch.there + first - stretch.here, nodes: last - first }
    })
}

/// Copies what a part gives of some nodes of its box among the values of a piece of the whole one.
fn paste_own(own: &[Stretch], piece: &Range<usize>, all: &mut [f64], here: &Range<usize>, values: &[f64]) {
    let lines = all.chunks_mut(piece.len()).zip(values.chunks(here.len()));
    for (all, values) in lines {
        for stretch in own_in(own, here) {
            let (to, from) = (stretch.there - piece.start, stretch.here - here.start);
            all[to..to + stretch.nodes].copy_from_slice(&values[from..from + stretch.nodes]);
        }
    }
}

/// Of what a part gives of some nodes of its box the values of its own nodes, and which nodes of the whole box these are.
pub(super) fn cut_own(own: &[Stretch], here: &Range<usize>, values: &[f64]) -> (Vec<Range<usize>>, Vec<f64>) {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for Stretch { there, nodes, .. } in own_in(own, here) {
        match runs.last_mut().filter(|last| last.end == there) {
            Some(last) => last.end += nodes,
            None => runs.push(there..there + nodes),
        }
    }
    let mut cut = Vec::new();
    for line in values.chunks(here.len()) {
        for stretch in own_in(own, here) {
            let from = stretch.here - here.start;
            cut.extend_from_slice(&line[from..from + stretch.nodes]);
        }
    }
    (runs, cut)
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
