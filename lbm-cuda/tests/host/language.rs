//! Words of the language: indices, structs by value, vector types, shared memory, atomics.

use super::*;

#[test]
fn saxpy_over_odd_sizes_with_a_guard() {
    if !has_compiler() {
        return;
    }
    let text = r#"
extern "C" __global__ void __launch_bounds__(64) saxpy(const float a, const float* __restrict__ x,
                                                       float* __restrict__ y, const unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __fmaf_rn(a, __ldg(x + i), y[i]);
}"#;
    let kernel = HostModule::build(text, &["saxpy"]).unwrap().kernel("saxpy").unwrap();
    for n in [1_u32, 31, 64, 65, 1001] {
        for order in [BlockOrder::InOrder, SCRAMBLED] {
            let x: Vec<f32> = (0..n).map(|i| i as f32 * 0.1).collect();
            let mut y = vec![1.0_f32; n as usize + 1];
            let (a, source, target) = (3.0_f32, x.as_ptr(), y.as_mut_ptr());
            let args = [arg(&a), arg(&source), arg(&target), arg(&n)];
            // SAFETY: the arguments fit the signature, and the guard keeps the threads within.
            unsafe { kernel.launch([n.div_ceil(64), 1, 1], [64, 1, 1], 0, &args, order, 1) }.unwrap();
            for (y, x) in y.iter().zip(&x) {
                assert_eq!(*y, 3.0_f32.mul_add(*x, 1.0));
            }
            assert_eq!(y[n as usize], 1.0);
        }
    }
}

#[test]
fn all_indices_of_three_dimensions() {
    if !has_compiler() {
        return;
    }
    let text = r#"
extern "C" __global__ void run(uint4* out) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  const unsigned nx = gridDim.x * blockDim.x, ny = gridDim.y * blockDim.y;
  uint4 v = make_uint4(x, y, z, 1);
  uint4* place = out + x + nx * (y + ny * z);
  v.w += place->w;
  *place = v;
}"#;
    for text in [text.to_owned(), text.replace("uint4 v =", "__syncthreads(); uint4 v =")] {
        let kernel = HostModule::build(&text, &["run"]).unwrap().kernel("run").unwrap();
        let mut out = vec![[0_u32; 4]; 6 * 15 * 4];
        let target = out.as_mut_ptr();
        // SAFETY: the grid has as many threads as `out` has elements.
        unsafe { kernel.launch([2, 3, 2], [3, 5, 2], 0, &[arg(&target)], SCRAMBLED, 1) }.unwrap();
        for (i, v) in out.iter().enumerate() {
            let i = i as u32;
            assert_eq!(*v, [i % 6, i / 6 % 15, i / 90, 1], "each thread once");
        }
    }
}

#[repr(C)]
struct Uniforms {
    k: [f32; 61],
}

#[test]
fn a_struct_by_value_beside_small_parameters() {
    if !has_compiler() {
        return;
    }
    let text = r#"
struct Uniforms { float k[61]; };
extern "C" __global__ void run(double* out, const Uniforms uniforms, const unsigned short small, const double scale) {
  out[threadIdx.x] = (double)uniforms.k[threadIdx.x] * scale + small;
}"#;
    let kernel = HostModule::build(text, &["run"]).unwrap().kernel("run").unwrap();
    let uniforms = Uniforms { k: std::array::from_fn(|i| i as f32 + 0.5) };
    let mut out = [0.0_f64; 61];
    let (target, small, scale) = (out.as_mut_ptr(), 9_u16, 2.0_f64);
    let args = [arg(&target), arg(&uniforms), arg(&small), arg(&scale)];
    // SAFETY: the arguments fit the signature; 61 threads write 61 elements.
    unsafe { kernel.launch([1; 3], [61, 1, 1], 0, &args, SCRAMBLED, 1) }.unwrap();
    assert!(out.iter().enumerate().all(|(i, &v)| v == 2.0 * i as f64 + 10.0), "{out:?}");
}

#[test]
fn vector_types_have_the_sizes_and_alignments_of_the_device() {
    if !has_compiler() {
        return;
    }
    let text = r#"
static_assert(alignof(float2) == 8 && alignof(float3) == 4 && alignof(float4) == 16 && sizeof(float3) == 12, "");
static_assert(alignof(double2) == 16 && alignof(uint2) == 8 && alignof(uint4) == 16 && alignof(ushort4) == 8, "");
static_assert(sizeof(ushort4) == 8 && sizeof(double2) == 16 && sizeof(double4) == 32 && sizeof(uchar4) == 4, "");
extern "C" __global__ void run(const float4* in, float4* out, unsigned n) {
  const unsigned i = threadIdx.x;
  const float4 v = in[i];
  const ushort4 s = make_ushort4(1, 2, 3, 4);
  const double2 d = make_double2(0.5, 1.5);
  const float2 pair = {v.x, v.y};
  out[i] = make_float4(v.w + s.x, v.z + (float)d.y, pair.y, pair.x + max(2, (int)s.w));
}"#;
    let input: Vec<[f32; 4]> = (0..40).map(|i| [i as f32, 100.0, 200.0, 300.0]).collect();
    // A slice of arrays of four floats may begin at any multiple of 4; the alignment is what a device asks for.
    let aligned: Vec<u128> = input.iter().map(|v| u128::from_ne_bytes(bytes(v))).collect();
    let out = run(text, (1, 40), &aligned, 0_u128, 40);
    for (i, v) in out.iter().enumerate() {
        assert_eq!(v.to_ne_bytes(), bytes(&[301.0, 201.5, 100.0, i as f32 + 4.0]));
    }
}

fn bytes(v: &[f32; 4]) -> [u8; 16] {
    std::array::from_fn(|i| v[i / 4].to_ne_bytes()[i % 4])
}

#[test]
fn shared_memory_static_and_dynamic_is_each_blocks_own_and_undefined_at_first() {
    if !has_compiler() {
        return;
    }
    let text = r#"
__device__ __forceinline__ float twice(float x) { __shared__ float slot[4]; slot[1] = x; return 2 * slot[1]; }
extern "C" __global__ void run(const float* in, float* out, unsigned n) {
  extern __shared__ __align__(16) float moving[];
  __shared__ __align__(16) float fixed[8];
  out[2 * blockIdx.x] = fixed[3] == fixed[3] ? 1.0f : 0.0f;
  out[2 * blockIdx.x + 1] = moving[5] == moving[5] ? 1.0f : 0.0f;
  fixed[3] = moving[5] = twice(in[0]);
}"#;
    for text in
        [text.to_owned(), text.replace("out[2 * blockIdx.x] =", "__syncthreads(); out[2 * blockIdx.x] =")]
    {
        let kernel = HostModule::build(&text, &["run"]).unwrap().kernel("run").unwrap();
        let (input, mut out) = ([1.0_f32], [7.0_f32; 8]);
        let (source, target, n) = (input.as_ptr(), out.as_mut_ptr(), 8_u32);
        let args = [arg(&source), arg(&target), arg(&n)];
        // SAFETY: the arguments fit the signature; four blocks write eight elements.
        unsafe { kernel.launch([4, 1, 1], [1, 1, 1], 24, &args, SCRAMBLED, 1) }.unwrap();
        assert_eq!(out, [0.0; 8], "undefined values are NaN");
    }
}

#[test]
fn atomics_of_all_threads_add_up() {
    if !has_compiler() {
        return;
    }
    let text = r#"
extern "C" __global__ void run(const int* in, unsigned long long* out, unsigned n) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(out, 1ull);
  atomicMax((int*)(out + 1), in[i]);
  atomicAdd((float*)(out + 2), 0.5f);
  atomicAdd((double*)(out + 3), 0.25);
  atomicAdd((unsigned*)(out + 4), 3u);
  unsigned seen = *(unsigned*)(out + 5), before;
  do { before = seen; seen = atomicCAS((unsigned*)(out + 5), before, before + 2); } while (seen != before);
}"#;
    for text in [text.to_owned(), text.replace("atomicAdd(out,", "__syncwarp(); atomicAdd(out,")] {
        let input: Vec<i32> = (0..96).map(|i| (i * 37) % 96).collect();
        let out = run(&text, (3, 32), &input, 0_u64, 6);
        let (float, double) = (48.0_f32.to_bits().into(), 24.0_f64.to_bits());
        assert_eq!(out, [96, 95, float, double, 288, 192]);
    }
}
