//! A checksum of what passes.

use std::io::{self, Read};

/// A stream that sums what passes.
pub(super) struct Summing<S> {
    inner: S,
    hasher: crc32fast::Hasher,
}

impl<S> Summing<S> {
    pub(super) fn new(inner: S) -> Summing<S> {
        Summing { inner, hasher: crc32fast::Hasher::new() }
    }

    /// The CRC-32 of all that has passed.
    pub(super) fn sum(&self) -> u32 {
        self.hasher.clone().finalize()
    }
}

impl<R: Read> Summing<R> {
    pub(super) fn read_exact(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.hasher.update(bytes);
        Ok(())
    }

    /// Reads bytes that have sums of their own.
    pub(super) fn read_apart(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)
    }

    pub(super) fn read_u32(&mut self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
}
