//! `lbm doctor`: what this machine has for us, what is missing, and how to get it.

use lbm_core::Error;
use lbm_cpu::{
    CpuOptions, SimdLevel, StoreKind, available_memory, bandwidth, has_hardware_fma, last_level_cache,
};

use super::print_line;

/// Bytes that each bandwidth is measured over; beyond any cache.
const PROBE_BYTES: usize = 1 << 30;

/// Turns of each measurement.
const TURNS: usize = 7;

/// Prints what was found. Nothing that is missing is an error: the CPU path always works.
pub(super) fn doctor() -> Result<bool, Error> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let levels: Vec<String> = SimdLevel::detect_all().iter().map(ToString::to_string).collect();
    let (version, arch, os) = (env!("CARGO_PKG_VERSION"), std::env::consts::ARCH, std::env::consts::OS);
    print_line(format_args!("lbm         {version} on {arch} {os}"))?;
    let cache = last_level_cache() as f64 / 1048576.0;
    print_line(format_args!("cpu         {cores} cores; last-level cache {cache:.0} MiB"))?;
    print_line(format_args!("memory      {:.1} GiB free", available_memory() as f64 / 1073741824.0))?;
    let (levels, best) = (levels.join(", "), SimdLevel::best());
    print_line(format_args!("SIMD        {levels} (runs with {best}; all give the same bits)"))?;
    print_line(if has_hardware_fma() {
        "fma         in hardware"
    } else {
        "fma         MISSING in hardware: kernels do not run here. Take a CPU with FMA3 (Intel Haswell, AMD Piledriver or later)"
    })?;
    bandwidths()?;
    for line in lbm_cuda::probe().lines() {
        let (part, found) = line.split_at_checked(9).unwrap_or((line, ""));
        let part = format!("cuda {}", part.trim_end());
        print_line(format_args!("{part:<11} {found}"))?;
    }
    Ok(true)
}

type Measure<'a> = &'a dyn Fn(StoreKind) -> Result<f64, Error>;

/// Measures what the memory gives; says so if there is too little of it.
fn bandwidths() -> Result<(), Error> {
    let options = CpuOptions::default();
    let copy = |stores| bandwidth::streams::<1>(PROBE_BYTES, &options, stores, TURNS);
    let streams = |stores| bandwidth::streams::<19>(PROBE_BYTES, &options, stores, TURNS);
    let measures: [(&str, Measure<'_>); 2] = [("copy", &copy), ("19 streams", &streams)];
    for (name, measure) in measures {
        let found = match (measure(StoreKind::Ordinary), measure(StoreKind::NonTemporal)) {
            (Ok(ordinary), Ok(past)) => {
                format!("{ordinary:.1} GB/s with ordinary stores, {past:.1} GB/s with non-temporal stores")
            }
            (Err(error), _) | (_, Err(error)) => format!("not measured: {error}"),
        };
        print_line(format_args!("bandwidth   {name}: {found}"))?;
    }
    Ok(())
}
