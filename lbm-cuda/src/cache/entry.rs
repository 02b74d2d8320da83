//! The form of an entry on disk: a line with a checksum, then the payload.
//!
//! A compiled kernel's payload is text up to the machine code: the number of kernels, a line of numbers and the name
//! of each, the length of the log, the log, and then the cubin.

use std::fmt::Write;
use std::str;

use sha2::{Digest, Sha256};

use super::Hex;
use crate::nvrtc::Compiled;
use crate::resources::KernelResources;

/// Names the form; another one must have another number.
const MAGIC: &str = "lbm-cuda cache 1 ";

/// A payload with its checksum before it.
pub(super) fn seal(payload: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{MAGIC}{}\n", Hex(&Sha256::digest(payload))).into_bytes();
    bytes.extend_from_slice(payload);
    bytes
}

/// The payload, if the checksum is its own.
pub(super) fn open(bytes: &[u8]) -> Option<&[u8]> {
    let (line, payload) = split_line(bytes)?;
    let checksum = line.strip_prefix(MAGIC)?;
    (Hex(&Sha256::digest(payload)).to_string() == checksum).then_some(payload)
}

pub(super) fn encode(compiled: &Compiled) -> Vec<u8> {
    let mut text = format!("{}\n", compiled.kernels.len());
    for k in &compiled.kernels {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{} {} {} {} {} {} {}",
            k.registers,
            k.shared_bytes,
            k.local_bytes,
            k.spill_stores,
            k.spill_loads,
            k.constant_bytes,
            k.name
        );
    }
    let _ = writeln!(text, "{}", compiled.log.len());
    text.push_str(&compiled.log);
    let mut payload = text.into_bytes();
    payload.extend_from_slice(&compiled.cubin);
    seal(&payload)
}

/// None for an entry that is truncated, damaged or of another form.
pub(super) fn decode(bytes: &[u8]) -> Option<Compiled> {
    let (count, mut rest) = split_line(open(bytes)?)?;
    let mut kernels = Vec::new();
    for _ in 0..count.parse::<usize>().ok()? {
        let (line, behind) = split_line(rest)?;
        kernels.push(decode_kernel(line)?);
        rest = behind;
    }
    let (length, rest) = split_line(rest)?;
    let (log, cubin) = rest.split_at_checked(length.parse().ok()?)?;
    let log = str::from_utf8(log).ok()?.to_owned();
    (!cubin.is_empty()).then(|| Compiled { cubin: cubin.to_vec(), log, kernels, cached: true })
}

fn decode_kernel(line: &str) -> Option<KernelResources> {
    let mut words = line.splitn(7, ' ');
    let mut number = || words.next()?.parse::<u32>().ok();
    let mut kernel = KernelResources {
        registers: number()?,
        shared_bytes: number()?,
        local_bytes: number()?,
        spill_stores: number()?,
        spill_loads: number()?,
        constant_bytes: number()?,
        name: String::new(),
    };
    kernel.name = words.next()?.to_owned();
    Some(kernel)
}

fn split_line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Compiled {
        let kernel = |name: &str, registers| KernelResources {
            name: name.into(),
            registers,
            spill_loads: 7,
            ..KernelResources::default()
        };
        Compiled {
            cubin: vec![0x7f, b'E', b'L', b'F', b'\n', 0, 255],
            log: "ptxas info : häh\nsecond line\n".into(),
            kernels: vec![kernel("step", 40), kernel("_Z5other", 255)],
            cached: false,
        }
    }

    #[test]
    fn an_entry_comes_back_whole() {
        let back = decode(&encode(&sample())).unwrap();
        assert_eq!(back, Compiled { cached: true, ..sample() });
    }

    #[test]
    fn a_truncated_or_damaged_entry_is_none() {
        let bytes = encode(&sample());
        for length in 0..bytes.len() {
            assert_eq!(decode(&bytes[..length]), None, "truncated to {length}");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert_eq!(decode(&damaged), None, "byte {at} changed");
        }
    }
}
