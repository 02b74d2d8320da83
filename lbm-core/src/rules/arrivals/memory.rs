//! What rules remember from step to step. It stands among their values, each number less what it is at first, and is part of a flow's state as
//! its populations are.

use super::{Arrival, Arrivals};
use crate::error::Error;
use crate::facts::Facts;
use crate::rules::{LinkArrival, RuleFacts};

/// A number that a rule remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Whether it is remembered for a link: a place in [`AtLinks::values`](crate::rules::AtLinks::values), else in [`Arrivals::values`].
    pub of_link: bool,
    /// The place.
    pub place: usize,
}

impl Arrivals {
    /// All that is remembered: of nodes in the order of the box, then of links in that of nodes and directions. So all backends have it in one order.
    #[must_use]
    pub fn memory(&self, facts: &Facts) -> Vec<Remembered> {
        if !self.rules.iter().any(RuleFacts::remembers) {
            return Vec::new();
        }
        let of_node = |&Arrival { kind, values, .. }: &Arrival| {
            let mut first = values;
            let mut all = Vec::new();
            for (part, count) in self.counts(facts, kind) {
                all.extend(part.remembered(&self.rules, facts).map(|place| first + place));
                first += count;
            }
            all
        };
        let at_links = &self.at_links;
        let of_link = |link: LinkArrival| {
            let first = at_links.row(link.row).start;
            at_links.parts[link.part].remembered(&self.rules, facts).map(move |place| first + place)
        };
        let of_nodes = self.nodes.iter().flat_map(of_node).map(|place| Remembered { of_link: false, place });
        let of_links = at_links.iter().flat_map(of_link).map(|place| Remembered { of_link: true, place });
        of_nodes.chain(of_links).collect()
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
