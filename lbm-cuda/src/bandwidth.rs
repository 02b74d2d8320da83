//! The bandwidth of a device's memory, measured by a copy.

use lbm_core::Error;

use crate::machine::{Arguments, Launch, Machine, Memory};

/// Threads a block of each kernel.
const BLOCKS: [u32; 2] = [256, 1024];

/// Bytes that one block of the widest kernel copies: what sizes are rounded to.
const UNIT: usize = 1024 * 16;

/// The copy in blocks of so many threads: 16 bytes a thread.
fn text(threads: u32) -> String {
    format!(
        "extern \"C\" __global__ void __launch_bounds__({threads}) copy_{threads}(const float4* __restrict__ source, float4* \
         __restrict__ target) {{
    const size_t place = {threads}ull * blockIdx.x + threadIdx.x;
    target[place] = source[place];
}}
"
    )
}

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
        let names = BLOCKS.map(|threads| format!("copy_{threads}"));
        let kernels = machine.build(&BLOCKS.map(text).concat(), &names)?;
        let kernels = kernels.into_iter().zip(BLOCKS).collect();
        Ok(Copy { source: machine.memory(bytes)?, target: machine.memory(bytes)?, kernels, bytes })
    }

    /// Copies once in every way: the fastest, GB/s (10^9 bytes, read and written together). Fails if the device is lost.
    pub fn measure(&self, machine: &M) -> Result<f64, Error> {
        let mut fastest: f64 = 0.0;
        for (kernel, threads) in &self.kernels {
            let grid = [(self.bytes / 16 / *threads as usize) as u32, 1, 1];
            let arguments = Arguments::new().word(self.source.address()).word(self.target.address());
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
        copy.source.write(0, &values).unwrap();
        let kernels = std::mem::take(&mut copy.kernels);
        for kernel in kernels {
            copy.kernels = vec![kernel];
            assert!(copy.measure(&machine).unwrap() > 0.0);
            let mut found = vec![0; copy.bytes];
            copy.target.read(0, &mut found).unwrap();
            assert!(found == values);
            copy.target.write(0, &vec![0; copy.bytes]).unwrap();
        }
    }
}
