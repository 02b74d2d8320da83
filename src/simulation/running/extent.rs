//! How many axes a box has, and how far it is from wall to wall.

use lbm_core::FaceRule;

use super::Simulation;

impl Simulation {
    /// The axes of the lattice, 2 or 3.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.facts.lattice.dimension
    }

    /// The lengths of the box along x, y, z from wall to wall, in node spacings: as many as there are nodes where an axis is periodic or
    /// both its walls lie half-way, one less where both lie on the nodes of the faces. A face of patches counts as a half-way wall.
    #[must_use]
    pub fn extent(&self) -> [f64; 3] {
        let domain = self.setup.known().domain();
        std::array::from_fn(|axis| {
            // Half a spacing belongs to each node at a face, less what its wall leaves of it.
            let cut = domain.faces[2 * axis..2 * axis + 2].iter().map(|face| match face {
                FaceRule::Rule(number) => 0.5 - domain.rules[*number].beyond,
                FaceRule::Periodic | FaceRule::Wall { .. } | FaceRule::Patches(_) => 0.0,
            });
            domain.size[axis] as f64 - cut.sum::<f64>()
        })
    }
}
