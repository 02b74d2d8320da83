//! What is thinner than the spacing of nodes.

use super::super::vector::{length, minus, plus, times};
use super::budget::{Budget, TOGETHER, sharing};
use super::surface::Surface;
use crate::parallel::in_pieces;
use std::ops::Range;

/// Triangles of a surface that face another one within a spacing of nodes, and parts that are smaller than that.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Thin {
    /// Those with less than a spacing of solid behind them: a wall that nodes may miss.
    pub walls: usize,
    /// Those with less than a spacing of fluid before them: a gap that nodes may miss.
    pub gaps: usize,
    /// The share of the surface's area that both make up, of what was looked at.
    pub area: f64,
    /// Whether so many triangles lie in the same place that not all were looked at: there are at least so many walls and gaps.
    pub cut_short: bool,
}

impl Thin {
    /// Whether nothing is thin.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.walls == 0 && self.gaps == 0
    }

    /// The same for what is outside of the surface as the solid: walls and gaps exchanged.
    #[must_use]
    pub fn complement(self) -> Thin {
        Thin { walls: self.gaps, gaps: self.walls, ..self }
    }
}

impl Surface {
    /// What is thinner than a node spacing, as seen from the middle of each triangle along its normal.
    #[must_use]
    pub fn thin(&self) -> Thin {
        let tree = self.tree();
        let of_some = |some: Range<usize>| {
            let (mut thin, mut all) = (Thin::default(), 0.0);
            let budget = Budget::of(some.len());
            for triangle in some {
                if budget.is_spent() {
                    break;
                }
                if self.soup.is_flat(triangle) {
                    continue;
                }
                let vector = self.soup.area_vector(triangle);
                let area = length(vector);
                let (middle, outward) = (self.soup.middle(triangle), times(1.0 / area, vector));
                let faces = |to: [f64; 3]| {
                    // Neighbours that fold back meet at the edge; what the segment meets there at once is no other side.
                    let own = Some(triangle as u32);
                    let hit = tree.first_on_while(|| budget.take(), &self.soup, [middle, to], own);
                    hit.is_some_and(|(at, _)| at > 1e-6) && !budget.is_spent()
                };
                let wall = faces(minus(middle, outward));
                let gap = !wall && faces(plus(middle, outward));
                thin.walls += usize::from(wall);
                thin.gaps += usize::from(gap);
                thin.area += if wall || gap { area } else { 0.0 };
                all += area;
            }
            thin.cut_short = budget.is_spent();
            (thin, all)
        };
        let found = in_pieces(self.triangles, TOGETHER, |some| sharing(some).map(of_some).collect());
        let mut all = 0.0;
        let mut thin = found.into_iter().fold(Thin::default(), |sum, (part, area)| {
            all += area;
            Thin {
                walls: sum.walls + part.walls,
                gaps: sum.gaps + part.gaps,
                area: sum.area + part.area,
                cut_short: sum.cut_short || part.cut_short,
            }
        });
        thin.area = if all > 0.0 { thin.area / all } else { 0.0 };
        thin
    }
}
