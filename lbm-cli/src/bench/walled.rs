//! The boxes with walls that are timed beside the periodic one.

use clap::ValueEnum;
use lbm_core::engine::Setup;
use lbm_core::geometry::Sphere;
use lbm_core::laws::SplitMix64;
use lbm_core::reference::Reference;
use lbm_core::{Domain, Engine, Error, FaceRule, Geometry};
use serde::Serialize;

use super::flow::{Flow, parameters};
use crate::variants::Entry;

/// What stands in the box that is timed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Walls {
    /// Nothing: the box is periodic along all axes
    #[default]
    Periodic,
    /// Walls on all sides, of which the one at the upper end of the last axis moves along x
    Lid,
    /// The same with 30 spheres at fixed places, as wide as an eighth of the shortest edge: 32 in 256^3
    Spheres,
    /// Walls at rest on all sides but along x
    Duct,
}

/// The lid's speed, lattice units.
const LID: f64 = 0.05;

/// Spheres of a box.
const SPHERES: usize = 30;

/// Longest edges of the square and of the cube in which bits are compared with the reference's.
const CHECKED: [usize; 2] = [256, 64];

/// Steps after which they are.
const CHECKED_STEPS: u64 = 6;

impl Walls {
    /// The box.
    ///
    /// # Errors
    /// As [`Geometry::into_domain`].
    pub(super) fn domain(self, dimension: usize, size: [usize; 3]) -> Result<Domain, Error> {
        let mut faces = [FaceRule::Periodic; 6];
        match self {
            Walls::Periodic => return Ok(Domain::periodic(size)),
            Walls::Duct => faces[2..2 * dimension].fill(FaceRule::WALL),
            Walls::Lid | Walls::Spheres => {
                faces[..2 * dimension].fill(FaceRule::WALL);
                faces[2 * dimension - 1] = FaceRule::Wall { velocity: [LID, 0.0, 0.0] };
            }
        }
        let mut geometry = Geometry::empty(size)?;
        if self == Walls::Spheres {
            spheres(dimension, size).iter().for_each(|sphere| geometry.add(sphere));
        }
        geometry.into_domain(faces)
    }

    /// The box in which bits are compared, as large as what is timed or, where that is too large for the reference, smaller.
    pub(super) fn checked_size(self, dimension: usize, size: [usize; 3]) -> [usize; 3] {
        size.map(|n| n.min(if dimension == 2 { CHECKED[0] } else { CHECKED[1] }))
    }
}

impl std::fmt::Display for Walls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Walls::Periodic => "periodic",
            Walls::Lid => "lid",
            Walls::Spheres => "spheres",
            Walls::Duct => "duct",
        })
    }
}

/// Spheres at places that are the same parts of every box; in two dimensions disks.
fn spheres(dimension: usize, size: [usize; 3]) -> Vec<Sphere> {
    let shortest = size[..dimension].iter().min().copied().unwrap_or(1);
    let mut random = SplitMix64::new(1);
    let mut centre = || {
        let place = size.map(|n| random.between(0.0, 1.0) * n as f64);
        if dimension == 2 { [place[0], place[1], 0.5] } else { place }
    };
    (0..SPHERES).map(|_| Sphere { centre: centre(), radius: shortest as f64 / 16.0 }).collect()
}

/// Whether an engine in such a box, made by `engine`, has the reference's bits in every fluid node after a few steps.
///
/// # Errors
/// Those of the engine and of the reference.
pub(super) fn verify<E: Engine + ?Sized>(
    entry: &Entry,
    walls: Walls,
    size: [usize; 3],
    engine: impl FnOnce(&Setup) -> Result<Box<E>, Error>,
) -> Result<bool, Error> {
    let setup = Setup::new(walls.domain(entry.facts.lattice.dimension, size)?, parameters(entry));
    let mut engine = engine(&setup)?;
    let mut reference = Reference::new(&entry.facts, &setup)?;
    let start = Flow::new(entry, size).populations();
    engine.set_populations(&start, 0)?;
    reference.set_populations(&start, 0)?;
    engine.run(CHECKED_STEPS)?;
    reference.run(CHECKED_STEPS)?;
    let [mut found, mut expected] = [vec![0.0; start.len()], vec![0.0; start.len()]];
    engine.populations(&mut found)?;
    reference.populations(&mut expected)?;
    let solid = |n: usize| setup.domain.flags.get(n % setup.domain.nodes()).is_some_and(|&flag| flag != 0);
    let same = |(n, (a, b)): (usize, (&f64, &f64))| solid(n) || a.to_bits() == b.to_bits();
    Ok(found.iter().zip(&expected).enumerate().all(same))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_have_the_walls_that_they_are_named_for() {
        let size = [32, 32, 32];
        let of = |walls: Walls| walls.domain(3, size).unwrap();
        let walls = |domain: &Domain| domain.faces.iter().filter(|face| **face != FaceRule::Periodic).count();
        let all = [Walls::Periodic, Walls::Lid, Walls::Spheres, Walls::Duct].map(of);
        assert_eq!(all.each_ref().map(walls), [0, 6, 6, 4]);
        assert!(all[1].faces[5] == FaceRule::Wall { velocity: [LID, 0.0, 0.0] } && all[3].is_periodic(0));
        // Thirty balls of radius 2, cut by faces and each other.
        let solid = size.iter().product::<usize>() - all[2].fluid_nodes();
        assert!((400..1000).contains(&solid), "{solid}");
        let flat = Walls::Spheres.domain(2, [64, 48, 1]).unwrap();
        assert!(walls(&flat) == 4 && flat.fluid_nodes() < 64 * 48);
        assert_eq!(
            Walls::Duct.domain(2, [8, 8, 1]).unwrap().faces[..4],
            [FaceRule::Periodic, FaceRule::Periodic, FaceRule::WALL, FaceRule::WALL]
        );
    }
}
