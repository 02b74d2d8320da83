//! Vessels: bent and branching, generated at any scale.

use super::Geometry;
use super::primitives::RoundCone;
use super::shape::{Shape, Union};
use super::vessel_paths::{AORTA, Station, TREE, sweep};
use crate::domain::FaceRule;
use crate::error::Error;

/// Which vessel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VesselKind {
    /// A bent trunk along z with a narrow part and two branches that leave it and join it again: 93 x 161 x 442 nodes at scale 1, 0.65
    /// million of them fluid, porosity 0.098.
    Aorta,
    /// A trunk along x that divides into limbs and branches, which join again, with an aneurysm on the fork: 730 x 342 x 334 nodes
    /// at scale 1, 14.6 million of them fluid, porosity 0.175.
    Tree,
}

/// A generated vessel. Both ends of its trunk are open and meet around the box; everywhere else it is closed, with solid nodes at the
/// faces. So a flow can be driven by a body force along the trunk's axis with periodic faces.
///
/// After the aorta with coarctation and the cerebral aneurysm of Tomczak & Szafran, section 4.6: the same boxes, about as many
/// fluid nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vessel {
    /// Which one.
    pub kind: VesselKind,
    /// Lengths as a multiple of those of the paper's box: 0.15 to 10.
    pub scale: f64,
}

impl Vessel {
    /// The axis that the trunk runs along: 0, 1, 2 for x, y, z.
    #[must_use]
    pub fn axis(&self) -> usize {
        match self.kind {
            VesselKind::Aorta => 2,
            VesselKind::Tree => 0,
        }
    }

    /// Nodes of the box along x, y, z.
    #[must_use]
    pub fn size(&self) -> [usize; 3] {
        self.course().0.map(|length| (length * self.scale).round() as usize)
    }

    /// The faces for a flow that a body force drives: all periodic; beyond those across the trunk's axis is no fluid.
    #[must_use]
    pub fn faces(&self) -> [FaceRule; 6] {
        [FaceRule::Periodic; 6]
    }

    /// The nodes.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a scale outside of 0.15 to 10, or one for which memory does not suffice.
    pub fn geometry(&self) -> Result<Geometry, Error> {
        if !(0.15..=10.0).contains(&self.scale) {
            return Err(Error::out_of_range(
                "scale",
                self.scale,
                "0.15 to 10",
                "give 1 for the paper's size, 0.5 for half of it along each axis",
            ));
        }
        Geometry::of(self.size(), &self.lumen().complement())
    }

    /// The inside of the vessel, in lattice units.
    #[must_use]
    pub fn lumen(&self) -> Union<RoundCone> {
        Union(self.course().1.iter().flat_map(|course| sweep(course, self.scale)).collect())
    }

    fn course(&self) -> (&'static [f64; 3], &'static [&'static [Station]]) {
        match self.kind {
            VesselKind::Aorta => AORTA,
            VesselKind::Tree => TREE,
        }
    }
}
