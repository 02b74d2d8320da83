//! The values of a checkpoint, written in pieces of nodes where the file has value after value.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;

use super::chunks::{Chunks, Share};
use super::values::Values;
use crate::parallel::each_chunk;

/// The payload as a process writes its part of it.
pub(super) struct Payload<'a> {
    file: &'a mut File,
    start: u64,
    values: Values,
    nodes: usize,
    pub(super) chunks: Chunks,
    /// The values of a node, one by one.
    lines: Vec<Line>,
}

/// One value of some nodes.
#[derive(Clone)]
struct Line {
    bytes: Vec<u8>,
    /// What they give to checksums.
    shares: Vec<Share>,
    /// The type that they need.
    needs: Values,
}

impl<'a> Payload<'a> {
    /// A payload that begins there, of so many nodes with `count` values each and so many bytes in all.
    pub(super) fn new(
        file: &'a mut File,
        start: u64,
        values: Values,
        nodes: usize,
        count: usize,
        bytes: u64,
    ) -> Payload<'a> {
        let lines = vec![Line { bytes: Vec::new(), shares: Vec::new(), needs: values }; count];
        Payload { file, start, values, nodes, chunks: Chunks::new(bytes), lines }
    }

    /// Writes values of nodes in these ranges, from the value of this number on, encoded on all cores; or nothing, if they need a wider type.
    /// Tells the type that they need.
    pub(super) fn put(&mut self, first: usize, runs: &[Range<usize>], piece: &[f64]) -> io::Result<Values> {
        let (values, count) = (self.values, runs.iter().map(Range::len).sum::<usize>());
        if count == 0 {
            return Ok(values);
        }
        let (chunks, nodes, lines) = (&self.chunks, self.nodes, piece.len() / count);
        let place = |line: usize, run: &Range<usize>| ((line * nodes + run.start) * values.bytes()) as u64;
        let lines = &mut self.lines[first..first + lines];
        each_chunk(lines, 1, |number, lines| {
            for (line, piece) in lines.iter_mut().zip(piece[number * count..].chunks(count)) {
                line.needs = values.widened_to(piece);
                if line.needs == values {
                    line.bytes.clear();
                    line.shares.clear();
                    values.encode(piece, &mut line.bytes);
                    for (run, bytes) in of_runs(runs, values, &line.bytes) {
                        line.shares.extend(chunks.shares(place(first + number, run), bytes));
                    }
                }
            }
        });
        let needed = lines.iter().map(|line| line.needs).max().unwrap_or(values);
        if needed == values {
            for (number, line) in lines.iter_mut().enumerate() {
                for (run, bytes) in of_runs(runs, values, &line.bytes) {
                    self.file.seek(SeekFrom::Start(self.start + place(first + number, run)))?;
                    self.file.write_all(bytes)?;
                }
                self.chunks.add(line.shares.drain(..));
            }
        }
        Ok(needed)
    }

    /// Writes these numbers behind all values.
    pub(super) fn remember(&mut self, memory: &[f64]) -> io::Result<()> {
        let at = (self.lines.len() * self.nodes * self.values.bytes()) as u64;
        let bytes: Vec<u8> = memory.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.chunks.add(self.chunks.shares(at, &bytes));
        self.file.seek(SeekFrom::Start(self.start + at))?;
        self.file.write_all(&bytes)
    }
}

/// The bytes of each run among those of all.
fn of_runs<'a>(
    runs: &'a [Range<usize>],
    values: Values,
    mut bytes: &'a [u8],
) -> impl Iterator<Item = (&'a Range<usize>, &'a [u8])> {
    runs.iter().map(move |run| {
        let (own, behind) = bytes.split_at(run.len() * values.bytes());
        bytes = behind;
        (run, own)
    })
}
