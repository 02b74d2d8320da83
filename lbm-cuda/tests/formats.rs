//! Every code of every 16-bit format, and numbers between and beyond its own, through the printed conversions: on the host, and on a GPU
//! where there is one, beside what the CPU computes.

use lbm_core::precision::{Bf16, Coded, Format, Word};
use lbm_core::{Bf16In32, F16In32, F16In64, Fp16cIn32, GradedIn32, Precision, Real};
use lbm_cuda::assemble::for_storage;
use lbm_cuda::machine::{Arguments, Launch, Machine, Memory};
use lbm_cuda::nvrtc::Architecture;
use lbm_cuda::testing::{cxx_or_skip, device_or_skip, nvrtc_or_skip};
use lbm_cuda::{Gpu, OnHost};

const KERNELS: &str = r#"
extern "C" __global__ void __launch_bounds__(256) widen(const stored* narrow, real* wide) {
    const unsigned n = 256u * blockIdx.x + threadIdx.x;
    wide[n] = decode(narrow[n]);
}

extern "C" __global__ void __launch_bounds__(256) narrow(const real* wide, stored* narrow) {
    const unsigned n = 256u * blockIdx.x + threadIdx.x;
    narrow[n] = encode(wide[n]);
}
"#;

/// A format of one's own: a sign, three bits of exponent that say how far a number is below 1, and rounding toward zero.
#[derive(Clone, Copy, Debug)]
struct Mine;

impl Format for Mine {
    const NAME: &'static str = "mine";
    const UNIT: f64 = 0.5;
    fn decode<W: Word>(code: W) -> W::Single {
        let size = ((code & 0x7fff) << 11).named("size");
        let number = W::select_less(size, W::from(1 << 11), W::from(0), size + (119 << 23));
        (number | ((code & 0x8000) << 16)).single()
    }
    fn encode<W: Word>(value: W::Single) -> W {
        let bits = W::of(value * 1.0);
        let size = (bits & 0x7fff_ffff).named("size");
        let small =
            W::select_less(size, W::from((119 << 23) + (1 << 11)), W::from(0), (size - (119 << 23)) >> 11);
        W::select_less(size, W::from(127 << 23), small, W::from(0x7fff)) | ((bits >> 16) & 0x8000)
    }
}

fn bytes<T: Copy>(values: &[T]) -> Vec<u8> {
    // SAFETY: only called with numbers, which have no padding.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values)) }.to_vec()
}

/// The conversions of a precision with kernels that do nothing else.
fn text<P: Precision>() -> String {
    let real = if size_of::<P::Arithmetic>() == 4 { "float" } else { "double" };
    let conversions = P::conversions().unwrap();
    format!(
        "{}using real = {real};\nconstexpr real unit = {};\n{}{KERNELS}",
        for_storage(conversions.text()),
        P::UNIT,
        conversions.text()
    )
}

/// Runs a kernel on `input`, padded to whole blocks.
fn run<P: Precision, M: Machine, In: Copy + Default, Out: Copy + Default>(
    machine: &M,
    kernel: &str,
    input: &[In],
) -> Vec<Out> {
    let mut input = input.to_vec();
    input.resize(input.len().next_multiple_of(256), In::default());
    let kernels = machine.build(&text::<P>(), &[kernel.to_owned()]).unwrap();
    let source = machine.memory(size_of_val(input.as_slice())).unwrap();
    source.write(0, &bytes(&input)).unwrap();
    let target = machine.memory(input.len() * size_of::<Out>()).unwrap();
    let arguments = Arguments::new().word(source.address()).word(target.address());
    let launch = Launch::new([(input.len() / 256) as u32, 1, 1], [256, 1, 1], arguments);
    // SAFETY: the arguments are the kernel's; every array has as many values as there are threads.
    unsafe { machine.launch(&kernels[0], &launch) }.unwrap();
    let mut out = vec![Out::default(); input.len()];
    // SAFETY: numbers have no invalid bits.
    let raw = unsafe {
        std::slice::from_raw_parts_mut(out.as_mut_ptr().cast::<u8>(), input.len() * size_of::<Out>())
    };
    target.read(0, raw).unwrap();
    out
}

/// Bits, all NaNs alike.
fn same<A: Real>(a: A, b: A) -> bool {
    a.bits() == b.bits() || a.to_f64().is_nan() && b.to_f64().is_nan()
}

fn check<P: Precision<Storage = u16>, M: Machine>(machine: &M) {
    let all: Vec<u16> = (0..=u16::MAX).collect();
    let wide: Vec<P::Arithmetic> = run::<P, _, _, _>(machine, "widen", &all);
    for (&code, &found) in all.iter().zip(&wide) {
        assert!(same(found, P::decode(code)), "{} {code:#06x} became {found:?}", P::NAME);
    }
    // The numbers themselves, the middles between neighbours, what lies just beside these, where rounding turns, and a little of all.
    let mut values = Vec::new();
    for exact in all.iter().map(|&code| P::decode(code).to_f64() as f32) {
        for offset in [0, 1, 0x7ff, 0x800, 0x801, 0xfff, 0x1000, 0x1001, 0x7fff, 0x8000, 0x8001] {
            values.push(f32::from_bits(exact.to_bits().wrapping_add(offset)));
        }
    }
    // Where what is distinguished from a middle depends on a sum that is rounded first.
    for pair in all.windows(2) {
        let [low, high] = [pair[0], pair[1]].map(|code| P::decode(code).to_f64() as f32);
        let beside =
            [-1.0 / 1024.0, -1.0 / 2048.0, -1.0 / 4096.0, 0.0, 1.0 / 4096.0, 1.0 / 2048.0, 1.0 / 1024.0];
        values.extend(beside.map(|part| low / 2.0 + high / 2.0 + part * (high - low)));
    }
    values.extend((0..4096).map(|n| n as f32 * P::UNIT.recip() as f32 * 2f32.powi(-26)));
    values.extend((0..1 << 16).map(|n: u32| f32::from_bits(n.wrapping_mul(0x9e37_79b1))));
    let values: Vec<P::Arithmetic> =
        values.into_iter().map(|value| P::Arithmetic::from_f64(f64::from(value))).collect();
    let found: Vec<u16> = run::<P, _, _, _>(machine, "narrow", &values);
    for (&value, &found) in values.iter().zip(&found) {
        let expected = P::encode(value);
        // The sign and the payload of a NaN are the machine's own.
        let alike = value.to_f64().is_nan()
            && P::decode(found).to_f64().is_nan()
            && P::decode(expected).to_f64().is_nan();
        assert!(found == expected || alike, "{} {value:?}: {found:#06x} is not {expected:#06x}", P::NAME);
    }
}

fn check_all<M: Machine>(machine: &M) {
    check::<F16In32, M>(machine);
    check::<F16In64, M>(machine);
    check::<Bf16In32, M>(machine);
    check::<Coded<Bf16, f64>, M>(machine);
    check::<Fp16cIn32, M>(machine);
    check::<GradedIn32<4>, M>(machine);
    check::<Coded<Mine, f32>, M>(machine);
    check::<Coded<Mine, f64>, M>(machine);
}

#[test]
fn every_value_on_the_host() {
    if cxx_or_skip("every_value_on_the_host").is_some() {
        check_all(&OnHost::new(5));
    }
}

#[test]
fn the_device_side_compiles() {
    let Some(nvrtc) = nvrtc_or_skip("the_device_side_compiles") else { return };
    for architecture in [Architecture::SM_80, Architecture::SM_90] {
        for text in [
            text::<F16In32>(),
            text::<F16In64>(),
            text::<Bf16In32>(),
            text::<Fp16cIn32>(),
            text::<GradedIn32<10>>(),
            text::<Coded<Mine, f64>>(),
        ] {
            nvrtc.compile(&text, architecture).unwrap();
        }
    }
}

#[test]
fn every_value_on_a_gpu() {
    if device_or_skip("every_value_on_a_gpu").is_some() {
        check_all(&Gpu::open(0).unwrap());
    }
}
