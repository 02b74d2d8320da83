//! A pass that derives fields, of a single node.

use crate::collision::{Body, Site};
use crate::derived::NearRead;
use crate::lanes::Real;

/// A pass, from what comes to a node, its fields, what it reads at neighbours and the coefficients to what is derived.
pub(super) type Derives = fn(usize, &[f64], &[f64], &[f64], &[f64], &mut [f64]);

/// Numbers as those of the arithmetic type, which holds them exactly.
fn narrowed<T: Real>(numbers: &[f64]) -> Vec<T> {
    numbers.iter().map(|&x| T::from_f64(x)).collect()
}

/// A node that a pass derives fields of.
struct Deriving<'a, T> {
    before: &'a [T],
    fields: &'a [T],
    reads: &'a [NearRead],
    near: &'a [T],
    derived: &'a mut [f64],
}

impl<T: Real> Site<T> for Deriving<'_, T> {
    fn read(&self, i: usize) -> T {
        self.before[i]
    }

    fn write(&mut self, n: usize, value: T) {
        self.derived[n] = value.to_f64();
    }

    fn field(&self, n: usize) -> T {
        self.fields[n]
    }

    fn near(&self, field: usize, offset: [i32; 3]) -> T {
        let read = self.reads.iter().position(|read| (read.field, read.offset) == (field, offset));
        self.near[read.expect("a pass reads what it lists")]
    }
}

/// Runs a pass that derives fields of a node.
pub(super) fn derive_at_a_node<B: Body, T: Real>(
    pass: usize,
    before: &[f64],
    fields: &[f64],
    near: &[f64],
    uniforms: &[f64],
    derived: &mut [f64],
) {
    let mut k = B::filled(T::default());
    k.as_mut().iter_mut().zip(uniforms).for_each(|(k, &x)| *k = T::from_f64(x));
    let (before, fields, near) = (narrowed(before), narrowed(fields), narrowed(near));
    let reads = B::DERIVATIONS[pass].reads;
    B::derive(pass, &mut Deriving { before: &before, fields: &fields, reads, near: &near, derived }, &k);
}
