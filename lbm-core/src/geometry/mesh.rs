//! Triangle meshes: what surfaces in files are made of.

mod bodies;
mod budget;
mod condition;
mod doubled;
mod intersections;
mod obj;
mod orientation;
mod patch_extent;
mod read;
mod scan;
mod stl;
mod surface;
mod thin;
mod tree;
mod weld;
mod write;

use std::sync::Arc;

use super::shape::Bounds;
use super::vector::{Turn, cross, dot, length, minus, times};
use crate::error::Error;

pub use bodies::MeshBody;
pub use condition::Condition;
pub use patch_extent::PatchExtent;
pub use surface::Surface;
pub use thin::Thin;
use weld::Weld;
pub(super) use weld::check_names;

/// Patches, and regions, that a number of 16 bits names, 0 left out.
pub const MOST_NAMES: usize = u16::MAX as usize;

/// Triangles in space, each a part of a named patch. Corners of the same position are one vertex. The outer side of a triangle is that
/// from which its corners run counter-clockwise.
///
/// A file's lengths are what they are; [`scaled`](Mesh::scaled), [`rotated`](Mesh::rotated) and [`moved`](Mesh::moved) bring it to lattice
/// units and to its place, and [`Surface`] makes a [`Shape`](super::Shape) of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    soup: Soup,
    patches: Vec<u16>,
    names: Arc<Vec<String>>,
}

/// Triangles by the numbers of their corners.
#[derive(Clone, Debug, Default, PartialEq)]
struct Soup {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Soup {
    /// The corners of a triangle.
    fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex as usize])
    }

    /// A vector along the outer normal of a triangle, as long as its area.
    fn area_vector(&self, triangle: usize) -> [f64; 3] {
        let [a, b, c] = self.corners(triangle);
        times(0.5, cross(minus(b, a), minus(c, a)))
    }

    /// Whether a triangle has no area: it is no higher than its corners may be rounded by.
    fn is_flat(&self, triangle: usize) -> bool {
        let corners = self.corners(triangle);
        let [a, b, c] = corners;
        let farthest = corners.as_flattened().iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let longest = [minus(b, a), minus(c, b), minus(a, c)].map(length).into_iter().fold(0.0, f64::max);
        2.0 * length(self.area_vector(triangle)) <= ROUNDING * farthest * longest
    }

    /// The mean of a triangle's corners.
    fn middle(&self, triangle: usize) -> [f64; 3] {
        let [a, b, c] = self.corners(triangle);
        std::array::from_fn(|axis| (a[axis] + b[axis] + c[axis]) / 3.0)
    }
}

/// By what share of their distance from the origin points may be rounded, by several turns and more.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// The smallest box that holds points.
fn bounds_of(points: impl IntoIterator<Item = [f64; 3]>) -> Bounds {
    points.into_iter().fold(Bounds::NOWHERE, |bounds, p| bounds.union(Bounds { low: p, high: p }))
}

impl Mesh {
    /// A mesh of triangles by the positions of their corners, all of one patch.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a coordinate that is no number or beyond 1e30, or more vertices than 32 bits number.
    pub fn from_triangles(
        patch: &str,
        triangles: impl IntoIterator<Item = [[f64; 3]; 3]>,
    ) -> Result<Mesh, Error> {
        let mut weld = Weld::default();
        let patch = weld.patch(patch)?;
        triangles.into_iter().try_for_each(|corners| weld.push(corners, patch))?;
        Ok(weld.into_mesh())
    }

    /// Positions of the vertices.
    #[must_use]
    pub fn vertices(&self) -> &[[f64; 3]] {
        &self.soup.vertices
    }

    /// The numbers of each triangle's corners.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.soup.triangles
    }

    /// The patch of each triangle, a number among [`names`](Mesh::names).
    #[must_use]
    pub fn patches(&self) -> &[u16] {
        &self.patches
    }

    /// The names of the patches.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The positions of a triangle's corners.
    #[must_use]
    pub fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.soup.corners(triangle)
    }

    /// The smallest box that holds all of its triangles with an area: those without do nothing.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let with_area = (0..self.soup.triangles.len()).filter(|&triangle| !self.soup.is_flat(triangle));
        bounds_of(with_area.flat_map(|triangle| self.soup.corners(triangle)))
    }

    /// The area of each patch.
    #[must_use]
    pub fn areas(&self) -> Vec<f64> {
        self.extents().into_iter().map(|extent| extent.area).collect()
    }

    /// How large each patch is, and where.
    #[must_use]
    pub fn extents(&self) -> Vec<PatchExtent> {
        let mut extents = vec![PatchExtent::default(); self.names.len()];
        for (triangle, &patch) in self.patches.iter().enumerate() {
            extents[usize::from(patch)].add(self.soup.middle(triangle), self.soup.area_vector(triangle));
        }
        extents.into_iter().map(PatchExtent::finished).collect()
    }

    /// The volume that it encloses, if it is closed; negative if its outer side is the inner one.
    #[must_use]
    pub fn volume(&self) -> f64 {
        // About a point of its own, so that far away meshes lose no digits.
        let Some(&origin) = self.soup.vertices.first() else { return 0.0 };
        let cone = |triangle| {
            let at = minus(self.soup.middle(triangle), origin);
            dot(at, self.soup.area_vector(triangle)) / 3.0
        };
        (0..self.soup.triangles.len()).map(cone).sum()
    }

    /// All lengths times `factor`, about the origin. A negative factor also turns the sides.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Mesh {
        self.mapped(|point| times(factor, point))
    }

    /// Turned about the origin: about the x axis, then y, then z, by these angles in degrees, counter-clockwise as seen from the axis' end.
    #[must_use]
    pub fn rotated(self, degrees: [f64; 3]) -> Mesh {
        let turn = Turn::by(degrees);
        self.mapped(|point| turn.there(point))
    }

    /// Moved by `shift`.
    #[must_use]
    pub fn moved(self, shift: [f64; 3]) -> Mesh {
        self.mapped(|point| super::vector::plus(point, shift))
    }

    fn mapped(mut self, to: impl Fn([f64; 3]) -> [f64; 3]) -> Mesh {
        self.soup.vertices.iter_mut().for_each(|point| *point = to(*point));
        self
    }

    /// The triangles of both; patches of the same name become one.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for more vertices than 32 bits number, or more patches than [`MOST_NAMES`].
    pub fn joined(self, other: &Mesh) -> Result<Mesh, Error> {
        let mut weld = Weld::default();
        for mesh in [&self, other] {
            let patches: Vec<u16> =
                mesh.names.iter().map(|name| weld.patch(name)).collect::<Result<_, _>>()?;
            for (triangle, &patch) in mesh.patches.iter().enumerate() {
                weld.push(mesh.corners(triangle), patches[usize::from(patch)])?;
            }
        }
        Ok(weld.into_mesh())
    }

    /// The triangles of each patch that has some, with all names.
    fn by_patch(&self) -> Vec<(u16, Mesh)> {
        let mut order: Vec<usize> = (0..self.patches.len()).collect();
        order.sort_by_key(|&triangle| self.patches[triangle]);
        let same = |a: &usize, b: &usize| self.patches[*a] == self.patches[*b];
        let parts = order.chunk_by(same).map(|own| (self.patches[own[0]], self.part(own)));
        parts.collect()
    }

    /// Some of the triangles, with all names.
    fn part(&self, triangles: &[usize]) -> Mesh {
        let mut weld = Weld::default();
        for &triangle in triangles {
            weld.push(self.corners(triangle), self.patches[triangle])
                .expect("a part of a mesh has no more vertices than the whole");
        }
        Mesh { names: Arc::clone(&self.names), ..weld.into_mesh() }
    }
}
