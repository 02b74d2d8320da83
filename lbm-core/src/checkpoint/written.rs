//! Writing a checkpoint: all processes that share a flow write what they have of it into one file, and the first one gives it its name.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::chunks;
use super::payload::Payload;
use super::values::Values;
use super::{Checkpoint, HandOutRuns, MAGIC, VERSION};
use crate::cut::{Transport, on_all_ranks};
use crate::error::Error;
use crate::file::{next_number, sync_folder, temporary_name};

/// The file under its temporary name, which goes with it if it is not finished.
struct Temporary<'a> {
    name: PathBuf,
    path: &'a Path,
    /// Whether this process made it.
    is_ours: bool,
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if self.is_ours {
            // The failure to report is the first one; a leftover is only untidy.
            let _ = fs::remove_file(&self.name);
        }
    }
}

impl Temporary<'_> {
    fn failed(&self, source: std::io::Error) -> Error {
        let remedy =
            "check that the folder exists, can be written, is the same for all ranks, and has room left";
        Error::file("write", self.path, source, remedy)
    }
}

impl Checkpoint {
    /// Writes the state with values of this type; or nothing, if they need a wider one, which it then gives.
    pub(super) fn attempt(
        &self,
        path: &Path,
        values: Values,
        processes: &dyn Transport,
        hand_out: HandOutRuns<'_>,
    ) -> Result<Option<Values>, Error> {
        let header = on_all_ranks(processes, self.header(values))?;
        let length = (header.len() as u32).to_le_bytes();
        let head = [&MAGIC[..], &VERSION.to_le_bytes(), &length, header.as_bytes()].concat();
        let nodes = self.size.iter().product::<usize>();
        let payload = (self.values_a_node() * nodes * values.bytes() + 8 * self.memory.len()) as u64;

        // The first one makes the file, then the others find it.
        let is_first = processes.rank() == 0;
        let mut number = next_number();
        processes.share(0, number.as_flattened_mut())?;
        let mut temporary = Temporary { name: temporary_name(path, number), path, is_ours: is_first };
        let made = if is_first { Some(make(&temporary, &head, payload)) } else { None };
        let made = on_all_ranks(processes, made.transpose())?;
        let found = made.map_or_else(|| OpenOptions::new().write(true).open(&temporary.name), Ok);
        let found = found.map_err(|source| temporary.failed(source));
        let mut file = on_all_ranks(processes, found)?;

        let start = head.len() as u64;
        let mut own = Payload::new(&mut file, start, values, nodes, self.values_a_node(), payload);
        let mut needed = values;
        let put = hand_out(&mut |first, runs, piece| {
            // What is written in too narrow a type is thrown away; what follows tells only how wide it has to be.
            let put =
                if needed == values { own.put(first, runs, piece) } else { Ok(needed.widened_to(piece)) };
            needed = put.map_err(|source| temporary.failed(source))?;
            Ok(())
        });
        let put = put.and_then(|()| {
            let memory = if is_first { own.remember(&self.memory) } else { Ok(()) };
            memory.map_err(|source| temporary.failed(source))
        });
        let mut all = own.chunks;
        let put = put.and_then(|()| file.sync_all().map_err(|source| temporary.failed(source)));
        on_all_ranks(processes, put)?;
        let needed = widest(processes, needed)?;
        if needed != values {
            return Ok(Some(needed));
        }

        gather(processes, &mut all)?;
        let finished =
            if is_first { finish(&mut temporary, &mut file, &head, payload, &all) } else { Ok(()) };
        on_all_ranks(processes, finished).map(|()| None)
    }
}

/// Makes the file, as long as it will be.
fn make(temporary: &Temporary<'_>, head: &[u8], payload: u64) -> Result<File, Error> {
    let made = File::create_new(&temporary.name).and_then(|mut file| {
        file.set_len(head.len() as u64 + payload + 4 * chunks::count(payload) + 4)?;
        file.write_all(head)?;
        Ok(file)
    });
    made.map_err(|source| temporary.failed(source))
}

/// Writes the checksums behind all, and gives the file its name.
fn finish(
    temporary: &mut Temporary<'_>,
    file: &mut File,
    head: &[u8],
    payload: u64,
    all: &chunks::Chunks,
) -> Result<(), Error> {
    let sums: Vec<u8> = all.sums().flat_map(u32::to_le_bytes).collect();
    let last = crc32fast::hash(&[head, &sums].concat()).to_le_bytes();
    let finished = file
        .seek(SeekFrom::Start(head.len() as u64 + payload))
        .and_then(|_| file.write_all(&[&sums[..], &last].concat()))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&temporary.name, temporary.path));
    finished.map_err(|source| temporary.failed(source))?;
    temporary.is_ours = false;
    sync_folder(temporary.path);
    Ok(())
}

/// The widest type that a process needs.
fn widest(processes: &dyn Transport, own: Values) -> Result<Values, Error> {
    let mut widest = own;
    for rank in 0..processes.ranks() {
        let mut bytes = [own.bytes() as u8];
        processes.share(rank, &mut bytes)?;
        widest = widest.max(Values::of_bytes(bytes[0].into()));
    }
    Ok(widest)
}

/// Has the first process know what all others give to checksums.
fn gather(processes: &dyn Transport, all: &mut chunks::Chunks) -> Result<(), Error> {
    let own = all.to_bytes();
    for rank in 1..processes.ranks() {
        let mut theirs = vec![0; if processes.rank() == 0 { own.len() } else { 0 }];
        let mut arriving = [(rank, &mut theirs[..])];
        let (leaving, arriving) = match processes.rank() {
            0 => (&[][..], &mut arriving[..]),
            sender if sender == rank => (&[(0, &own[..])][..], &mut [][..]),
            _ => (&[][..], &mut [][..]),
        };
        processes.exchange(leaving, arriving)?;
        all.add_bytes(&theirs);
    }
    Ok(())
}
