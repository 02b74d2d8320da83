//! Faces and patches of a case file.

use lbm_core::rules::Stands;
use lbm_core::{Face, FaceRule};

use super::known::Known;
use super::rules::{Stand, rule};
use super::shapes::placed_shape;
use super::table::{Item, Table, list, name, number, numbers, refused, table, text, unknown, vector};
use crate::cases::fault::Fault;
use crate::simulation::PlacedRule;

/// What lies beyond a face.
#[derive(Clone, Debug)]
pub(super) enum Side {
    /// The opposite face, or a wall.
    Plain(FaceRule),
    /// A rule.
    Rule(PlacedRule),
}

/// A part of a face.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    pub(super) name: String,
    pub(super) face: Face,
    /// The nodes that it takes.
    pub(super) nodes: Vec<[usize; 3]>,
    pub(super) rule: PlacedRule,
    /// Where it stands in the file.
    at: usize,
}

impl Patch {
    /// How many of the rules of whole faces stand before it in the file.
    pub(super) fn behind(&self, faces: &[(Face, Side, usize)]) -> usize {
        faces.iter().filter(|(_, side, at)| matches!(side, Side::Rule(_)) && *at < self.at).count()
    }
}

pub(super) const NAMES: [&str; 6] = ["west", "east", "south", "north", "bottom", "top"];

/// A face by its name.
pub(super) fn face(name: &str, at: usize, dimension: usize) -> Result<Face, Fault> {
    let known = &NAMES[..2 * dimension];
    let found = known.iter().position(|known| *known == name);
    found.map(|number| Face::ALL[number]).ok_or_else(|| unknown("face", name, at, known))
}

/// The axes along a face.
fn axes(face: Face, dimension: usize) -> Vec<usize> {
    (0..dimension).filter(|&axis| axis != face.axis()).collect()
}

/// The box as profiles see it: where what stands at its faces lies along each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Walls {
    pub(super) size: [usize; 3],
    low: [f64; 3],
    high: [f64; 3],
}

impl Walls {
    /// Those of the table `faces`, if there is one: a rule says how far beyond the nodes its wall lies, all else lies half a spacing beyond.
    pub(super) fn of(item: Option<&Item<'_>>, size: [usize; 3], known: &Known<'_>) -> Result<Walls, Fault> {
        let mut walls = Walls { size, low: [0.0; 3], high: size.map(|n| n as f64) };
        let Some(item) = item else { return Ok(walls) };
        for (name, at, item) in table(item)?.keys() {
            let face = face(name, at, known.dimension)?;
            // What a side lacks is said where it is read.
            let label = match table(item) {
                Ok(table) => table.get("name").and_then(|named| text(named).ok()),
                Err(_) => text(item).ok(),
            };
            let rule = known.rules.iter().find(|rule| label == Some(rule.name));
            let inward = 0.5 - rule.map_or(0.5, |rule| rule.beyond);
            match face.index().is_multiple_of(2) {
                true => walls.low[face.axis()] += inward,
                false => walls.high[face.axis()] -= inward,
            }
        }
        Ok(walls)
    }

    /// A whole face.
    pub(super) fn whole(&self, face: Face, dimension: usize) -> Stand {
        Stand::Rectangle { axes: axes(face, dimension), low: self.low, high: self.high }
    }
}

/// What stands at faces and patches of them: rules of their nodes, and of the links through them.
const AT_FACES: [Stands; 2] = [Stands::AtFaces, Stands::AtLinks];

/// The table `faces`, in the order of the file, in which rules hold where they meet, and where each stands there.
pub(super) fn faces(
    item: &Item<'_>,
    walls: &Walls,
    known: &Known<'_>,
) -> Result<Vec<(Face, Side, usize)>, Fault> {
    let side = |(name, at, item): (&str, usize, &Item<'_>)| {
        let face = face(name, at, known.dimension)?;
        let table = table(item).ok();
        let named = match &table {
            Some(table) => table.need("name", "name = \"wall\"")?,
            None => item,
        };
        let side = match text(named)? {
            "periodic" => Side::Plain(FaceRule::Periodic),
            "wall" => {
                let moves =
                    table.as_ref().map(|table| table.read("velocity", |v| vector(v, known.dimension, 0.0)));
                let velocity = moves.transpose()?.flatten().unwrap_or_default();
                Side::Plain(FaceRule::Wall { velocity })
            }
            _ => {
                let stand = walls.whole(face, known.dimension);
                return Ok((face, Side::Rule(rule(item, &AT_FACES, &stand, known)?), at));
            }
        };
        table.map_or(Ok(()), |table| table.finish())?;
        Ok((face, side, at))
    };
    table(item)?.keys().into_iter().map(side).collect()
}

/// The tables `patches`.
pub(super) fn patches(item: &Item<'_>, walls: &Walls, known: &Known<'_>) -> Result<Vec<Patch>, Fault> {
    list(item)?.into_iter().map(|item| patch(&table(item)?, walls, known)).collect()
}

fn patch(table: &Table<'_>, walls: &Walls, known: &Known<'_>) -> Result<Patch, Fault> {
    let name = name(table.need("name", "name = \"inlet\"")?, "patch")?.to_owned();
    let beside = table.need("face", "face = \"west\"")?;
    let face = face(text(beside)?, beside.span().start, known.dimension)?;
    let (stand, nodes) = extent(table, face, walls, known)?;
    let placed = rule(table.need("rule", "rule = \"zou-he-pressure\"")?, &AT_FACES, &stand, known)?;
    table.finish()?;
    Ok(Patch { name, face, nodes, rule: placed, at: table.at() })
}

/// Which nodes a patch takes: a rectangle from `low` to `high`, a disk of `centre` and `radius`, or what a `shape` holds.
fn extent(
    table: &Table<'_>,
    face: Face,
    walls: &Walls,
    known: &Known<'_>,
) -> Result<(Stand, Vec<[usize; 3]>), Fault> {
    let (size, dimension) = (walls.size, known.dimension);
    let axes = axes(face, dimension);
    let along = |item: &Item<'_>| {
        let given = numbers(item)?;
        if given.len() != axes.len() {
            let what = format!("this value has {} numbers, {} are needed", given.len(), axes.len());
            return Err(refused(item, what, "give one an axis along the face, in the order x, y, z"));
        }
        let mut point = [0.0; 3];
        axes.iter().zip(given).for_each(|(&axis, value)| point[axis] = value);
        Ok(point)
    };
    let [low, high, centre] = ["low", "high", "centre"].map(|key| table.get(key));
    let (radius, shape) = (table.get("radius"), table.get("shape"));
    let stand = match (low, high, centre, radius, shape) {
        (Some(bottom), Some(top), None, None, None) => {
            let (low, high) = (along(bottom)?, along(top)?);
            if axes.iter().any(|&axis| low[axis] >= high[axis]) {
                return Err(refused(top, "`high` is not above `low`", "exchange them"));
            }
            let (below, above) =
                (|&&axis: &&usize| low[axis] < 0.0, |&&axis: &&usize| high[axis] > size[axis] as f64);
            let beyond = [(bottom, axes.iter().find(below)), (top, axes.iter().find(above))];
            if let Some((item, axis)) = beyond.into_iter().find_map(|(item, axis)| Some((item, *axis?))) {
                let (name, end) = (["x", "y", "z"][axis], size[axis]);
                let what = format!(
                    "the patch goes beyond the nodes at the face, which lie in 0 to {end} along {name}"
                );
                return Err(refused(item, what, "end it where the face ends"));
            }
            Stand::Rectangle { axes: axes.clone(), low, high }
        }
        (None, None, Some(centre), Some(length), None) => {
            let radius = number(length)?;
            if radius <= 0.0 {
                return Err(refused(length, format!("the radius {radius} is not above 0"), "raise it"));
            }
            Stand::Disk { axes: axes.clone(), centre: along(centre)?, radius }
        }
        // Known once its nodes are.
        (None, None, None, None, Some(_)) => Stand::Body,
        _ => {
            let what = "a patch is a rectangle (`low`, `high`), a disk (`centre`, `radius`) or a `shape`";
            return Err(Fault::new(Some(table.at()), what, "write, for example, low = 8, high = 12"));
        }
    };
    let shape = shape.map(|item| placed_shape(table, item, known)).transpose()?.map(|said| said.shape);
    let takes = |node: &[usize; 3]| {
        let point = node.map(|at| at as f64 + 0.5);
        match (&shape, &stand) {
            (Some(shape), _) => shape.contains(point),
            (None, Stand::Rectangle { axes, low, high }) => {
                axes.iter().all(|&axis| low[axis] <= point[axis] && point[axis] < high[axis])
            }
            (None, Stand::Disk { axes, centre, radius }) => {
                axes.iter().map(|&axis| (point[axis] - centre[axis]).powi(2)).sum::<f64>() < radius * radius
            }
            (None, Stand::Layer { .. } | Stand::Body | Stand::Start) => false,
        }
    };
    let mut cut = size;
    cut[face.axis()] = 1;
    let end = if face.index().is_multiple_of(2) { 0 } else { size[face.axis()] - 1 };
    let nodes = crate::simulation::positions(cut).map(|mut node| {
        node[face.axis()] = end;
        node
    });
    let nodes: Vec<[usize; 3]> = nodes.filter(takes).collect();
    let stand = if shape.is_some() { around(&nodes, axes) } else { stand };
    Ok((stand, nodes))
}

/// Nodes at a face as profiles see them, whose axes these are: the rectangle that they fill, or else a disk about their middle of as many nodes; along one
/// axis all from the first to the last.
fn around(nodes: &[[usize; 3]], axes: Vec<usize>) -> Stand {
    let (mut low, mut high) = ([f64::INFINITY; 3], [0.0f64; 3]);
    let mut centre = [0.0; 3];
    for node in nodes {
        for (axis, &at) in node.iter().enumerate() {
            low[axis] = low[axis].min(at as f64);
            high[axis] = high[axis].max(at as f64 + 1.0);
            centre[axis] += (at as f64 + 0.5) / nodes.len() as f64;
        }
    }
    let filled: f64 = axes.iter().map(|&axis| high[axis] - low[axis]).product();
    match axes.len() > 1 && filled > nodes.len() as f64 {
        true => Stand::Disk { axes, centre, radius: (nodes.len() as f64 / std::f64::consts::PI).sqrt() },
        false => Stand::Rectangle { axes, low, high },
    }
}
