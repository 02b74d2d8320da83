//! Threads that meet: shuffles, ballots, barriers, lanes that left, deadlocks.

use super::*;

#[test]
fn shuffles_up_down_xor_and_by_index() {
    if !has_compiler() {
        return;
    }
    let text = r#"
extern "C" __global__ void run(const long long* in, int4* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned all = 0xffffffffu;
  int4 v;
  v.x = __shfl_up_sync(all, (int)i, 3);
  v.y = (int)__shfl_down_sync(all, (double)i, 5);
  v.z = (int)__shfl_xor_sync(all, in[i], 6);
  v.w = (int)__shfl_sync(all, (float)i, (int)i + 1, 8);
  out[i] = v;
}"#;
    let input: Vec<i64> = (0..192).map(|i| i << 20 >> 20).collect();
    let out = run(text, (2, 96), &input, [0_i32; 4], 192);
    for (i, v) in out.iter().enumerate() {
        let (i, lane, warp) = (i as i32, i as i32 % 32, i as i32 / 32 * 32);
        let up = if lane >= 3 { i - 3 } else { i };
        let down = if lane + 5 < 32 { i + 5 } else { i };
        assert_eq!(*v, [up, down, warp + (lane ^ 6), i / 8 * 8 + (i + 1) % 8], "thread {i}");
    }
}

#[test]
fn ballots_see_the_lanes_of_their_mask() {
    if !has_compiler() {
        return;
    }
    let text = r#"
extern "C" __global__ void run(const int* in, uint4* out, unsigned n) {
  const unsigned lane = threadIdx.x % 32, mask = lane < 16 ? 0xffffu : 0xffff0000u;
  uint4 v;
  v.x = __ballot_sync(mask, lane % 3 == 0);
  v.y = __any_sync(mask, lane == 20);
  v.z = __all_sync(mask, lane < 16);
  v.w = __popc(__ballot_sync(0xffffffffu, in[lane]));
  out[threadIdx.x] = v;
}"#;
    let input: Vec<i32> = (0..32).map(|i| i % 2).collect();
    for (i, v) in run(text, (1, 64), &input, [0_u32; 4], 64).iter().enumerate() {
        let low = i % 32 < 16;
        let thirds = (0..32).filter(|l| l % 3 == 0).fold(0_u32, |all, l| all | 1 << l);
        let mask = if low { 0xffff } else { 0xffff_0000 };
        assert_eq!(*v, [thirds & mask, u32::from(!low), u32::from(low), 16]);
    }
}

#[test]
fn a_block_reduces_through_shared_memory() {
    if !has_compiler() {
        return;
    }
    let text = r#"
extern "C" __global__ void run(const double* in, double* out, unsigned n) {
  __shared__ double partial[256];
  partial[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}"#;
    let input: Vec<f64> = (0..256 * 9).map(f64::from).collect();
    let out = run(text, (9, 256), &input, 0.0_f64, 9);
    for (block, sum) in input.chunks(256).map(|chunk| chunk.iter().sum::<f64>()).enumerate() {
        assert_eq!(out[block], sum);
    }
    // Without the barriers warps overtake each other, and it shows.
    let racing = text.replace("__syncthreads();\n  }", "__syncwarp();\n  }");
    assert_ne!(run(&racing, (9, 256), &input, 0.0_f64, 9), out);
}

#[test]
fn lanes_that_returned_take_no_part_and_give_poison() {
    if !has_compiler() {
        return;
    }
    let text = r#"
extern "C" __global__ void run(const int* in, double* out, unsigned n) {
  const unsigned i = threadIdx.x;
  if (i >= n) return;
  const float below = __shfl_up_sync(0xffffffffu, (float)i, 1), above = __shfl_down_sync(0xffffffffu, (float)i, 1);
  const int whole = __shfl_down_sync(0xffffffffu, (int)i, 1);
  __syncthreads();
  out[i] = (double)below + (double)above;
  if (i == n - 1) out[i] = whole == (int)0xcdcdcdcd && above != above ? -1.0 : -2.0;
}"#;
    let out = run(text, (1, 64), &[0_i32], 0.0_f64, 45);
    assert_eq!(out[44], -1.0, "lane 45 has returned: what is read from it must be seen");
    assert_eq!(out[43], 42.0 + 44.0);
}

#[test]
fn counting_barriers_count() {
    if !has_compiler() {
        return;
    }
    let text = r#"
extern "C" __global__ void run(const int* in, int* out, unsigned n) {
  const int i = (int)threadIdx.x;
  out[i] = __syncthreads_count(i % 2) + 100 * __syncthreads_or(i == 3) + 1000 * __syncthreads_and(i < 70);
}"#;
    assert_eq!(run(text, (1, 70), &[0_i32], 0_i32, 70), [1135; 70]);
}

#[test]
fn a_deadlock_is_an_error_that_says_who_waits_where() {
    if !has_compiler() {
        return;
    }
    let text = "extern \"C\" __global__ void run(const int* in, int* out, unsigned n) {
  if (threadIdx.x < 40) __syncthreads();
  else
    __syncwarp(0xffffffffu);
  out[0] = 1;
}";
    let error = try_run(text, (3, 64), BlockOrder::InOrder, &[0_i32], &mut [0_i32]).unwrap_err();
    let HostError::Deadlock { entry, block, waiting } = &error else { panic!("{error}") };
    assert_eq!((entry.as_str(), *block), ("run", [0, 0, 0]));
    assert!(waiting.contains("40 threads (first [0, 0, 0]) are at __syncthreads in line 2"), "{waiting}");
    assert!(waiting.contains("24 threads (first [40, 0, 0]) are at __syncwarp in line 4"), "{waiting}");
}

#[test]
fn lanes_that_meet_for_different_things_are_an_error() {
    if !has_compiler() {
        return;
    }
    let text = "extern \"C\" __global__ void run(const int* in, int* out, unsigned n) {
  if (threadIdx.x < 4) out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
  else __syncwarp();
}";
    let error = try_run(text, (1, 32), SCRAMBLED, &[0_i32], &mut [0_i32; 4]).unwrap_err();
    assert!(matches!(&error, HostError::Meeting { line: 2 | 3, .. }), "{error}");
    let outside = text.replace("0xffffffffu", "0x1u");
    let error = try_run(&outside, (1, 32), BlockOrder::InOrder, &[0_i32], &mut [0_i32; 4]).unwrap_err();
    assert!(error.to_string().contains("lane 1 is not in its own mask 0x00000001"), "{error}");
}

#[test]
fn a_stack_that_overflows_is_an_error() {
    if !has_compiler() {
        return;
    }
    let text = r#"
extern "C" __global__ void run(const int* in, int* out, unsigned n) {
  __syncthreads();
  volatile char large[65500];
  for (int i = 0; i < 65500; i++) large[i] = 1;
  out[0] = large[5];
}"#;
    let error = try_run(text, (1, 2), SCRAMBLED, &[0_i32], &mut [0_i32]).unwrap_err();
    assert!(matches!(error, HostError::StackOverflow { .. }), "{error}");
}
