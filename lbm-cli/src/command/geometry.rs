//! `lbm geometry`: what a geometry is, and which addressing suits it.

mod parts;

use std::path::{Path, PathBuf};

use clap::Args;
use lbm_core::Error;
use lbm_core::geometry::{Geometry, MeshBody, PropagationModel, TileStatistics};
use serde_json::json;

use super::print_line;
use crate::geometry::{Dimensions, SEGMENT, Source, Storage, Survey, Tiles, connect, read_shape};
use crate::output::{self, Picture, Plane, write_picture, write_solid};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// spheres, sc, bcc, aorta, tree, fork, channel-square, channel-round, or a file: a surface FILE.stl or FILE.obj, voxels FILE.nrrd or
    /// FILE.raw, a mask FILE.png (dark is solid)
    #[arg(required_unless_present = "make")]
    geometry: Option<String>,
    #[command(flatten)]
    dimensions: Dimensions,
    /// Adds a solid shape, in nodes: sphere:X,Y,Z,R, cylinder:X,Y,Z,X,Y,Z,R, box:X,Y,Z,X,Y,Z; words behind it place it: rotate=X,Y,Z (degrees), scale=N or
    /// length=N, at=X,Y,Z (its middle)
    #[arg(long, value_name = "SHAPE", allow_hyphen_values = true)]
    unite: Vec<String>,
    /// Takes such a shape away, after those that are added
    #[arg(long, value_name = "SHAPE", allow_hyphen_values = true)]
    subtract: Vec<String>,
    /// Makes all fluid solid but the largest connected region
    #[arg(long)]
    fill: bool,
    /// Writes a picture of slices into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Writes a VTK file beside the picture
    #[arg(long, requires = "out")]
    vtk: bool,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Makes a body to test with instead, and writes it as STL: sphere, ahmed-body, naca0012, torus-pipe, broken
    #[arg(long, value_name = "BODY", requires = "to", conflicts_with = "geometry")]
    make: Option<String>,
    /// Where the body goes
    #[arg(long, value_name = "FILE.stl", requires = "make")]
    to: Option<PathBuf>,
    /// How fine the body is: it has about 4 N^2 triangles
    #[arg(long, value_name = "N", requires = "make", default_value_t = 64)]
    detail: usize,
}

/// What asks for [`Arguments::fill`].
const FILL: &str = "--fill";

/// Prints what a geometry is.
pub(super) fn geometry(arguments: &Arguments) -> Result<bool, Error> {
    if let (Some(body), Some(path)) = (&arguments.make, &arguments.to) {
        return make(body, path, arguments.detail);
    }
    let name = arguments.geometry.as_deref().unwrap_or_default();
    let shapes = |texts: &[String]| texts.iter().map(|text| read_shape(text)).collect::<Result<Vec<_>, _>>();
    let (united, subtracted) = (shapes(&arguments.unite)?, shapes(&arguments.subtract)?);
    let source = Source::named(name, &arguments.dimensions)?;
    if let Some((size, porosity)) = source.extent {
        Survey::require_memory(size, porosity)?;
    }
    let made = source.make()?;
    let mut geometry = made.geometry.clone();
    united.iter().for_each(|shape| geometry.add(shape));
    subtracted.iter().for_each(|shape| geometry.subtract(shape));
    let exchanges = made.surface.is_some() && !arguments.dimensions.fluid_inside;
    geometry.require_fluid().map_err(|error| all_solid(error, exchanges))?;
    arguments.out.as_deref().map_or(Ok(()), output::prepare)?;
    let faces = source.faces();
    let filled = if arguments.fill { connect(&mut geometry, &faces, true, FILL)? } else { 0 };
    if let Some(folder) = &arguments.out {
        pictures(folder, name, &geometry, arguments.vtk)?;
    }
    // A survey of many nodes takes minutes: what is known before is said before.
    if !arguments.json {
        print_nodes(name, &geometry)?;
        parts::print_text(&made, &geometry)?;
    }
    let survey = Survey::of(&geometry, faces)?;
    if arguments.json {
        print_json(name, &survey, filled)?;
        parts::print_json(&made, &geometry)?;
    } else {
        print_survey(&survey, filled)?;
    }
    // All was said; that the fluid is several regions is an error all the same, since flows there are several.
    connect(&mut geometry, &faces, false, FILL).map(|_| true)
}

/// The error of a geometry without fluid, with what this command can do about it: exchange solid and fluid, or not.
fn all_solid(error: Error, exchanges: bool) -> Error {
    let remedy = match exchanges {
        true => "give a smaller --scale, or exchange solid and fluid with --fluid-inside",
        false => "give a geometry with fluid, or take a shape away with --subtract",
    };
    match error {
        Error::OutOfRange { name, value, allowed, .. } => Error::out_of_range(name, value, allowed, remedy),
        other => other,
    }
}

/// Writes a body to test with.
fn make(name: &str, path: &Path, detail: usize) -> Result<bool, Error> {
    let Some((_, body)) = MeshBody::ALL.iter().find(|(known, _)| *known == name) else {
        let known = MeshBody::ALL.map(|(known, _)| known);
        return Err(Error::unknown("body", name, known, format!("the bodies are {}", known.join(", "))));
    };
    if !path.extension().is_some_and(|end| end.eq_ignore_ascii_case("stl")) {
        let remedy = "give a name that ends in .stl";
        return Err(Error::out_of_range("--to", path.display(), "a file *.stl", remedy));
    }
    let mesh = body.mesh(detail)?;
    mesh.write_stl(path)?;
    eprintln!("wrote {}, {} triangles", path.display(), mesh.triangles().len());
    Ok(true)
}

fn pictures(folder: &Path, name: &str, geometry: &Geometry, vtk: bool) -> Result<(), Error> {
    let solid: Vec<bool> = geometry.solid().iter().map(|&flag| flag != 0).collect();
    let (size, path) = (geometry.size(), folder.join("slices.png"));
    let [x, y, z] = size.map(|n| n / 2);
    let subtitle = format!(
        "{}, porosity {:.4}; planes z = {z}, y = {y}, x = {x}",
        size.map(|n| n.to_string()).join(" x "),
        geometry.porosity()
    );
    let planes = if size[2] == 1 { &[Plane::Z] } else { &Plane::ALL[..] };
    let (title, subtitle) = (name, subtitle.as_str());
    write_picture(
        &path,
        &Picture { size, planes, solid: Some(&solid), title, subtitle, ..Picture::default() },
    )?;
    eprintln!("wrote {}", path.display());
    if vtk {
        let path = folder.join("geometry.vti");
        write_solid(&path, size, &solid)?;
        eprintln!("wrote {}", path.display());
    }
    Ok(())
}

fn print_nodes(name: &str, geometry: &Geometry) -> Result<(), Error> {
    let ([nx, ny, nz], fluid) = (geometry.size(), geometry.fluid_nodes());
    print_line(format_args!("{name}\nsize        {nx} x {ny} x {nz}, {} nodes", geometry.nodes()))?;
    print_line(format_args!("fluid       {fluid} nodes, porosity {:.4}", geometry.porosity()))
}

fn print_survey(survey: &Survey, filled: usize) -> Result<(), Error> {
    let (largest, others) = (survey.regions[0], survey.fluid_nodes - survey.regions[0]);
    let regions = match survey.regions.len() {
        1 if filled > 0 => format!("1, after {filled} nodes of others were filled"),
        1 => "1".to_owned(),
        count => format!(
            "{count}: {largest} nodes in the largest, {others} in the others, which {FILL} makes solid"
        ),
    };
    print_line(format_args!("\nregions     {regions}"))?;
    for Tiles { at_corner, best } in &survey.tiles {
        let edges = at_corner.tiling.edges().map(|n| n.to_string()).join("x");
        let of =
            |tiles: &TileStatistics| format!("{} tiles, utilisation {:.4}", tiles.tiles, tiles.utilisation());
        let [x, y, z] = best.tiling.origin();
        print_line(format_args!("tiles {edges:<6}{}; best origin {x},{y},{z}: {}", of(at_corner), of(best)))?;
        print_line(format_args!(
            "            {:.3} common faces and {:.3} common edges a tile: share of bandwidth {:.3} (Tomczak & Szafran, Eq. 19)",
            at_corner.faces_per_tile(),
            at_corner.edges_per_tile(),
            at_corner.propagation_share(&PropagationModel::PAPER)
        ))?;
    }
    print_line(format_args!(
        "\n{:<20} {:<17} {:<5} {:>12} {:>12} {:>9} {:>9} {:>7}",
        "addressing", "streaming", "type", "values", "lists", "B/fluid", "B/step", "speed"
    ))?;
    survey.storages.iter().try_for_each(|storage| print_line(row(survey, storage)))?;
    print_line(format_args!(
        "values, lists: bytes of populations, and of lists and tables. B/fluid: both, a fluid node. B/step: bytes that a step moves for\n\
         each fluid node, if every population of every storage node is read and written once, every list read once, and the index array\n\
         once for each neighbour; dense boxes move segments of {SEGMENT} nodes along x with fluid. speed: the inverse of B/step, 1 for the\n\
         fastest of the type, where memory is the limit, as on a GPU."
    ))?;
    let advised = survey.advice().map(|advice| {
        format!("{} with {}: {}", advice.storage.addressing, advice.storage.streaming, advice.reason)
    });
    let none = "fewer nodes; none of these fits in the memory that is free";
    print_line(format_args!("advised: {}", advised.as_deref().unwrap_or(none)))
}

fn row(survey: &Survey, storage: &Storage) -> String {
    let mut row = format!(
        "{:<20} {:<17} {:<5} {:>12} {:>12} {:>9.1} {:>9.1} {:>7.3}",
        storage.addressing,
        storage.streaming,
        storage.precision,
        bytes(storage.population_bytes),
        bytes(storage.list_bytes),
        storage.bytes() as f64 / survey.fluid_nodes as f64,
        storage.step_bytes,
        survey.relative_speed(storage)
    );
    if !survey.fits(storage) {
        row += "  more than is free";
    }
    if let Some(note) = &storage.note {
        row += &format!("  ({note})");
    }
    row
}

fn print_json(name: &str, survey: &Survey, filled: usize) -> Result<(), Error> {
    print_line(json!({
        "geometry": name,
        "size": survey.size,
        "nodes": survey.nodes,
        "fluid_nodes": survey.fluid_nodes,
        "porosity": survey.porosity(),
        "regions": survey.regions.len(),
        "largest_region": survey.regions[0],
        "filled": filled,
    }))?;
    for Tiles { at_corner, best } in &survey.tiles {
        print_line(json!({
            "tiles": at_corner.tiling.edges(),
            "count": at_corner.tiles,
            "utilisation": at_corner.utilisation(),
            "common_faces_per_tile": at_corner.faces_per_tile(),
            "common_edges_per_tile": at_corner.edges_per_tile(),
            "predicted_bandwidth_share": at_corner.propagation_share(&PropagationModel::PAPER),
            "best_origin": best.tiling.origin(),
            "best_count": best.tiles,
            "best_utilisation": best.utilisation(),
        }))?;
    }
    for storage in &survey.storages {
        print_line(json!({
            "addressing": storage.addressing,
            "streaming": storage.streaming,
            "copies": storage.copies,
            "precision": storage.precision,
            "population_bytes": storage.population_bytes as u64,
            "list_bytes": storage.list_bytes as u64,
            "bytes_per_fluid_node": storage.bytes() as f64 / survey.fluid_nodes as f64,
            "step_bytes_per_fluid_node": storage.step_bytes,
            "relative_speed": survey.relative_speed(storage),
            "fits": survey.fits(storage),
            "note": storage.note,
        }))?;
    }
    let advice = survey.advice();
    print_line(json!({
        "advised": advice.as_ref().map(|advice| advice.storage.addressing),
        "streaming": advice.as_ref().map(|advice| advice.storage.streaming),
        "reason": advice.as_ref().map(|advice| advice.reason.as_str()),
    }))
}

/// `1.2 KB`, `34.5 MB`: decimal, as memory bandwidths are.
fn bytes(bytes: u128) -> String {
    let (unit, divisor) = match bytes {
        0 => return "0".to_owned(),
        1..1_000_000 => ("KB", 1e3),
        1_000_000..1_000_000_000 => ("MB", 1e6),
        _ => ("GB", 1e9),
    };
    format!("{:.1} {unit}", bytes as f64 / divisor)
}
