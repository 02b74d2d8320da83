//! The host in a GPU's place, for tests: the same text, built by the host's C++ compiler.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use lbm_core::Error;

use super::{Copier, Launch, Machine, Mark, Memory};
use crate::host::{BatchedKernel, BlockOrder, HostBatch, HostError};

/// Blocks that run at the same time where they wait for others.
const IN_FLIGHT: u32 = 3;

/// The host's C++ compiler as a GPU. Blocks run in an order that differs from launch to launch, so that a race shows.
#[derive(Debug)]
pub struct OnHost {
    seed: AtomicU64,
    /// Where texts wait for others to be built with; none to build each at once.
    batch: Option<Arc<HostBatch>>,
}

/// Memory of the host, in whole 16-byte words.
#[derive(Debug)]
pub struct HostMemory(Mutex<Vec<u128>>);

impl OnHost {
    /// A machine whose first launch is scrambled with this seed.
    #[must_use]
    pub fn new(seed: u64) -> OnHost {
        OnHost { seed: AtomicU64::new(seed), batch: None }
    }

    /// The same, but texts are built when the first of the batch's is launched, together. A text that does not build is
    /// then an error of its launches.
    #[must_use]
    pub fn batched(seed: u64, batch: &Arc<HostBatch>) -> OnHost {
        OnHost { batch: Some(batch.clone()), ..OnHost::new(seed) }
    }
}

impl From<&HostError> for Error {
    fn from(error: &HostError) -> Error {
        Error::Unavailable {
            what: format!("cuda-on-host: {error}"),
            remedy: "the device `cuda-on-host` is for tests; `--device cpu` runs everywhere".to_owned(),
        }
    }
}

impl From<HostError> for Error {
    fn from(error: HostError) -> Error {
        Error::from(&error)
    }
}

impl HostMemory {
    /// The words, which nobody holds for longer than a call.
    fn words(&self) -> MutexGuard<'_, Vec<u128>> {
        self.0.lock().expect("nobody panics with the lock")
    }

    /// Has `copy` work on `count` bytes from `offset` on.
    fn with(&self, offset: usize, count: usize, copy: impl FnOnce(*mut u8)) {
        assert!(offset + count <= self.bytes(), "a copy lies within the memory");
        copy(self.words().as_mut_ptr().cast::<u8>().wrapping_add(offset));
    }
}

impl Memory for HostMemory {
    fn bytes(&self) -> usize {
        size_of::<u128>() * self.words().len()
    }

    fn address(&self) -> u64 {
        self.words().as_mut_ptr() as u64
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<(), Error> {
        // SAFETY: the range lies within the words, which are held meanwhile.
        self.with(offset, bytes.len(), |at| unsafe { at.copy_from(bytes.as_ptr(), bytes.len()) });
        Ok(())
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        // SAFETY: as above.
        self.with(offset, bytes.len(), |at| unsafe { at.copy_to(bytes.as_mut_ptr(), bytes.len()) });
        Ok(())
    }
}

/// Launches are done when they return.
impl Copier<HostMemory> for () {
    fn read(&self, memory: &HostMemory, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        memory.read(offset, bytes)
    }
}

impl Mark for Instant {
    fn seconds_since(&self, start: &Instant) -> Result<f64, Error> {
        Ok(self.duration_since(*start).as_secs_f64())
    }
}

impl Machine for OnHost {
    type Memory = HostMemory;
    type Kernel = BatchedKernel;
    type Recording = ();
    type Copier = ();
    type Mark = Instant;

    fn label(&self) -> String {
        "cuda-on-host".to_owned()
    }

    fn build(&self, text: &str, names: &[String]) -> Result<Vec<BatchedKernel>, Error> {
        if let Some(batch) = &self.batch {
            return Ok(batch.note(text, names));
        }
        let kernels = Arc::<HostBatch>::default().note(text, names);
        kernels.iter().try_for_each(|kernel| kernel.built().map(|_| ()))?;
        Ok(kernels)
    }

    fn memory(&self, bytes: usize) -> Result<HostMemory, Error> {
        Ok(HostMemory(Mutex::new(vec![0; bytes.div_ceil(size_of::<u128>())])))
    }

    fn copier(&self) -> Result<(), Error> {
        Ok(())
    }

    /// As many as there are where blocks wait for others.
    fn blocks_at_once(&self, _: &BatchedKernel, _: [u32; 3], _: u32) -> Result<usize, Error> {
        Ok(IN_FLIGHT as usize)
    }

    unsafe fn launch(&self, kernel: &BatchedKernel, launch: &Launch) -> Result<(), Error> {
        let Launch { grid, block, arguments, shared_bytes, waits } = launch;
        let kernel = kernel.built()?;
        let order = BlockOrder::Scrambled(self.seed.fetch_add(1, Ordering::Relaxed));
        let in_flight = if *waits { IN_FLIGHT } else { 1 };
        // SAFETY: the caller's promise.
        unsafe { kernel.launch(*grid, *block, *shared_bytes, &arguments.pointers(), order, in_flight)? };
        Ok(())
    }

    fn mark(&self) -> Result<Instant, Error> {
        Ok(Instant::now())
    }
}
