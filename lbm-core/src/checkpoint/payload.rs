//! The values of a checkpoint, written in pieces of nodes where the file has value after value.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;

use super::values::Values;

/// The payload as it is written.
pub(super) struct Payload<'a> {
    file: &'a mut BufWriter<File>,
    start: u64,
    values: Values,
    nodes: usize,
    /// The sum of what stands before, then that of each value of a node, of which all pieces come in order.
    sum: crc32fast::Hasher,
    of_value: Vec<crc32fast::Hasher>,
    bytes: Vec<u8>,
}

impl<'a> Payload<'a> {
    /// A payload behind what is in the file, and in its sum.
    pub(super) fn new(
        sum: crc32fast::Hasher,
        values: Values,
        nodes: usize,
        count: usize,
        file: &'a mut BufWriter<File>,
    ) -> io::Result<Payload<'a>> {
        let of_value = vec![crc32fast::Hasher::new(); count];
        let start = file.stream_position()?;
        Ok(Payload { file, start, values, nodes, sum, of_value, bytes: Vec::new() })
    }

    /// Writes a piece.
    pub(super) fn put(&mut self, nodes: Range<usize>, piece: &[f64]) -> io::Result<()> {
        for (i, (line, sum)) in piece.chunks(nodes.len()).zip(&mut self.of_value).enumerate() {
            self.bytes.clear();
            self.values.encode(line, &mut self.bytes);
            sum.update(&self.bytes);
            let at = (i * self.nodes + nodes.start) * self.values.bytes();
            self.file.seek(SeekFrom::Start(self.start + at as u64))?;
            self.file.write_all(&self.bytes)?;
        }
        Ok(())
    }

    /// Writes the sum of all.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.of_value.iter().for_each(|sum| self.sum.combine(sum));
        self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(&self.sum.finalize().to_le_bytes())
    }
}
