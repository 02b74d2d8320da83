//! An arithmetic type as a value.

use crate::lanes::Real;
use crate::links::half_way;

/// An arithmetic type as a value. Its numbers travel as f64, which holds them exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetics {
    /// 32 bits
    F32,
    /// 64 bits
    F64,
}

impl Arithmetics {
    /// That of a type.
    #[must_use]
    pub const fn of<T: Real>() -> Arithmetics {
        if size_of::<T>() == 8 { Arithmetics::F64 } else { Arithmetics::F32 }
    }

    /// Bytes of a number.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Arithmetics::F32 => 4,
            Arithmetics::F64 => 8,
        }
    }

    /// The distance from 1 to the next number.
    #[must_use]
    pub const fn epsilon(self) -> f64 {
        match self {
            Arithmetics::F32 => f32::EPSILON as f64,
            Arithmetics::F64 => f64::EPSILON,
        }
    }

    /// A number rounded to this type, to nearest even.
    #[must_use]
    pub fn round(self, x: f64) -> f64 {
        match self {
            Arithmetics::F32 => f64::from(x as f32),
            Arithmetics::F64 => x,
        }
    }

    /// a b + c in this type, rounded once.
    #[must_use]
    pub fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
        match self {
            Arithmetics::F32 => f64::from((a as f32).mul_add(b as f32, c as f32)),
            Arithmetics::F64 => a.mul_add(b, c),
        }
    }

    /// [`half_way`] in this type: a sum of two of its numbers has the same bits if it is rounded to 64 bits before.
    #[must_use]
    pub fn half_way(self, sent: f64, term: f64) -> f64 {
        self.round(half_way(sent, term))
    }

    /// The bits of a number, rounded to this type.
    #[must_use]
    pub fn bits(self, x: f64) -> u64 {
        match self {
            Arithmetics::F32 => u64::from((x as f32).to_bits()),
            Arithmetics::F64 => x.to_bits(),
        }
    }

    /// Numbers, rounded to this type, as they are in memory.
    #[must_use]
    pub fn in_memory(self, numbers: &[f64]) -> Vec<u8> {
        match self {
            Arithmetics::F32 => numbers.iter().flat_map(|&x| (x as f32).to_ne_bytes()).collect(),
            Arithmetics::F64 => numbers.iter().flat_map(|&x| x.to_ne_bytes()).collect(),
        }
    }

    /// The numbers whose bytes these are ([`in_memory`](Arithmetics::in_memory)).
    #[must_use]
    pub fn from_memory(self, bytes: &[u8]) -> Vec<f64> {
        match self {
            Arithmetics::F32 => {
                bytes.as_chunks().0.iter().map(|&x| f64::from(f32::from_ne_bytes(x))).collect()
            }
            Arithmetics::F64 => bytes.as_chunks().0.iter().map(|&x| f64::from_ne_bytes(x)).collect(),
        }
    }
}
