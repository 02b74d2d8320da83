//! Meshes from files.

use std::path::Path;

use super::{Mesh, obj, stl};
use crate::error::Error;
use crate::file::read_whole;

/// Bytes that a file of each kind may have: a hundred million triangles in a binary STL file, and less of a text, whose lines take many times
/// their length while they are read.
const MOST_STL: u64 = 6 << 30;
const MOST_OBJ: u64 = 1 << 30;

impl Mesh {
    /// Reads a surface: STL (text or binary; each solid of a text is a patch) or OBJ (each group or object is a patch), by the ending of
    /// the file's name. Lengths stay as they are in the file. Memory is taken in proportion to the file's length, whatever it says of
    /// itself.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read, [`Error::Format`] if it is not what its ending says, ends early, has no triangles, or has a
    /// coordinate that is no number, [`Error::OutOfRange`] for a file that is too long.
    pub fn read(path: &Path) -> Result<Mesh, Error> {
        let ends = |end: &str| path.extension().is_some_and(|other| other.eq_ignore_ascii_case(end));
        type Parse = fn(&Path, &str, Vec<u8>) -> Result<Mesh, Error>;
        let (parse, most): (Parse, u64) = if ends("stl") {
            (stl::parse, MOST_STL)
        } else if ends("obj") {
            (obj::parse, MOST_OBJ)
        } else {
            return Err(wrong(path, "its name ends neither in .stl nor in .obj", "give one of these"));
        };
        let bytes = read_whole(path, most, "give a surface as STL or OBJ that can be read")?;
        if bytes.is_empty() {
            return Err(wrong(path, "the file is empty", EXPORT));
        }
        let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let mesh = parse(path, &name, bytes)?;
        if mesh.triangles().is_empty() {
            return Err(wrong(path, "it has 0 triangles, at least 1 is needed", EXPORT));
        }
        Ok(mesh)
    }
}

/// What to do about a file that is not right.
pub(super) const EXPORT: &str = "export the surface again as triangles";

/// A file that is not what it should be.
pub(super) fn wrong(path: &Path, what: impl Into<String>, remedy: &str) -> Error {
    Error::Format { path: path.to_owned(), what: what.into(), remedy: remedy.to_owned() }
}

/// What a mesh said of a file's triangles or patches, with the file's name.
pub(super) fn in_file(path: &Path, error: Error) -> Error {
    match error {
        Error::OutOfRange { name, value, allowed, remedy } => {
            wrong(path, format!("{name} = {value} is out of range: {allowed}"), &remedy)
        }
        other => other,
    }
}
