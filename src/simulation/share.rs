//! The nodes of a box of which a process is to know what they are: those of its parts, and those beyond their cuts.

use lbm_core::cut::{Decomposition, OwnBox, parts, planes_read, rank_of};
use lbm_core::domain::{AppliedRule, Portion};
use lbm_core::{Domain, Facts, RuleFacts};

use super::problem::Problem;
use super::processes::Processes;

/// What a process knows of a box.
pub(super) struct Share {
    /// Of which nodes.
    pub(super) portion: Portion,
    /// Which of these are its own.
    pub(super) own: Vec<OwnBox>,
}

impl Share {
    /// That of this process in a box with its faces and their rules and without solids; none, in all processes alike, where each is to know all of it: where it has all parts, or may do
    /// all of it, where the box is given as bytes, where it is cut by what its nodes are, and where rules remember, of which a checkpoint has the numbers one after
    /// the other.
    pub(super) fn of(
        facts: &Facts,
        rules: &[RuleFacts],
        problem: &Problem,
        (processes, cut): (&Processes, Option<&Decomposition>),
        bare: &Domain,
    ) -> Option<Share> {
        let cut = cut?;
        let (rank, ranks) = (processes.transport.rank(), processes.ranks());
        let has_solids = !problem.solids.is_empty() || !problem.surfaces.is_empty();
        let needs_all =
            problem.placement.or_whole || !bare.flags.is_empty() || has_solids && cut.asks_what_nodes_are();
        if ranks == 1 || needs_all {
            return None;
        }
        let mut domain = Domain::periodic(bare.size).with_faces(bare.faces);
        domain.patches.clone_from(&bare.patches);
        // Rules of faces by their numbers, and then all, since some stand where it is not known yet.
        let names = bare
            .rules
            .iter()
            .map(|rule| rule.rule.as_str())
            .chain(problem.placed_rules().map(|rule| rule.label()));
        domain.rules = names.map(|name| AppliedRule::new(name, 0, Vec::new())).collect();
        let remembers =
            |applied: &AppliedRule| rules.iter().any(|rule| rule.name == applied.rule && rule.remembers());
        if domain.rules.iter().any(remembers) {
            return None;
        }
        // What does not fit is said when the box is cut.
        let all = parts(facts, &domain, rules, cut).ok().filter(|all| all.len() >= ranks)?;
        let own: Vec<_> =
            all.iter().enumerate().filter(|&(n, _)| rank_of(n, all.len(), ranks) == rank).collect();
        let boxes: Vec<_> = own.iter().map(|(_, part)| part.planes_there()).collect();
        // What stands at a node of a part asks no further than a step reads.
        let margin = planes_read(facts, &domain, rules).ok()?;
        let portion = Portion::around(bare.size, &boxes, margin);
        let own = own.into_iter().map(|(_, part)| part.own).collect();
        Some(Share { portion, own })
    }
}
