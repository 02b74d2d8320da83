//! `lbm show`: a generated kernel as text, with its operation count.

use clap::{Args, ValueEnum};
use lbm_core::written::Header;
use lbm_core::{Error, Facts};
use lbm_generator::digits::{Digits, Trials};
use lbm_generator::source::written;
use serde_json::{Value, json};

use super::print_line;
use crate::variants;

mod cuda;

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
    #[command(flatten)]
    cuda: cuda::CudaArguments,
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
    let entry = variants::find(&arguments.variant)?;
    let generated = entry.generate();
    let bytes_per_node = entry.facts.bytes_per_update();
    let written = written(&generated, &Digits::of(&generated, &Trials::FEW));
    let header = Header::new(&entry.name, Some(bytes_per_node));
    let (source, more) = match arguments.backend {
        Backend::Rust => {
            arguments.cuda.refuse_for_rust()?;
            (written.rust_page(&header), json!({ "backend": "rust" }))
        }
        Backend::Cuda => cuda::page(entry, &written, &header, &arguments.cuda)?,
    };
    if arguments.json {
        let operations = generated.collide.count();
        let mut shown = json!({
            "variant": entry.name,
            "adds": operations.adds,
            "muls": operations.muls,
            "fmas": operations.fmas,
            "divs": operations.divs,
            "others": operations.others,
            "live_values": written.live_values,
            "digits_lost": written.digits,
            "bytes_per_node": bytes_per_node,
            "stored_bytes_per_node": stored_bytes(&entry.facts),
            "source": source,
        });
        if let (Some(shown), Value::Object(more)) = (shown.as_object_mut(), more) {
            shown.extend(more);
        }
        print_line(shown)?;
        return Ok(true);
    }
    if arguments.stages {
        for (name, text) in written.stages.iter() {
            print_line(format_args!("// ---- {name} ----\n{text}"))?;
        }
    }
    print_line(source)?;
    let [size, of] = if entry.facts.lattice.dimension == 2 {
        ["8192 x 8192", "plane"]
    } else {
        ["512 x 512 x 512", "box"]
    };
    let (stored, bytes) = (stored_bytes(&entry.facts), entry.facts.precision.stored_bytes);
    let values = stored / bytes as f64;
    print_line(format_args!(
        "// Storage: {stored:.2} bytes a node of a {of} of {size} nodes, {values:.2} values of {bytes} bytes."
    ))?;
    Ok(true)
}

/// Bytes that are stored of a node of a large box, all copies and rings and planes to spare together.
pub(super) fn stored_bytes(facts: &Facts) -> f64 {
    let size: [usize; 3] = if facts.lattice.dimension == 2 { [8192, 8192, 1] } else { [512, 512, 512] };
    facts.bytes(size) as f64 / size.iter().product::<usize>() as f64
}
