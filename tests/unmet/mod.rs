//! A shape that tests of boundaries and of ranks share.

use lbm::core::geometry::{Hit, Shape, Sphere};

/// A ball of which no segment meets the surface.
pub struct Unmet(pub Sphere);

impl Shape for Unmet {
    fn contains(&self, point: [f64; 3]) -> bool {
        self.0.contains(point)
    }

    fn hit(&self, _: [f64; 3], _: [f64; 3]) -> Option<Hit> {
        None
    }
}
