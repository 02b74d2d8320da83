//! A file's tables become a [`Stated`].

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use lbm_core::RuleFacts;
use toml::de::{DeTable, DeValue};

use super::bodies::{self, bodies};
use super::faces::{self, Walls, faces, patches};
use super::known::Known;
use super::regions::regions;
use super::rules::{Stand, Value, axis, of_count, value};
use super::table::{self, Item, Table, count, list, number, of, refused, text, unknown, vector, wrong};
use super::{CASE, Start, Stated, Statement, Watched};
use crate::cases::case::Case;
use crate::cases::case_file;
use crate::cases::fault::Fault;
use crate::cases::pushed::Pushed;
use crate::cases::settings::Settings;
use crate::simulation::Body;
use crate::variants;

/// Keys that are no settings.
const KEYS: [&str; 12] = [
    "title",
    "lattice",
    "size",
    "force",
    "parameters",
    "node_fields",
    "initial",
    "faces",
    "patches",
    "bodies",
    "regions",
    "forces",
];

/// The flow and the settings that a file states; names of files are relative to `folder`.
pub(in crate::cases) fn parse(
    entries: &DeTable<'_>,
    folder: &Path,
) -> Result<(&'static Case, Settings), Fault> {
    let table = Table::new(entries, 0);
    let lattice = table.need("lattice", "lattice = \"D2Q9\"")?;
    let facts = lattice_named(lattice)?;
    let (pulses, notes) = (RefCell::default(), RefCell::default());
    let known = Known {
        lattice: &facts.name,
        rules: &facts.rules,
        dimension: facts.dimension,
        folder,
        pulses,
        notes,
    };
    let given = table.read("size", |item| size(item, facts.dimension))?;
    let (bodies, found) =
        table.read("bodies", |item| bodies(item, given, &known))?.unwrap_or((Vec::new(), given));
    let size = match found {
        Some(size) => size,
        None => table.need("size", "size = [128, 64]").and(Ok([1; 3]))?,
    };
    if size[facts.dimension..].iter().any(|&n| n != 1) {
        let what = format!("the box has {size:?} nodes, {} has {} axes", facts.name, facts.dimension);
        return Err(refused(lattice, what, "take a lattice of more dimensions"));
    }
    let read = |item| vector(item, facts.dimension, 0.0);
    let force = table.read("force", read)?;
    let walls = Walls::of(table.get("faces"), size, &known)?;
    let faces = table.read("faces", |item| faces(item, &walls, &known))?.unwrap_or_default();
    let patches = table.read("patches", |item| patches(item, &walls, &known))?.unwrap_or_default();
    let regions = table.read("regions", |item| regions(item, size, &known))?.unwrap_or_default();
    let (density, velocity) = table
        .read("initial", |item| initial(&table::table(item)?, &walls, &known))?
        .unwrap_or((1.0, Start::Same([0.0; 3])));
    let pushed = table
        .read("forces", |item| watched(&table::table(item)?, &bodies, &patches, size, facts.dimension))?;
    let parameters = table.read("parameters", parameters)?.unwrap_or_default();
    let title = table.read("title", text)?.unwrap_or("a flow from a file").to_owned();
    let mut settings = Settings::of(&CASE);
    set_others(entries, &mut settings, folder)?;
    table.read("node_fields", |item| set_fields(item, &mut settings, folder))?;
    let (pulses, notes) = (known.pulses.into_inner(), known.notes.into_inner());
    let (lattice, dimension) = (facts.name.clone(), facts.dimension);
    let stated = Stated {
        title,
        lattice,
        size,
        dimension,
        force,
        parameters,
        density,
        velocity,
        faces,
        patches,
        bodies,
        regions,
        pulses,
        notes,
        pushed,
    };
    Ok((&CASE, settings.stating(Statement(Arc::new(stated)))))
}

/// Sets the settings among the keys.
fn set_others(entries: &DeTable<'_>, settings: &mut Settings, folder: &Path) -> Result<(), Fault> {
    for (key, value) in entries.iter().filter(|(key, _)| !KEYS.contains(&key.get_ref().as_ref())) {
        if !settings.has(key.get_ref()) {
            let names = settings.entries().iter().map(|(setting, _)| setting.name);
            let known: Vec<&str> = KEYS.into_iter().chain(names).collect();
            return Err(unknown("key", key.get_ref(), key.span().start, &known));
        }
        // As settings they are 0 where they are not given.
        if ["viscosity", "re"].contains(&key.get_ref().as_ref()) && number(value).is_ok_and(|n| n == 0.0) {
            let what = format!("{} = 0 is out of range: above 0", key.get_ref());
            return Err(refused(
                value,
                what,
                "give one of `viscosity` and `re`, and leave the other one out",
            ));
        }
        case_file::set(settings, key, value, folder)?;
    }
    Ok(())
}

/// Sets the fields of the collision that the table `node_fields` gives values.
fn set_fields(item: &Item<'_>, settings: &mut Settings, folder: &Path) -> Result<(), Fault> {
    let DeValue::Table(entries) = item.get_ref() else {
        return Err(wrong(
            item,
            "a table",
            "[node_fields] and below it solidity = \"select(x < 8, 0.1, 0)\"",
        ));
    };
    let known = variants::fields();
    for (key, value) in entries.iter() {
        if !known.contains(&key.get_ref().as_ref()) {
            return Err(unknown("field", key.get_ref(), key.span().start, &known));
        }
        case_file::set(settings, key, value, folder)?;
    }
    Ok(())
}

/// A lattice with the rules that are compiled in for it.
struct LatticeNamed {
    name: String,
    dimension: usize,
    rules: Vec<RuleFacts>,
}

fn lattice_named(item: &Item<'_>) -> Result<LatticeNamed, Fault> {
    let asked = text(item)?;
    let flows = lbm_bodies::all().iter().filter(|body| !body.is_model());
    let mut known: Vec<&str> = Vec::new();
    for name in flows.map(|body| body.facts.lattice.name) {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    let name = known.iter().find(|name| name.eq_ignore_ascii_case(asked));
    let name = name.ok_or_else(|| unknown("lattice", asked, item.span().start, &known))?;
    let plain = format!("{}-bgk-f64-soa-dense-two-lattice-pull", name.to_lowercase());
    let entry = variants::find(&plain).map_err(table::of(item))?;
    Ok(LatticeNamed {
        name: (*name).to_owned(),
        dimension: entry.facts.lattice.dimension,
        rules: entry.rules(),
    })
}

pub(super) fn size(item: &Item<'_>, dimension: usize) -> Result<[usize; 3], Fault> {
    let given: Vec<usize> = list(item)?.into_iter().map(count).collect::<Result<_, _>>()?;
    if given.len() != dimension {
        let what = format!("`size` has {} numbers, {dimension} are needed", given.len());
        return Err(refused(item, what, "give the nodes along each axis of the lattice"));
    }
    let size: [usize; 3] = std::array::from_fn(|axis| given.get(axis).copied().unwrap_or(1));
    match size.iter().try_fold(1usize, |nodes, &n| nodes.checked_mul(n)).filter(|&nodes| nodes < 1 << 40) {
        Some(_) => Ok(size),
        None => Err(refused(item, "a box of more than 2^40 nodes", "make it smaller")),
    }
}

/// The table `initial`.
fn initial(table: &Table<'_>, walls: &Walls, known: &Known<'_>) -> Result<(f64, Start), Fault> {
    let density = match table.get("density") {
        Some(item) => of_count(item, "density", 1)?[0],
        None => 1.0,
    };
    // Across the box as across a face that the profile names.
    let like = table.read("across", |item| faces::face(text(item)?, item.span().start, known.dimension))?;
    let stand = like.map_or(Stand::Start, |face| walls.whole(face, known.dimension));
    let velocity =
        match table.read("velocity", |item| value(item, "velocity", known.dimension, &stand, known))? {
            None => Start::Same([0.0; 3]),
            Some(Value::Same(u)) => Start::Same(std::array::from_fn(|k| u.get(k).copied().unwrap_or(0.0))),
            Some(Value::Each(field)) => Start::Each(field),
        };
    table.finish()?;
    Ok((density, velocity))
}

/// The table `parameters`, of the collision.
fn parameters(item: &Item<'_>) -> Result<Vec<(String, f64)>, Fault> {
    let keys = table::table(item)?.keys();
    keys.into_iter().map(|(key, _, item)| Ok((key.to_owned(), number(item)?))).collect()
}

/// An axis of the lattice by its name.
fn axis_of(item: &Item<'_>, dimension: usize) -> Result<usize, Fault> {
    match axis(item)? {
        own if own < dimension => Ok(own),
        _ => Err(refused(item, format!("the lattice has {dimension} axes"), "take x or y")),
    }
}

/// The table `forces`.
fn watched(
    table: &Table<'_>,
    bodies: &[bodies::Body],
    patches: &[faces::Patch],
    size: [usize; 3],
    dimension: usize,
) -> Result<Watched, Fault> {
    let named = table.need("body", "body = \"cylinder\"")?;
    let (asked, at) = (text(named)?, named.span().start);
    let on_surfaces = bodies.iter().flat_map(|body| &body.patches).map(|patch| patch.name.as_str());
    let names = bodies.iter().map(|body| body.name.as_str()).chain(on_surfaces.clone());
    let mut names: Vec<&str> = names.chain(patches.iter().map(|patch| patch.name.as_str())).collect();
    let body = match (names.contains(&asked), faces::face(asked, at, dimension)) {
        (true, _) => Body::from(asked),
        (false, Ok(face)) => Body::Face(face),
        (false, Err(_)) => {
            names.extend(faces::NAMES[..2 * dimension].iter());
            return Err(unknown("body", asked, at, &names));
        }
    };
    let interval = table.read("every", count)?.map(|steps| steps as u64);
    let read_axis = |key| table.read(key, |item| axis_of(item, dimension));
    let axes = Pushed::axes(read_axis("along")?, read_axis("lift")?);
    let axes = axes.map_err(of(table.get("lift").unwrap_or(named)))?;
    let middle = size.map(|n| n as f64 / 2.0);
    let about = table.read("about", |item| vector(item, dimension, 0.5))?.unwrap_or(middle);
    // A patch of a surface has no extent that could be found.
    let area = match on_surfaces.clone().any(|patch| patch == asked) {
        true => Some(table.need("area", "area = 20.0")?),
        false => table.get("area"),
    };
    if let Some(area) = area.filter(|area| number(area).is_ok_and(|area| area <= 0.0)) {
        return Err(refused(area, "the reference area is above 0", "give the body's extent across the flow"));
    }
    table.finish()?;
    Ok(Watched { body, interval, about, axes, area: area.map(number).transpose()? })
}
