//! What a shape is, and the algebra of shapes.

use super::combined::{Complement, Difference, Intersection, Union};
use super::placement::{PlacedShape, ShapePlacement};
use super::raster::Raster;
use crate::error::Error;

/// A box that holds a shape, in lattice units. Its sides may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lowest x, y, z.
    pub low: [f64; 3],
    /// The highest x, y, z.
    pub high: [f64; 3],
}

impl Bounds {
    /// No bounds at all.
    pub const EVERYWHERE: Bounds = Bounds { low: [f64::NEG_INFINITY; 3], high: [f64::INFINITY; 3] };
    /// Bounds of nothing.
    pub const NOWHERE: Bounds = Bounds { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    /// Whether a point lies within, or at the edge.
    #[must_use]
    pub fn contain(&self, point: [f64; 3]) -> bool {
        (0..3).all(|axis| self.low[axis] <= point[axis] && point[axis] <= self.high[axis])
    }

    /// The smallest bounds that hold both.
    #[must_use]
    pub fn union(self, other: Bounds) -> Bounds {
        Bounds {
            low: std::array::from_fn(|axis| self.low[axis].min(other.low[axis])),
            high: std::array::from_fn(|axis| self.high[axis].max(other.high[axis])),
        }
    }

    /// What both hold.
    #[must_use]
    pub fn intersection(self, other: Bounds) -> Bounds {
        Bounds {
            low: std::array::from_fn(|axis| self.low[axis].max(other.low[axis])),
            high: std::array::from_fn(|axis| self.high[axis].min(other.high[axis])),
        }
    }
}

/// Where a segment meets the surface of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Hit {
    /// The way there as a share of the segment's length, in (0, 1].
    pub at: f64,
    /// The patch of the surface that is met, as its shape numbers them; what has no name has the number behind all that have one, 0 for shapes
    /// without patches.
    pub patch: u16,
}

impl Hit {
    /// A hit on a patch of the surface so far along the segment.
    #[must_use]
    pub fn new(at: f64, patch: u16) -> Hit {
        Hit { at, patch }
    }
}

/// A set of points in space, in lattice units; node (i, j, k) has its centre at (i + 1/2, j + 1/2, k + 1/2).
///
/// Only [`contains`](Shape::contains) has to be written. [`bounds`](Shape::bounds) spares visits to nodes that are far
/// away, and [`paint`](Shape::paint) does whole rows where a shape knows them; it has to paint the very nodes whose centres the
/// shape contains. A shape without any points, such as a sphere of negative radius, is fine: it paints nothing.
pub trait Shape: Send + Sync {
    /// Whether a point belongs to the shape.
    fn contains(&self, point: [f64; 3]) -> bool;

    /// A box outside of which there is nothing of the shape.
    fn bounds(&self) -> Bounds {
        Bounds::EVERYWHERE
    }

    /// Paints the nodes whose centres the shape contains.
    fn paint(&self, raster: &mut Raster<'_>) {
        raster.fill_where(&self.bounds(), |point| self.contains(point));
    }

    /// Where the segment from a point outside of the shape to another point first meets it; `None` if it does not. Shapes that do not
    /// say so themselves are asked again and again between the ends (bisection), and then the point `to` has to belong to the shape.
    fn hit(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        bisected(|point| self.contains(point), from, to)
    }

    /// Where the segment from a point of the shape to another point first leaves it: where its [complement](Shape::complement) is met. Shapes
    /// that do not say so themselves are asked as for [`hit`](Shape::hit), and then the point `to` must not belong to the shape.
    fn left(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        bisected(|point| !self.contains(point), from, to)
    }

    /// How many patches of its surface have names: those whose numbers ([`Hit::patch`]) are below; none by default. At most
    /// [`MOST_NAMES`](super::MOST_NAMES).
    fn named_patches(&self) -> usize {
        0
    }

    /// The name of a patch of its surface by its number, if it has one.
    fn patch_name(&self, _patch: u16) -> Option<&str> {
        None
    }

    /// The names of the patches of its surface, by number.
    fn patches(&self) -> Vec<&str> {
        let named = u16::try_from(self.named_patches()).unwrap_or(u16::MAX);
        (0..named).map(|patch| self.patch_name(patch).unwrap_or_default()).collect()
    }

    /// What belongs to this shape or to the other one.
    fn or<S: Shape + 'static>(self, other: S) -> Union
    where
        Self: Sized + 'static,
    {
        Union(vec![Box::new(self), Box::new(other)])
    }

    /// What belongs to this shape and to the other one.
    fn and<S: Shape>(self, other: S) -> Intersection<Self, S>
    where
        Self: Sized,
    {
        Intersection(self, other)
    }

    /// What belongs to this shape and not to the other one.
    fn minus<S: Shape>(self, other: S) -> Difference<Self, S>
    where
        Self: Sized,
    {
        Difference(self, other)
    }

    /// What does not belong to this shape.
    fn complement(self) -> Complement<Self>
    where
        Self: Sized,
    {
        Complement(self)
    }

    /// This shape turned, scaled and put at a place.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a scale that is not finite and above 0, or with which a shape that has ends has less than a node or more than 1,048,576
    /// along the longest edge of its [bounds](Shape::bounds); [`Error::Conflict`] where one without ends is to have its middle at a point.
    fn placed(self, placement: &ShapePlacement) -> Result<PlacedShape<Self>, Error>
    where
        Self: Sized,
    {
        PlacedShape::new(self, placement)
    }
}

impl<S: Shape + ?Sized> Shape for Box<S> {
    fn contains(&self, point: [f64; 3]) -> bool {
        (**self).contains(point)
    }

    fn bounds(&self) -> Bounds {
        (**self).bounds()
    }

    fn paint(&self, raster: &mut Raster<'_>) {
        (**self).paint(raster);
    }

    fn hit(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        (**self).hit(from, to)
    }

    fn left(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        (**self).left(from, to)
    }

    fn named_patches(&self) -> usize {
        (**self).named_patches()
    }

    fn patch_name(&self, patch: u16) -> Option<&str> {
        (**self).patch_name(patch)
    }
}

/// Where a segment enters what `inside` says, by halving the part in which it does; `None` unless it ends inside.
pub(super) fn bisected(inside: impl Fn([f64; 3]) -> bool, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
    let point = |at: f64| std::array::from_fn(|axis| from[axis] + at * (to[axis] - from[axis]));
    let (mut before, mut at) = (0.0, 1.0);
    if !inside(to) {
        return None;
    }
    // Beyond 60 halves the ends are the same number.
    for _ in 0..60 {
        let middle = 0.5 * (before + at);
        if inside(point(middle)) { at = middle } else { before = middle }
    }
    Some(Hit { at, patch: 0 })
}
