//! `lbm variants`: the axes, what goes together on them, and the tier that is checked without being named.

use clap::Args;
use lbm_core::facts::{AddressingFacts, LayoutFacts, StreamingFacts};
use lbm_core::{Error, Facts};
use serde_json::json;

use super::print_line;
use crate::variants::{self, Axis, Entry, fits};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Show only variants of the tier whose name contains all of these
    filter: Vec<String>,
    /// Only the tier, one JSON object a line
    #[arg(long)]
    json: bool,
}

/// The body that legality is shown with: three dimensions, and a collision that moments carry.
const SHOWN: [&str; 2] = ["D3Q19", "regularized"];

/// Prints the axes and what goes together, unless there is a filter; then the names of the tier.
pub(super) fn variants(arguments: &Arguments) -> Result<bool, Error> {
    let shown: Vec<&Entry> =
        variants::all().iter().filter(|entry| fits(&entry.name, &arguments.filter)).collect();
    if arguments.json {
        return shown
            .iter()
            .try_for_each(|entry| print_line(json!({ "variant": entry.name })))
            .map(|()| true);
    }
    if arguments.filter.is_empty() {
        axes()?;
        let mut reasons = Vec::new();
        storage(&mut reasons)?;
        addressings(&mut reasons)?;
        for (number, reason) in reasons.iter().enumerate() {
            print_line(format_args!("  {:>2}: {reason}", number + 1))?;
        }
        print_line(format_args!(
            "\nThe tier that is checked without being named, {} variants:\n",
            shown.len()
        ))?;
    }
    shown.iter().try_for_each(|entry| print_line(&entry.name)).map(|()| true)
}

/// The values of each axis, and in which precisions the CPU has machine code.
fn axes() -> Result<(), Error> {
    print_line("A variant's name is LATTICE-COLLISION-PRECISION-LAYOUT-ADDRESSING-STREAMING.\n")?;
    let lattices = lbm_bodies::all().iter().fold(Vec::new(), |mut names: Vec<&str>, body| {
        if !names.contains(&body.facts.lattice.name) {
            names.push(body.facts.lattice.name);
        }
        names
    });
    let small: Vec<String> = lattices.iter().map(|name| name.to_lowercase()).collect();
    print_line(format_args!("  {:<11} {}", "lattice", small.join(" ")))?;
    let collisions = variants::names_on(Axis::Collision).join(" ");
    print_line(format_args!(
        "  {:<11} {collisions}, each with -incompressible, -guo (a body force) or both",
        "collision"
    ))?;
    for (name, axis) in [
        ("precision", Axis::Precision),
        ("layout", Axis::Layout),
        ("addressing", Axis::Addressing),
        ("streaming", Axis::Streaming),
    ] {
        print_line(format_args!("  {name:<11} {}", variants::names_on(axis).join(" ")))?;
    }
    print_line("\nA GPU runs every legal product of these. Machine code for the CPU is compiled in of\n")?;
    for lattice in lattices {
        let of_lattice = lbm_bodies::all().iter().filter(|body| body.facts.lattice.name == lattice);
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for body in of_lattice {
            let precisions = body.precisions().collect::<Vec<_>>().join(" ");
            match groups.iter_mut().find(|(known, _)| *known == precisions) {
                _ if precisions.is_empty() => {}
                Some((_, bodies)) => bodies.push(body.facts.body.collision),
                None => groups.push((precisions, vec![body.facts.body.collision])),
            }
        }
        for (precisions, bodies) in groups {
            print_line(format_args!("  {:<6} {precisions}: {}", lattice.to_lowercase(), bodies.join(" ")))?;
        }
    }
    Ok(())
}

/// Whether a scheme goes with the body that is shown: `yes`, or the number of the reason why not.
fn cell(
    layout: LayoutFacts,
    addressing: AddressingFacts,
    streaming: StreamingFacts,
    reasons: &mut Vec<String>,
) -> String {
    let axes = variants::axes();
    let body = axes.bodies().iter().find(|(lattice, body)| [lattice.name, body.collision] == SHOWN);
    let Some(&(lattice, body)) = body else { return String::new() };
    let Err(error) = Facts::compose(lattice, body, axes.precisions()[0], layout, addressing, streaming)
    else {
        return "yes".to_owned();
    };
    let reason = error.to_string();
    // What is refused stands in front.
    let reason = reason.split_once(": ").map_or(reason.as_str(), |(_, why)| why).to_owned();
    let number = reasons.iter().position(|known| *known == reason).unwrap_or_else(|| {
        reasons.push(reason);
        reasons.len() - 1
    });
    (number + 1).to_string()
}

/// Streaming patterns and layouts, in boxes that are stored as a whole.
fn storage(reasons: &mut Vec<String>) -> Result<(), Error> {
    let axes = variants::axes();
    print_line("\nDense boxes: what goes together, or the number of the reason why not (below).\n")?;
    let names: Vec<&str> = axes.layouts().iter().map(|layout| layout.name).collect();
    print_line(row("", names))?;
    for streaming in axes.streamings(SHOWN[0]) {
        let dense = axes.addressings()[0];
        let cells = axes.layouts().iter().map(|&layout| cell(layout, dense, streaming, reasons));
        print_line(row(streaming.pattern.name, cells.collect::<Vec<_>>()))?;
    }
    Ok(())
}

/// Streaming patterns and layouts, where nodes are listed.
fn addressings(reasons: &mut Vec<String>) -> Result<(), Error> {
    let axes = variants::axes();
    print_line("\nListed nodes (tiles of every size as those of 4).\n")?;
    let listed: Vec<AddressingFacts> = axes
        .addressings()
        .iter()
        .filter(|addressing| {
            ["tiled4", "connectivity-matrix", "fluid-index-array"].contains(&addressing.name)
        })
        .copied()
        .collect();
    for addressing in listed {
        print_line(row(addressing.name, axes.layouts().iter().map(|layout| layout.name)))?;
        for streaming in axes.streamings(SHOWN[0]) {
            let cells = axes.layouts().iter().map(|&layout| cell(layout, addressing, streaming, reasons));
            print_line(row(streaming.pattern.name, cells.collect::<Vec<_>>()))?;
        }
        print_line("")?;
    }
    Ok(())
}

/// A row of a table.
fn row(name: &str, cells: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    let cells: String = cells.into_iter().map(|cell| format!(" {cell:>10}")).collect();
    format!("  {name:<19}{cells}")
}
