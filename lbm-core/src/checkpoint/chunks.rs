//! Checksums of a payload in chunks, from pieces that are written in any order and by several processes.
//!
//! A CRC is linear: that of a chunk follows from what each of its pieces gives to it, the rest being zeros, by exclusive or. What a piece gives is its own
//! remainder times x^(8 n), with n bytes behind it in the chunk (Castagnoli et al., IEEE Trans. Commun. 41 (1993) 883, Sec. II).

use super::CHUNK;

/// The polynomial of CRC-32 without its highest power, the lowest bit being the highest power left.
const POLYNOMIAL: u32 = 0xedb8_8320;

/// x^(2^k) for each k, modulo the polynomial.
const POWERS: [u32; 32] = {
    let mut all = [1 << 30; 32];
    let mut k = 1;
    while k < 32 {
        all[k] = times(all[k - 1], all[k - 1]);
        k += 1;
    }
    all
};

/// The product of two polynomials, modulo that of CRC-32.
const fn times(a: u32, mut b: u32) -> u32 {
    let (mut product, mut bit) = (0, 1 << 31);
    while bit != 0 {
        if a & bit != 0 {
            product ^= b;
        }
        b = if b & 1 == 1 { (b >> 1) ^ POLYNOMIAL } else { b >> 1 };
        bit >>= 1;
    }
    product
}

/// A remainder with so many zero bytes behind.
fn shifted(remainder: u32, bytes: u64) -> u32 {
    // Eight bits a byte.
    let bits = (0..61).filter(|bit| bytes >> bit & 1 == 1);
    bits.fold(remainder, |product, bit| times(POWERS[(bit + 3) % 32], product))
}

/// The remainder of bytes alone, without what CRC-32 begins and ends with.
fn remainder(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(u32::MAX);
    hasher.update(bytes);
    !hasher.finalize()
}

/// How many chunks so many bytes have.
pub(super) fn count(bytes: u64) -> u64 {
    bytes.div_ceil(CHUNK)
}

/// The checksums of the chunks of a payload, of which some bytes are known.
#[derive(Clone)]
pub(super) struct Chunks {
    bytes: u64,
    /// What the known bytes give to each chunk.
    given: Vec<u32>,
}

/// What a piece of bytes gives to a chunk.
pub(super) type Share = (usize, u32);

impl Chunks {
    /// Of so many bytes, none of which is known.
    pub(super) fn new(bytes: u64) -> Chunks {
        Chunks { bytes, given: vec![0; count(bytes) as usize] }
    }

    /// What bytes at a place of the payload give to its chunks.
    pub(super) fn shares<'a>(&self, at: u64, bytes: &'a [u8]) -> impl Iterator<Item = Share> + use<'a> {
        let (all, mut at, mut rest) = (self.bytes, at, bytes);
        std::iter::from_fn(move || {
            let chunk = at / CHUNK;
            let end = ((chunk + 1) * CHUNK).min(all);
            let (piece, behind) = rest.split_at(rest.len().min((end - at) as usize));
            (at, rest) = (at + piece.len() as u64, behind);
            (!piece.is_empty()).then(|| (chunk as usize, shifted(remainder(piece), end - at)))
        })
    }

    /// Adds what pieces give; each byte is given once.
    pub(super) fn add(&mut self, shares: impl IntoIterator<Item = Share>) {
        shares.into_iter().for_each(|(chunk, share)| self.given[chunk] ^= share);
    }

    /// What the known bytes give, for another process.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.given.iter().flat_map(|given| given.to_le_bytes()).collect()
    }

    /// Adds what another process knows.
    pub(super) fn add_bytes(&mut self, bytes: &[u8]) {
        let theirs = bytes.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes));
        self.given.iter_mut().zip(theirs).for_each(|(given, theirs)| *given ^= theirs);
    }

    /// The CRC-32 of each chunk, once all bytes are known.
    pub(super) fn sums(&self) -> impl Iterator<Item = u32> + '_ {
        let length = |chunk: usize| CHUNK.min(self.bytes - CHUNK * chunk as u64);
        self.given.iter().enumerate().map(move |(chunk, given)| !(shifted(u32::MAX, length(chunk)) ^ given))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_in_any_order_and_of_several_give_the_sums_of_the_whole() {
        let bytes: Vec<u8> =
            (0..CHUNK as usize * 2 + 12345u64 as usize).map(|n| (n * n / 7 + n) as u8).collect();
        let expected: Vec<u32> = bytes.chunks(CHUNK as usize).map(crc32fast::hash).collect();
        for length in [1000, 65537, bytes.len()] {
            let mut ranks = [Chunks::new(bytes.len() as u64), Chunks::new(bytes.len() as u64)];
            let pieces: Vec<_> = bytes.chunks(length).enumerate().collect();
            for (n, piece) in pieces.into_iter().rev() {
                let rank = &mut ranks[n % 2];
                rank.add(rank.shares((n * length) as u64, piece));
            }
            let [mut all, other] = ranks;
            all.add_bytes(&other.to_bytes());
            assert_eq!(all.sums().collect::<Vec<_>>(), expected, "{length}");
        }
        assert_eq!(Chunks::new(0).sums().count(), 0);
    }
}
