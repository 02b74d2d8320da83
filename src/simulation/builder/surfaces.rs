//! Bodies whose surfaces have boundary rules, and patches of these.

use lbm_core::Variant;
use lbm_core::geometry::Shape;

use super::Builder;
use crate::simulation::bodies::Body;
use crate::simulation::problem::{Surface, SurfacePart, SurfacePatch};
use crate::simulation::rules::PlacedRule;

impl<V: Variant> Builder<V> {
    /// Makes the nodes solid whose centres a shape contains, and gives a boundary rule of links, such as [`Bouzidi`](crate::boundaries::Bouzidi),
    /// each link that the shape's surface cuts, with the distance from the node to it. The solver must be declared with the rule. The centre of
    /// node `[i, j, k]` is the point `[i + 1/2, j + 1/2, k + 1/2]`. Links from beyond the faces of the box stay what the faces say. A node that several bodies contain is that of the
    /// first solid without a rule, or else of the first surface.
    ///
    /// ```
    /// use lbm::core::geometry::Cylinder;
    /// use lbm::prelude::*;
    ///
    /// solver! { Stirred { lattice: D2Q9, collision: Trt, precision: F64, boundaries: [Bouzidi] } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let rod = Cylinder { from: [16.0, 16.0, 0.0], to: [16.0, 16.0, 1.0], radius: 5.3 };
    /// let turns = Bouzidi.with_at("velocity", |[x, y, _]| [-0.01 * (y - 16.0), 0.01 * (x - 16.0)]);
    /// let mut flow = Stirred::builder().size([32, 32]).viscosity(0.1).surface(rod, turns).build()?;
    /// flow.run(100)?;
    /// let beside = flow.velocity()?[22 + 32 * 16];
    /// assert!(beside[1] > 0.02, "{beside:?}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn surface(mut self, shape: impl Shape + 'static, rule: impl Into<PlacedRule>) -> Self {
        self.last_body = Some(Body::Surface(self.problem.surfaces.len()));
        self.problem.surfaces.push(Surface { shape: Box::new(shape), rule: rule.into() });
        self
    }

    /// A boundary rule of links at a part of the surface that was given last: at the links that meet the part which its file calls `name`, a solid of an STL
    /// file or a group of an OBJ file. Elsewhere the surface keeps its own rule. So a vessel has walls, inlets and outlets: a velocity enters by
    /// [`HalfWay`](crate::boundaries::HalfWay) or [`Bouzidi`](crate::boundaries::Bouzidi), a pressure holds an outlet by
    /// [`AntiBounceBack`](crate::boundaries::AntiBounceBack). By its name the patch is asked for the force on it ([`Simulation::force_on`](crate::simulation::Simulation::force_on)), the mass that goes through
    /// it ([`Simulation::mass_into`](crate::simulation::Simulation::mass_into)) and the pressure ([`Simulation::pressure_on`](crate::simulation::Simulation::pressure_on)).
    ///
    /// ```
    /// use lbm::core::geometry::{MeshBody, Shape, Surface};
    /// use lbm::prelude::*;
    ///
    /// solver! { Vessel { lattice: D3Q19, collision: Trt, precision: F64, boundaries: [HalfWay, AntiBounceBack] } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// // A bent pipe: the fluid is within, the patches of its mesh are `wall`, `inlet` and `outlet`.
    /// let pipe = MeshBody::TorusPipe.mesh(24)?.scaled(7.0).moved([20.0, 3.2, 6.0]);
    /// let mut vessel = Vessel::builder()
    ///     .size([40, 24, 12])
    ///     .viscosity(0.1)
    ///     .surface(Surface::of(pipe)?.complement(), HalfWay)
    ///     .surface_patch("inlet", HalfWay.with("velocity", [0.0, 0.01, 0.0]))
    ///     .surface_patch("outlet", AntiBounceBack)
    ///     .build()?;
    /// vessel.run(3000)?;
    /// // What enters leaves.
    /// let [enters, leaves] = ["inlet", "outlet"].map(|patch| vessel.mass_into(patch));
    /// let (enters, leaves) = (enters?, leaves?);
    /// assert!(enters < -0.3 && (enters + leaves).abs() < 1e-3 * leaves, "{enters} {leaves}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn surface_patch(self, name: &str, rule: impl Into<PlacedRule>) -> Self {
        self.surface_part(name, name, rule)
    }

    /// The same with a name of its own, where the file calls the part `part`: a patch cannot be named like a face of the box, such as `top`, or `geometry`.
    pub fn surface_part(self, name: &str, part: &str, rule: impl Into<PlacedRule>) -> Self {
        let part = SurfacePart::Named(part.to_owned());
        self.patch_of_surface(name, part, rule.into())
    }

    /// The same at the part of the surface that was given last which lies within a shape: where the wall cuts a link is a point of it.
    pub fn surface_patch_within(
        self,
        name: &str,
        within: impl Shape + 'static,
        rule: impl Into<PlacedRule>,
    ) -> Self {
        self.patch_of_surface(name, SurfacePart::Within(Box::new(within)), rule.into())
    }

    fn patch_of_surface(mut self, name: &str, part: SurfacePart, rule: PlacedRule) -> Self {
        let surface = self.problem.surfaces.len().checked_sub(1);
        self.problem.surface_patches.push(SurfacePatch { name: name.to_owned(), surface, part, rule });
        self
    }
}
