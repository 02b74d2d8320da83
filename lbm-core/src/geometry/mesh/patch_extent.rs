//! How large the patches of a mesh are, and where.

use super::super::vector::{length, plus, times};

/// A patch of a mesh as a whole, in the units of its vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PatchExtent {
    /// How many triangles it has.
    pub triangles: usize,
    /// The sum of their areas.
    pub area: f64,
    /// Their mean, weighed by area.
    pub middle: [f64; 3],
    /// Its mean outer normal times its area, which is as long as `area` where the patch is flat.
    pub normal: [f64; 3],
}

impl PatchExtent {
    /// The radius of a disk of this area.
    #[must_use]
    pub fn radius(&self) -> f64 {
        (self.area / std::f64::consts::PI).sqrt()
    }

    /// Adds a triangle; `middle` is the sum of middles times areas until all are added.
    pub(super) fn add(&mut self, middle: [f64; 3], area_vector: [f64; 3]) {
        let area = length(area_vector);
        self.triangles += 1;
        self.area += area;
        self.middle = plus(self.middle, times(area, middle));
        self.normal = plus(self.normal, area_vector);
    }

    /// With the mean in place of the sum; that of a patch without area is the origin.
    pub(super) fn finished(self) -> PatchExtent {
        let share = if self.area > 0.0 { self.area.recip() } else { 0.0 };
        PatchExtent { middle: times(share, self.middle), ..self }
    }
}
