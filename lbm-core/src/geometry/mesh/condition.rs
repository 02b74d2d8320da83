//! What can be wrong with a surface, counted.

use super::super::vector::length;
use super::intersections;
use super::orientation::Found;
use super::surface::Surface;

/// What was found in a surface. All but [`parts`](Condition::parts) are 0 for a sound one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Condition {
    /// Parts that hang together by edges of two triangles.
    pub parts: usize,
    /// Triangles whose outer side was not that of their neighbours, or that belong to a part inside out; they were turned.
    pub turned: usize,
    /// Edges with more triangles on one side than on the other: rims of holes.
    pub open_edges: usize,
    /// Edges of more than two triangles.
    pub branched_edges: usize,
    /// Edges at which no two sides fit, as in a Moebius strip.
    pub one_sided_edges: usize,
    /// Triangles without area.
    pub flat: usize,
    /// Triangles that another one passes through.
    pub crossed: usize,
}

impl Condition {
    pub(super) fn of(surface: &Surface, found: &Found) -> Condition {
        let is_flat = |triangle: &usize| length(surface.soup.area_vector(*triangle)) == 0.0;
        Condition {
            parts: found.parts,
            turned: found.turned,
            open_edges: found.open_edges,
            branched_edges: found.branched_edges,
            one_sided_edges: found.one_sided_edges,
            flat: (0..surface.triangles).filter(is_flat).count(),
            crossed: intersections::count(surface),
        }
    }

    /// What a user should know of, each with its count and what is made of it.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let all = [
            (self.turned, "triangles face the wrong side; they were turned"),
            (self.open_edges, "edges are open: holes are closed about as a soap film would"),
            (self.branched_edges, "edges have more than two triangles"),
            (
                self.one_sided_edges,
                "edges have no side that fits both triangles; inside and outside are a guess there",
            ),
            (self.flat, "triangles have no area; they do nothing"),
            (self.crossed, "triangles pass through others; what several parts hold counts once"),
        ];
        let found = all.into_iter().filter(|(count, _)| *count > 0);
        found.map(|(count, what)| format!("{count} {what}")).collect()
    }
}
