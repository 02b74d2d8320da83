//! What fields are where a node has no fluid neighbour: beyond the faces of the box, and in solids.
//!
//! Fields that neighbours read lie in a box that is wider on each side by as far as they are read. Around the fluid its values are set after each pass:
//! beyond a periodic face to those of the nodes there; in a solid, and beyond a wall, to what the field's rule makes of the mean of the fluid nodes
//! beside; beyond a face with a boundary rule to that mean. So whoever reads a neighbour asks for no wall.

use std::collections::BTreeMap;

use super::Padded;
use crate::domain::{Domain, Upstream};

/// The places around the fluid that neighbours read, and what their values follow from.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Surroundings {
    /// The number of each place ([`Padded`]). Walls come last.
    pub places: Vec<u32>,
    /// Where the sources of each place begin, and behind the last one where they end.
    pub starts: Vec<u32>,
    /// The numbers of the fluid nodes that a value follows from.
    pub sources: Vec<u32>,
    /// What each of them counts.
    pub weights: Vec<f64>,
    /// The first place that is a wall's.
    pub first_wall: usize,
}

/// What lies at a place.
enum Found {
    /// A node of the fluid.
    Fluid([usize; 3]),
    /// A wall.
    Wall,
    /// What lies beyond a face with a boundary rule.
    Open,
}

impl Surroundings {
    /// Those of a box of which nodes so far away are read along each axis of the lattice.
    #[must_use]
    pub fn of(domain: &Domain, dimension: usize, reach: usize) -> Surroundings {
        let padded = Padded::new(domain.size, dimension, reach);
        let (mut others, mut walls) = (Vec::new(), Vec::new());
        each_around(domain, &padded, |place| match find(domain, place) {
            Found::Fluid(node) => others.push((place, vec![(node, 1.0)])),
            found => {
                let of = beside(domain, dimension, reach, place);
                if !of.is_empty() {
                    if matches!(found, Found::Wall) { &mut walls } else { &mut others }.push((place, of));
                }
            }
        });
        let first_wall = others.len();
        let mut all = Surroundings { first_wall, starts: vec![0], ..Surroundings::default() };
        for (place, of) in others.into_iter().chain(walls) {
            all.places.push(padded.place(place) as u32);
            for (node, weight) in of {
                all.sources.push(padded.number(node, [0; 3]) as u32);
                all.weights.push(weight);
            }
            all.starts.push(all.sources.len() as u32);
        }
        all
    }

    /// The sources of a place with what they count.
    pub fn sources_of(&self, n: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[n] as usize..self.starts[n + 1] as usize;
        self.sources[range.clone()]
            .iter()
            .map(|&source| source as usize)
            .zip(self.weights[range].iter().copied())
    }
}

/// Calls `each` for every place of the wider box that is no fluid node, in the order x, y, z.
fn each_around(domain: &Domain, padded: &Padded, mut each: impl FnMut([i64; 3])) {
    let [nx, ny, nz] = domain.size.map(|n| n as i64);
    let [mx, my, mz] = padded.margin().map(|n| n as i64);
    for z in -mz..nz + mz {
        for y in -my..ny + my {
            let is_in_box = (0..nz).contains(&z) && (0..ny).contains(&y);
            if !is_in_box {
                (-mx..nx + mx).for_each(|x| each([x, y, z]));
                continue;
            }
            (-mx..0).for_each(|x| each([x, y, z]));
            if !domain.flags.is_empty() {
                let is_solid = |&x: &i64| domain.is_solid([x as usize, y as usize, z as usize]);
                (0..nx).filter(is_solid).for_each(|x| each([x, y, z]));
            }
            (nx..nx + mx).for_each(|x| each([x, y, z]));
        }
    }
}

/// What lies at a place in the box or beside it.
fn find(domain: &Domain, place: [i64; 3]) -> Found {
    let clamped = std::array::from_fn(|axis| place[axis].clamp(0, domain.size[axis] as i64 - 1) as usize);
    let shift = std::array::from_fn(|axis| (place[axis] - clamped[axis] as i64) as i32);
    match domain.upstream(clamped, shift) {
        Upstream::Wall(face) if face < domain.faces.len() && domain.rule_at(face, clamped).is_some() => {
            Found::Open
        }
        Upstream::Wall(_) => Found::Wall,
        Upstream::Node(node) => Found::Fluid(node),
    }
}

/// The fluid nodes beside a place, with what each counts of their mean: the next ones along all directions by the weights of the product lattice; where
/// there are none, the nearest.
fn beside(domain: &Domain, dimension: usize, reach: usize, place: [i64; 3]) -> Vec<([usize; 3], f64)> {
    for far in 1..=reach as i64 {
        let mut near: BTreeMap<i64, Vec<([usize; 3], f64)>> = BTreeMap::new();
        for offset in offsets(dimension, far) {
            let at = std::array::from_fn(|axis| place[axis] + offset[axis]);
            if let Found::Fluid(node) = find(domain, at) {
                let weight: f64 =
                    offset[..dimension].iter().map(|&c| if c == 0 { 4.0 } else { 1.0 }).product();
                let distance = if far == 1 { 0 } else { offset.iter().map(|c| c * c).sum() };
                near.entry(distance).or_default().push((node, if far == 1 { weight } else { 1.0 }));
            }
        }
        if let Some((_, mut nearest)) = near.pop_first() {
            let all: f64 = nearest.iter().map(|(_, weight)| weight).sum();
            nearest.iter_mut().for_each(|(_, weight)| *weight /= all);
            return nearest;
        }
    }
    Vec::new()
}

/// All offsets whose largest component is `far`.
fn offsets(dimension: usize, far: i64) -> impl Iterator<Item = [i64; 3]> {
    let along = move |axis: usize| if axis < dimension { -far..=far } else { 0..=0 };
    let all = along(2).flat_map(move |z| along(1).flat_map(move |y| along(0).map(move |x| [x, y, z])));
    all.filter(move |offset| offset.iter().any(|c| c.abs() == far))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::FaceRule;

    #[test]
    fn places_around_the_fluid_follow_from_it() {
        let faces = [
            FaceRule::Periodic,
            FaceRule::Periodic,
            FaceRule::WALL,
            FaceRule::Rule(0),
            FaceRule::Periodic,
            FaceRule::Periodic,
        ];
        let mut domain = Domain::periodic([4, 3, 1]).with_faces(faces);
        domain.flags = vec![0; 12];
        domain.flags[5] = 1;
        domain.solids = vec![[0.0; 3]];
        let (around, padded) = (Surroundings::of(&domain, 2, 1), Padded::new(domain.size, 2, 1));
        assert_eq!((padded.nodes(), padded.of_node(0), padded.shifted(7, [1, -1, 0])), (30, 7, 2));
        let of = |place: [i64; 3]| {
            let n = around.places.iter().position(|&at| at as usize == padded.place(place)).unwrap();
            (n >= around.first_wall, around.sources_of(n).collect::<Vec<_>>())
        };
        let number = |x, y| padded.place([x, y, 0]);
        // Beyond a periodic face, at a corner of it beside a wall, beyond an open face.
        assert_eq!(of([-1, 1, 0]), (false, vec![(number(3, 1), 1.0)]));
        let all = [(number(3, 0), 1.0 / 6.0), (number(0, 0), 4.0 / 6.0), (number(1, 0), 1.0 / 6.0)];
        assert_eq!(of([0, -1, 0]), (true, all.to_vec()));
        assert_eq!(of([4, -1, 0]).1.len(), 3);
        assert!(!of([2, 3, 0]).0);
        // The solid node has eight fluid ones beside it.
        let (is_wall, sources) = of([1, 1, 0]);
        assert!(is_wall && sources.len() == 8);
        assert!((sources.iter().map(|(_, weight)| weight).sum::<f64>() - 1.0).abs() < 1e-15);
        // Two ends and four rows of six, and the solid node.
        assert_eq!(around.places.len(), 3 * 2 + 2 * 6 + 1);
    }
}
