//! Triangles of a surface that pass through each other.

use super::super::shape::Bounds;
use super::super::vector::{cross, dot, minus};
use super::budget::{Budget, TOGETHER, sharing};
use super::surface::Surface;
use crate::parallel::in_pieces;
use std::ops::Range;

/// How many triangles another one passes through that shares no corner with it. Triangles that lie in one plane do not count. Says, too, whether that
/// was cut short, so that there may be more.
pub(super) fn count(surface: &Surface) -> (usize, bool) {
    let tree = surface.tree();
    let of_some = |some: Range<usize>| {
        let budget = Budget::of(some.len());
        let crossed = some.filter(|&triangle| {
            let own = surface.triangle_bounds(triangle);
            let (corners, numbers) = (surface.soup.corners(triangle), surface.soup.triangles[triangle]);
            let met = std::cell::Cell::new(false);
            let enter = |bounds: &Bounds| !met.get() && budget.take() && overlap(&own, bounds);
            tree.visit(enter, |other| {
                let shared = surface.soup.triangles[other as usize].iter().any(|v| numbers.contains(v));
                if !shared && !met.get() {
                    let others = surface.soup.corners(other as usize);
                    met.set(pierces(corners, others) || pierces(others, corners));
                }
            });
            met.get()
        });
        (crossed.count(), budget.is_spent())
    };
    let found = in_pieces(surface.triangles, TOGETHER, |some| sharing(some).map(of_some).collect());
    found.into_iter().fold((0, false), |(sum, short), (part, spent)| (sum + part, short || spent))
}

fn overlap(a: &Bounds, b: &Bounds) -> bool {
    (0..3).all(|axis| a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis])
}

/// Whether an edge of one triangle passes through the other one, from one side of its plane strictly to the other.
fn pierces(one: [[f64; 3]; 3], [a, b, c]: [[f64; 3]; 3]) -> bool {
    let normal = cross(minus(b, a), minus(c, a));
    let apart = one.map(|corner| dot(normal, minus(corner, a)));
    [(0, 1), (1, 2), (2, 0)].into_iter().any(|(from, to)| {
        let [p, q] = [one[from], one[to]];
        if apart[from] * apart[to] >= 0.0 {
            return false;
        }
        let along = minus(q, p);
        let side = |u: [f64; 3], v: [f64; 3]| dot(along, cross(minus(u, p), minus(v, p)));
        let sides = [side(a, b), side(b, c), side(c, a)];
        sides.iter().all(|&side| side > 0.0) || sides.iter().all(|&side| side < 0.0)
    })
}
