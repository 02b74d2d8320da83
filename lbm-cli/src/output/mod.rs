//! Results on disk: VTK for ParaView, pictures, profile plots, tables, a summary.
//!
//! Everything takes plain slices and sizes, and writes each file whole or not at all; what cannot be written is an [`Error::File`].
//! Fields are in the order x, y, z (x fastest): the value of node (x, y, z) is at `x + nx (y + ny z)`.

mod canvas;
mod colours;
mod film;
mod picture;
mod pixels;
mod plane;
mod plot;
mod slice;
mod streamlines;
mod table;
mod vtk;

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use lbm_core::Error;
use lbm_core::file::write_atomically;

pub use colours::{Colouring, Map};
pub use film::Film;
pub use picture::{Picture, write_picture, write_pictures};
pub use plane::Plane;
pub use plot::{Panel, Scale, Series, write_plot};
pub use slice::write_slice;
pub use table::{Column, number, write_rows, write_summary, write_table};
pub use vtk::{Encoding, FieldArray, Image, Numbers, TakeNumbers, TimeSeries, write_fields, write_solid};

/// Whether another process writes what all of them have.
static LEFT_TO_OTHERS: AtomicBool = AtomicBool::new(false);

/// Leaves it to another process to write what all have; of images in pieces this one writes its own.
pub fn leave_to_others() {
    LEFT_TO_OTHERS.store(true, Ordering::Relaxed);
}

/// Whether another process writes what all have.
pub fn is_left_to_others() -> bool {
    LEFT_TO_OTHERS.load(Ordering::Relaxed)
}

/// Writes a file that one process writes ([`write_atomically`]).
pub(crate) fn write_once(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Error> {
    if is_left_to_others() { Ok(()) } else { write_atomically(path, content) }
}

/// Creates the output folder, if need be, and tries that it can be written, so that a long run does not end
/// with results that have no place.
pub fn prepare(folder: &Path) -> Result<(), Error> {
    let failed = |action, source, remedy| Error::file(action, folder, source, remedy);
    fs::create_dir_all(folder).map_err(|source| {
        failed("create", source, "give a folder that can be created and written, e.g. --out results")
    })?;
    let probe = folder.join(format!(".lbm-can-write-{}", std::process::id()));
    fs::write(&probe, b"").and_then(|()| fs::remove_file(&probe)).map_err(|source| {
        failed("write into", source, "change its permissions or give another folder, e.g. --out results")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_folder_is_made_and_left_empty() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a").join("b");
        prepare(&folder).unwrap();
        prepare(&folder).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    }

    #[test]
    fn a_file_in_the_folders_place_is_refused_with_a_remedy() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("taken");
        fs::write(&folder, b"a file").unwrap();
        let message = prepare(&folder.join("results")).unwrap_err().to_string();
        assert!(message.contains("taken") && message.contains("--out"), "{message}");
    }
}
