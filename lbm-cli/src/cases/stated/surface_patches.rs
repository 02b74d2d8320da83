//! Patches of bodies' surfaces in a case file: inlets, outlets and walls at a part of a body.

use lbm_core::geometry::PatchExtent;
use lbm_core::rules::Stands;

use super::bodies::Parts;
use super::known::Known;
use super::rules::{Stand, rule};
use super::shapes::{Shared, placed_shape};
use super::table::{Item, Table, list, name, refused, table, text, unknown};
use crate::cases::fault::Fault;
use crate::simulation::{self, PlacedRule};

/// A part of a body's surface.
#[derive(Clone)]
pub(super) struct Patch {
    pub(super) name: String,
    part: Part,
    rule: PlacedRule,
}

/// Which part.
#[derive(Clone)]
enum Part {
    Named(String),
    Within(Shared),
}

impl Patch {
    /// As a flow takes it, of the surface of this number.
    pub(super) fn placed(&self, surface: usize) -> simulation::SurfacePatch {
        let part = match &self.part {
            Part::Named(name) => simulation::SurfacePart::Named(name.clone()),
            Part::Within(shape) => simulation::SurfacePart::Within(Box::new(shape.clone())),
        };
        simulation::SurfacePatch::new(self.name.clone(), surface, part, self.rule.clone())
    }
}

/// The tables `bodies.patches` of a body whose surface has these parts.
pub(super) fn patches(item: &Item<'_>, parts: &Parts, known: &Known<'_>) -> Result<Vec<Patch>, Fault> {
    let mut all: Vec<Patch> = Vec::new();
    for item in list(item)? {
        let own = patch(&table(item)?, parts, known)?;
        if all.iter().any(|other| other.name == own.name) {
            let what = format!("another patch of this body is named `{}`", own.name);
            return Err(refused(item, what, "give each a name of its own"));
        }
        all.push(own);
    }
    Ok(all)
}

fn patch(table: &Table<'_>, parts: &Parts, known: &Known<'_>) -> Result<Patch, Fault> {
    let named = table.need("name", "name = \"inlet\"")?;
    let (name, given, within) = (name(named, "patch")?, table.get("part"), table.get("shape"));
    let (part, stand) = match (given, within) {
        (None, Some(item)) => {
            let shape = Shared(placed_shape(table, item, known)?.shape.into());
            let stand = parts.within(&shape).as_ref().map_or(Stand::Body, opening);
            (Part::Within(shape), stand)
        }
        (Some(_), Some(item)) => {
            let what = "a patch is a `part` that the file names, or what lies in a `shape`";
            return Err(refused(item, what, "keep one of them"));
        }
        (part, None) => {
            let item = part.unwrap_or(named);
            let part = text(item)?;
            let names: Vec<&str> = parts.named.iter().map(|(name, _)| name.as_str()).collect();
            let found = parts.named.iter().find(|(known, _)| known == part);
            let (_, extent) =
                found.ok_or_else(|| unknown("part of the surface", part, item.span().start, &names))?;
            (Part::Named(part.to_owned()), extent.as_ref().map_or(Stand::Body, opening))
        }
    };
    let asked = table.need("rule", "rule = { name = \"half-way\", velocity = [0.0, 0.0, 0.05] }")?;
    let rule = rule(asked, &[Stands::AtLinks], &stand, known)?;
    table.finish()?;
    Ok(Patch { name: name.to_owned(), part, rule })
}

/// A part of a surface as profiles see it: a disk about its middle of the same area, whichever way it looks.
fn opening(extent: &PatchExtent) -> Stand {
    Stand::Disk { axes: vec![0, 1, 2], centre: extent.middle, radius: extent.radius() }
}
