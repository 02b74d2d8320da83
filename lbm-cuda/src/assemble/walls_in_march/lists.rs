//! What lists say of the nodes of a plane: which directions come from walls that coordinates do not tell of.

use super::super::boundary::term;
use super::super::scheme::{each_of, put};
use super::super::shape::remembered;
use super::{AtPlane, WallsInMarch};

impl WallsInMarch<'_> {
    /// The word that says which directions of a node come from walls, of a plane so many planes below the one read last.
    pub(super) fn lost(&self, below: usize, k: usize) -> String {
        let (planes, threads) = (remembered(self.shape.steps()), self.threads());
        let plane = match below {
            0 => "number".to_owned(),
            _ => format!("(number + {}u)", planes - below),
        };
        let k = if k == 0 { String::new() } else { format!(" + {}u", k * threads) };
        format!("lost_at[({plane} & {}u) * {}u{k}]", planes - 1, self.nodes * threads)
    }

    /// Whether node `k` of a plane is solid or in lists.
    pub(super) fn is_special(&self, below: usize, k: usize) -> String {
        match below * self.nodes + k {
            0 => "(special & 1u)".to_owned(),
            bit => format!("(special >> {bit} & 1u)"),
        }
    }

    /// Remembers of the nodes that lists know which of their directions come from walls.
    pub(super) fn look_up(&self, plane: &AtPlane, indent: &str) -> String {
        let (mut text, rest) = (String::new(), self.rest());
        for k in 0..self.nodes {
            put!(text, "{indent}if {} {{", self.is_special(plane.below, k));
            put!(text, "{indent}    const size_t index = {};", self.index(plane, k));
            put!(text, "{indent}    const bool listed = bits_at(linked, index, 1u);");
            let lost = format!("listed ? missing[number_linked(linked, ranks, index)] : {}u", 1u32 << rest);
            put!(text, "{indent}    {} = {lost};", self.lost(plane.below, k));
            put!(text, "{indent}}}");
        }
        text
    }

    /// What comes back to nodes that find themselves in lists. What comes from faces follows behind.
    pub(super) fn back_from_lists(
        &self,
        along: &[usize],
        plane: &AtPlane,
        sent: &dyn Fn(usize, usize) -> String,
        indent: &str,
    ) -> String {
        let (mut text, rest) = (String::new(), self.rest());
        for (k, at) in each_of(self.nodes).enumerate() {
            put!(text, "{indent}if {} {{", self.is_special(plane.below, k));
            put!(text, "{indent}    const unsigned lost = {};", self.lost(plane.below, k));
            if self.lists_move() {
                put!(text, "{indent}    const size_t index = {};", self.index(plane, k));
                let number = "links[number_linked(linked, ranks, index)]";
                put!(text, "{indent}    const unsigned link = lost == {}u ? 0u : {number};", 1u32 << rest);
            }
            for &i in along.iter().filter(|&&i| i != rest) {
                let mut back = sent(self.pieces.facts.lattice.opposites[i], k);
                if self.lists_move() {
                    let before = format!("__popc(lost & {}u)", (1u32 << i) - 1);
                    back = term(
                        self.pieces,
                        &back,
                        &format!("{}u * walls[link + {before}] + {i}", self.pieces.q),
                    );
                }
                put!(text, "{indent}    if (lost >> {i} & 1u) {} = {back};", self.target(i, k, &at));
            }
            put!(text, "{indent}}}");
        }
        text
    }
}
