//! NRRD: voxel stacks with a header of text. There is no kept crate for it; the header is some lines of `field: value`.
//!
//! Source: the format's definition, teem.sourceforge.net/nrrd/format.html.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use super::{Regions, checked_nodes};
use crate::domain::shown;
use crate::error::Error;

/// Bytes that a header may have.
const MOST_HEADER: u64 = 1 << 16;

/// How many times as long what is unpacked can be as what is packed, for gzip and PNG: a code of two bits of deflate gives at most 258 bytes.
pub const MOST_PACKED: u64 = 1032;

/// What a header says.
struct Header {
    size: [usize; 3],
    /// Bytes of a label, and whether they may be negative.
    bytes: usize,
    signed: bool,
    big_endian: bool,
    gzip: bool,
    /// The file of the labels, if that is another one.
    data: Option<PathBuf>,
}

impl Regions {
    /// Reads a stack of labels, NRRD with two or three axes, x first: 0 is fluid, each other label from 1 to 65535 a region of the name
    /// `label N`. Types are integers of 8 to 64 bits of either byte order; encodings `raw` and `gzip`; the labels may stand in a file of their
    /// own in the same folder. Memory is two bytes for each node that the header says, checked against what the file's length can hold. A file
    /// with more labels than its header says is refused; of those no more than one byte is unpacked.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read, [`Error::Format`] with what was found, what is allowed and what to do, [`Error::OutOfRange`]
    /// for a box that memory does not hold.
    pub fn read_nrrd(path: &Path) -> Result<Regions, Error> {
        let (mut file, _) = open(path)?;
        let (header, length) = read_header(path, &mut file)?;
        let (from, mut data, held) = match &header.data {
            None => (path.to_owned(), file, length),
            Some(other) => {
                let (data, length) = open(other)?;
                (other.clone(), data, length)
            }
        };
        let nodes = checked_nodes(header.size)?;
        let needed = nodes as u128 * header.bytes as u128;
        let (can_be, found) = match header.gzip {
            true => (needed <= u128::from(held) * u128::from(MOST_PACKED), format!("{held} packed bytes")),
            false => (needed == u128::from(held), format!("{held} bytes")),
        };
        if !can_be {
            return Err(misfit(&from, &header, nodes, &found));
        }
        let labels = match header.gzip {
            true => read_labels(&from, &header, nodes, &mut MultiGzDecoder::new(data)),
            false => read_labels(&from, &header, nodes, &mut data),
        }?;
        Ok(Regions::from_labels(header.size, labels, |label| format!("label {label}")))
    }

    /// The nodes along x, y, z that the header of such a file says: who needs a box of another size reads no labels.
    ///
    /// # Errors
    /// As [`read_nrrd`](Regions::read_nrrd), but for what is wrong with the labels.
    pub fn nrrd_size(path: &Path) -> Result<[usize; 3], Error> {
        let (mut file, _) = open(path)?;
        Ok(read_header(path, &mut file)?.0.size)
    }
}

const READABLE: &str = "give an NRRD file of labels that can be read";

fn open(path: &Path) -> Result<(BufReader<File>, u64), Error> {
    let failed = |source| Error::file("read", path, source, READABLE);
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    Ok((BufReader::with_capacity(1 << 16, file), length))
}

fn wrong(path: &Path, what: String, remedy: &str) -> Error {
    Error::Format { path: path.to_owned(), what, remedy: remedy.to_owned() }
}

/// The header, and how many bytes of the file are behind it.
fn read_header(path: &Path, file: &mut BufReader<File>) -> Result<(Header, u64), Error> {
    let length = file.get_ref().metadata().map_or(0, |metadata| metadata.len());
    let mut lines = Lines { file: file.take(MOST_HEADER), path, read: 0 };
    let magic = lines.next()?;
    if !magic.as_deref().is_some_and(|line| line.starts_with("NRRD000")) {
        let what = "it does not begin with `NRRD000` as an NRRD file does".to_owned();
        return Err(wrong(path, what, READABLE));
    }
    let mut fields = Vec::new();
    while let Some(line) = lines.next()?.filter(|line| !line.is_empty()) {
        // Lines `key:=value` are for others.
        if !line.starts_with('#')
            && let Some((field, value)) = line.split_once(':')
            && !value.starts_with('=')
        {
            fields.push((field.trim().to_lowercase(), value.trim().to_owned()));
        }
    }
    let read = lines.read;
    Ok((Header::of(path, &fields)?, length.saturating_sub(read)))
}

/// Lines of a header, which must be text.
struct Lines<'a, R> {
    file: R,
    path: &'a Path,
    read: u64,
}

impl<R: BufRead> Lines<'_, R> {
    fn next(&mut self) -> Result<Option<String>, Error> {
        let mut line = Vec::new();
        let failed = |source| Error::file("read", self.path, source, READABLE);
        let read = self.file.read_until(b'\n', &mut line).map_err(failed)?;
        self.read += read as u64;
        if read > 0 && line.last() != Some(&b'\n') && self.read == MOST_HEADER {
            let what = format!("its header is longer than {MOST_HEADER} bytes");
            return Err(wrong(self.path, what, READABLE));
        }
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
    }
}

impl Header {
    fn of(path: &Path, fields: &[(String, String)]) -> Result<Header, Error> {
        let field = |names: &[&str]| {
            let named = |(name, _): &&(String, String)| names.contains(&name.as_str());
            fields.iter().find(named).map(|(_, value)| value.as_str())
        };
        let needed = |name: &str| {
            let what = || format!("its header has no field `{name}`");
            field(&[name]).ok_or_else(|| wrong(path, what(), READABLE))
        };
        let other = |name: &str, value: &str, allowed: &str, remedy: &str| {
            Err(wrong(path, format!("`{name}: {value}` is not read, but {allowed}"), remedy))
        };
        let sizes = needed("sizes")?;
        let numbers: Option<Vec<usize>> = sizes.split_whitespace().map(|n| n.parse().ok()).collect();
        let size = match numbers.as_deref() {
            Some(&[x, y]) => [x, y, 1],
            Some(&[x, y, z]) => [x, y, z],
            _ => {
                return other(
                    "sizes",
                    sizes,
                    "two or three whole numbers",
                    "cut or convert it to labels in 2 or 3 dimensions",
                );
            }
        };
        let axes = sizes.split_whitespace().count();
        let is_other = |given: &&str| given.parse::<usize>().ok() != Some(axes);
        if let Some(dimension) = field(&["dimension"]).filter(is_other) {
            let allowed = format!("{axes}, as many as there are in `sizes: {sizes}`");
            return other("dimension", dimension, &allowed, "correct the header, or write the file again");
        }
        let kind = needed("type")?;
        let Some((bytes, signed)) = integer(kind) else {
            return other("type", kind, "integers of 8 to 64 bits", "convert it to labels, e.g. uint8");
        };
        let encoding = needed("encoding")?.to_lowercase();
        let gzip = match encoding.as_str() {
            "raw" => false,
            "gzip" | "gz" => true,
            _ => return other("encoding", &encoding, "raw and gzip", "write it with one of these"),
        };
        let endian = field(&["endian"]).unwrap_or("little").to_lowercase();
        let big_endian = match endian.as_str() {
            "little" => false,
            "big" => true,
            _ => return other("endian", &endian, "little and big", "write it with one of these"),
        };
        for skip in ["line skip", "lineskip", "byte skip", "byteskip"] {
            if let Some(value) = field(&[skip]).filter(|value| *value != "0") {
                return other(skip, value, "0", "write it without");
            }
        }
        let data = field(&["data file", "datafile"]).map(|name| beside(path, name)).transpose()?;
        Ok(Header { size, bytes, signed, big_endian, gzip, data })
    }
}

/// The file of that name in the same folder.
fn beside(path: &Path, name: &str) -> Result<PathBuf, Error> {
    let plain =
        Path::new(name).file_name().is_some_and(|file| file == name) && !name.contains(char::is_whitespace);
    if !plain {
        let what = format!("`data file: {name}` is not read, but one file in the same folder");
        return Err(wrong(path, what, "put header and labels in one file, or beside each other"));
    }
    Ok(path.with_file_name(name))
}

/// Bytes of an integer type, and whether it has a sign.
fn integer(name: &str) -> Option<(usize, bool)> {
    let (name, signed) = match name.trim() {
        "uchar" | "unsigned char" | "uint8" | "uint8_t" => ("8", false),
        "signed char" | "int8" | "int8_t" => ("8", true),
        "ushort" | "unsigned short" | "unsigned short int" | "uint16" | "uint16_t" => ("16", false),
        "short" | "short int" | "signed short" | "signed short int" | "int16" | "int16_t" => ("16", true),
        "uint" | "unsigned int" | "uint32" | "uint32_t" => ("32", false),
        "int" | "signed int" | "int32" | "int32_t" => ("32", true),
        "ulonglong" | "unsigned long long" | "unsigned long long int" | "uint64" | "uint64_t" => {
            ("64", false)
        }
        "longlong" | "long long" | "long long int" | "signed long long" | "int64" | "int64_t" => ("64", true),
        _ => return None,
    };
    Some((name.parse::<usize>().ok()? / 8, signed))
}

fn read_labels(path: &Path, header: &Header, nodes: usize, from: &mut impl Read) -> Result<Vec<u16>, Error> {
    let mut labels = Vec::new();
    if !header.gzip {
        labels.try_reserve_exact(nodes).map_err(|_| super::too_many(header.size))?;
    }
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::UnexpectedEof => misfit(path, header, nodes, "fewer"),
        ErrorKind::InvalidInput | ErrorKind::InvalidData => {
            wrong(path, format!("its labels cannot be unpacked ({error})"), "write the file again")
        }
        _ => Error::file("read", path, error, READABLE),
    };
    // What is packed may claim more than it holds: memory grows with what comes.
    let mut buffer = vec![0; header.bytes << 16];
    while labels.len() < nodes {
        let wanted = &mut buffer[..header.bytes * (nodes - labels.len()).min(1 << 16)];
        from.read_exact(wanted).map_err(failed)?;
        labels.try_reserve(wanted.len() / header.bytes).map_err(|_| super::too_many(header.size))?;
        for value in wanted.chunks_exact(header.bytes) {
            labels.push(label(path, header, value, labels.len())?);
        }
    }
    // Behind the last packed label stands a checksum, which is compared as the end is read.
    if from.read(&mut [0]).map_err(failed)? > 0 {
        return Err(misfit(path, header, nodes, "more"));
    }
    Ok(labels)
}

fn label(path: &Path, header: &Header, bytes: &[u8], node: usize) -> Result<u16, Error> {
    let order =
        |bytes: &mut dyn Iterator<Item = &u8>| bytes.fold(0u64, |value, &byte| value << 8 | u64::from(byte));
    let value = if header.big_endian { order(&mut bytes.iter()) } else { order(&mut bytes.iter().rev()) };
    let spare = 64 - 8 * header.bytes as u32;
    let value = if header.signed { i128::from((value << spare) as i64 >> spare) } else { i128::from(value) };
    u16::try_from(value).map_err(|_| {
        let what = format!("label {value} of voxel {node} is out of range: 0 (fluid) to 65535");
        wrong(path, what, "give each region a number in that range")
    })
}

/// A file of more or fewer labels than its header says.
fn misfit(path: &Path, header: &Header, nodes: usize, found: &str) -> Error {
    let size = shown(header.size);
    let what = format!(
        "its header says {size}, which are {nodes} labels of {} bytes, but it holds {found}",
        header.bytes
    );
    wrong(path, what, "give the whole file with its own header, or write it again")
}
