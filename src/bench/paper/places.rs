//! The geometries of the tiles paper's experiments.

use lbm_core::Error;
use lbm_core::geometry::{Geometry, Spheres, Vessel, VesselKind};

/// A geometry and its place along a series.
pub(super) struct Place {
    pub(super) label: String,
    pub(super) at: f64,
    pub(super) geometry: Geometry,
}

/// A series of geometries.
#[derive(Clone, Copy, Debug)]
pub(super) enum Series {
    /// Cubes of fluid, by their edge.
    Cubes,
    /// Overlapping random spheres, by porosity.
    Spheres,
    /// Straight channels of a square section, of about as many nodes each, by their side.
    Channels,
    /// A branching vessel and a tree of vessels.
    Vessels,
}

impl Series {
    /// All of them: small ones, or those of the paper on a GPU.
    pub(super) fn all(self, on_gpu: bool) -> Result<Vec<Place>, Error> {
        let place = |label: String, at: f64, geometry: Geometry| Place { label, at, geometry };
        match self {
            Series::Cubes => {
                let edges: &[usize] = if on_gpu { &[32, 64, 100, 128, 192, 256] } else { &[16, 32, 48, 64] };
                let cube = |&edge: &usize| {
                    Ok(place(format!("cube of {edge}"), edge as f64, Geometry::empty([edge; 3])?))
                };
                edges.iter().map(cube).collect()
            }
            Series::Spheres => {
                let (edge, diameter) = if on_gpu { (192, 40.0) } else { (64, 40.0 / 3.0) };
                let packing = |tenths: usize| {
                    let porosity = tenths as f64 / 10.0;
                    let spheres = Spheres { diameter, porosity, ..Spheres::default() };
                    Ok(place(format!("porosity {porosity}"), porosity, spheres.pack([edge; 3])?.geometry))
                };
                (1..=9).rev().map(packing).collect()
            }
            Series::Channels => {
                let (sides, nodes): (&[usize], usize) = match on_gpu {
                    true => (&[4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 100], 1_000_000),
                    false => (&[4, 6, 8, 12, 16, 32], 32_768),
                };
                let channel = |&side: &usize| {
                    let long = (nodes / (side * side)).next_multiple_of(4).max(4);
                    // Its walls are the faces of the box; tiles begin at their corner.
                    let geometry = Geometry::empty([side, side, long])?;
                    Ok(place(format!("{side} x {side} x {long}"), side as f64, geometry))
                };
                sides.iter().map(channel).collect()
            }
            Series::Vessels => {
                let scale = if on_gpu { 1.0 } else { 0.25 };
                let vessels =
                    [(VesselKind::Aorta, "branching vessel"), (VesselKind::Tree, "tree of vessels")];
                let vessel = |(n, (kind, label)): (usize, (VesselKind, &str))| {
                    let geometry = Vessel { kind, scale }.geometry()?;
                    Ok(place(label.to_owned(), n as f64 + 1.0, geometry))
                };
                vessels.into_iter().enumerate().map(vessel).collect()
            }
        }
    }
}
