//! Which nodes of a box are solid: shapes, packings, vessels, surfaces of triangles, files, connected and named regions, and what tiles make of
//! them; how far along links the walls are.
//!
//! A [`Geometry`] holds one byte a node. Node (i, j, k) has its centre at (i + 1/2, j + 1/2, k + 1/2), in lattice units, so
//! that a wall half-way between two nodes lies at a whole number and a box of n nodes spans 0..n.
//!
//! ```
//! use lbm_core::geometry::{Geometry, Shape, Sphere};
//! use lbm_core::{Domain, FaceRule};
//!
//! let ball = Sphere { centre: [16.0; 3], radius: 8.0 };
//! let hollow = ball.minus(Sphere { centre: [16.0; 3], radius: 6.0 });
//! let geometry = Geometry::of([32; 3], &hollow)?;
//! assert!((geometry.porosity() - 0.9622).abs() < 2e-3);
//!
//! // The fluid within the shell cannot be reached from outside.
//! let mut geometry = geometry;
//! let neighbours = lbm_core::geometry::FACE_NEIGHBOURS;
//! assert_eq!(geometry.components(&neighbours, [true; 3]).sizes().len(), 2);
//! assert!(geometry.fill_unconnected(&neighbours, [true; 3]) > 0);
//!
//! let domain: Domain = geometry.into_domain([FaceRule::Periodic; 6])?;
//! assert!(domain.is_solid([16, 16, 16]));
//! # Ok::<(), lbm_core::Error>(())
//! ```

mod arrays;
mod combined;
mod components;
mod files;
mod mesh;
mod nrrd;
mod order_search;
mod orders;
mod placed;
mod placement;
mod primitives;
mod propagation;
mod raster;
mod regions;
mod shape;
mod spheres;
mod tile_origins;
mod tiles;
mod transactions;
mod vector;
mod vessels;
mod wall_distance;

use crate::domain::{Domain, FaceRule, Portion, shown};
use crate::error::Error;
use crate::parallel::each_chunk;

pub use arrays::{SphereArray, SphereLattice};
pub use combined::{Complement, Difference, Intersection, Union};
pub use components::{Components, FACE_NEIGHBOURS};
pub use mesh::{Condition, MOST_NAMES, Mesh, MeshBody, PatchExtent, Surface, Thin};
pub use nrrd::MOST_PACKED;
pub use order_search::best_order;
pub use orders::{TILE_EDGE, TILE_NODES, TileOrder};
pub use placed::VoxelPlacement;
pub use placement::{PlacedShape, ShapePlacement};
pub use primitives::{Cuboid, Cylinder, Predicate, RoundCone, Sphere};
pub use propagation::{POLES, PropagationModel, PropagationPoint, Residuals};
pub(crate) use raster::paint_cells;
pub use raster::{Raster, Window};
pub use regions::Regions;
pub use shape::{Bounds, Hit, Shape};
pub use spheres::{Packing, Spheres};
pub(crate) use tile_origins::count_origins;
pub use tile_origins::{OriginCount, tile_origins};
pub use tiles::{TileStatistics, Tiling};
pub use transactions::SlotAccesses;
pub use vessels::{Vessel, VesselKind};
pub use wall_distance::WallDistances;

/// The nodes of a box, each fluid or solid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    size: [usize; 3],
    solid: Vec<u8>,
}

impl Geometry {
    /// A box of `size` nodes (x, y, z; 1 along axes that the lattice has not), all fluid.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if a size is 0, or if one byte a node is more than memory holds.
    pub fn empty(size: [usize; 3]) -> Result<Geometry, Error> {
        let nodes = checked_nodes(size)?;
        let mut solid = Vec::new();
        solid.try_reserve_exact(nodes).map_err(|_| too_many(size))?;
        solid.resize(nodes, 0);
        Ok(Geometry { size, solid })
    }

    /// A box of `size` nodes in which those with their centre in `solid` are solid.
    ///
    /// # Errors
    /// As [`Geometry::empty`].
    pub fn of(size: [usize; 3], solid: &(impl Shape + ?Sized)) -> Result<Geometry, Error> {
        let mut geometry = Geometry::empty(size)?;
        geometry.add(solid);
        Ok(geometry)
    }

    /// A box from one byte a node in the order x, y, z: 0 fluid, else solid.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if a size is 0, [`Error::Conflict`] if there are more or fewer bytes than nodes.
    pub fn from_nodes(size: [usize; 3], mut solid: Vec<u8>) -> Result<Geometry, Error> {
        let nodes = checked_nodes(size)?;
        if solid.len() != nodes {
            let (found, size) = (solid.len(), shown(size));
            return Err(Error::conflict(
                format!("{found} bytes do not fill a box of {size}, which has {nodes} nodes"),
                "give one byte for each node, in the order x, y, z, or another size",
            ));
        }
        each_chunk(&mut solid, 1 << 20, |_, part| {
            part.iter_mut().for_each(|flag| *flag = u8::from(*flag != 0))
        });
        Ok(Geometry { size, solid })
    }

    /// A box of one plane from the brightness of a picture's pixels, row after row from the top: dark ones (below 128) are
    /// solid. y points upwards, so the picture's last row is y = 0.
    ///
    /// # Errors
    /// As [`Geometry::from_nodes`].
    pub fn from_mask(width: usize, height: usize, brightness: &[u8]) -> Result<Geometry, Error> {
        let size = [width, height, 1];
        checked_nodes(size)?;
        let rows = brightness.chunks(width).rev();
        Geometry::from_nodes(size, rows.flatten().map(|&pixel| u8::from(pixel < 128)).collect())
    }

    /// Makes the nodes with their centre in `shape` solid, too.
    pub fn add(&mut self, shape: &(impl Shape + ?Sized)) {
        raster::paint(self.size, &mut self.solid, shape);
    }

    /// Makes the nodes with their centre in `shape` fluid.
    pub fn subtract(&mut self, shape: &(impl Shape + ?Sized)) {
        paint_cells(&Portion::whole(self.size), &mut self.solid, shape, |flag| *flag = 0);
    }

    /// The box with solid and fluid exchanged.
    #[must_use]
    pub fn inverted(mut self) -> Geometry {
        each_chunk(&mut self.solid, 1 << 20, |_, part| part.iter_mut().for_each(|flag| *flag ^= 1));
        self
    }

    /// Nodes along x, y, z.
    #[must_use]
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// Nodes of the box.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.solid.len()
    }

    /// One byte a node in the order x, y, z: 0 fluid, 1 solid.
    #[must_use]
    pub fn solid(&self) -> &[u8] {
        &self.solid
    }

    /// Whether a node is solid. What lies outside of the box is.
    #[must_use]
    #[inline]
    pub fn is_solid(&self, position: [usize; 3]) -> bool {
        let [x, y, z] = position;
        let [nx, ny, nz] = self.size;
        x >= nx || y >= ny || z >= nz || self.solid[x + nx * (y + ny * z)] != 0
    }

    /// How many nodes are fluid.
    #[must_use]
    pub fn fluid_nodes(&self) -> usize {
        let solid: usize = self.solid.chunks(255).map(|part| usize::from(part.iter().sum::<u8>())).sum();
        self.nodes() - solid
    }

    /// Fluid nodes as a share of all.
    #[must_use]
    pub fn porosity(&self) -> f64 {
        self.fluid_nodes() as f64 / self.nodes() as f64
    }

    /// The positions of the fluid nodes, in the order x, y, z.
    pub fn fluid_positions(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let [nx, ny, _] = self.size;
        self.solid.chunks(nx).enumerate().flat_map(move |(row, flags)| {
            let fluid = flags.iter().enumerate().filter(|&(_, &flag)| flag == 0);
            fluid.map(move |(x, _)| [x, row % ny, row / ny])
        })
    }

    /// That a flow can be run here: at least one node is fluid.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if all nodes are solid.
    pub fn require_fluid(&self) -> Result<(), Error> {
        if self.solid.contains(&0) {
            return Ok(());
        }
        Err(Error::out_of_range(
            "fluid nodes",
            format!("0 of {}", self.nodes()),
            "at least one node is fluid",
            "make the solid shape smaller, or exchange solid and fluid with `complement`",
        ))
    }

    /// The box with these faces, its solid nodes walls at rest. A box without solids gets no flags. No byte is copied.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if all nodes are solid.
    pub fn into_domain(self, faces: [FaceRule; 6]) -> Result<Domain, Error> {
        self.require_fluid()?;
        let open = Domain::periodic(self.size).with_faces(faces);
        match self.solid.contains(&1) {
            true => Ok(open.with_solids(self.solid, vec![[0.0; 3]])),
            false => Ok(open),
        }
    }
}

/// The number of nodes of a box, if it has any and memory has addresses for them.
fn checked_nodes(size: [usize; 3]) -> Result<usize, Error> {
    if size.contains(&0) {
        return Err(Error::out_of_range(
            "size",
            shown(size),
            "at least 1 node along each axis",
            "give 1 along axes that the lattice has not",
        ));
    }
    let nodes = size[0].checked_mul(size[1]).and_then(|plane| plane.checked_mul(size[2]));
    nodes.filter(|&nodes| isize::try_from(nodes).is_ok()).ok_or_else(|| too_many(size))
}

fn too_many(size: [usize; 3]) -> Error {
    let gib = size.iter().map(|&n| n as f64).product::<f64>() / f64::from(1 << 30);
    Error::out_of_range(
        "size",
        shown(size),
        format!("what memory holds at one byte a node; this box needs {gib:.1} GiB for its geometry alone"),
        "take fewer nodes",
    )
}

#[cfg(test)]
mod tests;
