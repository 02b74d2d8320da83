//! Parts of the fluid with boundary rules, of a case file.

use std::sync::Arc;

use lbm_core::Face;
use lbm_core::geometry::Shape;
use lbm_core::rules::Stands;

use super::faces::face;
use super::known::Known;
use super::rules::{Stand, rule};
use super::shapes::placed_shape;
use super::table::{Item, Table, count, list, refused, table, text};
use crate::cases::fault::Fault;
use crate::simulation::{self, PlacedRule};

/// A part of the fluid.
#[derive(Clone)]
pub(super) struct Region {
    name: String,
    extent: Extent,
    rule: PlacedRule,
}

/// Which nodes it takes.
#[derive(Clone)]
enum Extent {
    /// Those from a node on along an axis up to another, both included.
    Layer { axis: usize, nodes: [usize; 2] },
    /// Those whose centres lie in a shape.
    Shape(Arc<dyn Shape>),
}

impl Region {
    /// As a flow takes it.
    pub(super) fn placed(&self) -> simulation::Region {
        let extent = self.extent.clone();
        let contains = move |node: [usize; 3]| match &extent {
            Extent::Layer { axis, nodes: [first, last] } => (*first..=*last).contains(&node[*axis]),
            Extent::Shape(shape) => shape.contains(node.map(|at| at as f64 + 0.5)),
        };
        simulation::Region::new(self.name.clone(), Box::new(contains), self.rule.clone())
    }
}

/// The tables `regions`.
pub(super) fn regions(item: &Item<'_>, size: [usize; 3], known: &Known<'_>) -> Result<Vec<Region>, Fault> {
    list(item)?.into_iter().map(|item| region(&table(item)?, size, known)).collect()
}

fn region(table: &Table<'_>, size: [usize; 3], known: &Known<'_>) -> Result<Region, Fault> {
    let name = text(table.need("name", "name = \"sponge\"")?)?.to_owned();
    let (extent, stand) = match (table.get("face"), table.get("depth"), table.get("shape")) {
        (Some(beside), Some(depth), None) => {
            let face = face(text(beside)?, beside.span().start, known.dimension)?;
            layer(face, depth, size)?
        }
        (None, None, Some(item)) => {
            (Extent::Shape(placed_shape(table, item, known)?.shape.into()), Stand::Body)
        }
        _ => {
            let what = "a region is a layer beside a face (`face`, `depth`) or a `shape`";
            return Err(Fault::new(
                Some(table.at()),
                what,
                "write, for example, face = \"east\", depth = 40",
            ));
        }
    };
    let asked = table.need("rule", "rule = { name = \"sponge\", strength = 0.01, velocity = [0.05, 0] }")?;
    let placed = rule(asked, &[Stands::InFluid], &stand, known)?;
    table.finish()?;
    Ok(Region { name, extent, rule: placed })
}

/// The layer of so many nodes beside a face.
fn layer(face: Face, depth: &Item<'_>, size: [usize; 3]) -> Result<(Extent, Stand), Fault> {
    let (axis, nodes) = (face.axis(), count(depth)?);
    let most = size[axis];
    if !(1..=most).contains(&nodes) {
        let what = format!("a layer of {nodes} nodes, where the box has {most} along its axis");
        return Err(refused(depth, what, &format!("give 1 to {most}")));
    }
    let (range, at) = match face.index().is_multiple_of(2) {
        true => ([0, nodes - 1], 0),
        false => ([most - nodes, most - 1], most - 1),
    };
    let stand = Stand::Layer { axis, end: at as f64 + 0.5, depth: nodes as f64 };
    Ok((Extent::Layer { axis, nodes: range }, stand))
}
