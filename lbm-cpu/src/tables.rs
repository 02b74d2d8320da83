//! Tables of stored values that are copied with rows and columns exchanged: between layouts in which the values of a node lie side by
//! side, and lines in which the nodes of a value do.

use crate::copies::copy_values;

/// Where a table lies.
#[derive(Clone, Copy)]
pub(crate) struct Table<T> {
    pub(crate) start: T,
    /// Bytes from a row to the next.
    pub(crate) step: usize,
}

/// Copies `rows` rows of `columns` values of so many bytes each; what was a column becomes a row.
///
/// # Safety
/// All of them can be read, or written, and do not overlap.
#[inline(always)]
pub(crate) unsafe fn copy_turned(
    from: Table<*const u8>,
    to: Table<*mut u8>,
    [rows, columns]: [usize; 2],
    bytes: usize,
) {
    #[cfg(target_arch = "x86_64")]
    {
        match bytes {
            4 if rows.min(columns) >= 4 => {
                // SAFETY: as the caller says.
                return unsafe { in_blocks::<4, 4>(from, to, [rows, columns], four_by_four) };
            }
            8 if rows.min(columns) >= 2 => {
                // SAFETY: as the caller says.
                return unsafe { in_blocks::<2, 8>(from, to, [rows, columns], two_by_two) };
            }
            _ => {}
        }
    }
    if rows == 1 {
        // SAFETY: as the caller says.
        return unsafe { copy_values(from.start, bytes, to.start, to.step, columns, bytes) };
    }
    for column in 0..columns {
        // SAFETY: as the caller says.
        unsafe {
            let (from_column, to_row) = (from.start.add(column * bytes), to.start.add(column * to.step));
            copy_values(from_column, from.step, to_row, bytes, rows, bytes);
        }
    }
}

/// The same in square blocks; the last ones may overlap those before.
///
/// # Safety
/// As for [`copy_turned`]; there are as many rows and columns as a block has.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn in_blocks<const SIDE: usize, const BYTES: usize>(
    from: Table<*const u8>,
    to: Table<*mut u8>,
    [rows, columns]: [usize; 2],
    block: unsafe fn(Table<*const u8>, Table<*mut u8>),
) {
    for first in (0..rows).step_by(SIDE) {
        let row = first.min(rows - SIDE);
        for first in (0..columns).step_by(SIDE) {
            let column = first.min(columns - SIDE);
            // SAFETY: as the caller says.
            unsafe {
                block(
                    Table { start: from.start.add(row * from.step + column * BYTES), ..from },
                    Table { start: to.start.add(column * to.step + row * BYTES), ..to },
                );
            }
        }
    }
}

/// Four rows of four values of four bytes.
///
/// # Safety
/// As for [`copy_turned`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn four_by_four(from: Table<*const u8>, to: Table<*mut u8>) {
    use std::arch::x86_64::{_MM_TRANSPOSE4_PS, _mm_loadu_ps, _mm_storeu_ps};
    // SAFETY: as the caller says; SSE is part of x86-64.
    unsafe {
        let [mut a, mut b, mut c, mut d] =
            std::array::from_fn(|row| _mm_loadu_ps(from.start.add(row * from.step).cast()));
        _MM_TRANSPOSE4_PS(&mut a, &mut b, &mut c, &mut d);
        for (row, values) in [a, b, c, d].into_iter().enumerate() {
            _mm_storeu_ps(to.start.add(row * to.step).cast(), values);
        }
    }
}

/// Two rows of two values of eight bytes.
///
/// # Safety
/// As for [`copy_turned`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn two_by_two(from: Table<*const u8>, to: Table<*mut u8>) {
    use std::arch::x86_64::{_mm_loadu_pd, _mm_storeu_pd, _mm_unpackhi_pd, _mm_unpacklo_pd};
    // SAFETY: as the caller says; SSE2 is part of x86-64.
    unsafe {
        let [a, b] = std::array::from_fn(|row| _mm_loadu_pd(from.start.add(row * from.step).cast()));
        _mm_storeu_pd(to.start.cast(), _mm_unpacklo_pd(a, b));
        _mm_storeu_pd(to.start.add(to.step).cast(), _mm_unpackhi_pd(a, b));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_become_rows_and_nothing_else_is_touched() {
        for bytes in [2, 4, 8] {
            for (rows, columns) in (1..=19).flat_map(|rows| (1..=19).map(move |columns| (rows, columns))) {
                let (from_step, to_step) = ((columns + 1) * bytes, (rows + 2) * bytes);
                let from: Vec<u8> = (0..rows * from_step).map(|at| (at * 31 % 251) as u8).collect();
                let mut to = vec![255; columns * to_step];
                let mut expected = to.clone();
                for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                    let value = &from[row * from_step + column * bytes..][..bytes];
                    expected[column * to_step + row * bytes..][..bytes].copy_from_slice(value);
                }
                let tables = (
                    Table { start: from.as_ptr(), step: from_step },
                    Table { start: to.as_mut_ptr(), step: to_step },
                );
                // SAFETY: both tables have as many rows and columns.
                unsafe { copy_turned(tables.0, tables.1, [rows, columns], bytes) };
                assert_eq!(to, expected, "{rows} rows of {columns} values of {bytes} bytes");
            }
        }
    }
}
