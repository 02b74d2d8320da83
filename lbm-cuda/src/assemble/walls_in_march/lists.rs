//! What lists say of the nodes of a plane: which directions come from walls that coordinates do not tell of.

use lbm_core::Expression;

use super::super::boundary::from_wall;
use super::super::masks::{MaskWord, two_variables};
use super::super::scheme::{each_of, position_at, put};
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

    /// The word of a solid node: the bit of what stays.
    fn alone(&self) -> String {
        MaskWord::of(self.pieces.facts).bit(self.rest())
    }

    /// Declares what is known of the next plane's node where several steps are done at once: whether it is solid or in lists, the words that
    /// find it there, and at last which of its directions come from walls. Each look waits for memory, so that it is asked one plane before.
    pub(in super::super) fn declared_next(&self) -> String {
        match self.lists() {
            true => {
                let word = MaskWord::of(self.pieces.facts);
                let numbers = "special_next, linked_next, rank_next, bit_next";
                let next = format!("lost_next = {}", word.literal(0));
                format!("    {}\n", two_variables([("unsigned", numbers), (&word.to_string(), &next)]))
            }
            false => String::new(),
        }
    }

    /// Reads the words of a plane's node.
    pub(in super::super) fn read_next(&self, along: &str, indent: &str) -> String {
        let mut text = String::new();
        if self.lists() {
            let number = self.scheme.number(position_at(self.axis, Expression::name(along)), 1);
            put!(text, "{indent}const size_t index = {number};");
            put!(text, "{indent}special_next = bits_at(skip, index, 1u);");
            put!(text, "{indent}linked_next = linked[index >> 5];");
            put!(text, "{indent}rank_next = ranks[index >> 5];");
            put!(text, "{indent}bit_next = (unsigned)index & 31u;");
        }
        text
    }

    /// Finds in lists what is missing at that node, once its words are there.
    pub(in super::super) fn find_next(&self, indent: &str) -> String {
        let mut text = String::new();
        if self.lists() {
            put!(text, "{indent}if (special_next != 0u) {{");
            put!(text, "{indent}    const unsigned before = __popc(linked_next & ((1u << bit_next) - 1u));");
            let found = "linked_next >> bit_next & 1u ? missing[rank_next + before]";
            put!(text, "{indent}    lost_next = {found} : {};", self.alone());
            put!(text, "{indent}}}");
        }
        text
    }

    /// Remembers of the nodes that lists know which of their directions come from walls.
    pub(super) fn look_up(&self, plane: &AtPlane, indent: &str) -> String {
        let mut text = String::new();
        if self.shape.steps() > 1 {
            let (special, lost) = (self.is_special(plane.below, 0), self.lost(plane.below, 0));
            put!(text, "{indent}if {special} {lost} = lost_next;");
            return text;
        }
        for k in 0..self.nodes {
            put!(text, "{indent}if {} {{", self.is_special(plane.below, k));
            put!(text, "{indent}    const size_t index = {};", self.index(plane, k));
            put!(text, "{indent}    const bool listed = bits_at(linked, index, 1u);");
            let lost = format!("listed ? missing[number_linked(linked, ranks, index)] : {}", self.alone());
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
        let (mut text, rest, word) = (String::new(), self.rest(), MaskWord::of(self.pieces.facts));
        for (k, at) in each_of(self.nodes).enumerate() {
            put!(text, "{indent}if {} {{", self.is_special(plane.below, k));
            put!(text, "{indent}    const {word} lost = {};", self.lost(plane.below, k));
            if self.lists_move() {
                put!(text, "{indent}    const size_t index = {};", self.index(plane, k));
                let number = "links[number_linked(linked, ranks, index)]";
                put!(text, "{indent}    const unsigned link = lost == {} ? 0u : {number};", self.alone());
            }
            for &i in along.iter().filter(|&&i| i != rest) {
                let mut back = sent(self.pieces.facts.lattice.opposites[i], k);
                if self.lists_move() {
                    let before = word.rank("lost", i);
                    back = from_wall(
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
