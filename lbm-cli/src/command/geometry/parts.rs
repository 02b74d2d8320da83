//! What `lbm geometry` says of surfaces and named parts.

use lbm_core::Error;
use lbm_core::geometry::{Condition, Geometry, PatchExtent, Surface, Thin};
use serde_json::json;

use crate::command::print_line;
use crate::geometry::{Made, Placed, Region, thin_of, walls_and_gaps, warnings_of};

/// Lines of a list that are printed; the others are counted.
const SHOWN: usize = 20;

/// The share of a patch's area that its parts must face one way with, for that to be said.
const FLAT: f64 = 0.5;

/// The patches of a surface by name, in node spacings.
fn patches(surface: &Placed) -> Vec<(&str, PatchExtent)> {
    surface.mesh.names().iter().map(String::as_str).zip(surface.mesh.extents()).collect()
}

/// A point as people read it, without the sign of what is rounded to nothing.
fn shown(point: [f64; 3]) -> String {
    point.map(|x| format!("{:.2}", if x.abs() < 0.005 { 0.0 } else { x })).join(", ")
}

fn line(&(name, PatchExtent { triangles, area, middle, normal, .. }): &(&str, PatchExtent)) -> String {
    let size = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    // A closed patch looks everywhere.
    let looks = match size > FLAT * area {
        true => format!(", looks along ({})", shown(normal.map(|x| x / size))),
        false => String::new(),
    };
    format!("patch       {name}: {triangles} triangles, area {area:.1}, middle ({}){looks}", shown(middle))
}

/// `geometry` is what was made, with what was added to it and taken from it.
pub(super) fn print_text(made: &Made, geometry: &Geometry) -> Result<(), Error> {
    if let Some(surface) = &made.surface {
        let (mesh, bounds) = (&surface.mesh, surface.mesh.bounds());
        print_line(format_args!(
            "\nsurface     {} triangles, {} vertices, from ({}) to ({}) nodes",
            mesh.triangles().len(),
            mesh.vertices().len(),
            shown(bounds.low),
            shown(bounds.high)
        ))?;
        print_list(&patches(surface), line)?;
        let own = looked_at(surface);
        for ((name, body), (condition, thin)) in surface.bodies.iter().zip(&own) {
            let tight = if body.is_watertight() { "watertight" } else { "not watertight" };
            print_line(format_args!("body        {name}: {tight}, {} parts", condition.parts))?;
            let warnings = warnings_of(body, condition, thin);
            warnings.iter().try_for_each(|warning| print_line(format_args!("  warning   {warning}")))?;
        }
        let Others { crossed, thin } = Others::of(surface, &own)?;
        if crossed > 0 {
            print_line(format_args!(
                "warning     {crossed} triangles of one body pass through those of another; what several hold is the first one's"
            ))?;
        }
        let between = |warning: String| print_line(format_args!("warning     between bodies, {warning}"));
        walls_and_gaps(&thin).into_iter().try_for_each(between)?;
    }
    print_list(&made.regions_in(geometry), |Region { name, nodes }| {
        format!("region      {name}: {nodes} nodes")
    })
}

/// What each body has of itself.
fn looked_at(surface: &Placed) -> Vec<(Condition, Thin)> {
    let bodies = surface.bodies.iter();
    bodies.map(|(_, body)| (body.condition(), thin_of(body, surface.fluid_inside))).collect()
}

/// What bodies have of each other, beside what each has of itself.
#[derive(Default)]
struct Others {
    /// Triangles that one of another body passes through.
    crossed: usize,
    thin: Thin,
}

impl Others {
    fn of(surface: &Placed, own: &[(Condition, Thin)]) -> Result<Others, Error> {
        if own.len() < 2 {
            return Ok(Others::default());
        }
        let whole = Surface::of(surface.mesh.clone())?;
        let (condition, thin) = (whole.condition(), thin_of(&whole, surface.fluid_inside));
        let is_cut = |(condition, thin): &(Condition, Thin)| condition.cut_short || thin.cut_short;
        if condition.cut_short || thin.cut_short || own.iter().any(is_cut) {
            // The difference of two counts that are not whole says nothing.
            return Ok(Others::default());
        }
        let mut others = Others { crossed: condition.crossed, thin };
        for (condition, thin) in own {
            others.crossed = others.crossed.saturating_sub(condition.crossed);
            others.thin.walls = others.thin.walls.saturating_sub(thin.walls);
            others.thin.gaps = others.thin.gaps.saturating_sub(thin.gaps);
        }
        Ok(others)
    }
}

fn print_list<T>(items: &[T], line: impl Fn(&T) -> String) -> Result<(), Error> {
    items.iter().take(SHOWN).try_for_each(|item| print_line(line(item)))?;
    match items.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => print_line(format_args!("            and {more} more; --json lists all")),
    }
}

/// As [`print_text`].
pub(super) fn print_json(made: &Made, geometry: &Geometry) -> Result<(), Error> {
    if let Some(surface) = &made.surface {
        let (mesh, bounds, own) = (&surface.mesh, surface.mesh.bounds(), looked_at(surface));
        let others = Others::of(surface, &own)?;
        print_line(json!({
            "surface": { "triangles": mesh.triangles().len(), "vertices": mesh.vertices().len(), "low": bounds.low, "high": bounds.high,
            "crossed_by_others": others.crossed, "thin_walls_by_others": others.thin.walls, "thin_gaps_by_others": others.thin.gaps },
        }))?;
        for (name, PatchExtent { triangles, area, middle, normal, .. }) in patches(surface) {
            print_line(
                json!({ "patch": name, "triangles": triangles, "area": area, "middle": middle, "normal": normal }),
            )?;
        }
        for ((name, body), (condition, thin)) in surface.bodies.iter().zip(&own) {
            print_line(json!({
                "body": name,
                "watertight": body.is_watertight(),
                "parts": condition.parts,
                "turned": condition.turned,
                "open_edges": condition.open_edges,
                "branched_edges": condition.branched_edges,
                "one_sided_edges": condition.one_sided_edges,
                "flat": condition.flat,
                "doubled": condition.doubled,
                "crossed": condition.crossed,
                "cut_short": condition.cut_short || thin.cut_short,
                "thin_walls": thin.walls,
                "thin_gaps": thin.gaps,
                "thin_area": thin.area,
                "warnings": warnings_of(body, condition, thin),
            }))?;
        }
    }
    let region = |Region { name, nodes }: &Region| print_line(json!({ "region": name, "nodes": nodes }));
    made.regions_in(geometry).iter().try_for_each(region)
}
