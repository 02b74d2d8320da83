//! Where a flow is measured: sections across it, and points.
//!
//! Both are made once for a box, and know which nodes they need: whoever measures asks for these alone. Sums over nodes are exact
//! ([`ExactSum`](lbm_core::sums::ExactSum)), and points are interpolated in one order, so no scheme, layout, backend or number of threads changes a bit.

use std::ops::Range;

use lbm_core::geometry::Regions;
use lbm_core::{Domain, Error, Face, FaceRule};

/// Fluid nodes across an axis: a plane, a rectangle of one, a face, or a region. Each stands for an area of 1; for half of it at a face across
/// which the section ends if the rule there has its wall on the nodes ([`AppliedRule::beyond`](lbm_core::domain::AppliedRule::beyond)), and a quarter at an edge of two.
///
/// ```
/// use lbm::prelude::*;
/// use lbm::simulation::Section;
///
/// solver! { Channel { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64 } }
///
/// # fn main() -> Result<(), Error> {
/// let mut channel = Channel::builder()
///     .size([4, 10])
///     .viscosity(0.1)
///     .parameter("magic", 3.0 / 16.0)
///     .force([1e-5, 0.0, 0.0])
///     .face(Face::South, FaceRule::WALL)
///     .face(Face::North, FaceRule::WALL)
///     .build()?;
/// channel.run(10_000)?;
/// // The parabola g y (H - y) / (2 nu), summed over the nodes' middles: g (H^3 + H / 2) / (12 nu).
/// let middle = Section::plane(channel.domain(), 0, 2)?;
/// let exact = 1e-5 * (1000.0 + 5.0) / 1.2;
/// assert!((channel.flow_rate(&middle)? / exact - 1.0).abs() < 1e-9);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    axis: usize,
    /// Ascending.
    nodes: Vec<usize>,
    /// The area of each: 1, 1/2 or 1/4.
    areas: Vec<f64>,
    /// The mean coordinate of the nodes along the axis.
    position: f64,
    /// The least of its extents across the axis, in nodes, of those that are more than one; else 1.
    least_extent: usize,
}

impl Section {
    /// The plane of nodes `at` across an axis, 0, 1 or 2.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for an axis or a place that the box has not, [`Error::Conflict`] where no node is fluid.
    pub fn plane(domain: &Domain, axis: usize, at: usize) -> Result<Section, Error> {
        Section::rectangle(domain, axis, at, [0, 1, 2].map(|axis| 0..domain.size[axis]))
    }

    /// The nodes of such a plane whose positions lie in these ranges along x, y, z; that along the axis itself does not count.
    ///
    /// # Errors
    /// As [`plane`](Section::plane), and [`Error::OutOfRange`] for a range that leaves the box or is empty.
    pub fn rectangle(
        domain: &Domain,
        axis: usize,
        at: usize,
        within: [Range<usize>; 3],
    ) -> Result<Section, Error> {
        check_axis(axis)?;
        if at >= domain.size[axis] {
            return Err(Error::out_of_range(
                format!("place of a plane across {}", AXES[axis]),
                at,
                format!("0 to {}", domain.size[axis] - 1),
                "planes are counted in nodes from 0",
            ));
        }
        let mut ranges = within;
        ranges[axis] = at..at + 1;
        for (range, (name, &length)) in ranges.iter().zip(AXES.iter().zip(&domain.size)) {
            if range.is_empty() || range.end > length {
                return Err(Error::out_of_range(
                    format!("range of a rectangle along {name}"),
                    format!("{}:{}", range.start, range.end),
                    format!("within 0:{length}, and not empty"),
                    "give the first node and the one behind the last",
                ));
            }
        }
        let [x, y, z] = ranges;
        let nodes = z.flat_map(|z| {
            let x = x.clone();
            y.clone().flat_map(move |y| x.clone().map(move |x| [x, y, z]))
        });
        Section::of(domain, axis, nodes.map(|position| domain.index(position)))
    }

    /// The nodes at a face of the box.
    ///
    /// # Errors
    /// [`Error::Conflict`] where no node is fluid.
    pub fn face(domain: &Domain, face: Face) -> Result<Section, Error> {
        let axis = face.axis();
        let at = if face.index().is_multiple_of(2) { 0 } else { domain.size[axis] - 1 };
        Section::plane(domain, axis, at)
    }

    /// The fluid ones of these nodes, by index, passed along an axis.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for an axis or a node that the box has not, [`Error::Conflict`] where no node is fluid.
    pub fn of(
        domain: &Domain,
        axis: usize,
        nodes: impl IntoIterator<Item = usize>,
    ) -> Result<Section, Error> {
        check_axis(axis)?;
        let mut nodes: Vec<usize> = nodes.into_iter().collect();
        nodes.sort_unstable();
        nodes.dedup();
        if let Some(&beyond) = nodes.iter().find(|&&node| node >= domain.nodes()) {
            return Err(Error::out_of_range(
                "node of a section",
                beyond,
                format!("below {}, the nodes of the box", domain.nodes()),
                "count nodes in the order x, y, z",
            ));
        }
        nodes.retain(|&node| is_fluid(domain, node));
        let positions = nodes.iter().map(|&node| domain.position(node));
        let across = |other: &usize| *other != axis;
        let area = |at| (0..3).filter(across).map(|other| extent_of(domain, other, at)).product();
        let areas = positions.clone().map(area).collect();
        if nodes.is_empty() {
            return Err(Error::conflict(
                format!("a section across {} has no fluid node", AXES[axis]),
                "check where it lies; planes are counted in nodes from 0",
            ));
        }
        let mut bounds = [[usize::MAX, 0]; 3];
        for position in positions.clone() {
            for ([low, high], at) in bounds.iter_mut().zip(position) {
                (*low, *high) = ((*low).min(at), (*high).max(at));
            }
        }
        let position = positions.map(|at| at[axis] as f64).sum::<f64>() / nodes.len() as f64 + 0.5;
        let extents = (0..3).filter(across).map(|other| bounds[other][1] - bounds[other][0] + 1);
        let least_extent = extents.filter(|&extent| extent > 1).min().unwrap_or(1);
        Ok(Section { axis, nodes, areas, position, least_extent })
    }

    /// The nodes of a named region, passed along an axis.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a name that there is not, and as [`of`](Section::of).
    pub fn region(domain: &Domain, axis: usize, regions: &Regions, name: &str) -> Result<Section, Error> {
        let names = || regions.names().iter().map(String::as_str);
        let number = names().position(|known| known == name).ok_or_else(|| {
            let known = names().collect::<Vec<_>>().join(", ");
            Error::unknown("region", name, names(), format!("the regions are: {known}"))
        })?;
        let of_region = |&(_, &region): &(usize, &u16)| usize::from(region) == number + 1;
        Section::of(domain, axis, regions.region().iter().enumerate().filter(of_region).map(|(node, _)| node))
    }

    /// The axis along which it is passed: 0, 1, 2 for x, y, z.
    #[must_use]
    pub fn axis(&self) -> usize {
        self.axis
    }

    /// Its nodes, ascending.
    #[must_use]
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// The area of each of its nodes, in that order: 1, 1/2 where the wall of a face beside lies on the nodes, 1/4 at an edge of two such faces.
    #[must_use]
    pub fn areas(&self) -> &[f64] {
        &self.areas
    }

    /// Its area, in node spacings to the power of the dimension less one.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.areas.iter().sum()
    }

    /// Where it lies along its axis, as shapes are given: the centre of node i is at i + 1/2.
    #[must_use]
    pub fn position(&self) -> f64 {
        self.position
    }

    /// The same a spacing on along the axis, or back; none where not all of that is fluid.
    pub(super) fn beside(&self, domain: &Domain) -> Option<Section> {
        let moved = |by: i64| -> Option<Section> {
            let nodes = self.nodes.iter().map(|&node| {
                let mut position = domain.position(node);
                let to = usize::try_from(position[self.axis] as i64 + by).ok()?;
                position[self.axis] = to;
                (to < domain.size[self.axis] && !domain.is_solid(position)).then(|| domain.index(position))
            });
            Section::of(domain, self.axis, nodes.collect::<Option<Vec<usize>>>()?).ok()
        };
        moved(1).or_else(|| moved(-1))
    }

    /// The least of its extents across the axis, in nodes, of those that are more than one; else 1.
    pub(super) fn least_extent(&self) -> usize {
        self.least_extent
    }
}

/// Points between nodes, with the nodes from which each is interpolated.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    points: Vec<[f64; 3]>,
    /// Ascending.
    nodes: Vec<usize>,
    /// Places in `nodes` with shares, of which the sum is 1.
    shares: Vec<Vec<(usize, f64)>>,
}

impl Points {
    /// Points of a line, at most.
    pub const MOST_OF_A_LINE: usize = 1_000_000;

    /// Points of the box, given as shapes are: the centre of node `[i, j, k]` is `[i + 1/2, j + 1/2, k + 1/2]`.
    ///
    /// Values are interpolated linearly along each axis, across periodic faces too. Nodes that are solid are left out, and the
    /// shares of the others grown to one; beyond the first and last nodes the value stays what it is there.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a point beyond the box, [`Error::Conflict`] for one with solid nodes around it alone.
    pub fn new(domain: &Domain, points: impl IntoIterator<Item = [f64; 3]>) -> Result<Points, Error> {
        let points: Vec<[f64; 3]> = points.into_iter().collect();
        let around: Vec<Vec<(usize, f64)>> =
            points.iter().map(|&point| around(domain, point)).collect::<Result<_, _>>()?;
        let mut nodes: Vec<usize> = around.iter().flatten().map(|&(node, _)| node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let place = |node: usize| nodes.partition_point(|&other| other < node);
        let shares = around
            .into_iter()
            .map(|around| around.into_iter().map(|(node, share)| (place(node), share)).collect());
        Ok(Points { shares: shares.collect(), points, nodes })
    }

    /// So many points, two to [`MOST_OF_A_LINE`](Points::MOST_OF_A_LINE), at equal distances along a line, its ends included.
    ///
    /// # Errors
    /// As [`new`](Points::new), and [`Error::OutOfRange`] for another number of points.
    pub fn along(domain: &Domain, from: [f64; 3], to: [f64; 3], count: usize) -> Result<Points, Error> {
        if !(2..=Points::MOST_OF_A_LINE).contains(&count) {
            let allowed = format!("2 to {}", Points::MOST_OF_A_LINE);
            let remedy = "its ends are points; between nodes values are on straight lines, and a few points a node say all";
            return Err(Error::out_of_range("points of a line", count, allowed, remedy));
        }
        let at = |n: usize| {
            let share = n as f64 / (count - 1) as f64;
            std::array::from_fn(|axis| from[axis] * (1.0 - share) + to[axis] * share)
        };
        Points::new(domain, (0..count).map(at))
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &[[f64; 3]] {
        &self.points
    }

    /// The nodes that are needed, ascending.
    #[must_use]
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// The values at the points from those of the nodes.
    pub(super) fn interpolate(&self, of_nodes: &[PointValue]) -> Vec<PointValue> {
        let at = |shares: &Vec<(usize, f64)>| {
            shares.iter().fold(PointValue::default(), |mut sum, &(place, share)| {
                let PointValue { pressure, velocity } = of_nodes[place];
                sum.pressure += share * pressure;
                sum.velocity.iter_mut().zip(velocity).for_each(|(sum, u)| *sum += share * u);
                sum
            })
        };
        self.shares.iter().map(at).collect()
    }
}

/// A flow at a point (lattice units).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PointValue {
    /// The pressure above that of the fluid at rest with density 1: (rho - 1) c_s^2.
    pub pressure: f64,
    /// The velocity.
    pub velocity: [f64; 3],
}

/// The permeability of what a flow of superficial velocity u passes, driven by a force a volume: k = nu u / g (Darcy), node spacings
/// squared. A pressure that falls by dp over a length l drives as g = dp / l does.
#[must_use]
pub fn permeability(viscosity: f64, velocity: f64, force: f64) -> f64 {
    viscosity * velocity / force
}

const AXES: [&str; 3] = ["x", "y", "z"];

fn check_axis(axis: usize) -> Result<(), Error> {
    if axis < 3 {
        return Ok(());
    }
    Err(Error::out_of_range("axis of a section", axis, "0, 1 or 2", "these are x, y, z"))
}

/// What of a node's spacing along an axis lies within the walls at the faces: all of it, or half where a wall stands on it. A box of one node is as
/// long as it is.
fn extent_of(domain: &Domain, axis: usize, position: [usize; 3]) -> f64 {
    let ends = [(2 * axis, 0), (2 * axis + 1, domain.size[axis] - 1)];
    let at_wall = ends.iter().filter(|(_, end)| position[axis] == *end && domain.size[axis] > 1);
    let rules = at_wall.filter_map(|&(face, _)| domain.rule_at(face, position));
    1.0 - rules.map(|rule| 0.5 - domain.rules[rule].beyond).sum::<f64>()
}

/// Whether the node of this index is fluid.
pub(super) fn is_fluid(domain: &Domain, node: usize) -> bool {
    domain.flags.get(node).is_none_or(|&flag| flag == 0)
}

/// The fluid nodes around a point, with their shares in it.
fn around(domain: &Domain, point: [f64; 3]) -> Result<Vec<(usize, f64)>, Error> {
    let mut along: [Vec<(usize, f64)>; 3] = Default::default();
    for (axis, along) in along.iter_mut().enumerate() {
        let (at, length) = (point[axis], domain.size[axis]);
        if !(0.0..=length as f64).contains(&at) {
            return Err(Error::out_of_range(
                format!("{} of a point", AXES[axis]),
                at,
                format!("0 to {length}, the box"),
                "the centre of node i is at i + 1/2",
            ));
        }
        let below = (at - 0.5).floor();
        let share = at - 0.5 - below;
        let periodic = domain.faces[2 * axis] == FaceRule::Periodic;
        for (node, share) in [(below, 1.0 - share), (below + 1.0, share)] {
            let node = match periodic {
                true => (node as i64).rem_euclid(length as i64) as usize,
                false => node.clamp(0.0, (length - 1) as f64) as usize,
            };
            if share > 0.0 {
                along.push((node, share));
            }
        }
    }
    let [x, y, z] = &along;
    let all = z.iter().flat_map(|&(z, of_z)| {
        y.iter().flat_map(move |&(y, of_y)| x.iter().map(move |&(x, of_x)| ([x, y, z], of_z * of_y * of_x)))
    });
    let mut shares: Vec<(usize, f64)> = all
        .map(|(position, share)| (domain.index(position), share))
        .filter(|&(node, _)| is_fluid(domain, node))
        .collect();
    let whole: f64 = shares.iter().map(|&(_, share)| share).sum();
    if shares.is_empty() {
        return Err(Error::conflict(
            format!("the point {point:?} lies in a solid"),
            "move it into the fluid; the centre of node [i, j, k] is the point [i + 1/2, j + 1/2, k + 1/2]",
        ));
    }
    shares.iter_mut().for_each(|(_, share)| *share /= whole);
    Ok(shares)
}
