//! `lbm bench`.

use std::path::PathBuf;

use clap::Args;
use lbm_core::Error;
use lbm_cpu::{CpuOptions, SimdLevel};
use serde_json::json;

use super::print_line;
use super::shape::LaunchShape;
use crate::bench::paper::{Measured, experiment};
use crate::bench::{DeviceMeasurement, Measurement, Request, measure, measure_on_device, selected};
use crate::simulation::{Backend, Placement};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Measure only variants whose name contains all of these (`paper` is reserved); without any, a small selection
    filter: Vec<String>,
    /// Where it runs: cpu, cuda[:N], cuda-on-host
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Nodes of the box; by default more than the caches hold
    #[arg(long, value_name = "NX,NY,NZ")]
    size: Option<String>,
    /// Threads; one a core if not given
    #[arg(long)]
    threads: Option<usize>,
    /// SIMD level: scalar, AVX2, AVX-512 (128-bit on Arm); the best if not given
    #[arg(long)]
    simd: Option<String>,
    #[command(flatten)]
    shape: LaunchShape,
    /// Turns of measurement, of which the median is printed; 0 means 11
    #[arg(long, default_value_t = 0)]
    turns: usize,
    /// Where `bench paper` writes its tables and pictures
    #[arg(long, value_name = "DIR", default_value = "out/bench")]
    out: PathBuf,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// Measures variants; `Ok(false)` if one computed wrong bits.
pub(super) fn bench(arguments: &Arguments) -> Result<bool, Error> {
    let backend: Backend = arguments.device.parse()?;
    let simd = arguments.simd.as_deref().map(str::parse::<SimdLevel>).transpose()?;
    let request = Request {
        filter: arguments.filter.clone(),
        size: arguments.size.as_deref().map(size).transpose()?,
        options: CpuOptions { threads: arguments.threads, simd, ..CpuOptions::default() },
        placement: Placement { device: arguments.shape.on(backend)?, ..backend.into() },
        turns: arguments.turns,
    };
    let mut all_verified = true;
    let mut print = |measured: &Measured| -> Result<(), Error> {
        all_verified &= measured.verified();
        match (measured, arguments.json) {
            (Measured::Cpu(m), true) => print_line(as_json(m)),
            (Measured::Cpu(m), false) => print_line(as_text(m)),
            (Measured::Device(m), true) => print_line(device_json(m)),
            (Measured::Device(m), false) => print_line(device_text(m)),
        }
    };
    if let Some(("paper", keys)) = arguments.filter.split_first().map(|(word, keys)| (word.as_str(), keys)) {
        let experiment = experiment(keys.first().map_or("", String::as_str))?;
        let written = experiment.run(&request, &arguments.out, &mut print)?;
        written.iter().for_each(|path| eprintln!("wrote {}", path.display()));
        return Ok(all_verified);
    }
    for entry in selected(&request)? {
        print(&match backend {
            Backend::Cpu => Measured::Cpu(measure(entry, &request)?),
            _ => Measured::Device(measure_on_device(entry, &request)?),
        })?;
    }
    Ok(all_verified)
}

/// Reads `64,64,64` (or `512,512` for two dimensions).
fn size(text: &str) -> Result<[usize; 3], Error> {
    let numbers: Option<Vec<usize>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y]) => Ok([x, y, 1]),
        Some(&[x, y, z]) => Ok([x, y, z]),
        _ => Err(Error::out_of_range(
            "--size",
            text,
            "two or three integers with commas",
            "write e.g. 128,128,128",
        )),
    }
}

fn as_json(m: &Measurement) -> serde_json::Value {
    json!({
        "variant": m.variant,
        "device": "cpu",
        "size": m.size,
        "threads": m.threads,
        "mlups": m.mlups,
        "mlups_slowest": m.spread.0,
        "mlups_fastest": m.spread.1,
        "bytes_per_node": m.bytes_per_node,
        "copy_gb_s": m.copy,
        "share_of_copy": m.share_of_copy,
        "streams_gb_s": m.streams,
        "share_of_streams": m.share_of_streams,
        "stores": m.stores.name(),
        "engine": m.engine,
        "by_hand_mlups": m.by_hand.map(|hand| hand.mlups),
        "ratio_to_by_hand": m.by_hand.map(|hand| hand.ratio),
        "verified": m.verified,
    })
}

fn device_json(m: &DeviceMeasurement) -> serde_json::Value {
    json!({
        "variant": m.variant,
        "device": m.device.to_string(),
        "size": m.size,
        "threads": m.threads,
        "steps": m.steps,
        "mlups": m.mlups,
        "mlups_slowest": m.spread.0,
        "mlups_fastest": m.spread.1,
        "bytes_per_node": m.bytes_per_node,
        "copy_gb_s": m.copy,
        "share_of_copy": m.share_of_copy,
        "read_write_gb_s": m.read_write,
        "propagation_mlups": m.propagation,
        "launch_us": m.launch_us,
        "engine": m.engine,
        "verified": m.verified,
    })
}

fn device_text(m: &DeviceMeasurement) -> String {
    let [nx, ny, nz] = m.size;
    let bandwidth = m.mlups * 1e-3 * m.bytes_per_node as f64;
    let share = |gb_s: f64| 100.0 * gb_s / m.copy;
    let propagation = m.propagation.map_or_else(String::new, |mlups| {
        format!(
            ", propagation only {mlups:.0} MLUPS ({:.1} %)",
            share(mlups * 1e-3 * m.bytes_per_node as f64)
        )
    });
    format!(
        "{}\n  {:.0} MLUPS ({:.0} to {:.0}), {nx} x {ny} x {nz}, {}, {} steps a turn\n  {} bytes a node: {bandwidth:.0} GB/s; \
         {:.1} % of the copy's {:.0} GB/s\n  read and write only {:.0} GB/s ({:.1} %){propagation}; an empty launch {:.2} us\n  {}",
        m.variant,
        m.mlups,
        m.spread.0,
        m.spread.1,
        m.engine,
        m.steps,
        m.bytes_per_node,
        100.0 * m.share_of_copy,
        m.copy,
        m.read_write,
        share(m.read_write),
        m.launch_us,
        verdict(m.verified),
    )
}

fn verdict(verified: bool) -> &'static str {
    if verified { "bits verified" } else { "BITS DIFFER from the reference" }
}

fn as_text(m: &Measurement) -> String {
    let [nx, ny, nz] = m.size;
    let mut text = format!(
        "{}\n  {:.1} MLUPS ({:.1} to {:.1}), {nx} x {ny} x {nz}, {}, {} stores\n  {} bytes a node: {:.1} GB/s; \
         {:.0} % of the copy's {:.1} GB/s, {:.0} % of the streams' {:.1} GB/s\n",
        m.variant,
        m.mlups,
        m.spread.0,
        m.spread.1,
        m.engine,
        m.stores.name(),
        m.bytes_per_node,
        m.mlups * 1e-3 * m.bytes_per_node as f64,
        100.0 * m.share_of_copy,
        m.copy,
        100.0 * m.share_of_streams,
        m.streams,
    );
    if let Some(hand) = m.by_hand {
        text += &format!("  by hand {:.1} MLUPS; generated over by hand {:.3}\n", hand.mlups, hand.ratio);
    }
    text + "  " + verdict(m.verified)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!(size("64, 32,16").unwrap(), [64, 32, 16]);
        assert_eq!(size("64,32").unwrap(), [64, 32, 1]);
        for wrong in ["64", "a,b", "1,2,3,4", "-1,2,3", ""] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
