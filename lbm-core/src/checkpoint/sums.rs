//! A checksum of what passes.

use std::io::{self, Read, Write};

/// A stream that sums what passes.
pub(super) struct Summing<S> {
    inner: S,
    hasher: crc32fast::Hasher,
}

impl<S> Summing<S> {
    pub(super) fn new(inner: S) -> Summing<S> {
        Summing { inner, hasher: crc32fast::Hasher::new() }
    }

    /// What sums, after all that has passed.
    pub(super) fn into_hasher(self) -> crc32fast::Hasher {
        self.hasher
    }

    /// The CRC-32 of all that has passed.
    pub(super) fn sum(&self) -> u32 {
        self.hasher.clone().finalize()
    }
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Summing<R> {
    pub(super) fn read_exact(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.hasher.update(bytes);
        Ok(())
    }

    pub(super) fn read_u32(&mut self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
}
