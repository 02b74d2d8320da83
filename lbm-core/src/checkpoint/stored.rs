//! A checkpoint that is read in pieces.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::parse::Parsed;
use super::values::Values;
use super::{Checkpoint, parsed};
use crate::cut::{Transport, compare, on_all_ranks};
use crate::error::Error;

/// A checkpoint on disk that was found whole, and whose values have not been read.
#[derive(Debug)]
pub struct Stored {
    /// What its header says; without values.
    pub header: Checkpoint,
    path: PathBuf,
    file: Mutex<File>,
    start: u64,
    values: Values,
    sum: u32,
}

impl Stored {
    /// Looks through a file.
    ///
    /// # Errors
    /// As [`Checkpoint::read`].
    pub fn open(path: &Path) -> Result<Stored, Error> {
        let Parsed { checkpoint, start, values, sum } = parsed(path, &mut |_, _| ())?;
        let file = File::open(path).map_err(|source| unreadable(path, source))?;
        let (path, file) = (path.to_owned(), Mutex::new(file));
        Ok(Stored { header: checkpoint, path, file, start, values, sum })
    }

    /// The same by all processes that share a flow, each of which reads all of the file.
    ///
    /// # Errors
    /// As [`open`](Stored::open); on all processes [`Error::Unavailable`] where one fails, which it names, and [`Error::Conflict`] where one finds another file.
    pub fn open_shared(path: &Path, processes: &dyn Transport) -> Result<Stored, Error> {
        let stored = on_all_ranks(processes, Stored::open(path))?;
        compare(processes, &["checkpoint"], &[stored.sum])?;
        Ok(stored)
    }

    /// Reads the populations or moments of a piece ([`pieces`](crate::pieces)), as many a node as the header says.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn read(&self, nodes: Range<usize>, piece: &mut [f64]) -> Result<(), Error> {
        self.fill(0, nodes, piece).map_err(|source| unreadable(&self.path, source))
    }

    /// Reads the values of a field, by its place in the header's list.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn read_field(&self, n: usize, nodes: Range<usize>, piece: &mut [f64]) -> Result<(), Error> {
        let first = self.header.state_values() + n;
        self.fill(first, nodes, piece).map_err(|source| unreadable(&self.path, source))
    }

    /// Reads values from the one of this number on.
    fn fill(&self, first: usize, nodes: Range<usize>, piece: &mut [f64]) -> io::Result<()> {
        let all = self.header.size.iter().product::<usize>();
        let (mut bytes, mut read) = (vec![0; nodes.len() * self.values.bytes()], Vec::new());
        for (i, line) in (first..).zip(piece.chunks_mut(nodes.len())) {
            let at = self.start + ((i * all + nodes.start) * self.values.bytes()) as u64;
            {
                let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(at))?;
                file.read_exact(&mut bytes)?;
            }
            read.clear();
            self.values.decode(&bytes, &mut read);
            line.copy_from_slice(&read);
        }
        Ok(())
    }
}

fn unreadable(path: &Path, source: io::Error) -> Error {
    Error::file("read", path, source, "check the path and its permissions")
}
