//! Boundary rules of links before a step, in one copy of populations: what a rule sets is left where the step reads what comes back from a half-way wall. So steps
//! know walls only, and what rules read is where nodes have sent it: nothing is kept for them.
//!
//! Nobody else reads or writes there meanwhile: what a node has sent into a wall is read by that node alone. So what rules read of other nodes lies still, and is read
//! where it lies; where one of them reads what another node has sent into a wall, and that is where its rule leaves what comes back, all is brought to their values before.
//!
//! A thread does the links of a node, in the order of directions; nodes of the same directions stand side by side.

use lbm_core::Access;

use super::super::boundary::{from_neighbours, half_way};
use super::super::kernel::Kernel;
use super::super::link_rules;
use super::super::masks::MaskWord;
use super::super::resource::Resource;
use super::super::scheme::{Scheme, position_of, put};
use super::Accessors;

/// Threads a block: few, so that registers are left over for no block that has no room.
const BLOCK: u32 = 64;

impl Accessors<'_> {
    /// The kernels `links_<phase>`.
    pub(super) fn links_first(&self, scheme: &Scheme) -> Vec<Kernel> {
        (0..self.pieces.facts.period).map(|phase| self.links_of_phase(scheme, phase)).collect()
    }

    fn links_of_phase(&self, scheme: &Scheme, phase: usize) -> Kernel {
        let (pieces, stored) = (self.pieces, self.pieces.stored());
        let (facts, q, word) = (pieces.facts, pieces.q, MaskWord::of(pieces.facts));
        let mut parameters = self.parameters([Resource::Count]);
        parameters.extend([Resource::LinkNodes.read(), word.read(Resource::LinkMissing)]);
        parameters.extend([Resource::LinkFirsts, Resource::LinkWalls, Resource::Terms].map(Resource::read));
        parameters.extend(link_rules::of_nodes(pieces));
        if facts.keeps_sent {
            parameters.extend([Resource::LinkKept.read(), Resource::Kept.shared()]);
        }
        let about = "\n// Before a step: what rules of links set at `count` nodes, where walls would send back what these nodes sent.\n";
        let mut kernel = Kernel::over_a_list_in(BLOCK, about, format!("links_{phase}"), parameters);
        kernel.phase = phase;
        let text = &mut kernel.body;

        let sent: Vec<Access> = (0..q).map(|i| facts.sent(i, phase)).collect();
        // What a neighbour sent, seen from here.
        let arrives = |i: usize| {
            let c = facts.lattice.velocities[i];
            Access { shift: std::array::from_fn(|axis| sent[i].shift[axis] - c[axis]), ..sent[i] }
        };
        let place = |access: Access| format!("&{stored}[{}]", scheme.offset(access));
        // Where the step reads what comes back along a direction.
        let back = |i: usize| match facts.keeps_sent {
            true => format!("&kept[first_kept + {}]", word.rank("lost", i)),
            false => place(sent[facts.lattice.opposites[i]]),
        };
        put!(text, "const unsigned at = link_nodes[number];");
        put!(text, "{}", position_of("at", &scheme.size));
        put!(text, "const {word} mask = link_masks[number], lost = link_missing[number];");
        put!(text, "const unsigned first_row = link_rows[number];");
        if facts.keeps_sent {
            put!(text, "const unsigned first_kept = link_kept[number];");
        }
        let all = (0..q).map(arrives).chain(sent.iter().copied());
        *text += &scheme.neighbours(&all.map(|access| access.shift).collect(), 1);

        put!(
            text,
            "// What arrives, and what the node sent, as far as these rules read it; all is on its way before any of it is awaited."
        );
        let reads = link_rules::reads(pieces);
        // Nodes that lie alike stand side by side, so that a warp leaves out what none of its rules reads.
        let is_read = |i: usize, of: usize| {
            let readers = link_rules::readers(&reads, of, i);
            (readers != 0).then(|| format!("if (mask & {})", word.literal(readers)))
        };
        put!(text, "real h[{q}] = {{}};");
        for i in 0..q {
            let Some(is_read) = is_read(i, 0) else { continue };
            let here = place(arrives(i));
            let from = match facts.lattice.opposites[i] == i {
                true => here,
                false => format!("(lost >> {i} & 1u ? {} : {here})", back(i)),
            };
            put!(text, "{is_read} h[{i}] = decode(*{from});");
        }
        for i in pieces.plan.rules.sent() {
            put!(text, "real sent_{i} = 0;");
            if let Some(is_read) = is_read(i, 1) {
                put!(text, "{is_read} sent_{i} = decode(*{});", place(sent[i]));
            }
        }
        put!(text, "if (lost >> {} & 1u) {{", word.width() - 1);
        put!(text, "    // Some of its walls move.");
        put!(text, "    unsigned link = link_firsts[number];");
        for (i, _) in from_neighbours(pieces) {
            let term = format!("terms[{q}u * link_walls[link] + {i}]");
            put!(text, "    if (lost >> {i} & 1u) {{");
            put!(text, "        h[{i}] = {};", half_way(&format!("h[{i}]"), &term));
            put!(text, "        ++link;");
            put!(text, "    }}");
        }
        put!(text, "}}");
        let there = if pieces.plan.rules.see(1) { format!(", {stored}") } else { String::new() };
        *text += &link_rules::set(pieces, &format!("mask, first_row, h{there}"), |i| format!("sent_{i}"));
        put!(text, "// What comes back in the step.");
        for (i, _) in from_neighbours(pieces) {
            let there = back(i).replacen('&', "", 1);
            put!(text, "if (mask >> {i}u & 1u) {there} = encode(h[{i}]);");
        }
        kernel
    }
}
