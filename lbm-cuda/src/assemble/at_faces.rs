//! Nodes at a face of the box behind which one wall stands: which of their directions come from it follows from coordinates, so
//! that no list is read for them. Where two such faces meet, and near solid nodes, lists say what comes from where.

use lbm_core::Expression;

use super::box_walls::{Beyond, through};
use super::masks::MaskWord;
use super::pieces::Pieces;
use super::scheme::{AXES, put};

/// A face behind which a wall stands.
pub(super) struct AtFace {
    /// Its number, which is the wall's.
    pub(super) face: usize,
    /// Whether the wall moves.
    pub(super) moving: bool,
    /// The directions that come from there, ascending.
    pub(super) directions: Vec<usize>,
}

/// The faces that a text knows of.
pub(super) fn wall_faces(pieces: &Pieces<'_>) -> Vec<AtFace> {
    let Some(walls) = pieces.box_walls() else { return Vec::new() };
    let face = |face: usize| AtFace {
        face,
        moving: walls.faces[face] == Beyond::Moving,
        directions: through(&pieces.facts.lattice, face),
    };
    walls.walls().map(face).collect()
}

impl AtFace {
    pub(super) fn axis(&self) -> usize {
        self.face / 2
    }

    /// Its name in a text.
    pub(super) fn name(&self) -> &'static str {
        ["west", "east", "south", "north", "bottom", "top"][self.face]
    }

    /// Which of its directions one is, if it is.
    pub(super) fn rank(&self, i: usize) -> Option<usize> {
        self.directions.iter().position(|&other| other == i)
    }

    /// Whether node `k` of a pack along x can be at it.
    pub(super) fn may_have(&self, k: usize, nodes: usize) -> bool {
        match self.face {
            0 => k == 0,
            1 => k + 1 == nodes,
            _ => true,
        }
    }

    /// Whether those nodes of a pack are at it which can be, where coordinates have these names.
    pub(super) fn holds(&self, names: [&str; 3], size: &[Expression; 3], nodes: usize) -> String {
        let name = names[self.axis()];
        match self.face {
            1 => format!("{name} + {nodes}u == {}", size[0]),
            face if face % 2 == 1 => format!("{name} + 1u == {}", size[self.axis()]),
            _ => format!("{name} == 0u"),
        }
    }

    /// Where what is kept of the first node of a pack begins, in a box of this size.
    pub(super) fn kept(&self, before: &[&AtFace], size: &[Expression; 3]) -> String {
        let [nx, ny, nz] = size;
        let area = |face: &AtFace| match face.axis() {
            0 => format!("(size_t){ny} * {nz}"),
            1 => format!("(size_t){nx} * {nz}"),
            _ => format!("(size_t){nx} * {ny}"),
        };
        let [x, y, z] = AXES;
        let place = match self.axis() {
            0 => format!("{y} + (size_t){ny} * {z}"),
            1 => format!("{x} + (size_t){nx} * {z}"),
            _ => format!("{x} + (size_t){nx} * {y}"),
        };
        let before = before.iter().map(|face| format!("{}u * {} + ", face.directions.len(), area(face)));
        before.collect::<String>() + &format!("{}u * ({place})", self.directions.len())
    }
}

/// Of the nodes of a pack from `index` on, a bit for each that lists know or that is solid. Where none is elsewhere, these are the
/// nodes at several faces, of which a text has said `at_west`, `at_east`, ...
pub(super) fn special(pieces: &Pieces<'_>, faces: &[AtFace], nodes: usize) -> String {
    match pieces.box_walls() {
        Some(walls) if !walls.elsewhere => at_several(faces, nodes),
        _ => format!("skip[index >> 5] >> (index & 31u) & {}u", u32::MAX >> (32 - nodes)),
    }
}

/// The statements for those nodes of a pack that lists know: `lost` says which of node `k`'s directions come from walls, `link` is the
/// first of these.
pub(super) fn listed(pieces: &Pieces<'_>, k: usize, indent: &str, statements: &str) -> String {
    let mut text = String::new();
    let node = if k == 0 { "index".to_owned() } else { format!("(index + {k}u)") };
    put!(text, "{indent}if (special >> {k} & linked[{node} >> 5] >> ({node} & 31u) & 1u) {{");
    put!(text, "{indent}    const unsigned number = number_linked(linked, ranks, {node});");
    put!(text, "{indent}    const {} lost = missing[number];", MaskWord::of(pieces.facts));
    put!(text, "{indent}    unsigned link = links[number];");
    text += statements;
    put!(text, "{indent}}}");
    text
}

fn at_several(faces: &[AtFace], nodes: usize) -> String {
    let node = |k: usize| {
        let at: Vec<String> = faces
            .iter()
            .filter(|face| face.may_have(k, nodes))
            .map(|face| format!("(at_{})", face.name()))
            .collect();
        let several = match at.len() {
            0 | 1 => "0u".to_owned(),
            _ => format!("(unsigned)({} > 1)", at.join(" + ")),
        };
        if k == 0 { several } else { format!("{several} << {k}") }
    };
    (0..nodes).map(node).collect::<Vec<_>>().join(" | ")
}
