//! OBJ: vertices, and polygons by their numbers, in named groups. The crate `tobj` reads them.

use std::borrow::Cow;
use std::path::Path;
use std::str::SplitWhitespace;

use tobj::{LoadError, LoadOptions};

use super::read::{EXPORT, in_file, wrong};
use super::{Mesh, Weld};
use crate::error::Error;

/// What a group without name is called.
const NAMELESS: &str = "unnamed_object";

/// Corners that a polygon may have: the triangles of a fan all lie about one corner.
const MOST_CORNERS: usize = 10_000;

/// Characters of a line that are shown.
const SHOWN: usize = 60;

/// The mesh of a file's bytes; groups without name have the name `name`. Polygons become fans of triangles; points, lines and
/// materials are left out.
pub(super) fn parse(path: &Path, name: &str, bytes: Vec<u8>) -> Result<Mesh, Error> {
    let options =
        LoadOptions { triangulate: true, ignore_points: true, ignore_lines: true, ..LoadOptions::default() };
    // Other files that it names are not read.
    let no_materials = |_: &Path| Err(LoadError::OpenFileFailed);
    check_polygons(path, &bytes)?;
    let mut rest = bytes.as_slice();
    let read = tobj::load_obj_buf(&mut rest, &options, no_materials);
    let (groups, _) = read.map_err(|error| {
        let place = place(error, &bytes[..bytes.len() - rest.len()]);
        wrong(path, format!("it cannot be read as OBJ ({error}{place})"), EXPORT)
    })?;
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

/// That no polygon has too many corners.
fn check_polygons(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    for (number, line) in lines(bytes) {
        let count = corners(&line).map_or(0, Iterator::count);
        if count > MOST_CORNERS {
            let what =
                format!("the polygon in line {number} has {count} corners, at most {MOST_CORNERS} are read");
            return Err(wrong(path, what, EXPORT));
        }
    }
    Ok(())
}

/// Where an error is, of the part of a file that was read until it was found: in its last line, or for numbers of vertices, which are looked up where a
/// group ends, in the first face with one that there is not.
fn place(error: LoadError, read: &[u8]) -> String {
    let (line, with) = match error {
        LoadError::FaceVertexOutOfBounds => (stray(read), format!(", with {} vertices", vertices(read))),
        LoadError::ReadError
        | LoadError::PositionParseError
        | LoadError::ScalingByZeroError
        | LoadError::ColorParseError
        | LoadError::NormalParseError
        | LoadError::TexcoordParseError
        | LoadError::FaceParseError => (lines(read).last(), String::new()),
        _ => (None, String::new()),
    };
    let Some((number, line)) = line else { return String::new() };
    let line: String = line.trim().chars().take(SHOWN).collect();
    format!(" in line {number}: `{line}`{with}")
}

/// Lines with their numbers.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n').map(String::from_utf8_lossy))
}

/// The corners of a polygon, if a line is one.
fn corners(line: &str) -> Option<SplitWhitespace<'_>> {
    let mut words = line.split_whitespace();
    matches!(words.next(), Some("f" | "l")).then_some(words)
}

fn is_vertex(line: &str) -> bool {
    line.split_whitespace().next() == Some("v")
}

fn vertices(read: &[u8]) -> usize {
    lines(read).filter(|(_, line)| is_vertex(line)).count()
}

/// The first polygon with a vertex that there is not: of so many in all, or counted back from where it stands.
fn stray(read: &[u8]) -> Option<(usize, Cow<'_, str>)> {
    let (all, mut before) = (vertices(read), 0);
    lines(read).find(|(_, line)| {
        before += usize::from(is_vertex(line));
        let is_there = |corner: &str| match corner.split('/').next().map(str::parse::<isize>) {
            Some(Ok(number @ 1..)) => number.unsigned_abs() <= all,
            Some(Ok(number)) => number < 0 && number.unsigned_abs() <= before,
            _ => false,
        };
        corners(line).is_some_and(|mut corners| !corners.all(is_there))
    })
}
