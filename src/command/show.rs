//! `lbm show`: a generated kernel as text, with its operation count.

use clap::{Args, ValueEnum};
use lbm_core::Error;
use lbm_core::codegen::source::{Header, rust_source};
use serde_json::json;

use super::{later, print_line};
use crate::variants;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The variant's name (see `lbm variants`)
    variant: String,
    /// Which text to print
    #[arg(long, value_enum, default_value_t = Backend::Rust)]
    backend: Backend,
    /// Prints what each stage of the generator made of the formulas, before the kernel
    #[arg(long)]
    stages: bool,
    /// One JSON object: operation counts, bytes a node, source
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Backend {
    Rust,
    Cuda,
}

/// Prints a kernel.
pub(super) fn show(arguments: &Arguments) -> Result<bool, Error> {
    if arguments.backend == Backend::Cuda {
        return Err(later::unavailable("show --backend cuda", "it comes with the CUDA backend"));
    }
    let entry = variants::find(&arguments.variant)?;
    let generated = entry.generate()?;
    let header = Header { variant: &entry.name, bytes_per_node: Some(entry.bytes_per_node) };
    let source = rust_source(&generated, &header);
    let operations = entry.operations;
    let live_values = generated.collide.live_values();
    if arguments.json {
        print_line(json!({
            "variant": entry.name,
            "backend": "rust",
            "adds": operations.adds,
            "muls": operations.muls,
            "fmas": operations.fmas,
            "divs": operations.divs,
            "others": operations.others,
            "live_values": live_values,
            "bytes_per_node": entry.bytes_per_node,
            "source": source,
        }))?;
        return Ok(true);
    }
    if arguments.stages {
        for (name, text) in &generated.stages.0 {
            print_line(format_args!("// ---- {name} ----\n{text}"))?;
        }
    }
    print_line(source)?;
    Ok(true)
}
