//! The bandwidth of a device's memory, measured by a copy.

use lbm_core::Error;

use crate::machine::{Arguments, Launch, Machine};

/// The copy: 16 bytes a thread.
const TEXT: &str = "\
extern \"C\" __global__ void __launch_bounds__(256) copy(const float4* __restrict__ source, float4* __restrict__ target) {
    const size_t place = 256ull * blockIdx.x + threadIdx.x;
    target[place] = source[place];
}

extern \"C\" __global__ void __launch_bounds__(1024) copy_wide(const float4* __restrict__ source, float4* __restrict__ target) {
    const size_t place = 1024ull * blockIdx.x + threadIdx.x;
    target[place] = source[place];
}
";

/// Threads a block of each kernel of the text.
const BLOCKS: [u32; 2] = [256, 1024];

/// Bytes that one block of the widest kernel copies: what sizes are rounded to.
const UNIT: usize = 1024 * 16;

/// Two buffers and the kernels that copy one to the other.
pub struct Copy<M: Machine> {
    source: M::Memory,
    target: M::Memory,
    /// Each with the threads of its blocks.
    kernels: Vec<(M::Kernel, u32)>,
    bytes: usize,
}

impl<M: Machine> Copy<M> {
    /// A copy that reads and writes `bytes` in all.
    ///
    /// # Errors
    /// Too little memory, a compiler that is missing.
    pub fn new(machine: &M, bytes: usize) -> Result<Copy<M>, Error> {
        let bytes = (bytes / 2).next_multiple_of(UNIT).max(UNIT);
        let kernels = machine.build(TEXT, &["copy", "copy_wide"].map(str::to_owned))?;
        let kernels = kernels.into_iter().zip(BLOCKS).collect();
        Ok(Copy { source: machine.memory(bytes)?, target: machine.memory(bytes)?, kernels, bytes })
    }

    /// Copies once in every way: the fastest, GB/s (10^9 bytes, read and written together).
    ///
    /// # Errors
    /// A lost device.
    pub fn measure(&self, machine: &M) -> Result<f64, Error> {
        let mut fastest: f64 = 0.0;
        for (kernel, threads) in &self.kernels {
            let grid = [(self.bytes / 16 / *threads as usize) as u32, 1, 1];
            let arguments =
                Arguments::new().word(machine.address(&self.source)).word(machine.address(&self.target));
            let launch = Launch::new(grid, [*threads, 1, 1], arguments);
            // SAFETY: these are the kernels' parameters, and the blocks cover both buffers without rest.
            let seconds = machine.seconds(&mut || unsafe { machine.launch(kernel, &launch) })?;
            fastest = fastest.max(2.0 * self.bytes as f64 / seconds * 1e-9);
        }
        Ok(fastest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::OnHost;
    use crate::testing::cxx_or_skip;

    #[test]
    fn everything_is_copied_by_every_kernel() {
        if cxx_or_skip("everything_is_copied_by_every_kernel").is_none() {
            return;
        }
        let machine = OnHost::new(3);
        let mut copy = Copy::new(&machine, 3 * UNIT).unwrap();
        let values: Vec<u8> = (0..copy.bytes).map(|n| (n % 251) as u8).collect();
        machine.write(&mut copy.source, 0, &values).unwrap();
        let kernels = std::mem::take(&mut copy.kernels);
        for kernel in kernels {
            copy.kernels = vec![kernel];
            assert!(copy.measure(&machine).unwrap() > 0.0);
            let mut found = vec![0; copy.bytes];
            machine.read(&copy.target, 0, &mut found).unwrap();
            assert!(found == values);
            machine.write(&mut copy.target, 0, &vec![0; copy.bytes]).unwrap();
        }
    }
}
