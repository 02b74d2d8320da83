//! Node programs: all that is compiled of a body, for each precision and width of vectors.
//!
//! A program goes over a *run* of nodes of which each value lies in consecutive places, and is handed where these begin: it knows no
//! streaming pattern, no layout and no addressing. All lanes of a vector are loaded before any is stored, since in one copy nodes
//! write where they read.

use lbm_core::links::half_way;
use lbm_core::{Body, Error, Facts, Lattice, Precision, Real};

use crate::copies::copy_values;
use crate::derivations::Derivations;
use crate::dispatch::{at_level, in_vectors};
use crate::lanes::is_plain;
use crate::macroscopic::Macroscopic;
use crate::meeting::{Collides, Gathers, InLines, Meet, MeetApart, MeetPastCaches, Meeting, Stored};
use crate::of_moments::{Rebuild, RebuildAndMeet, Send, Stay};
use crate::run::{MOST_MOMENTS, Program};
use crate::simd::SimdLevel;
use crate::uniforms::narrowed;

/// What is compiled of a body in a precision, for the vectors of a level.
#[derive(Clone, Copy)]
pub(crate) struct Programs {
    /// Populations meet in a node and collide; they leave, or the moments that carry them stay.
    pub(crate) meet: Program,
    /// The same where what is taken and what is left lie in two copies, and the first line of a run may be taken elsewhere
    /// ([`Run::ends`](crate::run::Run::ends)). None without vectors, which only checks and old machines do, and none for moments.
    pub(crate) meet_apart: Option<Program>,
    /// The same of lines of the arithmetic type.
    pub(crate) meet_in_lines: Program,
    /// The same as [`meet_apart`](Programs::meet_apart), but stores past the caches, moments too.
    pub(crate) meet_past_caches: Option<Program>,
    /// Those of moments, where these are stored.
    pub(crate) of_moments: Option<OfMoments>,
    /// Those that derive fields before nodes collide, if there are some.
    pub(crate) derivations: Option<Derivations>,
    /// Density and velocity of nodes whose populations wait in lines of f64; none where moments are stored.
    pub(crate) macroscopic: Option<Program>,
    /// How values are moved.
    pub(crate) values: Values,
}

impl Programs {
    /// Those of moments.
    ///
    /// # Panics
    /// Never where moments are stored: who asks has looked.
    pub(crate) fn of_moments(&self) -> &OfMoments {
        self.of_moments.as_ref().expect("where moments are stored there are programs of moments")
    }
}

/// What is compiled of a body whose moments carry what it collides to.
#[derive(Clone, Copy)]
pub(crate) struct OfMoments {
    /// Populations meet that are rebuilt from moments.
    pub(crate) rebuild_and_meet: Program,
    /// Nodes send out the populations that their moments carry.
    pub(crate) send: Program,
    /// Rebuilds one direction of each node, from moments behind the first input to a line of the arithmetic type.
    pub(crate) rebuild: Program,
}

/// How single values of a precision are moved, without their types.
#[derive(Clone, Copy)]
pub(crate) struct Values {
    /// The number at an offset.
    pub(crate) read: unsafe fn(*const u8, usize) -> f64,
    /// So many numbers from an offset on, which lie so many values apart.
    pub(crate) widen: unsafe fn(*const u8, [usize; 2], *mut f64, usize),
    /// Rounds a number to the arithmetic type and then to storage, and puts it at an offset.
    pub(crate) write: unsafe fn(*mut u8, usize, f64),
    /// Decodes values that lie so many values apart to a line of the arithmetic type.
    pub(crate) decode: unsafe fn(*const u8, usize, *mut u8, usize),
    /// What comes back from a wall: so many values of a line, and a term.
    pub(crate) add_term: unsafe fn(*mut u8, usize, f64),
    /// Rebuilds a direction of one node, each of whose moments lies where an input says.
    pub(crate) rebuild: unsafe fn(usize, &[*const u8; MOST_MOMENTS], *mut u8),
    /// Rounds a value of a line to what it were if it had been stored.
    pub(crate) as_stored: unsafe fn(*mut u8),
}

impl Values {
    /// What a node has sent along direction `i`, whose moments lie there; where it is on its way it is what it were if it had been stored.
    ///
    /// # Safety
    /// The moments can be read, and there is room for a number of the arithmetic type.
    pub(crate) unsafe fn rebuild_sent(
        &self,
        i: usize,
        moments: &[*const u8; MOST_MOMENTS],
        is_on_its_way: bool,
        to: *mut u8,
    ) {
        // SAFETY: as the caller says.
        unsafe {
            (self.rebuild)(i, moments, to);
            if is_on_its_way {
                (self.as_stored)(to);
            }
        }
    }
}

/// A body's coefficients in the arithmetic type, as bytes.
pub(crate) type Narrowed = fn(&[f64]) -> Vec<u64>;

/// The machine code of a body in a precision, at every level: what a solver's crate compiles for the CPU.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// What facts must agree with: names of lattice and precision, how many uniforms and moments there are.
    body: (&'static str, &'static str, usize, usize),
    pub(crate) at: fn(SimdLevel, bool) -> Programs,
    pub(crate) narrowed: Narrowed,
}

impl Code {
    /// Refuses facts of another body or precision: programs would reach beyond their memory.
    ///
    /// # Errors
    /// [`Error::Conflict`].
    pub(crate) fn check(&self, facts: &Facts) -> Result<(), Error> {
        let body = (facts.lattice.name, facts.precision.name, facts.body.uniform_count, facts.body.moments);
        if body == self.body {
            return Ok(());
        }
        Err(Error::conflict(
            format!(
                "machine code of {} in {} does not serve {} in {}",
                self.body.0, self.body.1, body.0, body.1
            ),
            "take `Code::of` of the same body and precision as the facts",
        ))
    }

    /// That of a body in a precision.
    #[must_use]
    pub fn of<B: Body, P: Precision>() -> Code {
        let uniforms = size_of::<B::Uniforms<f64>>() / size_of::<f64>();
        let body = (B::Lattice::NAME, P::NAME, uniforms, B::MOMENTS);
        Code { body, at: programs::<B, P>, narrowed: narrowed_bytes::<B, P> }
    }
}

/// The programs at a level, for populations or for moments.
fn programs<B: Body, P: Precision>(level: SimdLevel, of_moments: bool) -> Programs {
    // A body without moments has no programs of theirs: nothing is compiled of what a constant rules out.
    if const { B::MOMENTS == 0 } { of_populations::<B, P>(level) } else { either::<B, P>(level, of_moments) }
}

/// Those of a body that has moments.
fn either<B: Body, P: Precision>(level: SimdLevel, of_moments: bool) -> Programs {
    if !of_moments {
        return of_populations::<B, P>(level);
    }
    let meet = at_level::<Meet<B, P, Stored<P>, Gathers>>(level);
    let of_moments = OfMoments {
        rebuild_and_meet: at_level::<RebuildAndMeet<B, P, Stay>>(level),
        send: at_level::<Send<B, P>>(level),
        rebuild: at_level::<Rebuild<B, P>>(level),
    };
    Programs {
        meet,
        meet_apart: None,
        meet_in_lines: in_lines::<B, P, Gathers>(level, meet),
        meet_past_caches: in_vectors::<MeetPastCaches<B, P, Gathers>>(level),
        of_moments: Some(of_moments),
        derivations: Derivations::of::<B, P>(level),
        macroscopic: None,
        values: values::<B, P>(),
    }
}

/// Those of populations.
fn of_populations<B: Body, P: Precision>(level: SimdLevel) -> Programs {
    let meet = at_level::<Meet<B, P, Stored<P>, Collides>>(level);
    Programs {
        meet,
        meet_apart: in_vectors::<MeetApart<B, P, Collides>>(level),
        meet_in_lines: in_lines::<B, P, Collides>(level, meet),
        meet_past_caches: in_vectors::<MeetPastCaches<B, P, Collides>>(level),
        of_moments: None,
        derivations: Derivations::of::<B, P>(level),
        macroscopic: Some(at_level::<Macroscopic<B>>(level)),
        values: values::<B, P>(),
    }
}

/// The program that takes lines of the arithmetic type: the other one where values are stored like that.
fn in_lines<B: Body, P: Precision, M: Meeting>(level: SimdLevel, meet: Program) -> Program {
    if is_plain::<P>() { meet } else { at_level::<Meet<B, P, InLines<P>, M>>(level) }
}

fn values<B: Body, P: Precision>() -> Values {
    Values {
        read: read::<P>,
        widen: widen::<P>,
        write: write::<P>,
        decode: decode::<P>,
        add_term: add_term::<P>,
        rebuild: rebuild::<B, P>,
        as_stored: as_stored::<P>,
    }
}

fn narrowed_bytes<B: Body, P: Precision>(uniforms: &[f64]) -> Vec<u64> {
    let narrow = narrowed::<B, P::Arithmetic>(uniforms);
    let mut bytes = vec![0u64; size_of_val(&narrow).div_ceil(8)];
    // SAFETY: there is room for the coefficients, and numbers are plain bytes.
    unsafe { bytes.as_mut_ptr().cast::<B::Uniforms<P::Arithmetic>>().write(narrow) };
    bytes
}

/// # Safety
/// The value can be read.
unsafe fn read<P: Precision>(copy: *const u8, at: usize) -> f64 {
    // SAFETY: as the caller says.
    P::decode(unsafe { copy.cast::<P::Storage>().add(at).read() }).to_f64()
}

/// # Safety
/// The values can be read, and there is room for so many numbers.
unsafe fn widen<P: Precision>(copy: *const u8, [at, apart]: [usize; 2], to: *mut f64, count: usize) {
    // SAFETY: as the caller says.
    let from = unsafe { copy.cast::<P::Storage>().add(at) };
    // SAFETY: as the caller says.
    let widen = |k: usize, apart: usize| unsafe {
        to.add(k).write(P::decode(from.add(k * apart).read()).to_f64());
    };
    // Values side by side are widened by vectors.
    match apart {
        1 => (0..count).for_each(|k| widen(k, 1)),
        _ => (0..count).for_each(|k| widen(k, apart)),
    }
}

/// # Safety
/// The value can be written.
unsafe fn write<P: Precision>(copy: *mut u8, at: usize, value: f64) {
    let stored = P::encode(P::Arithmetic::from_f64(value));
    // SAFETY: as the caller says.
    unsafe { copy.cast::<P::Storage>().add(at).write(stored) };
}

/// # Safety
/// The moments can be read, and the value can be written.
unsafe fn rebuild<B: Body, P: Precision>(i: usize, moments: &[*const u8; MOST_MOMENTS], to: *mut u8) {
    // SAFETY: as the caller says.
    unsafe {
        let value = B::rebuild(i, |n| P::decode(moments[n].cast::<P::Storage>().read()));
        to.cast::<P::Arithmetic>().write(value);
    }
}

/// # Safety
/// The values can be read, and the line has room for them.
unsafe fn decode<P: Precision>(from: *const u8, stride: usize, line: *mut u8, count: usize) {
    let bytes = size_of::<P::Storage>();
    if is_plain::<P>() {
        // SAFETY: as the caller says; both types are one.
        return unsafe { copy_values(from, stride * bytes, line, bytes, count, bytes) };
    }
    let (from, line) = (from.cast::<P::Storage>(), line.cast::<P::Arithmetic>());
    for k in 0..count {
        // SAFETY: as the caller says.
        unsafe { line.add(k).write(P::decode(from.add(k * stride).read())) };
    }
}

/// # Safety
/// The values can be read and written.
unsafe fn add_term<P: Precision>(values: *mut u8, count: usize, term: f64) {
    let (values, term) = (values.cast::<P::Arithmetic>(), P::Arithmetic::from_f64(term));
    for k in 0..count {
        // SAFETY: as the caller says.
        unsafe { values.add(k).write(half_way(values.add(k).read(), term)) };
    }
}

/// # Safety
/// The value can be read and written.
unsafe fn as_stored<P: Precision>(value: *mut u8) {
    let value = value.cast::<P::Arithmetic>();
    // SAFETY: as the caller says.
    unsafe { value.write(P::decode(P::encode(value.read()))) };
}
