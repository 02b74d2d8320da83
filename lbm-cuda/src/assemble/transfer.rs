//! What a pass over nodes takes and leaves, where, and what it does in between.

use lbm_core::streaming::{Pass, Program};
use lbm_core::{Access, Facts};

use super::plan::Plan;

/// What a pass reads and writes, as comments.
pub(super) const MEETING: &str = "Populations that meet here.";
pub(super) const LEAVING: &str = "Populations that leave.";
pub(super) const STAYING: &str = "Moments that stay.";

/// What a pass does with a node: from places to values, in between perhaps a collision, from values to places.
pub(super) struct Transfer {
    /// What it does, as a comment.
    pub(super) about: &'static str,
    pub(super) name: &'static str,
    /// Value by value, where it is read.
    pub(super) reads: Vec<(usize, Access)>,
    /// Value by value, where it is written.
    pub(super) writes: Vec<(usize, Access)>,
    /// What these are, before and after, as comments.
    pub(super) values: [&'static str; 2],
    /// The function in between, and whether it takes the coefficients that are the same for all nodes; without one, values go
    /// as they are.
    pub(super) work: Option<(&'static str, bool)>,
    /// What it does about nodes at walls.
    pub(super) walls: AtWalls,
    /// How many fields it derives, where that is what it does.
    pub(super) derives: usize,
}

/// What a pass does about nodes at walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtWalls {
    /// The same as about all others; or there are none.
    Nothing,
    /// It leaves them to another kernel.
    Left,
    /// It does them.
    Met,
}

impl Transfer {
    /// What a pass over nodes or links does.
    pub(super) fn of(pass: &Pass, facts: &Facts, plan: &Plan, phase: usize) -> Transfer {
        match pass.program {
            Program::Swap => Transfer::exchange(facts, phase),
            Program::Send => Transfer::scatter(facts, plan, phase),
            _ if facts.pattern.arrays[pass.writes].of_moments() => Transfer::gather(facts, plan, phase),
            _ => Transfer::step(facts, plan, phase),
        }
    }

    /// The time step.
    fn step(facts: &Facts, plan: &Plan, phase: usize) -> Transfer {
        let all = 0..facts.lattice.q();
        let write = |i: usize| facts.write(i, phase);
        let read = |i| if plan.work.streams() { facts.read(i, phase) } else { facts.write(i, phase) };
        Transfer {
            about: "A time step",
            name: "step",
            reads: all.clone().map(|i| (i, read(i))).collect(),
            writes: all.map(|i| (i, write(i))).collect(),
            values: [MEETING, LEAVING],
            work: Some(("collide", true)),
            walls: if plan.walls && plan.work.streams() { AtWalls::Met } else { AtWalls::Nothing },
            derives: 0,
        }
    }

    /// Before a step, the fields that follow from populations.
    pub(super) fn derive(facts: &Facts, plan: &Plan, phase: usize) -> Transfer {
        Transfer {
            about: "What neighbours may read of each node",
            name: "derive",
            writes: Vec::new(),
            work: Some(("derive", true)),
            derives: facts.body.derivations[0].fields.len(),
            ..Transfer::of(facts.pattern.collision(phase), facts, plan, phase)
        }
    }

    /// Before a step, the populations that moments send out.
    fn scatter(facts: &Facts, plan: &Plan, phase: usize) -> Transfer {
        let before = (phase + facts.period - 1) % facts.period;
        let write = |i| if plan.work.streams() { facts.write(i, before) } else { facts.read(i, phase) };
        Transfer {
            about: "Moments send populations out",
            name: "scatter",
            reads: (0..facts.body.moments).map(|n| (n, facts.moment(n))).collect(),
            writes: (0..facts.lattice.q()).map(|i| (i, write(i))).collect(),
            values: ["Moments.", LEAVING],
            work: Some(("rebuild_all", false)),
            walls: AtWalls::Nothing,
            derives: 0,
        }
    }

    /// The time step after that.
    fn gather(facts: &Facts, plan: &Plan, phase: usize) -> Transfer {
        Transfer {
            reads: (0..facts.lattice.q()).map(|i| (i, facts.read(i, phase))).collect(),
            writes: (0..facts.body.moments).map(|n| (n, facts.moment(n))).collect(),
            values: [MEETING, STAYING],
            work: Some(("gather", true)),
            walls: if plan.walls { AtWalls::Left } else { AtWalls::Nothing },
            ..Transfer::step(facts, plan, phase)
        }
    }

    /// The exchange along every second link of a node: each end is read, and written to the other one.
    fn exchange(facts: &Facts, phase: usize) -> Transfer {
        let ends = || {
            let pairs = facts.lattice.opposites.iter().enumerate().filter(|&(i, &opposite)| i < opposite);
            pairs.map(|(i, &opposite)| ([i, opposite], facts.ends(i, phase)))
        };
        let pairs = |(values, places): ([usize; 2], [Access; 2])| values.into_iter().zip(places);
        let crosswise =
            |(values, [here, there]): ([usize; 2], [Access; 2])| values.into_iter().zip([there, here]);
        Transfer {
            about: "Neighbours exchange opposite populations",
            name: "exchange",
            reads: ends().flat_map(pairs).collect(),
            writes: ends().flat_map(crosswise).collect(),
            values: [MEETING, LEAVING],
            work: None,
            walls: AtWalls::Nothing,
            derives: 0,
        }
    }

    /// Whether it writes to neighbours along x.
    pub(super) fn writes_along_x(&self) -> bool {
        self.writes.iter().any(|(_, access)| access.shift[0] != 0)
    }
}
