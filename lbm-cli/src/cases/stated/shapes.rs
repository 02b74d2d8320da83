//! Shapes of a case file, and how they and surfaces are placed.

use std::sync::Arc;

use lbm_core::geometry::{Bounds, Difference, Hit, Mesh, Raster, Shape, ShapePlacement, Surface, Union};
use toml::de::DeValue;

use super::known::Known;
use super::table::{Item, Table, list, number, of, refused, table, text, vector};
use crate::cases::fault::Fault;
use crate::geometry::{named_warnings, read_shape};

/// A shape that several hold.
#[derive(Clone)]
pub(super) struct Shared(pub(super) Arc<dyn Shape>);

impl Shape for Shared {
    fn contains(&self, point: [f64; 3]) -> bool {
        self.0.contains(point)
    }

    fn bounds(&self) -> Bounds {
        self.0.bounds()
    }

    fn paint(&self, raster: &mut Raster<'_>) {
        self.0.paint(raster);
    }

    fn hit(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        self.0.hit(from, to)
    }

    fn left(&self, from: [f64; 3], to: [f64; 3]) -> Option<Hit> {
        self.0.left(from, to)
    }

    fn named_patches(&self) -> usize {
        self.0.named_patches()
    }

    fn patch_name(&self, patch: u16) -> Option<&str> {
        self.0.patch_name(patch)
    }
}

/// A shape as a file says it.
pub(super) struct Said {
    pub(super) shape: Box<dyn Shape>,
    /// Whether a ray through it knows where it is met.
    pub(super) rays: bool,
}

impl Said {
    /// With shapes that are added, and then some that are taken away.
    pub(super) fn with(self, Others { united, subtracted }: Others) -> Said {
        let rays = subtracted.is_empty() && self.rays && united.iter().all(|other| other.rays);
        let mut all = vec![self.shape];
        all.extend(united.into_iter().map(|other| other.shape));
        let whole: Box<dyn Shape> = if all.len() == 1 { all.swap_remove(0) } else { Box::new(Union(all)) };
        let taken: Vec<_> = subtracted.into_iter().map(|other| other.shape).collect();
        let shape = if taken.is_empty() { whole } else { Box::new(Difference(whole, Union(taken))) };
        Said { shape, rays }
    }
}

/// What is added to a shape and taken from it.
pub(super) struct Others {
    pub(super) united: Vec<Said>,
    pub(super) subtracted: Vec<Said>,
}

impl Others {
    /// The lists `unite` and `subtract` of a table.
    pub(super) fn of(table: &Table<'_>, known: &Known<'_>) -> Result<Others, Fault> {
        let [united, subtracted] =
            ["unite", "subtract"].map(|key| table.read(key, |item| shapes(item, known)));
        Ok(Others { united: united?.unwrap_or_default(), subtracted: subtracted?.unwrap_or_default() })
    }
}

impl Others {
    /// What should be known of shapes so small, or so placed, that they hold no node of the box, if its size is known, of the body of this name.
    pub(super) fn notes(
        &self,
        body: &str,
        dimension: usize,
        size: Option<[usize; 3]>,
    ) -> impl Iterator<Item = String> {
        let lists = [("unite", &self.united), ("subtract", &self.subtracted)];
        let count =
            |all: &[Said]| all.iter().filter(|said| holds_no_node(&*said.shape, dimension, size)).count();
        let counts = lists.map(|(key, all)| (key, count(all), all.len()));
        let few = counts.into_iter().filter(|&(_, count, _)| count > 0);
        few.map(move |(key, count, all)| {
            format!("`{key}` of the body `{body}`: {count} of {all} shapes hold no node, and change nothing")
        })
    }
}

/// Whether no node's centre lies in a shape. Of large ones that is not looked for.
fn holds_no_node(shape: &dyn Shape, dimension: usize, size: Option<[usize; 3]>) -> bool {
    const MOST: f64 = 65_536.0;
    let Bounds { low, high } = shape.bounds();
    let last = size.map_or([f64::INFINITY; 3], |size| size.map(|n| n as f64 - 1.0));
    let ends = [0, 1, 2].map(|axis| match axis < dimension {
        true => [(low[axis] - 0.5).ceil().max(0.0), (high[axis] - 0.5).floor().min(last[axis])],
        false => [0.0, 0.0],
    });
    let along = ends.map(|[first, last]| (last - first + 1.0).max(0.0));
    if along.iter().any(|n| *n > MOST) || along.iter().product::<f64>() > MOST {
        return false;
    }
    let along = along.map(|n| n as usize);
    let mut nodes = (0..along.iter().product()).map(|n| {
        let at = [n % along[0], n / along[0] % along[1], n / along[0] / along[1]];
        [0, 1, 2].map(|axis| ends[axis][0] + at[axis] as f64 + 0.5)
    });
    !nodes.any(|centre| shape.contains(centre))
}

/// A list of shapes.
fn shapes(item: &Item<'_>, known: &Known<'_>) -> Result<Vec<Said>, Fault> {
    list(item)?.into_iter().map(|item| shape(item, known)).collect()
}

/// A shape: a text, or a table of a `shape` or the `file` of a surface that is placed, with what it is united with and what is subtracted.
pub(super) fn shape(item: &Item<'_>, known: &Known<'_>) -> Result<Said, Fault> {
    if !matches!(item.get_ref(), DeValue::Table(_)) {
        let shape = read_shape(text(item)?).map_err(of(item))?;
        return Ok(Said { shape, rays: true });
    }
    let table = table(item)?;
    let own = match (table.get("file"), table.get("shape")) {
        (Some(file), None) => surface(&table, file, known)?,
        (Some(file), Some(_)) => {
            let what = "this is either a `shape` or the surface of a `file`";
            return Err(refused(file, what, "keep one of them"));
        }
        (None, _) => {
            let needed = "shape = \"sphere:32,32,32,8\", or file = \"ball.stl\"";
            placed_shape(&table, table.need("shape", needed)?, known)?
        }
    };
    let whole = own.with(Others::of(&table, known)?);
    table.finish()?;
    Ok(whole)
}

/// What a surface in a file encloses, at the place that a table says. Its parts have no names there, as other shapes have none.
fn surface(table: &Table<'_>, file: &Item<'_>, known: &Known<'_>) -> Result<Said, Fault> {
    let path = known.folder.join(text(file)?);
    let mesh = placed_mesh(table, file, Mesh::read(&path).map_err(of(file))?, known)?;
    let skin = Surface::of(mesh).map_err(of(file))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    known.notes.borrow_mut().extend(named_warnings(&name, &skin, false));
    Ok(Said { shape: Box::new(skin.without_names()), rays: true })
}

/// The shape of a table at the place that the table says; the shape itself if it says none.
pub(super) fn placed_shape(table: &Table<'_>, item: &Item<'_>, known: &Known<'_>) -> Result<Said, Fault> {
    let (said, placing) = (shape(item, known)?, Placing::of(table, known)?);
    if placing.put == ShapePlacement::default() {
        return Ok(said);
    }
    let placed = said.shape.placed(&placing.put).map_err(of(placing.at.unwrap_or(item)))?;
    Ok(Said { shape: Box::new(placed), ..said })
}

/// A mesh at the place that a table says: as it is in its file where it says no scale.
pub(super) fn placed_mesh(
    table: &Table<'_>,
    file: &Item<'_>,
    mesh: Mesh,
    known: &Known<'_>,
) -> Result<Mesh, Fault> {
    let placing = Placing::of(table, known)?;
    let put = if placing.sized { placing.put } else { placing.put.scaled(1.0) };
    mesh.placed(&put).map_err(of(placing.at.unwrap_or(file)))
}

/// Where something is put: `rotate` in degrees about x, y, z, `scale` nodes a unit of length or `length` nodes along the longest edge, `at` its middle.
struct Placing<'a> {
    put: ShapePlacement,
    /// Whether a scale or a length is given.
    sized: bool,
    /// The value that may not suit what is placed.
    at: Option<&'a Item<'a>>,
}

impl<'a> Placing<'a> {
    fn of(table: &Table<'a>, known: &Known<'_>) -> Result<Placing<'a>, Fault> {
        let mut put = ShapePlacement::default();
        if let Some(item) = table.get("rotate") {
            put = put.rotated(vector(item, 3, 0.0)?).map_err(of(item))?;
        }
        let size = match (table.get("scale"), table.get("length")) {
            (Some(item), None) => Some((put.scaled(number(item)?), item)),
            (None, Some(item)) => Some((put.long(number(item)?), item)),
            (None, None) => None,
            (Some(_), Some(item)) => {
                return Err(refused(item, "`scale` and `length` say the same", "keep one of them"));
            }
        };
        put = size.map_or(put, |(put, _)| put);
        let middle = table.get("at");
        if let Some(item) = middle {
            // Across a flow in two dimensions the middle is cut.
            put = put.at(vector(item, known.dimension, 0.5)?).map_err(of(item))?;
        }
        Ok(Placing { put, sized: size.is_some(), at: size.map(|(_, item)| item).or(middle) })
    }
}
