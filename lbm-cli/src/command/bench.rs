//! `lbm bench`.

#[cfg(feature = "live")]
mod live;
mod report;
mod scaling;

use std::path::PathBuf;

use clap::Args;
use lbm_core::Error;
use serde_json::json;

use super::place::{Cores, Place};
use super::print_line;
use crate::bench::paper::{Record, experiment};
use crate::bench::{Request, Walls, measure, selected};
use crate::geometry::read_size;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Measure only variants whose name contains all of these (`paper`, `live` and `scaling` are reserved, and `paper tiles vessels` is a part of an experiment); without any, a small selection
    filter: Vec<String>,
    #[command(flatten)]
    place: Place,
    /// Nodes of the box, or of the edge of a cube; by default more than the caches hold (of `bench paper`, only ccas and lecture take it; `bench live` takes that of the flow; of `bench scaling` it is the box of a device)
    #[arg(long, value_name = "N|NX,NY,NZ", value_parser = size)]
    size: Option<[usize; 3]>,
    /// What stands in the box; one with walls is timed in turns with the periodic one
    #[arg(long, value_enum, default_value_t)]
    flow: Walls,
    /// A boundary rule in place of half-way walls, e.g. zou-he-velocity: at the faces of that box, one of links on its spheres where it has some
    #[arg(long, value_name = "NAME")]
    rule: Option<String>,
    /// Ask for the force on the solid nodes after every step (`--flow sphere`, `--flow spheres`); speeds are then by the wall clock
    #[arg(long)]
    forces: bool,
    #[command(flatten)]
    cores: Cores,
    /// Turns of measurement, of which the median is printed; 0 means 11
    #[arg(long, default_value_t = 0)]
    turns: usize,
    /// Bytes that the populations of `bench paper ghost-swap` may take, e.g. 4GB; by default 95 % of a GPU's memory, on the CPU 192MB
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,
    /// The case, or the case file, of `bench live`: windtunnel2d if not given
    #[arg(long, value_name = "CASE|FILE.toml")]
    case: Option<String>,
    /// Sets a value of the case of `bench live`, e.g. --set re=400; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// How long `bench live` runs without a viewer, and then with one; 5 if not given
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
    /// Where `bench paper` and `bench scaling` write their tables and pictures
    #[arg(long, value_name = "DIR", default_value = "out/bench")]
    out: PathBuf,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// The word that asks for a flow with a viewer.
const LIVE: &str = "live";

/// The word that asks for variants over several devices.
const SCALING: &str = "scaling";

/// Measures a flow with a viewer.
#[cfg(feature = "live")]
fn live(arguments: &Arguments) -> Result<bool, Error> {
    live::live(arguments)
}

/// What it says where the program has no such flows.
#[cfg(not(feature = "live"))]
fn live(_: &Arguments) -> Result<bool, Error> {
    Err(Error::Unavailable {
        what: "`lbm bench live`: this program was built without the feature `live`".to_owned(),
        remedy: "build `lbm-cli` with its default features, or with `--features live`".to_owned(),
    })
}

/// Measures variants; `Ok(false)` if one computed wrong bits.
pub(super) fn bench(arguments: &Arguments) -> Result<bool, Error> {
    if arguments.filter.first().is_some_and(|word| word == LIVE) {
        return live(arguments);
    }
    for (option, given) in [
        ("--case", arguments.case.is_some()),
        ("--set", !arguments.set.is_empty()),
        ("--seconds", arguments.seconds.is_some()),
    ] {
        if given {
            return Err(Error::conflict(
                format!("{option} is for `lbm bench live`"),
                "leave it out, or run `lbm bench live`",
            ));
        }
    }
    if let Some((SCALING, words)) = arguments.filter.split_first().map(|(word, words)| (word.as_str(), words))
    {
        return scaling::scaling(arguments, words);
    }
    let request = Request {
        filter: arguments.filter.clone(),
        size: arguments.size,
        walls: arguments.flow,
        rule: arguments.rule.clone(),
        forces: arguments.forces,
        placement: arguments.place.whole("bench")?.with_cpu(arguments.cores.options()),
        turns: arguments.turns,
        memory: arguments.memory,
        copy_bytes: None,
    };
    let mut all_verified = true;
    let mut print = |record: &Record<'_>| -> Result<(), Error> {
        all_verified &= record.verified();
        if arguments.json { print_line(json!(record)) } else { print_line(report::text(record)) }
    };
    if let Some(("paper", keys)) = arguments.filter.split_first().map(|(word, keys)| (word.as_str(), keys)) {
        if request.walls != Walls::Periodic || request.rule.is_some() || request.forces {
            return Err(Error::conflict(
                "--flow, --rule and --forces are not for `lbm bench paper`",
                "leave them out: experiments have their own flows",
            ));
        }
        let (key, parts) = keys.split_first().map_or(("", keys), |(key, parts)| (key.as_str(), parts));
        let written = experiment(key)?.run(parts, &request, &arguments.out, &mut print)?;
        written.iter().for_each(|path| eprintln!("wrote {}", path.display()));
        return Ok(all_verified);
    }
    if request.memory.is_some() {
        return Err(Error::conflict(
            "--memory is for `lbm bench paper ghost-swap`",
            "leave it out, or set --size",
        ));
    }
    for entry in selected(&request)? {
        print(&Record::Measured(&measure(entry, &request)?))?;
    }
    Ok(all_verified)
}

/// Reads `128,128,64`, and `32` as a cube.
fn size(text: &str) -> Result<[usize; 3], Error> {
    match text.trim().parse() {
        Ok(edge) => Ok([edge; 3]),
        Err(_) => read_size(text),
    }
}

/// Reads `4GB`, `512MiB`, `1.5e9`.
fn bytes(text: &str) -> Result<u64, Error> {
    const UNITS: [(&str, f64); 9] = [
        ("KiB", 1024.0),
        ("MiB", 1048576.0),
        ("GiB", 1073741824.0),
        ("TiB", 1099511627776.0),
        ("KB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("TB", 1e12),
        ("B", 1.0),
    ];
    let text = text.trim();
    let unit = UNITS.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)));
    let (number, factor) = unit.unwrap_or((text, 1.0));
    match number.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number * factor < 1e18 => Ok((number * factor) as u64),
        _ => Err(Error::out_of_range(
            "--memory",
            text,
            "a number of bytes above 0, with KB, MB, GB, TB, KiB, MiB, GiB or TiB behind it or nothing",
            "write e.g. 4GB",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_that_of_a_cube() {
        assert_eq!(size("32").unwrap(), [32; 3]);
        assert_eq!((size("8,4").unwrap(), size("8,4,2").unwrap()), ([8, 4, 1], [8, 4, 2]));
        assert!(size("8,").is_err() && size("x").is_err());
    }

    #[test]
    fn bytes_are_read() {
        assert_eq!(bytes("4GB").unwrap(), 4_000_000_000);
        assert_eq!(bytes(" 1.5 KiB ").unwrap(), 1536);
        assert_eq!((bytes("7").unwrap(), bytes("7B").unwrap()), (7, 7));
        for wrong in ["", "GB", "-1GB", "4gb", "0", "inf", "NaN", "1e30"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
