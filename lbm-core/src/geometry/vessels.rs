//! Vessels: bent and branching, generated at any scale.
//!
//! Where they run and how wide they are stands in files beside this one. The courses are drawn by hand, not measured on anybody; what
//! they share with the vessels of Tomczak & Szafran (section 4.6) is the size of the box, the number of fluid nodes and the kind of
//! bends and branches.

use super::Geometry;
use super::combined::Union;
use super::primitives::{RoundCone, Sphere};
use super::shape::Shape;
use crate::error::Error;

/// A point of a course, in nodes at scale 1: x, y, z and the radius.
type Station = [f64; 4];

/// Which vessel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VesselKind {
    /// A bent trunk along z with a narrow part and two branches that leave it and join it again: 93 x 161 x 442 nodes at scale 1, 0.65
    /// million of them fluid, porosity 0.098.
    Aorta,
    /// A trunk along x that divides into limbs and branches, which join again, with an aneurysm on the fork: 730 x 342 x 334 nodes
    /// at scale 1, 14.6 million of them fluid, porosity 0.175.
    Tree,
    /// A trunk along z that divides twice: one open end at z = 0, three at the other end of the box, in the order of x: 190 x 68 x 442
    /// nodes at scale 1, porosity 0.147.
    Fork,
}

impl VesselKind {
    /// Whether both ends of the trunk meet around the box.
    #[must_use]
    pub fn is_periodic(self) -> bool {
        self != VesselKind::Fork
    }
}

/// A generated vessel. Both ends of its trunk are open, and those of all kinds but [`Fork`](VesselKind::Fork) meet around the box;
/// everywhere else it is closed, with solid nodes at the faces. So a flow can be driven by a body force along the trunk's axis with periodic
/// faces, or from an inlet to the [ends](Vessel::ends).
///
/// After the aorta with coarctation and the cerebral aneurysm of Tomczak & Szafran, section 4.6: the same boxes, about as many
/// fluid nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vessel {
    /// Which one.
    pub kind: VesselKind,
    /// Lengths as a multiple of those of the paper's box: 0.15 to 10.
    pub scale: f64,
}

impl Vessel {
    /// The axis that the trunk runs along: 0, 1, 2 for x, y, z.
    #[must_use]
    pub fn axis(&self) -> usize {
        self.drawn().0
    }

    /// Nodes of the box along x, y, z.
    #[must_use]
    pub fn size(&self) -> [usize; 3] {
        self.drawn().1.map(|length| (length * self.scale).round() as usize)
    }

    /// The trunk's axis, the size of the box at scale 1, and the file of courses.
    fn drawn(&self) -> (usize, [f64; 3], &'static str) {
        match self.kind {
            VesselKind::Aorta => (2, [93.0, 161.0, 442.0], include_str!("vessels/aorta.txt")),
            VesselKind::Tree => (0, [730.0, 342.0, 334.0], include_str!("vessels/tree.txt")),
            VesselKind::Fork => (2, [190.0, 68.0, 442.0], include_str!("vessels/fork.txt")),
        }
    }

    /// Where the vessel leaves the box at the end of its axis, a ball for each opening, in node spacings: about its middle, as wide as it is.
    #[must_use]
    pub fn ends(&self) -> Vec<Sphere> {
        let (axis, size, _) = self.drawn();
        let courses = self.courses().into_iter().flatten();
        courses.filter(|station| station[axis] == size[axis]).map(|end| ball(end, self.scale)).collect()
    }

    /// The nodes.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a scale outside of 0.15 to 10, or one for which memory does not suffice.
    pub fn geometry(&self) -> Result<Geometry, Error> {
        if !(0.15..=10.0).contains(&self.scale) {
            return Err(Error::out_of_range(
                "scale",
                self.scale,
                "0.15 to 10",
                "give 1 for the paper's size, 0.5 for half of it along each axis",
            ));
        }
        let cones = self.courses().iter().flat_map(|course| sweep(course, self.scale)).collect();
        Geometry::of(self.size(), &Union(cones).complement())
    }

    /// The courses of the trunk and of the branches; one of a single point is a ball.
    fn courses(&self) -> Vec<Vec<Station>> {
        let station = |line: &str| -> Station {
            let mut numbers = line.split(' ').map(|number| number.parse().expect("stations are numbers"));
            std::array::from_fn(|_| numbers.next().expect("a station has four numbers"))
        };
        let of_course =
            |course: &str| course.lines().filter(|line| !line.starts_with('#')).map(station).collect();
        self.drawn().2.split("\n\n").map(of_course).collect()
    }
}

/// The ball of a station at some scale.
fn ball([x, y, z, r]: Station, scale: f64) -> Sphere {
    Sphere { centre: [x * scale, y * scale, z * scale], radius: r * scale }
}

/// What a ball sweeps along a course, at some scale: cones between points on the smooth curve (Catmull & Rom) through the
/// stations, a third of a radius apart.
fn sweep(course: &[Station], scale: f64) -> Vec<RoundCone> {
    let sphere = |station: Station| ball(station, scale);
    let mut points: Vec<Station> = course.first().copied().into_iter().collect();
    for at in 1..course.len() {
        let (from, to) = (course[at - 1], course[at]);
        let before = if at >= 2 { course[at - 2] } else { from };
        let after = course.get(at + 1).copied().unwrap_or(to);
        let apart = (0..3).map(|axis| (to[axis] - from[axis]).powi(2)).sum::<f64>().sqrt();
        let pieces = (3.0 * apart / from[3].min(to[3])).ceil().clamp(1.0, 100.0);
        let point = |piece: usize| between([before, from, to, after], piece as f64 / pieces);
        points.extend((1..=pieces as usize).map(point));
    }
    if let &[only] = points.as_slice() {
        return vec![RoundCone { from: sphere(only), to: sphere(only) }];
    }
    points.windows(2).map(|pair| RoundCone { from: sphere(pair[0]), to: sphere(pair[1]) }).collect()
}

/// The point at `t` in 0..1 between the second and the third of four stations, on the curve of Catmull & Rom.
fn between(stations: [Station; 4], t: f64) -> Station {
    std::array::from_fn(|n| {
        let [a, b, c, d] = stations.map(|station| station[n]);
        let (slope_b, slope_c) = ((c - a) / 2.0, (d - b) / 2.0);
        let (t2, t3) = (t * t, t * t * t);
        (2.0 * t3 - 3.0 * t2 + 1.0) * b
            + (t3 - 2.0 * t2 + t) * slope_b
            + (3.0 * t2 - 2.0 * t3) * c
            + (t3 - t2) * slope_c
    })
}
