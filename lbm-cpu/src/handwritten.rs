//! One loop written by hand, to hold against the generated ones: D3Q19, BGK, quasi-compressible, periodic box,
//! two-lattice pull, structure of arrays. No axis, no table of velocities, no symbolic engine: what a patient person
//! writes for this one case, with the same vectors, whole lines past the caches, and prefetch.
//!
//! A measuring stick only; no solver is built on it.

use std::ops::Range;

use lbm_core::{Error, Lanes, Real, Site};

use crate::caches::{PREFETCH_BYTES, fence, prefetch};
use crate::dispatch::{Task, dispatch};
use crate::memory::{CACHE_LINE, Memory, STREAM_SLACK, check_footprint, last_level_cache};
use crate::options::{CpuOptions, StoreKind};
use crate::simd::SimdLevel;
use crate::threads::Threads;

/// The components of the velocities, in the order of the lattice `D3Q19`.
const C: [[isize; 19]; 3] = [
    [0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0],
    [0, 0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 0, 0, -1, 1, 1, -1, 1, -1],
    [0, 0, 0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 1, -1, -1, 1],
];

/// A running hand-written D3Q19 BGK.
#[derive(Debug)]
pub struct Handwritten<T: Real> {
    size: [usize; 3],
    stride: usize,
    source: Memory<T>,
    target: Memory<T>,
    omega: T,
    threads: Threads,
    level: SimdLevel,
    stores: StoreKind,
}

impl<T: Real> Handwritten<T> {
    /// A fluid at rest of `size` nodes and this viscosity (lattice units); `None` where rows do not fill cache
    /// lines, which this loop does not handle.
    ///
    /// # Errors
    /// As for [`CpuEngine::new`](crate::CpuEngine::new).
    pub fn new(
        size: [usize; 3],
        viscosity: f64,
        options: &CpuOptions,
    ) -> Result<Option<Handwritten<T>>, Error> {
        if !size[0].is_multiple_of(CACHE_LINE / size_of::<T>()) || size.contains(&0) {
            return Ok(None);
        }
        let stride = size.iter().product::<usize>() + STREAM_SLACK;
        check_footprint(2 * 19 * stride as u128, size_of::<T>())?;
        let large = 2 * 19 * stride * size_of::<T>() > last_level_cache();
        let automatic = if large { StoreKind::NonTemporal } else { StoreKind::Ordinary };
        Ok(Some(Handwritten {
            size,
            stride,
            source: Memory::zeroed(19 * stride, 1)?,
            target: Memory::zeroed(19 * stride, 1)?,
            omega: T::from_f64(1.0 / (3.0 * viscosity + 0.5)),
            threads: Threads::new(options.threads)?,
            level: options.level()?,
            stores: options.stores.unwrap_or(automatic),
        }))
    }

    /// Runs time steps.
    pub fn run(&mut self, steps: u64) {
        for _ in 0..steps {
            self.threads
                .split(self.size[1] * self.size[2], &|rows| dispatch(self.level, Rows { of: self, rows }));
            std::mem::swap(&mut self.source, &mut self.target);
        }
    }
}

/// Some rows of a step, which nobody else writes.
struct Rows<'a, T: Real> {
    of: &'a Handwritten<T>,
    rows: Range<usize>,
}

/// The populations of a cache line of nodes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line<T>([T; 16]);

impl<T: Real> Task for Rows<'_, T> {
    type Scalar = T;

    #[inline(always)]
    fn run<N: Lanes<Scalar = T>>(self) {
        let line = CACHE_LINE / size_of::<T>();
        let Handwritten { size: [nx, ny, nz], stride, omega, stores, .. } = *self.of;
        let (source, target) = (self.of.source.start().cast_const(), self.of.target.start());
        let past_caches = stores == StoreKind::NonTemporal;
        let mut before = [Line([T::default(); 16]); 19];
        let mut buffers = [[Line([T::default(); 16]); 19]; 2];
        let omega = N::splat(omega);
        for row in self.rows.clone() {
            let (y, z) = ((row % ny) as isize, (row / ny) as isize);
            let own = row * nx;
            let mut from = [source; 19];
            for i in 0..19 {
                let up_y = (y - C[1][i]).rem_euclid(ny as isize) as usize;
                let up_z = (z - C[2][i]).rem_euclid(nz as isize) as usize;
                from[i] = source.wrapping_add(i * stride + nx * (up_y + ny * up_z)).wrapping_offset(-C[0][i]);
            }
            let mut waiting: Option<(usize, usize)> = None;
            let mut first = 0;
            while first < nx {
                let buffer = (first / line) % 2;
                let edge = first == 0 || first + line == nx;
                for pointer in from {
                    prefetch(pointer.wrapping_add(first + PREFETCH_BYTES / size_of::<T>()));
                }
                // At the ends of a row, x wraps for the directions that move along it: these are gathered first.
                let mut place = from;
                if edge {
                    // SAFETY: one value before and behind a row lies in the neighbouring row or in the margin.
                    unsafe { ends(&from, first, line, nx, &mut before) };
                    for i in (0..19).filter(|&i| C[0][i] != 0) {
                        place[i] = before[i].0.as_ptr().wrapping_sub(first);
                    }
                }
                let mut k = 0;
                while k < line {
                    let mut to = [target; 19];
                    for i in 0..19 {
                        to[i] = if past_caches {
                            buffers[buffer][i].0.as_mut_ptr().wrapping_add(k)
                        } else {
                            target.wrapping_add(i * stride + own + first + k)
                        };
                    }
                    collide::<N>(&mut Nodes { from: &place, at: first + k, to: &to }, omega);
                    // The line before goes out meanwhile, some of it with every vector.
                    if let Some((start, old)) = waiting {
                        let (part, parts) = (k / N::WIDTH, line / N::WIDTH);
                        for i in 19 * part / parts..19 * (part + 1) / parts {
                            // SAFETY: lines are aligned and lie in the row.
                            unsafe {
                                flush::<N>(&buffers[old][i], target.add(i * stride + own + start), line)
                            };
                        }
                    }
                    k += N::WIDTH;
                }
                waiting = past_caches.then_some((first, buffer));
                first += line;
            }
            if let Some((start, old)) = waiting {
                for i in 0..19 {
                    // SAFETY: as above.
                    unsafe { flush::<N>(&buffers[old][i], target.add(i * stride + own + start), line) };
                }
            }
        }
        fence();
    }
}

/// Gathers a line of the directions along x at an end of a row, around which x wraps.
///
/// # Safety
/// A value before and behind the row can be read.
#[inline(always)]
unsafe fn ends<T: Real>(
    from: &[*const T; 19],
    first: usize,
    line: usize,
    nx: usize,
    before: &mut [Line<T>; 19],
) {
    for i in (0..19).filter(|&i| C[0][i] != 0) {
        for k in 0..line {
            // SAFETY: as the caller says.
            before[i].0[k] = unsafe { from[i].add(first + k).read() };
        }
        // SAFETY: the wrapped place lies in the same row.
        unsafe {
            if first == 0 && C[0][i] == 1 {
                before[i].0[0] = from[i].add(nx).read();
            }
            if first + line == nx && C[0][i] == -1 {
                before[i].0[line - 1] = from[i].wrapping_sub(1).read();
            }
        }
    }
}

/// Writes a line past the caches.
///
/// # Safety
/// `to` is aligned to a cache line and has room for one.
#[inline(always)]
unsafe fn flush<N: Lanes>(from: &Line<N::Scalar>, to: *mut N::Scalar, line: usize) {
    let mut k = 0;
    while k < line {
        // SAFETY: as the caller says.
        unsafe { N::load(from.0.as_ptr().add(k)).stream(to.add(k)) };
        k += N::WIDTH;
    }
}

/// Nodes side by side: where their populations are read and written.
struct Nodes<'a, T> {
    from: &'a [*const T; 19],
    at: usize,
    to: &'a [*mut T; 19],
}

impl<N: Lanes> Site<N> for Nodes<'_, N::Scalar> {
    #[inline(always)]
    fn read(&self, i: usize) -> N {
        // SAFETY: made with places of the upstream rows or of a gathered line.
        unsafe { N::load(self.from[i].add(self.at)) }
    }

    #[inline(always)]
    fn write(&mut self, i: usize, value: N) {
        // SAFETY: made with places of a buffer or of the node's own row.
        unsafe { value.store(self.to[i]) }
    }
}

/// BGK on shifted populations, pair by pair: what is needed again is loaded again, and results leave at once, so that
/// few values are held.
#[inline(always)]
fn collide<N: Lanes>(site: &mut impl Site<N>, omega: N) {
    let c = N::constant;
    let mut delta = site.read(0);
    for i in [1, 3, 5, 7, 9, 11, 13, 15, 17] {
        delta = delta + (site.read(i) + site.read(i + 1));
    }
    let (xy, xz, zx) = (difference(site, 7), difference(site, 9), difference(site, 11));
    let (yx, yz, zy) = (difference(site, 13), difference(site, 15), difference(site, 17));
    let jx = difference(site, 1) + (xy + yx) + (xz + zx);
    let jy = difference(site, 3) + (xy - yx) + (yz + zy);
    let jz = difference(site, 5) + (xz - zx) + (yz - zy);
    let inverse = c(1.0) / (c(1.0) + delta);
    let (ux, uy, uz) = (jx * inverse, jy * inverse, jz * inverse);
    let (qx, qy, qz) = (jx * ux, jy * uy, jz * uz);
    let base = (qx + qy + qz).mul_add(c(-1.5), delta);
    let keep = c(1.0) - omega;
    let (w0, w1, w2) = (omega * c(1.0 / 3.0), omega * c(1.0 / 18.0), omega * c(1.0 / 36.0));
    site.write(0, site.read(0).mul_add(keep, w0 * base));
    pair(site, 1, [keep, w1], qx.mul_add(c(4.5), base), jx);
    pair(site, 3, [keep, w1], qy.mul_add(c(4.5), base), jy);
    pair(site, 5, [keep, w1], qz.mul_add(c(4.5), base), jz);
    plane(site, [7, 13], [keep, w2], (qx + qy).mul_add(c(4.5), base), jx * uy, [jx, jy]);
    plane(site, [9, 11], [keep, w2], (qx + qz).mul_add(c(4.5), base), jx * uz, [jx, jz]);
    plane(site, [15, 17], [keep, w2], (qy + qz).mul_add(c(4.5), base), jy * uz, [jy, jz]);
}

/// f_i - f_(i+1).
#[inline(always)]
fn difference<N: Lanes>(site: &impl Site<N>, i: usize) -> N {
    site.read(i) - site.read(i + 1)
}

/// Relaxes the opposite directions i and i + 1.
#[inline(always)]
fn pair<N: Lanes>(site: &mut impl Site<N>, i: usize, [keep, w]: [N; 2], even: N, momentum: N) {
    let odd = momentum * (w * N::constant(3.0));
    site.write(i, site.read(i).mul_add(keep, even.mul_add(w, odd)));
    site.write(i + 1, site.read(i + 1).mul_add(keep, even.mul_add(w, -odd)));
}

/// Relaxes the four diagonals of a plane.
#[inline(always)]
fn plane<N: Lanes>(
    site: &mut impl Site<N>,
    [i, j]: [usize; 2],
    rates: [N; 2],
    even: N,
    cross: N,
    [a, b]: [N; 2],
) {
    pair(site, i, rates, cross.mul_add(N::constant(9.0), even), a + b);
    pair(site, j, rates, cross.mul_add(N::constant(-9.0), even), a - b);
}

#[cfg(test)]
mod tests;
