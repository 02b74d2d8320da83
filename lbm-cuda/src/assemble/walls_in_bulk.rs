//! Nodes at walls within a pass over nodes in any order: what comes back takes the place of what was thought to come from the
//! missing neighbour.
//!
//! At a face of the box that follows from coordinates. There a thread of one node, and the end of a pack whose neighbours along
//! x are missing, read from another address and nothing more; packs along a face read again. Nodes whose bit of `skip` is set
//! find themselves in lists. Solid nodes write nothing, or zero where they share a thread with others.

use lbm_core::{Access, Expression};

use super::at_faces::{AtFace, listed, special, wall_faces};
use super::boundary::{from_neighbours, from_wall, of_link, within_step};
use super::masks::{MaskWord, two_variables};
use super::pieces::Pieces;
use super::resource::{Parameter, Resource};
use super::rules;
use super::scheme::{AXES, Scheme, along_rows, each_of, put};

/// What a pass does about walls.
pub(super) struct WallsInBulk<'a> {
    pieces: &'a Pieces<'a>,
    scheme: &'a Scheme,
    nodes: usize,
    phase: usize,
    faces: Vec<AtFace>,
    /// Whether nodes may be listed that are not at several faces.
    elsewhere: bool,
}

impl<'a> WallsInBulk<'a> {
    pub(super) fn new(pieces: &'a Pieces<'a>, scheme: &'a Scheme, phase: usize) -> WallsInBulk<'a> {
        let elsewhere = pieces.box_walls().is_none_or(|walls| walls.elsewhere);
        WallsInBulk {
            pieces,
            scheme,
            nodes: pieces.plan.shape.nodes,
            phase,
            faces: wall_faces(pieces),
            elsewhere,
        }
    }

    /// What a kernel is handed beside.
    pub(super) fn parameters(pieces: &Pieces<'_>) -> Vec<Parameter> {
        let mut all = [&within_step(pieces)[..], &rules::parameters(pieces)].concat();
        if pieces.facts.keeps_sent {
            // Chosen between with populations: the compiler must not take it for memory of its own.
            all.push(Resource::Kept.shared());
        }
        all
    }

    /// Where the node left what comes back along direction `i`, unless that is kept beside.
    fn sent(&self, i: usize) -> Access {
        self.pieces.facts.sent(self.pieces.facts.lattice.opposites[i], self.phase)
    }

    /// Where it reads it in the midst of the box.
    fn read(&self, i: usize) -> Access {
        self.pieces.facts.read(i, self.phase)
    }

    /// What comes back may lie there.
    pub(super) fn accesses(&self) -> Vec<Access> {
        match self.pieces.facts.keeps_sent {
            true => Vec::new(),
            false => from_neighbours(self.pieces).map(|(i, _)| self.sent(i)).collect(),
        }
    }

    /// What node `k` of a pack sent along a direction, where that stays.
    pub(super) fn sent_of(&self, direction: usize, k: usize) -> String {
        format!("decode({})", self.sent_at(direction, k))
    }

    /// Where it lies.
    pub(super) fn sent_at(&self, direction: usize, k: usize) -> String {
        let at = self.own(self.pieces.facts.lattice.opposites[direction], k);
        format!("{}[{at}]", self.pieces.source())
    }

    /// Where node `k` of a pack finds it among the populations.
    fn own(&self, i: usize, k: usize) -> String {
        let access = self.sent(i);
        let within = k as i32 + access.shift[0];
        match self.nodes {
            1 => self.scheme.offset(access).to_string(),
            nodes if (0..nodes as i32).contains(&within) => {
                format!("{} + {within}u", self.scheme.offset(along_rows(access)))
            }
            _ => self.scheme.offset(access).to_string(),
        }
    }

    /// Where what comes back from a face lies.
    fn back(&self, face: &AtFace, i: usize, k: usize) -> String {
        if !self.pieces.facts.keeps_sent {
            return format!("{}[{}]", self.pieces.source(), self.own(i, k));
        }
        let rank = face.rank(i).expect("it comes from this face");
        // Of nodes side by side only one is at a face across x.
        let along = if face.axis() == 0 { 0 } else { k };
        format!("kept[kept_{} + {}u]", face.name(), face.directions.len() * along + rank)
    }

    /// Whether an address is chosen where a direction is read.
    fn chooses(&self, face: &AtFace, i: usize) -> bool {
        let end = match face.face {
            0 => self.read(i).shift[0] == -1,
            1 => self.read(i).shift[0] == 1,
            _ => false,
        };
        face.rank(i).is_some() && (self.nodes == 1 || end)
    }

    /// The place that is read for direction `i`, of which `at` is the one in the midst of the box.
    pub(super) fn chosen(&self, i: usize, at: &str) -> String {
        let mut text = format!("&{}[{at}]", self.pieces.source());
        for face in self.faces.iter().filter(|face| self.chooses(face, i)) {
            let k = if face.face == 1 { self.nodes - 1 } else { 0 };
            text = format!("at_{} ? &{} : {text}", face.name(), self.back(face, i, k));
        }
        text
    }

    /// Declares the first node's number, and at which faces nodes are; reads what comes back across x, where that is no address to choose.
    pub(super) fn declared(&self) -> String {
        let (mut text, size) = (String::new(), &self.scheme.size);
        put!(text, "const size_t index = {};", self.scheme.number(AXES.map(Expression::name), 1));
        for (n, face) in self.faces.iter().enumerate() {
            let name = face.name();
            put!(text, "const bool at_{name} = {};", face.holds(AXES, size, self.nodes));
            if self.pieces.facts.keeps_sent {
                let before: Vec<&AtFace> = self.faces[..n].iter().collect();
                put!(text, "const size_t kept_{name} = {};", face.kept(&before, size));
            }
        }
        for face in self.faces.iter().filter(|face| self.nodes > 1 && face.axis() == 0) {
            let (name, k) = (face.name(), if face.face == 1 { self.nodes - 1 } else { 0 });
            put!(text, "real back_{name}[{}] = {{}};", face.directions.len());
            put!(text, "if (at_{name}) {{");
            for (rank, &i) in face.directions.iter().enumerate().filter(|&(_, &i)| !self.chooses(face, i)) {
                put!(text, "    back_{name}[{rank}] = decode({});", self.back(face, i, k));
            }
            put!(text, "}}");
        }
        text
    }

    /// Puts what comes back in its place after all was read; declares `special` and `solid`, a bit a node: whether lists say what
    /// comes back, and whether it is solid.
    pub(super) fn met(&self) -> String {
        let mut text = String::new();
        put!(text, "// What comes back from walls is what these nodes sent there.");
        for face in &self.faces {
            let statements = self.met_at(face);
            if !statements.is_empty() {
                put!(text, "if (at_{}) {{", face.name());
                text += &statements;
                put!(text, "}}");
            }
        }
        put!(text, "const unsigned special = {};", special(self.pieces, &self.faces, self.nodes));
        if self.elsewhere {
            put!(text, "unsigned solid = 0u;");
        }
        put!(text, "if (special != 0u) {{");
        text += &self.met_in_lists();
        put!(text, "}}");
        text
    }

    /// What comes back to nodes that lists know. Each look waits for memory, so looks that do not depend on each other stand together.
    fn met_in_lists(&self) -> String {
        let (mut text, nodes, word) = (String::new(), self.nodes, MaskWord::of(self.pieces.facts));
        put!(text, "    const unsigned word = linked[index >> 5], before = ranks[index >> 5];");
        put!(text, "    const unsigned with_links = special & word >> (index & 31u);");
        put!(text, "    const unsigned number = before + __popc(word & ((1u << (index & 31u)) - 1u));");
        if self.elsewhere {
            put!(text, "    solid = special & ~with_links;");
        }
        let [lost, link] = ["lost", "link"].map(|name| format!("{name}[{nodes}] = {{}}"));
        put!(text, "    {}", two_variables([(&word.to_string(), &lost), ("unsigned", &link)]));
        for k in 0..nodes {
            let place = match k {
                0 => "number".to_owned(),
                _ => format!("number + __popc(with_links & {}u)", (1u32 << k) - 1),
            };
            put!(
                text,
                "    if (with_links >> {k} & 1u) lost[{k}] = missing[{place}], link[{k}] = links[{place}];"
            );
        }
        // The number of the link of direction i.
        let link = |k: usize, i: usize| format!("link[{k}] + {}", word.rank(&format!("lost[{k}]"), i));
        for (k, at) in each_of(nodes).enumerate() {
            for (i, _) in from_neighbours(self.pieces) {
                let sent = match self.pieces.facts.keeps_sent {
                    true => format!("kept[{}]", link(k, i)),
                    false => format!("{}[{}]", self.pieces.source(), self.own(i, k)),
                };
                put!(text, "    if (lost[{k}] >> {i} & 1u) h{at}[{i}] = decode({sent});");
            }
        }
        for (k, at) in each_of(nodes).enumerate() {
            for (i, _) in from_neighbours(self.pieces) {
                let back = of_link(self.pieces, &format!("h{at}[{i}]"), &link(k, i), i);
                put!(text, "    if (lost[{k}] >> {i} & 1u) h{at}[{i}] = {back};");
            }
        }
        text
    }

    /// What comes back to those nodes of a pack that are at a face, as far as it was not read already.
    fn met_at(&self, face: &AtFace) -> String {
        let (mut text, q) = (String::new(), self.pieces.q);
        for (k, at) in each_of(self.nodes).enumerate().filter(|(k, _)| face.may_have(*k, self.nodes)) {
            for (rank, &i) in face.directions.iter().enumerate() {
                let h = format!("h{at}[{i}]");
                match (self.chooses(face, i), face.axis()) {
                    (true, _) => {}
                    (false, 0) => put!(text, "    {h} = back_{}[{rank}];", face.name()),
                    (false, _) => put!(text, "    {h} = decode({});", self.back(face, i, k)),
                }
                if face.moving {
                    put!(text, "    {h} = {};", from_wall(self.pieces, &h, &(q * face.face + i).to_string()));
                }
            }
        }
        text
    }

    /// The condition under which all nodes of a thread are solid, if some may be.
    pub(super) fn all_solid(&self) -> Option<String> {
        self.elsewhere.then(|| format!("solid == {}u", u32::MAX >> (32 - self.nodes)))
    }

    /// Lets solid nodes that share a thread with others write zero.
    pub(super) fn emptied(&self) -> String {
        let mut text = String::new();
        if self.elsewhere && self.nodes > 1 {
            put!(text, "if (solid != 0u) {{");
            for (k, at) in each_of(self.nodes).enumerate() {
                put!(text, "    if (solid >> {k} & 1u) {{");
                (0..self.pieces.q).for_each(|i| put!(text, "        post{at}[{i}] = 0;"));
                put!(text, "    }}");
            }
            put!(text, "}}");
        }
        text
    }

    /// Keeps what goes into walls.
    pub(super) fn kept(&self) -> String {
        let mut text = String::new();
        if !self.pieces.facts.keeps_sent {
            return text;
        }
        let opposites = self.pieces.facts.lattice.opposites;
        put!(text, "// What goes into walls comes back in the next step.");
        for face in &self.faces {
            put!(text, "if (at_{}) {{", face.name());
            for (k, at) in each_of(self.nodes).enumerate().filter(|(k, _)| face.may_have(*k, self.nodes)) {
                for &i in &face.directions {
                    put!(text, "    {} = encode(post{at}[{}]);", self.back(face, i, k), opposites[i]);
                }
            }
            put!(text, "}}");
        }
        put!(text, "if (special != 0u) {{");
        for (k, at) in each_of(self.nodes).enumerate() {
            let mut go = String::new();
            for (i, opposite) in from_neighbours(self.pieces) {
                put!(go, "        if (lost >> {i} & 1u) kept[link++] = encode(post{at}[{opposite}]);");
            }
            text += &listed(self.pieces, k, "    ", &go);
        }
        put!(text, "}}");
        text
    }
}
