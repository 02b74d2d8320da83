//! The values of a checkpoint, written in pieces of nodes where the file has value after value.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;

use super::values::Values;
use crate::parallel::each_chunk;

/// The payload as it is written.
pub(super) struct Payload<'a> {
    file: &'a mut BufWriter<File>,
    start: u64,
    values: Values,
    nodes: usize,
    /// The sum of what stands before.
    sum: crc32fast::Hasher,
    /// The values of a node, one by one.
    lines: Vec<Line>,
}

/// One value of all nodes, of which pieces come in order.
#[derive(Clone)]
struct Line {
    sum: crc32fast::Hasher,
    /// Those of a piece.
    bytes: Vec<u8>,
    /// The type that these need.
    needs: Values,
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
        let lines = vec![Line { sum: crc32fast::Hasher::new(), bytes: Vec::new(), needs: values }; count];
        let start = file.stream_position()?;
        Ok(Payload { file, start, values, nodes, sum, lines })
    }

    /// Writes a piece, encoded on all cores; or nothing, if its values need a wider type. Tells the type that they need.
    pub(super) fn put(&mut self, nodes: Range<usize>, piece: &[f64]) -> io::Result<Values> {
        let (values, count) = (self.values, nodes.len());
        each_chunk(&mut self.lines, 1, |first, lines| {
            for (line, piece) in lines.iter_mut().zip(piece[first * count..].chunks(count)) {
                line.needs = values.widened_to(piece);
                if line.needs == values {
                    line.bytes.clear();
                    values.encode(piece, &mut line.bytes);
                    line.sum.update(&line.bytes);
                }
            }
        });
        let needed = self.lines.iter().map(|line| line.needs).max().unwrap_or(values);
        if needed == values {
            for (i, line) in self.lines.iter().enumerate() {
                let at = (i * self.nodes + nodes.start) * values.bytes();
                self.file.seek(SeekFrom::Start(self.start + at as u64))?;
                self.file.write_all(&line.bytes)?;
            }
        }
        Ok(needed)
    }

    /// Writes these numbers behind all, and the sum.
    pub(super) fn finish(mut self, memory: &[f64]) -> io::Result<()> {
        self.lines.iter().for_each(|line| self.sum.combine(&line.sum));
        self.file.seek(SeekFrom::End(0))?;
        for number in memory {
            let bytes = number.to_le_bytes();
            self.sum.update(&bytes);
            self.file.write_all(&bytes)?;
        }
        self.file.write_all(&self.sum.finalize().to_le_bytes())
    }
}
