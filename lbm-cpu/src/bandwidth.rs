//! What the machine's memory gives: the measure for kernels.
//!
//! A machine's bandwidth drifts, by half within minutes on a shared one, so a kernel should be measured in turns with
//! a [`Streams`] probe of the same threads, vectors and stores, not against a figure from another day.

use std::ops::Range;
use std::time::Instant;

use lbm_core::{Error, Lanes};

use crate::caches::{PREFETCH_BYTES, fence, prefetch};
use crate::dispatch::{Task, dispatch};
use crate::memory::{CACHE_LINE, Memory, STREAM_SLACK, check_footprint};
use crate::options::{CpuOptions, StoreKind};
use crate::simd::SimdLevel;
use crate::threads::Threads;

/// Values of a cache line.
const LINE: usize = CACHE_LINE / size_of::<f32>();

/// `Q` arrays that are read and `Q` that are written, side by side and without any arithmetic: what an update of a
/// lattice with `Q` velocities moves. With `Q` = 1 it is a copy.
#[derive(Debug)]
pub struct Streams<const Q: usize> {
    source: Memory<f32>,
    target: Memory<f32>,
    /// Lines of each array.
    lines: usize,
    threads: Threads,
    level: SimdLevel,
}

impl<const Q: usize> Streams<Q> {
    /// Arrays that take `bytes` together, half of it read and half written. `options.stores` does not count.
    ///
    /// # Errors
    /// As for [`CpuEngine::new`](crate::CpuEngine::new): too little memory, no such threads or vectors.
    pub fn new(bytes: usize, options: &CpuOptions) -> Result<Streams<Q>, Error> {
        let lines = (bytes / (2 * Q * CACHE_LINE)).max(1);
        let values = Q * (lines * LINE + STREAM_SLACK);
        check_footprint(2 * values as u128, size_of::<f32>())?;
        let (threads, level) = (Threads::new(options.threads)?, options.level()?);
        let (source, target) = (Memory::zeroed(values, 0)?, Memory::zeroed(values, 0)?);
        let mut streams = Streams { source, target, lines, threads, level };
        streams.touch();
        Ok(streams)
    }

    /// Values from the start of an array to that of the next.
    fn stride(&self) -> usize {
        self.lines * LINE + STREAM_SLACK
    }

    /// Writes to the source too, so that its pages are real and not one shared page of zeros.
    fn touch(&mut self) {
        std::mem::swap(&mut self.source, &mut self.target);
        self.measure(StoreKind::Ordinary);
        std::mem::swap(&mut self.source, &mut self.target);
        self.measure(StoreKind::Ordinary);
    }

    /// Moves everything once; GB/s (10^9 bytes, read and written together).
    pub fn measure(&mut self, stores: StoreKind) -> f64 {
        let start = Instant::now();
        self.threads.split(self.lines, &|lines| {
            dispatch(self.level, Part { of: self, stores, lines });
        });
        let bytes = 2 * Q * self.lines * CACHE_LINE;
        bytes as f64 / start.elapsed().as_secs_f64() * 1e-9
    }
}

/// The bandwidth of `Q` arrays read and `Q` written, `bytes` in all: GB/s, median over `repetitions`. With `Q` = 1 it is a copy's.
///
/// # Errors
/// As for [`Streams::new`].
pub fn streams<const Q: usize>(
    bytes: usize,
    options: &CpuOptions,
    stores: StoreKind,
    repetitions: usize,
) -> Result<f64, Error> {
    let mut streams = Streams::<Q>::new(bytes, options)?;
    let mut measured: Vec<f64> = (0..repetitions.max(1)).map(|_| streams.measure(stores)).collect();
    measured.sort_by(f64::total_cmp);
    Ok(measured[measured.len() / 2])
}

/// Some lines of all streams, which nobody else writes.
struct Part<'a, const Q: usize> {
    of: &'a Streams<Q>,
    stores: StoreKind,
    lines: Range<usize>,
}

impl<const Q: usize> Task for Part<'_, Q> {
    type Scalar = f32;

    #[inline(always)]
    fn run<N: Lanes<Scalar = f32>>(self) {
        let (source, target, stride) = (self.of.source.start(), self.of.target.start(), self.of.stride());
        for line in self.lines {
            for i in 0..Q {
                let at = i * stride + line * LINE;
                prefetch(source.wrapping_add(at + PREFETCH_BYTES / size_of::<f32>()));
                let mut k = 0;
                while k < LINE {
                    // SAFETY: the line lies in both memories, which start aligned to lines, and so are all arrays.
                    unsafe {
                        let value = N::load(source.add(at + k));
                        match self.stores {
                            StoreKind::Ordinary => value.store(target.add(at + k)),
                            StoreKind::NonTemporal => value.stream(target.add(at + k)),
                        }
                    }
                    k += N::WIDTH;
                }
            }
        }
        fence();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_moved() {
        for threads in [1, 2] {
            for stores in [StoreKind::Ordinary, StoreKind::NonTemporal] {
                let options = CpuOptions { threads: Some(threads), ..CpuOptions::default() };
                let mut streams = Streams::<3>::new(6 * 5 * CACHE_LINE, &options).unwrap();
                let stride = streams.stride();
                for k in 0..3 * stride {
                    // SAFETY: within the source.
                    unsafe { streams.source.start().add(k).write(k as f32) };
                }
                assert!(streams.measure(stores) > 0.0);
                for k in 0..3 * stride {
                    let moved = if k % stride < 5 * LINE { k as f32 } else { 0.0 };
                    // SAFETY: within the target.
                    assert_eq!(unsafe { streams.target.start().add(k).read() }, moved);
                }
            }
        }
    }
}
