//! The box of a part.

use super::faces::cut_faces;
use super::{Part, Stretch};
use crate::domain::{Domain, RuledLink, RuledNode};
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::Facts;

impl Part {
    /// What an engine of the part is made for: its nodes and those beyond its cuts, with the solids, walls and rules that the whole box has there.
    ///
    /// # Errors
    /// [`Error::Conflict`] for a rule that cannot be cut, and for a box of which it is not known what the part's nodes are.
    pub fn setup(&self, facts: &Facts, whole: &Setup) -> Result<Setup, Error> {
        let domain = whole.domain();
        let mut own = Domain::periodic(self.size());
        own.seams = self.seams();
        let nodes = own.nodes();
        if !self.is_listed_in(&domain.portion()) {
            return Err(Error::conflict(
                format!(
                    "the part from node {:?} on reads nodes of which this process does not know what they are",
                    self.own.low
                ),
                "make the box with all nodes of the parts of this process, and those beyond their cuts",
            ));
        }
        own.solids.clone_from(&domain.solids);
        for (own, all) in [(&mut own.flags, &domain.flags), (&mut own.pages, &domain.pages)] {
            if !all.is_empty() {
                let of = |Stretch { there, nodes, .. }: Stretch| {
                    let first = domain.cell(domain.position(there));
                    &all[first..first + nodes]
                };
                own.extend(self.stretches(0..nodes).flat_map(of));
            }
        }
        cut_faces(facts, domain, self, &mut own)?;
        for stretch in self.stretches(0..nodes) {
            let range = stretch.there..stretch.there + stretch.nodes;
            let here = |there: usize| stretch.here + there - stretch.there;
            let is_read = |node: &usize| !self.is_last(own.position(*node));
            let place = |node: usize| domain.links.partition_point(|link| link.node < node);
            let links = domain.links[place(range.start)..place(range.end)].iter();
            let links = links.map(|link| RuledLink { node: here(link.node), ..*link });
            let links: Vec<_> = links.filter(|link| is_read(&link.node)).collect();
            let drawable = domain.drawable_within(range.clone());
            let drawable = drawable.map(|run| here(run.start)..here(run.start) + run.len());
            let ruled = domain.in_fluid_within(range).iter();
            let ruled = ruled.map(|ruled| RuledNode { node: here(ruled.node), ..*ruled });
            let ruled: Vec<_> = ruled.filter(|ruled| is_read(&ruled.node)).collect();
            own.links.extend(links);
            own.drawable.extend(drawable);
            own.in_fluid.extend(ruled);
        }
        Ok(Setup::new(own, whole.parameters.clone())
            .with_rules(whole.rules.clone())
            .exchanging_every(self.steps()))
    }
}
