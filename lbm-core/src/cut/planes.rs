//! How far beyond a cut a step reads.

use super::faces::reads_across;
use crate::derived::NearRead;
use crate::domain::Domain;
use crate::error::Error;
use crate::facts::{BodyFacts, Facts};
use crate::rules::{LONGEST_CHAIN, RuleClass, RuleFacts, known};

/// How many planes beyond its own nodes along each axis a part needs for a step of these facts and these rules, those that the box has.
///
/// Populations come from as far as the lattice's velocities go. Fields that follow for each node before it collides, and what they are in walls, are read so far as their passes
/// read, one after the other; and what follows there needs what comes to a node there. A boundary rule reads as far as its classes say;
/// where one takes the opposite face for its neighbour, a part is as long as the box.
///
/// # Errors
/// [`Error::Unknown`] for a rule of the box that the solver has not.
pub fn planes_read(facts: &Facts, domain: &Domain, rules: &[RuleFacts]) -> Result<[usize; 3], Error> {
    let used = used(facts, domain, rules)?;
    let far = used.iter().map(|rule| rule.reach()).max().unwrap_or(0);
    // What arrives at another node may be what a rule there makes of what it reads in turn.
    let chains = used.iter().any(|rule| rule.reads_what_arrives());
    let of_rules = if chains { far * (LONGEST_CHAIN + 1) + facts.lattice.reach() } else { far };
    // Walls may be drawn later.
    let mut planes = [facts.body.chained_reach(true) + of_rules.max(facts.lattice.reach()); 3];
    for axis in 0..3 {
        if reads_across(facts, domain, rules, axis)? {
            planes[axis] = domain.size[axis];
        }
    }
    Ok(planes)
}

/// The rules of a solver that a box names.
pub(super) fn used<'a>(
    facts: &Facts,
    domain: &Domain,
    rules: &'a [RuleFacts],
) -> Result<Vec<&'a RuleFacts>, Error> {
    let named = domain.rules.iter().map(|applied| known(rules, &applied.rule, facts));
    named.map(|number| Ok(&rules[number?])).collect()
}

impl BodyFacts {
    /// How far away values are that fields of a node follow from, pass after pass: each reads so far, and what it reads in a wall, if there are any, is the mean of nodes
    /// around that.
    #[must_use]
    pub fn chained_reach(&self, walls: bool) -> usize {
        let reach = |reads: &[NearRead]| reads.iter().map(|read| far(read.offset)).max().unwrap_or(0);
        let passes = self.derivations.iter().map(|pass| reach(pass.reads));
        let around = if walls { self.reach() } else { 0 };
        passes.filter(|&reach| reach > 0).map(|reach| reach + around).sum()
    }
}

impl RuleFacts {
    /// How many nodes away along an axis a rule reads.
    #[must_use]
    pub fn reach(&self) -> usize {
        let of_class = |class: &RuleClass| {
            let observed = class.observes.iter().map(|one| far(one.at.offset));
            observed.chain(class.asks.iter().map(|at| far(at.offset))).max().unwrap_or(0)
        };
        self.classes.iter().map(of_class).max().unwrap_or(0)
    }

    /// Whether it reads what arrives at another node in the coming step.
    fn reads_what_arrives(&self) -> bool {
        self.classes.iter().any(|class| class.observes.iter().any(|observed| observed.arrives))
    }

    /// Whether it takes the opposite face for its neighbour.
    #[must_use]
    pub fn reads_across(&self) -> bool {
        self.classes.iter().any(|class| {
            class.observes.iter().any(|observed| observed.at.across)
                || class.asks.iter().any(|asked| asked.across)
        })
    }
}

/// How far an offset goes along an axis.
fn far(offset: [i32; 3]) -> usize {
    offset.iter().map(|c| c.unsigned_abs() as usize).max().unwrap_or(0)
}
