//! A state on disk: self-describing, versioned, checksummed, written whole or not at all.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 4 | format version, little endian |
//! | 4 | length of the header in bytes, little endian |
//! | header | lines `key = value`, UTF-8; `head -c 700 FILE` shows them |
//! | Q x nodes x 4 or 8 | the populations in their storage type, little endian |
//! | 4 | CRC-32 of all that stands before, little endian |
//!
//! Populations are shifted post-collision values f*_i - w_i, in the order x, y, z, direction (x fastest), without
//! padding: the canonical form of [`Engine`](crate::Engine), so that a state can be taken up again with another
//! layout, streaming pattern or backend. Bits are kept exactly.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use crate::error::Error;
use crate::file::write_atomically;

/// The first bytes of every checkpoint. Like PNG's they break when a transfer rewrites line ends or drops bit 7.
pub const MAGIC: [u8; 8] = *b"\x89LBM\r\n\x1a\n";

/// The version of the format that this build writes and reads.
pub const VERSION: u32 = 1;

/// What the header says of the payload.
const POPULATIONS: &str = "shifted post-collision f - w, order x,y,z,direction, little endian";

/// A header is a few hundred bytes; a longer one is damage.
const LONGEST_HEADER: u32 = 1 << 16;

/// Bytes of the payload that are converted at a time.
const CHUNK: usize = 1 << 16;

/// A state of a simulation and what is needed to take it up again.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The variant that wrote it, e.g. `d2q9-bgk-f64-soa-dense-two-lattice-pull`.
    pub variant: String,
    /// The lattice, e.g. `D2Q9`.
    pub lattice: String,
    /// Nodes along x, y, z.
    pub size: [usize; 3],
    /// The precision's name; the storage type is what stands before `in`: `f32` or `f64`.
    pub precision: String,
    /// Time steps done.
    pub step: u64,
    /// Names and values of the collision's parameters, lattice units.
    pub parameters: Vec<(String, f64)>,
    /// Shifted post-collision populations at index `x + nx (y + ny (z + nz i))`, each a value of the storage
    /// type.
    pub populations: Vec<f64>,
}

impl Checkpoint {
    /// Writes the state through a temporary file, so that an older checkpoint at `path` is replaced by a whole
    /// one or not at all.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be written; [`Error::Conflict`] if the populations do not fit the size
    /// or are not values of the storage type, or a name cannot stand in a header line.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let storage = Storage::of(&self.precision).ok_or_else(|| Error::Conflict {
            what: format!("no checkpoint is defined for the precision `{}`", self.precision),
            remedy: "store f32 or f64".to_owned(),
        })?;
        let header = self.header()?;
        if let Some((index, value)) =
            self.populations.iter().copied().enumerate().find(|&(_, value)| !storage.holds(value))
        {
            return Err(Error::Conflict {
                what: format!("population {index} = {value:e} is not a {} value", self.precision),
                remedy: "give the populations as the engine returned them".to_owned(),
            });
        }
        write_atomically(path, |file| {
            let mut file = Summing { inner: file, hasher: crc32fast::Hasher::new() };
            file.write_all(&MAGIC)?;
            file.write_all(&VERSION.to_le_bytes())?;
            file.write_all(&(header.len() as u32).to_le_bytes())?;
            file.write_all(header.as_bytes())?;
            let mut bytes = Vec::with_capacity(CHUNK);
            for values in self.populations.chunks(CHUNK / 8) {
                bytes.clear();
                storage.encode(values, &mut bytes);
                file.write_all(&bytes)?;
            }
            let sum = file.hasher.clone().finalize();
            file.inner.write_all(&sum.to_le_bytes())
        })
    }

    /// Reads a state.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be read; [`Error::Format`] if it is not a checkpoint, of another
    /// version, truncated or damaged.
    pub fn read(path: &Path) -> Result<Checkpoint, Error> {
        let unreadable = |source| Error::File {
            action: "read",
            path: path.to_owned(),
            source,
            remedy: "check the path and its permissions".to_owned(),
        };
        let file = File::open(path).map_err(unreadable)?;
        let found = file.metadata().map_err(unreadable)?.len();
        match parse(BufReader::with_capacity(CHUNK, file), found) {
            Ok(checkpoint) => Ok(checkpoint),
            Err(Refusal::System(source)) => Err(unreadable(source)),
            Err(Refusal::Format(what, remedy)) => {
                Err(Error::Format { path: path.to_owned(), what, remedy: remedy.to_owned() })
            }
        }
    }

    /// Checks that the state read from `path` belongs to a simulation of this lattice, size and precision. The
    /// rest of the variant may differ: populations are stored in a form that all layouts and schemes share.
    ///
    /// # Errors
    /// [`Error::Format`] that names both the file's and the simulation's value.
    pub fn check_fits(
        &self,
        path: &Path,
        lattice: &str,
        size: [usize; 3],
        precision: &str,
    ) -> Result<(), Error> {
        let differ = |what: &str, theirs: String, ours: String| Error::Format {
            path: path.to_owned(),
            what: format!("the checkpoint has {what} {theirs}, the simulation {ours}"),
            remedy: format!("build the simulation with the checkpoint's {what}, or start from step 0"),
        };
        if self.lattice != lattice {
            return Err(differ("lattice", self.lattice.clone(), lattice.to_owned()));
        }
        if self.size != size {
            return Err(differ("size", by(self.size), by(size)));
        }
        if self.precision != precision {
            return Err(differ("precision", self.precision.clone(), precision.to_owned()));
        }
        Ok(())
    }

    fn header(&self) -> Result<String, Error> {
        let nodes: usize = self.size.iter().product();
        if nodes == 0 || !self.populations.len().is_multiple_of(nodes) || self.populations.is_empty() {
            return Err(Error::Conflict {
                what: format!(
                    "{} populations are no whole number a node of {}",
                    self.populations.len(),
                    by(self.size)
                ),
                remedy: "give Q values for every node of the box".to_owned(),
            });
        }
        let names = self.parameters.iter().map(|(name, _)| name);
        for name in names.chain([&self.variant, &self.lattice]) {
            if name.is_empty() || name.contains(['\n', '\r', '=']) || name.trim() != name {
                return Err(Error::Conflict {
                    what: format!("the name {name:?} cannot stand in a checkpoint's header"),
                    remedy: "take one without line breaks, `=` and outer blanks".to_owned(),
                });
            }
        }
        let mut header = format!(
            "variant = {}\nlattice = {}\nsize = {}\ndirections = {}\nprecision = {}\npopulations = {POPULATIONS}\n\
             step = {}\n",
            self.variant,
            self.lattice,
            by(self.size),
            self.populations.len() / nodes,
            self.precision,
            self.step
        );
        for (name, value) in &self.parameters {
            header += &format!("parameter {name} = {:#018x} ({value:e})\n", value.to_bits());
        }
        if header.len() > LONGEST_HEADER as usize {
            return Err(Error::Conflict {
                what: format!("the header would have {} bytes, more than {LONGEST_HEADER}", header.len()),
                remedy: "take fewer parameters or shorter names".to_owned(),
            });
        }
        Ok(header)
    }
}

/// Why a file was refused; [`Checkpoint::read`] adds the path.
enum Refusal {
    System(io::Error),
    Format(String, &'static str),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::System(error)
    }
}

const DAMAGED: &str = "copy it again from where it was written, or take an earlier checkpoint";

/// Reads a checkpoint from a stream that holds `found` bytes. Nothing is allocated by the word of the header
/// before the file is known to be as long as the header says.
fn parse(file: impl Read, found: u64) -> Result<Checkpoint, Refusal> {
    let mut file = Summing { inner: file, hasher: crc32fast::Hasher::new() };
    let start = MAGIC.len() as u64 + 8;
    let mut magic = [0; MAGIC.len()];
    let shown = found.min(MAGIC.len() as u64) as usize;
    file.read_exact(&mut magic[..shown])?;
    if magic[..shown] != MAGIC[..shown] || shown == 0 {
        return Err(Refusal::Format(
            format!("not a checkpoint: it begins with {:02x?}, not {MAGIC:02x?}", &magic[..shown]),
            "give a file that `checkpoint` wrote",
        ));
    }
    if found < start {
        return Err(truncated(start, found, "at least "));
    }
    let version = file.read_u32()?;
    if version != VERSION {
        return Err(Refusal::Format(
            format!("checkpoint of format version {version}, this build reads version {VERSION}"),
            "take the release of lbm that wrote it",
        ));
    }
    let length = file.read_u32()?;
    if length > LONGEST_HEADER {
        let what = format!("damaged: its header claims {length} bytes, the longest has {LONGEST_HEADER}");
        return Err(Refusal::Format(what, DAMAGED));
    }
    let payload_start = start + u64::from(length);
    if found < payload_start {
        return Err(truncated(payload_start, found, "at least "));
    }
    let mut text = vec![0; length as usize];
    file.read_exact(&mut text)?;
    let text = String::from_utf8(text)
        .map_err(|_| Refusal::Format("damaged: its header is not UTF-8".to_owned(), DAMAGED))?;
    let (mut checkpoint, storage, values) = parse_header(&text)?;

    let expected = u128::from(payload_start) + values * storage.bytes() as u128 + 4;
    if u128::from(found) < expected {
        return Err(truncated(expected, found, ""));
    }
    if u128::from(found) > expected {
        let what = format!("damaged: {expected} bytes were expected by its header and {found} found");
        return Err(Refusal::Format(what, DAMAGED));
    }
    let values = values as usize;
    checkpoint.populations = Vec::with_capacity(values);
    let mut bytes = vec![0; CHUNK];
    while checkpoint.populations.len() < values {
        let now = (values - checkpoint.populations.len()).min(CHUNK / storage.bytes());
        let bytes = &mut bytes[..now * storage.bytes()];
        file.read_exact(bytes)?;
        storage.decode(bytes, &mut checkpoint.populations);
    }
    let computed = file.hasher.clone().finalize();
    let stored = file.read_u32()?;
    if computed != stored {
        return Err(Refusal::Format(
            format!("damaged: its checksum is {stored:08x}, its content's {computed:08x}"),
            DAMAGED,
        ));
    }
    Ok(checkpoint)
}

fn truncated(expected: impl Into<u128>, found: u64, at_least: &str) -> Refusal {
    let what = format!("truncated: {at_least}{} bytes were expected and {found} found", expected.into());
    Refusal::Format(what, DAMAGED)
}

/// The checkpoint without its populations, their storage type and how many there are.
fn parse_header(text: &str) -> Result<(Checkpoint, Storage, u128), Refusal> {
    let mut lines = text.lines().enumerate();
    let mut next = |key: &'static str| {
        let (number, line) = lines.next().unwrap_or((0, ""));
        match line.split_once(" = ") {
            Some((found, value)) if found == key => Ok((number + 1, value)),
            _ => Err(bad_line(number + 1, &format!("`{key} = ...`"))),
        }
    };
    let variant = next("variant")?.1.to_owned();
    let lattice = next("lattice")?.1.to_owned();
    let (line, value) = next("size")?;
    let size: Vec<usize> = value.split(" x ").filter_map(|n| n.parse().ok()).filter(|&n| n > 0).collect();
    let size: [usize; 3] = size.try_into().map_err(|_| bad_line(line, "three positive sizes"))?;
    let (line, value) = next("directions")?;
    let directions: u64 = value.parse().map_err(|_| bad_line(line, "a number of directions"))?;
    let (line, precision) = next("precision")?;
    let storage = Storage::of(precision).ok_or_else(|| bad_line(line, "f32 or f64 storage"))?;
    let (line, value) = next("populations")?;
    if value != POPULATIONS {
        return Err(bad_line(line, &format!("`{POPULATIONS}`")));
    }
    let (line, value) = next("step")?;
    let step = value.parse().map_err(|_| bad_line(line, "a number of steps"))?;
    let parameters =
        lines.map(|(number, line)| parse_parameter(line).ok_or_else(|| bad_line(number + 1, "a parameter")));
    let parameters = parameters.collect::<Result<_, _>>()?;

    let values = size
        .iter()
        .map(|&n| n as u128)
        .try_fold(u128::from(directions), u128::checked_mul)
        .filter(|&values| values <= u128::from(u64::MAX) / 16)
        .ok_or_else(|| bad_line(3, "a size that fits into memory"))?;
    let precision = precision.to_owned();
    let checkpoint =
        Checkpoint { variant, lattice, size, precision, step, parameters, populations: Vec::new() };
    Ok((checkpoint, storage, values))
}

fn bad_line(number: usize, expected: &str) -> Refusal {
    Refusal::Format(format!("damaged: line {number} of its header should hold {expected}"), DAMAGED)
}

/// A line `parameter NAME = 0xBITS (decimal)`; the bits count.
fn parse_parameter(line: &str) -> Option<(String, f64)> {
    let (name, value) = line.strip_prefix("parameter ")?.split_once(" = 0x")?;
    let bits = u64::from_str_radix(value.split(' ').next()?, 16).ok()?;
    Some((name.to_owned(), f64::from_bits(bits)))
}

fn by(size: [usize; 3]) -> String {
    format!("{} x {} x {}", size[0], size[1], size[2])
}

/// How a population lies in the file.
#[derive(Clone, Copy)]
enum Storage {
    F32,
    F64,
}

impl Storage {
    /// The storage type of a precision's name: `f32`, or the `f32` of `f32in64`.
    fn of(precision: &str) -> Option<Storage> {
        match precision.split("in").next() {
            Some("f32") => Some(Storage::F32),
            Some("f64") => Some(Storage::F64),
            _ => None,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Storage::F32 => 4,
            Storage::F64 => 8,
        }
    }

    /// Whether the type holds the value without rounding.
    fn holds(self, value: f64) -> bool {
        match self {
            Storage::F32 => value.is_nan() || f64::from(value as f32) == value,
            Storage::F64 => true,
        }
    }

    fn encode(self, values: &[f64], bytes: &mut Vec<u8>) {
        match self {
            Storage::F32 => values.iter().for_each(|&value| bytes.extend((value as f32).to_le_bytes())),
            Storage::F64 => values.iter().for_each(|&value| bytes.extend(value.to_le_bytes())),
        }
    }

    fn decode(self, bytes: &[u8], values: &mut Vec<f64>) {
        match self {
            Storage::F32 => {
                values.extend(bytes.as_chunks().0.iter().map(|&b| f64::from(f32::from_le_bytes(b))))
            }
            Storage::F64 => values.extend(bytes.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b))),
        }
    }
}

/// A stream that sums what passes.
struct Summing<S> {
    inner: S,
    hasher: crc32fast::Hasher,
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Summing<R> {
    fn read_exact(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.hasher.update(bytes);
        Ok(())
    }

    fn read_u32(&mut self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;

    fn state(precision: &str) -> Checkpoint {
        let values = (0..5 * 4 * 9).map(|i| (f64::from(i) * 0.7).sin() * 1e-3);
        let values = values.map(|v| if precision == "f32" { f64::from(v as f32) } else { v });
        Checkpoint {
            variant: format!("d2q9-bgk-{precision}-soa-dense-two-lattice-pull"),
            lattice: "D2Q9".to_owned(),
            size: [5, 4, 1],
            precision: precision.to_owned(),
            step: 12_345_678_901,
            parameters: vec![("viscosity".to_owned(), 0.1), ("magic".to_owned(), 3.0 / 16.0)],
            populations: values.collect(),
        }
    }

    fn written(checkpoint: &Checkpoint) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.lbm");
        checkpoint.write(&path).unwrap();
        (folder, path)
    }

    /// Why bytes in memory are refused; thousands of damaged files need not go to the disk.
    fn refused_in_memory(bytes: &[u8]) -> String {
        match parse(bytes, bytes.len() as u64) {
            Err(Refusal::Format(what, _)) => what,
            Err(Refusal::System(error)) => panic!("not refused as a format error: {error}"),
            Ok(_) => panic!("not refused"),
        }
    }

    fn refusal(bytes: &[u8], path: &Path) -> String {
        fs::write(path, bytes).unwrap();
        match Checkpoint::read(path) {
            Err(error @ Error::Format { .. }) => error.to_string(),
            other => panic!("not refused as a format error: {other:?}"),
        }
    }

    #[test]
    fn a_state_comes_back_bit_for_bit() {
        for precision in ["f32", "f64", "f32in64"] {
            let mut state = state(if precision == "f64" { "f64" } else { "f32" });
            state.precision = precision.to_owned();
            state.populations[3] = -0.0;
            state.populations[4] = f64::from(f32::from_bits(1));
            state.populations[5] = f64::INFINITY;
            state.parameters.push(("odd".to_owned(), f64::from_bits(0x3ff0_0000_0000_0001)));
            let (_folder, path) = written(&state);
            let back = Checkpoint::read(&path).unwrap();
            assert_eq!(back, state);
            assert!(back.populations[3].is_sign_negative());
        }
    }

    #[test]
    fn a_payload_of_many_chunks_comes_back() {
        let mut state = state("f32");
        state.size = [50, 41, 13];
        state.populations = (0..50 * 41 * 13 * 19).map(f64::from).collect();
        let (_folder, path) = written(&state);
        assert_eq!(Checkpoint::read(&path).unwrap(), state);
    }

    #[test]
    fn the_header_can_be_read_by_a_person() {
        let (_folder, path) = written(&state("f64"));
        let bytes = fs::read(path).unwrap();
        let text = String::from_utf8_lossy(&bytes[16..16 + bytes[12] as usize + 256 * bytes[13] as usize]);
        let expected = "variant = d2q9-bgk-f64-soa-dense-two-lattice-pull\nlattice = D2Q9\nsize = 5 x 4 x 1\n\
            directions = 9\nprecision = f64\n\
            populations = shifted post-collision f - w, order x,y,z,direction, little endian\n\
            step = 12345678901\nparameter viscosity = 0x3fb999999999999a (1e-1)\n\
            parameter magic = 0x3fc8000000000000 (1.875e-1)\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn every_flipped_bit_is_refused() {
        let (_folder, path) = written(&state("f32"));
        let good = fs::read(&path).unwrap();
        for at in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                refused_in_memory(&bad);
            }
        }
    }

    #[test]
    fn every_truncation_and_any_tail_is_refused() {
        let (_folder, path) = written(&state("f64"));
        let good = fs::read(&path).unwrap();
        for length in 1..good.len() {
            let message = refused_in_memory(&good[..length]);
            assert!(
                message.contains("truncated") && message.contains(&format!("{length} found")),
                "{message}"
            );
        }
        assert!(refusal(&good[..200], &path).contains("truncated"));
        assert!(refusal(&[], &path).contains("not a checkpoint"));
        let message = refusal(&[good.as_slice(), b"x"].concat(), &path);
        assert!(message.contains(&format!("{} found", good.len() + 1)), "{message}");
    }

    #[test]
    fn foreign_files_and_other_versions_are_named() {
        let (_folder, path) = written(&state("f64"));
        assert!(refusal(b"\x89PNG\r\n\x1a\n and a picture", &path).contains("not a checkpoint"));
        state("f64").write(&path).unwrap();
        let mut other = fs::read(&path).unwrap();
        other[8] = 2;
        let message = refusal(&other, &path);
        assert!(message.contains("version 2") && message.contains("reads version 1"), "{message}");
    }

    #[test]
    fn an_absurd_header_does_not_allocate() {
        let header = "variant = v\nlattice = D2Q9\nsize = 4000000000 x 4000000000 x 4000000000\ndirections = 9\n\
            precision = f64\npopulations = shifted post-collision f - w, order x,y,z,direction, little endian\n\
            step = 0\n";
        let folder = tempfile::tempdir().unwrap();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(1u32.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header.as_bytes());
        let message = refusal(&bytes, &folder.path().join("absurd"));
        assert!(message.contains("line 3"), "{message}");
    }

    #[test]
    fn another_lattice_size_or_precision_is_named_with_both_values() {
        let state = state("f64");
        let path = Path::new("state.lbm");
        let fits = |lattice, size, precision| state.check_fits(path, lattice, size, precision);
        fits("D2Q9", [5, 4, 1], "f64").unwrap();
        let message = fits("D2Q5", [5, 4, 1], "f64").unwrap_err().to_string();
        assert!(message.contains("lattice D2Q9, the simulation D2Q5"), "{message}");
        let message = fits("D2Q9", [4, 5, 1], "f64").unwrap_err().to_string();
        assert!(message.contains("size 5 x 4 x 1, the simulation 4 x 5 x 1"), "{message}");
        let message = fits("D2Q9", [5, 4, 1], "f32").unwrap_err().to_string();
        assert!(message.contains("precision f64, the simulation f32"), "{message}");
    }

    #[test]
    fn what_cannot_be_stored_is_refused_and_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.lbm");
        let good = state("f32");
        let refused = |bad: Checkpoint| bad.write(&path).unwrap_err().to_string();
        let mut populations = good.populations.clone();
        populations[7] = 0.1;
        let message = refused(Checkpoint { populations, ..good.clone() });
        assert!(message.contains("population 7") && message.contains("f32"), "{message}");
        assert!(refused(Checkpoint { size: [7, 4, 1], ..good.clone() }).contains("7 x 4 x 1"));
        assert!(refused(Checkpoint { precision: "f16".to_owned(), ..good.clone() }).contains("`f16`"));
        assert!(refused(Checkpoint { variant: "a\nb".to_owned(), ..good }).contains("a\\nb"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_missing_file_is_a_file_error() {
        assert!(matches!(
            Checkpoint::read(Path::new("no/such/state.lbm")),
            Err(Error::File { action: "read", .. })
        ));
    }
}
