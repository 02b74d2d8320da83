//! A variant in motion on the CPU.

use lbm_core::engine::{Engine, Setup};
use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{Addressing, Error, Precision, Real, Variant};

use crate::listed::ListedEngine;
use crate::options::{CpuOptions, StoreKind};
use crate::rows::RowsEngine;
use crate::simd::SimdLevel;

/// What an engine on the CPU tells beside what every engine does.
pub(crate) trait Running: Engine {
    /// How results are written.
    fn stores(&self) -> StoreKind;
    /// The width of the vectors.
    fn simd(&self) -> SimdLevel;
    /// Threads that share a step.
    fn threads(&self) -> usize;
}

/// What runs a variant, e.g. `cpu, 2 threads, AVX2`.
pub(crate) fn described(running: &dyn Running) -> String {
    let (threads, plural) = (running.threads(), if running.threads() == 1 { "" } else { "s" });
    format!("cpu, {threads} thread{plural}, {}", running.simd())
}

/// How values of a variant's storage are read and written as numbers.
#[derive(Clone, Copy)]
pub(crate) struct ValueAccess {
    /// The number at an offset.
    pub(crate) read: unsafe fn(*const u8, usize) -> f64,
    /// Rounds a number of the arithmetic type to storage, and puts it at an offset.
    pub(crate) write: unsafe fn(*mut u8, usize, f64),
}

impl ValueAccess {
    pub(crate) fn of<V: Variant>() -> ValueAccess {
        ValueAccess {
            read: |copy, at| {
                // SAFETY: who calls this says that the value can be read.
                let stored = unsafe { copy.cast::<Storage<V>>().add(at).read() };
                V::Precision::decode(stored).to_f64()
            },
            write: |copy, at, value| {
                let stored = V::Precision::encode(Arithmetic::<V>::from_f64(value));
                // SAFETY: who calls this says that the value can be written.
                unsafe { copy.cast::<Storage<V>>().add(at).write(stored) };
            },
        }
    }
}

/// Memory of which threads write each their own values.
pub(crate) struct Shared<T>(pub(crate) *mut T);

// SAFETY: an address; each thread writes the places of its own nodes only.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub(crate) fn start(&self) -> *mut T {
        self.0
    }
}

/// A variant in motion on the CPU: any streaming pattern that keeps [`lbm_core::laws`], any addressing, layout, precision.
pub struct CpuEngine {
    running: Box<dyn Running>,
}

impl CpuEngine {
    /// Sets up a variant's fluid at rest (all shifted populations zero) in step 0.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], before anything is taken; [`Error::OutOfRange`] for a wrong number of threads or a box
    /// beyond 2^32 nodes; [`Error::Unavailable`] for a SIMD level that the machine has not; [`Error::Conflict`] if stores
    /// past the caches are asked for where they cannot be, or if the streaming pattern lets nodes overwrite each other's
    /// populations, or the addressing or the layout leaves the storage (which [`lbm_core::laws`] would have found).
    pub fn new<V: Variant>(setup: &Setup, options: &CpuOptions) -> Result<CpuEngine, Error> {
        let running: Box<dyn Running> = if <V::Addressing as Addressing>::LISTED {
            Box::new(ListedEngine::new::<V>(setup, options)?)
        } else {
            Box::new(RowsEngine::new::<V>(setup, options)?)
        };
        Ok(CpuEngine { running })
    }

    /// How results are written.
    #[must_use]
    pub fn stores(&self) -> StoreKind {
        self.running.stores()
    }

    /// The width of the vectors.
    #[must_use]
    pub fn simd(&self) -> SimdLevel {
        self.running.simd()
    }

    /// Threads that share a step.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.running.threads()
    }
}

impl Engine for CpuEngine {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        self.running.run(steps)
    }

    fn populations(&self, out: &mut [f64]) -> Result<(), Error> {
        self.running.populations(out)
    }

    fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        self.running.set_populations(populations, step)
    }

    fn set_state(&mut self, state: &[f64], step: u64) -> Result<(), Error> {
        self.running.set_state(state, step)
    }

    fn incoming(&self, out: &mut [f64]) -> Result<(), Error> {
        self.running.incoming(out)
    }

    fn step(&self) -> u64 {
        self.running.step()
    }

    fn allocated_bytes(&self) -> usize {
        self.running.allocated_bytes()
    }

    fn description(&self) -> String {
        self.running.description()
    }
}
