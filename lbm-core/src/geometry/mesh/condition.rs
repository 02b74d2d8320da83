//! What can be wrong with a surface, counted.

use super::intersections;
use super::orientation::Found;
use super::surface::Surface;

/// What was found in a surface. All but [`parts`](Condition::parts) are 0 or false for a sound one.
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
    /// Triangles with the corners of another one that were left out. Of several that face the same side one is kept: a solid counts once. Two that face
    /// opposite sides are both left out: the winding number is the same without them.
    pub doubled: usize,
    /// Triangles that another one passes through.
    pub crossed: usize,
    /// Whether so many triangles lie in the same place that not all pairs were looked at: at least [`crossed`](Condition::crossed) are crossed.
    pub cut_short: bool,
}

impl Condition {
    pub(super) fn of(surface: &Surface, found: &Found) -> Condition {
        let is_flat = |triangle: &usize| surface.soup.is_flat(*triangle);
        let (crossed, cut_short) = intersections::count(surface);
        Condition {
            parts: found.parts,
            turned: found.turned,
            open_edges: found.open_edges,
            branched_edges: found.branched_edges,
            one_sided_edges: found.one_sided_edges,
            flat: (0..surface.triangles).filter(is_flat).count(),
            doubled: surface.doubled,
            crossed,
            cut_short,
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
            (
                self.doubled,
                "triangles have the corners of another one; one is kept of those that face the same side, none of two that face opposite \
                 sides",
            ),
        ];
        let found = all.into_iter().filter(|(count, _)| *count > 0);
        let mut warnings: Vec<String> = found.map(|(count, what)| format!("{count} {what}")).collect();
        if self.crossed > 0 || self.cut_short {
            let least = if self.cut_short { "at least " } else { "" };
            let what = "triangles pass through others; what several parts hold counts once";
            warnings.push(format!("{least}{} {what}", self.crossed));
        }
        warnings
    }
}
