//! Random packings of overlapping spheres.

use super::Geometry;
use super::primitives::Sphere;
use super::raster::Window;
use super::shape::Shape;
use crate::error::Error;
use crate::laws::SplitMix64;

/// Overlapping spheres at random places, solid, as many as bring the porosity nearest to a wanted one.
///
/// Centres are uniform in the box. The porosity falls with every sphere; the packing stops at the count whose porosity is
/// nearest to the wanted one. The same numbers give the same nodes on every machine.
///
/// Source: Tomczak & Szafran, section 4.6 (spheres of diameter 40 in 192^3, porosity 0.1 to 0.9).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spheres {
    /// In node spacings, at least 2, so that every sphere covers nodes.
    pub diameter: f64,
    /// The wanted share of fluid nodes, 0.001 to 1.
    pub porosity: f64,
    /// Which of the random packings.
    pub seed: u64,
    /// Whether a sphere that sticks out of a face comes in at the opposite one. Otherwise the face cuts it.
    pub periodic: bool,
}

impl Default for Spheres {
    /// Diameter 40, porosity 0.5, seed 1, periodic.
    fn default() -> Spheres {
        Spheres { diameter: 40.0, porosity: 0.5, seed: 1, periodic: true }
    }
}

/// A random packing: its nodes and what they were made of.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Packing {
    /// The nodes.
    pub geometry: Geometry,
    /// The centres of the spheres (lattice units), in the order in which they were placed.
    pub centres: Vec<[f64; 3]>,
}

impl Spheres {
    /// Packs a box of `size` nodes.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a diameter, a porosity or a size outside of its range, or if no node would be left fluid
    /// because the box is smaller than a sphere.
    pub fn pack(&self, size: [usize; 3]) -> Result<Packing, Error> {
        self.check()?;
        let mut geometry = Geometry::empty(size)?;
        let nodes = geometry.nodes();
        let wanted = self.porosity * nodes as f64;
        let mut random = SplitMix64::new(self.seed);
        let (mut centres, mut fluid) = (Vec::new(), nodes);
        let mut covered = Vec::new();
        while fluid as f64 > wanted {
            let centre = size.map(|n| random.between(0.0, 1.0) * n as f64);
            covered.clear();
            for image in self.images(size, centre) {
                cover(&mut geometry, image, &mut covered);
            }
            let left = fluid - covered.len();
            // The last sphere may lead further beyond the wanted porosity than the one before stayed away from it.
            if wanted - left as f64 > fluid as f64 - wanted {
                covered.iter().for_each(|&node| geometry.solid[node] = 0);
                break;
            }
            centres.push(centre);
            fluid = left;
        }
        geometry.require_fluid()?;
        Ok(Packing { geometry, centres })
    }

    fn check(&self) -> Result<(), Error> {
        if !(self.diameter >= 2.0 && self.diameter.is_finite()) {
            return Err(Error::out_of_range(
                "diameter",
                self.diameter,
                "at least 2 node spacings",
                "give the diameter of the spheres in node spacings, e.g. 40",
            ));
        }
        if !(0.001..=1.0).contains(&self.porosity) {
            return Err(Error::out_of_range(
                "porosity",
                self.porosity,
                "0.001 to 1",
                "give the wanted share of fluid nodes, e.g. 0.5",
            ));
        }
        Ok(())
    }

    /// The sphere and, in a periodic box, those of its images that reach into the box.
    fn images(&self, size: [usize; 3], centre: [f64; 3]) -> Vec<Sphere> {
        let radius = self.diameter / 2.0;
        let along = |axis: usize| -> Vec<f64> {
            let n = size[axis] as f64;
            let around = if self.periodic { (radius / n).ceil() as i64 } else { 0 };
            let places = (-around..=around).map(|k| centre[axis] + k as f64 * n);
            places.filter(|c| c + radius >= 0.0 && c - radius <= n).collect()
        };
        let [xs, ys, zs] = &[along(0), along(1), along(2)];
        let centres =
            zs.iter().flat_map(|&z| ys.iter().flat_map(move |&y| xs.iter().map(move |&x| [x, y, z])));
        centres.map(|centre| Sphere { centre, radius }).collect()
    }
}

/// Makes the nodes in a sphere solid and notes those that were fluid.
fn cover(geometry: &mut Geometry, sphere: Sphere, covered: &mut Vec<usize>) {
    let size = geometry.size;
    for ([y, z], xs) in (Window { low: [0; 3], size }).rows(&sphere.bounds()) {
        let row = size[0] * (y + size[1] * z);
        for node in sphere.row([y, z], xs).map(|x| row + x) {
            if geometry.solid[node] == 0 {
                geometry.solid[node] = 1;
                covered.push(node);
            }
        }
    }
}
