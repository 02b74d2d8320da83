//! Boundary rules of a case file, with the values of their parameters: numbers, profiles over a face, tables, each perhaps in time.

use lbm::boundaries::layer;
use lbm_core::Error;
use lbm_core::rules::Stands;
use lbm_core::units::{LARGEST_DENSITY, LARGEST_VELOCITY};

use super::courses::course;
use super::known::Known;
use super::pulses::pulse;
use super::rows::along_rows;
use super::table::{self, Item, Table, flag, number, numbers, of, refused, text, unknown, vector};
use crate::cases::fault::Fault;
use crate::simulation::PlacedRule;

/// Where a rule stands, as profiles see it: a part of a face, in nodes; the centre of node `[i, j, k]` is `[i + 1/2, j + 1/2, k + 1/2]`.
#[derive(Clone, Debug)]
pub(super) enum Stand {
    /// A rectangle along these axes.
    Rectangle {
        /// The axes of the face.
        axes: Vec<usize>,
        /// Its lower ends.
        low: [f64; 3],
        /// Its upper ends.
        high: [f64; 3],
    },
    /// A disk in the plane of these axes.
    Disk {
        /// The axes of the face.
        axes: Vec<usize>,
        /// Its centre.
        centre: [f64; 3],
        /// Its radius.
        radius: f64,
    },
    /// A layer of the fluid beside a face.
    Layer {
        /// The axis across it.
        axis: usize,
        /// Where the nodes at the face are along that axis.
        end: f64,
        /// Nodes from the face to its edge.
        depth: f64,
    },
    /// The surface of a body, or a shape in the fluid, which have no profiles across.
    Body,
    /// The whole box at the start, without a face that a profile could be across.
    Start,
}

impl Stand {
    /// The distances of a point from the nearest end, over that of the middle: one an axis, or one of a disk.
    fn depths(&self, point: [f64; 3]) -> Vec<f64> {
        let depth = match self {
            Stand::Rectangle { axes, low, high } => {
                let along = |&axis: &usize| {
                    1.0 - (2.0 * (point[axis] - low[axis]) / (high[axis] - low[axis]) - 1.0).abs()
                };
                axes.iter().map(along).collect()
            }
            Stand::Disk { axes, centre, radius } => {
                let square: f64 = axes.iter().map(|&axis| (point[axis] - centre[axis]).powi(2)).sum();
                vec![1.0 - square.sqrt() / radius]
            }
            Stand::Layer { .. } | Stand::Body | Stand::Start => Vec::new(),
        };
        depth.into_iter().map(|depth| depth.clamp(0.0, 1.0)).collect()
    }
}

/// A value of a parameter, at any point.
pub(super) type Field = std::sync::Arc<dyn Fn([f64; 3]) -> [f64; 3] + Send + Sync>;

/// The key that says that a rule holds before walls beside its face.
const BEFORE_WALLS: &str = "before_walls";

/// A rule: its name, or a table of name and parameters; `stands` is what it may be for.
pub(super) fn rule(
    item: &Item<'_>,
    stands: &[Stands],
    stand: &Stand,
    known: &Known<'_>,
) -> Result<PlacedRule, Fault> {
    let table = table::table(item).ok();
    let named = match &table {
        Some(table) => table.need("name", "name = \"zou-he-velocity\"")?,
        None => item,
    };
    let (name, facts) = (text(named)?, known.rule(named)?);
    if !stands.contains(&facts.stands) {
        let asked: Vec<_> = stands.iter().map(|stands| stands.described()).collect();
        let what = format!("the rule `{name}` is {}, not {}", facts.stands.described(), asked.join(" or "));
        let fits: Vec<_> =
            known.rules.iter().filter(|rule| stands.contains(&rule.stands)).map(|rule| rule.name).collect();
        return Err(refused(named, what, &format!("take one of {}", fits.join(", "))));
    }
    let mut placed = PlacedRule::named(name);
    if let Some(item) = table.as_ref().and_then(|table| table.get(BEFORE_WALLS))
        && flag(item)?
    {
        if let Some(is) = facts.not_before_walls() {
            let what = format!("the rule `{name}` is {is}: it cannot hold before walls");
            return Err(refused(item, what, "leave `before_walls` out"));
        }
        placed = placed.before_walls();
    }
    let given = table.map(|table| table.keys()).unwrap_or_default();
    let given: Vec<_> =
        given.into_iter().filter(|(key, ..)| *key != "name" && *key != BEFORE_WALLS).collect();
    for &(key, at, item) in &given {
        let mut parameters: Vec<&str> = facts.parameters.iter().map(|parameter| parameter.name).collect();
        parameters.extend(facts.not_before_walls().is_none().then_some(BEFORE_WALLS));
        let parameter = facts.parameters.iter().find(|parameter| parameter.name == key);
        let parameter = parameter.ok_or_else(|| unknown("parameter", key, at, &parameters))?;
        let count = parameter.components(known.dimension);
        placed = with_value(placed, item, key, count, stand, known)?;
    }
    let missing = facts.parameters.iter().find(|parameter| {
        parameter.default.is_none() && given.iter().all(|(key, ..)| *key != parameter.name)
    });
    match missing {
        Some(parameter) => {
            let (name, example) = (parameter.name, if parameter.vector { "[0.05, 0.0]" } else { "1.0" });
            let remedy = format!("write {{ name = \"{}\", {name} = {example} }}", facts.name);
            Err(refused(item, format!("the rule `{}` needs `{name}`", facts.name), &remedy))
        }
        None => Ok(placed),
    }
}

/// A rule with the value of a parameter: one, or the sum of a list's tables, all but one of them in time.
fn with_value(
    mut placed: PlacedRule,
    item: &Item<'_>,
    key: &str,
    count: usize,
    stand: &Stand,
    known: &Known<'_>,
) -> Result<PlacedRule, Fault> {
    let terms = table::list(item).unwrap_or_default();
    let is_sum = terms.iter().any(|term| table::table(term).is_ok());
    let mut lasts = false;
    for term in if is_sum { terms } else { vec![item] } {
        let (value, course) = match table::table(term) {
            Ok(table) => {
                if let Some(terms) = pulse(&table, key, count, stand, known)? {
                    for (field, course) in terms {
                        placed = placed.with_at(key, move |point| field(point)).in_time(key, course);
                    }
                    continue;
                }
                let course = course(&table, known)?;
                (in_table(&table, key, count, stand, known)?, course)
            }
            Err(_) => (Value::Same(of_count(term, key, count)?), None),
        };
        placed = match value {
            Value::Same(value) => placed.with(key, value),
            Value::Each(field) => placed.with_at(key, move |point| field(point)),
        };
        match course {
            Some(course) => placed = placed.in_time(key, course),
            None if lasts => {
                let what = format!("two terms of `{key}` do not change in time");
                return Err(refused(
                    term,
                    what,
                    "add them up, or give one of them a ramp, a period or a table",
                ));
            }
            None => lasts = true,
        }
    }
    Ok(placed)
}

/// What a key is set to.
pub(super) enum Value {
    /// The same everywhere.
    Same(Vec<f64>),
    /// Another one at each point.
    Each(Field),
}

/// A value of so many numbers: as it is, or a table that says how it changes.
pub(super) fn value(
    item: &Item<'_>,
    name: &str,
    count: usize,
    stand: &Stand,
    known: &Known<'_>,
) -> Result<Value, Fault> {
    match table::table(item) {
        Ok(table) => in_table(&table, name, count, stand, known),
        Err(_) => of_count(item, name, count).map(Value::Same),
    }
}

/// A value that a table says: `value`, or a profile.
fn in_table(
    table: &Table<'_>,
    name: &str,
    count: usize,
    stand: &Stand,
    known: &Known<'_>,
) -> Result<Value, Fault> {
    if let Some(item) = table.get("value") {
        table.finish()?;
        return of_count(item, name, count).map(Value::Same);
    }
    let kind = table.need("profile", "profile = \"parabolic\"")?;
    let field: Field = match (text(kind)?, stand) {
        ("rotation", _) => rotation(table, known.dimension)?,
        ("womersley", _) => {
            return Err(refused(
                kind,
                "a pulse goes in time",
                "give it to an inlet, and the start another profile",
            ));
        }
        ("table", Stand::Rectangle { axes, .. } | Stand::Disk { axes, .. }) => {
            along_rows(table, axes, count, known)?
        }
        ("table", Stand::Layer { axis, .. }) => along_rows(table, &[*axis], count, known)?,
        ("rising", Stand::Layer { axis, end, depth }) => {
            let peak = of_count(table.need("peak", "peak = 0.1")?, name, count)?;
            let exponent = table.read("exponent", exponent)?.unwrap_or(2.0);
            let (axis, end, depth) = (*axis, *end, *depth);
            std::sync::Arc::new(move |point| {
                let share = layer((point[axis] - end).abs(), depth, exponent);
                std::array::from_fn(|k| share * peak.get(k).copied().unwrap_or(0.0))
            })
        }
        (shape @ ("parabolic" | "power-law"), Stand::Rectangle { .. } | Stand::Disk { .. }) => {
            let peak = table.need("peak", "peak = [0.05, 0.0]")?;
            let peak = of_count(peak, name, count)?;
            let peak = std::array::from_fn(|k| peak.get(k).copied().unwrap_or(0.0));
            let exponent = match shape {
                "power-law" => Some(exponent(table.need("exponent", "exponent = 0.1428")?)?),
                _ => None,
            };
            across(stand.clone(), peak, exponent)
        }
        ("parabolic" | "power-law", Stand::Layer { .. }) => {
            return Err(refused(kind, "a layer has no profile across", "take \"rising\", or a \"table\""));
        }
        ("parabolic" | "power-law" | "table" | "rising", Stand::Body) => {
            return Err(refused(
                kind,
                "a body's surface and a shape have no profile across",
                "give one value, or a \"rotation\"",
            ));
        }
        ("parabolic" | "power-law" | "table" | "rising", Stand::Start) => {
            return Err(refused(
                kind,
                "a profile at the start goes across the box as across a face, which is not named",
                "write across = \"west\" below it, give one value, or a \"rotation\"",
            ));
        }
        ("rising", Stand::Rectangle { .. } | Stand::Disk { .. }) => {
            let what = "\"rising\" goes across a layer of the fluid, and this is a face";
            return Err(refused(
                kind,
                what,
                "take \"parabolic\", \"power-law\" or a \"table\", or give a region a `depth`",
            ));
        }
        (other, _) => {
            let at = kind.span().start;
            return Err(unknown(
                "profile",
                other,
                at,
                &["parabolic", "power-law", "table", "rotation", "rising", "womersley"],
            ));
        }
    };
    table.finish()?;
    Ok(Value::Each(field))
}

/// So many numbers, in the range of what they are.
pub(super) fn of_count(item: &Item<'_>, name: &str, count: usize) -> Result<Vec<f64>, Fault> {
    let value = numbers(item)?;
    if value.len() != count {
        let what = format!("`{name}` has {} numbers here, {count} are needed", value.len());
        return Err(refused(item, what, "a vector has one an axis of the lattice"));
    }
    let speed = value.iter().map(|u| u * u).sum::<f64>().sqrt();
    let refuse = |allowed: String| {
        let remedy = "all is in lattice units: node spacings, time steps, the density at rest is 1";
        Err(of(item)(Error::out_of_range(name, format!("{value:?}"), allowed, remedy)))
    };
    match name {
        "velocity" if speed > LARGEST_VELOCITY => refuse(format!("at most {LARGEST_VELOCITY} in size")),
        "density" if speed == 0.0 || value[0] < 0.0 || value[0] > LARGEST_DENSITY => {
            refuse(format!("above 0 and at most {LARGEST_DENSITY}"))
        }
        _ => Ok(value),
    }
}

/// A peak in the middle and nothing at the ends: a parabola, or with an exponent the power of the distance from the nearest end.
fn across(stand: Stand, peak: [f64; 3], exponent: Option<f64>) -> Field {
    std::sync::Arc::new(move |point| {
        let share = |depth: f64| match exponent {
            Some(exponent) => depth.powf(exponent),
            None => depth * (2.0 - depth),
        };
        let share: f64 = stand.depths(point).into_iter().map(share).product();
        peak.map(|peak| peak * share)
    })
}

/// The power of a distance from an end, which is nothing there.
fn exponent(item: &Item<'_>) -> Result<f64, Fault> {
    let exponent = number(item)?;
    match exponent >= 0.0 {
        true => Ok(exponent),
        false => Err(refused(
            item,
            format!("exponent = {exponent} is below 0"),
            "give a number from 0, such as 0.1428",
        )),
    }
}

/// The velocity of what turns about an axis.
fn rotation(table: &Table<'_>, dimension: usize) -> Result<Field, Fault> {
    let rate = number(table.need("rate", "rate = 0.001")?)?;
    let centre = vector(table.need("centre", "centre = [64, 64]")?, dimension, 0.0)?;
    let axis = match table.get("axis") {
        Some(item) => about(item, dimension)?,
        None => 2,
    };
    Ok(std::sync::Arc::new(move |point| {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut velocity = [0.0; 3];
        (velocity[u], velocity[v]) = (-rate * (point[v] - centre[v]), rate * (point[u] - centre[u]));
        velocity
    }))
}

/// The axis about which something turns: in two dimensions that across the plane.
fn about(item: &Item<'_>, dimension: usize) -> Result<usize, Fault> {
    match axis(item)? {
        axis if dimension < 3 && axis != 2 => {
            Err(refused(item, "in two dimensions all turns about z", "leave `axis` out"))
        }
        axis => Ok(axis),
    }
}

/// An axis by its name.
pub(super) fn axis(item: &Item<'_>) -> Result<usize, Fault> {
    let name = text(item)?;
    let axes = ["x", "y", "z"];
    axes.iter().position(|axis| *axis == name).ok_or_else(|| unknown("axis", name, item.span().start, &axes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_what_their_names_say() {
        let stand = Stand::Rectangle { axes: vec![1], low: [0.0, 4.0, 0.0], high: [0.0, 12.0, 0.0] };
        let parabola = across(stand.clone(), [2.0, 1.0, 0.0], None);
        for y in [4.0, 5.5, 8.0, 12.0] {
            let share = (y - 4.0) / 8.0;
            let exact = 4.0 * share * (1.0 - share);
            assert!((parabola([0.5, y, 0.5])[0] - 2.0 * exact).abs() < 1e-14);
        }
        assert!((across(stand, [1.0, 0.0, 0.0], Some(0.5))([0.0, 5.0, 0.0])[0] - 0.5).abs() < 1e-14);
        let disk = Stand::Disk { axes: vec![1, 2], centre: [0.0, 5.0, 5.0], radius: 4.0 };
        assert!((across(disk, [1.0, 0.0, 0.0], None)([0.0, 7.0, 5.0])[0] - 0.75).abs() < 1e-14);
    }
}
