//! Bodies of a case file: shapes, surfaces and voxels from files, put at their places.

use std::path::Path;
use std::sync::Arc;

use lbm_core::Geometry;
use lbm_core::geometry::{Complement, Hit, Mesh, PatchExtent, Regions, Shape, Surface, VoxelPlacement};
use lbm_core::rules::Stands;

use super::known::Known;
use super::rules::{Stand, rule};
use super::shapes::{Others, Said, Shared, placed_mesh, placed_shape};
use super::surface_patches::{Patch, patches};
use super::table::{Item, Table, flag, list, name, number, of, refused, table, text, unknown, vector};
use crate::cases::area::frontal_area;
use crate::cases::fault::Fault;
use crate::geometry::{named_warnings, read_mask};
use crate::simulation::PlacedRule;

/// A body.
#[derive(Clone)]
pub(super) struct Body {
    pub(super) name: String,
    pub(super) form: Form,
    /// The rule at its surface; half-way walls if there is none.
    pub(super) rule: Option<PlacedRule>,
    /// Parts of its surface with rules of their own.
    pub(super) patches: Vec<Patch>,
    /// Whether a ray through its shape knows where it is met.
    rays: bool,
}

impl Body {
    /// The rule at its surface, if it has one there: half-way walls around patches with rules of their own.
    pub(super) fn surface_rule(&self) -> Option<PlacedRule> {
        let around = || PlacedRule::named("half-way");
        self.rule.clone().or_else(|| (!self.patches.is_empty()).then(around))
    }

    /// Its area across an axis in a box, as far as its shape tells it: voxels are counted as the nodes that they are, and what is left of a shape from
    /// which others are taken as well.
    pub(super) fn area(&self, size: [usize; 3], along: usize) -> Option<f64> {
        match &self.form {
            Form::Shape(shape) if self.rays => frontal_area(shape, size, along),
            Form::Shape(_) | Form::Nodes(_) => None,
        }
    }
}

/// What a body is.
#[derive(Clone)]
pub(super) enum Form {
    /// All within a shape.
    Shape(Shared),
    /// Solid nodes of a box.
    Nodes(Voxels),
}

/// The nodes of a box as a shape, whose surface is half-way between them.
#[derive(Clone)]
pub(super) struct Voxels {
    /// Which are solid.
    pub(super) solid: Arc<Geometry>,
    /// The regions that they are of, if these have names.
    regions: Option<Arc<Regions>>,
}

impl From<Geometry> for Voxels {
    fn from(solid: Geometry) -> Voxels {
        Voxels { solid: Arc::new(solid), regions: None }
    }
}

/// The node of a point.
fn node(point: [f64; 3]) -> [usize; 3] {
    // What lies beyond the box counts as solid, and is never asked for.
    point.map(|x| x.max(0.0) as usize)
}

impl Shape for Voxels {
    fn contains(&self, point: [f64; 3]) -> bool {
        self.solid.is_solid(node(point))
    }

    fn hit(&self, _: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        let region = || {
            let (regions, [x, y, z]) = (self.regions.as_ref()?, node(to));
            let [nx, ny, _] = regions.size();
            regions.region().get(x + nx * (y + ny * z))?.checked_sub(1)
        };
        let nameless = u16::try_from(self.named_patches()).unwrap_or(u16::MAX);
        self.contains(to).then(|| Hit::new(0.5, region().unwrap_or(nameless)))
    }

    fn named_patches(&self) -> usize {
        self.regions.as_ref().map_or(0, |regions| regions.names().len())
    }

    fn patch_name(&self, patch: u16) -> Option<&str> {
        self.regions.as_ref()?.names().get(usize::from(patch)).map(String::as_str)
    }
}

/// The tables `bodies`. A box whose size is not known yet gets that of the first voxels.
pub(super) fn bodies(
    item: &Item<'_>,
    size: Option<[usize; 3]>,
    known: &Known<'_>,
) -> Result<(Vec<Body>, Option<[usize; 3]>), Fault> {
    let (mut all, mut size): (Vec<Body>, _) = (Vec::new(), size);
    for item in list(item)? {
        let table = table(item)?;
        let named = table.need("name", "name = \"cylinder\"")?;
        if all.iter().any(|other| text(named).is_ok_and(|name| name == other.name)) {
            return Err(refused(named, "another body has this name", "give each a name of its own"));
        }
        let body = body(&table, name(named, "body")?, size, known)?;
        if let Form::Nodes(voxels) = &body.form {
            let nodes = voxels.solid.size();
            if size.is_some_and(|size| size != nodes) {
                return Err(misfit(named, nodes, size));
            }
            size = Some(nodes);
        }
        all.push(body);
    }
    Ok((all, size))
}

/// What a file of other nodes than the box is refused with.
fn misfit(item: &Item<'_>, nodes: [usize; 3], size: Option<[usize; 3]>) -> Fault {
    let what = format!("the file has {nodes:?} nodes, the box {:?}", size.unwrap_or_default());
    refused(item, what, "leave `size` out, or make one of them fit")
}

fn body(table: &Table<'_>, name: &str, size: Option<[usize; 3]>, known: &Known<'_>) -> Result<Body, Fault> {
    let (form, rays, parts) = match (table.get("shape"), table.get("file")) {
        (Some(item), None) => {
            let said = placed_shape(table, item, known)?;
            (Form::Shape(Shared(said.shape.into())), said.rays, Parts::default())
        }
        (None, Some(file)) => {
            let (form, parts) = of_file(table, file, size, known)?;
            (form, true, parts)
        }
        _ => {
            let what = "a body is either a `shape` or a `file`";
            return Err(Fault::new(
                Some(table.at()),
                what,
                "write, for example, shape = \"sphere:32,32,32,8\"",
            ));
        }
    };
    let others = Others::of(table, known)?;
    known.notes.borrow_mut().extend(others.notes(name, known.dimension, size));
    let (form, rays) = combined(form, rays, others);
    let placed = match table.get("rule") {
        Some(item) if text(item).is_ok_and(|name| name == "wall") => None,
        Some(item) => Some(rule(item, &[Stands::AtLinks], &Stand::Body, known)?),
        None => None,
    };
    let patches = table.read("patches", |item| patches(item, &parts, known))?.unwrap_or_default();
    table.finish()?;
    Ok(Body { name: name.to_owned(), form, rule: placed, patches, rays })
}

/// A form with what is added to it and taken from it, and whether a ray through it knows where it is met.
fn combined(form: Form, rays: bool, others: Others) -> (Form, bool) {
    match form {
        Form::Shape(shape) => {
            let Said { shape, rays } = Said { shape: Box::new(shape), rays }.with(others);
            (Form::Shape(Shared(shape.into())), rays)
        }
        Form::Nodes(Voxels { solid, regions }) => {
            let mut geometry = Arc::unwrap_or_clone(solid);
            others.united.iter().for_each(|other| geometry.add(&other.shape));
            others.subtracted.iter().for_each(|other| geometry.subtract(&other.shape));
            (Form::Nodes(Voxels { solid: Arc::new(geometry), regions }), false)
        }
    }
}

/// A named part of a body's surface; of triangles with what it is like.
pub(super) type NamedPart = (String, Option<PatchExtent>);

/// Of what parts a body's surface has.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) named: Vec<NamedPart>,
    /// The surface, if it is one of triangles.
    skin: Option<Arc<Surface>>,
}

impl Parts {
    fn named(named: impl Iterator<Item = NamedPart>) -> Parts {
        Parts { named: named.collect(), skin: None }
    }

    /// What the part in a shape is like; none where the surface is not one of triangles, or has none there.
    pub(super) fn within(&self, shape: &dyn Shape) -> Option<PatchExtent> {
        let extent = self.skin.as_ref()?.extent_within(shape);
        (extent.triangles > 0).then_some(extent)
    }
}

/// A surface `*.stl`, `*.obj`, voxels `*.nrrd`, `*.raw` or a mask `*.png`; of a surface and of regions with their named parts.
fn of_file(
    table: &Table<'_>,
    file: &Item<'_>,
    size: Option<[usize; 3]>,
    known: &Known<'_>,
) -> Result<(Form, Parts), Fault> {
    let path = known.folder.join(text(file)?);
    let end = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let form = match end.as_str() {
        "stl" | "obj" => {
            let mesh = placed_mesh(table, file, Mesh::read(&path).map_err(of(file))?, known)?;
            let parts = Parts::named(mesh.names().iter().cloned().zip(mesh.extents().into_iter().map(Some)));
            let skin = match table.get("part") {
                Some(item) => part(item, mesh)?,
                None => Surface::of(mesh).map_err(of(file))?,
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let holds_fluid = fluid_inside(table)?;
            known.notes.borrow_mut().extend(named_warnings(&name, &skin, holds_fluid));
            let skin = Arc::new(skin);
            let whole = Shared(Arc::clone(&skin) as Arc<dyn Shape>);
            let shape = match holds_fluid {
                true => Shared(Arc::new(Complement(whole))),
                false => whole,
            };
            return Ok((Form::Shape(shape), Parts { skin: Some(skin), ..parts }));
        }
        "nrrd" | "nhdr" => {
            let put = put(table, size, known)?;
            let nodes = Regions::nrrd_size(&path).and_then(|voxels| put.size_of(voxels)).map_err(of(file))?;
            if size.is_some_and(|size| size != nodes) {
                return Err(misfit(file, nodes, size));
            }
            let regions = Regions::read_nrrd(&path).and_then(|all| all.placed(&put)).map_err(of(file))?;
            let geometry = match table.get("part") {
                Some(item) => region(item, &regions)?,
                None => regions.geometry().map_err(of(file))?,
            };
            // Around a part that is fluid the others are solid, and still have their names.
            let solid = Arc::new(inverted(table, geometry)?);
            let parts = Parts::named(solid_regions(&solid, &regions).map(|name| (name.clone(), None)));
            return Ok((Form::Nodes(Voxels { solid, regions: Some(Arc::new(regions)) }), parts));
        }
        "png" => {
            let put = put(table, size, known)?;
            inverted(table, read_mask(&path).and_then(|mask| mask.placed(&put)).map_err(of(file))?)
        }
        "raw" => {
            let voxels = table.read("voxels", |item| super::reading::size(item, known.dimension))?.or(size);
            let voxels = voxels.ok_or_else(|| {
                refused(file, "a raw file has no header", "give `size`, the nodes of the box, or `voxels`")
            })?;
            let put = put(table, size, known)?;
            let read = Geometry::read_raw(&path, voxels).and_then(|all| all.placed(&put));
            inverted(table, read.map_err(of(file))?)
        }
        _ => Err(refused(
            file,
            format!("{} ends in none of .stl, .obj, .nrrd, .raw, .png", Path::new(text(file)?).display()),
            "give one of these",
        )),
    };
    Ok((Form::Nodes(form?.into()), Parts::default()))
}

/// The names of the regions that have solid nodes.
fn solid_regions<'a>(solid: &Geometry, regions: &'a Regions) -> impl Iterator<Item = &'a String> {
    let mut is_solid = vec![false; regions.names().len() + 1];
    for (position, &region) in crate::simulation::positions(regions.size()).zip(regions.region()) {
        is_solid[usize::from(region)] |= solid.is_solid(position);
    }
    regions.names().iter().zip(is_solid.into_iter().skip(1)).filter_map(|(name, solid)| solid.then_some(name))
}

/// Whether what the file encloses is the fluid.
fn fluid_inside(table: &Table<'_>) -> Result<bool, Fault> {
    Ok(table.read("fluid_inside", flag)?.unwrap_or(false))
}

/// What is fluid and what is solid exchanged, if the table says so.
fn inverted(table: &Table<'_>, geometry: Geometry) -> Result<Geometry, Fault> {
    Ok(if fluid_inside(table)? { geometry.inverted() } else { geometry })
}

/// Where voxels are put: `rotate` in degrees, by quarters, `scale` nodes a voxel, `at` their middle in the box.
fn put(table: &Table<'_>, size: Option<[usize; 3]>, known: &Known<'_>) -> Result<VoxelPlacement, Fault> {
    let mut put = VoxelPlacement::default();
    if let Some(item) = table.get("rotate") {
        put = put.rotated(vector(item, 3, 0.0)?).map_err(of(item))?;
    }
    if let Some(item) = table.get("scale") {
        put = put.scaled(number(item)?).map_err(of(item))?;
    }
    if let Some(item) = table.get("at") {
        let middle = vector(item, known.dimension, 0.5)?;
        let size = size.ok_or_else(|| refused(item, "the box has no size yet", "give `size`, its nodes"))?;
        put = put.at(size, middle);
    }
    Ok(put)
}

/// The closed part of a name.
fn part(item: &Item<'_>, mesh: Mesh) -> Result<Surface, Fault> {
    let (name, parts) = (text(item)?, mesh.bodies().map_err(of(item))?);
    let names: Vec<String> = parts.iter().map(|(name, _)| name.clone()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let found = parts.into_iter().find(|(known, _)| known == name).map(|(_, skin)| skin);
    found.ok_or_else(|| unknown("part", name, item.span().start, &names))
}

/// The nodes of the region of a name.
fn region(item: &Item<'_>, regions: &Regions) -> Result<Geometry, Fault> {
    let (name, names) = (text(item)?, regions.names());
    let listed: Vec<&str> = names.iter().map(String::as_str).collect();
    let number = names.iter().position(|known| known == name);
    let number = number.ok_or_else(|| unknown("part", name, item.span().start, &listed))?;
    let flags = regions.region().iter().map(|&region| u8::from(usize::from(region) == number + 1));
    Geometry::from_nodes(regions.size(), flags.collect()).map_err(of(item))
}
