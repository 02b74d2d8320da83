//! Shapes and meshes turned, scaled and put at a place.

use super::mesh::Mesh;
use super::shape::{Bounds, Hit, Shape};
use super::vector::{Turn, minus, plus, times};
use crate::error::Error;

/// Nodes that something scaled may be long.
const MOST_NODES: f64 = (1 << 20) as f64;

/// Degrees that something may be turned by.
const MOST_DEGREES: f64 = 1e6;

/// How far from the corner of the box something may be put, in node spacings.
const FARTHEST: f64 = 1e9;

/// How a shape ([`Shape::placed`]) or a mesh ([`Mesh::placed`]) is put in a box: turned about the origin, scaled about the origin, then moved so that its
/// middle is at a point. What is not given is left as it is.
///
/// ```
/// use lbm_core::geometry::{Cuboid, Geometry, Shape, ShapePlacement};
///
/// let beam = Cuboid { low: [-4.0, -1.0, -1.0], high: [4.0, 1.0, 1.0] };
/// let placement = ShapePlacement::default().rotated([0.0, 0.0, 90.0])?.scaled(2.0).at([16.0; 3])?;
/// let placed = Geometry::of([32; 3], &beam.placed(&placement)?)?;
/// let upright = Cuboid { low: [14.0, 8.0, 14.0], high: [18.0, 24.0, 18.0] };
/// assert_eq!(placed, Geometry::of([32; 3], &upright)?);
/// # Ok::<(), lbm_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShapePlacement {
    degrees: [f64; 3],
    size: Option<Size>,
    at: Option<[f64; 3]>,
}

/// How large something becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Size {
    /// Node spacings a unit of its own length.
    Scale(f64),
    /// Node spacings along its longest edge.
    Length(f64),
}

impl ShapePlacement {
    /// Turned about x, then y, then z, by these angles in degrees, counter-clockwise as seen from the axis' end. Quarter turns do not round.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for what is not finite or beyond a million.
    pub fn rotated(self, degrees: [f64; 3]) -> Result<ShapePlacement, Error> {
        let wrong = degrees.into_iter().find(|angle| !(-MOST_DEGREES..=MOST_DEGREES).contains(angle));
        wrong.map_or(Ok(ShapePlacement { degrees, ..self }), |wrong| {
            let allowed = "-1000000 to 1000000 degrees";
            Err(Error::out_of_range(
                "turn",
                wrong,
                allowed,
                "give the angles about x, y and z, e.g. 0, 0, 30",
            ))
        })
    }

    /// With so many node spacings a unit of its own length. Whether that can be is looked at when it is placed.
    #[must_use]
    pub fn scaled(self, scale: f64) -> ShapePlacement {
        ShapePlacement { size: Some(Size::Scale(scale)), ..self }
    }

    /// With so many node spacings along the longest edge of the box around it: of a mesh as it is turned, of a shape before it is. Whether that can be is
    /// looked at when it is placed.
    #[must_use]
    pub fn long(self, nodes: f64) -> ShapePlacement {
        ShapePlacement { size: Some(Size::Length(nodes)), ..self }
    }

    /// With its middle, that of the box around it, at a point in node spacings.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for what is not finite or beyond 1e9.
    pub fn at(self, middle: [f64; 3]) -> Result<ShapePlacement, Error> {
        let wrong = middle.into_iter().find(|x| !(-FARTHEST..=FARTHEST).contains(x));
        wrong.map_or(Ok(ShapePlacement { at: Some(middle), ..self }), |wrong| {
            let allowed = "-1e9 to 1e9 node spacings";
            Err(Error::out_of_range(
                "place",
                wrong,
                allowed,
                "give the point of the box at which its middle is",
            ))
        })
    }

    /// What its lengths are multiplied by, if they are, of something within these bounds.
    fn scale(&self, bounds: &Bounds) -> Result<Option<f64>, Error> {
        let Some(size) = self.size else { return Ok(None) };
        let longest = (0..3).map(|axis| bounds.high[axis] - bounds.low[axis]).fold(0.0, f64::max);
        let without = || {
            let (allowed, remedy) = ("finite and above 0", "give something that has an extent and ends");
            Error::out_of_range("longest edge", longest, allowed, remedy)
        };
        match size {
            Size::Scale(scale) if longest == f64::INFINITY => match scale > 0.0 && scale.is_finite() {
                true => Ok(Some(scale)),
                false => Err(Error::out_of_range("scale", scale, "finite and above 0", "give e.g. 2")),
            },
            _ if !(longest > 0.0 && longest.is_finite()) => Err(without()),
            Size::Scale(scale) if (1.0..=MOST_NODES).contains(&(scale * longest)) => Ok(Some(scale)),
            Size::Length(nodes) if (1.0..=MOST_NODES).contains(&nodes) => Ok(Some(nodes / longest)),
            Size::Scale(scale) => Err(Error::out_of_range(
                "scale",
                scale,
                format!(
                    "{:.3e} to {:.3e} nodes a unit of length, so that what is {longest:.4e} units long has 1 to {MOST_NODES} nodes",
                    1.0 / longest,
                    MOST_NODES / longest
                ),
                "give a scale in that range",
            )),
            Size::Length(nodes) => Err(Error::out_of_range(
                "length",
                nodes,
                format!("1 to {MOST_NODES} nodes"),
                "give the nodes along the longest edge",
            )),
        }
    }
}

/// The middle of bounds.
fn middle(Bounds { low, high }: &Bounds) -> [f64; 3] {
    std::array::from_fn(|axis| (low[axis] + high[axis]) / 2.0)
}

impl Mesh {
    /// The mesh at its place.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a scale or a length with which it has less than a node or more than 1,048,576 along the longest edge of the box around it,
    /// or where it has no extent.
    pub fn placed(self, placement: &ShapePlacement) -> Result<Mesh, Error> {
        let mesh = self.rotated(placement.degrees);
        let scale = placement.scale(&mesh.bounds())?;
        let mesh = mesh.scaled(scale.unwrap_or(1.0));
        let bounds = mesh.bounds();
        // What has no area has no middle.
        let Some(at) = placement.at.filter(|_| are_finite(&bounds)) else { return Ok(mesh) };
        let shift = minus(at, middle(&bounds));
        Ok(mesh.moved(shift))
    }
}

/// A shape at another place: see [`Shape::placed`]. The shape is asked in its own frame, where shares of a segment are the same, so that wall distances
/// and patches are its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedShape<S> {
    shape: S,
    turn: Turn,
    scale: f64,
    /// A point of the shape's own frame, and where it comes to.
    from: [f64; 3],
    to: [f64; 3],
}

impl<S: Shape> PlacedShape<S> {
    pub(super) fn new(shape: S, placement: &ShapePlacement) -> Result<PlacedShape<S>, Error> {
        let bounds = shape.bounds();
        let scale = placement.scale(&bounds)?.unwrap_or(1.0);
        let (from, to) = match placement.at {
            None => ([0.0; 3], [0.0; 3]),
            Some(at) if are_finite(&bounds) => (middle(&bounds), at),
            Some(_) => {
                return Err(Error::conflict(
                    "a shape without ends has no middle that could be put at a place",
                    "leave `at` out, or give bounds to the shape",
                ));
            }
        };
        Ok(PlacedShape { shape, turn: Turn::by(placement.degrees), scale, from, to })
    }

    /// The point in the shape's own frame.
    fn own(&self, point: [f64; 3]) -> [f64; 3] {
        let turned = self.turn.back(minus(point, self.to));
        plus(turned.map(|x| x / self.scale), self.from)
    }
}

fn are_finite(Bounds { low, high }: &Bounds) -> bool {
    low.iter().chain(high).all(|end| end.is_finite())
}

impl<S: Shape> Shape for PlacedShape<S> {
    fn contains(&self, point: [f64; 3]) -> bool {
        self.shape.contains(self.own(point))
    }

    fn bounds(&self) -> Bounds {
        let own = self.shape.bounds();
        if (0..3).any(|axis| own.low[axis] > own.high[axis]) {
            return Bounds::NOWHERE;
        }
        if !are_finite(&own) {
            return Bounds::EVERYWHERE;
        }
        let corners = (0..8).map(|corner| {
            let end = |axis: usize| if corner >> axis & 1 == 0 { own.low[axis] } else { own.high[axis] };
            let corner = minus([end(0), end(1), end(2)], self.from);
            plus(times(self.scale, self.turn.there(corner)), self.to)
        });
        corners.fold(Bounds::NOWHERE, |bounds, p| bounds.union(Bounds { low: p, high: p }))
    }

    fn hit(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        self.shape.hit(self.own(from), self.own(to))
    }

    fn left(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        self.shape.left(self.own(from), self.own(to))
    }

    fn named_patches(&self) -> usize {
        self.shape.named_patches()
    }

    fn patch_name(&self, patch: u16) -> Option<&str> {
        self.shape.patch_name(patch)
    }
}
