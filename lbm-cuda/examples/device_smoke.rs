//! Exercises every part of the device's runtime once and says OK for each; without a GPU it says what is missing.
//!
//! ```text
//! cargo run --release -p lbm-cuda --example device_smoke
//! ```
//!
//! The last check breaks the device on purpose, for this process only.

use std::ffi::c_void;
use std::process::ExitCode;
use std::ptr::from_ref;

use lbm_core::Error;
use lbm_core::error::DeviceError;
use lbm_cuda::cache::compile_cached;
use lbm_cuda::device::{Buffer, Device, Event, Graph, Kernel, Module, Pinned, Stream};
use lbm_cuda::nvrtc::{CompileOptions, Nvrtc};

const SOURCE: &str = r#"
extern "C" __global__ void saxpy(float a, const float* x, float* y, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaf(a, x[i], y[i]);
}
extern "C" __global__ void stray(float* y, unsigned long long offset) {
    y[offset] = 1.0f;
}
"#;

/// Not a multiple of a block, so that the last block is partly empty.
const COUNT: usize = (1 << 24) + 3;
const BLOCK: [u32; 3] = [256, 1, 1];

fn main() -> ExitCode {
    println!("{}", lbm_cuda::probe());
    match run() {
        Ok(()) => {
            println!("all OK");
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("stopped: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Error> {
    let count = Device::count()?;
    let device = Device::open(0)?;
    wrong_index(count)?;
    out_of_memory(&device)?;
    let module = compile(&device)?;
    let stream = Stream::new(&device)?;
    copies(&device, &stream)?;
    launches(&device, &stream, &module)?;
    lost(&device, &stream, &module)
}

fn ok(what: &str) {
    println!("OK  {what}");
}

/// Ends the run with what was expected and what came.
fn failed<T>(what: impl Into<String>) -> Result<T, Error> {
    Err(Error::Conflict { what: what.into(), remedy: "this is a defect of the runtime".to_owned() })
}

fn wrong_index(count: usize) -> Result<(), Error> {
    match Device::open(count) {
        Err(Error::Device(error @ DeviceError::WrongIndex { .. })) => ok(&format!("wrong index: {error}")),
        other => return failed(format!("a wrong index gave {other:?}")),
    }
    Ok(())
}

fn out_of_memory(device: &Device) -> Result<(), Error> {
    let too_much = device.properties().total_memory as usize * 2;
    match Buffer::zeroed(device, too_much) {
        Err(Error::Device(error @ DeviceError::OutOfMemory { .. })) => ok(&format!("out of memory: {error}")),
        other => return failed(format!("twice the device's memory gave {other:?}")),
    }
    match device.check_footprint(1 << 40, 152) {
        Err(error @ Error::OutOfMemory { .. }) => ok(&format!("footprint: {error}")),
        other => return failed(format!("2^40 nodes gave {other:?}")),
    }
    device.check_footprint(1 << 20, 152)?;
    Ok(())
}

fn compile(device: &Device) -> Result<Module, Error> {
    let nvrtc = Nvrtc::load()?;
    let options = CompileOptions::new(device.target(nvrtc)?);
    let compiled = compile_cached(nvrtc, SOURCE, &options)?;
    let again = compile_cached(nvrtc, SOURCE, &options)?;
    if (again.cubin, again.kernels) != (compiled.cubin.clone(), compiled.kernels.clone()) {
        return failed("the cache gave another kernel than was compiled");
    }
    let module = Module::load(device, &compiled.cubin)?;
    let kernel = module.kernel("saxpy")?;
    let (said, found) = (compiled.kernel("saxpy").map(|k| k.registers), kernel.attributes());
    if said != Some(found.registers) {
        return failed(format!("the log says {said:?} registers, the driver {found:?}"));
    }
    let blocks = kernel.blocks_per_multiprocessor(BLOCK[0], 0)?;
    ok(&format!(
        "compiled for {} (cached: {}), {found:?}, {blocks} blocks a multiprocessor",
        options.architecture, compiled.cached
    ));
    match module.kernel("saxpi") {
        Err(Error::Device(error @ DeviceError::Call { .. })) => ok(&format!("wrong kernel: {error}")),
        other => return failed(format!("a wrong kernel gave {other:?}")),
    }
    match Module::load(device, b"no cubin") {
        Err(Error::Device(error @ DeviceError::Call { .. })) => ok(&format!("no machine code: {error}")),
        other => return failed(format!("a file that is no cubin gave {other:?}")),
    }
    Ok(module)
}

fn copies(device: &Device, stream: &Stream) -> Result<(), Error> {
    let values: Vec<f64> = (0..1000).map(f64::from).collect();
    let mut first = Buffer::zeroed(device, 8000)?;
    let mut second = Buffer::zeroed(device, 8000)?;
    let mut back = vec![1.0f64; 1000];
    first.read(0, &mut back)?;
    if back.iter().any(|&value| value != 0.0) {
        return failed("a new buffer is not zero");
    }
    first.write(0, &values)?;
    second.copy_from(&first, stream)?;
    stream.synchronize()?;
    second.read(80, &mut back[..990])?;
    if back[..990] != values[10..] {
        return failed("values changed on the way to the device and back");
    }
    if first.write(8, &values).is_ok() {
        return failed("a write beyond the end was let through");
    }
    ok("memory is zeroed, copied to the device, on it, and back");

    let mut pinned = Pinned::zeroed(device, 8000)?;
    pinned.values_mut::<f64>().copy_from_slice(&back.iter().map(|v| v + 0.5).collect::<Vec<_>>());
    let expected = pinned.values::<f64>().to_vec();
    let pinned = first.copy_in(0, pinned, stream)?.wait()?;
    second.copy_from(&first, stream)?;
    let transfer = second.copy_out(0, pinned, stream)?;
    while !transfer.is_done()? {
        std::thread::yield_now();
    }
    if transfer.wait()?.values::<f64>() != expected {
        return failed("values changed on the way through pinned memory");
    }
    second.clear(stream)?;
    stream.synchronize()?;
    second.read(0, &mut back)?;
    if back.iter().any(|&value| value != 0.0) {
        return failed("a cleared buffer is not zero");
    }
    ok("asynchronous copies through pinned memory");

    let bytes = 1 << 30;
    let (mut to, from) = (Buffer::zeroed(device, bytes)?, Buffer::zeroed(device, bytes)?);
    let (begin, end) = (Event::new(device)?, Event::new(device)?);
    to.copy_from(&from, stream)?;
    begin.record(stream)?;
    for _ in 0..10 {
        to.copy_from(&from, stream)?;
    }
    end.record(stream)?;
    let milliseconds = end.milliseconds_since(&begin)?;
    ok(&format!("copy of 1 GiB ten times: {:.0} GB/s", 20.0 * bytes as f64 / milliseconds / 1e6));
    Ok(())
}

/// Puts `y += a x` in the stream.
fn saxpy(kernel: &Kernel, stream: &Stream, a: f32, x: &Buffer, y: &Buffer) -> Result<(), Error> {
    let (x, y, n) = (x.pointer(), y.pointer(), COUNT as u32);
    let arguments: [*const c_void; 4] =
        [from_ref(&a).cast(), from_ref(&x).cast(), from_ref(&y).cast(), from_ref(&n).cast()];
    let grid = [n.div_ceil(BLOCK[0]), 1, 1];
    // SAFETY: the arguments are those that the kernel declares; both buffers hold COUNT numbers, and the callers keep
    // them until the stream has run.
    unsafe { kernel.launch(grid, BLOCK, 0, stream, &arguments) }
}

fn launches(device: &Device, stream: &Stream, module: &Module) -> Result<(), Error> {
    let kernel = module.kernel("saxpy")?;
    let bytes = COUNT * size_of::<f32>();
    let (mut x, mut y) = (Buffer::zeroed(device, bytes)?, Buffer::zeroed(device, bytes)?);
    let values: Vec<f32> = (0..COUNT).map(|i| (i % 1000) as f32).collect();
    x.write(0, &values)?;
    y.write(0, &values)?;
    let is = |y: &[f32], factor: f32| y.iter().zip(&values).all(|(y, x)| *y == factor * x);

    let (begin, end) = (Event::new(device)?, Event::new(device)?);
    begin.record(stream)?;
    saxpy(&kernel, stream, 2.0, &x, &y)?;
    end.record(stream)?;
    let milliseconds = end.milliseconds_since(&begin)?;
    let mut result = vec![0f32; COUNT];
    y.read(0, &mut result)?;
    if !is(&result, 3.0) {
        return failed("saxpy gave wrong numbers");
    }
    ok(&format!("launch of {COUNT} threads: {milliseconds:.4} ms by events"));

    // SAFETY: the shape is refused before the arguments are looked at.
    match unsafe { kernel.launch([1, 1, 1], [2048, 1, 1], 0, stream, &[]) } {
        Err(Error::Device(error @ DeviceError::Launch { .. })) => ok(&format!("wrong block: {error}")),
        other => return failed(format!("a block of 2048 threads gave {other:?}")),
    }

    let graph =
        Graph::capture(stream, |stream| (0..10).try_for_each(|_| saxpy(&kernel, stream, 1.0, &x, &y)))?;
    y.read(0, &mut result)?;
    if !is(&result, 3.0) {
        return failed("recording a graph ran it");
    }
    begin.record(stream)?;
    // SAFETY: kernel and buffers are alive until the end of this function, which waits.
    unsafe { graph.launch(stream) }?;
    end.record(stream)?;
    let milliseconds = end.milliseconds_since(&begin)?;
    y.read(0, &mut result)?;
    if !is(&result, 13.0) {
        return failed("a graph of ten launches gave wrong numbers");
    }
    ok(&format!("graph of 10 launches: {milliseconds:.4} ms"));
    if Graph::capture(stream, |_| failed::<()>("on purpose")).is_ok() {
        return failed("a failed recording gave a graph");
    }
    saxpy(&kernel, stream, 0.0, &x, &y)?;
    stream.synchronize()?;
    ok("a stream works on after a failed recording");

    // A snapshot of y goes out on a stream of its own while the next launches run.
    let mut snapshot = Buffer::zeroed(device, bytes)?;
    let outgoing = Stream::new(device)?;
    let taken = Event::new(device)?;
    snapshot.copy_from(&y, stream)?;
    taken.record(stream)?;
    outgoing.wait_for(&taken)?;
    let transfer = snapshot.copy_out(0, Pinned::zeroed(device, bytes)?, &outgoing)?;
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            (0..5).try_for_each(|_| saxpy(&kernel, stream, 1.0, &x, &y))?;
            stream.synchronize()
        });
        other.join().unwrap_or_else(|_| failed("the other thread ended early"))
    })?;
    if !is(transfer.wait()?.values(), 13.0) {
        return failed("a copy beside running kernels gave wrong numbers");
    }
    y.read(0, &mut result)?;
    if !is(&result, 18.0) {
        return failed("launches from another thread gave wrong numbers");
    }
    ok("copy out beside launches from another thread");
    device.synchronize()
}

fn lost(device: &Device, stream: &Stream, module: &Module) -> Result<(), Error> {
    let kernel = module.kernel("stray")?;
    let buffer = Buffer::zeroed(device, 4)?;
    let (y, offset) = (buffer.pointer(), 1u64 << 40);
    let arguments: [*const c_void; 2] = [from_ref(&y).cast(), from_ref(&offset).cast()];
    // SAFETY: not met on purpose: the store goes far beyond all of the device's memory, which is an error that the
    // device reports; no memory of anybody is touched.
    unsafe { kernel.launch([1, 1, 1], [1, 1, 1], 0, stream, &arguments) }?;
    match stream.synchronize() {
        Err(Error::Device(error @ DeviceError::Lost { .. })) => ok(&format!("lost: {error}")),
        other => return failed(format!("a stray store gave {other:?}")),
    }
    match buffer.read(0, &mut [0f32]) {
        Err(Error::Device(DeviceError::Lost { .. })) => ok("a lost device stays lost"),
        other => return failed(format!("a read of a lost device gave {other:?}")),
    }
    Ok(())
}
