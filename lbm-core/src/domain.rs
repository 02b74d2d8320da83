//! The box that a flow lives in: its size, its faces, its solid nodes.

mod drawable;
mod named;
mod portion;
mod ruled;
mod solids;

use std::ops::Range;

pub(crate) use portion::Piece;
pub use portion::Portion;
pub use ruled::{AppliedRule, RuledLink, RuledNode};
pub use solids::MOST_SOLIDS;

/// A face of the box, named by its axis and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Face {
    /// x = 0
    West,
    /// x = nx - 1
    East,
    /// y = 0
    South,
    /// y = ny - 1
    North,
    /// z = 0
    Bottom,
    /// z = nz - 1
    Top,
}

impl Face {
    /// All faces, in the order of [`index`](Face::index).
    pub const ALL: [Face; 6] = [Face::West, Face::East, Face::South, Face::North, Face::Bottom, Face::Top];

    /// Twice the axis, plus one at the upper end.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }

    /// 0, 1 or 2 for x, y, z.
    #[must_use]
    pub fn axis(self) -> usize {
        self as usize / 2
    }
}

/// What lies beyond a face.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum FaceRule {
    /// The opposite face; both faces of an axis must say so.
    #[default]
    Periodic,
    /// A half-way bounce-back wall, half a spacing beyond the last nodes, moving tangentially with this
    /// velocity (lattice units; zero for a wall at rest). Ladd's term 2 w rho0 c.u_w / c_s^2 with rho0 = 1.
    Wall {
        /// Velocity of the wall.
        velocity: [f64; 3],
    },
    /// A boundary rule: this entry of [`Domain::rules`]. What would come from beyond is first sent back as by a wall at rest, half
    /// a spacing beyond, and then set by the rule.
    Rule(usize),
    /// A rule at some nodes, another one or a half-way wall at rest at others: this entry of [`Domain::patches`].
    Patches(usize),
}

impl FaceRule {
    /// A wall at rest.
    pub const WALL: FaceRule = FaceRule::Wall { velocity: [0.0; 3] };
}

/// Where a population that would come from a neighbour comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upstream {
    /// From this fluid node.
    Node([usize; 3]),
    /// The neighbour is missing: a wall, whose velocity is entry number so-and-so of [`Domain::walls`].
    Wall(usize),
}

/// The box, in lattice units.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Domain {
    /// Nodes along x, y, z; 1 along axes that the lattice has not.
    pub size: [usize; 3],
    /// What lies beyond each face, by [`Face::index`].
    pub faces: [FaceRule; 6],
    /// Empty, or one byte a node of those of which it is known what they are ([`portion`](Domain::portion)), in the order x, y, z: 0 fluid, k > 0 solid, a part of number k - 1 of [`solids`](Domain::solids), or of what `pages` makes
    /// of it.
    pub flags: Vec<u8>,
    /// Empty where there are few solids, or a second byte a node: for each one `flags` counts 255 solids further on. Of fluid nodes it says nothing.
    pub pages: Vec<u8>,
    /// Velocities of the solids that `flags` and `pages` name; at most [`MOST_SOLIDS`].
    pub solids: Vec<[f64; 3]>,
    /// The rules that `faces` name. Where several meet in a node, what comes from beyond the faces of two
    /// is the first one's of those that hold [before walls](AppliedRule::before_walls); then comes a wall that stands beside, or the rule of a link there; then
    /// the first one of the others.
    pub rules: Vec<AppliedRule>,
    /// What stands at the nodes of faces that are made of patches, in the order x, y, z: 0 a half-way wall at rest, k > 0 entry k - 1 of
    /// [`rules`](Domain::rules).
    pub patches: Vec<Vec<u16>>,
    /// Links with rules of their own, ascending by node and direction. Those that are not there are half-way walls, or belong to the rule
    /// of a face.
    pub links: Vec<RuledLink>,
    /// Fluid nodes with rules of their own, ascending by node. These act when all that comes to the node is known, after rules of links and of
    /// faces; several of one node in this order.
    pub in_fluid: Vec<RuledNode>,
    /// Nodes that may become fluid though they are solid at first, where not all are stored: runs, ascending ([`keep_drawable`](Domain::keep_drawable)).
    pub drawable: Vec<Range<usize>>,
    /// The nodes of which it is known what they are, if these are not all.
    portion: Option<Portion>,
    /// Of a part that is cut across an axis its first own node along it: tiles begin there, so that few have nodes of others beside its own.
    pub(crate) seams: [Option<usize>; 3],
}

impl Domain {
    /// A fully periodic box without solids.
    #[must_use]
    pub fn periodic(size: [usize; 3]) -> Domain {
        Domain {
            size,
            faces: [FaceRule::Periodic; 6],
            flags: Vec::new(),
            pages: Vec::new(),
            solids: Vec::new(),
            rules: Vec::new(),
            patches: Vec::new(),
            links: Vec::new(),
            in_fluid: Vec::new(),
            drawable: Vec::new(),
            portion: None,
            seams: [None; 3],
        }
    }

    /// The same box with other faces.
    #[must_use]
    pub fn with_faces(self, faces: [FaceRule; 6]) -> Domain {
        Domain { faces, ..self }
    }

    /// The same box without rules at single links, for who has lists of its own of them.
    #[must_use]
    pub fn without_links(&self) -> Domain {
        Domain { links: Vec::new(), ..self.clone() }
    }

    /// Nodes of the box.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.size.iter().product()
    }

    /// The index of a node in the order x, y, z.
    #[must_use]
    #[inline]
    pub fn index(&self, position: [usize; 3]) -> usize {
        position[0] + self.size[0] * (position[1] + self.size[1] * position[2])
    }

    /// The node of an index.
    #[must_use]
    #[inline]
    pub fn position(&self, index: usize) -> [usize; 3] {
        position(self.size, index)
    }

    /// The node at a shift from another around the box, whatever its faces are.
    #[must_use]
    #[inline]
    pub fn around(&self, position: [usize; 3], shift: [i32; 3]) -> [usize; 3] {
        std::array::from_fn(|axis| {
            let at = position[axis] as i64 + i64::from(shift[axis]);
            let size = self.size[axis] as i64;
            (if (0..size).contains(&at) { at } else { at.rem_euclid(size) }) as usize
        })
    }

    /// The number of a node at a face among all that are there, in the order x, y, z.
    #[must_use]
    pub fn place_at(&self, face: usize, [x, y, z]: [usize; 3]) -> usize {
        let [nx, ny, _] = self.size;
        [y + ny * z, x + nx * z, x + nx * y][face / 2]
    }

    /// Whether a rule, an entry of [`rules`](Domain::rules), holds before walls beside its face.
    #[must_use]
    pub fn holds_before_walls(&self, rule: usize) -> bool {
        self.rules.get(rule).is_some_and(|rule| rule.before_walls)
    }

    /// The rule of a face at a node there, an entry of [`rules`](Domain::rules); none where a wall or the opposite face lies beyond.
    #[must_use]
    pub fn rule_at(&self, face: usize, position: [usize; 3]) -> Option<usize> {
        match self.faces[face] {
            FaceRule::Rule(number) => Some(number),
            FaceRule::Patches(number) => {
                usize::from(self.patches[number][self.place_at(face, position)]).checked_sub(1)
            }
            FaceRule::Periodic | FaceRule::Wall { .. } => None,
        }
    }

    /// Whether the box is periodic along an axis.
    #[must_use]
    pub fn is_periodic(&self, axis: usize) -> bool {
        matches!(self.faces[2 * axis], FaceRule::Periodic)
    }

    /// Whether all nodes are done alike: no neighbour is missing, since all faces are periodic and no node is solid, and no fluid node has a rule
    /// of its own.
    #[must_use]
    pub fn is_all_bulk(&self) -> bool {
        self.faces.iter().all(|face| matches!(face, FaceRule::Periodic))
            && self.flags.iter().all(|&flag| flag == 0)
            && self.in_fluid.is_empty()
    }

    /// The rules of their own of some nodes that follow each other.
    #[must_use]
    pub fn in_fluid_within(&self, nodes: Range<usize>) -> &[RuledNode] {
        let place = |node: usize| self.in_fluid.partition_point(|ruled| ruled.node < node);
        &self.in_fluid[place(nodes.start)..place(nodes.end)]
    }

    /// The links with rules of their own of a node.
    #[must_use]
    pub fn links_of(&self, node: usize) -> &[RuledLink] {
        let place = |node: usize| self.links.partition_point(|link| link.node < node);
        &self.links[place(node)..place(node + 1)]
    }

    /// Whether all upstream nodes of a node lie in the box, none beyond a face, and are fluid: the quick answer for most
    /// nodes.
    #[must_use]
    pub fn is_inner(&self, velocities: &[[i32; 3]], position: [usize; 3]) -> bool {
        let at = |c: &[i32; 3], axis: usize| position[axis] as i64 - i64::from(c[axis]);
        velocities.iter().all(|c| {
            (0..3).all(|axis| (0..self.size[axis] as i64).contains(&at(c, axis)))
                && !self.is_solid([at(c, 0) as usize, at(c, 1) as usize, at(c, 2) as usize])
        })
    }

    /// When the turn of a face is at a node there, where what comes from beyond several has one owner, the least: a rule that holds before walls, a wall at rest, one that
    /// moves, another rule, and among rules the first one. None of a periodic face.
    pub(crate) fn turn_at(&self, face: usize, position: [usize; 3]) -> Option<[usize; 2]> {
        match self.faces[face] {
            FaceRule::Periodic => None,
            FaceRule::Wall { velocity } => Some([1 + usize::from(velocity != [0.0; 3]), 0]),
            FaceRule::Rule(_) | FaceRule::Patches(_) => Some(match self.rule_at(face, position) {
                Some(rule) if self.holds_before_walls(rule) => [0, rule],
                Some(rule) => [3, rule],
                None => [1, 0],
            }),
        }
    }

    /// What lies at `position + shift`.
    ///
    /// A shift that leaves the box through two or three faces at once belongs to one of them: to a rule that holds [before walls](AppliedRule::before_walls) if
    /// there is one, else to a wall at rest (the fluid in a corner sticks to the still wall), else to a moving wall, else to another rule; of several rules to
    /// the first of [`rules`](Domain::rules), of several walls to the first in the order of [`Face::ALL`].
    #[must_use]
    pub fn upstream(&self, position: [usize; 3], shift: [i32; 3]) -> Upstream {
        let mut target = [0; 3];
        let mut wall: Option<([usize; 2], usize)> = None;
        for axis in 0..3 {
            let n = self.size[axis] as i64;
            let at = position[axis] as i64 + i64::from(shift[axis]);
            if (0..n).contains(&at) {
                target[axis] = at as usize;
                continue;
            }
            target[axis] = at.rem_euclid(n) as usize;
            let face = 2 * axis + usize::from(at >= n);
            let Some(last) = self.turn_at(face, position) else { continue };
            if wall.is_none_or(|(other, _)| last < other) {
                wall = Some((last, face));
            }
        }
        if let Some((_, face)) = wall {
            return Upstream::Wall(face);
        }
        match self.solid_at(self.index(target)) {
            Some(solid) => Upstream::Wall(self.faces.len() + solid),
            None => Upstream::Node(target),
        }
    }
}

/// The place of an index in a box of `size`, in the order x, y, z.
#[inline]
pub(crate) fn position([nx, ny, _]: [usize; 3], index: usize) -> [usize; 3] {
    [index % nx, index / nx % ny, index / nx / ny]
}

/// Every place in a box of `size`, in the order x, y, z.
pub(crate) fn positions([nx, ny, nz]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
}

/// A size as people write it.
pub(crate) fn shown([nx, ny, nz]: [usize; 3]) -> String {
    format!("{nx} x {ny} x {nz}")
}
