//! Raw voxel files: one byte a node in the order x, y, z, 0 fluid and all else solid, no header.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::{Geometry, checked_nodes};
use crate::domain::shown;
use crate::error::Error;

impl Geometry {
    /// Reads a raw voxel file (u8) of `size` nodes. The file's length is compared before anything is read.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a size of 0, [`Error::File`] if it cannot be read, [`Error::Format`] with both lengths if the file
    /// is not one byte a node.
    pub fn read_raw(path: &Path, size: [usize; 3]) -> Result<Geometry, Error> {
        let nodes = checked_nodes(size)?;
        let failed = |source| {
            Error::file("read", path, source, "give a raw voxel file (one byte a node) that can be read")
        };
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(std::io::ErrorKind::IsADirectory.into()));
        }
        // Pipes and the like have no length to compare.
        if metadata.is_file() && metadata.len() != nodes as u64 {
            return Err(wrong_length(path, size, metadata.len()));
        }
        let mut solid = Geometry::empty(size)?.solid;
        solid.clear();
        let read = file.take(nodes as u64).read_to_end(&mut solid).map_err(failed)?;
        if read < nodes {
            return Err(wrong_length(path, size, read as u64));
        }
        Geometry::from_nodes(size, solid)
    }
}

fn wrong_length(path: &Path, size: [usize; 3], found: u64) -> Error {
    let nodes: usize = size.iter().product();
    let cube = (found as f64).cbrt().round() as u64;
    let guess = if cube > 0 && cube.checked_pow(3) == Some(found) {
        format!(", perhaps {}", shown([cube as usize; 3]))
    } else {
        String::new()
    };
    Error::Format {
        path: path.to_owned(),
        what: format!(
            "the file has {found} bytes, but a box of {} has {nodes} nodes of one byte each",
            shown(size)
        ),
        remedy: format!("give the size that the file was written with{guess}, or a file of {nodes} bytes"),
    }
}
