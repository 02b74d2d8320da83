//! A state on disk: self-describing, versioned, checksummed, written whole or not at all.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 4 | format version, little endian |
//! | 4 | length of the header in bytes, little endian |
//! | header | lines `key = value`, UTF-8; `head -c 700 FILE` shows them |
//! | values x nodes x 2, 4 or 8 | the values of all nodes, little endian, in the type that the header's `values` names |
//! | numbers x 8 | as many f64 as the header's `memory` says, little endian: what boundary rules remember |
//! | chunks x 4 | CRC-32 of each 2^20 bytes of these values and numbers, little endian; the last chunk may be shorter |
//! | 4 | CRC-32 of all up to the values and of the checksums before it, little endian |
//!
//! A file has what was stored: populations, or the moments that carry them ([`Holds`]). Populations are shifted post-collision values
//! f*_i - w_i, in the order x, y, z, direction (x fastest), without padding: the canonical form of [`Engine`](crate::Engine),
//! so that a state can be taken up again with another layout, streaming pattern or backend. Moments are in the same order; those of second order any
//! collision goes on from, those about the velocity only one that stores the same.
//! Bits are kept exactly: values are written in the first of `f16 times 2^15` (IEEE binary16 of the value times 2^15, as 16-bit
//! precisions store it), `f32` and `f64` that is as wide as the storage and holds all of them.
//!
//! Behind these values of all nodes stand those of the fields that the collision reads of each node, in the order of the header's line `fields = `. What boundary
//! rules remember ([`Engine::memory`](crate::Engine::memory)) stands behind all.
//!
//! Several processes that share a flow write one file, each the values of its nodes; it has the bytes that one process writes, and any number of
//! processes reads it. Since a checksum is that of a chunk, no process needs the bytes of another one for it.
//!
//! Files of versions before are read: up to version 5 they had one CRC-32 of all that stands before it instead. Version 5 was for states in which rules remember
//! something, 4 for those with fields of nodes and 3 for others, without the header's lines `memory = ` and `fields = `. Version 2 knew only populations.
//! Version 1 had no line `values`: they lay in the storage type that `precision` names, f32 or f64.

mod checked;
mod chunks;
mod header;
mod parse;
mod payload;
mod stored;
mod sums;
#[cfg(test)]
mod tests;
mod values;
mod written;

use std::fs::File;
use std::io::BufReader;
use std::ops::Range;
use std::path::Path;

use crate::cut::{Alone, Transport};
use crate::domain::shown;
use crate::error::Error;
use crate::pieces::Take;
use parse::{Parsed, Refusal, parse};
use values::Values;

pub use stored::Stored;

/// The first bytes of every checkpoint. Like PNG's they break when a transfer rewrites line ends or drops bit 7.
pub const MAGIC: [u8; 8] = *b"\x89LBM\r\n\x1a\n";

/// The version of the format that this build writes; it reads those before, too.
pub const VERSION: u32 = 6;

/// What the header says of the payload, in a line `populations = ` or, behind their number, `moments = `.
const POPULATIONS: &str = "shifted post-collision f - w, order x,y,z,direction, little endian";
const MOMENTS: &str =
    "of shifted post-collision f - w: isotropic, momentum, second order, order x,y,z,moment, little endian";
const MOMENTS_ABOUT_VELOCITY: &str = "of shifted post-collision f - w: density, momentum, second order about the velocity, order x,y,z,moment, little endian";

/// A header is a few hundred bytes; a longer one is damage.
const LONGEST_HEADER: u32 = 1 << 16;

/// Bytes of the payload that are converted at a time.
const AT_ONCE: usize = 1 << 16;

/// Bytes of the payload that have a checksum.
const CHUNK: u64 = 1 << 20;

/// Hands out values, piece after piece, to whom it is given.
pub type HandOut<'a> = &'a dyn Fn(Take<'_>) -> Result<(), Error>;

/// Takes values of nodes in some ranges, value after value, from the value of a number on.
pub type PutRuns<'a> = &'a mut dyn FnMut(usize, &[Range<usize>], &[f64]) -> Result<(), Error>;

/// Hands out values of ranges of nodes, in any order, to whom it is given.
pub type HandOutRuns<'a> = &'a dyn Fn(PutRuns<'_>) -> Result<(), Error>;

/// Reads a file from its start to its end, and has bytes of the payload taken.
fn parsed(path: &Path, take: &mut dyn FnMut(Values, &[u8])) -> Result<Parsed, Error> {
    let unreadable = |source| Error::file("read", path, source, "check the path and its permissions");
    let file = File::open(path).map_err(unreadable)?;
    let found = file.metadata().map_err(unreadable)?.len();
    match parse(BufReader::with_capacity(AT_ONCE, file), found, take) {
        Ok(parsed) => Ok(parsed),
        Err(Refusal::System(source)) => Err(unreadable(source)),
        Err(Refusal::Format(what, remedy)) => {
            Err(Error::Format { path: path.to_owned(), what, remedy: remedy.to_owned() })
        }
    }
}

/// What a state has of each node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Its shifted post-collision populations, one a direction.
    Populations,
    /// So many moments that carry these, in the order of [`Body::MOMENTS`](crate::Body::MOMENTS), those of second order that are said there.
    Moments(usize),
    /// So many of a collision whose second moments are about the fluid's velocity ([`SetMoments::Recursive`](crate::SetMoments::Recursive)).
    MomentsAboutVelocity(usize),
}

impl Holds {
    /// How many moments these are, unless they are populations.
    #[must_use]
    pub const fn moments(self) -> Option<usize> {
        match self {
            Holds::Populations => None,
            Holds::Moments(count) | Holds::MomentsAboutVelocity(count) => Some(count),
        }
    }
}

/// A state of a simulation and what is needed to take it up again.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Checkpoint {
    /// The variant that wrote it, e.g. `d2q9-bgk-f64-soa-dense-two-lattice-pull`.
    pub variant: String,
    /// The lattice, e.g. `D2Q9`.
    pub lattice: String,
    /// Its number of directions.
    pub directions: usize,
    /// Nodes along x, y, z.
    pub size: [usize; 3],
    /// The precision's name, e.g. `f16in32`.
    pub precision: String,
    /// What the values are.
    pub holds: Holds,
    /// Time steps done.
    pub step: u64,
    /// Names and values of the collision's parameters when the populations collided, lattice units, and of numbers that a simulation keeps
    /// beside its flow.
    pub parameters: Vec<(String, f64)>,
    /// The names of the fields that the collision reads of each node.
    pub fields: Vec<String>,
    /// What boundary rules remember ([`Engine::memory`](crate::Engine::memory)).
    pub memory: Vec<f64>,
    /// The values of all nodes: population or moment i of a node at index `x + nx (y + ny (z + nz i))`, and behind the last of them
    /// the values of the fields in the same way.
    pub values: Vec<f64>,
}

/// Refuses a name that cannot stand in a header, in a line `name = value`.
///
/// # Errors
/// [`Error::Conflict`].
pub fn check_name(name: &str) -> Result<(), Error> {
    if name.is_empty() || name.contains(['\n', '\r', '=']) || name.trim() != name {
        return Err(Error::conflict(
            format!("the name {name:?} cannot stand in a checkpoint's header"),
            "take one without line breaks, `=` and outer blanks",
        ));
    }
    Ok(())
}

impl Checkpoint {
    /// One of step 0 that nobody named, without values: of a box of so many nodes, with so many directions.
    #[must_use]
    pub fn new(
        lattice: &str,
        directions: usize,
        size: [usize; 3],
        precision: &str,
        holds: Holds,
    ) -> Checkpoint {
        Checkpoint {
            variant: String::new(),
            lattice: lattice.to_owned(),
            directions,
            size,
            precision: precision.to_owned(),
            holds,
            step: 0,
            parameters: Vec::new(),
            fields: Vec::new(),
            memory: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Writes the state through a temporary file, so that an older checkpoint at `path` is replaced by a whole
    /// one or not at all.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be written; [`Error::Conflict`] if the values do not fit the size, or a name
    /// cannot stand in a header line.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let (nodes, found) = (self.size.iter().product::<usize>(), self.values.len());
        let expected = self.values_a_node().checked_mul(nodes);
        if expected != Some(found) || found == 0 {
            let what =
                format!("{found} values are not {} a node of {}", self.values_a_node(), shown(self.size));
            return Err(Error::conflict(what, "give those of every node of the box"));
        }
        self.write_from(path, 0, &|take| take(0..nodes, &self.values))
    }

    /// Writes the state with the values that `hand_out` gives to whom it is handed, instead of those that are held here, in a type of
    /// at least so many bytes. If one of them does not fit that type `hand_out` is asked again, and must give the same.
    ///
    /// # Errors
    /// As [`write`](Checkpoint::write), and those of `hand_out`.
    pub fn write_from(&self, path: &Path, bytes: usize, hand_out: HandOut<'_>) -> Result<(), Error> {
        self.write_shared(path, bytes, &Alone, &|put| {
            hand_out(&mut |nodes, values| put(0, std::slice::from_ref(&nodes), values))
        })
    }

    /// The same by all processes that share the flow, of which each hands out what it has: together each value of each node once. They name the same
    /// file, of a folder that all of them see. It has the bytes that one process writes. If one process fails, an older file stays as it was, and
    /// all have the error.
    ///
    /// # Errors
    /// As [`write_from`](Checkpoint::write_from); [`Error::Unavailable`] on all processes where one of them fails, which it names.
    pub fn write_shared(
        &self,
        path: &Path,
        bytes: usize,
        processes: &dyn Transport,
        hand_out: HandOutRuns<'_>,
    ) -> Result<(), Error> {
        let mut values = Values::of_bytes(bytes);
        while let Some(wider) = self.attempt(path, values, processes, hand_out)? {
            values = wider;
        }
        Ok(())
    }

    /// How many values a node has, those of fields among them.
    #[must_use]
    pub fn values_a_node(&self) -> usize {
        self.state_values() + self.fields.len()
    }

    /// How many a node has without them.
    #[must_use]
    pub fn state_values(&self) -> usize {
        self.holds.moments().unwrap_or(self.directions)
    }

    /// Reads a state.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be read; [`Error::Format`] if it is not a checkpoint, of another
    /// version, truncated or damaged.
    pub fn read(path: &Path) -> Result<Checkpoint, Error> {
        let mut values = Vec::new();
        let Parsed { checkpoint, .. } = parsed(path, &mut |lie, bytes| lie.decode(bytes, &mut values))?;
        Ok(Checkpoint { values, ..checkpoint })
    }

    /// Checks that the state read from `path` belongs to a simulation of this lattice, size and precision. The
    /// rest of the variant may differ: values are written in a form that all layouts and schemes share.
    ///
    /// # Errors
    /// [`Error::Format`] that names both the file's and the simulation's value.
    pub fn check_fits(
        &self,
        path: &Path,
        lattice: &str,
        size: [usize; 3],
        precision: &str,
    ) -> Result<(), Error> {
        let sizes = [shown(self.size), shown(size)];
        let pairs = [
            ("lattice", self.lattice.as_str(), lattice),
            ("size", sizes[0].as_str(), sizes[1].as_str()),
            ("precision", self.precision.as_str(), precision),
        ];
        match pairs.into_iter().find(|(_, theirs, ours)| theirs != ours) {
            None => Ok(()),
            Some((what, theirs, ours)) => Err(Error::Format {
                path: path.to_owned(),
                what: format!("the checkpoint has {what} {theirs}, the simulation {ours}"),
                remedy: format!("build the simulation with the checkpoint's {what}, or start from step 0"),
            }),
        }
    }
}
