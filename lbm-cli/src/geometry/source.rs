//! Where a geometry comes from: a name with its dimensions, or a file.

use std::path::{Path, PathBuf};

use lbm_core::geometry::{
    Cuboid, Cylinder, Geometry, Shape, SphereArray, SphereLattice, Spheres, Vessel, VesselKind,
};
use lbm_core::{Error, FaceRule};

use super::read_mask;

/// Dimensions of a named geometry, those that were given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dimensions {
    /// The share of fluid nodes.
    pub porosity: Option<f64>,
    /// Diameter of spheres, in node spacings.
    pub diameter: Option<f64>,
    /// Which of the random packings.
    pub seed: Option<u64>,
    /// Nodes along x, y, z.
    pub size: Option<[usize; 3]>,
    /// Nodes along an edge of a cell of spheres.
    pub edge: Option<usize>,
    /// Lengths of a vessel as a multiple of the published box.
    pub scale: Option<f64>,
    /// Fluid nodes across a channel.
    pub side: Option<usize>,
}

/// A geometry that can be made.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Random overlapping spheres in a periodic box.
    Spheres(Spheres, [usize; 3]),
    /// One periodic cell of an array of spheres, by lattice, edge and porosity.
    Array(SphereLattice, usize, f64),
    /// A vessel, periodic along its trunk.
    Vessel(Vessel),
    /// A straight channel along z, `side` nodes across, in a frame of solid nodes.
    Channel {
        /// Fluid nodes across.
        side: usize,
        /// Whether its section is a circle.
        round: bool,
    },
    /// A plane from a PNG picture, dark where it is solid.
    Mask(PathBuf),
    /// A raw voxel file of so many nodes.
    Raw(PathBuf, [usize; 3]),
}

/// Names and the dimensions that each takes.
const NAMES: [(&str, &[&str]); 7] = [
    ("spheres", &["porosity", "diameter", "seed", "size"]),
    ("sc", &["edge", "porosity"]),
    ("bcc", &["edge", "porosity"]),
    ("aorta", &["scale"]),
    ("tree", &["scale"]),
    ("channel-square", &["side"]),
    ("channel-round", &["side"]),
];

/// The length of a channel, in nodes.
const CHANNEL_LENGTH: usize = 64;

impl Source {
    /// The geometry of a name, with the dimensions that were given and defaults for others, or of a file: `*.png`, `*.raw`.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a name that there is not, [`Error::Conflict`] for a dimension that it has not, [`Error::Missing`] for a raw
    /// file without size. Ranges are checked by [`Source::geometry`].
    pub fn named(name: &str, given: &Dimensions) -> Result<Source, Error> {
        let path = Path::new(name);
        let ends = |end: &str| path.extension().is_some_and(|other| other.eq_ignore_ascii_case(end));
        if ends("png") {
            given.only(name, &[])?;
            return Ok(Source::Mask(path.to_owned()));
        }
        if ends("raw") {
            given.only(name, &["size"])?;
            let size = given.size.ok_or_else(|| Error::Missing {
                what: format!("the size of {name}"),
                remedy: "a raw file has no header; give --size NX,NY,NZ".to_owned(),
            })?;
            return Ok(Source::Raw(path.to_owned(), size));
        }
        let Some((_, takes)) = NAMES.iter().find(|(known, _)| *known == name) else {
            let known = NAMES.map(|(name, _)| name);
            let remedy = format!("the geometries are {}, or a file: *.png, *.raw", known.join(", "));
            return Err(Error::unknown("geometry", name, known, remedy));
        };
        given.only(name, takes)?;
        let array = |lattice| Source::Array(lattice, given.edge.unwrap_or(64), given.porosity.unwrap_or(0.6));
        let vessel = |kind| Source::Vessel(Vessel { kind, scale: given.scale.unwrap_or(1.0) });
        let channel = |round| Source::Channel { side: given.side.unwrap_or(32), round };
        let defaults = Spheres::default();
        Ok(match name {
            "sc" => array(SphereLattice::SimpleCubic),
            "bcc" => array(SphereLattice::BodyCentred),
            "aorta" => vessel(VesselKind::Aorta),
            "tree" => vessel(VesselKind::Tree),
            "channel-square" => channel(false),
            "channel-round" => channel(true),
            _ => Source::Spheres(
                Spheres {
                    diameter: given.diameter.unwrap_or(defaults.diameter),
                    porosity: given.porosity.unwrap_or(defaults.porosity),
                    seed: given.seed.unwrap_or(defaults.seed),
                    ..defaults
                },
                given.size.unwrap_or([128; 3]),
            ),
        })
    }

    /// Nodes along x, y, z and about how many of them are fluid, as a share, where that is known before it is made.
    #[must_use]
    pub fn extent(&self) -> Option<([usize; 3], f64)> {
        match self {
            Source::Spheres(spheres, size) => Some((*size, spheres.porosity)),
            Source::Array(_, edge, porosity) => Some(([*edge; 3], *porosity)),
            Source::Vessel(vessel) => {
                let porosity = if vessel.kind == VesselKind::Aorta { 0.098 } else { 0.175 };
                Some((vessel.size(), porosity))
            }
            Source::Channel { side, round } => {
                let section = if *round { std::f64::consts::FRAC_PI_4 } else { 1.0 };
                let across = side.saturating_add(2);
                let share = *side as f64 / across as f64;
                Some(([across, across, CHANNEL_LENGTH], section * share * share))
            }
            Source::Mask(_) => None,
            // Of a file that was not read, nothing is known but that no more than all is fluid.
            Source::Raw(_, size) => Some((*size, 1.0)),
        }
    }

    /// Along which axes it goes on around the box.
    #[must_use]
    pub fn periodic(&self) -> [bool; 3] {
        match self {
            Source::Spheres(spheres, _) => [spheres.periodic; 3],
            Source::Array(..) => [true; 3],
            Source::Vessel(vessel) => std::array::from_fn(|axis| axis == vessel.axis()),
            Source::Channel { .. } => [false, false, true],
            Source::Mask(_) => [false, false, true],
            Source::Raw(..) => [false; 3],
        }
    }

    /// The faces that belong to [`periodic`](Source::periodic): walls elsewhere.
    #[must_use]
    pub fn faces(&self) -> [FaceRule; 6] {
        let periodic = self.periodic();
        std::array::from_fn(|face| if periodic[face / 2] { FaceRule::Periodic } else { FaceRule::WALL })
    }

    /// Makes it, or reads it.
    ///
    /// # Errors
    /// Dimensions out of range, files that cannot be read or have another size, all as [`lbm_core::geometry`] and [`read_mask`] say.
    pub fn geometry(&self) -> Result<Geometry, Error> {
        match self {
            Source::Spheres(spheres, size) => Ok(spheres.pack(*size)?.geometry),
            Source::Array(lattice, edge, porosity) => {
                SphereArray::with_porosity(*lattice, *edge, *porosity)?.geometry()
            }
            Source::Vessel(vessel) => vessel.geometry(),
            Source::Channel { side, round } => channel(*side, *round),
            Source::Mask(path) => read_mask(path),
            Source::Raw(path, size) => Geometry::read_raw(path, *size),
        }
    }
}

fn channel(side: usize, round: bool) -> Result<Geometry, Error> {
    if !(1..=1 << 20).contains(&side) {
        return Err(Error::out_of_range(
            "side",
            side,
            "1 to 1048576 nodes",
            "give the nodes across the channel",
        ));
    }
    let size = [side + 2, side + 2, CHANNEL_LENGTH];
    let (side, end) = (side as f64, (CHANNEL_LENGTH + 1) as f64);
    if round {
        let middle = side / 2.0 + 1.0;
        let fluid = Cylinder { from: [middle, middle, -1.0], to: [middle, middle, end], radius: side / 2.0 };
        return Geometry::of(size, &fluid.complement());
    }
    let fluid = Cuboid { low: [1.0, 1.0, -1.0], high: [side + 1.0, side + 1.0, end] };
    Geometry::of(size, &fluid.complement())
}

impl Dimensions {
    /// That no other dimension was given than those that a geometry takes.
    fn only(&self, geometry: &str, takes: &[&str]) -> Result<(), Error> {
        let given = [
            ("porosity", self.porosity.is_some()),
            ("diameter", self.diameter.is_some()),
            ("seed", self.seed.is_some()),
            ("size", self.size.is_some()),
            ("edge", self.edge.is_some()),
            ("scale", self.scale.is_some()),
            ("side", self.side.is_some()),
        ];
        let Some((other, _)) = given.iter().find(|(name, given)| *given && !takes.contains(name)) else {
            return Ok(());
        };
        let remedy = match takes {
            [] => "it takes none".to_owned(),
            _ => format!("it takes --{}", takes.join(", --")),
        };
        Err(Error::Conflict { what: format!("--{other} is not for {geometry}"), remedy })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_makes_a_geometry_of_its_size_and_about_its_porosity() {
        for (name, takes) in NAMES {
            let mut given = Dimensions::default();
            for dimension in takes {
                match *dimension {
                    "diameter" => given.diameter = Some(12.0),
                    "size" => given.size = Some([32; 3]),
                    "edge" => given.edge = Some(24),
                    "scale" => given.scale = Some(0.25),
                    "side" => given.side = Some(16),
                    _ => {}
                }
            }
            let source = Source::named(name, &given).unwrap();
            let geometry = source.geometry().unwrap();
            let (size, porosity) = source.extent().unwrap();
            assert_eq!(geometry.size(), size, "{name}");
            assert!((geometry.porosity() - porosity).abs() < 0.06, "{name}: {}", geometry.porosity());
            // A packing may have pockets of a few nodes.
            let (nodes, mut geometry) = (geometry.nodes(), geometry);
            let filled = crate::geometry::connect(&mut geometry, &source.faces(), true, "").unwrap();
            assert!(filled * 100 < nodes, "{name}: {filled}");
        }
    }

    #[test]
    fn what_does_not_belong_to_a_geometry_is_refused() {
        let refused = |name: &str, given: Dimensions| Source::named(name, &given).unwrap_err().to_string();
        let scaled = Dimensions { scale: Some(1.0), ..Dimensions::default() };
        assert_eq!(refused("sc", scaled), "--scale is not for sc; it takes --edge, --porosity");
        assert_eq!(refused("a.png", scaled), "--scale is not for a.png; it takes none");
        assert!(refused("rock.raw", Dimensions::default()).contains("--size NX,NY,NZ"));
        assert!(refused("sphere", Dimensions::default()).contains("did you mean `spheres`?"));
    }
}
