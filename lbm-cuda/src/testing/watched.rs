//! A machine of which a test counts the calls, and which can be made to have no memory.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use lbm_core::Error;
use lbm_core::error::DeviceError;

use crate::machine::{Copier, Launch, Machine, Memory, Residency};

/// What a machine was asked for since it was last [looked at](Calls::take).
#[derive(Debug)]
pub struct Calls {
    memories: AtomicUsize,
    waits: AtomicUsize,
    copies: AtomicUsize,
    bytes: AtomicUsize,
    launches: AtomicUsize,
    /// Requests for memory that are fulfilled until one is not.
    left: AtomicUsize,
    /// The keys of notes that were asked for.
    keys: Mutex<Vec<String>>,
}

/// The calls of some work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counted {
    /// Requests for memory.
    pub memories: usize,
    /// Times that the host waited for the machine: each write of one or of several parts, each read, and each wait for its own sake.
    pub waits: usize,
    /// Contiguous parts that crossed.
    pub copies: usize,
    /// Their bytes.
    pub bytes: usize,
    /// Kernels.
    pub launches: usize,
}

impl Default for Calls {
    fn default() -> Calls {
        let [memories, waits, copies, bytes, launches] = std::array::from_fn(|_| AtomicUsize::new(0));
        let (left, keys) = (AtomicUsize::new(usize::MAX), Mutex::default());
        Calls { memories, waits, copies, bytes, launches, left, keys }
    }
}

impl Calls {
    /// What was counted, from zero on again.
    pub fn take(&self) -> Counted {
        let [memories, waits, copies, bytes, launches] =
            [&self.memories, &self.waits, &self.copies, &self.bytes, &self.launches]
                .map(|count| count.swap(0, Relaxed));
        Counted { memories, waits, copies, bytes, launches }
    }

    /// The keys of the notes that were asked for since this was asked last.
    pub fn take_keys(&self) -> Vec<String> {
        std::mem::take(&mut self.keys.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Has so many requests for memory be fulfilled, and the one after them refused; all later ones are fulfilled.
    pub fn refuse_after(&self, requests: usize) {
        self.left.store(requests, Relaxed);
    }

    /// Whether a request was refused since [`refuse_after`](Calls::refuse_after); none will be any more.
    pub fn refused(&self) -> bool {
        self.left.swap(usize::MAX, Relaxed) > usize::MAX / 2
    }

    fn crossed(&self, parts: impl Iterator<Item = usize>) {
        self.waits.fetch_add(1, Relaxed);
        for bytes in parts.filter(|&bytes| bytes > 0) {
            self.copies.fetch_add(1, Relaxed);
            self.bytes.fetch_add(bytes, Relaxed);
        }
    }
}

/// A machine whose calls are counted.
#[derive(Debug)]
pub struct Watched<M> {
    machine: M,
    calls: Arc<Calls>,
    /// What it recalls, whatever it is asked for.
    note: Option<String>,
}

impl<M> Watched<M> {
    /// This machine, which counts its calls there.
    #[must_use]
    pub fn new(machine: M, calls: &Arc<Calls>) -> Watched<M> {
        Watched { machine, calls: Arc::clone(calls), note: None }
    }

    /// The same, which recalls this note whatever it is asked for: a shape of which it would be worth to try others.
    #[must_use]
    pub fn recalling(self, note: &str) -> Watched<M> {
        Watched { note: Some(note.to_owned()), ..self }
    }
}

/// Its memory, or what copies out of it.
#[derive(Debug)]
pub struct Part<T> {
    inner: T,
    calls: Arc<Calls>,
}

impl<T: Memory> Memory for Part<T> {
    fn bytes(&self) -> usize {
        self.inner.bytes()
    }

    fn address(&self) -> u64 {
        self.inner.address()
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<(), Error> {
        self.calls.crossed(std::iter::once(bytes.len()));
        self.inner.write(offset, bytes)
    }

    fn write_all(&self, parts: &[(usize, &[u8])]) -> Result<(), Error> {
        self.calls.crossed(parts.iter().map(|(_, bytes)| bytes.len()));
        self.inner.write_all(parts)
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        self.calls.crossed(std::iter::once(bytes.len()));
        self.inner.read(offset, bytes)
    }
}

impl<T: Memory, C: Copier<T>> Copier<Part<T>> for Part<C> {
    fn read(&self, memory: &Part<T>, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        self.calls.crossed(std::iter::once(bytes.len()));
        self.inner.read(&memory.inner, offset, bytes)
    }
}

impl<M: Machine> Machine for Watched<M> {
    type Memory = Part<M::Memory>;
    type Kernel = M::Kernel;
    type Recording = M::Recording;
    type Copier = Part<M::Copier>;
    type Mark = M::Mark;

    fn label(&self) -> String {
        self.machine.label()
    }

    fn check_footprint(&self, nodes: u128, bytes_per_node: usize) -> Result<(), Error> {
        self.machine.check_footprint(nodes, bytes_per_node)
    }

    fn build(&self, text: &str, names: &[String]) -> Result<Vec<M::Kernel>, Error> {
        self.machine.build(text, names)
    }

    fn build_all(&self, texts: &[(String, Vec<String>)]) -> Result<Vec<Vec<M::Kernel>>, Error> {
        self.machine.build_all(texts)
    }

    fn memory(&self, bytes: usize) -> Result<Part<M::Memory>, Error> {
        let left = self.calls.left.fetch_sub(1, Relaxed);
        if left == 0 {
            let (device, needed) = (self.label(), bytes as u64);
            return Err(DeviceError::OutOfMemory { device, needed, free: 0, total: needed }.into());
        }
        self.calls.memories.fetch_add(1, Relaxed);
        Ok(Part { inner: self.machine.memory(bytes)?, calls: Arc::clone(&self.calls) })
    }

    fn copier(&self) -> Result<Part<M::Copier>, Error> {
        Ok(Part { inner: self.machine.copier()?, calls: Arc::clone(&self.calls) })
    }

    fn shared_bytes_a_block(&self) -> usize {
        self.machine.shared_bytes_a_block()
    }

    fn blocks_at_once(&self, kernel: &M::Kernel, block: [u32; 3], bytes: u32) -> Result<usize, Error> {
        self.machine.blocks_at_once(kernel, block, bytes)
    }

    unsafe fn launch(&self, kernel: &M::Kernel, launch: &Launch) -> Result<(), Error> {
        self.calls.launches.fetch_add(1, Relaxed);
        // SAFETY: the caller's promise.
        unsafe { self.machine.launch(kernel, launch) }
    }

    unsafe fn launch_side_by_side(&self, launches: &[(&M::Kernel, Launch)]) -> Result<(), Error> {
        self.calls.launches.fetch_add(launches.len(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { self.machine.launch_side_by_side(launches) }
    }

    fn residency(&self, kernel: &M::Kernel, block: [u32; 3], bytes: u32) -> Result<Option<Residency>, Error> {
        self.machine.residency(kernel, block, bytes)
    }

    fn record(&self, launches: &mut dyn FnMut() -> Result<(), Error>) -> Result<Option<M::Recording>, Error> {
        self.machine.record(launches)
    }

    unsafe fn replay(&self, recording: &M::Recording) -> Result<(), Error> {
        self.calls.launches.fetch_add(1, Relaxed);
        // SAFETY: the caller's promise.
        unsafe { self.machine.replay(recording) }
    }

    fn wait(&self) -> Result<(), Error> {
        self.calls.waits.fetch_add(1, Relaxed);
        self.machine.wait()
    }

    fn mark(&self) -> Result<M::Mark, Error> {
        self.machine.mark()
    }

    fn recall(&self, key: &str) -> Option<String> {
        self.calls.keys.lock().unwrap_or_else(PoisonError::into_inner).push(key.to_owned());
        self.note.clone().or_else(|| self.machine.recall(key))
    }

    fn remember(&self, key: &str, note: &str) {
        self.machine.remember(key, note);
    }

    fn can_be_tuned(&self) -> bool {
        self.note.is_some() || self.machine.can_be_tuned()
    }
}
