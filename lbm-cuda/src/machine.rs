//! What an engine needs of whoever runs kernels: a GPU, or the host in its place.

use std::ffi::c_void;

use lbm_core::Error;
use lbm_core::cut::Invitation;

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
#[non_exhaustive]
pub struct Launch {
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads a block along x, y, z.
    pub block: [u32; 3],
    /// What the kernel is handed.
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

/// What a kernel takes of a multiprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Residency {
    /// Registers a thread.
    pub registers: u32,
    /// Threads of the kernel that are there at the same time.
    pub threads: u32,
    /// The most threads that can be there at the same time.
    pub most_threads: u32,
}

impl Residency {
    /// The share of threads, or of warps, that are there of those that can be.
    #[must_use]
    pub fn occupancy(&self) -> f64 {
        f64::from(self.threads) / f64::from(self.most_threads.max(1))
    }
}

/// Numbers as the bytes they are in memory.
pub(crate) fn bytes_of<T: Copy>(values: &[T]) -> &[u8] {
    // SAFETY: only called with numbers, which have no padding; the length is theirs.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// A number of which all bits are one.
pub(crate) trait Number: Copy + Default {}

impl Number for f32 {}
impl Number for f64 {}

/// Numbers as the bytes they are in memory, to be overwritten.
pub(crate) fn bytes_of_mut<T: Number>(values: &mut [T]) -> &mut [u8] {
    // SAFETY: these have neither padding nor invalid bits; the length is the values' own.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}

/// Memory of a machine, freed when dropped. Reading and writing waits for all launches.
///
/// # Errors
/// [`Error::OutOfRange`] for bytes that do not lie within it.
pub trait Memory: Send + Sync {
    /// How large it is, bytes.
    fn bytes(&self) -> usize;
    /// Its address, as kernels are handed it; aligned to 16 bytes.
    fn address(&self) -> u64;
    /// Copies into memory, from this byte on.
    fn write(&self, offset: usize, bytes: &[u8]) -> Result<(), Error>;
    /// Copies several parts into memory, each from a byte of its own on.
    fn write_all(&self, parts: &[(usize, &[u8])]) -> Result<(), Error> {
        parts.iter().try_for_each(|&(offset, bytes)| self.write(offset, bytes))
    }
    /// Copies out of memory, from this byte on.
    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<(), Error>;
}

/// Copies out of memory beside running kernels, on a thread of its own.
pub trait Copier<M>: Send {
    /// Copies what launches before this copier was made have written, from this byte on.
    fn read(&self, memory: &M, offset: usize, bytes: &mut [u8]) -> Result<(), Error>;
}

/// Machines of several processes that bring memory to each other.
pub trait Joined<M>: Send {
    /// Brings all of each memory to the machine of a rank, or from there, behind the launches so far of its own machine. Those of all ranks do so at the same time.
    ///
    /// # Safety
    /// All stay alive until it is done, and what is brought from elsewhere is as long as what is brought there.
    unsafe fn pass(&self, leaving: &[(&M, usize)], arriving: &[(&M, usize)]) -> Result<(), Error>;
    /// What it is, e.g. `NCCL 2.28.3`.
    fn description(&self) -> String;
}

/// A point between launches, and when it was reached.
pub trait Mark: Send {
    /// Waits until both marks are reached, and tells the time between them on the machine, seconds.
    fn seconds_since(&self, start: &Self) -> Result<f64, Error>;
}

/// Builds and runs kernels in its own memory. Launches run in order; everything that reads memory waits for them.
///
/// # Errors
/// Too little memory; a compiler that is missing, or refuses a text; a launch of a shape that the machine has not. Once a device is
/// lost ([`Lost`](lbm_core::error::DeviceError::Lost)), every function that gives a result says so.
pub trait Machine: Send + 'static {
    /// Memory that kernels work on.
    type Memory: Memory;
    /// A kernel, ready to be launched.
    type Kernel: Send;
    /// Launches recorded as one.
    type Recording: Send;
    /// What copies beside running kernels from a thread of its own.
    type Copier: Copier<Self::Memory>;
    /// A point between launches.
    type Mark: Mark;

    /// Its name in messages and reports, e.g. `cuda:0, NVIDIA H200`.
    fn label(&self) -> String;
    /// Refuses a box that its memory cannot hold, before anything is allocated. By default there is always enough.
    fn check_footprint(&self, _nodes: u128, _bytes_per_node: usize) -> Result<(), Error> {
        Ok(())
    }
    /// Builds a text and gives the kernels of these names.
    fn build(&self, text: &str, names: &[String]) -> Result<Vec<Self::Kernel>, Error>;
    /// Builds several texts, each with the kernels of these names; at the same time where that is quicker.
    fn build_all(&self, texts: &[(String, Vec<String>)]) -> Result<Vec<Vec<Self::Kernel>>, Error> {
        texts.iter().map(|(text, names)| self.build(text, names)).collect()
    }
    /// Memory of this size, bytes, all zero.
    fn memory(&self, bytes: usize) -> Result<Self::Memory, Error>;
    /// What copies out of memory that was written by launches so far, while later ones run that must not write there.
    fn copier(&self) -> Result<Self::Copier, Error>;
    /// Most bytes of shared memory of a block. By default there are always enough.
    fn shared_bytes_a_block(&self) -> usize {
        usize::MAX
    }
    /// How many blocks of such a kernel are at work at the same time; `shared_bytes` as in a launch.
    fn blocks_at_once(
        &self,
        kernel: &Self::Kernel,
        block: [u32; 3],
        shared_bytes: u32,
    ) -> Result<usize, Error>;
    /// Puts a launch behind those before it.
    ///
    /// # Safety
    /// The arguments are those that the kernel declares; the memory they lead to stays alive until the launch is done
    /// and is large enough for what the kernel touches.
    unsafe fn launch(&self, kernel: &Self::Kernel, launch: &Launch) -> Result<(), Error>;
    /// Puts launches behind those before them that may run at the same time, each in a queue of its own where the machine has such;
    /// what is launched later waits for all of them. By default one follows the other.
    ///
    /// # Safety
    /// As for each launch; and none touches what another one writes.
    unsafe fn launch_side_by_side(&self, launches: &[(&Self::Kernel, Launch)]) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        launches.iter().try_for_each(|(kernel, launch)| unsafe { self.launch(kernel, launch) })
    }
    /// What such a kernel takes of a multiprocessor, where the machine has some; by default it has not. `shared_bytes` as in a launch.
    fn residency(
        &self,
        _kernel: &Self::Kernel,
        _block: [u32; 3],
        _shared_bytes: u32,
    ) -> Result<Option<Residency>, Error> {
        Ok(None)
    }
    /// Records launches instead of running them, where the machine gains by it; by default it does not.
    fn record(
        &self,
        _launches: &mut dyn FnMut() -> Result<(), Error>,
    ) -> Result<Option<Self::Recording>, Error> {
        Ok(None)
    }
    /// Runs what was recorded; by default nothing ever is.
    ///
    /// # Safety
    /// As for the launches in it.
    unsafe fn replay(&self, _recording: &Self::Recording) -> Result<(), Error> {
        Ok(())
    }
    /// Waits until everything is done; by default a launch returns when it is.
    fn wait(&self) -> Result<(), Error> {
        Ok(())
    }
    /// Another queue of the same machine, with kernels and memory in common. What stands there goes first where both could go on, and neither waits for the
    /// other but at marks. None, as by default, where a launch returns when it is done.
    fn another(&self) -> Result<Option<Self>, Error>
    where
        Self: Sized,
    {
        Ok(None)
    }
    /// Marks the end of the launches so far.
    fn mark(&self) -> Result<Self::Mark, Error>;
    /// The same where no time is asked for: others wait for it. By default as any mark.
    fn mark_for_others(&self) -> Result<Self::Mark, Error> {
        self.mark()
    }
    /// Moves one of its marks to the end of the launches so far. Who waits for it already waits for where it was.
    fn mark_again(&self, mark: &mut Self::Mark) -> Result<(), Error> {
        *mark = self.mark()?;
        Ok(())
    }
    /// Has launches from now on wait for a mark, perhaps of another machine of this kind; the host does not. By default what is marked is done.
    fn wait_for(&self, _mark: &Self::Mark) -> Result<(), Error> {
        Ok(())
    }
    /// Has what crosses to memory of this machine from memory of another one of this kind, perhaps the same, go the shortest way there is, and says whether launches of
    /// that one may write to `to` themselves. By default they may.
    fn reach(&self, _from: &Self::Memory, _to: &Self::Memory) -> Result<bool, Error> {
        Ok(true)
    }
    /// Copies all of `from`, which may be memory of another machine of this kind, to the beginning of `to`, behind the launches so far. By
    /// default it goes through the host, which waits.
    ///
    /// # Safety
    /// Both stay alive until it is done; what was written to `from` is done or waited for, and nothing is written there until then.
    unsafe fn bring(&self, from: &Self::Memory, to: &Self::Memory) -> Result<(), Error> {
        let mut bytes = vec![0; from.bytes()];
        from.read(0, &mut bytes)?;
        to.write(0, &bytes)
    }
    /// Whether it can join machines of other processes; by default it cannot.
    fn may_join(&self) -> bool {
        false
    }
    /// What machines of all processes are to join with.
    fn invitation(&self) -> Result<Invitation, Error> {
        Err(no_others(&self.label()))
    }
    /// Joins them, as that of `rank` among `ranks`, all at the same time.
    fn join(
        &self,
        _invitation: &Invitation,
        _rank: usize,
        _ranks: usize,
    ) -> Result<Box<dyn Joined<Self::Memory>>, Error> {
        Err(no_others(&self.label()))
    }
    /// How long `work` took on the machine, seconds; its errors are those of `work`.
    fn seconds(&self, work: &mut dyn FnMut() -> Result<(), Error>) -> Result<f64, Error> {
        let start = self.mark()?;
        work()?;
        self.mark()?.seconds_since(&start)
    }
    /// A note kept for later runs under this key, e.g. the best launch shape; by default nothing is kept.
    fn recall(&self, _key: &str) -> Option<String> {
        None
    }
    /// Keeps a note, if it can be kept.
    fn remember(&self, _key: &str, _note: &str) {}
    /// Whether trying shapes tells anything here; by default it does not.
    fn can_be_tuned(&self) -> bool {
        false
    }
}

/// A machine that does not join others.
fn no_others(label: &str) -> Error {
    Error::conflict(
        format!("`{label}` joins no machines of other processes"),
        "have values cross through the host",
    )
}
