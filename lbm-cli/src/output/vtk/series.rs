//! Images of successive times, each whole or in pieces.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use lbm_core::Error;

use super::super::write_once;
use super::{Array, Encoding, Image, head, write_arrays, write_fields};

/// Images of successive times, `fields_STEP.vti`, and the index `fields.pvd` that names them.
#[derive(Debug)]
pub struct TimeSeries {
    folder: PathBuf,
    encoding: Encoding,
    entries: Vec<(f64, String)>,
}

impl TimeSeries {
    /// A series in this folder, without images yet.
    pub fn new(folder: &Path, encoding: Encoding) -> TimeSeries {
        TimeSeries { folder: folder.to_owned(), encoding, entries: Vec::new() }
    }

    /// Writes the image of a time step with its cell arrays ([`write_fields`]); then the index anew, so that it names none that is missing; of images in pieces each process writes its own at that time.
    /// `time` is what ParaView shows, in steps or seconds. A step that is already there is replaced.
    pub fn add(&mut self, step: u64, time: f64, fields: &Image<'_>) -> Result<(), Error> {
        let file = format!("fields_{step:09}.vti");
        write_fields(&self.folder.join(&file), fields, self.encoding)?;
        self.enter(time, file)
    }

    /// Writes a piece of the image of a time step, `fields_STEP_NUMBER.vti`, from the process that has it.
    pub fn add_piece(&self, step: u64, number: usize, piece: &Image<'_>) -> Result<(), Error> {
        let path = self.folder.join(piece_of(step, number));
        write_arrays(&path, piece, &piece.shown(), &piece.all_arrays(), self.encoding)
    }

    /// Writes `fields_STEP.pvti`, which says which pieces make the image of a time step, by their numbers; then the index as [`add`](TimeSeries::add) does.
    /// Who has a piece may still write it.
    pub fn add_pieces(
        &mut self,
        step: u64,
        time: f64,
        whole: &Image<'_>,
        pieces: &[(usize, Image<'_>)],
    ) -> Result<(), Error> {
        let file = format!("fields_{step:09}.pvti");
        let mut text = head("PImageData", self.encoding.compressed);
        text += &format!("<PImageData {} GhostLevel=\"0\">\n<PCellData {}>\n", whole.lies(), whole.shown());
        for Array { name, components, values } in whole.all_arrays() {
            let (kind, _) = values.kind(self.encoding.wide);
            text += &format!(
                "<PDataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\"/>\n"
            );
        }
        text += "</PCellData>\n";
        for (number, piece) in pieces {
            let (extent, source) = (piece.extent(), piece_of(step, *number));
            text += &format!("<Piece Extent=\"{extent}\" Source=\"{source}\"/>\n");
        }
        text += "</PImageData>\n</VTKFile>\n";
        write_once(&self.folder.join(&file), |out| out.write_all(text.as_bytes()))?;
        self.enter(time, file)
    }

    /// Writes the index anew with an image of this time.
    fn enter(&mut self, time: f64, file: String) -> Result<(), Error> {
        self.entries.retain(|(_, other)| *other != file);
        self.entries.push((time, file));
        let mut index = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n\
             <Collection>\n",
        );
        for (time, file) in &self.entries {
            writeln!(index, "<DataSet timestep=\"{time:?}\" group=\"\" part=\"0\" file=\"{file}\"/>")
                .expect("a String takes all text");
        }
        index.push_str("</Collection>\n</VTKFile>\n");
        write_once(&self.index(), |file| file.write_all(index.as_bytes()))
    }

    /// The path of the index, which ParaView opens.
    pub fn index(&self) -> PathBuf {
        self.folder.join("fields.pvd")
    }
}

/// The file of a piece of an image.
fn piece_of(step: u64, number: usize) -> String {
    format!("fields_{step:09}_{number}.vti")
}
