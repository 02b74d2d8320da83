//! A mesh as a shape.

use std::sync::{Arc, OnceLock};

use super::super::raster::Raster;
use super::super::shape::{Bounds, Hit, Shape};
use super::condition::Condition;
use super::doubled;
use super::orientation::{Found, orient_and_close};
use super::patch_extent::PatchExtent;
use super::scan::{self, crossing, cut, least_count};
use super::tree::Tree;
use super::{Mesh, Soup, bounds_of};
use crate::error::Error;

/// The space that a mesh encloses, in lattice units: the points about which its generalised winding number is above 1/2.
///
/// Of triangles with the same corners one is kept, or none where as many face one side as the other: those cancel in the winding number.
/// Triangles whose outer side is not that of their neighbours, and parts that are inside out, are then turned; [`Surface::turned`] counts
/// them. Where a surface is closed the winding number is a whole number, counted along rows. Where it has holes it is counted with caps
/// over the holes, and the caps' own winding number is taken off again: so a hole is closed about as a soap film would. Nothing beyond the
/// box that holds the mesh is inside.
///
/// ```
/// use lbm_core::geometry::{Geometry, MeshBody, Shape, Sphere, Surface};
///
/// let mesh = MeshBody::Sphere.mesh(32)?.scaled(20.0).moved([16.0; 3]);
/// let surface = Surface::of(mesh)?;
/// assert!(surface.is_watertight() && surface.condition().warnings().is_empty());
/// let hollow = Geometry::of([32; 3], &surface.minus(Sphere { centre: [16.0; 3], radius: 8.0 }))?;
/// assert!(hollow.is_solid([16, 16, 25]) && !hollow.is_solid([16; 3]));
/// # Ok::<(), lbm_core::Error>(())
/// ```
///
/// Source: Jacobson, Kavan & Sorkine-Hornung, ACM Trans. Graph. 32 (2013) 33; Barill et al., ACM Trans. Graph. 37 (2018) 43.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The triangles, turned, and behind them those of the caps.
    pub(super) soup: Soup,
    /// How many of them are the mesh's.
    pub(super) triangles: usize,
    pub(super) bounds: Bounds,
    /// The lowest and the highest z of each triangle.
    pub(super) heights: Vec<[f64; 2]>,
    /// The caps, if there are some.
    pub(super) caps: Option<Tree>,
    /// Triangles of the mesh that were left out, since another one has their corners.
    pub(super) doubled: usize,
    patches: Vec<u16>,
    names: Arc<Vec<String>>,
    found: Found,
    tree: OnceLock<Tree>,
}

impl Surface {
    /// The surface of a mesh.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are no triangles.
    pub fn of(mesh: Mesh) -> Result<Surface, Error> {
        if mesh.triangles().is_empty() {
            return Err(Error::out_of_range("triangles", 0, "at least 1", "give a surface of triangles"));
        }
        let (bounds, Mesh { mut soup, mut patches, names }) = (mesh.bounds(), mesh);
        let doubled = doubled::leave_out(&mut soup, &mut patches);
        let triangles = soup.triangles.len();
        let found = orient_and_close(&mut soup);
        let heights = (0..soup.triangles.len()).map(|triangle| {
            let corners = soup.corners(triangle).map(|corner| corner[2]);
            [
                corners.into_iter().fold(f64::INFINITY, f64::min),
                corners.into_iter().fold(-f64::INFINITY, f64::max),
            ]
        });
        let heights = heights.collect();
        let caps = (soup.triangles.len() > triangles)
            .then(|| Tree::of(&soup, triangles as u32..soup.triangles.len() as u32));
        let tree = OnceLock::new();
        Ok(Surface { soup, triangles, bounds, heights, caps, doubled, patches, names, found, tree })
    }

    /// Triangles whose sides were exchanged.
    #[must_use]
    pub fn turned(&self) -> usize {
        self.found.turned
    }

    /// The same, whose parts have no names.
    #[must_use]
    pub fn without_names(self) -> Surface {
        Surface { names: Arc::default(), ..self }
    }

    /// How large the part of it is, and where, whose triangles have their middles in a shape.
    #[must_use]
    pub fn extent_within(&self, shape: &(impl Shape + ?Sized)) -> PatchExtent {
        let mut extent = PatchExtent::default();
        for triangle in (0..self.triangles).filter(|&triangle| shape.contains(self.soup.middle(triangle))) {
            extent.add(self.soup.middle(triangle), self.soup.area_vector(triangle));
        }
        extent.finished()
    }

    /// Whether every edge has as many triangles on one side as on the other, so that inside and outside are apart everywhere.
    #[must_use]
    pub fn is_watertight(&self) -> bool {
        self.found.open_edges == 0
    }

    /// All that can be wrong with it, counted.
    #[must_use]
    pub fn condition(&self) -> Condition {
        Condition::of(self, &self.found)
    }

    /// The generalised winding number about a point: 1 inside of a closed surface, 0 outside.
    #[must_use]
    pub fn winding(&self, point: [f64; 3]) -> f64 {
        self.tree().winding(&self.soup, point, None)
    }

    /// The tree of the mesh's own triangles, made when it is first asked for.
    pub(super) fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| Tree::of(&self.soup, 0..self.triangles as u32))
    }

    /// The winding number of the closed surface, counted along the row through a point.
    fn counted(&self, point: [f64; 3]) -> i32 {
        let [x, y, z] = point;
        let caps = (self.triangles..self.soup.triangles.len()).map(|triangle| triangle as u32);
        let mut count = 0;
        let mut ask = |triangle: u32| {
            let Some(segment) = cut(&self.soup, self.soup.triangles[triangle as usize], z) else { return };
            if (segment[0][1] <= y) != (segment[1][1] <= y) {
                let (at, change) = crossing(segment, y);
                count += if at - 0.5 <= x - 0.5 { change } else { 0 };
            }
        };
        caps.for_each(&mut ask);
        let meets = |bounds: &Bounds| {
            let within = |axis: usize| bounds.low[axis] <= point[axis] && point[axis] <= bounds.high[axis];
            within(1) && within(2)
        };
        self.tree().visit(meets, ask);
        count
    }
}

impl Shape for Surface {
    fn contains(&self, point: [f64; 3]) -> bool {
        let cap = self.caps.as_ref().map_or(0.0, |caps| caps.winding(&self.soup, point, None));
        self.bounds.contain(point) && self.counted(point) >= least_count(cap)
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn paint(&self, raster: &mut Raster<'_>) {
        scan::paint(self, raster);
    }

    fn hit(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        let (at, triangle) = self.tree().first_on(&self.soup, [from, to], None)?;
        Some(Hit { at, patch: self.patches[triangle as usize] })
    }

    fn left(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        // Triangles are met from either side.
        self.hit(from, to)
    }

    fn named_patches(&self) -> usize {
        self.names.len()
    }

    fn patch_name(&self, patch: u16) -> Option<&str> {
        self.names.get(usize::from(patch)).map(String::as_str)
    }
}

impl Mesh {
    /// The bodies that it consists of, each with a name: every patch that is closed by itself is one, and all others together are one of
    /// the name of the largest. Patches keep their numbers in all of them.
    ///
    /// # Errors
    /// As [`Surface::of`].
    pub fn bodies(self) -> Result<Vec<(String, Surface)>, Error> {
        let count = self.names.len();
        let mut closed = vec![false; count];
        let mut bodies = Vec::new();
        if count > 1 {
            for (patch, mesh) in self.by_patch() {
                let surface = Surface::of(mesh)?;
                if surface.is_watertight() {
                    closed[usize::from(patch)] = true;
                    bodies.push((self.names[usize::from(patch)].clone(), surface));
                }
            }
        }
        let areas = self.areas();
        let open = (0..count).filter(|&patch| !closed[patch]);
        let largest = open.max_by(|&a, &b| areas[a].total_cmp(&areas[b]));
        let rest = match bodies.is_empty() {
            true => self,
            false => {
                let is_open = |triangle: &usize| !closed[usize::from(self.patches[*triangle])];
                self.part(&(0..self.patches.len()).filter(is_open).collect::<Vec<_>>())
            }
        };
        if let Some(name) = largest.map(|largest| rest.names[largest].clone())
            && !rest.triangles().is_empty()
        {
            bodies.push((name, Surface::of(rest)?));
        }
        if bodies.is_empty() {
            // The mesh has no triangle; the error says so.
            Surface::of(Mesh::default())?;
        }
        Ok(bodies)
    }
}

impl Surface {
    /// The box of its triangle.
    pub(super) fn triangle_bounds(&self, triangle: usize) -> Bounds {
        bounds_of(self.soup.corners(triangle))
    }
}
