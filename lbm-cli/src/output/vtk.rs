//! VTK XML image data (`.vti`) and its time series index (`.pvd`), as ParaView opens them.
//!
//! Every node is a *cell* of the image: with half-way walls the fluid reaches half a spacing beyond the last
//! nodes, which is just where the last cells end. Arrays lie in the appended section as they are in memory, or in blocks that zlib has
//! compressed. Solid nodes are hidden cells.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use lbm_core::Error;
use lbm_core::file::write_atomically;
use lbm_core::parallel::each_chunk;

/// How numbers lie in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// As f64; else as f32.
    pub wide: bool,
    /// Compressed by zlib.
    pub compressed: bool,
}

/// A field of every node.
#[derive(Clone, Copy, Debug)]
pub struct FieldArray<'a> {
    /// What the file calls it.
    pub name: &'static str,
    /// Numbers of a node: 1, 3, or 6 of a symmetric tensor.
    pub components: usize,
    /// The numbers, node after node.
    pub values: &'a [f64],
    /// What they are multiplied by in the file.
    pub scale: f64,
}

/// The fields of a state, and where its box lies.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    /// Nodes along x, y, z; 1 along axes that there are not.
    pub size: [usize; 3],
    /// Where the first cell begins, in the units of the file (1, or m).
    pub origin: [f64; 3],
    /// The distance between nodes, in the units of the file.
    pub spacing: f64,
    /// The fields; the first ones of one number a node and of three are what ParaView shows.
    pub arrays: &'a [FieldArray<'a>],
    /// Which nodes are solid, if any are.
    pub solid: Option<&'a [bool]>,
}

/// Writes one image of what is solid in a box of `size` nodes: the arrays `solid` and `vtkGhostType` of [`TimeSeries::add`].
pub fn write_solid(path: &Path, size: [usize; 3], solid: &[bool]) -> Result<(), Error> {
    write_arrays(path, size, [[0.0; 3], [1.0; 3]], "Scalars=\"solid\"", &blanked(solid), Encoding::default())
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
    /// Numbers, and what they are multiplied by.
    Floats(&'a [f64], f64),
    /// What stands for yes; 0 stands for no.
    Flags(&'a [bool], u8),
}

/// Values that a core converts at a time.
const AT_ONCE: usize = 1 << 16;

/// So many times that are converted before they are written.
const PARTS: usize = 16;

/// Bytes of a block that is compressed by itself.
const BLOCK: usize = 1 << 20;

impl Values<'_> {
    /// VTK's name of their type, and how many bytes they are.
    fn kind(&self, wide: bool) -> (&'static str, usize) {
        match self {
            Values::Floats(values, _) if wide => ("Float64", size_of_val(*values)),
            Values::Floats(values, _) => ("Float32", values.len() * size_of::<f32>()),
            Values::Flags(values, _) => ("UInt8", values.len()),
        }
    }

    /// How many there are.
    fn count(&self) -> usize {
        match self {
            Values::Floats(values, _) => values.len(),
            Values::Flags(values, _) => values.len(),
        }
    }

    /// The bytes of at most so many from this one on, little endian.
    fn encode(&self, wide: bool, first: usize, most: usize, bytes: &mut Vec<u8>) {
        let range = first.min(self.count())..first.saturating_add(most).min(self.count());
        bytes.clear();
        match *self {
            Values::Floats(values, scale) if wide => {
                values[range].iter().for_each(|value| bytes.extend((value * scale).to_le_bytes()));
            }
            Values::Floats(values, scale) => {
                values[range].iter().for_each(|value| bytes.extend(((value * scale) as f32).to_le_bytes()));
            }
            Values::Flags(values, yes) => {
                bytes.extend(values[range].iter().map(|&flag| yes * u8::from(flag)));
            }
        }
    }

    /// Writes their bytes, some at a time, converted on all cores.
    fn put(&self, wide: bool, file: &mut impl Write) -> io::Result<()> {
        let mut parts = vec![Vec::new(); PARTS];
        for first in (0..self.count()).step_by(PARTS * AT_ONCE) {
            each_chunk(&mut parts, 1, |number, part| {
                self.encode(wide, first + number * AT_ONCE, AT_ONCE, &mut part[0]);
            });
            parts.iter().try_for_each(|part| file.write_all(part))?;
        }
        Ok(())
    }

    /// The same in compressed blocks, each made by one core, behind how many there are, their length, that of the last if it is shorter, and
    /// their compressed lengths.
    fn compressed(&self, wide: bool) -> io::Result<Vec<u8>> {
        let (_, count) = self.kind(wide);
        let in_block = BLOCK * self.count() / count.max(1);
        let mut blocks: Vec<io::Result<Vec<u8>>> =
            (0..count.div_ceil(BLOCK)).map(|_| Ok(Vec::new())).collect();
        each_chunk(&mut blocks, 1, |number, block| {
            let mut plain = Vec::new();
            self.encode(wide, number * in_block, in_block, &mut plain);
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            block[0] = encoder.write_all(&plain).and_then(|()| encoder.finish());
        });
        let blocks = blocks.into_iter().collect::<io::Result<Vec<Vec<u8>>>>()?;
        let head = [blocks.len(), BLOCK, count % BLOCK].into_iter().chain(blocks.iter().map(Vec::len));
        let mut all: Vec<u8> = head.flat_map(|number| (number as u64).to_le_bytes()).collect();
        blocks.iter().for_each(|block| all.extend(block));
        Ok(all)
    }
}

fn write_arrays(
    path: &Path,
    [nx, ny, nz]: [usize; 3],
    [[x, y, z], [dx, dy, dz]]: [[f64; 3]; 2],
    attributes: &str,
    arrays: &[Array<'_>],
    Encoding { wide, compressed }: Encoding,
) -> Result<(), Error> {
    write_atomically(path, |file| {
        let compressor = if compressed { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
        let packed = arrays.iter().filter(|_| compressed).map(|array| array.values.compressed(wide));
        let packed = packed.collect::<io::Result<Vec<Vec<u8>>>>()?;
        let extent = format!("0 {nx} 0 {ny} 0 {nz}");
        writeln!(
            file,
            "<?xml version=\"1.0\"?>\n\
             <VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{compressor}>\n\
             <ImageData WholeExtent=\"{extent}\" Origin=\"{x} {y} {z}\" Spacing=\"{dx:?} {dy:?} {dz:?}\">\n\
             <Piece Extent=\"{extent}\">\n<CellData {attributes}>"
        )?;
        let mut offset = 0;
        for (n, Array { name, components, values }) in arrays.iter().enumerate() {
            let (kind, bytes) = values.kind(wide);
            writeln!(
                file,
                "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" \
                 format=\"appended\" offset=\"{offset}\"/>"
            )?;
            // An array's length in eight bytes comes first.
            offset += packed.get(n).map_or(size_of::<u64>() + bytes, Vec::len);
        }
        write!(file, "</CellData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_")?;
        packed.iter().try_for_each(|bytes| file.write_all(bytes))?;
        for Array { values, .. } in arrays.iter().filter(|_| !compressed) {
            file.write_all(&(values.kind(wide).1 as u64).to_le_bytes())?;
            values.put(wide, file)?;
        }
        writeln!(file, "\n</AppendedData>\n</VTKFile>")
    })
}

/// Writes an image with these fields as cell arrays and, where there are solids, `solid` (0 or 1) and `vtkGhostType`, by which ParaView leaves
/// solid nodes out.
pub fn write_fields(path: &Path, fields: &Fields<'_>, encoding: Encoding) -> Result<(), Error> {
    let mut arrays: Vec<Array<'_>> = fields
        .arrays
        .iter()
        .map(|array| Array {
            name: array.name,
            components: array.components,
            values: Values::Floats(array.values, array.scale),
        })
        .collect();
    arrays.extend(fields.solid.into_iter().flat_map(blanked));
    let first = |components: usize, kind: &str| {
        let found = fields.arrays.iter().find(|array| array.components == components)?;
        Some(format!("{kind}=\"{}\"", found.name))
    };
    let attributes: Vec<String> = [first(1, "Scalars"), first(3, "Vectors")].into_iter().flatten().collect();
    let lies = [fields.origin, [fields.spacing; 3]];
    write_arrays(path, fields.size, lies, &attributes.join(" "), &arrays, encoding)
}

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

    /// Writes the image of a time step with its cell arrays ([`write_fields`]); then the index anew, so that it never names a missing image.
    /// `time` is what ParaView shows, in steps or seconds. A step that is already there is replaced.
    pub fn add(&mut self, step: u64, time: f64, fields: &Fields<'_>) -> Result<(), Error> {
        let file = format!("fields_{step:09}.vti");
        write_fields(&self.folder.join(&file), fields, self.encoding)?;
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
mod tests;
