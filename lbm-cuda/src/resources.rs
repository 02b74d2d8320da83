//! What a compiled kernel takes of the machine, as `ptxas -v` reports it.

/// The resources of one kernel. Bytes are a thread's, except for shared memory (a block's).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct KernelResources {
    /// The name in the cubin: as written if `extern "C"`, else mangled.
    pub name: String,
    /// Registers a thread.
    pub registers: u32,
    /// Static shared memory a block, bytes.
    pub shared_bytes: u32,
    /// Stack frame a thread, bytes; it lies in local memory, which is device memory behind the caches.
    pub local_bytes: u32,
    /// Bytes of code-generated stores of registers to local memory, called functions included.
    pub spill_stores: u32,
    /// Bytes of loads of what was spilled.
    pub spill_loads: u32,
}

/// The resources of all kernels in a compiler's log, in the order of the log.
///
/// A function that a kernel calls without being inlined is reported behind the kernel; its spills and the larger
/// stack frame count for the kernel.
pub fn parse_log(log: &str) -> Vec<KernelResources> {
    let mut kernels: Vec<KernelResources> = Vec::new();
    for line in log.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let name = rest.split('\'').next().unwrap_or_default().to_owned();
            kernels.push(KernelResources { name, ..KernelResources::default() });
            continue;
        }
        let Some(kernel) = kernels.last_mut() else { continue };
        for part in line.split(':').next_back().unwrap_or_default().split(',') {
            match leading_number(part) {
                Some((n, "bytes stack frame" | "bytes cumulative stack size")) => {
                    kernel.local_bytes = kernel.local_bytes.max(n);
                }
                Some((n, "bytes spill stores")) => kernel.spill_stores += n,
                Some((n, "bytes spill loads")) => kernel.spill_loads += n,
                Some((n, "registers")) => kernel.registers = n,
                Some((n, "bytes smem")) => kernel.shared_bytes = n,
                _ => {}
            }
        }
    }
    kernels
}

/// `ptxas         .     7584 bytes stack frame` is 7584 of `bytes stack frame`; `Used 10 registers` is 10 of
/// `registers`.
fn leading_number(part: &str) -> Option<(u32, &str)> {
    let start = part.find(|c: char| c.is_ascii_digit())?;
    let rest = &part[start..];
    let end = rest.find(|c: char| !c.is_ascii_digit())?;
    Some((rest[..end].parse().ok()?, rest[end..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_of_nvrtc_13_for_two_kernels() {
        let log = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'spill' for 'sm_90'
ptxas info    : Function properties for spill
ptxas         .     7584 bytes stack frame, 7448 bytes spill stores, 13512 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 7584 bytes cumulative stack size
ptxas info    : Compile time = 509.990 ms
ptxas info    : Compiling entry function 'saxpy' for 'sm_80'
ptxas info    : Function properties for saxpy
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers, 256 bytes smem, 380 bytes cmem[0]
ptxas info    : Compile time = 4.273 ms
";
        let expected = [
            KernelResources {
                name: "spill".into(),
                registers: 32,
                local_bytes: 7584,
                spill_stores: 7448,
                spill_loads: 13512,
                ..KernelResources::default()
            },
            KernelResources {
                name: "saxpy".into(),
                registers: 10,
                shared_bytes: 256,
                ..KernelResources::default()
            },
        ];
        let found = parse_log(log);
        assert_eq!(found, expected);
    }

    #[test]
    fn a_log_of_an_older_compiler_with_a_called_function() {
        let log = "\
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 255 registers, 360 bytes cmem[0], 8 bytes cmem[2]
ptxas info    : Function properties for _Z5innerf
    48 bytes stack frame, 24 bytes spill stores, 36 bytes spill loads
";
        let found = parse_log(log);
        assert_eq!(found.len(), 1);
        let k = &found[0];
        assert_eq!((k.registers, k.local_bytes, k.spill_stores, k.spill_loads), (255, 48, 24, 36));
    }

    #[test]
    fn a_log_without_kernels_gives_none() {
        assert!(parse_log("kernel.cu(1): warning: 12 registers\n").is_empty());
    }
}
