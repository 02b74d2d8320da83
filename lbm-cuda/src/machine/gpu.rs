//! A GPU as a machine.

use std::sync::{Arc, Mutex, PoisonError};

use lbm_core::Error;
use lbm_core::cut::Invitation;
use lbm_core::parallel::each_chunk;

use super::{Joined, Launch, Machine, Residency};
use crate::cache::Cache;
use crate::device::{Buffer, Device, Event, Graph, Kernel, Nccl, Stream};
use crate::nvrtc::{Architecture, Compiled, Nvrtc};

/// A GPU with NVRTC for it.
pub struct Gpu {
    device: Device,
    stream: Arc<Stream>,
    /// Queues of launches that run side by side, as many as were needed so far.
    beside: Mutex<Vec<Stream>>,
    nvrtc: &'static Nvrtc,
    /// What kernels are compiled for.
    target: Architecture,
}

impl Gpu {
    /// Opens device number `index`.
    ///
    /// # Errors
    /// [`lbm_core::error::DeviceError`]: no driver, no such device, no NVRTC, versions that do not fit.
    pub fn open(index: usize) -> Result<Gpu, Error> {
        let device = Device::open(index)?;
        let nvrtc = Nvrtc::load()?;
        let target = device.target(nvrtc)?;
        let stream = Arc::new(Stream::new(&device)?);
        Ok(Gpu { device, stream, beside: Mutex::default(), nvrtc, target })
    }

    /// A note's key: notes of one device say nothing of another.
    fn key(&self, key: &str) -> String {
        format!("{} {key}", self.device.properties().name)
    }
}

/// NCCL's library, where it is.
fn nccl() -> Result<&'static Nccl, Error> {
    Nccl::load().ok_or_else(|| Error::Unavailable {
        what: "there is no libnccl.so.2 on this machine".to_owned(),
        remedy: "install NCCL and name its file in LBM_NCCL, or have values cross through the host"
            .to_owned(),
    })
}

/// Puts a launch in a stream.
///
/// # Safety
/// As [`Machine::launch`].
unsafe fn put(kernel: &Kernel, launch: &Launch, stream: &Stream) -> Result<(), Error> {
    let Launch { grid, block, arguments, shared_bytes, .. } = launch;
    kernel.allow_shared(*shared_bytes)?;
    // SAFETY: the caller's promise.
    unsafe { kernel.launch(*grid, *block, *shared_bytes, stream, &arguments.pointers()) }
}

impl Machine for Gpu {
    type Memory = Buffer;
    type Kernel = Kernel;
    type Recording = Graph;
    type Copier = Stream;
    type Mark = Event;

    fn label(&self) -> String {
        let properties = self.device.properties();
        format!("cuda:{}, {}", properties.index, properties.name)
    }

    fn check_footprint(&self, nodes: u128, bytes_per_node: usize) -> Result<(), Error> {
        self.device.check_footprint(nodes, bytes_per_node)
    }

    fn build(&self, text: &str, names: &[String]) -> Result<Vec<Kernel>, Error> {
        let compiled = Cache::of_this_machine().compile(self.nvrtc, text, self.target)?;
        Kernel::load(&self.device, &compiled.cubin, names)
    }

    fn build_all(&self, texts: &[(String, Vec<String>)]) -> Result<Vec<Vec<Kernel>>, Error> {
        let (cache, nvrtc, target) = (Cache::of_this_machine(), self.nvrtc, self.target);
        let mut compiled: Vec<Option<Result<Compiled, Error>>> = texts.iter().map(|_| None).collect();
        each_chunk(&mut compiled, 1, |number, one| {
            one[0] = Some(cache.compile(nvrtc, &texts[number].0, target));
        });
        let compiled = compiled.into_iter().map(|one| one.expect("each text has had its turn"));
        let named = texts.iter().zip(compiled);
        named.map(|((_, names), one)| Kernel::load(&self.device, &one?.cubin, names)).collect()
    }

    fn memory(&self, bytes: usize) -> Result<Buffer, Error> {
        Buffer::zeroed(&self.device, bytes)
    }

    fn copier(&self) -> Result<Stream, Error> {
        let stream = Stream::new(&self.device)?;
        stream.wait_for(&self.mark()?)?;
        Ok(stream)
    }

    fn shared_bytes_a_block(&self) -> usize {
        self.device.properties().shared_bytes_a_block as usize
    }

    fn blocks_at_once(&self, kernel: &Kernel, block: [u32; 3], shared_bytes: u32) -> Result<usize, Error> {
        let blocks = kernel.blocks_a_multiprocessor(block, shared_bytes)?;
        Ok(blocks as usize * self.device.properties().multiprocessors as usize)
    }

    fn residency(
        &self,
        kernel: &Kernel,
        block: [u32; 3],
        shared_bytes: u32,
    ) -> Result<Option<Residency>, Error> {
        let blocks = kernel.blocks_a_multiprocessor(block, shared_bytes)?;
        Ok(Some(Residency {
            registers: kernel.registers(),
            threads: blocks * block.iter().product::<u32>(),
            most_threads: self.device.properties().threads_a_multiprocessor,
        }))
    }

    unsafe fn launch(&self, kernel: &Kernel, launch: &Launch) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { put(kernel, launch, &self.stream) }
    }

    unsafe fn launch_side_by_side(&self, launches: &[(&Kernel, Launch)]) -> Result<(), Error> {
        let mut streams = self.beside.lock().unwrap_or_else(PoisonError::into_inner);
        while streams.len() < launches.len() {
            streams.push(Stream::new(&self.device)?);
        }
        let start = self.mark()?;
        for ((kernel, launch), stream) in launches.iter().zip(&*streams) {
            stream.wait_for(&start)?;
            // SAFETY: the caller's promise; what follows in the machine's own stream waits for it.
            unsafe { put(kernel, launch, stream)? };
            self.stream.wait_for(&Event::mark(stream)?)?;
        }
        Ok(())
    }

    fn record(&self, launches: &mut dyn FnMut() -> Result<(), Error>) -> Result<Option<Graph>, Error> {
        Graph::capture(&self.stream, launches).map(Some)
    }

    unsafe fn replay(&self, recording: &Graph) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { recording.launch(&self.stream) }
    }

    fn wait(&self) -> Result<(), Error> {
        self.stream.synchronize()
    }

    fn another(&self) -> Result<Option<Gpu>, Error> {
        let (device, stream) = (self.device.clone(), Arc::new(Stream::first(&self.device)?));
        Ok(Some(Gpu { device, stream, beside: Mutex::default(), nvrtc: self.nvrtc, target: self.target }))
    }

    fn mark(&self) -> Result<Event, Error> {
        Event::mark(&self.stream)
    }

    fn mark_for_others(&self) -> Result<Event, Error> {
        Event::untimed(&self.stream)
    }

    fn mark_again(&self, mark: &mut Event) -> Result<(), Error> {
        mark.again(&self.stream)
    }

    fn wait_for(&self, mark: &Event) -> Result<(), Error> {
        self.stream.wait_for(mark)
    }

    fn reach(&self, from: &Buffer, to: &Buffer) -> Result<bool, Error> {
        if from.reach(to)? {
            return Ok(true);
        }
        to.reach(from)?;
        Ok(false)
    }

    unsafe fn bring(&self, from: &Buffer, to: &Buffer) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { to.copy_from(from, &self.stream) }
    }

    fn may_join(&self) -> bool {
        Nccl::load().is_some()
    }

    fn invitation(&self) -> Result<Invitation, Error> {
        nccl()?.invitation(&self.device)
    }

    fn join(
        &self,
        invitation: &Invitation,
        rank: usize,
        ranks: usize,
    ) -> Result<Box<dyn Joined<Buffer>>, Error> {
        let group = nccl()?.join(&self.device, &self.stream, invitation, (rank, ranks))?;
        Ok(Box::new(group))
    }

    fn recall(&self, key: &str) -> Option<String> {
        Cache::of_this_machine().recall(&self.key(key))
    }

    fn remember(&self, key: &str, note: &str) {
        Cache::of_this_machine().remember(&self.key(key), note);
    }

    fn can_be_tuned(&self) -> bool {
        true
    }
}
