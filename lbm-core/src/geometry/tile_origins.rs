//! The number of tiles for every origin at once.
//!
//! A tile that begins at p has fluid if any node of p .. p + a is fluid: for all p at once that is the fluid dilated
//! by the tile. With a bit a node, dilation along x is a few shifted ORs of words, along y and z ORs of rows and of planes; the
//! set bits whose places have the same remainder by a are the tiles of one origin.

use super::Geometry;
use super::tiles::check_edges;
use crate::domain::position;
use crate::error::Error;
use crate::parallel::{cores, each_chunk};

/// How many tiles with fluid there are for an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OriginCount {
    /// Where a tile begins, below the tile's edges.
    pub origin: [usize; 3],
    /// Tiles with at least one fluid node.
    pub tiles: usize,
}

/// The number of tiles with fluid for each origin, in the order x, y, z, found in one pass over the nodes.
///
/// # Errors
/// [`Error::OutOfRange`] unless a tile has 1 to 65536 nodes.
pub fn tile_origins(geometry: &Geometry, edges: [usize; 3]) -> Result<Vec<OriginCount>, Error> {
    check_edges(edges)?;
    Ok(count_origins(geometry.size(), geometry.solid(), edges))
}

/// The same for a byte a node, 0 where it is fluid, and edges that are allowed.
pub(crate) fn count_origins(size: [usize; 3], solid: &[u8], edges: [usize; 3]) -> Vec<OriginCount> {
    let [ax, ay, az] = edges;
    // Tiles begin at -(a - 1) .. n; here they are numbered from 0 on.
    let starts = size[2] + az - 1;
    // Each part dilates a - 1 planes that its neighbour does, too.
    let part = starts.div_ceil(4 * cores()).max(4 * az);
    let mut parts = vec![vec![0; ax * ay * az]; starts.div_ceil(part)];
    each_chunk(&mut parts, 1, |number, counts| {
        for counts in counts {
            count_starts(size, solid, edges, number * part..((number + 1) * part).min(starts), counts);
        }
    });
    let total = |n: usize| parts.iter().map(|counts| counts[n]).sum();
    (0..ax * ay * az).map(|n| OriginCount { origin: position(edges, n), tiles: total(n) }).collect()
}

/// Adds up the tiles that begin at some of the planes, by origin.
fn count_starts(
    size: [usize; 3],
    solid: &[u8],
    edges: [usize; 3],
    starts: std::ops::Range<usize>,
    counts: &mut [usize],
) {
    let [ax, ay, az] = edges;
    let [nx, ny, nz] = size;
    let words = (nx + ax - 1).div_ceil(64);
    let masks = masks(words, ax);
    // The last a planes, dilated along x and y.
    let mut planes = vec![vec![0; words * (ny + ay - 1)]; az];
    let mut whole = planes[0].clone();
    for z in (starts.start + 1).saturating_sub(az)..starts.end {
        let plane = &mut planes[z % az];
        plane.fill(0);
        if z < nz {
            dilate_plane([nx, ny], &solid[nx * ny * z..][..nx * ny], ax, ay, words, plane);
        }
        if z < starts.start {
            continue;
        }
        whole.fill(0);
        for plane in &planes {
            or(&mut whole, plane);
        }
        for (y, row) in whole.chunks(words).enumerate() {
            let first = ax * ((y + 1) % ay + ay * ((z + 1) % az));
            for (word, masks) in row.iter().zip(masks.chunks(ax)).filter(|(word, _)| **word != 0) {
                for (count, mask) in counts[first..].iter_mut().zip(masks) {
                    *count += (word & mask).count_ones() as usize;
                }
            }
        }
    }
}

/// For each word and each origin along x the bits of that origin.
fn masks(words: usize, ax: usize) -> Vec<u64> {
    let mut masks = vec![0; words * ax];
    for bit in 0..64 * words {
        masks[bit / 64 * ax + (bit + 1) % ax] |= 1 << (bit % 64);
    }
    masks
}

/// The fluid of a plane, dilated along x and y.
fn dilate_plane([nx, ny]: [usize; 2], solid: &[u8], ax: usize, ay: usize, words: usize, plane: &mut [u64]) {
    let (mut fluid, mut dilated) = (vec![0; words], vec![0; words]);
    for y in 0..ny {
        pack_fluid(&solid[nx * y..][..nx], &mut fluid);
        dilated.copy_from_slice(&fluid);
        for shift in 1..ax {
            or_shifted(&mut dilated, &fluid, shift);
        }
        for row in plane[words * y..][..words * ay].chunks_mut(words) {
            or(row, &dilated);
        }
    }
}

/// A bit a node of a row, set where it is fluid.
fn pack_fluid(solid: &[u8], bits: &mut [u64]) {
    bits.fill(0);
    for (n, eight) in solid.chunks(8).enumerate() {
        let mut bytes = [1; 8];
        bytes.iter_mut().zip(eight).for_each(|(bit, &byte)| *bit = byte.min(1));
        let fluid = u64::from_le_bytes(bytes) ^ 0x0101_0101_0101_0101;
        // The product brings bit 0 of byte k to bit 56 + k.
        let packed = fluid.wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits[n / 8] |= packed << (n % 8 * 8);
    }
}

fn or(into: &mut [u64], other: &[u64]) {
    for (a, b) in into.iter_mut().zip(other) {
        *a |= b;
    }
}

/// ORs the bits of `other`, moved up by `shift` places.
fn or_shifted(into: &mut [u64], other: &[u64], shift: usize) {
    let (words, bits) = (shift / 64, shift % 64);
    for at in words..into.len() {
        into[at] |= other[at - words] << bits;
        if bits > 0 && at > words {
            into[at] |= other[at - words - 1] >> (64 - bits);
        }
    }
}
