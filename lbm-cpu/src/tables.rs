//! Tables of stored values that are copied with rows and columns exchanged: between layouts in which the values of a node lie side by
//! side, and lines in which the nodes of a value do.

use crate::copies::copy_values;
use crate::simd::SimdLevel;

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
pub(crate) unsafe fn copy_transposed(
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

/// Copies the only column of a table of so many rows to a line. Where there is room for whole vectors of the level, each is stored at once: a load finds
/// what one store has left, and waits for the parts of what several have.
///
/// # Safety
/// As for [`copy_transposed`]; the machine has the level.
#[inline(always)]
pub(crate) unsafe fn copy_column(
    level: SimdLevel,
    from: Table<*const u8>,
    line: *mut u8,
    rows: usize,
    bytes: usize,
) {
    // SAFETY: as the caller says.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        match (level, bytes) {
            _ if from.step == bytes => {}
            (SimdLevel::Avx512, 4) if rows.is_multiple_of(16) => {
                return columns::in_512::<4>(from, line, rows);
            }
            (SimdLevel::Avx512, 8) if rows.is_multiple_of(8) => {
                return columns::in_512::<8>(from, line, rows);
            }
            (SimdLevel::Avx2, 4) if rows.is_multiple_of(8) => return columns::in_256::<4>(from, line, rows),
            (SimdLevel::Avx2, 8) if rows.is_multiple_of(4) => return columns::in_256::<8>(from, line, rows),
            _ => {}
        }
        let _ = level;
        copy_values(from.start, from.step, line, bytes, rows, bytes);
    }
}

/// Columns in vectors that are put together of parts of 16 bytes: machines differ in what a gather costs.
#[cfg(target_arch = "x86_64")]
mod columns {
    use std::arch::x86_64::*;

    use super::Table;

    /// The rows of a part, from one of them on.
    ///
    /// # Safety
    /// They can be read.
    #[inline(always)]
    unsafe fn part<const BYTES: usize>(from: Table<*const u8>, row: usize) -> __m128 {
        let at = |n: usize| from.start.wrapping_add((row + n) * from.step);
        // SAFETY: as the caller says; SSE2 is part of x86-64.
        unsafe {
            if BYTES == 8 {
                let [a, b] = [_mm_load_sd(at(0).cast()), _mm_load_sd(at(1).cast())];
                return _mm_castpd_ps(_mm_unpacklo_pd(a, b));
            }
            let [a, b] = [_mm_load_ss(at(0).cast()), _mm_load_ss(at(1).cast())];
            let [c, d] = [_mm_load_ss(at(2).cast()), _mm_load_ss(at(3).cast())];
            _mm_movelh_ps(_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d))
        }
    }

    /// # Safety
    /// As for [`copy_column`](super::copy_column); the rows are whole vectors.
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn in_512<const BYTES: usize>(from: Table<*const u8>, line: *mut u8, rows: usize) {
        let each = 16 / BYTES;
        for row in (0..rows).step_by(4 * each) {
            // SAFETY: as the caller says.
            unsafe {
                let vector = _mm512_castps128_ps512(part::<BYTES>(from, row));
                let vector = _mm512_insertf32x4::<1>(vector, part::<BYTES>(from, row + each));
                let vector = _mm512_insertf32x4::<2>(vector, part::<BYTES>(from, row + 2 * each));
                let vector = _mm512_insertf32x4::<3>(vector, part::<BYTES>(from, row + 3 * each));
                _mm512_storeu_ps(line.add(row * BYTES).cast(), vector);
            }
        }
    }

    /// # Safety
    /// As for [`copy_column`](super::copy_column); the rows are whole vectors.
    #[target_feature(enable = "avx")]
    pub(super) unsafe fn in_256<const BYTES: usize>(from: Table<*const u8>, line: *mut u8, rows: usize) {
        let each = 16 / BYTES;
        for row in (0..rows).step_by(2 * each) {
            // SAFETY: as the caller says.
            unsafe {
                let vector = _mm256_castps128_ps256(part::<BYTES>(from, row));
                let vector = _mm256_insertf128_ps::<1>(vector, part::<BYTES>(from, row + each));
                _mm256_storeu_ps(line.add(row * BYTES).cast(), vector);
            }
        }
    }
}

/// [`copy_transposed`] in square blocks; the last ones may overlap those before.
///
/// # Safety
/// As for [`copy_transposed`]; there are as many rows and columns as a block has.
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
/// As for [`copy_transposed`].
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
/// As for [`copy_transposed`].
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
                unsafe { copy_transposed(tables.0, tables.1, [rows, columns], bytes) };
                assert_eq!(to, expected, "{rows} rows of {columns} values of {bytes} bytes");
            }
        }
    }

    #[test]
    fn a_column_becomes_a_line_at_every_level() {
        for (level, bytes) in
            SimdLevel::detect_all().into_iter().flat_map(|level| [2, 4, 8].map(|b| (level, b)))
        {
            for (rows, step) in
                (1..=33).flat_map(|rows| [bytes, 2 * bytes, 19 * bytes].map(|step| (rows, step)))
            {
                let from: Vec<u8> = (0..rows * step).map(|at| (at * 31 % 251) as u8).collect();
                let mut line = vec![255; (rows + 1) * bytes];
                let expected: Vec<u8> = (0..rows)
                    .flat_map(|row| from[row * step..][..bytes].to_vec())
                    .chain(vec![255; bytes])
                    .collect();
                let table = Table { start: from.as_ptr(), step };
                // SAFETY: the table has as many rows, and so has the line; the machine has the level.
                unsafe { copy_column(level, table, line.as_mut_ptr(), rows, bytes) };
                assert_eq!(line, expected, "{rows} values of {bytes} bytes, {step} apart, {level:?}");
            }
        }
    }
}
