//! The host in a GPU's place, for tests: the same text, built by the host's C++ compiler.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use lbm_core::Error;

use super::{Launch, Machine};
use crate::host::{BatchedKernel, BlockOrder, BlocksInFlight, HostBatch, HostError};

/// Blocks that run at the same time where they wait for others.
const IN_FLIGHT: BlocksInFlight = BlocksInFlight(3);

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

impl From<HostError> for Error {
    fn from(error: HostError) -> Error {
        unavailable(&error)
    }
}

fn unavailable(error: &HostError) -> Error {
    Error::Unavailable {
        what: format!("cuda-on-host: {error}"),
        remedy: "the device `cuda-on-host` is for tests; `--device cpu` runs everywhere".to_owned(),
    }
}

impl Machine for OnHost {
    type Memory = HostMemory;
    type Kernel = BatchedKernel;
    type Recording = ();
    type Landing = Vec<f64>;
    type Outgoing = Vec<f64>;
    type Mark = Instant;

    fn label(&self) -> String {
        "cuda-on-host".to_owned()
    }

    fn check_footprint(&self, _nodes: u128, _bytes_per_node: usize) -> Result<(), Error> {
        Ok(())
    }

    fn build(&self, text: &str, names: &[String]) -> Result<Vec<BatchedKernel>, Error> {
        if let Some(batch) = &self.batch {
            return Ok(batch.note(text, names));
        }
        let kernels = HostBatch::new(1).note(text, names);
        for kernel in &kernels {
            kernel.built().map_err(|error| unavailable(&error))?;
        }
        Ok(kernels)
    }

    fn memory(&self, bytes: usize) -> Result<HostMemory, Error> {
        Ok(HostMemory(Mutex::new(vec![0; bytes.div_ceil(16)])))
    }

    fn bytes(&self, memory: &HostMemory) -> usize {
        size_of::<u128>() * memory.0.lock().expect("nobody panics with the lock").len()
    }

    fn address(&self, memory: &HostMemory) -> u64 {
        memory.0.lock().expect("nobody panics with the lock").as_mut_ptr() as u64
    }

    fn write(&self, memory: &mut HostMemory, offset: usize, bytes: &[u8]) -> Result<(), Error> {
        let words = memory.0.get_mut().expect("nobody panics with the lock");
        assert!(offset + bytes.len() <= 16 * words.len(), "a copy lies inside of the memory");
        // SAFETY: the range lies inside of the words.
        unsafe { words.as_mut_ptr().cast::<u8>().add(offset).copy_from(bytes.as_ptr(), bytes.len()) };
        Ok(())
    }

    fn read(&self, memory: &HostMemory, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        let words = memory.0.lock().expect("nobody panics with the lock");
        assert!(offset + bytes.len() <= 16 * words.len(), "a copy lies inside of the memory");
        // SAFETY: the range lies inside of the words.
        unsafe { words.as_ptr().cast::<u8>().add(offset).copy_to(bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }

    fn landing(&self, values: usize) -> Result<Vec<f64>, Error> {
        Ok(vec![0.0; values])
    }

    fn start_read(&self, memory: &HostMemory, mut landing: Vec<f64>) -> Result<Vec<f64>, Error> {
        // SAFETY: f64 has no invalid bits, and the length is the landing's own.
        let bytes = unsafe {
            std::slice::from_raw_parts_mut(landing.as_mut_ptr().cast::<u8>(), size_of_val(landing.as_slice()))
        };
        self.read(memory, 0, bytes)?;
        Ok(landing)
    }

    fn finish_read(outgoing: Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(outgoing)
    }

    fn landed(landing: &Vec<f64>) -> &[f64] {
        landing
    }

    unsafe fn launch(&self, kernel: &BatchedKernel, launch: &Launch) -> Result<(), Error> {
        let Launch { grid, block, arguments, shared_bytes, waits } = launch;
        let kernel = kernel.built().map_err(|error| unavailable(&error))?;
        let order = BlockOrder::Scrambled(self.seed.fetch_add(1, Ordering::Relaxed));
        let in_flight = if *waits { IN_FLIGHT } else { BlocksInFlight(1) };
        // SAFETY: the caller's promise.
        Ok(unsafe {
            let arguments = arguments.pointers();
            kernel.launch_in_flight(*grid, *block, *shared_bytes, &arguments, order, in_flight)
        }?)
    }

    fn record(&self, _launches: &mut dyn FnMut() -> Result<(), Error>) -> Result<Option<()>, Error> {
        Ok(None)
    }

    unsafe fn replay(&self, (): &()) -> Result<(), Error> {
        Ok(())
    }

    fn wait(&self) -> Result<(), Error> {
        Ok(())
    }

    fn mark(&self) -> Result<Instant, Error> {
        Ok(Instant::now())
    }

    fn seconds_between(start: &Instant, end: &Instant) -> Result<f64, Error> {
        Ok(end.duration_since(*start).as_secs_f64())
    }

    fn recall(&self, _key: &str) -> Option<String> {
        None
    }

    fn remember(&self, _key: &str, _note: &str) {}

    fn can_be_tuned(&self) -> bool {
        false
    }
}
