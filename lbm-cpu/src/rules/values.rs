//! The values of rules: what these are given, and what is kept, observed or remembered for them.

use lbm_core::facts::Arithmetics;
use lbm_core::rules::{self, Remembered};
use lbm_core::{Error, Facts};

use super::Rules;
use crate::memory::{CACHE_LINE, Memory};

/// Values of nodes, and of links, in the arithmetic type. Those that are kept, observed, or remembered change with every step.
pub(super) struct Values {
    of_nodes: Memory<u8>,
    of_links: Memory<u8>,
    /// Bytes of a value.
    pub(super) bytes: usize,
}

impl Values {
    /// These, rounded to an arithmetic type.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if the system refuses the memory.
    pub(super) fn of(arithmetic: Arithmetics, of_nodes: &[f64]) -> Result<Values, Error> {
        let (of_nodes, of_links) = (in_memory(arithmetic, of_nodes)?, Memory::zeroed(0, 0)?);
        Ok(Values { of_nodes, of_links, bytes: arithmetic.bytes() })
    }

    /// Has links these values.
    ///
    /// # Errors
    /// As [`Values::of`].
    pub(super) fn lay_links(&mut self, arithmetic: Arithmetics, values: &[f64]) -> Result<(), Error> {
        self.of_links = in_memory(arithmetic, values)?;
        Ok(())
    }

    /// Where a value lies, of a link or of a node: the number of its place in memory.
    pub(super) fn at(&self, of_link: bool, place: usize) -> *mut u8 {
        let values = if of_link { &self.of_links } else { &self.of_nodes };
        values.start().wrapping_add(place * self.bytes)
    }
}

/// Values in memory, in the arithmetic type.
fn in_memory(arithmetic: Arithmetics, values: &[f64]) -> Result<Memory<u8>, Error> {
    let bytes = arithmetic.in_memory(values);
    // Programs load whole vectors.
    let memory = Memory::zeroed(bytes.len(), CACHE_LINE)?;
    // SAFETY: the memory has as many bytes, and is not yet shared.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory.start(), bytes.len()) };
    Ok(memory)
}

/// A value of so many bytes, in the arithmetic type.
///
/// # Safety
/// It can be read.
unsafe fn read(bytes: usize, from: *const u8) -> f64 {
    // SAFETY: as the caller says.
    unsafe {
        match bytes {
            4 => from.cast::<f32>().read().into(),
            _ => from.cast::<f64>().read(),
        }
    }
}

/// Writes a value of so many bytes, in the arithmetic type.
///
/// # Safety
/// It can be written.
unsafe fn write(bytes: usize, to: *mut u8, value: f64) {
    // SAFETY: as the caller says.
    unsafe {
        match bytes {
            4 => to.cast::<f32>().write(value as f32),
            _ => to.cast::<f64>().write(value),
        }
    }
}

/// Writes what becomes of a value in its place.
///
/// # Safety
/// It can be read and written.
pub(super) unsafe fn change(bytes: usize, at: *mut u8, becomes: &fn(f64) -> f64) {
    // SAFETY: as the caller says.
    unsafe { write(bytes, at, becomes(read(bytes, at))) }
}

impl Rules {
    /// Where a value lies that has this place among those of links, or of nodes, as the core lists them; nothing if nobody reads it, or if it is the
    /// same at all links.
    pub(crate) fn lies(&self, of_link: bool, place: usize) -> Option<usize> {
        if of_link { self.links.lies(place) } else { Some(place) }
    }

    /// Where a value lies in memory, of a link or of a node, that [lies](Rules::lies) there.
    pub(crate) fn value_at(&self, of_link: bool, lies: usize) -> *mut u8 {
        self.values.at(of_link, lies)
    }

    /// Sets a value, of a link or of a node, that has this place in the core's list, if somebody reads it.
    ///
    /// # Safety
    /// Nobody else reads or writes it meanwhile.
    pub(crate) unsafe fn set(&self, of_link: bool, place: usize, value: f64) {
        let Some(lies) = self.lies(of_link, place) else { return };
        // SAFETY: the place is one of the values, and nobody else works on it.
        unsafe { write(self.values.bytes, self.values.at(of_link, lies), value) }
    }

    /// A value, of a link or of a node, that has this place in the core's list; 0 if nobody reads it.
    ///
    /// # Safety
    /// Nobody writes it meanwhile.
    unsafe fn get(&self, of_link: bool, place: usize) -> f64 {
        let Some(lies) = self.lies(of_link, place) else { return 0.0 };
        // SAFETY: the place is one of the values, and nobody writes there.
        unsafe { read(self.values.bytes, self.values.at(of_link, lies)) }
    }

    /// What rules remember ([`rules::Arrivals::memory`]), while no step is under way.
    pub(crate) fn memory(&self, facts: &Facts) -> Vec<f64> {
        let all = self.arrivals.memory(facts);
        // SAFETY: the places are those of values, which nobody writes between steps.
        all.into_iter().map(|Remembered { of_link, place }| unsafe { self.get(of_link, place) }).collect()
    }

    /// Has rules remember these.
    ///
    /// # Errors
    /// As [`rules::Arrivals::set_memory`].
    pub(crate) fn set_memory(&mut self, facts: &Facts, values: &[f64]) -> Result<(), Error> {
        let all = self.arrivals.memory(facts);
        rules::check_memory(all.len(), values.len())?;
        for (Remembered { of_link, place }, &value) in all.into_iter().zip(values) {
            // SAFETY: nobody else works on the rules.
            unsafe { self.set(of_link, place, value) };
        }
        Ok(())
    }

    /// Has rules remember nothing.
    pub(crate) fn forget(&mut self, facts: &Facts) {
        for Remembered { of_link, place } in self.arrivals.memory(facts) {
            // SAFETY: nobody else works on the rules.
            unsafe { self.set(of_link, place, 0.0) };
        }
    }
}
