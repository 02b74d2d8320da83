//! How plain loops run over a box: shared by threads, tile after tile.

use std::ops::Range;

/// Rows of a tile along y and along z: their populations, read and written, fit the second cache.
const TILE: usize = 8;

/// What a thread does with its nodes and its parts of the streams.
pub(super) type Work<'a> = dyn Fn(Range<usize>, &mut [&mut [f64]]) + Sync + 'a;

/// Shares the planes of a box among threads. Each is handed its nodes, and of every stream of `values` has their part.
pub(super) fn by_planes(threads: usize, [nx, ny, nz]: [usize; 3], values: &mut [f64], work: &Work<'_>) {
    let threads = threads.clamp(1, nz);
    let cut = |thread: usize| thread * nz / threads * nx * ny;
    let mut parts: Vec<Vec<&mut [f64]>> = (0..threads).map(|_| Vec::new()).collect();
    for stream in values.chunks_mut(nx * ny * nz) {
        let mut rest = stream;
        for (thread, part) in parts.iter_mut().enumerate() {
            let (mine, others) = rest.split_at_mut(cut(thread + 1) - cut(thread));
            part.push(mine);
            rest = others;
        }
    }
    std::thread::scope(|scope| {
        for (thread, mut part) in parts.into_iter().enumerate() {
            let mut run = move || work(cut(thread)..cut(thread + 1), &mut part);
            if thread + 1 == threads {
                run();
            } else {
                scope.spawn(run);
            }
        }
    });
}

/// Calls with y and z of every row of some planes, tile after tile.
pub(super) fn tiles(ny: usize, planes: Range<usize>, row: &mut impl FnMut(usize, usize)) {
    for below in planes.clone().step_by(TILE) {
        for south in (0..ny).step_by(TILE) {
            for z in below..(below + TILE).min(planes.end) {
                for y in south..(south + TILE).min(ny) {
                    row(y, z);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_every_row_once() {
        let mut seen = Vec::new();
        tiles(19, 3..22, &mut |y, z| seen.push((z, y)));
        seen.sort_unstable();
        assert!(seen.into_iter().eq((3..22).flat_map(|z| (0..19).map(move |y| (z, y)))));
    }

    #[test]
    fn threads_share_all_nodes_of_all_streams() {
        for threads in [1, 2, 3, 9] {
            let mut values = vec![0.0; 2 * 2 * 3 * 5];
            by_planes(threads, [2, 3, 5], &mut values, &|range, out| {
                for (i, stream) in out.iter_mut().enumerate() {
                    assert_eq!(stream.len(), range.len());
                    range.clone().for_each(|n| stream[n - range.start] += (30 * i + n) as f64);
                }
            });
            assert!(values.iter().enumerate().all(|(n, &value)| value == n as f64), "{threads}: {values:?}");
        }
    }
}
