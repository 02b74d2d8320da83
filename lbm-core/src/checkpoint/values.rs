//! How values lie in a checkpoint.

use crate::precision::{F16In64, F32In64, Precision};

/// A type of numbers in the file, from the narrowest on. One that holds every value exactly is taken, so that a precision of one's own needs no
/// word of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Values {
    /// IEEE binary16, times 2^15 as [`F16In32`](crate::F16In32) and [`F16In64`] store it.
    F16,
    F32,
    F64,
}

impl Values {
    /// From the narrowest.
    pub(super) const ALL: [Values; 3] = [Values::F16, Values::F32, Values::F64];

    /// What stands in the header.
    pub(super) const NAMES: [&str; 3] = ["f16 times 2^15", "f32", "f64"];

    pub(super) fn name(self) -> &'static str {
        Values::NAMES[self as usize]
    }

    pub(super) fn named(name: &str) -> Option<Values> {
        Values::ALL.into_iter().find(|values| values.name() == name)
    }

    /// The narrowest type of at least so many bytes; the widest if there is none.
    pub(super) fn of_bytes(bytes: usize) -> Values {
        Values::ALL.into_iter().find(|values| values.bytes() >= bytes).unwrap_or(Values::F64)
    }

    /// The narrowest type from this one on that holds all of these without rounding.
    pub(super) fn widened_to(self, piece: &[f64]) -> Values {
        let holds_all = |values: &Values| match values {
            Values::F16 => piece.iter().all(|&value| holds::<F16In64>(value)),
            Values::F32 => piece.iter().all(|&value| holds::<F32In64>(value)),
            Values::F64 => true,
        };
        Values::ALL.into_iter().skip(self as usize).find(holds_all).unwrap_or(Values::F64)
    }

    pub(super) fn bytes(self) -> usize {
        match self {
            Values::F16 => size_of::<u16>(),
            Values::F32 => size_of::<f32>(),
            Values::F64 => size_of::<f64>(),
        }
    }

    pub(super) fn encode(self, values: &[f64], bytes: &mut Vec<u8>) {
        match self {
            Values::F16 => put(values, bytes, |value| F16In64::encode(value).to_le_bytes()),
            Values::F32 => put(values, bytes, |value| F32In64::encode(value).to_le_bytes()),
            Values::F64 => put(values, bytes, f64::to_le_bytes),
        }
    }

    pub(super) fn decode(self, bytes: &[u8], values: &mut Vec<f64>) {
        match self {
            Values::F16 => take(bytes, values, |value| F16In64::decode(u16::from_le_bytes(value))),
            Values::F32 => take(bytes, values, |value| F32In64::decode(f32::from_le_bytes(value))),
            Values::F64 => take(bytes, values, f64::from_le_bytes),
        }
    }
}

fn put<const N: usize>(values: &[f64], bytes: &mut Vec<u8>, encode: impl Fn(f64) -> [u8; N]) {
    values.iter().for_each(|&value| bytes.extend(encode(value)));
}

fn take<const N: usize>(bytes: &[u8], values: &mut Vec<f64>, decode: impl Fn([u8; N]) -> f64) {
    values.extend(bytes.as_chunks().0.iter().map(|&value| decode(value)));
}

/// Whether a storage type holds a value without rounding.
fn holds<P: Precision<Arithmetic = f64>>(value: f64) -> bool {
    value.is_nan() || P::decode(P::encode(value)) == value
}
