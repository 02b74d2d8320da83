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
//! | 4 | CRC-32 of all that stands before, little endian |
//!
//! A file has what was stored: populations, or the moments that carry them ([`Holds`]). Populations are shifted post-collision values
//! f*_i - w_i, in the order x, y, z, direction (x fastest), without padding: the canonical form of [`Engine`](crate::Engine),
//! so that a state can be taken up again with another layout, streaming pattern or backend. Moments are in the same order.
//! Bits are kept exactly: values are written in the first of `f16 times 2^15` (IEEE binary16 of the value times 2^15, as 16-bit
//! precisions store it), `f32` and `f64` that is as wide as the storage and holds all of them.
//!
//! Behind these values of all nodes stand those of the fields that the collision reads of each node, in the order of the header's line `fields = `; it has one
//! where there are fields, and only then is the version 4. Version 5 has a line
//! `memory = `, too, where boundary rules remember something ([`Engine::memory`](crate::Engine::memory)). Version 2 knew only populations. Version 1 had no line `values`: they lay in the storage type that `precision` names, f32 or f64.

mod parse;
mod payload;
mod stored;
mod sums;
#[cfg(test)]
mod tests;
mod values;

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use crate::domain::shown;
use crate::error::Error;
use crate::file::write_atomically;
use crate::pieces::Take;
use parse::{Parsed, Refusal, parse};
use payload::Payload;
use sums::Summing;
use values::Values;

pub use stored::Stored;

/// The first bytes of every checkpoint. Like PNG's they break when a transfer rewrites line ends or drops bit 7.
pub const MAGIC: [u8; 8] = *b"\x89LBM\r\n\x1a\n";

/// The newest version of the format that this build writes, that of states in which boundary rules remember something; it reads those before, too.
pub const VERSION: u32 = 5;

/// The version of states with fields of nodes.
const WITH_FIELDS: u32 = 4;

/// The version of states without.
const WITHOUT_FIELDS: u32 = 3;

/// What the header says of the payload, in a line `populations = ` or, behind their number, `moments = `.
const POPULATIONS: &str = "shifted post-collision f - w, order x,y,z,direction, little endian";
const MOMENTS: &str =
    "of shifted post-collision f - w: isotropic, momentum, second order, order x,y,z,moment, little endian";

/// A header is a few hundred bytes; a longer one is damage.
const LONGEST_HEADER: u32 = 1 << 16;

/// Bytes of the payload that are converted at a time.
const CHUNK: usize = 1 << 16;

/// Hands out values, piece after piece, to whom it is given.
pub type HandOut<'a> = &'a dyn Fn(Take<'_>) -> Result<(), Error>;

/// Reads a file from its start to its end, and has bytes of the payload taken.
fn parsed(path: &Path, take: &mut dyn FnMut(Values, &[u8])) -> Result<Parsed, Error> {
    let unreadable = |source| Error::file("read", path, source, "check the path and its permissions");
    let file = File::open(path).map_err(unreadable)?;
    let found = file.metadata().map_err(unreadable)?.len();
    match parse(BufReader::with_capacity(CHUNK, file), found, take) {
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
    /// So many moments that carry these, in the order of [`Body::MOMENTS`](crate::Body::MOMENTS).
    Moments(usize),
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
        let mut values = Values::of_bytes(bytes);
        loop {
            match self.attempt(path, values, hand_out)? {
                None => return Ok(()),
                Some(wider) => values = wider,
            }
        }
    }

    /// Writes the state with values of this type; or nothing, if they need a wider one, which it then gives.
    fn attempt(&self, path: &Path, values: Values, hand_out: HandOut<'_>) -> Result<Option<Values>, Error> {
        let header = self.header(values)?;
        let nodes = self.size.iter().product::<usize>();
        let (mut failed, mut wider) = (None, values);
        let written = write_atomically(path, |file| {
            let mut start = Summing::new(&mut *file);
            start.write_all(&MAGIC)?;
            start.write_all(&self.version().to_le_bytes())?;
            start.write_all(&(header.len() as u32).to_le_bytes())?;
            start.write_all(header.as_bytes())?;
            let mut payload = Payload::new(start.into_hasher(), values, nodes, self.values_a_node(), file)?;
            let all = hand_out(&mut |nodes, piece| {
                // What is written in too narrow a type is thrown away; what follows tells only how wide it has to be.
                let put =
                    if wider == values { payload.put(nodes, piece) } else { Ok(wider.widened_to(piece)) };
                wider = put.map_err(|source| Error::file("write", path, source, ""))?;
                Ok(())
            });
            match all {
                Ok(()) if wider == values => payload.finish(&self.memory),
                Ok(()) => Err(io::Error::other("the values need a wider type")),
                Err(Error::File { source, .. }) => Err(source),
                Err(error) => {
                    failed = Some(error);
                    Err(io::Error::other("the values could not be had"))
                }
            }
        });
        match failed {
            Some(error) => Err(error),
            None if wider != values => Ok(Some(wider)),
            None => written.map(|()| None),
        }
    }

    /// The oldest version that says all of it.
    fn version(&self) -> u32 {
        match (self.memory.is_empty(), self.fields.is_empty()) {
            (true, true) => WITHOUT_FIELDS,
            (true, false) => WITH_FIELDS,
            (false, _) => VERSION,
        }
    }

    /// How many values a node has, those of fields among them.
    #[must_use]
    pub fn values_a_node(&self) -> usize {
        self.state_values() + self.fields.len()
    }

    /// How many a node has without them.
    #[must_use]
    pub fn state_values(&self) -> usize {
        match self.holds {
            Holds::Populations => self.directions,
            Holds::Moments(count) => count,
        }
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

    fn header(&self, values: Values) -> Result<String, Error> {
        let names = self.parameters.iter().map(|(name, _)| name);
        for name in names.chain(&self.fields).chain([&self.variant, &self.lattice, &self.precision]) {
            check_name(name)?;
        }
        let mut header = format!(
            "variant = {}\nlattice = {}\nsize = {}\ndirections = {}\nprecision = {}\nvalues = {}\n\
             {}\nstep = {}\n",
            self.variant,
            self.lattice,
            shown(self.size),
            self.directions,
            self.precision,
            values.name(),
            match self.holds {
                Holds::Populations => format!("populations = {POPULATIONS}"),
                Holds::Moments(count) => format!("moments = {count} {MOMENTS}"),
            },
            self.step
        );
        if self.version() >= WITH_FIELDS {
            header += &format!("fields = {}\n", self.fields.join(", "));
        }
        if !self.memory.is_empty() {
            header += &format!("memory = {}\n", self.memory.len());
        }
        for (name, value) in &self.parameters {
            header += &format!("parameter {name} = {:#018x} ({value:e})\n", value.to_bits());
        }
        if header.len() > LONGEST_HEADER as usize {
            return Err(Error::conflict(
                format!("the header would have {} bytes, more than {LONGEST_HEADER}", header.len()),
                "take fewer parameters or shorter names",
            ));
        }
        Ok(header)
    }
}
