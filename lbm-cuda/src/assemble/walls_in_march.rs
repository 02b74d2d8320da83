//! Nodes at walls within a march: what comes from a wall is what the node itself sent there, taken in the plane where it sends it.
//!
//! Only threads at a wall, or a plane above one, enter the statements for these; all others just ask. Populations that come up or
//! stay are put in the place of what was thought to come from the missing neighbour. Those that come down wait in shared memory
//! for the plane above, each thread's for itself, so that they take no registers; so do those that stay where others come from the
//! node's own row, which is rebuilt last. At faces of the box all follows from coordinates, which along the march are the same for
//! all planes; what solid nodes in the bulk take away, lists say. Solid nodes lose the population at rest, which says that they are
//! solid, and stay zero.
//!
//! Where several steps are done at once, the threads of a block wait for the slowest of them. So there what comes back from a side of the box at
//! rest is chosen where it is taken, without a statement more, and lists are looked up one plane before. Warps that no wall is near have a text without
//! walls, and those that only such sides are near one that chooses.

mod from_walls;
mod lists;

use lbm_core::Expression;

use super::at_faces::{AtFace, wall_faces};
use super::masks::MaskWord;
use super::pieces::Pieces;
use super::rebuilt::Becomes;
use super::scheme::{AXES, Scheme, each_of, position_at, put};
use super::shape::{Shape, is_later, kept, shared_bytes, words_begin};

/// What a march does about walls.
pub(super) struct WallsInMarch<'a> {
    pub(super) pieces: &'a Pieces<'a>,
    pub(super) scheme: &'a Scheme,
    /// The shape of the launch.
    pub(super) shape: Shape,
    /// Nodes side by side a thread.
    pub(super) nodes: usize,
    /// The axis of the march.
    pub(super) axis: usize,
    /// Which of the steps that are done at once this is.
    pub(super) step: usize,
    /// Values of the block's shared memory before those that wait here.
    pub(super) others: usize,
}

/// What a warp that does several steps at once may be near to, as far as its text depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Near {
    /// No wall.
    Nothing,
    /// Sides of the box at which threads choose what they take.
    Sides,
    /// Any walls.
    Walls,
}

/// A plane that a march meets, as expressions.
pub(super) struct AtPlane {
    /// Its coordinate.
    pub(super) along: String,
    /// Whether it is the first of the box, the last, or comes after the last.
    pub(super) first: String,
    pub(super) last: String,
    pub(super) after_last: String,
    /// How many planes below the one that was read last it is.
    pub(super) below: usize,
}

impl WallsInMarch<'_> {
    /// What the names of this step's variables end in.
    pub(super) fn end(&self) -> String {
        if self.shape.steps() == 1 { String::new() } else { format!("_{}", self.step) }
    }

    /// The component of a direction along the march.
    pub(super) fn rise(&self, i: usize) -> i32 {
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

    /// Whether a face is a side at which threads choose what they take.
    fn is_chosen(&self, face: &AtFace) -> bool {
        self.shape.steps() > 1 && face.axis() != self.axis && !face.moving
    }

    /// Whether the thread's column misses a direction at such a side, as a condition, if any has it.
    pub(super) fn at_side(&self, i: usize) -> Option<String> {
        let faces = self.faces().into_iter().filter(|face| self.is_chosen(face) && face.rank(i).is_some());
        let at: Vec<String> = faces.map(|face| format!("at_{}", face.name())).collect();
        match &at[..] {
            [] => None,
            [one] => Some(one.clone()),
            _ => Some(format!("({})", at.join(" || "))),
        }
    }

    /// Whether lists have nodes of which faces do not say all; without, no list is asked.
    pub(super) fn lists(&self) -> bool {
        self.pieces.box_walls().is_none_or(|walls| walls.elsewhere)
    }

    /// Whether what lists say beyond faces may be of walls that move.
    fn lists_move(&self) -> bool {
        self.pieces.box_walls().is_none_or(|walls| walls.moving)
    }

    /// Threads of a block.
    fn threads(&self) -> usize {
        self.shape.block.iter().product::<u32>() as usize
    }

    /// Values of the block's shared memory before those that wait for a step.
    fn before(&self, step: usize) -> usize {
        self.others + step * self.kept_before(self.pieces.q) * self.nodes * self.threads()
    }

    /// Values a node that wait of the directions before one.
    fn kept_before(&self, i: usize) -> usize {
        (0..i).map(|i| kept(self.pieces.facts, self.shape, i)).sum()
    }

    /// Bytes of shared memory of a block, those that serve others too.
    pub(super) fn bytes(&self) -> u32 {
        shared_bytes(self.pieces.facts, self.shape, self.others, self.lists()) as u32
    }

    /// Declares what all steps share: at which faces the column is, and where lists' words are remembered.
    pub(super) fn declared(&self) -> String {
        let mut text = String::new();
        let faces: Vec<AtFace> = self.faces().into_iter().filter(|face| face.axis() != self.axis).collect();
        for face in &faces {
            let holds = face.holds(AXES, &self.scheme.size, self.nodes);
            put!(text, "const bool at_{} = {holds};", face.name());
        }
        if let Some(entered) = self.beside(false) {
            put!(text, "const bool at_side = {entered};");
        }
        for (name, chosen) in [("beside_walls", false), ("beside_sides", true)] {
            if let Some(beside) = self.beside(chosen).filter(|_| self.shape.steps() > 1) {
                put!(text, "const bool {name} = __any_sync(0xffffffffu, {beside});");
            }
        }
        let [width, height, _] = self.shape.block;
        let thread = format!("threadIdx.x + {width}u * (threadIdx.y + {height}u * threadIdx.z)");
        put!(text, "const unsigned thread = {thread};");
        if self.lists() {
            let word = MaskWord::of(self.pieces.facts);
            let begin = words_begin(self.pieces.facts, self.before(self.shape.steps()));
            put!(text, "// Of the planes met last, a bit for each node that is solid or in lists.");
            put!(text, "unsigned special = 0u;");
            put!(text, "{word}* const lost_at = reinterpret_cast<{word}*>(exchange + {begin}u) + thread;");
        }
        text
    }

    /// Declares where what comes back down waits for the plane above.
    pub(super) fn waiting(&self) -> String {
        let mut text = String::new();
        let begin = self.before(self.step);
        put!(text, "real* const back{} = exchange + {begin}u + thread;", self.end());
        text
    }

    /// Where waits what comes back along a direction to node `k`: of the plane at hand, or of the one below it.
    pub(super) fn back(&self, i: usize, k: usize, below: bool) -> String {
        let half = self.nodes * self.threads();
        let place = self.kept_before(i) * half + k * self.threads();
        let half = match kept(self.pieces.facts, self.shape, i) {
            2 => format!(" + ({}number & 1u) * {half}u", if below { "~" } else { "" }),
            _ => String::new(),
        };
        format!("back{}[{place}u{half}]", self.end())
    }

    /// Whether what comes along a direction is at hand only later.
    fn is_later(&self, i: usize) -> bool {
        is_later(self.pieces.facts, self.shape, i)
    }

    /// The bits of the nodes at a plane, if there are lists.
    pub(super) fn special_at(&self, along: &str) -> Option<String> {
        let number = self.scheme.number(position_at(self.axis, Expression::name(along)), 1);
        let mask = u32::MAX >> (32 - self.nodes);
        self.lists().then(|| format!("bits_at(skip, {number}, {mask}u)"))
    }

    /// What a node of the thread's warp may be near to in any plane that all steps meet when that at `along` was read, each with the condition that
    /// it is and that it is near to nothing before.
    pub(super) fn nearest(&self, along: &str) -> Vec<(Near, String)> {
        let (planes, faces, mut near) = (2 * self.shape.steps(), self.faces(), Vec::new());
        if self.beside(false).is_some() {
            near.push("beside_walls".to_owned());
        }
        if faces.iter().any(|face| face.axis() == self.axis) {
            // From the last plane of the box to that of which the first one is the lowest.
            near.push(format!("({along} + 1u) % {} < {planes}u", self.scheme.size[self.axis]));
        }
        if self.lists() {
            near.push(format!("__any_sync(0xffffffffu, (special & {}u) != 0u)", (1u32 << planes) - 1));
        }
        let sides = self.beside(true).map(|_| (Near::Sides, "beside_sides".to_owned()));
        let walls = Some((Near::Walls, near.join(" || "))).filter(|_| !near.is_empty());
        walls.into_iter().chain(sides).collect()
    }

    /// Whether the thread's column is at a side of the box, of those at which it chooses or the others, as a condition, if there are any.
    fn beside(&self, chosen: bool) -> Option<String> {
        let faces = self.faces().into_iter().filter(|face| face.axis() != self.axis);
        let faces = faces.filter(|face| self.is_chosen(face) == chosen);
        let at: Vec<String> = faces.map(|face| format!("at_{}", face.name())).collect();
        Some(at.join(" || ")).filter(|_| !at.is_empty())
    }

    /// Whether a node of this thread may be at a wall in this plane or the one below it.
    fn near(&self, plane: &AtPlane) -> String {
        let (mut near, mut beside) = (Vec::new(), false);
        for face in self.faces().iter().filter(|face| !self.is_chosen(face)) {
            match face.face {
                face if face == 2 * self.axis => near.push(plane.first.clone()),
                face if face == 2 * self.axis + 1 => {
                    near.extend([plane.last.clone(), plane.after_last.clone()])
                }
                _ => beside = true,
            }
        }
        near.dedup();
        if beside {
            near.insert(0, "at_side".to_owned());
        }
        if self.lists() {
            let (mask, shift) = (u32::MAX >> (32 - 2 * self.nodes), plane.below * self.nodes);
            near.push(format!("(special >> {shift} & {mask}u) != 0u"));
        }
        near.join(" || ")
    }

    /// Whether a node of the plane is at this face, as a condition.
    fn at(&self, face: &AtFace, plane: &AtPlane) -> String {
        match face.face {
            face if face == 2 * self.axis => plane.first.clone(),
            face if face == 2 * self.axis + 1 => plane.last.clone(),
            _ => format!("at_{}", face.name()),
        }
    }

    /// The index of a node in the order x, y, z.
    fn index(&self, plane: &AtPlane, k: usize) -> String {
        let index = self.scheme.number(position_at(self.axis, Expression::name(plane.along.clone())), 1);
        if k == 0 { index.to_string() } else { format!("{index} + {k}u") }
    }

    /// Where what comes back along a direction to a node of a pack is put.
    pub(super) fn target(&self, i: usize, k: usize, at: &str) -> String {
        let (end, sign) = (self.end(), self.rise(i).signum());
        // Among those that rise so.
        let n = self.directions(sign).iter().take_while(|&&other| other != i).count();
        match sign {
            0 if !self.is_later(i) => format!("h{end}{at}[{i}]"),
            1 => format!("rising{end}{at}[{n}]"),
            _ => self.back(i, k, false),
        }
    }

    /// Keeps solid nodes of the plane below at zero.
    pub(super) fn solid(&self, becomes: Becomes, below: usize, indent: &str) -> String {
        let (end, rest, mut text) = (self.end(), self.rest(), String::new());
        for (k, at) in each_of(self.nodes).enumerate().filter(|_| self.lists()) {
            let (special, lost) = (self.is_special(below + 1, k), self.lost(below + 1, k));
            put!(text, "{indent}if ({special} && ({lost} >> {rest} & 1u)) {{");
            for n in 0..becomes.values(self.pieces.facts) {
                put!(text, "{indent}    {}{end}{at}[{n}] = 0;", becomes.array());
            }
            put!(text, "{indent}}}");
        }
        text
    }
}
