//! Blocks against each other: races, tickets, several alive at once, several modules at once.

use super::*;

#[test]
fn a_race_between_blocks_shows_in_the_order() {
    if !has_compiler() {
        return;
    }
    // Each block, of one thread, reads what its right neighbour may have written already.
    let text = r#"
extern "C" __global__ void run(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) out[i] = out[i + 1] + 1.0f;
}"#;
    let result = |text: &str, order| {
        let mut out: Vec<f32> = (0..1000).map(|i| (i * i % 17) as f32).collect();
        try_run(text, (1000, 1), order, &[0.0_f32], &mut out).unwrap();
        out
    };
    let seeds = [BlockOrder::Scrambled(1), BlockOrder::Scrambled(2)];
    assert_ne!(result(text, seeds[0]), result(text, seeds[1]), "a race");
    assert_eq!(result(text, seeds[0]), result(text, seeds[0]), "a seed is an order");
    let right = text.replace("out[i + 1] + 1.0f", "(float)(i + 1)");
    assert_eq!(result(&right, seeds[0]), result(&right, seeds[1]), "no race");
}

/// Each block waits for the one before it.
const TICKETS: &str = r#"
extern "C" __global__ void run(int* out, unsigned* ticket) {
  __shared__ unsigned mine;
  if (threadIdx.x == 0) {
    mine = blockIdx.x;
    while (atomicAdd(ticket, 0u) != mine) __nanosleep(10);
  }
  __syncthreads();
  if (threadIdx.x < 8) out[mine * 8 + threadIdx.x] = mine == 0 ? 1 : out[mine * 8 + threadIdx.x - 8] + 1;
  __syncthreads();
  if (threadIdx.x == 0) { __threadfence(); atomicAdd(ticket, 1u); }
}"#;

fn tickets(order: BlockOrder, in_flight: u32) -> Result<Vec<i32>, HostError> {
    let kernel = HostModule::build(TICKETS, &["run"])?.kernel("run")?;
    let (mut out, mut ticket) = (vec![0_i32; 48], 0_u32);
    let (target, counter) = (out.as_mut_ptr(), &raw mut ticket);
    let args = [arg(&target), arg(&counter)];
    // SAFETY: the arguments fit the signature; six blocks write eight elements each.
    unsafe { kernel.launch([6, 1, 1], [64, 1, 1], 0, &args, order, in_flight) }?;
    Ok(out)
}

#[test]
fn blocks_in_flight_wait_for_each_other() {
    if !has_compiler() {
        return;
    }
    let expected: Vec<i32> = (0..48).map(|i| i / 8 + 1).collect();
    assert_eq!(tickets(SCRAMBLED, 6).unwrap(), expected);
    assert_eq!(tickets(BlockOrder::InOrder, 1).unwrap(), expected);
    assert_eq!(tickets(BlockOrder::InOrder, 2).unwrap(), expected);
}

#[test]
fn blocks_that_wait_for_one_that_is_not_alive_are_an_error() {
    if !has_compiler() {
        return;
    }
    let error = tickets(SCRAMBLED, 1).unwrap_err();
    assert!(matches!(error, HostError::Spinning { in_flight: 1, .. }), "{error}");
}

#[test]
fn modules_run_at_once_and_launches_of_one_take_turns() {
    if !has_compiler() {
        return;
    }
    let text = r#"
extern "C" __global__ void run(const float* in, float* out, unsigned n) {
  __shared__ float all[64];
  all[threadIdx.x] = in[0] + threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = __shfl_xor_sync(0xffffffffu, all[63 - threadIdx.x], 1);
}"#;
    let kernels: Vec<_> =
        (0..2).map(|_| HostModule::build(text, &["run"]).unwrap().kernel("run").unwrap()).collect();
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let kernel = kernels[worker % 2].clone();
            scope.spawn(move || {
                for turn in 0..20 {
                    let (input, mut out) = ([(worker * 100 + turn) as f32], [0.0_f32; 512]);
                    let (source, target, n) = (input.as_ptr(), out.as_mut_ptr(), 512_u32);
                    let args = [arg(&source), arg(&target), arg(&n)];
                    // SAFETY: the arguments fit the signature; eight blocks write 64 elements each.
                    unsafe { kernel.launch([8, 1, 1], [64, 1, 1], 0, &args, SCRAMBLED, 1) }.unwrap();
                    for (i, &v) in out.iter().enumerate() {
                        assert_eq!(v, input[0] + (63 - ((i % 64) ^ 1)) as f32);
                    }
                }
            });
        }
    });
}
