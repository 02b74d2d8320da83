//! What an engine needs of whoever runs kernels: a GPU, or the host in its place.

use std::ffi::c_void;

use lbm_core::Error;

mod gpu;
mod on_host;

pub use gpu::Gpu;
pub use on_host::OnHost;

/// A kernel's arguments, by value.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// Values, each in whole words, so that every one is aligned.
    values: Vec<Box<[u64]>>,
}

impl Arguments {
    /// No arguments.
    #[must_use]
    pub fn new() -> Arguments {
        Arguments::default()
    }

    /// Adds a number.
    #[must_use]
    pub fn unsigned(self, value: u32) -> Arguments {
        self.bytes(&value.to_ne_bytes())
    }

    /// Adds an address, or a `size_t`.
    #[must_use]
    pub fn word(self, value: u64) -> Arguments {
        self.bytes(&value.to_ne_bytes())
    }

    /// Adds a value as it lies in memory; at most 8-byte alignment is kept.
    #[must_use]
    pub fn bytes(mut self, bytes: &[u8]) -> Arguments {
        let words = bytes.chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_ne_bytes(word)
        });
        self.values.push(words.collect());
        self
    }

    /// A pointer to each value.
    #[must_use]
    pub fn pointers(&self) -> Vec<*const c_void> {
        self.values.iter().map(|value| value.as_ptr().cast()).collect()
    }
}

/// Where and how a kernel is launched.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads a block along x, y, z.
    pub block: [u32; 3],
    /// What the kernel is told.
    pub arguments: Arguments,
    /// Bytes of shared memory a block, beside what the text itself declares.
    pub shared_bytes: u32,
    /// Whether blocks wait for others. A GPU has many in flight; the host then has a few.
    pub waits: bool,
}

impl Launch {
    /// A launch of blocks that have nothing to do with each other.
    #[must_use]
    pub fn new(grid: [u32; 3], block: [u32; 3], arguments: Arguments) -> Launch {
        Launch { grid, block, arguments, shared_bytes: 0, waits: false }
    }
}

/// Builds and runs kernels in its own memory. Launches run in order; everything that reads memory waits for them.
pub trait Machine: Send + 'static {
    /// Memory of the machine, freed when dropped.
    type Memory: Send;
    /// A kernel, ready to be launched.
    type Kernel: Send;
    /// Launches recorded as one.
    type Recording: Send;
    /// Memory of the host that a copy beside running kernels lands in.
    type Landing: Send;
    /// Such a copy under way.
    type Outgoing: Send;
    /// A point between launches, and when it was reached.
    type Mark: Send;

    /// Its name in messages and reports, e.g. `cuda:0, NVIDIA H200`.
    fn label(&self) -> String;
    /// Refuses a box that its memory cannot hold, before anything is allocated.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    fn check_footprint(&self, nodes: u128, bytes_per_node: usize) -> Result<(), Error>;
    /// Builds a text and gives the kernels of these names.
    ///
    /// # Errors
    /// A text that does not compile, a compiler that is missing.
    fn build(&self, text: &str, names: &[String]) -> Result<Vec<Self::Kernel>, Error>;
    /// Memory of this size, all zero.
    ///
    /// # Errors
    /// Too little of it.
    fn memory(&self, bytes: usize) -> Result<Self::Memory, Error>;
    /// How large it is, bytes.
    fn bytes(&self, memory: &Self::Memory) -> usize;
    /// Its address, as kernels are told it.
    fn address(&self, memory: &Self::Memory) -> u64;
    /// Copies into memory, from this byte on.
    ///
    /// # Errors
    /// A lost device.
    fn write(&self, memory: &mut Self::Memory, offset: usize, bytes: &[u8]) -> Result<(), Error>;
    /// Copies out of memory, from this byte on.
    ///
    /// # Errors
    /// A lost device.
    fn read(&self, memory: &Self::Memory, offset: usize, bytes: &mut [u8]) -> Result<(), Error>;
    /// Room on the host for a copy of so many f64.
    ///
    /// # Errors
    /// Too little memory.
    fn landing(&self, values: usize) -> Result<Self::Landing, Error>;
    /// Starts a copy out of memory, behind the launches so far; later launches run meanwhile, and must not write there.
    ///
    /// # Errors
    /// A lost device.
    fn start_read(&self, memory: &Self::Memory, landing: Self::Landing) -> Result<Self::Outgoing, Error>;
    /// Waits for a copy.
    ///
    /// # Errors
    /// A lost device.
    fn finish_read(outgoing: Self::Outgoing) -> Result<Self::Landing, Error>;
    /// What has landed.
    fn landed(landing: &Self::Landing) -> &[f64];
    /// Puts a launch behind those before it.
    ///
    /// # Errors
    /// A shape that the machine refuses, a lost device.
    ///
    /// # Safety
    /// The arguments are those that the kernel declares; the memory they lead to stays alive until the launch is done
    /// and is large enough for what the kernel touches.
    unsafe fn launch(&self, kernel: &Self::Kernel, launch: &Launch) -> Result<(), Error>;
    /// Records launches instead of running them, where the machine gains by it.
    ///
    /// # Errors
    /// As the launches'.
    fn record(
        &self,
        launches: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Option<Self::Recording>, Error>;
    /// Runs what was recorded.
    ///
    /// # Errors
    /// A lost device.
    ///
    /// # Safety
    /// As for the launches in it.
    unsafe fn replay(&self, recording: &Self::Recording) -> Result<(), Error>;
    /// Waits until everything is done.
    ///
    /// # Errors
    /// A lost device.
    fn wait(&self) -> Result<(), Error>;
    /// Marks the end of the launches so far.
    ///
    /// # Errors
    /// A lost device.
    fn mark(&self) -> Result<Self::Mark, Error>;
    /// Waits until both marks are reached, and tells the time between them on the machine, seconds.
    ///
    /// # Errors
    /// A lost device.
    fn seconds_between(start: &Self::Mark, end: &Self::Mark) -> Result<f64, Error>;
    /// How long `work` took on the machine, seconds.
    ///
    /// # Errors
    /// Those of `work`; a lost device.
    fn seconds(&self, work: &mut dyn FnMut() -> Result<(), Error>) -> Result<f64, Error> {
        let start = self.mark()?;
        work()?;
        Self::seconds_between(&start, &self.mark()?)
    }
    /// A note kept for later runs under this key, e.g. the best launch shape.
    fn recall(&self, key: &str) -> Option<String>;
    /// Keeps a note, if it can be kept.
    fn remember(&self, key: &str, note: &str);
    /// Whether trying shapes tells anything here.
    fn can_be_tuned(&self) -> bool;
}
