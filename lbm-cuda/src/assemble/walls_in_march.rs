//! Nodes at walls within a march: what comes from a wall is rebuilt from the node's own moments, in the plane where these are
//! at hand.
//!
//! Populations that come up or stay are put in the place of what was thought to come from the missing neighbour; those that
//! come down are kept until the plane above has been met. Solid nodes lose the population at rest, which says that they are
//! solid, and stay zero.

use lbm_core::Expression;

use super::boundary::{from_neighbours, half_way};
use super::bulk::{each_of, extent_of};
use super::pieces::Pieces;
use super::scheme::{Scheme, position_at, put};

/// What a march does about walls.
pub(super) struct WallsInMarch<'a> {
    pub(super) pieces: &'a Pieces<'a>,
    pub(super) scheme: &'a Scheme,
    /// Nodes side by side a thread.
    pub(super) nodes: usize,
    /// The axis of the march.
    pub(super) axis: usize,
    /// What its variables end in: a march of several steps at once has those of each.
    pub(super) end: String,
}

impl WallsInMarch<'_> {
    /// The component of a direction along the march.
    fn rise(&self, i: usize) -> i32 {
        self.pieces.facts.way(i, 0)[self.axis]
    }

    /// The directions that rise so.
    pub(super) fn directions(&self, sign: i32) -> Vec<usize> {
        (0..self.pieces.facts.lattice.q()).filter(|&i| self.rise(i).signum() == sign).collect()
    }

    /// The direction at rest.
    fn rest(&self) -> usize {
        let velocities = self.pieces.facts.lattice.velocities;
        velocities.iter().position(|c| *c == [0; 3]).unwrap_or(velocities.len())
    }

    /// Declares what is remembered of the plane below.
    pub(super) fn declared(&self) -> String {
        let (end, count, down) = (&self.end, extent_of(self.nodes), self.directions(-1).len());
        let mut text = String::new();
        let lost = if self.nodes == 1 { "0u" } else { "{}" };
        put!(text, "unsigned lost{end}{count} = {lost};");
        put!(text, "real back{end}{count}[{}] = {{}};", down.max(1));
        text
    }

    /// Puts what comes back down to the nodes of the plane below in its place.
    pub(super) fn fallen(&self, indent: &str) -> String {
        let (end, mut text) = (&self.end, String::new());
        for k in each_of(self.nodes) {
            for (n, i) in self.directions(-1).into_iter().enumerate() {
                put!(text, "{indent}if (lost{end}{k} >> {i} & 1u) h{end}{k}[{i}] = back{end}{k}[{n}];");
            }
        }
        text
    }

    /// Keeps solid nodes of the plane below at zero.
    pub(super) fn solid(&self, indent: &str) -> String {
        let (end, rest, mut text) = (&self.end, self.rest(), String::new());
        for k in each_of(self.nodes) {
            put!(text, "{indent}if (lost{end}{k} >> {rest} & 1u) {{");
            for n in 0..self.pieces.facts.body.moments {
                put!(text, "{indent}    after{end}{k}[{n}] = 0;");
            }
            put!(text, "{indent}}}");
        }
        text
    }

    /// What comes back to the nodes of the plane at hand, of these moments, at `x`, `y`, `z`, where `plane` is the coordinate along
    /// the march.
    pub(super) fn bounce_back(&self, plane: &str, moments: &str, indent: &str) -> String {
        let (end, rest, mut text) = (&self.end, self.rest(), String::new());
        let index = self.scheme.number(position_at(self.axis, Expression::name(plane)), 1);
        put!(text, "{indent}{{");
        put!(text, "{indent}    const size_t index = {index};");
        let every = u32::MAX >> (32 - self.nodes);
        put!(text, "{indent}    const unsigned special = skip[index >> 5] >> (index & 31u) & {every}u;");
        each_of(self.nodes).for_each(|k| put!(text, "{indent}    lost{end}{k} = 0u;"));
        put!(text, "{indent}    if (special != 0u) {{");
        put!(text, "{indent}        // What comes from walls is what these nodes sent there.");
        for (k, at) in each_of(self.nodes).enumerate() {
            put!(text, "{indent}        if (special >> {k} & 1u) {{");
            put!(text, "{indent}            lost{end}{at} = 1u << {rest};");
            let node = if k == 0 { "index".to_owned() } else { format!("(index + {k}u)") };
            put!(text, "{indent}            if (linked[{node} >> 5] >> ({node} & 31u) & 1u) {{");
            put!(
                text,
                "{indent}                const unsigned number = number_linked(linked, ranks, {node});"
            );
            put!(text, "{indent}                const unsigned missed = missing[number];");
            put!(text, "{indent}                unsigned link = links[number];");
            put!(text, "{indent}                lost{end}{at} = missed;");
            for (i, opposite) in from_neighbours(self.pieces) {
                let sign = self.rise(i).signum();
                // Among those that rise so.
                let n = self.directions(sign).iter().take_while(|&&other| other != i).count();
                let target = match sign {
                    0 => format!("h{end}{at}[{i}]"),
                    1 => format!("rising{end}{at}[{n}]"),
                    _ => format!("back{end}{at}[{n}]"),
                };
                let sent = format!("rebuild_{opposite}({moments}{at})");
                let back = half_way(self.pieces, &sent, "link++", i);
                put!(text, "{indent}                if (missed >> {i} & 1u) {target} = {back};");
            }
            put!(text, "{indent}            }}");
            put!(text, "{indent}        }}");
        }
        put!(text, "{indent}    }}");
        put!(text, "{indent}}}");
        text
    }
}
