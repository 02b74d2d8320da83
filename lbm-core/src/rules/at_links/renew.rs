//! Rules at links while the box changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{AtLinks, check_order, checked, longest};
use crate::domain::{RuledLink, positions};
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::Facts;
use crate::links::{Change, Link, Links};
use crate::rules::Arrivals;
use crate::rules::arrivals::Given;

impl Arrivals {
    /// Follows changes of the box (`setup` has what it is now): of its links, of which these are the new list and what [`Links::renew`] changed, and
    /// of `nodes` that have become solid or fluid, or of whose links rules, distances or values are others; in time in proportion to their
    /// number. Which rules there are stays, and rules of nodes; what a rule remembers of a link stays while it stands there.
    ///
    /// # Errors
    /// Those of [`Arrivals::of`], and [`Error::Conflict`] for a change near a node with rules of its own; nothing is changed then.
    pub fn renew(
        &mut self,
        facts: &Facts,
        setup: &Setup,
        links: &Arc<Links>,
        changes: &[Change],
        nodes: &[usize],
    ) -> Result<(), Error> {
        let given = Given::of(facts, setup)?;
        let near = near(&given, nodes);
        if let Some(&node) = near.iter().find(|&&node| self.at(node).is_some()) {
            return Err(Error::conflict(
                format!(
                    "the box changes near node {:?}, which has rules of its own",
                    setup.domain().position(node)
                ),
                "set the flow up anew, or keep changes away from nodes with rules",
            ));
        }
        if longest(&given) != self.at_links.count || given.courses.all.len() != self.courses.len() {
            return Err(Error::conflict(
                "the box has other rules of links, or other values in time, than before".to_owned(),
                "set the flow up anew",
            ));
        }
        if self.at_links.count == 0 {
            return Ok(());
        }
        self.at_links.renew(&given, links, changes, &near)
    }
}

impl AtLinks {
    /// Follows changes of the box: of its links, and of `nodes` that have become solid or fluid, or of whose links rules, distances or values are
    /// others, in time in proportion to their number. What a rule remembers of a link stays while it stands there.
    ///
    /// # Errors
    /// As [`AtLinks::of`]; nothing is changed then.
    fn renew(
        &mut self,
        given: &Given<'_>,
        links: &Arc<Links>,
        changes: &[Change],
        nodes: &[usize],
    ) -> Result<(), Error> {
        let key = |ruled: &RuledLink| (ruled.node, ruled.back, given.used[ruled.rule]);
        let before = (self.parts.clone(), self.keys.clone());
        let all = self.listed(given, links, nodes);
        let all = match all {
            Ok(all) => all,
            Err(error) => {
                (self.parts, self.keys) = before;
                return Err(error);
            }
        };
        let had = nodes.iter().flat_map(|&node| self.within(node..node + 1));
        let had = had.map(|link| ((link.node, link.back, self.keys[link.part].1), link.row));
        let mut rows: BTreeMap<(usize, usize, usize), usize> = had.collect();
        for &row in rows.values() {
            for place in self.row(row) {
                self.observed.remove(&place);
                self.varying.remove(&place);
            }
        }
        self.links = Arc::clone(links);
        self.standing.follow(links, changes, |_, _| None);
        for link in nodes.iter().flat_map(|&node| links.at(node).iter()) {
            self.standing.set(link, None);
        }
        let stay: Vec<_> = all.iter().map(|(ruled, ..)| rows.remove(&key(ruled))).collect();
        for row in rows.into_values() {
            let own = self.row(row);
            self.values[own].fill(0.0);
            self.room.push(row);
        }
        for ((ruled, link, distance), had) in all.into_iter().zip(stay) {
            self.put(given, ruled, link, distance, had);
        }
        Ok(())
    }

    /// The links of nodes that are to have rules, with distances; what the rules do there is known then.
    fn listed<'a>(
        &mut self,
        given: &'a Given<'_>,
        links: &Links,
        nodes: &[usize],
    ) -> Result<Vec<(&'a RuledLink, Link, f64)>, Error> {
        let mut all = Vec::new();
        for &node in nodes {
            let own = given.domain.links_of(node);
            check_order(own)?;
            for ruled in own {
                let (link, distance) = checked(given, links, ruled)?;
                self.know(given, ruled)?;
                all.push((ruled, link, distance));
            }
        }
        Ok(all)
    }
}

/// The nodes of which links have rules that ask for one of these nodes, or beside which these are, each once, ascending.
fn near(given: &Given<'_>, nodes: &[usize]) -> Vec<usize> {
    // What arrives at a node was sent by its neighbours.
    let (domain, (asked, sent)) = (given.domain, given.reach());
    let reach = (asked + sent) as i32;
    let side = domain.size.map(|length| length.min(2 * reach as usize + 1));
    let mut all: Vec<usize> = nodes
        .iter()
        .flat_map(|&node| {
            let first = domain.around(domain.position(node), [-reach; 3]);
            positions(side).map(move |shift| domain.index(domain.around(first, shift.map(|k| k as i32))))
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}
