//! Nodes at walls within a march: what comes from a wall is rebuilt from the node's own moments, in the plane where these are
//! at hand.
//!
//! Populations that come up or stay are put in the place of what was thought to come from the missing neighbour; those that
//! come down are kept until the plane above has been met. Solid nodes lose the population at rest, which says that they are
//! solid, and stay zero.

use lbm_core::Expression;

use super::at_faces::{AtFace, special, wall_faces};
use super::boundary::{from_neighbours, half_way, term};
use super::pieces::Pieces;
use super::scheme::{AXES, Scheme, each_of, extent_of, position_at, put};

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
        let faces = wall_faces(self.pieces);
        let mut names = AXES;
        names[self.axis] = plane;
        put!(text, "{indent}{{");
        for face in &faces {
            let holds = face.holds(names, &self.scheme.size, self.nodes);
            put!(text, "{indent}    const bool at_{} = {holds};", face.name());
        }
        put!(text, "{indent}    const size_t index = {index};");
        put!(text, "{indent}    const unsigned special = {};", special(self.pieces, &faces, self.nodes));
        for (k, at) in each_of(self.nodes).enumerate() {
            let here: Vec<&AtFace> = faces.iter().filter(|face| face.may_have(k, self.nodes)).collect();
            let masks = here.iter().map(|face| format!("(at_{} ? {}u : 0u)", face.name(), face.mask()));
            let masks: Vec<String> = masks.collect();
            let known = if masks.is_empty() { "0u".to_owned() } else { masks.join(" | ") };
            put!(text, "{indent}    lost{end}{at} = {known};");
            put!(text, "{indent}    if (lost{end}{at} != 0u || (special >> {k} & 1u)) {{");
            put!(text, "{indent}        // What comes from walls is what this node sent there.");
            put!(text, "{indent}        bool listed = false;");
            put!(text, "{indent}        unsigned link = 0u;");
            put!(text, "{indent}        if (special >> {k} & 1u) {{");
            let node = if k == 0 { "index".to_owned() } else { format!("(index + {k}u)") };
            put!(text, "{indent}            listed = linked[{node} >> 5] >> ({node} & 31u) & 1u;");
            put!(text, "{indent}            lost{end}{at} = 1u << {rest};");
            put!(text, "{indent}            if (listed) {{");
            put!(
                text,
                "{indent}                const unsigned number = number_linked(linked, ranks, {node});"
            );
            put!(text, "{indent}                lost{end}{at} = missing[number];");
            put!(text, "{indent}                link = links[number];");
            put!(text, "{indent}            }}");
            put!(text, "{indent}        }}");
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
                put!(text, "{indent}        if (lost{end}{at} >> {i} & 1u) {{");
                put!(text, "{indent}            {target} = {sent};");
                let of_list = half_way(self.pieces, &target, "link++", i);
                put!(text, "{indent}            if (listed) {target} = {of_list};");
                for face in here.iter().filter(|face| face.moving && face.rank(i).is_some()) {
                    let moved = term(self.pieces, &target, &(self.pieces.q * face.face + i).to_string());
                    put!(text, "{indent}            else if (at_{}) {target} = {moved};", face.name());
                }
                put!(text, "{indent}        }}");
            }
            put!(text, "{indent}    }}");
        }
        put!(text, "{indent}}}");
        text
    }
}
