//! A pass that derives fields, of a single node.

use crate::collision::{Body, Site};
use crate::derived::NearRead;
use crate::lanes::Real;

/// A pass, from what comes to a node, its fields, what it reads at neighbours and the coefficients to what is derived.
pub(super) type Derives = fn(usize, &[f64], &[f64], &[f64], &[f64], &mut [f64]);

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
    T::narrow(uniforms, k.as_mut());
    let (before, fields, near) = (T::narrowed(before), T::narrowed(fields), T::narrowed(near));
    let reads = B::DERIVATIONS[pass].reads;
    B::derive(pass, &mut Deriving { before: &before, fields: &fields, reads, near: &near, derived }, &k);
}
