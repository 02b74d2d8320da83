//! Nodes at walls within a march: what comes from a wall is rebuilt from the node's own moments, in the plane where these are
//! at hand.
//!
//! At faces of the box that follows from coordinates, which along the march are the same for all planes; elsewhere lists say it.
//! Populations that come up or stay are put in the place of what was thought to come from the missing neighbour; those that
//! come down are kept until the plane above has been met. Solid nodes lose the population at rest, which says that they are
//! solid, and stay zero.

use lbm_core::Expression;

use super::at_faces::{AtFace, listed, special, wall_faces};
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

    /// The faces of the box that the text knows of.
    fn faces(&self) -> Vec<AtFace> {
        wall_faces(self.pieces)
    }

    /// Whether lists have nodes of which faces do not say all; without, no list is asked.
    fn lists(&self) -> bool {
        self.pieces.box_walls().is_none_or(|walls| walls.elsewhere)
    }

    /// The name of what says whether a node is at a face: of the plane at hand, or of the one below.
    fn at(&self, face: &AtFace) -> String {
        format!("at_{}{}", face.name(), self.end)
    }

    /// Declares at which faces the column is, and what is remembered of the plane below.
    pub(super) fn declared(&self) -> String {
        let (end, count, down) = (&self.end, extent_of(self.nodes), self.directions(-1).len());
        let mut text = String::new();
        for face in self.faces() {
            match face.axis() == self.axis {
                true => put!(text, "bool {} = false;", self.at(&face)),
                false => {
                    let holds = face.holds(AXES, &self.scheme.size, self.nodes);
                    put!(text, "const bool {} = {holds};", self.at(&face));
                }
            }
        }
        if self.lists() {
            let lost = if self.nodes == 1 { "0u" } else { "{}" };
            put!(text, "unsigned lost{end}{count} = {lost};");
        }
        put!(text, "real back{end}{count}[{}] = {{}};", down.max(1));
        text
    }

    /// Puts what comes back down to the nodes of the plane below in its place.
    pub(super) fn fallen(&self, indent: &str) -> String {
        let (end, mut text, faces) = (&self.end, String::new(), self.faces());
        for (k, at) in each_of(self.nodes).enumerate() {
            for (n, i) in self.directions(-1).into_iter().enumerate() {
                let crossed =
                    faces.iter().filter(|face| face.may_have(k, self.nodes) && face.rank(i).is_some());
                let mut missing: Vec<String> = crossed.map(|face| self.at(face)).collect();
                if self.lists() {
                    missing.push(format!("(lost{end}{at} >> {i} & 1u)"));
                }
                if !missing.is_empty() {
                    put!(text, "{indent}if ({}) h{end}{at}[{i}] = back{end}{at}[{n}];", missing.join(" || "));
                }
            }
        }
        text
    }

    /// Keeps solid nodes of the plane below at zero.
    pub(super) fn solid(&self, indent: &str) -> String {
        let (end, rest, mut text) = (&self.end, self.rest(), String::new());
        for k in each_of(self.nodes).filter(|_| self.lists()) {
            put!(text, "{indent}if (lost{end}{k} >> {rest} & 1u) {{");
            for n in 0..self.pieces.facts.body.moments {
                put!(text, "{indent}    after{end}{k}[{n}] = 0;");
            }
            put!(text, "{indent}}}");
        }
        text
    }

    /// Where what comes back along a direction to node `at` of a group is put.
    fn target(&self, i: usize, at: &str) -> String {
        let (end, sign) = (&self.end, self.rise(i).signum());
        // Among those that rise so.
        let n = self.directions(sign).iter().take_while(|&&other| other != i).count();
        match sign {
            0 => format!("h{end}{at}[{i}]"),
            1 => format!("rising{end}{at}[{n}]"),
            _ => format!("back{end}{at}[{n}]"),
        }
    }

    /// What comes back to the nodes of the plane at hand, of these moments, at `x`, `y`, `z`, where `plane` is the coordinate along
    /// the march.
    pub(super) fn bounce_back(&self, plane: &str, moments: &str, indent: &str) -> String {
        let (mut text, faces) = (String::new(), self.faces());
        let mut names = AXES;
        names[self.axis] = plane;
        for face in faces.iter().filter(|face| face.axis() == self.axis) {
            let holds = face.holds(names, &self.scheme.size, self.nodes);
            put!(text, "{indent}{} = {holds};", self.at(face));
        }
        for face in &faces {
            put!(text, "{indent}if ({}) {{", self.at(face));
            text += &self.from_face(face, &faces, moments, indent);
            put!(text, "{indent}}}");
        }
        if self.lists() {
            text += &self.from_lists(plane, moments, indent);
        }
        text
    }

    /// What comes back from a face. Where a direction crosses two at once it belongs to one of them, as in
    /// [`lbm_core::Domain::upstream`]: to one at rest, else to the first.
    fn from_face(&self, face: &AtFace, faces: &[AtFace], moments: &str, indent: &str) -> String {
        let mut text = String::new();
        for (k, at) in each_of(self.nodes).enumerate().filter(|(k, _)| face.may_have(*k, self.nodes)) {
            for &i in &face.directions {
                let (target, opposite) = (self.target(i, &at), self.pieces.facts.lattice.opposites[i]);
                let sent = format!("rebuild_{opposite}({moments}{at})");
                if !face.moving {
                    put!(text, "{indent}    {target} = {sent};");
                    continue;
                }
                let owns = |other: &&AtFace| {
                    let before = !other.moving || other.face < face.face;
                    before && other.rank(i).is_some() && other.may_have(k, self.nodes)
                };
                let others: Vec<String> =
                    faces.iter().filter(owns).map(|other| format!("!{}", self.at(other))).collect();
                let own =
                    if others.is_empty() { String::new() } else { format!("if ({}) ", others.join(" && ")) };
                let moved = term(self.pieces, &sent, &(self.pieces.q * face.face + i).to_string());
                put!(text, "{indent}    {own}{target} = {moved};");
            }
        }
        text
    }

    /// What comes back to nodes that find themselves in lists.
    fn from_lists(&self, plane: &str, moments: &str, indent: &str) -> String {
        let (end, rest, mut text) = (&self.end, self.rest(), String::new());
        let index = self.scheme.number(position_at(self.axis, Expression::name(plane)), 1);
        put!(text, "{indent}{{");
        put!(text, "{indent}    const size_t index = {index};");
        put!(
            text,
            "{indent}    const unsigned special = {};",
            special(self.pieces, &self.faces(), self.nodes)
        );
        each_of(self.nodes).for_each(|k| put!(text, "{indent}    lost{end}{k} = 0u;"));
        put!(text, "{indent}    if (special != 0u) {{");
        put!(
            text,
            "{indent}        // What comes from walls is what these nodes sent there; solid ones lose what rests."
        );
        for (k, at) in each_of(self.nodes).enumerate() {
            let mut come = String::new();
            put!(come, "{indent}            lost{end}{at} = lost;");
            for (i, opposite) in from_neighbours(self.pieces) {
                let back = half_way(self.pieces, &format!("rebuild_{opposite}({moments}{at})"), "link++", i);
                put!(come, "{indent}            if (lost >> {i} & 1u) {} = {back};", self.target(i, &at));
            }
            text += &listed(k, &format!("{indent}        "), &come);
            put!(text, "{indent}        else if (special >> {k} & 1u) lost{end}{at} = 1u << {rest};");
        }
        put!(text, "{indent}    }}");
        put!(text, "{indent}}}");
        text
    }
}
