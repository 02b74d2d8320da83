//! Memory for populations: zeroed, page aligned, in huge pages where the system gives them; checked before it is
//! asked for.

use std::marker::PhantomData;

use lbm_core::Error;
use memmap2::{MmapMut, MmapRaw};

/// Values between long streams beyond their own: the streams of a node then do not compete for the same sets of a cache.
/// 1072 = 16 x 67 keeps 4- and 8-byte values aligned to cache lines, and past a power of two.
pub(crate) const STREAM_SLACK: usize = 1072;

/// The same for values of one type: narrower ones take another number, to be aligned to cache lines too.
pub(crate) const fn stream_slack(bytes: usize) -> usize {
    if bytes < 4 { 33 * (CACHE_LINE / bytes) } else { STREAM_SLACK }
}

/// Bytes of a cache line; rows of nodes are cut and stored in such lines.
pub(crate) const CACHE_LINE: usize = 64;

/// Values of one type in a private mapping of zeroed memory, with a margin before and behind, so that a vector that
/// starts a little before the first value or ends a little behind the last can be loaded.
#[derive(Debug)]
pub(crate) struct Memory<T> {
    map: MmapRaw,
    margin: usize,
    values: PhantomData<T>,
}

impl<T: Copy> Memory<T> {
    /// Room for `values` values and at least `margin` more on each side. The first value is aligned to a cache line.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if the system refuses; call [`check_footprint`] before, which knows the remedy.
    pub(crate) fn zeroed(values: usize, margin: usize) -> Result<Memory<T>, Error> {
        let margin = (margin * size_of::<T>()).next_multiple_of(CACHE_LINE);
        let bytes = values * size_of::<T>() + 2 * margin;
        let map = MmapMut::map_anon(bytes.max(1))
            .map_err(|_| out_of_memory(values as u128, size_of::<T>(), available_memory()))?;
        #[cfg(target_os = "linux")]
        {
            // Advice only: a kernel without huge pages refuses it, and the memory is as good, if a little slower.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Ok(Memory { map: map.into(), margin, values: PhantomData })
    }

    /// The first value. Who writes there sees to it that nobody else reads or writes it meanwhile.
    pub(crate) fn start(&self) -> *mut T {
        self.map.as_mut_ptr().wrapping_add(self.margin).cast()
    }

    /// Bytes taken, margins included.
    pub(crate) fn bytes(&self) -> usize {
        self.map.len()
    }
}

/// Checks that `nodes` nodes of `bytes_per_node` bytes fit in what is free now.
///
/// # Errors
/// [`Error::OutOfMemory`] with what is needed, what is free and how many nodes would fit.
pub fn check_footprint(nodes: u128, bytes_per_node: usize) -> Result<(), Error> {
    let available = available_memory();
    let needed = nodes.checked_mul(bytes_per_node as u128);
    // A mapping is at most isize::MAX bytes, whatever the system says about its memory.
    let limit = available.min(isize::MAX as u64);
    if needed.is_some_and(|needed| needed <= u128::from(limit)) {
        Ok(())
    } else {
        Err(out_of_memory(nodes, bytes_per_node, available))
    }
}

fn out_of_memory(nodes: u128, bytes_per_node: usize, available: u64) -> Error {
    const GIB: f64 = (1u64 << 30) as f64;
    Error::OutOfMemory {
        nodes,
        bytes_per_node,
        needed: nodes as f64 * bytes_per_node as f64 / GIB,
        available: available as f64 / GIB,
        would_fit: available / bytes_per_node.max(1) as u64,
    }
}

/// Bytes of memory that a program can take now without swapping: what the system says is available, or what is left
/// of the control group's limit, whichever is less. `u64::MAX` where the system does not say.
#[must_use]
pub fn available_memory() -> u64 {
    let system = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| mem_available(&text));
    let number = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let group = number("/sys/fs/cgroup/memory.max")
        .zip(number("/sys/fs/cgroup/memory.current"))
        .map(|(limit, used)| limit.saturating_sub(used));
    system.into_iter().chain(group).min().unwrap_or(u64::MAX)
}

/// `MemAvailable` of `/proc/meminfo`, in bytes.
fn mem_available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Bytes of the last-level cache; 32 MiB where the system does not say.
#[must_use]
pub fn last_level_cache() -> usize {
    const UNKNOWN: usize = 32 << 20;
    (0..8)
        .filter_map(|index| {
            let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/size");
            cache_size(&std::fs::read_to_string(path).ok()?)
        })
        .max()
        .unwrap_or(UNKNOWN)
}

/// A size as the kernel prints it, `32768K`.
fn cache_size(text: &str) -> Option<usize> {
    let text = text.trim();
    let (number, unit) = match text.as_bytes().last()? {
        b'K' => (&text[..text.len() - 1], 1 << 10),
        b'M' => (&text[..text.len() - 1], 1 << 20),
        _ => (text, 1),
    };
    Some(number.parse::<usize>().ok()? * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zeroed_aligned_and_has_its_margins() {
        let memory = Memory::<f32>::zeroed(1000, 3).unwrap();
        assert_eq!(memory.start() as usize % CACHE_LINE, 0);
        assert_eq!(memory.bytes(), 4000 + 2 * CACHE_LINE);
        // SAFETY: within the values and the margins of 3 on each side.
        unsafe {
            assert_eq!(memory.start().offset(-3).read(), 0.0);
            memory.start().add(1002).write(1.0);
            assert_eq!(memory.start().add(1002).read(), 1.0);
        }
    }

    #[test]
    fn huge_boxes_are_refused_without_overflow() {
        assert!(check_footprint(1 << 10, 152).is_ok());
        for nodes in [1u128 << 60, u128::MAX] {
            let error = check_footprint(nodes, 152).unwrap_err().to_string();
            assert!(error.contains("GiB are free") && error.contains("at most about"), "{error}");
        }
    }

    #[test]
    fn what_the_system_prints_is_read() {
        assert_eq!(mem_available("MemTotal: 5 kB\nMemAvailable:   12 kB\n"), Some(12288));
        assert_eq!(mem_available("MemTotal: 5 kB\n"), None);
        assert_eq!(cache_size("32768K\n"), Some(32 << 20));
        assert_eq!(cache_size("nonsense"), None);
    }
}
