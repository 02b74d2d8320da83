//! VTK XML image data (`.vti`) and its time series index (`.pvd`), as ParaView opens them.
//!
//! Every node is a *cell* of the image: with half-way walls the fluid reaches half a spacing beyond the last
//! nodes, which is just where the last cells end. Arrays are 64-bit, base64 in the appended section, so that the
//! file stays valid XML and keeps every bit. Solid nodes are hidden cells.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use lbm_core::Error;
use lbm_core::file::write_atomically;

/// The fields of a state, and where its box lies.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    /// Nodes along x, y, z; 1 along axes that there are not.
    pub size: [usize; 3],
    /// The distance between nodes, in the units of the file (1, or m).
    pub spacing: f64,
    /// Density of every node.
    pub density: &'a [f64],
    /// Velocity of every node.
    pub velocity: &'a [[f64; 3]],
    /// Which nodes are solid, if any are.
    pub solid: Option<&'a [bool]>,
}

/// Writes one image of what is solid in a box of `size` nodes: the arrays `solid` and `vtkGhostType` of [`TimeSeries::add`].
pub fn write_solid(path: &Path, size: [usize; 3], solid: &[bool]) -> Result<(), Error> {
    write_arrays(path, size, 1.0, "Scalars=\"solid\"", &blanked(solid))
}

/// The bit of `vtkGhostType` that hides a cell (`vtkDataSetAttributes::HIDDENCELL`).
const HIDDEN_CELL: u8 = 32;

fn blanked(solid: &[bool]) -> [Array<'_>; 2] {
    [
        Array { name: "solid", components: 1, values: Values::Flags(solid, 1) },
        Array { name: "vtkGhostType", components: 1, values: Values::Flags(solid, HIDDEN_CELL) },
    ]
}

/// A cell array.
struct Array<'a> {
    name: &'static str,
    components: usize,
    values: Values<'a>,
}

enum Values<'a> {
    Floats(&'a [f64]),
    /// What stands for yes; 0 stands for no.
    Flags(&'a [bool], u8),
}

impl Values<'_> {
    /// VTK's name of their type, and how many bytes they are.
    fn kind(&self) -> (&'static str, usize) {
        match self {
            Values::Floats(values) => ("Float64", size_of_val(*values)),
            Values::Flags(values, _) => ("UInt8", values.len()),
        }
    }
}

fn write_arrays(
    path: &Path,
    [nx, ny, nz]: [usize; 3],
    h: f64,
    attributes: &str,
    arrays: &[Array<'_>],
) -> Result<(), Error> {
    write_atomically(path, |file| {
        let extent = format!("0 {nx} 0 {ny} 0 {nz}");
        writeln!(
            file,
            "<?xml version=\"1.0\"?>\n\
             <VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
             <ImageData WholeExtent=\"{extent}\" Origin=\"0 0 0\" Spacing=\"{h:?} {h:?} {h:?}\">\n\
             <Piece Extent=\"{extent}\">\n<CellData {attributes}>"
        )?;
        let mut offset = 0;
        for Array { name, components, values } in arrays {
            let (kind, bytes) = values.kind();
            writeln!(
                file,
                "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" \
                 format=\"appended\" offset=\"{offset}\"/>"
            )?;
            // The array's length in eight bytes comes first; base64 turns every three bytes, also the last few, into four.
            offset += 4 * (8 + bytes).div_ceil(3);
        }
        write!(file, "</CellData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"base64\">\n_")?;
        for Array { values, .. } in arrays {
            let (_, bytes) = values.kind();
            match *values {
                Values::Floats(values) => append(file, bytes, values.iter().map(|v| v.to_le_bytes()))?,
                Values::Flags(values, yes) => {
                    append(file, bytes, values.iter().map(|&flag| [yes * u8::from(flag)]))?;
                }
            }
        }
        writeln!(file, "\n</AppendedData>\n</VTKFile>")
    })
}

fn append<const N: usize>(
    file: &mut impl Write,
    bytes: usize,
    values: impl Iterator<Item = [u8; N]>,
) -> io::Result<()> {
    let mut encoder = EncoderWriter::new(file, &STANDARD);
    encoder.write_all(&(bytes as u64).to_le_bytes())?;
    for value in values {
        encoder.write_all(&value)?;
    }
    encoder.finish()?;
    Ok(())
}

/// Images of successive times, `fields_STEP.vti`, and the index `fields.pvd` that names them.
#[derive(Debug)]
pub struct TimeSeries {
    folder: PathBuf,
    entries: Vec<(f64, String)>,
}

impl TimeSeries {
    /// A series in this folder, without images yet.
    pub fn new(folder: &Path) -> TimeSeries {
        TimeSeries { folder: folder.to_owned(), entries: Vec::new() }
    }

    /// Writes the image of a time step with the cell arrays `density`, `velocity` and, where there are solids, `solid` (0 or 1) and
    /// `vtkGhostType`, by which ParaView leaves solid nodes out; then the index anew, so that it never names a missing image.
    /// `time` is what ParaView shows, in steps or seconds. A step that is already there is replaced.
    pub fn add(&mut self, step: u64, time: f64, fields: &Fields<'_>) -> Result<(), Error> {
        let file = format!("fields_{step:09}.vti");
        let mut arrays = vec![
            Array { name: "density", components: 1, values: Values::Floats(fields.density) },
            Array { name: "velocity", components: 3, values: Values::Floats(fields.velocity.as_flattened()) },
        ];
        arrays.extend(fields.solid.into_iter().flat_map(blanked));
        let attributes = "Scalars=\"density\" Vectors=\"velocity\"";
        write_arrays(&self.folder.join(&file), fields.size, fields.spacing, attributes, &arrays)?;
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
        write_atomically(&self.index(), |file| file.write_all(index.as_bytes()))
    }

    /// The path of the index, which ParaView opens.
    pub fn index(&self) -> PathBuf {
        self.folder.join("fields.pvd")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use std::fs;

    /// The bytes of an array, read by its declared offset as VTK does.
    fn array(xml: &roxmltree::Document<'_>, name: &str) -> Vec<u8> {
        let node = xml.descendants().find(|n| n.attribute("Name") == Some(name)).unwrap();
        let offset: usize = node.attribute("offset").unwrap().parse().unwrap();
        let appended = xml.descendants().find(|n| n.has_tag_name("AppendedData")).unwrap();
        let text = appended.text().unwrap().trim().strip_prefix('_').unwrap();
        let head = STANDARD.decode(&text[offset..offset + 12]).unwrap();
        let bytes = u64::from_le_bytes(head[..8].try_into().unwrap()) as usize;
        let all = STANDARD.decode(&text[offset..offset + 4 * (8 + bytes).div_ceil(3)]).unwrap();
        all[8..].to_vec()
    }

    fn doubles(bytes: &[u8]) -> Vec<f64> {
        bytes.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect()
    }

    #[test]
    fn the_numbers_read_back_from_well_formed_xml() {
        let folder = tempfile::tempdir().unwrap();
        let nodes = 5 * 3 * 2;
        let density: Vec<f64> = (0..nodes).map(|i| 1.0 + 1e-3 * (f64::from(i)).sin()).collect();
        let velocity: Vec<[f64; 3]> = density.iter().map(|&d| [d, -d, 1e-310 * d]).collect();
        let solid: Vec<bool> = (0..nodes).map(|i| i % 7 == 0).collect();
        let fields = Fields {
            size: [5, 3, 2],
            spacing: 0.25,
            density: &density,
            velocity: &velocity,
            solid: Some(&solid),
        };
        let mut series = TimeSeries::new(folder.path());
        series.add(0, 0.0, &fields).unwrap();
        series.add(100, 2.5, &fields).unwrap();
        series.add(100, 2.5, &fields).unwrap();

        let index = fs::read_to_string(series.index()).unwrap();
        let index = roxmltree::Document::parse(&index).unwrap();
        let sets: Vec<_> = index.descendants().filter(|n| n.has_tag_name("DataSet")).collect();
        assert_eq!(sets.len(), 2);
        assert_eq!(sets[1].attribute("timestep"), Some("2.5"));
        let text = fs::read_to_string(folder.path().join(sets[1].attribute("file").unwrap())).unwrap();
        let xml = roxmltree::Document::parse(&text).unwrap();
        let image = xml.descendants().find(|n| n.has_tag_name("ImageData")).unwrap();
        assert_eq!(image.attribute("WholeExtent"), Some("0 5 0 3 0 2"));
        assert_eq!(image.attribute("Spacing"), Some("0.25 0.25 0.25"));
        assert_eq!(doubles(&array(&xml, "density")), density);
        assert_eq!(doubles(&array(&xml, "velocity")), velocity.concat());
        let flags = |yes: u8| solid.iter().map(|&s| if s { yes } else { 0 }).collect::<Vec<_>>();
        assert_eq!(array(&xml, "solid"), flags(1));
        assert_eq!(array(&xml, "vtkGhostType"), flags(32));
    }
}
