//! What is to be known of a precision without its type, and values on their way to memory and back.

use std::any::TypeId;

use super::Arithmetics;
use super::rounding::Rounding;
use crate::lanes::Real;
use crate::parallel::each_chunk;
use crate::precision::{Conversions, Precision};

/// A precision.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PrecisionFacts {
    /// Its name ([`Precision::NAME`]).
    pub name: &'static str,
    /// How it is declared, as of [`StreamingFacts::declared`](crate::facts::StreamingFacts::declared).
    pub declared: fn() -> String,
    /// Whether stored values are those of the arithmetic, of the same type ([`Precision::PLAIN`]).
    pub plain: bool,
    /// Bytes of a stored value.
    pub stored_bytes: usize,
    /// The conversions between storage and arithmetic as CUDA C++ ([`Precision::conversions`]).
    pub conversions: fn() -> Option<Conversions>,
    /// What values are multiplied by before they are stored ([`Precision::UNIT`]).
    pub stored_unit: f64,
    /// The arithmetic type.
    pub arithmetic: Arithmetics,
    /// A number of the arithmetic type as it comes back from memory.
    pub store: fn(f64) -> f64,
    pub(super) decode: unsafe fn(&[u8], &mut [f64]),
    pub(super) encode: fn(&[f64], &mut [u8]),
}

impl PrecisionFacts {
    /// Those of a precision.
    #[must_use]
    pub fn of<P: Precision>() -> PrecisionFacts {
        PrecisionFacts {
            name: P::NAME,
            declared: P::declared,
            plain: P::PLAIN && TypeId::of::<P::Storage>() == TypeId::of::<P::Arithmetic>(),
            stored_bytes: size_of::<P::Storage>(),
            conversions: P::conversions,
            stored_unit: P::UNIT,
            arithmetic: Arithmetics::of::<P::Arithmetic>(),
            store: |value| P::decode(P::encode(P::Arithmetic::from_f64(value))).to_f64(),
            decode: decode::<P>,
            encode: encode::<P>,
        }
    }

    /// How values are rounded when they are stored, found from the codes where there are 2^16.
    #[must_use]
    pub fn rounding(&self) -> Rounding {
        match self.stored_bytes {
            2 => Rounding::of_codes(|bytes, values| {
                // SAFETY: every pair of bytes is a code.
                unsafe { (self.decode)(bytes, values) };
            }),
            4 => Rounding {
                relative: f64::from(f32::EPSILON) / 2.0,
                absolute: 0.0,
                largest: f64::from(f32::MAX),
            },
            _ => Rounding { relative: f64::EPSILON / 2.0, absolute: 0.0, largest: f64::MAX },
        }
    }

    /// Values from the bytes in which they are stored, as many as there is room for, on all cores.
    ///
    /// # Safety
    /// The bytes are values of the storage type: what was [`encode`](PrecisionFacts::encode)d, or what a kernel has stored.
    pub unsafe fn decode(&self, bytes: &[u8], values: &mut [f64]) {
        let size = self.stored_bytes;
        assert_eq!(bytes.len(), size * values.len(), "the bytes of each value");
        each_chunk(values, AT_ONCE, |number, values| {
            // SAFETY: as the caller says.
            unsafe { (self.decode)(&bytes[number * AT_ONCE * size..], values) };
        });
    }

    /// The bytes in which values are stored, each rounded as a step rounds it, on all cores.
    pub fn encode(&self, values: &[f64], bytes: &mut [u8]) {
        let size = self.stored_bytes;
        assert_eq!(bytes.len(), size * values.len(), "the bytes of each value");
        each_chunk(bytes, AT_ONCE * size, |number, bytes| (self.encode)(&values[number * AT_ONCE..], bytes));
    }
}

/// Values that a core converts at a time: worth a thread.
const AT_ONCE: usize = 1 << 17;

/// See [`PrecisionFacts::decode`].
unsafe fn decode<P: Precision>(bytes: &[u8], values: &mut [f64]) {
    for (bytes, value) in bytes.chunks_exact(size_of::<P::Storage>()).zip(values) {
        // SAFETY: as many bytes as the type has, and a value of it, as the caller says.
        let stored = unsafe { bytes.as_ptr().cast::<P::Storage>().read_unaligned() };
        *value = P::decode(stored).to_f64();
    }
}

/// See [`PrecisionFacts::encode`].
fn encode<P: Precision>(values: &[f64], bytes: &mut [u8]) {
    for (&value, bytes) in values.iter().zip(bytes.chunks_exact_mut(size_of::<P::Storage>())) {
        let stored = P::encode(P::Arithmetic::from_f64(value));
        // SAFETY: there is room for as many bytes as the type has, which is a plain number.
        unsafe { bytes.as_mut_ptr().cast::<P::Storage>().write_unaligned(stored) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{F16In32, F16In64, F32, F32In64, F64};

    #[test]
    fn values_return_as_a_step_stores_them() {
        fn roundtrip<P: Precision>() {
            let facts = PrecisionFacts::of::<P>();
            let values: Vec<f64> = (0..2 * AT_ONCE + 5).map(|n| (n as f64 * 0.7).sin() * 1e-3).collect();
            let (mut bytes, mut back) = (vec![1; values.len() * facts.stored_bytes], vec![1.0; values.len()]);
            facts.encode(&values, &mut bytes);
            // SAFETY: they were encoded just now.
            unsafe { facts.decode(&bytes, &mut back) };
            assert!(
                back.iter().zip(&values).all(|(back, &value)| *back == (facts.store)(value)),
                "{}",
                P::NAME
            );
            facts.encode(&[0.0], &mut bytes[..facts.stored_bytes]);
            assert!(bytes[..facts.stored_bytes].iter().all(|&byte| byte == 0), "{}", P::NAME);
        }
        roundtrip::<F32>();
        roundtrip::<F64>();
        roundtrip::<F32In64>();
        roundtrip::<F16In32>();
        roundtrip::<F16In64>();
    }
}
