//! `lbm bench live`.

use lbm_core::Error;
use serde_json::json;

use super::super::live::{CASE, flow};
use super::super::print_line;
use super::Arguments;
use crate::bench::Walls;
use crate::bench::live::{Viewed, view};
use crate::live::LiveFlow;

/// How long the flow runs without a viewer, and then with one, seconds.
const SECONDS: f64 = 5.0;

/// Measures a flow of `lbm live` without a viewer and with one.
pub(super) fn live(arguments: &Arguments) -> Result<bool, Error> {
    let others = [
        ("--flow", arguments.flow != Walls::Periodic),
        ("--rule", arguments.rule.is_some()),
        ("--forces", arguments.forces),
        ("--memory", arguments.memory.is_some()),
        ("--turns", arguments.turns != 0),
        ("--threads and --simd", arguments.cores.options() != lbm_cpu::CpuOptions::default()),
        ("a further word", arguments.filter.len() > 1),
    ];
    if let Some((what, _)) = others.iter().find(|(_, given)| *given) {
        return Err(Error::conflict(
            format!("{what} is not for `lbm bench live`"),
            "leave it out: the flow is that of --case with its --set",
        ));
    }
    let mut set = Vec::new();
    if let Some([_, height, _]) = arguments.size {
        set.push(format!("size={height}"));
    }
    set.extend(arguments.set.iter().cloned());
    let (case, place) = (arguments.case.as_deref().unwrap_or(CASE), arguments.place.whole("bench live")?);
    let flow = flow(case, &set, place, false)?;
    check_size(&flow, arguments.size)?;
    let viewed = view(flow, arguments.seconds.unwrap_or(SECONDS))?;
    if arguments.json {
        print_line(json!(viewed))?
    } else {
        print_line(text(&viewed))?
    }
    Ok(true)
}

/// Refuses a size that the case, which is given one length, does not have.
fn check_size(flow: &LiveFlow, asked: Option<[usize; 3]>) -> Result<(), Error> {
    let size = flow.simulation().size();
    match asked {
        Some(asked) if asked != size => Err(Error::conflict(
            format!(
                "{} has {size:?} nodes where its `size` is {}, not {asked:?}",
                flow.case().name,
                asked[1]
            ),
            "give --size as the case has it (windtunnel2d is twice as long as high), or leave it out and --set size=..",
        )),
        _ => Ok(()),
    }
}

/// A table to be read.
fn text(v: &Viewed) -> String {
    let [width, height] = v.pixels;
    let rows = [
        (
            "without a viewer",
            format!(
                "{:.1} MLUPS, the mean of two runs that differ by {:.1} %",
                v.mlups_without_viewer,
                100.0 * v.spread_without_viewer
            ),
        ),
        ("with a viewer", format!("{:.1} MLUPS, {:.1} %", v.mlups_with_viewer, 100.0 * v.share)),
        (
            "pictures",
            format!(
                "{:.1} a second, {width} x {height}, {:.1} kB each{}",
                v.pictures_a_second,
                1e-3 * v.bytes_a_picture,
                if v.slice_moves { ", of a slice that moves" } else { "" }
            ),
        ),
        (
            "event to picture",
            format!(
                "{:.1} ms, {:.1} at worst ({} discs of about {} nodes drawn or erased)",
                v.event_to_picture_ms, v.event_to_picture_ms_worst, v.events, v.drawn_nodes
            ),
        ),
        (
            "event in the flow",
            format!("{:.2} ms, {:.2} at worst", v.event_in_flow_ms, v.event_in_flow_ms_worst),
        ),
    ];
    let lines = rows.iter().map(|(what, figure)| format!("\n  {what:<18}{figure}"));
    let [nx, ny, nz] = v.size;
    format!("{}, {nx} x {ny} x {nz}, {}, {} s each{}", v.case, v.device, v.seconds, lines.collect::<String>())
}
