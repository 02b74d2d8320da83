//! What a viewer costs a flow, and how soon it sees what it does: a flow of `lbm live` without a viewer, with one, and while discs are
//! drawn.

mod viewer;

use std::f64::consts::PI;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lbm_core::Error;
use lbm_live::{About, Event, Fault, Flow, FlowStatus, Live, Picture, Refusal, View};
use serde::Serialize;

use super::turns::median;
use viewer::{Seen, Viewer};

/// Pixels of the pictures.
const PIXELS: [usize; 2] = [1024, 512];

/// Nodes of a disc that is drawn.
const DRAWN: f64 = 10_000.0;

/// Places of these, as shares of the slice along x and y.
const PLACES: [[f64; 2]; 5] = [[0.55, 0.3], [0.7, 0.7], [0.85, 0.3], [0.62, 0.5], [0.78, 0.5]];

/// The shortest run that counts, seconds.
const SHORTEST: f64 = 0.05;

/// How long the flow gets under way before, at least and at most: a share of a run.
const WARM: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(3)];

/// The longest wait for steps, beyond the time that a run is watched.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long a viewer that has left is remembered at most.
const GONE: Duration = Duration::from_millis(200);

/// A flow that was measured with its viewer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Viewed {
    pub case: String,
    pub device: String,
    pub size: [usize; 3],
    /// How long each part lasted, seconds.
    pub seconds: f64,
    /// Million lattice updates a second by the wall clock: without a viewer, the mean of a run before and one after that with one; by how much these two
    /// differ, as a share of it; and with a viewer.
    pub mlups_without_viewer: f64,
    pub spread_without_viewer: f64,
    pub mlups_with_viewer: f64,
    /// The one over the other.
    pub share: f64,
    pub pixels: [usize; 2],
    pub pictures_a_second: f64,
    /// Bytes of a picture, mean.
    pub bytes_a_picture: f64,
    /// Whether another slice was asked for with each picture.
    pub slice_moves: bool,
    /// Nodes of a disc that was drawn, about.
    pub drawn_nodes: usize,
    /// Discs that were drawn and erased.
    pub events: usize,
    /// From sending an event to the picture that shows it, milliseconds: median and worst.
    pub event_to_picture_ms: f64,
    pub event_to_picture_ms_worst: f64,
    /// What the flow itself took for an event: median and worst.
    pub event_in_flow_ms: f64,
    pub event_in_flow_ms_worst: f64,
}

/// Runs the flow so long without a viewer, so long with one and again without, and then with one until discs were drawn and erased at several places.
///
/// # Errors
/// Those of the flow and of the server; [`Error::OutOfRange`] for a time that is none.
pub fn view(flow: impl Flow, seconds: f64) -> Result<Viewed, Error> {
    if !(SHORTEST..=3600.0).contains(&seconds) {
        return Err(Error::out_of_range(
            "--seconds",
            seconds,
            format!("{SHORTEST} to 3600"),
            "give how long the flow runs without a viewer, and then with one, e.g. 5",
        ));
    }
    let watched = Arc::<Mutex<Watch>>::default();
    let flow = Watched { flow, watch: Arc::clone(&watched) };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let bound = Live::new(flow).listen(address).bind().map_err(refused)?;
    let (address, url, stop) = (bound.address(), bound.url().to_owned(), bound.stop());
    // The flow stays on this thread.
    thread::scope(|scope| {
        let looks = scope.spawn(move || {
            let _end = AtEnd(|| stop.stop());
            look(&watched, address, &url, Duration::from_secs_f64(seconds))
        });
        let ran = bound.run();
        let viewed = looks.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        // What stopped the flow says more than that the viewer lost it.
        ran.map_err(refused)?;
        viewed
    })
}

/// Does something when it goes, also in a panic: without it the flow would run on, and who waits for it wait.
struct AtEnd<F: Fn()>(F);

impl<F: Fn()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

fn refused(error: lbm_live::Error) -> Error {
    Error::conflict(error.to_string(), "see `lbm live --help`")
}

/// What is done while the flow runs on another thread.
fn look(watch: &Mutex<Watch>, address: SocketAddr, url: &str, time: Duration) -> Result<Viewed, Error> {
    let alone = || {
        steps_a_second(watch, || {
            thread::sleep(time);
            Ok(())
        })
    };
    thread::sleep((time / 2).clamp(WARM[0], WARM[1]));
    let before = alone()?;
    let mut viewer = Viewer::connect(address, url)?;
    let size = viewer.size();
    let [nx, ny, nz] = size;
    let mut slice = nz / 2;
    viewer.look(PIXELS, slice)?;
    while !matches!(viewer.next_done()?, Seen::Picture(_)) {}
    let (start, mut pictures, mut bytes) = (Instant::now(), 0, 0);
    let with = steps_a_second(watch, || {
        // A figure needs a picture, however late one comes.
        while start.elapsed() < time || pictures == 0 {
            if let Seen::Picture(length) = viewer.next_done()? {
                (pictures, bytes) = (pictures + 1, bytes + length);
                if nz > 1 {
                    slice = (slice + 1) % nz;
                    viewer.look(PIXELS, slice)?;
                }
            }
        }
        Ok(())
    })?;
    let elapsed = start.elapsed().as_secs_f64();
    drop(viewer);
    thread::sleep(GONE);
    let after = alone()?;
    let without = (before + after) / 2.0;
    let mut viewer = Viewer::connect(address, url)?;
    viewer.look(PIXELS, slice)?;
    while !matches!(viewer.next_done()?, Seen::Picture(_)) {}
    // A disc goes through all slices, and is no larger than what is free around its place.
    let radius = (DRAWN / PI / nz as f64).sqrt().max(2.0).min(nx.min(ny) as f64 / 8.0);
    guard(watch).events.clear();
    let mut delays = Vec::new();
    for [x, y] in PLACES {
        for solid in [true, false] {
            // Where nothing changes no mask comes that would show it.
            if viewer.shows_solid([x, y]) == Some(solid) {
                continue;
            }
            let sent = Instant::now();
            viewer.draw([x * nx as f64, y * ny as f64], radius, solid)?;
            viewer.until_solid([x, y], solid)?;
            delays.push(milliseconds(sent.elapsed()));
        }
    }
    let in_flow: Vec<f64> = guard(watch).events.iter().copied().map(milliseconds).collect();
    let nodes = (nx * ny * nz) as f64 * 1e-6;
    let text = |name: &str| viewer.about[name].as_str().unwrap_or_default().to_owned();
    let worst = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    Ok(Viewed {
        case: text("case"),
        device: text("device"),
        size,
        seconds: time.as_secs_f64(),
        mlups_without_viewer: without * nodes,
        spread_without_viewer: (before - after).abs() / without,
        mlups_with_viewer: with * nodes,
        share: with / without,
        pixels: PIXELS,
        pictures_a_second: f64::from(pictures) / elapsed,
        bytes_a_picture: bytes as f64 / f64::from(pictures.max(1)),
        slice_moves: nz > 1,
        drawn_nodes: (PI * radius * radius) as usize * nz,
        events: delays.len(),
        event_to_picture_ms: median(delays.iter().copied()),
        event_to_picture_ms_worst: worst(&delays),
        event_in_flow_ms: median(in_flow.iter().copied()),
        event_in_flow_ms_worst: worst(&in_flow),
    })
}

fn milliseconds(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}

/// Steps a second of the wall clock while something else is done, from the end of steps to the end of steps; where the flow has done none by then, until it has.
fn steps_a_second(watch: &Mutex<Watch>, work: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
    let mut before = guard(watch).reached;
    work()?;
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let now = guard(watch).reached;
        match (before, now) {
            (Some((steps, at)), Some((later, end))) if later > steps => {
                return Ok((later - steps) as f64 / end.duration_since(at).as_secs_f64());
            }
            (None, Some(_)) => before = now,
            _ => {}
        }
        thread::sleep(Duration::from_millis(1));
    }
    Err(Error::conflict("the flow did no steps while it was watched", "give a smaller size"))
}

/// What the flow has done so far.
#[derive(Default)]
struct Watch {
    /// Steps, and when the last of them were done.
    reached: Option<(u64, Instant)>,
    /// How long it took for each thing that was drawn.
    events: Vec<Duration>,
}

fn guard(watch: &Mutex<Watch>) -> MutexGuard<'_, Watch> {
    watch.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A flow that says what it does.
struct Watched<F> {
    flow: F,
    watch: Arc<Mutex<Watch>>,
}

impl<F: Flow> Flow for Watched<F> {
    fn about(&self) -> About {
        self.flow.about()
    }

    fn apply(&mut self, event: &Event) -> Result<Option<Refusal>, Refusal> {
        let start = Instant::now();
        let left_out = self.flow.apply(event)?;
        guard(&self.watch).events.push(start.elapsed());
        Ok(left_out)
    }

    fn run(&mut self, steps: u64) -> Result<(), Fault> {
        self.flow.run(steps)?;
        let reached = &mut guard(&self.watch).reached;
        *reached = Some((reached.map_or(0, |(done, _)| done) + steps, Instant::now()));
        Ok(())
    }

    fn steps_done(&self) -> u64 {
        self.flow.steps_done()
    }

    fn status(&mut self) -> FlowStatus {
        self.flow.status()
    }

    fn picture(&mut self, view: &View) -> Result<Option<Picture>, Fault> {
        self.flow.picture(view)
    }

    fn save(&mut self) -> Result<Vec<u8>, Refusal> {
        self.flow.save()
    }

    fn load(&mut self, checkpoint: &[u8]) -> Result<(), Refusal> {
        self.flow.load(checkpoint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{Settings, find};
    use crate::live::LiveFlow;
    use crate::simulation::Backend;

    fn flow(case: &str, pairs: &str) -> LiveFlow {
        let case = find(case).unwrap();
        let settings = Settings::with(case, pairs).unwrap().on(Backend::Cpu.into());
        LiveFlow::new(case, settings, None, false).unwrap()
    }

    #[test]
    fn a_tiny_tunnel_is_measured_with_its_viewer() {
        let viewed = view(flow("windtunnel2d", "size=32 obstacle=none re=50"), 0.3).unwrap();
        assert_eq!((viewed.case.as_str(), viewed.size), ("windtunnel2d", [64, 32, 1]));
        assert_eq!((viewed.events, viewed.slice_moves, viewed.drawn_nodes), (10, false, 50));
        let figures = [
            viewed.mlups_without_viewer,
            viewed.mlups_with_viewer,
            viewed.share,
            viewed.pictures_a_second,
            viewed.bytes_a_picture,
            viewed.event_to_picture_ms,
            viewed.event_in_flow_ms,
        ];
        assert!(figures.iter().all(|figure| figure.is_finite() && *figure > 0.0), "{viewed:?}");
        assert!(viewed.event_to_picture_ms <= viewed.event_to_picture_ms_worst);
        assert!(viewed.event_in_flow_ms < viewed.event_to_picture_ms, "{viewed:?}");
        assert!((0.0..2.0).contains(&viewed.spread_without_viewer), "{viewed:?}");
    }

    /// The cylinder that stands there is not drawn again, but erased.
    #[test]
    fn a_place_that_is_solid_already_is_not_waited_for() {
        let case = find("windtunnel2d").unwrap();
        let settings = Settings::with(case, "size=32 re=50 obstacle=none").unwrap().on(Backend::Cpu.into());
        let [x, y] = PLACES[0];
        let first = lbm_live::Shape::Circle { centre: [64.0 * x, 32.0 * y], radius: 3.0 };
        let viewed = view(LiveFlow::new(case, settings, Some(first), false).unwrap(), 0.1).unwrap();
        assert_eq!(viewed.events, 9, "{viewed:?}");
    }

    #[test]
    fn a_slice_moves_through_a_cube() {
        let viewed = view(flow("cavity3d", "size=16 re=50"), 0.2).unwrap();
        assert!(viewed.slice_moves && viewed.pictures_a_second > 0.0, "{viewed:?}");
    }

    #[test]
    fn no_time_is_refused() {
        for seconds in [0.0, -1.0, f64::NAN, 1e9] {
            let tunnel = flow("windtunnel2d", "size=32 obstacle=none re=50");
            let said = view(tunnel, seconds).unwrap_err().to_string();
            assert!(said.contains("--seconds") && said.contains("0.05 to 3600"), "{said}");
        }
    }
}
