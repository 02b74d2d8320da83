//! A GPU as a machine.

use lbm_core::Error;

use super::{Launch, Machine};
use crate::cache::{self, compile_cached};
use crate::device::{Buffer, Device, Event, Graph, Kernel, Module, Pinned, Stream, Transfer};
use crate::nvrtc::{CompileOptions, Nvrtc};

/// Bytes of shared memory that a block can have without asking.
const ALWAYS_ALLOWED: u32 = 48 << 10;

/// A GPU with NVRTC for it.
pub struct Gpu {
    device: Device,
    stream: Stream,
    /// For copies beside running kernels.
    copies: Stream,
    nvrtc: &'static Nvrtc,
    options: CompileOptions,
}

impl Gpu {
    /// Opens device number `index`.
    ///
    /// # Errors
    /// [`lbm_core::error::DeviceError`]: no driver, no such device, no NVRTC, versions that do not fit.
    pub fn open(index: usize) -> Result<Gpu, Error> {
        let device = Device::open(index)?;
        let nvrtc = Nvrtc::load()?;
        let options = CompileOptions::new(device.target(nvrtc)?);
        let stream = Stream::new(&device)?;
        let copies = Stream::new(&device)?;
        Ok(Gpu { device, stream, copies, nvrtc, options })
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The stream that all launches go to.
    #[must_use]
    pub fn stream(&self) -> &Stream {
        &self.stream
    }
}

impl Machine for Gpu {
    type Memory = Buffer;
    type Kernel = Kernel;
    type Recording = Graph;
    type Landing = Pinned;
    type Outgoing = Transfer;
    type Mark = Event;

    fn label(&self) -> String {
        let properties = self.device.properties();
        format!("cuda:{}, {}", properties.index, properties.name)
    }

    fn check_footprint(&self, nodes: u128, bytes_per_node: usize) -> Result<(), Error> {
        self.device.check_footprint(nodes, bytes_per_node)
    }

    fn build(&self, text: &str, names: &[String]) -> Result<Vec<Kernel>, Error> {
        let compiled = compile_cached(self.nvrtc, text, &self.options)?;
        let module = Module::load(&self.device, &compiled.cubin)?;
        names.iter().map(|name| module.kernel(name)).collect()
    }

    fn memory(&self, bytes: usize) -> Result<Buffer, Error> {
        Buffer::zeroed(&self.device, bytes)
    }

    fn bytes(&self, memory: &Buffer) -> usize {
        memory.bytes()
    }

    fn address(&self, memory: &Buffer) -> u64 {
        memory.pointer()
    }

    fn write(&self, memory: &mut Buffer, offset: usize, bytes: &[u8]) -> Result<(), Error> {
        memory.write(offset, bytes)
    }

    fn read(&self, memory: &Buffer, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        memory.read(offset, bytes)
    }

    fn landing(&self, values: usize) -> Result<Pinned, Error> {
        Pinned::zeroed(&self.device, values * size_of::<f64>())
    }

    fn start_read(&self, memory: &Buffer, landing: Pinned) -> Result<Transfer, Error> {
        let computed = Event::new(&self.device)?;
        computed.record(&self.stream)?;
        self.copies.wait_for(&computed)?;
        memory.copy_out(0, landing, &self.copies)
    }

    fn finish_read(outgoing: Transfer) -> Result<Pinned, Error> {
        outgoing.wait()
    }

    fn landed(landing: &Pinned) -> &[f64] {
        landing.values()
    }

    unsafe fn launch(&self, kernel: &Kernel, launch: &Launch) -> Result<(), Error> {
        let Launch { grid, block, arguments, shared_bytes, .. } = launch;
        if *shared_bytes > ALWAYS_ALLOWED {
            kernel.allow_shared(*shared_bytes)?;
        }
        // SAFETY: the caller's promise.
        unsafe { kernel.launch(*grid, *block, *shared_bytes, &self.stream, &arguments.pointers()) }
    }

    fn record(&self, launches: &mut dyn FnMut() -> Result<(), Error>) -> Result<Option<Graph>, Error> {
        Graph::capture(&self.stream, |_| launches()).map(Some)
    }

    unsafe fn replay(&self, recording: &Graph) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { recording.launch(&self.stream) }
    }

    fn wait(&self) -> Result<(), Error> {
        self.stream.synchronize()
    }

    fn mark(&self) -> Result<Event, Error> {
        let mark = Event::new(&self.device)?;
        mark.record(&self.stream)?;
        Ok(mark)
    }

    fn seconds_between(start: &Event, end: &Event) -> Result<f64, Error> {
        Ok(end.milliseconds_since(start)? * 1e-3)
    }

    fn recall(&self, key: &str) -> Option<String> {
        cache::recall(&format!("{} {key}", self.device.properties().name))
    }

    fn remember(&self, key: &str, note: &str) {
        cache::remember(&format!("{} {key}", self.device.properties().name), note);
    }

    fn can_be_tuned(&self) -> bool {
        true
    }
}
