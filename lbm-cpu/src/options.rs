//! What a user can choose about a run on the CPU.

use lbm_core::Error;

use crate::simd::SimdLevel;

/// How results are written to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoreKind {
    /// Through the caches: best while the populations stay in them.
    Ordinary,
    /// Past the caches, in whole lines: saves reading what is overwritten.
    NonTemporal,
}

impl StoreKind {
    /// The name: `ordinary`, `non-temporal`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            StoreKind::Ordinary => "ordinary",
            StoreKind::NonTemporal => "non-temporal",
        }
    }
}

/// Choices that change the speed of a run and never a bit of its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CpuOptions {
    /// Threads; by default one a core.
    pub threads: Option<usize>,
    /// Width of the vectors; by default the widest that the machine has.
    pub simd: Option<SimdLevel>,
    /// How results are written; by default past the caches if the populations exceed the last-level cache, where the
    /// scheme allows it: two copies in memory, of which a node writes its own place, neighbours of a row side by side, no
    /// value changed on storing.
    pub stores: Option<StoreKind>,
}

impl CpuOptions {
    /// Chooses the number of threads; `None` is the default.
    #[must_use]
    pub fn with_threads(self, threads: impl Into<Option<usize>>) -> CpuOptions {
        CpuOptions { threads: threads.into(), ..self }
    }

    /// Chooses the width of the vectors; `None` is the default.
    #[must_use]
    pub fn with_simd(self, simd: impl Into<Option<SimdLevel>>) -> CpuOptions {
        CpuOptions { simd: simd.into(), ..self }
    }

    /// Chooses how results are written; `None` is the default.
    #[must_use]
    pub fn with_stores(self, stores: impl Into<Option<StoreKind>>) -> CpuOptions {
        CpuOptions { stores: stores.into(), ..self }
    }

    /// The width of the vectors.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the machine has no such vectors.
    pub(crate) fn level(&self) -> Result<SimdLevel, Error> {
        self.simd.unwrap_or_else(SimdLevel::best).checked()
    }
}
