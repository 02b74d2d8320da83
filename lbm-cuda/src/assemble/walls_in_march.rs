//! Nodes at walls within a march: what comes from a wall is rebuilt from the node's own moments, in the plane where these are
//! at hand.
//!
//! Populations that come up or stay are put in the place of what was thought to come from the missing neighbour; those that
//! come down are kept until the plane above has been met. Solid nodes lose the population at rest, which says that they are
//! solid, and stay zero.

use lbm_core::Expression;

use super::boundary::{from_neighbours, half_way};
use super::pieces::Pieces;
use super::scheme::{AXES, Scheme, put};

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

/// The names of what a plane's nodes are made of.
pub(super) struct Plane<'a> {
    /// The moments of its nodes.
    pub(super) moments: &'a str,
    /// The populations that have met there, and those that leave to the planes beside.
    pub(super) h: &'a str,
    /// Those that came up from the plane below.
    pub(super) rising: &'a str,
}

impl WallsInMarch<'_> {
    /// The component of a direction along the march.
    fn rise(&self, i: usize) -> i32 {
        self.pieces.facts.way(i, 0)[self.axis]
    }

    /// The directions that rise so.
    fn directions(&self, sign: i32) -> Vec<usize> {
        (0..self.pieces.facts.lattice.q()).filter(|&i| self.rise(i).signum() == sign).collect()
    }

    /// The direction at rest.
    fn rest(&self) -> usize {
        let velocities = self.pieces.facts.lattice.velocities;
        velocities.iter().position(|c| *c == [0; 3]).unwrap_or(velocities.len())
    }

    /// `[4]`, or nothing for one node.
    fn count(&self) -> String {
        if self.nodes == 1 { String::new() } else { format!("[{}]", self.nodes) }
    }

    /// `[0]`, `[1]`, ..., or nothing for one node.
    fn each(&self) -> Vec<String> {
        match self.nodes {
            1 => vec![String::new()],
            nodes => (0..nodes).map(|k| format!("[{k}]")).collect(),
        }
    }

    /// Declares what is remembered of the plane below.
    pub(super) fn declared(&self) -> String {
        let (end, count, down) = (&self.end, self.count(), self.directions(-1).len());
        let mut text = String::new();
        let lost = if self.nodes == 1 { "0u" } else { "{}" };
        put!(text, "unsigned lost{end}{count} = {lost};");
        put!(text, "real back{end}{count}[{}] = {{}};", down.max(1));
        text
    }

    /// Puts what comes back down to the nodes of the plane below in its place.
    pub(super) fn fallen(&self, h: &str, indent: &str) -> String {
        let (end, mut text) = (&self.end, String::new());
        for k in self.each() {
            for (n, i) in self.directions(-1).into_iter().enumerate() {
                put!(text, "{indent}if (lost{end}{k} >> {i} & 1u) {h}{k}[{i}] = back{end}{k}[{n}];");
            }
        }
        text
    }

    /// Keeps solid nodes of the plane below at zero.
    pub(super) fn solid(&self, after: &str, indent: &str) -> String {
        let (end, rest, mut text) = (&self.end, self.rest(), String::new());
        for k in self.each() {
            put!(text, "{indent}if (lost{end}{k} >> {rest} & 1u) {{");
            for n in 0..self.pieces.facts.body.moments {
                put!(text, "{indent}    {after}{k}[{n}] = 0;");
            }
            put!(text, "{indent}}}");
        }
        text
    }

    /// What comes back to the nodes of the plane at hand, at `x`, `y`, `z`, where `plane` is the coordinate along the march.
    pub(super) fn bounce_back(&self, plane: &str, of: &Plane<'_>, indent: &str) -> String {
        let (end, rest, mut text) = (&self.end, self.rest(), String::new());
        let mut position = AXES.map(Expression::name);
        position[self.axis] = Expression::name(plane);
        let [x, y, z] = position;
        let [nx, ny, _] = self.scheme.size.clone();
        let index = x + nx * (y + ny * z);
        put!(text, "{indent}{{");
        put!(text, "{indent}    const size_t index = {index};");
        let every = u32::MAX >> (32 - self.nodes);
        put!(text, "{indent}    const unsigned special = skip[index >> 5] >> (index & 31u) & {every}u;");
        self.each().iter().for_each(|k| put!(text, "{indent}    lost{end}{k} = 0u;"));
        put!(text, "{indent}    if (special != 0u) {{");
        put!(text, "{indent}        // What comes from walls is what these nodes sent there.");
        for (k, at) in self.each().iter().enumerate() {
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
                let target = match self.rise(i).signum() {
                    0 => format!("{}{at}[{i}]", of.h),
                    1 => {
                        let n = self.directions(1).iter().position(|&up| up == i);
                        format!("{}{at}[{}]", of.rising, n.unwrap_or_default())
                    }
                    _ => {
                        let n = self.directions(-1).iter().position(|&down| down == i);
                        format!("back{end}{at}[{}]", n.unwrap_or_default())
                    }
                };
                let sent = format!("rebuild_{opposite}({}{at})", of.moments);
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
