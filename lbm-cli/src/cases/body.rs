//! Any surface from a file in a wind tunnel: its drag and lift.

use std::path::Path;

use lbm_core::geometry::{Bounds, Mesh, Surface as Skin};
use lbm_core::{Error, FaceRule};

use super::area::frontal_area;
use super::case::{Case, Defaults, Flow};
use super::evaluation::Evaluation;
use super::probes::Row;
use super::pushed::Sample;
use super::setting::{Allowed, Setting, shared};
use super::settings::Settings;
use super::shown::Shown;
use super::state::State;
use super::tunnel::{self, Tunnel};
use crate::geometry::named_warnings;
use crate::simulation::{Body, PlacedRule, Surface};

/// The case `body`.
pub(super) static CASE: Case = Case {
    name: "body",
    about: "a surface from a file (STL, OBJ) in a wind tunnel, flow along x, up is y: drag, lift, blockage",
    bodies: &[("D3Q19", false)],
    own: &[
        Setting::text("file", "a file *.stl or *.obj").about("the surface"),
        Setting::integer("size", 32, [4, 4096]).unit("nodes").about(
            "nodes along the longest edge of the box around the body, the length L that all else refers to",
        ),
        Setting::named("up", "z", Allowed::Names(&["y", "z"]))
            .about("the file's axis that is turned up, to y, after the turns below"),
        Setting::real("turn_x", 0.0, [-360.0, 360.0])
            .unit("degrees")
            .about("turns the body about its x axis first"),
        Setting::real("turn_y", 0.0, [-360.0, 360.0]).unit("degrees").about("then about y"),
        Setting::real("turn_z", 0.0, [-360.0, 360.0]).unit("degrees").about("then about z"),
        shared::reynolds(100.0, 1e7, "Reynolds number of the inlet's velocity and L"),
        shared::velocity(0.05, "velocity that enters"),
        Setting::real("before", 1.5, [0.25, 100.0]).unit("L").about("from the inlet to the body"),
        Setting::real("behind", 3.0, [0.25, 100.0]).unit("L").about("from the body to the outlet"),
        Setting::real("beside", 1.5, [0.02, 100.0])
            .unit("L")
            .about("from the body to the sides of the tunnel"),
        Setting::named("floor", "none", Allowed::Names(&["none", "still", "moving"]))
            .about("a floor under the body: none, at rest, or moving with the flow"),
        Setting::real("clearance", 0.05, [0.0, 10.0]).unit("L").about("from the floor to the body"),
        Setting::text("part", "the name of a closed part of the surface").about(
            "the part whose force is watched, each part by its own walls; all of them as one if not set",
        ),
        tunnel::SIDES,
        tunnel::OUTLET,
        shared::MAGIC,
    ],
    defaults: Defaults {
        collision: "trt",
        precision: "f32",
        storage: shared::STORAGE,
        steps: 10_000,
        tolerance: Some(shared::tolerance(
            1e-4,
            "steady when no velocity changes by more than this share of the inlet's in the time in which the flow passes five lengths",
        )),
        checkpoint: 0,
        film: 100,
    },
    flow,
    shown: Shown::SPEED,
    evaluate,
};

/// Shares of its distance from the origin below which a mesh's extent is no more than rounding.
const RESOLVED: f64 = 1e-9;

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let path = Path::new(settings.text("file").ok_or_else(|| Error::Missing {
        what: "the setting `file`".to_owned(),
        remedy: "name a surface, e.g. --set file=car.stl; `lbm geometry --make ahmed-body --to car.stl` makes one"
            .to_owned(),
    })?);
    let mesh = oriented(Mesh::read(path)?, settings);
    let (mesh, length) = (scaled(mesh, path, settings.size())?, settings.size() as f64);
    let [before, behind, beside] =
        ["before", "behind", "beside"].map(|name| (settings.real(name) * length).round());
    let floor = match settings.name("floor") {
        "still" => Some(FaceRule::WALL),
        "moving" => Some(FaceRule::Wall { velocity: [settings.velocity(), 0.0, 0.0] }),
        _ => None,
    };
    let below = if floor.is_some() { settings.real("clearance") * length } else { beside };
    let Bounds { low, high } = mesh.bounds();
    let extent: [f64; 3] = std::array::from_fn(|axis| high[axis] - low[axis]);
    let at = [before, below, beside];
    let free = [before + behind, below + beside, 2.0 * beside];
    // Rounding of the scale adds no node.
    let size = std::array::from_fn(|axis| (extent[axis] + free[axis] - 1e-6).ceil() as usize + 1);
    let mesh = mesh.moved(std::array::from_fn(|axis| at[axis] - low[axis]));
    let about = std::array::from_fn(|axis| at[axis] + extent[axis] / 2.0);
    let whole = Skin::of(mesh.clone())?;
    let area = frontal_area(&whole, size, 0).unwrap_or_default();
    let tunnel = Tunnel { size, length, area, about, floor };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let warnings = named_warnings(&name, &whole, false);
    let rule = || PlacedRule::named("bouzidi");
    let surface = |skin: Skin| Surface::new(Box::new(skin), rule());
    let (parts, watched) = match settings.text("part") {
        None => (vec![("body".to_owned(), whole)], 0),
        Some(part) => {
            let parts = mesh.bodies()?;
            let watched = find(&parts, part)?;
            (parts, watched)
        }
    };
    let (names, surfaces): (Vec<_>, Vec<_>) = parts
        .into_iter()
        .enumerate()
        .map(|(number, (name, skin))| ((name, Body::Surface(number)), surface(skin)))
        .unzip();
    let title = format!("{name}, Re = {}", settings.real("re"));
    let mut flow = tunnel.flow(settings, title, surfaces, Body::Surface(watched))?;
    flow.problem.names = names;
    flow.notes
        .push(format!("reference area {:.1} (of the body across the flow), length {length}", tunnel.area));
    flow.notes.extend(warnings);
    Ok(flow)
}

/// The mesh turned as the settings say, its upper side along y.
fn oriented(mesh: Mesh, settings: &Settings) -> Mesh {
    let turned = mesh.rotated(["turn_x", "turn_y", "turn_z"].map(|name| settings.real(name)));
    match settings.name("up") {
        "z" => turned.rotated([-90.0, 0.0, 0.0]),
        _ => turned,
    }
}

/// The mesh with so many nodes along the longest edge of the box around it.
fn scaled(mesh: Mesh, path: &Path, nodes: usize) -> Result<Mesh, Error> {
    let Bounds { low, high } = mesh.bounds();
    let longest = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    let farthest = low.into_iter().chain(high).map(f64::abs).fold(0.0, f64::max);
    let scale = nodes as f64 / longest;
    // What is not a number fails, too.
    if !(longest > RESOLVED * farthest && scale.is_finite()) {
        return Err(Error::out_of_range(
            format!("the length of the surface in {}", path.display()),
            longest,
            format!("above {:.1e}, so that it is more than rounding of its place", RESOLVED * farthest),
            "give a surface with an extent, nearer to its origin",
        ));
    }
    Ok(mesh.scaled(scale))
}

/// The number of the part of a name.
fn find(parts: &[(String, Skin)], name: &str) -> Result<usize, Error> {
    parts.iter().position(|(known, _)| known == name).ok_or_else(|| {
        let names = parts.iter().map(|(known, _)| known.as_str());
        let listed = names.clone().collect::<Vec<_>>().join(", ");
        Error::unknown("part", name, names, format!("the closed parts of the surface are: {listed}"))
    })
}

fn evaluate(_: &Settings, _: &State, rows: &[Row]) -> Evaluation {
    tunnel::evaluate(&Sample::all(rows), None, "y")
}

#[cfg(test)]
mod tests {
    use lbm_core::geometry::MeshBody;

    use super::*;

    #[test]
    fn a_body_is_scaled_to_its_longest_edge_and_stands_upright() {
        let settings = Settings::with(&CASE, "size=50").unwrap();
        let mesh = oriented(MeshBody::AhmedBody.mesh(8).unwrap(), &settings);
        let mesh = scaled(mesh, Path::new("car.stl"), 50).unwrap();
        let Bounds { low, high } = mesh.bounds();
        let extent: [f64; 3] = std::array::from_fn(|axis| (high[axis] - low[axis]) * 1.044 / 50.0);
        for (extent, expected) in extent.into_iter().zip([1.044, 0.288, 0.389]) {
            assert!((extent - expected).abs() < 1e-9, "{extent} {expected}");
        }
    }

    #[test]
    fn an_absurd_scale_is_refused() {
        for (scale, away) in [(1e-12, 1.0), (1e-15, 1e3)] {
            let mesh = MeshBody::Sphere.mesh(8).unwrap().scaled(scale).moved([away; 3]);
            let text = scaled(mesh, Path::new("far.stl"), 50).unwrap_err().to_string();
            assert!(text.contains("the length of the surface in far.stl"), "{text}");
        }
    }
}
