//! OBJ: vertices, and polygons by their numbers, in named groups. The crate `tobj` reads them.

use std::path::Path;

use tobj::{LoadError, LoadOptions};

use super::read::{EXPORT, in_file, wrong};
use super::{Mesh, Weld};
use crate::error::Error;

/// What a group without name is called.
const NAMELESS: &str = "unnamed_object";

/// The mesh of a file's bytes; groups without name have the name `name`. Polygons become fans of triangles; points, lines and
/// materials are left out.
pub(super) fn parse(path: &Path, name: &str, bytes: Vec<u8>) -> Result<Mesh, Error> {
    let options =
        LoadOptions { triangulate: true, ignore_points: true, ignore_lines: true, ..LoadOptions::default() };
    // Other files that it names are not read.
    let no_materials = |_: &Path| Err(LoadError::OpenFileFailed);
    let (groups, _) = tobj::load_obj_buf(&mut bytes.as_slice(), &options, no_materials)
        .map_err(|error| wrong(path, format!("it cannot be read as OBJ ({error})"), EXPORT))?;
    let mut weld = Weld::default();
    for group in groups.iter().filter(|group| !group.mesh.indices.is_empty()) {
        let own = if group.name == NAMELESS { name } else { &group.name };
        let patch = weld.patch(own).map_err(|error| in_file(path, error))?;
        let position = |&vertex: &u32| {
            let first = 3 * vertex as usize;
            [0, 1, 2].map(|axis| group.mesh.positions[first + axis])
        };
        for triangle in group.mesh.indices.chunks_exact(3) {
            let corners = [position(&triangle[0]), position(&triangle[1]), position(&triangle[2])];
            weld.push(corners, patch).map_err(|error| in_file(path, error))?;
        }
    }
    Ok(weld.into_mesh())
}
