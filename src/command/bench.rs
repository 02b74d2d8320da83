//! `lbm bench`.

use clap::Args;
use lbm_core::Error;
use lbm_cpu::{CpuOptions, SimdLevel};
use serde_json::json;

use super::{later, print_line};
use crate::bench::{Measurement, Request, measure, selected};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Measure only variants whose name contains all of these (`paper` is reserved); without any, a small selection
    filter: Vec<String>,
    /// Where it runs: cpu
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Nodes of the box; by default more than the caches hold
    #[arg(long, value_name = "NX,NY,NZ")]
    size: Option<String>,
    /// Threads; one a core if not given
    #[arg(long)]
    threads: Option<usize>,
    /// SIMD level: scalar, 128-bit, AVX2, AVX-512; the best if not given
    #[arg(long)]
    simd: Option<String>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// Measures variants; `Ok(false)` if one computed wrong bits.
pub(super) fn bench(arguments: &Arguments) -> Result<bool, Error> {
    if arguments.filter.first().is_some_and(|word| word == "paper") {
        return Err(later::unavailable("bench paper", "it comes with the papers' schemes"));
    }
    later::check_device(&arguments.device)?;
    let simd = arguments.simd.as_deref().map(str::parse::<SimdLevel>).transpose()?;
    let request = Request {
        filter: arguments.filter.clone(),
        size: arguments.size.as_deref().map(size).transpose()?,
        options: CpuOptions { threads: arguments.threads, simd, ..CpuOptions::default() },
        ..Request::default()
    };
    let mut all_verified = true;
    for entry in selected(&request)? {
        let measurement = measure(entry, &request)?;
        all_verified &= measurement.verified;
        if arguments.json {
            print_line(as_json(&measurement))?;
        } else {
            print_line(as_text(&measurement))?;
        }
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
    text + if m.verified { "  bits verified" } else { "  BITS DIFFER from the reference" }
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
