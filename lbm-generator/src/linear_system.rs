//! Linear equations over exact numbers.

use super::rational::{Rational, inverse};
use num_traits::Zero;

/// Equations in reduced row echelon form.
pub(super) struct LinearSystem {
    unknowns: usize,
    /// Where each has its leading 1, and its numbers, the right side last.
    rows: Vec<(usize, Vec<Rational>)>,
}

impl LinearSystem {
    /// No equations yet.
    pub(super) fn new(unknowns: usize) -> Self {
        LinearSystem { unknowns, rows: Vec::new() }
    }

    /// Adds `row . unknowns = right`; an error, and nothing changed, if it contradicts the others.
    pub(super) fn add(&mut self, mut row: Vec<Rational>, right: Rational) -> Result<(), ()> {
        row.push(right);
        for (pivot, other) in &self.rows {
            cancel(&mut row, *pivot, other);
        }
        let Some(pivot) = row.iter().position(|a| !a.is_zero()) else {
            return Ok(());
        };
        if pivot == self.unknowns {
            return Err(());
        }
        let scale = inverse(&row[pivot]);
        row.iter_mut().for_each(|a| *a *= &scale);
        for (_, other) in &mut self.rows {
            cancel(other, pivot, &row);
        }
        self.rows.push((pivot, row));
        Ok(())
    }

    /// The last unknown that no equation leads to.
    pub(super) fn free_column(&self) -> Option<usize> {
        (0..self.unknowns).rev().find(|column| !self.rows.iter().any(|(pivot, ..)| pivot == column))
    }

    /// The unknowns; every column must have its pivot.
    pub(super) fn solution(&self) -> Vec<Rational> {
        let mut solution = vec![Rational::zero(); self.unknowns];
        for (pivot, row) in &self.rows {
            solution[*pivot] = row[self.unknowns].clone();
        }
        solution
    }
}

/// Takes away as much of another row, which leads there with 1, that nothing is left in this column.
fn cancel(row: &mut [Rational], column: usize, other: &[Rational]) {
    let factor = row[column].clone();
    if !factor.is_zero() {
        row.iter_mut().zip(other).for_each(|(a, b)| *a -= &factor * b);
    }
}

#[cfg(test)]
mod tests {
    use super::super::rational::whole;
    use super::*;

    #[test]
    fn a_linear_system_says_what_is_free_and_what_contradicts() {
        let row = |a: [i64; 3]| a.map(whole).to_vec();
        let mut system = LinearSystem::new(3);
        assert_eq!(system.add(row([1, 1, 1]), whole(6)), Ok(()));
        assert_eq!(system.add(row([0, 2, 1]), whole(7)), Ok(()));
        assert_eq!(system.add(row([2, 4, 3]), whole(19)), Ok(()), "a combination of the first two");
        assert_eq!(system.free_column(), Some(2));
        assert_eq!(system.add(row([1, 3, 2]), whole(12)), Err(()));
        assert_eq!(system.add(row([0, 0, 1]), whole(3)), Ok(()));
        assert_eq!(system.free_column(), None);
        assert_eq!(system.solution(), row([1, 2, 3]));
    }
}
