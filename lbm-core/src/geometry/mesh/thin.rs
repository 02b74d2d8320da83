//! What is thinner than the spacing of nodes.

use super::super::vector::{length, minus, plus, times};
use super::surface::Surface;
use crate::parallel::in_pieces;

/// Triangles of a surface that face another one within a spacing of nodes, and parts that are smaller than that.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Thin {
    /// Those with less than a spacing of solid behind them: a wall that nodes may miss.
    pub walls: usize,
    /// Those with less than a spacing of fluid before them: a gap that nodes may miss.
    pub gaps: usize,
    /// The share of the surface's area that both make up.
    pub area: f64,
}

impl Thin {
    /// Whether nothing is thin.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.walls == 0 && self.gaps == 0
    }
}

impl Surface {
    /// What is thinner than a node spacing, as seen from the middle of each triangle along its normal.
    #[must_use]
    pub fn thin(&self) -> Thin {
        let tree = self.tree();
        let found = in_pieces(self.triangles, 1, |some| {
            let (mut thin, mut all) = (Thin::default(), 0.0);
            for triangle in some {
                let vector = self.soup.area_vector(triangle);
                let area = length(vector);
                if area == 0.0 {
                    continue;
                }
                let (middle, outward) = (self.soup.middle(triangle), times(1.0 / area, vector));
                let faces = |to: [f64; 3]| {
                    // Neighbours that fold back meet at the edge; what the segment meets there at once is no other side.
                    let hit = tree.first_on(&self.soup, [middle, to], Some(triangle as u32));
                    hit.is_some_and(|(at, _)| at > 1e-6)
                };
                let wall = faces(minus(middle, outward));
                let gap = !wall && faces(plus(middle, outward));
                thin.walls += usize::from(wall);
                thin.gaps += usize::from(gap);
                thin.area += if wall || gap { area } else { 0.0 };
                all += area;
            }
            vec![(thin, all)]
        });
        let mut all = 0.0;
        let mut thin = found.into_iter().fold(Thin::default(), |sum, (part, area)| {
            all += area;
            Thin { walls: sum.walls + part.walls, gaps: sum.gaps + part.gaps, area: sum.area + part.area }
        });
        thin.area = if all > 0.0 { thin.area / all } else { 0.0 };
        thin
    }
}
