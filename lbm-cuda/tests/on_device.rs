//! The runtime on a GPU, where there is one: memory, launches, recordings, copies beside them, what is refused, a lost device.

use std::env;
use std::process::{Command, Stdio};

use lbm_core::Error;
use lbm_core::error::DeviceError;
use lbm_cuda::Gpu;
use lbm_cuda::machine::{Arguments, Copier, Launch, Machine, Mark, Memory};
use lbm_cuda::testing::{device_or_skip, nvrtc_or_skip};

const SOURCE: &str = r#"
extern "C" __global__ void saxpy(float a, const float* x, float* y, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaf(a, x[i], y[i]);
}
extern "C" __global__ void stray(float* y, unsigned long long offset) {
    y[offset] = 1.0f;
}
"#;

/// No whole number of blocks.
const COUNT: usize = 1000;

type Kernel = <Gpu as Machine>::Kernel;
type Buffer = <Gpu as Machine>::Memory;

fn gpu_or_skip(test: &str) -> Option<Gpu> {
    let is_there = device_or_skip(test).is_some() && nvrtc_or_skip(test).is_some();
    is_there.then(|| Gpu::open(0).unwrap())
}

fn kernels(gpu: &Gpu) -> Vec<Kernel> {
    gpu.build(SOURCE, &["saxpy", "stray"].map(str::to_owned)).unwrap()
}

/// Puts `y += x / 2` behind what was launched before.
fn saxpy(gpu: &Gpu, kernel: &Kernel, block: u32, x: &Buffer, y: &Buffer) -> Result<(), Error> {
    let arguments = Arguments::new()
        .bytes(&0.5f32.to_ne_bytes())
        .word(x.address())
        .word(y.address())
        .bytes(&(COUNT as u32).to_ne_bytes());
    let launch = Launch::new([(COUNT as u32).div_ceil(block), 1, 1], [block, 1, 1], arguments);
    // SAFETY: the arguments are those that the kernel declares; the buffers hold COUNT numbers and outlive the work.
    unsafe { gpu.launch(kernel, &launch) }
}

fn buffer(gpu: &Gpu, values: &[f32]) -> Buffer {
    let buffer = gpu.memory(size_of_val(values)).unwrap();
    buffer.write(0, &values.iter().flat_map(|value| value.to_ne_bytes()).collect::<Vec<_>>()).unwrap();
    buffer
}

fn read(buffer: &Buffer) -> Vec<f32> {
    let mut bytes = vec![1; buffer.bytes()];
    buffer.read(0, &mut bytes).unwrap();
    bytes.as_chunks().0.iter().map(|&value| f32::from_ne_bytes(value)).collect()
}

#[test]
fn launches_and_recordings_give_the_same_numbers_as_the_host() {
    let Some(gpu) = gpu_or_skip("launches_and_recordings_give_the_same_numbers_as_the_host") else {
        return;
    };
    let kernel = &kernels(&gpu)[0];
    let values: Vec<f32> = (0..COUNT).map(|i| 1.0 / (i + 1) as f32).collect();
    let (x, y) = (buffer(&gpu, &values), buffer(&gpu, &values));
    let after = |times: usize| -> Vec<f32> {
        values.iter().map(|x| (0..times).fold(*x, |y: f32, _| 0.5f32.mul_add(*x, y))).collect()
    };
    let start = gpu.mark().unwrap();
    let recording = gpu
        .record(&mut || (0..3).try_for_each(|_| saxpy(&gpu, kernel, 128, &x, &y)))
        .unwrap()
        .expect("a GPU gains by recordings");
    assert_eq!(read(&y), values, "nothing ran");
    saxpy(&gpu, kernel, 128, &x, &y).unwrap();
    // SAFETY: kernel and buffers live to the end of the test.
    unsafe { gpu.replay(&recording) }.unwrap();
    assert_eq!(read(&y), after(4));
    assert!(gpu.mark().unwrap().seconds_since(&start).unwrap() > 0.0);

    let refused = || Error::unknown("word", "a", ["b"], "c");
    assert!(gpu.record(&mut || Err(refused())).is_err(), "a failed recording gives none");
    saxpy(&gpu, kernel, 128, &x, &y).unwrap();
    assert_eq!(read(&y), after(5), "launches work on after a failed recording");
}

#[test]
fn a_copy_beside_launches_has_what_was_there_before_them() {
    let Some(gpu) = gpu_or_skip("a_copy_beside_launches_has_what_was_there_before_them") else {
        return;
    };
    let kernel = &kernels(&gpu)[0];
    let numbers: Vec<u8> = (0..COUNT).flat_map(|i| (i as f64).to_ne_bytes()).collect();
    let snapshot = gpu.memory(numbers.len()).unwrap();
    snapshot.write(0, &numbers).unwrap();
    let (x, y) = (buffer(&gpu, &[2.0; COUNT]), buffer(&gpu, &[0.0; COUNT]));
    for turn in 1..3 {
        let copier = gpu.copier().unwrap();
        (0..5).for_each(|_| saxpy(&gpu, kernel, 256, &x, &y).unwrap());
        let mut found = vec![0; numbers.len()];
        let (first, rest) = found.split_at_mut(16);
        copier.read(&snapshot, 16, rest).unwrap();
        copier.read(&snapshot, 0, first).unwrap();
        assert!(found == numbers);
        assert_eq!(read(&y), [5.0 * turn as f32; COUNT]);
    }
}

#[test]
fn what_a_device_cannot_do_is_refused_by_name() {
    let Some(gpu) = gpu_or_skip("what_a_device_cannot_do_is_refused_by_name") else { return };
    let device = |error: Error| match error {
        Error::Device(error) => error,
        other => panic!("not an error of a device: {other}"),
    };
    let empty = gpu.memory(16).unwrap();
    assert_eq!(read(&empty), [0.0; 4], "memory begins as zeros");
    assert!(matches!(empty.write(8, &[1; 16]), Err(Error::OutOfRange { .. })));
    assert!(matches!(empty.read(17, &mut []), Err(Error::OutOfRange { .. })));
    let too_much = gpu.memory(1 << 50).map(|_| ()).unwrap_err();
    assert!(matches!(device(too_much), DeviceError::OutOfMemory { .. }));
    assert!(matches!(gpu.check_footprint(1 << 40, 152), Err(Error::OutOfMemory { .. })));
    gpu.check_footprint(1 << 20, 152).unwrap();
    let missing = device(gpu.build(SOURCE, &["saxpi".to_owned()]).map(|_| ()).unwrap_err());
    assert!(missing.to_string().contains("no kernel `saxpi`"), "{missing}");
    let kernel = &kernels(&gpu)[0];
    let too_many = device(saxpy(&gpu, kernel, 2048, &empty, &empty).unwrap_err());
    assert!(matches!(&too_many, DeviceError::Launch { block: [2048, 1, 1], .. }), "{too_many}");
}

/// Set for the second run of this program, in which the test below breaks the device for its process.
const SECOND_RUN: &str = "LBM_TEST_LOST_DEVICE";

#[test]
fn a_lost_device_stays_lost() {
    let Some(gpu) = gpu_or_skip("a_lost_device_stays_lost") else { return };
    if env::var_os(SECOND_RUN).is_none() {
        let status = Command::new(env::current_exe().unwrap())
            .args(["--exact", "a_lost_device_stays_lost"])
            .env(SECOND_RUN, "1")
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
        return;
    }
    let (kernel, buffer) = (&kernels(&gpu)[1], gpu.memory(4).unwrap());
    let launch = Launch::new([1; 3], [1; 3], Arguments::new().word(buffer.address()).word(1 << 40));
    // SAFETY: not met on purpose: the store goes far beyond all of the device's memory, which is an error that the
    // device reports; no memory of anybody is touched.
    unsafe { gpu.launch(kernel, &launch) }.unwrap();
    for _ in 0..2 {
        let error = gpu.wait().unwrap_err();
        assert!(matches!(error, Error::Device(DeviceError::Lost { .. })), "{error}");
    }
    assert!(matches!(buffer.read(0, &mut [0; 4]), Err(Error::Device(DeviceError::Lost { .. }))));
}
