//! VTK XML image data (`.vti`, in pieces `.pvti`) and its time series index (`.pvd`), as ParaView opens them.
//!
//! Every node is a *cell* of the image: with half-way walls the fluid reaches half a spacing beyond the last
//! nodes, which is just where the last cells end. Arrays lie in the appended section as they are in memory, or in blocks that zlib has
//! compressed. Solid nodes are hidden cells.

mod series;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use lbm_core::Error;
use lbm_core::file::write_atomically;
use lbm_core::parallel::each_chunk;

use super::is_left_to_others;

pub use series::TimeSeries;

/// How numbers lie in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// As f64; else as f32.
    pub wide: bool,
    /// Compressed by zlib.
    pub compressed: bool,
}

/// Takes numbers as they come.
pub type TakeNumbers<'a> = &'a mut dyn FnMut(&[f64]) -> Result<(), Error>;

/// The numbers of a field, node after node.
#[derive(Clone, Copy)]
pub enum Numbers<'a> {
    /// All of them.
    Whole(&'a [f64]),
    /// So many, which are handed out in their order, some at a time.
    Pieces(usize, &'a dyn Fn(TakeNumbers<'_>) -> Result<(), Error>),
}

impl Numbers<'_> {
    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Numbers::Whole(all) => all.len(),
            Numbers::Pieces(count, _) => *count,
        }
    }

    fn hand_out(&self, take: TakeNumbers<'_>) -> Result<(), Error> {
        match self {
            Numbers::Whole(all) => take(all),
            Numbers::Pieces(_, hand_out) => hand_out(take),
        }
    }
}

impl fmt::Debug for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} numbers", self.count())
    }
}

/// A field of every node.
#[derive(Clone, Copy, Debug)]
pub struct FieldArray<'a> {
    /// What the file calls it.
    pub name: &'static str,
    /// Numbers of a node: 1, 3, or 6 of a symmetric tensor.
    pub components: usize,
    /// The numbers.
    pub values: Numbers<'a>,
    /// What they are multiplied by in the file.
    pub scale: f64,
}

/// The fields of a state, and where its box lies.
#[derive(Clone, Copy, Debug)]
pub struct Image<'a> {
    /// Nodes along x, y, z; 1 along axes that there are not.
    pub size: [usize; 3],
    /// The first of them in the whole image, of which this may be a piece.
    pub low: [usize; 3],
    /// Where the first cell of the whole image begins, in the units of the file (1, or m).
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
    let image = Image { size, low: [0; 3], origin: [0.0; 3], spacing: 1.0, arrays: &[], solid: Some(solid) };
    write_arrays(path, &image, "Scalars=\"solid\"", &blanked(solid), Encoding::default())
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
    Floats(Numbers<'a>, f64),
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
            Values::Floats(values, _) if wide => ("Float64", values.count() * size_of::<f64>()),
            Values::Floats(values, _) => ("Float32", values.count() * size_of::<f32>()),
            Values::Flags(values, _) => ("UInt8", values.len()),
        }
    }

    /// Hands out their bytes, little endian, converted on all cores, some at a time.
    fn bytes(&self, wide: bool, take: TakeBytes<'_>) -> Result<(), Error> {
        let mut parts = vec![Vec::new(); PARTS];
        match *self {
            Values::Floats(values, scale) => values.hand_out(&mut |values| {
                let narrow = |value: f64| (value * scale) as f32;
                convert(values, &mut parts, take, |values, bytes: &mut Vec<u8>| match wide {
                    true => values.iter().for_each(|value| bytes.extend((value * scale).to_le_bytes())),
                    false => values.iter().for_each(|&value| bytes.extend(narrow(value).to_le_bytes())),
                })
            }),
            Values::Flags(values, yes) => convert(values, &mut parts, take, |values, bytes| {
                bytes.extend(values.iter().map(|&flag| yes * u8::from(flag)));
            }),
        }
    }

    /// The same in compressed blocks, each made by one core, behind how many there are, their length, that of the last if it is shorter, and
    /// their compressed lengths.
    fn compressed(&self, wide: bool) -> Result<Vec<u8>, Error> {
        let (mut plain, mut blocks) = (Vec::new(), Vec::new());
        self.bytes(wide, &mut |bytes| {
            plain.extend_from_slice(bytes);
            if plain.len() >= PARTS * BLOCK {
                let whole = plain.len() / BLOCK * BLOCK;
                blocks.extend(compress(&plain[..whole]));
                plain.drain(..whole);
            }
            Ok(())
        })?;
        blocks.extend(compress(&plain));
        let (_, count) = self.kind(wide);
        let head = [blocks.len(), BLOCK, count % BLOCK].into_iter().chain(blocks.iter().map(Vec::len));
        let mut all: Vec<u8> = head.flat_map(|number| (number as u64).to_le_bytes()).collect();
        blocks.iter().for_each(|block| all.extend(block));
        Ok(all)
    }
}

/// Takes bytes as they come.
type TakeBytes<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), Error>;

/// Hands out the bytes of values, which `encode` makes on all cores, in parts that are used again and again.
fn convert<T: Sync>(
    values: &[T],
    parts: &mut [Vec<u8>],
    take: TakeBytes<'_>,
    encode: impl Fn(&[T], &mut Vec<u8>) + Sync,
) -> Result<(), Error> {
    for values in values.chunks(parts.len() * AT_ONCE) {
        each_chunk(parts, 1, |number, part| {
            part[0].clear();
            encode(values.chunks(AT_ONCE).nth(number).unwrap_or_default(), &mut part[0]);
        });
        parts.iter().try_for_each(|part| take(part))?;
    }
    Ok(())
}

/// Compresses bytes block by block, on all cores.
fn compress(plain: &[u8]) -> Vec<Vec<u8>> {
    let mut blocks = vec![Vec::new(); plain.len().div_ceil(BLOCK)];
    each_chunk(&mut blocks, 1, |number, block| {
        let end = plain.len().min((number + 1) * BLOCK);
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        let packed = encoder.write_all(&plain[number * BLOCK..end]).and_then(|()| encoder.finish());
        block[0] = packed.expect("a vector takes all bytes");
    });
    blocks
}

fn write_arrays(
    path: &Path,
    image: &Image<'_>,
    attributes: &str,
    arrays: &[Array<'_>],
    Encoding { wide, compressed }: Encoding,
) -> Result<(), Error> {
    let packed = arrays.iter().filter(|_| compressed).map(|array| array.values.compressed(wide));
    let packed = packed.collect::<Result<Vec<Vec<u8>>, Error>>()?;
    let mut failed = None;
    let written = write_atomically(path, |file| {
        let extent = image.extent();
        writeln!(
            file,
            "{}<ImageData {}>\n<Piece Extent=\"{extent}\">\n<CellData {attributes}>",
            head("ImageData", compressed),
            image.lies()
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
            let put = &mut |bytes: &[u8]| {
                file.write_all(bytes).map_err(|source| Error::file("write", path, source, ""))
            };
            values.bytes(wide, put).map_err(|error| match error {
                Error::File { source, .. } => source,
                error => {
                    failed = Some(error);
                    io::Error::other("the numbers could not be had")
                }
            })?;
        }
        writeln!(file, "\n</AppendedData>\n</VTKFile>")
    });
    failed.map_or(written, Err)
}

/// The first lines of a file of a type.
fn head(kind: &str, compressed: bool) -> String {
    let compressor = if compressed { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
    format!(
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"{kind}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{compressor}>\n"
    )
}

impl<'a> Image<'a> {
    /// The numbers of its first cell and of that behind the last one, axis after axis.
    fn extent(&self) -> String {
        let ends = |axis: usize| format!("{} {}", self.low[axis], self.low[axis] + self.size[axis]);
        [0, 1, 2].map(ends).join(" ")
    }

    /// Where it lies, as attributes.
    fn lies(&self) -> String {
        let ([x, y, z], d) = (self.origin, self.spacing);
        format!("WholeExtent=\"{}\" Origin=\"{x} {y} {z}\" Spacing=\"{d:?} {d:?} {d:?}\"", self.extent())
    }

    /// Its cell arrays, solid nodes among them.
    fn all_arrays(&self) -> Vec<Array<'a>> {
        let array = |&FieldArray { name, components, values, scale }: &FieldArray<'a>| {
            let values = Values::Floats(values, scale);
            Array { name, components, values }
        };
        self.arrays.iter().map(array).chain(self.solid.into_iter().flat_map(blanked)).collect()
    }

    /// Which of the fields are shown first, as attributes.
    fn shown(&self) -> String {
        let first = |components: usize, kind: &str| {
            let found = self.arrays.iter().find(|array| array.components == components)?;
            Some(format!("{kind}=\"{}\"", found.name))
        };
        let shown: Vec<String> = [first(1, "Scalars"), first(3, "Vectors")].into_iter().flatten().collect();
        shown.join(" ")
    }
}

/// Writes an image with these fields as cell arrays and, where there are solids, `solid` (0 or 1) and `vtkGhostType`, by which ParaView leaves
/// solid nodes out.
pub fn write_fields(path: &Path, fields: &Image<'_>, encoding: Encoding) -> Result<(), Error> {
    if is_left_to_others() {
        return Ok(());
    }
    write_arrays(path, fields, &fields.shown(), &fields.all_arrays(), encoding)
}

#[cfg(test)]
mod tests;
