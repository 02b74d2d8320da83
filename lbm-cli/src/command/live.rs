//! `lbm live`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use flate2::Crc;
use lbm_core::Error;
use lbm_live::{Flow, Live, read_events, replay};

use super::place::Place;
use super::{print_line, progress, run};
use crate::live::LiveFlow;
use crate::simulation::{Backend, Placement};

/// The case that is shown if none is named.
pub(super) const CASE: &str = "windtunnel2d";

/// A saved flow has so many times the bytes of the flow at most, and room for what was drawn.
const MOST_SAVED: usize = 2;
const ROOM: usize = 128 << 20;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The case (see `lbm cases`), or a case file: FILE.toml
    #[arg(default_value = CASE)]
    case: String,
    /// Sets a value, e.g. --set re=400; may be repeated, and wins over the case file
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    place: Place,
    /// Stores all nodes where the addressing lists them, so that what is solid at the beginning can be erased, too
    #[arg(long)]
    drawable: bool,
    /// The address that the page is served at; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// A name by which the page is asked for beside the address, e.g. that of a machine behind a proxy; may be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Writes what is done to the flow, with its steps, to this new file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Ends after so many steps
    #[arg(long)]
    steps: Option<u64>,
    /// Serves no page: does what was recorded in this file, runs --steps steps, and prints a checksum of the populations
    #[arg(long, value_name = "FILE", requires = "steps", conflicts_with_all = ["record", "host"])]
    replay: Option<PathBuf>,
}

/// Serves the page of a flow until somebody interrupts it.
pub(super) fn live(arguments: &Arguments) -> Result<bool, Error> {
    let flow = flow(&arguments.case, &arguments.set, arguments.place.whole("live")?, arguments.drawable)?;
    announce(&flow)?;
    if let (Some(path), Some(steps)) = (&arguments.replay, arguments.steps) {
        return again(flow, path, steps);
    }
    progress::catch_interrupt()?;
    let largest = MOST_SAVED * flow.simulation().allocated_bytes() + ROOM;
    let mut live = Live::new(flow).listen(arguments.listen).largest_checkpoint(largest);
    for host in &arguments.host {
        live = live.host(host);
    }
    if let Some(path) = &arguments.record {
        live = live.record(path);
    }
    if let Some(steps) = arguments.steps {
        live = live.steps(steps);
    }
    let bound = live.bind().map_err(refused)?;
    let address = bound.address();
    print_line(format_args!("open       {}", bound.url()))?;
    print_line(format_args!(
        "elsewhere  ssh -L {port}:127.0.0.1:{port} THIS-MACHINE, then open the same address there",
        port = address.port()
    ))?;
    print_line("ends       with Ctrl-C")?;
    let (stop, ended) = (bound.stop(), std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false)));
    let seen = std::sync::Arc::clone(&ended);
    let watch = std::thread::spawn(move || {
        while !seen.load(std::sync::atomic::Ordering::Acquire) && !progress::interrupted() {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        stop.stop();
    });
    let result = bound.run();
    ended.store(true, std::sync::atomic::Ordering::Release);
    // It only waits for the end.
    let _ = watch.join();
    print_line(format_args!("steps      {}", result.map_err(refused)?.steps))?;
    Ok(true)
}

/// The flow of a case, or of a case file, with settings as `KEY=VALUE`; on a GPU as large as the case likes, where nobody says how large.
pub(super) fn flow(
    name: &str,
    set: &[String],
    placement: Placement,
    drawable: bool,
) -> Result<LiveFlow, Error> {
    let is_file = name.ends_with(".toml");
    let (case, mut settings) = run::chosen(Some(name), None, &[])?;
    let on_a_gpu = matches!(placement.backend, Backend::Cuda(_)) && !is_file;
    if let Some(live) = case.shown.live.filter(|_| on_a_gpu) {
        settings.set(live.on_a_gpu.0, live.on_a_gpu.1)?;
    }
    set.iter().try_for_each(|pair| settings.set_pair(pair))?;
    run::located(LiveFlow::of_case(case, settings.on(placement), drawable), Some(name), None)
}

/// Says what runs, before it does.
fn announce(flow: &LiveFlow) -> Result<(), Error> {
    let (case, simulation) = (flow.case(), flow.simulation());
    print_line(format_args!("{}: {}", case.name, case.about))?;
    print_line(format_args!("variant    {}", simulation.variant()))?;
    print_line(format_args!("domain     {:?} nodes, {}", simulation.size(), simulation.footprint()))?;
    print_line(format_args!("engine     {}", simulation.engine_description()))
}

/// Does again what was recorded.
fn again(mut flow: LiveFlow, path: &std::path::Path, steps: u64) -> Result<bool, Error> {
    let events = read_events(path).map_err(refused)?;
    replay(&mut flow, &events, steps).map_err(refused)?;
    let mut sum = Crc::new();
    for population in flow.simulation().populations()? {
        sum.update(&population.to_le_bytes());
    }
    print_line(format_args!("events     {}", events.len()))?;
    print_line(format_args!("steps      {}", flow.steps_done()))?;
    print_line(format_args!("checksum   {:08x} of all populations (CRC-32 of their f64)", sum.sum()))?;
    Ok(true)
}

/// An error of the server as one of the command.
fn refused(error: lbm_live::Error) -> Error {
    Error::conflict(error.to_string(), "see `lbm live --help`")
}
