//! The form of an entry on disk: a line with a checksum, then the payload.
//!
//! A compiled kernel's payload is the length of the log on a line, the log, and then the cubin.

use std::str;

use sha2::{Digest, Sha256};

use super::hex;
use crate::nvrtc::Compiled;

/// Names the form; another one must have another number.
const MAGIC: &str = "lbm-cuda cache 1 ";

/// A payload with its checksum before it.
pub(super) fn seal(payload: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{MAGIC}{}\n", hex(&Sha256::digest(payload))).into_bytes();
    bytes.extend_from_slice(payload);
    bytes
}

/// The payload, if the checksum is its own.
pub(super) fn open(bytes: &[u8]) -> Option<&[u8]> {
    let (line, payload) = split_line(bytes)?;
    let checksum = line.strip_prefix(MAGIC)?;
    (hex(&Sha256::digest(payload)) == checksum).then_some(payload)
}

pub(super) fn encode(compiled: &Compiled) -> Vec<u8> {
    let mut payload = format!("{}\n{}", compiled.log.len(), compiled.log).into_bytes();
    payload.extend_from_slice(&compiled.cubin);
    seal(&payload)
}

/// None for an entry that is truncated, damaged or of another form.
pub(super) fn decode(bytes: &[u8]) -> Option<Compiled> {
    let (length, rest) = split_line(open(bytes)?)?;
    let (log, cubin) = rest.split_at_checked(length.parse().ok()?)?;
    let log = str::from_utf8(log).ok()?.to_owned();
    (!cubin.is_empty()).then(|| Compiled::new(cubin.to_vec(), log, true))
}

fn split_line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Compiled {
        let log =
            "ptxas info : häh\nptxas info : Compiling entry function 'step' for 'sm_90'\n 40 registers\n";
        Compiled::new(vec![0x7f, b'E', b'L', b'F', b'\n', 0, 255], log.into(), false)
    }

    #[test]
    fn an_entry_comes_back_whole() {
        let back = decode(&encode(&sample())).unwrap();
        assert_eq!(back.kernel("step").unwrap().registers, 40);
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
