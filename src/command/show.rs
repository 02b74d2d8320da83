//! `lbm show`: a generated kernel as text, with its operation count.

use clap::{Args, ValueEnum};
use lbm_core::Error;
use lbm_core::codegen::{Generated, emit_rust};
use serde_json::json;

use super::{later, print_line};
use crate::variants::{self, Entry};

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
    let source = rust_source(&generated)?;
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
    print_line(header(entry, &generated))?;
    print_line(source)?;
    Ok(true)
}

/// What the kernel is and costs, as comments.
fn header(entry: &Entry, generated: &Generated) -> String {
    let operations = entry.operations;
    let mut lines = vec![
        format!("// {}", entry.name),
        format!(
            "// A node's collision: {} additions, {} multiplications (fmas counted as one of each: {}), {} divisions, \
             {} others; at most {} live values.",
            operations.adds,
            operations.muls,
            operations.fmas,
            operations.divs,
            operations.others,
            generated.collide.live_values()
        ),
        format!("// Memory: {} bytes a node and step.", entry.bytes_per_node),
        format!("// Populations are shifted, h_i = f_i - w_i; directions of {}:", generated.lattice.name),
    ];
    let velocities = generated.lattice.velocities.iter().enumerate();
    let written: Vec<String> = velocities.map(|(i, c)| format!("{i}: {c:?}")).collect();
    lines.extend(written.chunks(5).map(|some| format!("//   {}", some.join("  "))));
    let uniforms = generated.collide.uniforms.iter().enumerate();
    lines.extend(uniforms.map(|(n, uniform)| format!("// k_{n} = {}", uniform.name)));
    lines.join("\n") + "\n"
}

/// The functions of the body, formatted.
fn rust_source(generated: &Generated) -> Result<String, Error> {
    let functions = [
        emit_rust::uniforms(generated),
        emit_rust::collide(generated),
        emit_rust::macroscopic(generated),
        emit_rust::equilibrium(generated),
    ];
    let texts: Result<Vec<String>, Error> = functions
        .into_iter()
        .map(|tokens| {
            let file: syn::File = syn::parse2(tokens).map_err(|error| Error::Conflict {
                what: format!("the generated text does not parse: {error}"),
                remedy: "report this with the variant's name".to_owned(),
            })?;
            Ok(prettyplease::unparse(&file))
        })
        .collect();
    Ok(texts?.join("\n"))
}
