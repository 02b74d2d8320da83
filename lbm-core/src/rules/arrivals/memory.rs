//! What rules remember from step to step. It stands among their values, each number less what it is at first, and is part of a flow's state as
//! its populations are.

use std::ops::Range;

use super::{Arrival, Arrivals, Part};
use crate::error::Error;
use crate::facts::Facts;
use crate::rules::LinkArrival;

/// A number that a rule remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Whether it is remembered for a link: a place in [`AtLinks::values`](crate::rules::AtLinks::values), else in [`Arrivals::values`].
    pub of_link: bool,
    /// The place.
    pub place: usize,
}

/// Whose rules remember something: a node's, or a link's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct MemoryOf {
    /// Index of the node in the box.
    pub node: usize,
    /// The direction that comes along the link, where it is a link.
    pub back: Option<usize>,
}

/// A rule that remembers something, at a node or a link.
struct Remembering<'a> {
    part: &'a Part,
    /// Index of the node in the box.
    node: usize,
    /// The direction that comes along the link, where it is a link.
    back: Option<usize>,
    /// Its places among the values of nodes, or of links.
    places: Range<usize>,
}

impl Arrivals {
    /// All that remember: at nodes in the order of the box, then at links in that of nodes and directions.
    fn remembering<'a>(&'a self, facts: &'a Facts) -> impl Iterator<Item = Remembering<'a>> + 'a {
        let remembering = move |part: &'a Part, node, back, first: usize| {
            let Range { start, end } = part.remembered(&self.rules, facts);
            Remembering { part, node, back, places: first + start..first + end }
        };
        let of_node = move |&Arrival { node, kind, values }: &Arrival| {
            let mut first = values;
            self.counts(facts, kind).map(move |(part, count)| {
                first += count;
                remembering(part, node, None, first - count)
            })
        };
        let at_links = &self.at_links;
        let of_link = move |LinkArrival { node, back, part, row }: LinkArrival| {
            remembering(&at_links.parts[part], node, Some(back), at_links.row(row).start)
        };
        // Most rules remember nothing; then not each node is asked.
        let remembers = |part: &Part| !part.remembered(&self.rules, facts).is_empty();
        let at_nodes = self.kinds.iter().flat_map(|kind| &kind.parts).any(remembers);
        let nodes = at_nodes.then_some(&self.nodes).into_iter().flatten().flat_map(of_node);
        let links =
            at_links.parts.iter().any(remembers).then(|| at_links.iter()).into_iter().flatten().map(of_link);
        nodes.chain(links).filter(|one| !one.places.is_empty())
    }

    /// All that is remembered: of nodes in the order of the box, then of links in that of nodes and directions. So all backends have it in one order.
    #[must_use]
    pub fn memory(&self, facts: &Facts) -> Vec<Remembered> {
        let all = self.remembering(facts);
        all.flat_map(|Remembering { back, places, .. }| {
            places.map(move |place| Remembered { of_link: back.is_some(), place })
        })
        .collect()
    }

    /// Of whom [`memory`](Arrivals::memory) is: node after node and link after link, with how many numbers.
    #[must_use]
    pub fn memory_of(&self, facts: &Facts) -> Vec<(MemoryOf, usize)> {
        let of = |one: Remembering<'_>| (MemoryOf { node: one.node, back: one.back }, one.places.len());
        self.remembering(facts).map(of).collect()
    }

    /// Which rules remember, at which nodes and links and how many numbers, as one number (CRC-32): that of another flow is the same where its
    /// [`memory`](Arrivals::memory) is of the same things.
    #[must_use]
    pub fn memory_sum(&self, facts: &Facts) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        for Remembering { part, node, back, places } in self.remembering(facts) {
            sum.update(self.rules[part.rule].name.as_bytes());
            let back = back.map_or(u64::MAX, |back| back as u64);
            for number in [node as u64, back, places.len() as u64] {
                sum.update(&number.to_le_bytes());
            }
        }
        sum.finalize()
    }

    /// The value of something that is remembered.
    #[must_use]
    pub fn remembered(&self, Remembered { of_link, place }: Remembered) -> f64 {
        if of_link { self.at_links.values[place] } else { self.values[place] }
    }

    /// Sets something that is remembered.
    pub fn set_remembered(&mut self, Remembered { of_link, place }: Remembered, value: f64) {
        let values = if of_link { &mut self.at_links.values } else { &mut self.values };
        values[place] = value;
    }

    /// Sets all that is remembered, in the order of [`memory`](Arrivals::memory).
    ///
    /// # Errors
    /// As [`check_memory`].
    pub fn set_memory(&mut self, facts: &Facts, values: &[f64]) -> Result<(), Error> {
        let all = self.memory(facts);
        check_memory(all.len(), values.len())?;
        all.into_iter().zip(values).for_each(|(one, &value)| self.set_remembered(one, value));
        Ok(())
    }
}

/// Refuses to have rules remember so many numbers where they remember another number of them.
///
/// # Errors
/// [`Error::OutOfRange`].
pub fn check_memory(remembered: usize, given: usize) -> Result<(), Error> {
    if remembered == given {
        return Ok(());
    }
    Err(Error::out_of_range(
        "numbers that boundary rules remember",
        given,
        format!("as many as the rules of this flow do, {remembered}"),
        "give what an engine with the same box and rules remembers",
    ))
}
