//! A surface from a file: where it stands in a box, and which nodes it makes solid.

use lbm_core::Error;
use lbm_core::geometry::{Bounds, Condition, Mesh, Regions, ShapePlacement, Surface, Thin};

use super::made::Made;

/// Nodes along the longest edge of a body for which nothing else was asked, and the share of them left free at each side.
const LONGEST: f64 = 96.0;
const MARGIN: f64 = 1.0 / 6.0;

/// Nodes between the surface and the box where the fluid is inside.
const WALL: f64 = 2.0;

/// How a surface is put in a box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Placement {
    pub size: Option<[usize; 3]>,
    /// Nodes a unit of length.
    pub scale: Option<f64>,
    /// Degrees about x, y, z.
    pub rotate: [f64; 3],
    /// Where the middle of the box around it comes to stand, in nodes.
    pub at: Option<[f64; 3]>,
    pub fluid_inside: bool,
}

/// A surface at its place in a box.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Its triangles, in lattice units.
    pub mesh: Mesh,
    /// The bodies that it encloses, each with its name.
    pub bodies: Vec<(String, Surface)>,
    /// Whether the fluid is inside of them.
    pub fluid_inside: bool,
}

/// What is thin of a surface, with the fluid around it or inside.
pub fn thin_of(surface: &Surface, fluid_inside: bool) -> Thin {
    let thin = surface.thin();
    if fluid_inside { thin.complement() } else { thin }
}

/// What should be known of thin walls and gaps.
pub fn walls_and_gaps(thin: &Thin) -> Vec<String> {
    let least = if thin.cut_short { "at least " } else { "" };
    let sides = [(thin.walls, "solid behind"), (thin.gaps, "fluid before")];
    let found = sides.into_iter().filter(|(count, _)| *count > 0);
    let said = |(count, what): (usize, &str)| {
        format!("{least}{count} triangles have less than a node spacing of {what} them: nodes may miss it")
    };
    found.map(said).collect()
}

/// What should be known of a body in lattice units before a flow is run about it.
pub fn warnings_of(surface: &Surface, condition: &Condition, thin: &Thin) -> Vec<String> {
    let mut all = condition.warnings();
    all.extend(walls_and_gaps(thin));
    if !thin.is_empty() {
        all.push(format!(
            "{:.1} % of the area is thin in this sense; a larger scale resolves it",
            100.0 * thin.area
        ));
    }
    if !surface.is_watertight() {
        all.push("not watertight: look at the slices (`lbm geometry FILE --out DIR`)".to_owned());
    }
    all
}

/// The same, with the fluid around it or inside, each behind the name of what it was read from.
pub fn named_warnings(name: &str, surface: &Surface, fluid_inside: bool) -> Vec<String> {
    let all = warnings_of(surface, &surface.condition(), &thin_of(surface, fluid_inside));
    all.into_iter().map(|warning| format!("{name}: {warning}")).collect()
}

impl Placement {
    /// The surface in lattice units, and the nodes of its box.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a surface without extent, for a box in which it has no scale, and as [`ShapePlacement`] and [`Mesh::placed`].
    pub(super) fn place(&self, mesh: Mesh) -> Result<(Mesh, [usize; 3]), Error> {
        let put = ShapePlacement::default();
        let mesh = mesh.placed(&put.rotated(self.rotate)?)?;
        let extents = extents(&mesh.bounds());
        let longest = extents.into_iter().fold(0.0, f64::max);
        if longest <= 0.0 {
            let remedy = "give a surface with an extent";
            return Err(Error::out_of_range("the length of the surface", longest, "more than 0", remedy));
        }
        let free = |length: f64| if self.fluid_inside { WALL } else { (MARGIN * length).max(4.0) };
        let scale = self.scale.unwrap_or_else(|| match self.size {
            None => LONGEST / longest,
            // So that the same share of the box stays free.
            Some(size) => (0..3)
                .filter(|&axis| extents[axis] > 0.0)
                .map(|axis| {
                    let nodes = size[axis] as f64;
                    (if self.fluid_inside { nodes - 2.0 * WALL } else { 0.75 * nodes }) / extents[axis]
                })
                .fold(f64::INFINITY, f64::min),
        });
        let length = scale * longest;
        let mesh = mesh.placed(&put.scaled(scale)).map_err(|error| match (self.scale, self.size) {
            (None, Some(size)) => without_scale(size, length),
            _ => error,
        })?;
        let size = self
            .size
            .unwrap_or_else(|| extents.map(|extent| (scale * extent + 2.0 * free(length)).ceil() as usize));
        let at = self.at.unwrap_or(size.map(|n| n as f64 / 2.0));
        Ok((mesh.placed(&put.at(at)?)?, size))
    }
}

/// That no scale follows from a box: the surface would be `length` nodes long in it.
fn without_scale(size: [usize; 3], length: f64) -> Error {
    let allowed = format!("a box in which it is 1 to 1048576 nodes long, and here it would be {length:.2}");
    let remedy = "give the nodes along x, y and z, e.g. 128,128,128, or a --scale";
    Error::out_of_range("--size", shown(size), allowed, remedy)
}

fn shown(size: [usize; 3]) -> String {
    size.map(|n| n.to_string()).join(" x ")
}

/// The nodes of a surface at its place.
pub(super) fn make(mesh: Mesh, size: [usize; 3], fluid_inside: bool) -> Result<Made, Error> {
    let mut regions = Regions::empty(size)?;
    let bodies = mesh.clone().bodies()?;
    for (name, surface) in &bodies {
        regions.add(name, surface)?;
    }
    if regions.counts().iter().all(|&nodes| nodes == 0) {
        let Bounds { low, high } = mesh.bounds();
        let corner = |point: [f64; 3]| point.map(|x| format!("{x:.2}")).join(", ");
        return Err(Error::conflict(
            format!(
                "no node lies inside of the surface, which spans ({}) to ({}) in a box of {} nodes",
                corner(low),
                corner(high),
                shown(size)
            ),
            "give a larger --scale, another place with --at, or a surface that encloses something",
        ));
    }
    let placed = Placed { mesh, bodies, fluid_inside };
    Ok(Made { surface: Some(placed), ..Made::of_regions(regions, fluid_inside)? })
}

fn extents(bounds: &Bounds) -> [f64; 3] {
    std::array::from_fn(|axis| bounds.high[axis] - bounds.low[axis])
}

#[cfg(test)]
mod tests {
    use lbm_core::geometry::MeshBody;

    use super::*;

    #[test]
    fn a_surface_is_put_where_it_is_asked_for() {
        let mesh = || MeshBody::Sphere.mesh(32).unwrap();
        let (placed, size) = Placement::default().place(mesh()).unwrap();
        assert_eq!(size, [128; 3]);
        let Bounds { low, high } = placed.bounds();
        assert!((low[0] - 16.0).abs() < 1e-9 && (high[2] - 112.0).abs() < 1e-9, "{low:?} {high:?}");
        let given = Placement {
            scale: Some(8.0),
            size: Some([32; 3]),
            at: Some([10.0, 12.0, 14.0]),
            ..Placement::default()
        };
        let (placed, size) = given.place(mesh()).unwrap();
        assert_eq!(size, [32; 3]);
        let made = make(placed, size, false).unwrap();
        assert!(made.geometry.is_solid([10, 12, 14]) && !made.geometry.is_solid([16, 16, 16]));
        let regions = made.regions_in(&made.geometry);
        assert_eq!((regions.len(), regions[0].name.as_str()), (1, "sphere"));
        let inside = Placement { scale: Some(8.0), fluid_inside: true, ..Placement::default() };
        let (placed, size) = inside.place(mesh()).unwrap();
        assert_eq!(size, [12; 3]);
        let made = make(placed, size, true).unwrap();
        assert!(made.geometry.is_solid([0; 3]) && !made.geometry.is_solid([6; 3]));
    }

    #[test]
    fn a_thin_part_is_a_gap_where_the_fluid_is_inside() {
        let wing = MeshBody::Naca0012.mesh(8).unwrap().scaled(6.0);
        let warnings =
            |inside| named_warnings("wing.stl", &Surface::of(wing.clone()).unwrap(), inside).join(";");
        let [solid, fluid] = ["spacing of solid behind them", "spacing of fluid before them"];
        assert!(warnings(false).contains(solid) && !warnings(false).contains(fluid), "{}", warnings(false));
        assert!(warnings(true).contains(fluid) && !warnings(true).contains(solid), "{}", warnings(true));
    }

    #[test]
    fn an_absurd_scale_or_place_is_refused() {
        let mesh = || MeshBody::Sphere.mesh(8).unwrap();
        for scale in [0.5, 1e9, 0.0, -3.0, f64::NAN, f64::INFINITY] {
            let placement = Placement { scale: Some(scale), ..Placement::default() };
            let message = placement.place(mesh()).unwrap_err().to_string();
            assert!(message.contains("1.000e0 to 1.049e6 nodes a unit of length"), "{scale}: {message}");
        }
        let away = Placement { size: Some([16; 3]), at: Some([100.0; 3]), ..Placement::default() };
        let (placed, size) = away.place(mesh()).unwrap();
        let message = make(placed, size, false).unwrap_err().to_string();
        assert!(message.contains("no node lies inside") && message.contains("--at"), "{message}");
    }
}
