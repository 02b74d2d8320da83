//! The page of `lbm show --backend cuda`: the text that is compiled for a box, and what it is launched with.

use clap::Args;
use lbm_core::Error;
use lbm_core::written::{Header, Written};
use lbm_cuda::assemble::{self, Plan, Shape};
use lbm_cuda::cache::Cache;
use lbm_cuda::nvrtc::{Architecture, Compiled, Nvrtc};
use serde_json::{Value, json};

use crate::bench::size_for;
use crate::geometry::read_size;
use crate::variants::Entry;

/// What the text is compiled for, so that its resources are known where there is no GPU.
const ARCHITECTURE: Architecture = Architecture::SM_90;

#[derive(Debug, Args)]
pub(super) struct CudaArguments {
    /// With --backend cuda: nodes of the box; 512,512,512 or 4096,4096 if not given
    #[arg(long, value_name = "NX,NY,NZ", value_parser = read_size)]
    size: Option<[usize; 3]>,
    /// With --backend cuda: launch shape, nodes a thread and the block, e.g. 2x128x1x1; the likeliest if not given
    #[arg(long)]
    shape: Option<Shape>,
    /// With --backend cuda: for a box with walls or solid nodes
    #[arg(long)]
    walls: bool,
    /// With --backend cuda: the text that is handed its size, one for all boxes
    #[arg(long)]
    free_size: bool,
}

impl CudaArguments {
    /// The Rust kernel knows no box.
    pub(super) fn refuse_for_rust(&self) -> Result<(), Error> {
        if self.size.is_none() && self.shape.is_none() && !self.walls && !self.free_size {
            return Ok(());
        }
        Err(Error::conflict("--size, --shape, --walls and --free-size are for --backend cuda; the Rust text is the same for all boxes"
                .to_owned(), "leave them out, or add --backend cuda"))
    }

    /// The shape asked for, or the likeliest, and how many a run would measure.
    fn shape(&self, entry: &Entry, size: [usize; 3]) -> Result<(Shape, usize), Error> {
        let shapes = Shape::candidates(&entry.facts, size);
        let likely = shapes.first().copied().unwrap_or(Shape::PLAIN);
        let Some(shape) = self.shape else { return Ok((likely, shapes.len())) };
        let packs_fit = shapes.iter().any(|tried| tried.nodes == shape.nodes);
        if shape.can_be_launched() && packs_fit {
            return Ok((shape, shapes.len()));
        }
        Err(Error::out_of_range(
            "launch shape",
            shape,
            format!("for {} on {size:?} e.g. {likely}", entry.name),
            "leave --shape out, and the likeliest is taken",
        ))
    }
}

/// The page, and what JSON says beside it.
pub(super) fn page(
    entry: &Entry,
    written: &Written,
    header: &Header<'_>,
    arguments: &CudaArguments,
) -> Result<(String, Value), Error> {
    let size = size_for(entry, arguments.size, [4096, 512])?;
    let (shape, tried) = arguments.shape(entry, size)?;
    let plan = Plan::of(shape).with_size((!arguments.free_size).then_some(size));
    let plan = if arguments.walls { plan.with_walls(None) } else { plan };
    let text = assemble::step(&entry.facts, &plan)?.to_string();
    let compiled = Nvrtc::load()
        .and_then(|nvrtc| Cache::of_this_machine().compile(nvrtc, &text, ARCHITECTURE))
        .map_err(|error| error.to_string());
    let grid = shape.grid(size);
    let mut lines = vec![launch(size, &plan, grid)];
    if arguments.shape.is_none() {
        lines.push(format!("The likeliest of {tried} shapes; the first run on a GPU measures them."));
    }
    lines.extend(resources(&compiled));
    let more = json!({
        "backend": "cuda",
        "size": size,
        "free_size": arguments.free_size,
        "walls": arguments.walls,
        "nodes_per_thread": shape.nodes,
        "block": shape.block,
        "grid": grid,
        "architecture": ARCHITECTURE.to_string(),
        "kernels": compiled.as_ref().ok().map(kernels),
    });
    Ok((format!("{}\n{text}", written.cuda_comment(header, &lines)), more))
}

/// For which box in which shape.
fn launch([nx, ny, nz]: [usize; 3], plan: &Plan, grid: [u32; 3]) -> String {
    let [bx, by, bz] = plan.shape.block;
    let [gx, gy, gz] = grid;
    format!(
        "Box: {nx} x {ny} x {nz} nodes, {}, {}. Launch: {} a thread, block {bx} x {by} x {bz}, grid {gx} x {gy} x {gz}.",
        if plan.walls { "with walls" } else { "periodic" },
        if plan.size.is_some() { "baked in" } else { "handed to the kernel" },
        if plan.shape.nodes == 1 { "one node".to_owned() } else { format!("{} nodes", plan.shape.nodes) },
    )
}

/// What the compiler says of each kernel, or why it cannot be asked.
fn resources(compiled: &Result<Compiled, String>) -> Vec<String> {
    match compiled {
        Ok(compiled) => compiled
            .kernels
            .iter()
            .map(|kernel| {
                let spilled = kernel.spill_stores + kernel.spill_loads;
                let spills =
                    if spilled == 0 { "no spills".to_owned() } else { format!("{spilled} bytes SPILLED") };
                format!(
                    "{} on {ARCHITECTURE}: {} registers a thread, {spills}.",
                    kernel.name, kernel.registers
                )
            })
            .collect(),
        Err(reason) => {
            let first = reason.lines().next().unwrap_or_default();
            vec![format!("Registers and spills are not known here: {first}")]
        }
    }
}

fn kernels(compiled: &Compiled) -> Vec<Value> {
    compiled
        .kernels
        .iter()
        .map(|kernel| {
            json!({
                "name": kernel.name,
                "registers": kernel.registers,
                "shared_bytes": kernel.shared_bytes,
                "spill_stores": kernel.spill_stores,
                "spill_loads": kernel.spill_loads,
            })
        })
        .collect()
}
