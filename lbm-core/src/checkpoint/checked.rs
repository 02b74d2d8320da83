//! The payload of a file, compared with its checksums while it passes.

use std::io::Read;

use super::parse::{DAMAGED, Refusal};
use super::sums::Summing;
use super::values::Values;
use super::{AT_ONCE, CHUNK};

/// Reads so many values, which go to `take`, and then so many numbers, which it gives; one sum of all stands behind.
pub(super) fn whole(
    file: &mut Summing<impl Read>,
    lie: Values,
    values: usize,
    memory: u64,
    take: &mut dyn FnMut(Values, &[u8]),
) -> Result<Vec<f64>, Refusal> {
    read(lie, values, memory, take, &mut |bytes| Ok(file.read_exact(bytes)?))
}

/// The same of a file with a sum of each chunk, which stand behind.
pub(super) fn in_chunks(
    file: &mut Summing<impl Read>,
    lie: Values,
    values: usize,
    memory: u64,
    take: &mut dyn FnMut(Values, &[u8]),
) -> Result<Vec<f64>, Refusal> {
    let (mut sums, mut hasher, mut at) = (Vec::new(), crc32fast::Hasher::new(), 0);
    let numbers = read(lie, values, memory, take, &mut |bytes| {
        file.read_apart(bytes)?;
        let mut rest = &*bytes;
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(rest.len().min((CHUNK - at % CHUNK) as usize));
            hasher.update(piece);
            (at, rest) = (at + piece.len() as u64, behind);
            if at % CHUNK == 0 {
                sums.push(std::mem::take(&mut hasher).finalize());
            }
        }
        Ok(())
    })?;
    if at % CHUNK > 0 {
        sums.push(hasher.finalize());
    }
    for (chunk, computed) in sums.into_iter().enumerate() {
        let stored = file.read_u32()?;
        if computed != stored {
            let what = format!(
                "damaged: the checksum of chunk {chunk} of its values is {stored:08x}, its content's {computed:08x}"
            );
            return Err(Refusal::Format(what, DAMAGED));
        }
    }
    Ok(numbers)
}

/// Has `fill` read values, a few at a time, and then numbers.
fn read(
    lie: Values,
    values: usize,
    memory: u64,
    take: &mut dyn FnMut(Values, &[u8]),
    fill: &mut dyn FnMut(&mut [u8]) -> Result<(), Refusal>,
) -> Result<Vec<f64>, Refusal> {
    let mut bytes = vec![0; AT_ONCE];
    for done in (0..values).step_by(AT_ONCE / lie.bytes()) {
        let bytes = &mut bytes[..(values - done).min(AT_ONCE / lie.bytes()) * lie.bytes()];
        fill(bytes)?;
        take(lie, bytes);
    }
    let mut numbers = Vec::new();
    for _ in 0..memory {
        let mut number = [0; 8];
        fill(&mut number)?;
        numbers.push(f64::from_le_bytes(number));
    }
    Ok(numbers)
}
