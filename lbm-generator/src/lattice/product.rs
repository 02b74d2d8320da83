//! Lattices that are products of lines: each velocity component is 0, 1 or -1, and with a velocity the lattice has those of which
//! components are 0 instead.
//!
//! On such a lattice a population is known by its place on a line along each axis, and a moment by an exponent of each velocity
//! component: 0, 1, 2 stand for the components 0, 1, -1. So there are as many moments as populations, and the way from one to the
//! other goes along one axis after the other.

use super::LatticeSpec;
use std::collections::HashMap;

/// The exponent that stands for a velocity component.
fn exponent(component: i32) -> Option<usize> {
    match component {
        0 => Some(0),
        1 => Some(1),
        -1 => Some(2),
        _ => None,
    }
}

impl LatticeSpec {
    /// The exponents of the velocity components in the moments that the populations carry, one for each direction; nothing where the
    /// lattice is no product of lines. Past the dimension they are 0.
    pub fn exponents(&self) -> Option<Vec<[usize; 3]>> {
        let all = self.velocities.iter().map(|c| Some([exponent(c[0])?, exponent(c[1])?, exponent(c[2])?]));
        let all: Vec<[usize; 3]> = all.collect::<Option<_>>()?;
        let has = |e: &[usize; 3]| all.contains(e);
        let is_full = |e: &[usize; 3]| {
            (0..self.dimension).filter(|&a| e[a] > 0).all(|a| {
                (0..3).all(|n| {
                    let mut other = *e;
                    other[a] = n;
                    has(&other)
                })
            })
        };
        all.iter().all(is_full).then_some(all)
    }

    /// A velocity of components 0, 1, -1, and one with another component along one axis that a product would have with it and this lattice lacks.
    pub fn lacks_for_product(&self) -> Option<[[i32; 3]; 2]> {
        let beside = |c: &[i32; 3]| {
            let changed = |(axis, component)| {
                let mut other = *c;
                other[axis] = component;
                other
            };
            let axes = (0..self.dimension).filter(|&axis| c[axis] != 0);
            let others: Vec<_> =
                axes.flat_map(|axis| [0, 1, -1].map(|component| (axis, component))).collect();
            others.into_iter().map(changed).find(|other| !self.velocities.contains(other))
        };
        let all = self.velocities.iter().filter(|c| c.iter().all(|component| component.abs() <= 1));
        all.filter_map(|c| Some([*c, beside(c)?])).next()
    }

    /// The lines along an axis: the positions of exponents 0, 1, 2 in a list that is ordered as `exponents`. What stands alone on
    /// its line is left out.
    pub fn lines(exponents: &[[usize; 3]], axis: usize) -> Vec<[usize; 3]> {
        let at: HashMap<[usize; 3], usize> = exponents.iter().enumerate().map(|(n, &e)| (e, n)).collect();
        let on_line = |first: &[usize; 3]| {
            let place = |n| {
                let mut e = *first;
                e[axis] = n;
                at.get(&e).copied()
            };
            Some([place(0)?, place(1)?, place(2)?])
        };
        exponents.iter().filter(|e| e[axis] == 0).filter_map(on_line).collect()
    }
}
