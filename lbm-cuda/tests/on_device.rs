//! Runs a kernel, where there is a GPU. `examples/device_smoke.rs` goes through all of the runtime.

use std::ffi::c_void;
use std::ptr::from_ref;

use lbm_cuda::device::{Buffer, Device, Graph, Kernel, Module, Stream};
use lbm_cuda::nvrtc::CompileOptions;
use lbm_cuda::testing::{device_or_skip, nvrtc_or_skip};

const SOURCE: &str = r#"
extern "C" __global__ void saxpy(float a, const float* x, float* y, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaf(a, x[i], y[i]);
}
"#;

const COUNT: usize = 1000;

fn saxpy(kernel: &Kernel, stream: &Stream, x: &Buffer, y: &Buffer) {
    let (a, x, y, n) = (0.5f32, x.pointer(), y.pointer(), COUNT as u32);
    let arguments: [*const c_void; 4] =
        [from_ref(&a).cast(), from_ref(&x).cast(), from_ref(&y).cast(), from_ref(&n).cast()];
    // SAFETY: the arguments are those that the kernel declares; the buffers hold COUNT numbers and outlive the work.
    unsafe { kernel.launch([n.div_ceil(128), 1, 1], [128, 1, 1], 0, stream, &arguments) }.unwrap();
}

fn buffer(device: &Device, values: &[f32]) -> Buffer {
    let mut buffer = Buffer::zeroed(device, size_of_val(values)).unwrap();
    buffer.write(0, values).unwrap();
    buffer
}

#[test]
fn launches_and_graphs_give_the_same_numbers_as_the_host() {
    let test = "launches_and_graphs_give_the_same_numbers_as_the_host";
    let Some(device) = device_or_skip(test) else { return };
    let Some(nvrtc) = nvrtc_or_skip(test) else { return };
    let options = CompileOptions::new(device.target(nvrtc).unwrap());
    let compiled = nvrtc.compile(SOURCE, &options).unwrap();
    let kernel = Module::load(&device, &compiled.cubin).unwrap().kernel("saxpy").unwrap();
    let stream = Stream::new(&device).unwrap();

    let values: Vec<f32> = (0..COUNT).map(|i| 1.0 / (i + 1) as f32).collect();
    let (x, y) = (buffer(&device, &values), buffer(&device, &values));
    let graph = Graph::capture(&stream, |stream| {
        (0..3).for_each(|_| saxpy(&kernel, stream, &x, &y));
        Ok(())
    })
    .unwrap();
    saxpy(&kernel, &stream, &x, &y);
    // SAFETY: kernel and buffers live to the end of the test.
    unsafe { graph.launch(&stream) }.unwrap();

    let mut found = vec![0f32; COUNT];
    y.read(0, &mut found).unwrap();
    let expected: Vec<f32> =
        values.iter().map(|x| (0..4).fold(*x, |y: f32, _| 0.5f32.mul_add(*x, y))).collect();
    assert_eq!(found, expected);
}
