//! Where a geometry comes from: a name with its dimensions, or a file.

use std::path::{Path, PathBuf};

use clap::Args;
use lbm_core::geometry::{
    Cuboid, Cylinder, Geometry, Mesh, Regions, Shape, SphereArray, SphereLattice, Spheres, Vessel,
    VesselKind, VoxelPlacement,
};
use lbm_core::{Error, FaceRule};

use super::made::Made;
use super::read_mask;
use super::surface::{self, Placement};

/// Dimensions of a named geometry, those that were given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Args)]
pub struct Dimensions {
    /// Share of fluid nodes (spheres, sc, bcc)
    #[arg(long, allow_negative_numbers = true)]
    pub porosity: Option<f64>,
    /// Diameter of the spheres in node spacings (spheres)
    #[arg(long, allow_negative_numbers = true)]
    pub diameter: Option<f64>,
    /// Which of the random packings (spheres)
    #[arg(long)]
    pub seed: Option<u64>,
    /// Nodes of the box (spheres, FILE.stl, FILE.obj, FILE.nrrd, FILE.png); voxels of FILE.raw
    #[arg(long, value_name = "NX,NY,NZ", value_parser = read_size)]
    pub size: Option<[usize; 3]>,
    /// Nodes along the cell's edge (sc, bcc)
    #[arg(long)]
    pub edge: Option<usize>,
    /// Lengths as a multiple of the published box (aorta, tree, fork); nodes a unit of length (FILE.stl, FILE.obj);
    /// nodes along a voxel or pixel, a whole number (FILE.nrrd, FILE.png, FILE.raw)
    #[arg(long, allow_negative_numbers = true)]
    pub scale: Option<f64>,
    /// Fluid nodes across (channel-square, channel-round)
    #[arg(long)]
    pub side: Option<usize>,
    /// Turns it about x, then y, then z, by degrees (FILE.stl, FILE.obj), by multiples of 90 (FILE.nrrd, FILE.png, FILE.raw)
    #[arg(long, value_name = "X,Y,Z", value_parser = read_point, allow_hyphen_values = true)]
    pub rotate: Option<[f64; 3]>,
    /// Where its middle is put, in nodes (FILE.stl, FILE.obj, FILE.nrrd, FILE.png); the box's middle if not given
    #[arg(long, value_name = "X,Y,Z", value_parser = read_point, allow_hyphen_values = true)]
    pub at: Option<[f64; 3]>,
    /// The fluid is inside of the surface, not around it (FILE.stl, FILE.obj)
    #[arg(long)]
    pub fluid_inside: bool,
}

/// Reads a point or three angles, `1.5,0,-2`.
///
/// # Errors
/// [`Error::OutOfRange`] for anything else.
pub fn read_point(text: &str) -> Result<[f64; 3], Error> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) if [x, y, z].iter().all(|x| x.is_finite()) => Ok([x, y, z]),
        _ => Err(Error::out_of_range("a point", text, "three numbers with commas", "write e.g. 0,90,-12.5")),
    }
}

/// Reads the nodes of a box, `64,64,64` (or `512,512` for two dimensions).
///
/// # Errors
/// [`Error::OutOfRange`] for anything else.
pub fn read_size(text: &str) -> Result<[usize; 3], Error> {
    let numbers: Option<Vec<usize>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y]) => Ok([x, y, 1]),
        Some(&[x, y, z]) => Ok([x, y, z]),
        _ => Err(Error::out_of_range(
            "--size",
            text,
            "two or three integers with commas",
            "write e.g. 128,128,128",
        )),
    }
}

/// A geometry that can be made.
pub struct Source {
    /// Nodes along x, y, z and about how many of them are fluid, as a share, where that is known before it is made.
    pub extent: Option<([usize; 3], f64)>,
    /// Along which axes it goes on around the box.
    pub periodic: [bool; 3],
    make: Box<dyn Fn() -> Result<Made, Error>>,
}

/// Makes a source from the dimensions that were given.
type Named = fn(&Dimensions) -> Source;

/// Names, the dimensions that each takes, and what they make, with defaults for dimensions that were not given.
const NAMES: [(&str, &[&str], Named); 8] = [
    ("spheres", &["porosity", "diameter", "seed", "size"], |given| {
        let defaults = Spheres::default();
        let spheres = Spheres {
            diameter: given.diameter.unwrap_or(defaults.diameter),
            porosity: given.porosity.unwrap_or(defaults.porosity),
            seed: given.seed.unwrap_or(defaults.seed),
            ..defaults
        };
        Source::spheres(spheres, given.size.unwrap_or([128; 3]))
    }),
    ("sc", &["edge", "porosity"], |given| Source::array(SphereLattice::SimpleCubic, given)),
    ("bcc", &["edge", "porosity"], |given| Source::array(SphereLattice::BodyCentred, given)),
    ("aorta", &["scale"], |given| Source::vessel(given.vessel(VesselKind::Aorta))),
    ("tree", &["scale"], |given| Source::vessel(given.vessel(VesselKind::Tree))),
    ("fork", &["scale"], |given| Source::vessel(given.vessel(VesselKind::Fork))),
    ("channel-square", &["side"], |given| Source::channel(given.side.unwrap_or(32), false)),
    ("channel-round", &["side"], |given| Source::channel(given.side.unwrap_or(32), true)),
];

/// The dimensions that voxels and masks take.
const VOXELS: [&str; 4] = ["size", "scale", "rotate", "at"];

/// The length of a channel, in nodes.
const CHANNEL_LENGTH: usize = 64;

impl Source {
    /// The geometry of a name, with the dimensions that were given and defaults for others, or of a file: a mask `*.png`, voxels `*.raw` and `*.nrrd` (`*.nhdr`),
    /// a surface `*.stl` and `*.obj`, which is read here.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a name that there is not, [`Error::Conflict`] for a dimension that it has not, [`Error::Missing`] for a raw
    /// file without size, and what reading a surface finds. Ranges are checked by [`Source::geometry`].
    pub fn named(name: &str, given: &Dimensions) -> Result<Source, Error> {
        let path = PathBuf::from(name);
        let ends = |end: &str| path.extension().is_some_and(|other| other.eq_ignore_ascii_case(end));
        if ends("png") {
            given.only(name, &VOXELS)?;
            let (periodic, given) = ([false, false, true], *given);
            return Ok(Source {
                extent: None,
                periodic,
                make: Box::new(move || {
                    let mask = read_mask(&path)?;
                    let placement = given.of_voxels(mask.size())?;
                    Ok(mask.placed(&placement)?.into())
                }),
            });
        }
        if ends("nrrd") || ends("nhdr") {
            given.only(name, &VOXELS)?;
            let given = *given;
            let make = Box::new(move || {
                // What does not fit is refused before it is read.
                let placement = given.of_voxels(Regions::nrrd_size(&path)?)?;
                Made::of_regions(Regions::read_nrrd(&path)?.placed(&placement)?, false)
            });
            return Ok(Source { extent: None, periodic: [false; 3], make });
        }
        if ends("stl") || ends("obj") {
            given.only(name, &["size", "scale", "rotate", "at", "fluid-inside"])?;
            return Source::surface(&path, given);
        }
        if ends("raw") {
            given.only(name, &["size", "scale", "rotate"])?;
            let size = given.size.ok_or_else(|| Error::Missing {
                what: format!("the size of {name}"),
                remedy: "a raw file has no header; give --size NX,NY,NZ".to_owned(),
            })?;
            let placement = Dimensions { size: None, ..*given }.of_voxels(size)?;
            let make = Box::new(move || Ok(Geometry::read_raw(&path, size)?.placed(&placement)?.into()));
            // Of a file that was not read, nothing is known but that no more than all is fluid.
            return Ok(Source { extent: Some((placement.size_of(size)?, 1.0)), periodic: [false; 3], make });
        }
        let Some((_, takes, source)) = NAMES.iter().find(|(known, ..)| *known == name) else {
            let known = NAMES.map(|(name, ..)| name);
            let remedy = format!(
                "the geometries are {}, or a file: *.stl, *.obj, *.png, *.nrrd, *.raw",
                known.join(", ")
            );
            return Err(Error::unknown("geometry", name, known, remedy));
        };
        given.only(name, takes)?;
        Ok(source(given))
    }

    /// A surface from a file, at its place in a box.
    fn surface(path: &Path, given: &Dimensions) -> Result<Source, Error> {
        let placement = Placement {
            size: given.size,
            scale: given.scale,
            rotate: given.rotate.unwrap_or_default(),
            at: given.at,
            fluid_inside: given.fluid_inside,
        };
        let (mesh, size) = placement.place(Mesh::read(path)?)?;
        let solid = mesh.volume().abs() / size.iter().map(|&n| n as f64).product::<f64>();
        let share = if given.fluid_inside { solid } else { 1.0 - solid };
        Ok(Source {
            extent: Some((size, share.clamp(0.0, 1.0))),
            periodic: [false; 3],
            make: Box::new(move || surface::make(mesh.clone(), size, placement.fluid_inside)),
        })
    }

    /// Random overlapping spheres.
    pub fn spheres(spheres: Spheres, size: [usize; 3]) -> Source {
        Source {
            extent: Some((size, spheres.porosity)),
            periodic: [spheres.periodic; 3],
            make: Box::new(move || Ok(spheres.pack(size)?.geometry.into())),
        }
    }

    /// One periodic cell of an array of spheres.
    fn array(lattice: SphereLattice, given: &Dimensions) -> Source {
        let (edge, porosity) = (given.edge.unwrap_or(64), given.porosity.unwrap_or(0.6));
        Source {
            extent: Some(([edge; 3], porosity)),
            periodic: [true; 3],
            make: Box::new(move || {
                Ok(SphereArray::with_porosity(lattice, edge, porosity)?.geometry()?.into())
            }),
        }
    }

    /// A vessel, periodic along its trunk where both ends of that meet.
    pub fn vessel(vessel: Vessel) -> Source {
        let porosity = match vessel.kind {
            VesselKind::Tree => 0.175,
            VesselKind::Fork => 0.147,
            _ => 0.098,
        };
        Source {
            extent: Some((vessel.size(), porosity)),
            periodic: std::array::from_fn(|axis| axis == vessel.axis() && vessel.kind.is_periodic()),
            make: Box::new(move || vessel.geometry().map(Made::from)),
        }
    }

    /// A straight channel along z, `side` nodes across, round or square, in a frame of solid nodes.
    pub fn channel(side: usize, round: bool) -> Source {
        let section = if round { std::f64::consts::FRAC_PI_4 } else { 1.0 };
        let across = side.saturating_add(2);
        let share = side as f64 / across as f64;
        Source {
            extent: Some(([across, across, CHANNEL_LENGTH], section * share * share)),
            periodic: [false, false, true],
            make: Box::new(move || channel(side, round).map(Made::from)),
        }
    }

    /// The faces that belong to [`periodic`](Source::periodic): walls elsewhere.
    #[must_use]
    pub fn faces(&self) -> [FaceRule; 6] {
        let rule = |face: usize| if self.periodic[face / 2] { FaceRule::Periodic } else { FaceRule::WALL };
        std::array::from_fn(rule)
    }

    /// Makes it, or reads it.
    ///
    /// # Errors
    /// Dimensions out of range, files that cannot be read or have another size, all as [`lbm_core::geometry`] and [`read_mask`] say.
    pub fn geometry(&self) -> Result<Geometry, Error> {
        self.make().map(|made| made.geometry)
    }

    /// Makes it, or reads it, with what there is to say of it.
    ///
    /// # Errors
    /// As [`Source::geometry`].
    pub fn make(&self) -> Result<Made, Error> {
        (self.make)()
    }
}

fn channel(side: usize, round: bool) -> Result<Geometry, Error> {
    if !(1..=1 << 20).contains(&side) {
        let remedy = "give the nodes across the channel";
        return Err(Error::out_of_range("side", side, "1 to 1048576 nodes", remedy));
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
    fn vessel(&self, kind: VesselKind) -> Vessel {
        Vessel { kind, scale: self.scale.unwrap_or(1.0) }
    }

    /// Where voxels of this size are put: in the box that was given, in its middle or half a node before it if nothing else was said.
    fn of_voxels(&self, voxels: [usize; 3]) -> Result<VoxelPlacement, Error> {
        let placement = VoxelPlacement::default()
            .rotated(self.rotate.unwrap_or_default())?
            .scaled(self.scale.unwrap_or(1.0))?;
        let own = placement.size_of(voxels)?;
        match (self.size, self.at) {
            (None, None) => Ok(placement),
            (None, Some(_)) => Err(Error::Missing {
                what: "the size of the box".to_owned(),
                remedy: "`--at` is a point of it; give --size NX,NY,NZ".to_owned(),
            }),
            (Some(size), at) => {
                let middle =
                    |axis: usize| (size[axis].saturating_sub(own[axis]) / 2) as f64 + own[axis] as f64 / 2.0;
                let placement = placement.at(size, at.unwrap_or_else(|| std::array::from_fn(middle)));
                placement.size_of(voxels).and(Ok(placement))
            }
        }
    }

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
            ("rotate", self.rotate.is_some()),
            ("at", self.at.is_some()),
            ("fluid-inside", self.fluid_inside),
        ];
        let Some((other, _)) = given.iter().find(|(name, given)| *given && !takes.contains(name)) else {
            return Ok(());
        };
        let remedy = match takes {
            [] => "it takes none".to_owned(),
            _ => format!("it takes --{}", takes.join(", --")),
        };
        Err(Error::conflict(format!("--{other} is not for {geometry}"), remedy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_makes_a_geometry_of_its_size_and_about_its_porosity() {
        for (name, takes, _) in NAMES {
            let takes = |dimension| takes.contains(&dimension);
            let given = Dimensions {
                diameter: takes("diameter").then_some(12.0),
                size: takes("size").then_some([32; 3]),
                edge: takes("edge").then_some(24),
                scale: takes("scale").then_some(0.25),
                side: takes("side").then_some(16),
                ..Dimensions::default()
            };
            let source = Source::named(name, &given).unwrap();
            let geometry = source.geometry().unwrap();
            let (size, porosity) = source.extent.unwrap();
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
        let refused = |name: &str, given: Dimensions| Source::named(name, &given).err().unwrap().to_string();
        let scaled = Dimensions { scale: Some(1.0), ..Dimensions::default() };
        assert_eq!(refused("sc", scaled), "--scale is not for sc; it takes --edge, --porosity");
        let edged = Dimensions { edge: Some(8), ..Dimensions::default() };
        let takes = "--edge is not for a.png; it takes --size, --scale, --rotate, --at";
        assert_eq!(refused("a.png", edged), takes);
        assert!(refused("rock.raw", Dimensions::default()).contains("--size NX,NY,NZ"));
        assert!(refused("sphere", Dimensions::default()).contains("did you mean `spheres`?"));
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(read_size("64, 32,16").unwrap(), [64, 32, 16]);
        assert_eq!(read_size("64,32").unwrap(), [64, 32, 1]);
        for wrong in ["64", "a,b", "1,2,3,4", "-1,2,3", ""] {
            assert!(read_size(wrong).is_err(), "{wrong}");
        }
    }
}
