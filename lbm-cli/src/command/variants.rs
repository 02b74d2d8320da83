//! `lbm variants`: the axes, what goes together on them, and the tier that is checked without being named.

use clap::Args;
use lbm_core::Error;
use lbm_generator::language::{Equilibrium, Forcing};
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

/// Prints the axes and what goes together, unless there is a filter; then the names of the tier.
pub(super) fn variants(arguments: &Arguments) -> Result<bool, Error> {
    let shown: Vec<&Entry> =
        variants::all().iter().filter(|entry| fits(&entry.name, &arguments.filter)).collect();
    if shown.is_empty() {
        let remedy = "every word must be part of a name of the tier, which `lbm variants` lists; any legal product of the axes runs, too";
        return Err(Error::unknown("variant", &arguments.filter.join(" "), variants::names(), remedy));
    }
    if arguments.json {
        return shown
            .iter()
            .try_for_each(|entry| print_line(json!({ "variant": entry.name })))
            .map(|()| true);
    }
    if arguments.filter.is_empty() {
        axes()?;
        legal()?;
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
    let has = |operator: &str, wanted: fn(&lbm_bodies::Body) -> bool| {
        lbm_bodies::all().iter().any(|body| body.operator == operator && wanted(body))
    };
    let endings = |operator: &str| {
        let incompressible = has(operator, |body| body.choices.equilibrium == Equilibrium::Incompressible);
        match (incompressible, has(operator, |body| body.choices.forcing == Forcing::Guo)) {
            (true, true) => ", each with -incompressible, -guo (a body force) or both",
            (true, false) => ", each with -incompressible",
            (false, true) => ", each with -guo",
            (false, false) => "",
        }
    };
    let mut by_endings: Vec<(&str, Vec<&str>)> = Vec::new();
    for operator in variants::names_on(Axis::Collision) {
        match by_endings.iter_mut().find(|(with, _)| *with == endings(operator)) {
            Some((_, operators)) => operators.push(operator),
            None => by_endings.push((endings(operator), vec![operator])),
        }
    }
    for (n, (with, operators)) in by_endings.iter().enumerate() {
        let name = if n == 0 { "collision" } else { "" };
        print_line(format_args!("  {name:<11} {}{with}", operators.join(" ")))?;
    }
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
        let mut by_precisions: Vec<(String, Vec<&str>)> = Vec::new();
        for body in of_lattice {
            let precisions = body.precisions().collect::<Vec<_>>().join(" ");
            match by_precisions.iter_mut().find(|(known, _)| *known == precisions) {
                _ if precisions.is_empty() => {}
                Some((_, bodies)) => bodies.push(body.facts.body.collision),
                None => by_precisions.push((precisions, vec![body.facts.body.collision])),
            }
        }
        for (precisions, bodies) in by_precisions {
            print_line(format_args!("  {:<6} {precisions}: {}", lattice.to_lowercase(), bodies.join(" ")))?;
        }
    }
    Ok(())
}

/// Addressings that stand for all: tiles of any size are as those of 4.
const ADDRESSINGS: [&str; 4] = ["dense", "tiled4", "connectivity-matrix", "fluid-index-array"];

/// What goes together, two axes at a time, and the reasons why the rest does not.
fn legal() -> Result<(), Error> {
    let mut reasons = Vec::new();
    let [streamings, layouts] = [Axis::Streaming, Axis::Layout].map(variants::names_on);
    let all = variants::names_on(Axis::Collision);
    let collisions = variants::operators(&[("D3Q19", false)]);
    let elsewhere: Vec<&str> = all.into_iter().filter(|name| !collisions.contains(name)).collect();
    print_line(
        "\nWhat goes together on D3Q19, or the number of the reason why not (below; tiles of all sizes are as those of 4):\n",
    )?;
    table(&streamings, &ADDRESSINGS, &mut reasons, |streaming, addressing| {
        format!("d3q19-regularized-f32-soa-{addressing}-{streaming}")
    })?;
    table(&streamings, &collisions, &mut reasons, |streaming, collision| {
        format!("d3q19-{collision}-f32-soa-dense-{streaming}")
    })?;
    if !elsewhere.is_empty() {
        print_line(format_args!("  not declared on D3Q19: {}\n", elsewhere.join(", ")))?;
    }
    table(&layouts, &ADDRESSINGS, &mut reasons, |layout, addressing| {
        format!("d3q19-regularized-f32-{layout}-{addressing}-two-lattice-pull")
    })?;
    reasons
        .iter()
        .enumerate()
        .try_for_each(|(n, reason)| print_line(format_args!("  {:>2}: {reason}", n + 1)))
}

/// A table of what two axes have: `yes`, or the number of the reason why not.
fn table(
    rows: &[&str],
    columns: &[&str],
    reasons: &mut Vec<String>,
    name: impl Fn(&str, &str) -> String,
) -> Result<(), Error> {
    let line = |first: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!(" {cell:>20}")).collect();
        print_line(format_args!("  {first:<18}{cells}"))
    };
    line("", columns.iter().map(|&column| column.to_owned()).collect())?;
    for row in rows {
        let cells = columns.iter().map(|column| match variants::find(&name(row, column)) {
            Ok(_) => "yes".to_owned(),
            Err(error) => number(reason_of(&error), reasons).to_string(),
        });
        line(row, cells.collect())?;
    }
    print_line("")
}

/// Why two values do not go together: what is refused stands in front of it.
fn reason_of(error: &Error) -> String {
    let reason = error.to_string();
    reason.split_once(": ").map_or(reason.clone(), |(_, why)| why.to_owned())
}

/// The number of a reason, from 1 on.
fn number(reason: String, reasons: &mut Vec<String>) -> usize {
    let known = reasons.iter().position(|known| *known == reason);
    known.unwrap_or_else(|| {
        reasons.push(reason);
        reasons.len() - 1
    }) + 1
}
