//! Regular arrays of spheres: one periodic cell.

use std::f64::consts::PI;

use super::Geometry;
use super::combined::Union;
use super::primitives::Sphere;
use crate::domain::position;
use crate::error::Error;

/// Where the spheres of a cubic cell stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SphereLattice {
    /// One in the middle of the cell.
    SimpleCubic,
    /// One in the middle and one at the corners.
    BodyCentred,
}

impl SphereLattice {
    /// Spheres a cell.
    #[must_use]
    pub fn spheres(self) -> usize {
        match self {
            SphereLattice::SimpleCubic => 1,
            SphereLattice::BodyCentred => 2,
        }
    }

    /// The radius at which neighbours touch, in units of the cell's edge: 1/2, and sqrt(3)/4.
    #[must_use]
    pub fn touching_radius(self) -> f64 {
        match self {
            SphereLattice::SimpleCubic => 0.5,
            SphereLattice::BodyCentred => 3f64.sqrt() / 4.0,
        }
    }
}

/// One periodic cell of an infinite array of equal spheres, solid.
///
/// Source: Sangani & Acrivos, Int. J. Multiphase Flow 8 (1982) 343, who give the drag on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereArray {
    /// Where the spheres stand.
    pub lattice: SphereLattice,
    /// Nodes along an edge of the cell.
    pub edge: usize,
    /// The spheres' radius, in node spacings. Above [`touching_radius`](SphereLattice::touching_radius) they overlap.
    pub radius: f64,
}

impl SphereArray {
    /// The array whose spheres leave this share of space to the fluid, in the continuum; that of the nodes differs a little and is
    /// what [`Geometry::porosity`] tells.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if the spheres would overlap or vanish: porosity from 0.4764 (simple cubic) or 0.3199
    /// (body-centred) to below 1.
    pub fn with_porosity(lattice: SphereLattice, edge: usize, porosity: f64) -> Result<SphereArray, Error> {
        let volume = 4.0 / 3.0 * PI * lattice.spheres() as f64;
        let least = 1.0 - volume * lattice.touching_radius().powi(3);
        if !(porosity >= least && porosity < 1.0) {
            return Err(Error::out_of_range(
                "porosity",
                porosity,
                format!("from {least:.4}, where the spheres touch, to below 1"),
                "take a larger porosity, or give the radius of overlapping spheres",
            ));
        }
        let radius = ((1.0 - porosity) / volume).cbrt() * edge as f64;
        Ok(SphereArray { lattice, edge, radius })
    }

    /// The nodes of the cell.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for an edge of 0 nodes, a radius that is negative or not a number, or if no node is fluid.
    pub fn geometry(&self) -> Result<Geometry, Error> {
        if !(self.radius >= 0.0 && self.radius.is_finite()) {
            return Err(Error::out_of_range(
                "radius",
                self.radius,
                "0 or more node spacings",
                "give the radius of the spheres in node spacings",
            ));
        }
        let geometry = Geometry::of([self.edge; 3], &self.shape())?;
        geometry.require_fluid()?;
        Ok(geometry)
    }

    fn shape(&self) -> Union<Sphere> {
        let edge = self.edge as f64;
        let within: &[f64] = match self.lattice {
            SphereLattice::SimpleCubic => &[0.5],
            SphereLattice::BodyCentred => &[0.5, 0.0, 1.0],
        };
        // Images further away would need spheres that fill the cell.
        let cells = (0..27).map(|cell| position([3; 3], cell).map(|n| n as f64 - 1.0));
        let centres =
            cells.flat_map(|cell| within.iter().map(move |within| cell.map(|c| (c + within) * edge)));
        Union(centres.map(|centre| Sphere { centre, radius: self.radius }).collect())
    }
}
