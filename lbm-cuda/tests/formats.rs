//! Every 16-bit value through the conversions, on the host and on a GPU where there is one, against the crate `half`.

use half::{bf16, f16};
use lbm_cuda::assemble::FORMATS;
use lbm_cuda::machine::{Arguments, Launch, Machine, Memory};
use lbm_cuda::nvrtc::Architecture;
use lbm_cuda::testing::{cxx_or_skip, device_or_skip, nvrtc_or_skip};
use lbm_cuda::{Gpu, OnHost};

const KERNELS: &str = r#"
extern "C" __global__ void __launch_bounds__(256) widen(const unsigned short* narrow, float* half, float* brain) {
    const unsigned n = 256u * blockIdx.x + threadIdx.x;
    half[n] = f16_to_f32(narrow[n]);
    brain[n] = bf16_to_f32(narrow[n]);
}

extern "C" __global__ void __launch_bounds__(256) narrow(const float* wide, unsigned short* half, unsigned short* brain) {
    const unsigned n = 256u * blockIdx.x + threadIdx.x;
    half[n] = f32_to_f16(wide[n]);
    brain[n] = f32_to_bf16(wide[n]);
}
"#;

fn bytes<T: Copy>(values: &[T]) -> Vec<u8> {
    // SAFETY: only called with numbers, which have no padding.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values)) }.to_vec()
}

/// Runs kernel number `which` on `input`: two arrays of as many values.
fn run<M: Machine, In: Copy, Out: Copy + Default>(machine: &M, which: usize, input: &[In]) -> [Vec<Out>; 2] {
    let kernels =
        machine.build(&format!("{FORMATS}{KERNELS}"), &["widen", "narrow"].map(str::to_owned)).unwrap();
    let source = machine.memory(size_of_val(input)).unwrap();
    source.write(0, &bytes(input)).unwrap();
    let targets = [0, 1].map(|_| machine.memory(input.len() * size_of::<Out>()).unwrap());
    let arguments = targets
        .iter()
        .fold(Arguments::new().word(source.address()), |all, target| all.word(target.address()));
    let launch = Launch::new([(input.len() / 256) as u32, 1, 1], [256, 1, 1], arguments);
    // SAFETY: the arguments are the kernel's; every array has as many values as there are threads.
    unsafe { machine.launch(&kernels[which], &launch) }.unwrap();
    targets.each_ref().map(|target| {
        let mut out = vec![Out::default(); input.len()];
        // SAFETY: numbers have no invalid bits.
        let raw = unsafe {
            std::slice::from_raw_parts_mut(out.as_mut_ptr().cast::<u8>(), input.len() * size_of::<Out>())
        };
        target.read(0, raw).unwrap();
        out
    })
}

/// Bits, all NaNs alike.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

fn check<M: Machine>(machine: &M) {
    let all: Vec<u16> = (0..=u16::MAX).collect();
    let [half, brain] = run::<M, u16, f32>(machine, 0, &all);
    for &bits in &all {
        let n = usize::from(bits);
        assert!(same(half[n], f16::from_bits(bits).to_f32()), "f16 {bits:#06x} became {:e}", half[n]);
        assert!(same(brain[n], bf16::from_bits(bits).to_f32()), "bf16 {bits:#06x} became {:e}", brain[n]);
    }
    // The values themselves, the middles between neighbours, and what lies just beside these: where rounding turns.
    let mut wide = Vec::new();
    for exact in half.iter().chain(&brain) {
        for offset in [0, 1, 0xfff, 0x1000, 0x1001, 0x7fff, 0x8000, 0x8001] {
            wide.push(f32::from_bits(exact.to_bits().wrapping_add(offset)));
        }
    }
    // Below the normal range of f16 the middles are odd multiples of 2^-25.
    wide.extend((0..4096).map(|n| n as f32 * 2f32.powi(-25)));
    let [half, brain] = run::<M, f32, u16>(machine, 1, &wide);
    for (n, &x) in wide.iter().enumerate() {
        if x.is_nan() {
            assert!(
                f16::from_bits(half[n]).is_nan() && bf16::from_bits(brain[n]).is_nan(),
                "{:#010x}",
                x.to_bits()
            );
            continue;
        }
        assert_eq!(half[n], f16::from_f32(x).to_bits(), "{x:e} ({:#010x}) to f16", x.to_bits());
        assert_eq!(brain[n], bf16::from_f32(x).to_bits(), "{x:e} ({:#010x}) to bf16", x.to_bits());
    }
}

#[test]
fn every_value_on_the_host() {
    if cxx_or_skip("every_value_on_the_host").is_some() {
        check(&OnHost::new(5));
    }
}

#[test]
fn the_device_side_compiles() {
    let Some(nvrtc) = nvrtc_or_skip("the_device_side_compiles") else { return };
    for architecture in [Architecture::SM_80, Architecture::SM_90] {
        nvrtc.compile(&format!("{FORMATS}{KERNELS}"), architecture).unwrap();
    }
}

#[test]
fn every_value_on_a_gpu() {
    if device_or_skip("every_value_on_a_gpu").is_some() {
        check(&Gpu::open(0).unwrap());
    }
}
