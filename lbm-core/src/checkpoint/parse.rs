//! Reading a checkpoint, from any bytes.

use std::io::{self, Read};

use super::sums::Summing;
use super::values::Values;
use super::{
    Checkpoint, Holds, LONGEST_HEADER, MAGIC, MOMENTS, MOMENTS_ABOUT_VELOCITY, POPULATIONS, VERSION, checked,
    chunks,
};

/// Why a file was refused; [`Checkpoint::read`] adds the path.
pub(super) enum Refusal {
    System(io::Error),
    Format(String, &'static str),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::System(error)
    }
}

pub(super) const DAMAGED: &str = "copy it again from where it was written, or take an earlier checkpoint";

/// What was found in a file.
pub(super) struct Parsed {
    /// The header; without values.
    pub(super) checkpoint: Checkpoint,
    /// Where the values begin.
    pub(super) start: u64,
    /// How they lie.
    pub(super) values: Values,
    /// The sum at its end.
    pub(super) sum: u32,
}

/// Reads a checkpoint from a stream that holds `found` bytes. Nothing is allocated by the word of the header
/// before the file is known to be as long as the header says. Bytes of the values go to `take`.
pub(super) fn parse(
    file: impl Read,
    found: u64,
    take: &mut dyn FnMut(Values, &[u8]),
) -> Result<Parsed, Refusal> {
    let mut file = Summing::new(file);
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
    if !(1..=VERSION).contains(&version) {
        return Err(Refusal::Format(
            format!("checkpoint of format version {version}, this build reads versions 1 to {VERSION}"),
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
    let Header { mut checkpoint, values: lie, count: values, memory } = parse_header(&text, version)?;

    let payload = values * lie.bytes() as u128 + u128::from(memory) * 8;
    let is_in_chunks = version >= 6;
    let sums =
        u64::try_from(payload).map_or(u64::MAX, |bytes| if is_in_chunks { chunks::count(bytes) } else { 0 });
    let expected = u128::from(payload_start) + payload + 4 * u128::from(sums) + 4;
    if u128::from(found) < expected {
        return Err(truncated(expected, found, ""));
    }
    if u128::from(found) > expected {
        let what = format!("damaged: {expected} bytes were expected by its header and {found} found");
        return Err(Refusal::Format(what, DAMAGED));
    }
    let read = if is_in_chunks { checked::in_chunks } else { checked::whole };
    checkpoint.memory = read(&mut file, lie, values as usize, memory, take)?;
    let computed = file.sum();
    let stored = file.read_u32()?;
    if computed != stored {
        return Err(Refusal::Format(
            format!("damaged: its checksum is {stored:08x}, its content's {computed:08x}"),
            DAMAGED,
        ));
    }
    Ok(Parsed { checkpoint, start: payload_start, values: lie, sum: stored })
}

fn truncated(expected: impl Into<u128>, found: u64, at_least: &str) -> Refusal {
    let what = format!("truncated: {at_least}{} bytes were expected and {found} found", expected.into());
    Refusal::Format(what, DAMAGED)
}

/// What a header says.
struct Header {
    /// Without values and memory.
    checkpoint: Checkpoint,
    /// How values lie.
    values: Values,
    /// How many there are.
    count: u128,
    /// How many numbers rules remember.
    memory: u64,
}

fn parse_header(text: &str, version: u32) -> Result<Header, Refusal> {
    let mut lines = text.lines().enumerate();
    let mut next = |key| parse_line(&mut lines, key);
    let variant = next("variant")?.1.to_owned();
    let lattice = next("lattice")?.1;
    let (line, value) = next("size")?;
    let size: Vec<usize> = value.split(" x ").filter_map(|n| n.parse().ok()).filter(|&n| n > 0).collect();
    let size: [usize; 3] = size.try_into().map_err(|_| bad_line(line, "three positive sizes"))?;
    let (line, value) = next("directions")?;
    let directions: usize = value.parse().map_err(|_| bad_line(line, "a number of directions"))?;
    let (line, precision) = next("precision")?;
    // In version 1 the storage type is what stands before `in`.
    let (line, name) = match version {
        1 => (line, precision.split("in").next().unwrap_or_default()),
        _ => next("values")?,
    };
    let lie = Values::named(name).ok_or_else(|| bad_line(line, &Values::NAMES.join(" or ")))?;
    let (line, found) = lines.next().map_or((0, ""), |(number, line)| (number + 1, line));
    let holds = parse_holds(found, version).ok_or_else(|| {
        bad_line(line, &format!("`populations = {POPULATIONS}`, or `moments = ` and their number"))
    })?;
    let (line, value) = parse_line(&mut lines, "step")?;
    let step = value.parse().map_err(|_| bad_line(line, "a number of steps"))?;
    let fields = if version >= 4 { parse_line(&mut lines, "fields")?.1 } else { "" };
    let fields = fields.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let memory = match version {
        5.. => {
            let (line, value) = parse_line(&mut lines, "memory")?;
            value.parse().map_err(|_| bad_line(line, "how many numbers rules remember"))?
        }
        _ => 0,
    };
    let parameters =
        lines.map(|(number, line)| parse_parameter(line).ok_or_else(|| bad_line(number + 1, "a parameter")));
    let parameters = parameters.collect::<Result<_, _>>()?;

    let mut checkpoint = Checkpoint::new(lattice, directions, size, precision, holds);
    checkpoint.variant = variant;
    (checkpoint.step, checkpoint.parameters, checkpoint.fields) = (step, parameters, fields);
    let count = size
        .iter()
        .map(|&n| n as u128)
        .try_fold(checkpoint.values_a_node() as u128, u128::checked_mul)
        .filter(|&values| values <= u128::from(u64::MAX) / 16)
        .ok_or_else(|| bad_line(3, "a size that fits into memory"))?;
    Ok(Header { checkpoint, values: lie, count, memory })
}

/// The value of the next line, which must have this key, with its number.
fn parse_line<'a>(
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
    key: &str,
) -> Result<(usize, &'a str), Refusal> {
    let (number, line) = lines.next().unwrap_or((0, ""));
    match line.split_once(" = ") {
        Some((found, value)) if found == key => Ok((number + 1, value)),
        _ => Err(bad_line(number + 1, &format!("`{key} = ...`"))),
    }
}

/// The line that says what a node has: `populations = ` or, since version 3, `moments = ` with their number.
fn parse_holds(line: &str, version: u32) -> Option<Holds> {
    match line.split_once(" = ")? {
        ("populations", POPULATIONS) => Some(Holds::Populations),
        ("moments", value) if version >= 3 => {
            let (count, what) = value.split_once(' ')?;
            let count = count.parse().ok().filter(|&count| count > 0)?;
            match what {
                MOMENTS => Some(Holds::Moments(count)),
                MOMENTS_ABOUT_VELOCITY => Some(Holds::MomentsAboutVelocity(count)),
                _ => None,
            }
        }
        _ => None,
    }
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
