//! How often pictures come, by a clock that goes as the steps do.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::*;

/// A flow that is none. Its steps, and what it takes for a picture, take time of a clock of its own; a viewer is always ready.
struct Timed {
    clock: Arc<Mutex<Instant>>,
    step: Duration,
    picture: Duration,
    steps: u64,
    /// When the one was begun that is being made, and of which step.
    begun: Option<(Instant, u64)>,
    /// When each of its pictures was begun.
    pictures: Vec<Instant>,
    wanted: Arc<AtomicBool>,
    busy: Arc<AtomicBool>,
}

impl Timed {
    fn now(&self) -> Instant {
        *self.clock.lock().unwrap()
    }
}

impl Flow for Timed {
    fn about(&self) -> About {
        About {
            title: String::new(),
            case: String::new(),
            size: [8, 8, 1],
            fields: vec!["speed".to_owned()],
            sliders: Vec::new(),
            device: String::new(),
            can_draw: Ok(()),
        }
    }

    fn apply(&mut self, _: &Event) -> Result<Option<Refusal>, Refusal> {
        Ok(None)
    }

    fn run(&mut self, steps: u64) -> Result<(), Fault> {
        // The thread that compresses has a clock of its own.
        while self.busy.load(Ordering::Acquire) {
            thread::yield_now();
        }
        self.wanted.store(true, Ordering::Release);
        self.steps += steps;
        *self.clock.lock().unwrap() += self.step * u32::try_from(steps).unwrap();
        Ok(())
    }

    fn steps_done(&self) -> u64 {
        self.steps
    }

    fn status(&mut self) -> FlowStatus {
        FlowStatus { values: BTreeMap::new(), ..FlowStatus::default() }
    }

    fn picture(&mut self, view: &View) -> Result<Option<Picture>, Fault> {
        let now = self.now();
        let (begun, step) = *self.begun.get_or_insert((now, self.steps));
        if now < begun + self.picture {
            return Ok(None);
        }
        self.begun = None;
        self.pictures.push(begun);
        let pixels = usize::from(view.width) * usize::from(view.height);
        Ok(Some(Picture {
            view: view.clone(),
            step,
            low: 0.0,
            high: 1.0,
            values: vec![0; pixels],
            mask: None,
            particles: None,
            streaks: None,
        }))
    }

    fn save(&mut self) -> Result<Vec<u8>, Refusal> {
        Err(Refusal::new("nothing is kept"))
    }

    fn load(&mut self, _: &[u8]) -> Result<(), Refusal> {
        Err(Refusal::new("nothing is kept"))
    }
}

/// When pictures were begun after the first one, where a step takes so long and a picture so long.
fn begun(step: Duration, picture: Duration, seconds: u64) -> Vec<Duration> {
    let start = Instant::now();
    let clock = Arc::new(Mutex::new(start));
    let (publisher, watched) = Publisher::start(vec!["speed".to_owned()]).unwrap();
    let (busy, wanted) = (Arc::clone(&publisher.busy), Arc::clone(&watched.wanted));
    let flow = Timed {
        clock: Arc::clone(&clock),
        step,
        picture,
        steps: 0,
        begun: None,
        pictures: Vec::new(),
        wanted,
        busy,
    };
    let about = flow.about();
    let (_commands, commands) = sync_channel(1);
    let steps = (Duration::from_secs(seconds + 1).as_nanos() / step.as_nanos()) as u64;
    let mut drive = Drive {
        flow,
        commands,
        publisher,
        recorder: None,
        stop: Arc::default(),
        steps: Some(steps),
        looking: Arc::new(|| 1),
        now: Box::new(move || *clock.lock().unwrap()),
    };
    assert_eq!(drive.run(&about).unwrap(), steps);
    let end = Duration::from_secs(seconds);
    let all = drive.flow.pictures.iter().map(|&begun| begun - start);
    all.filter(|&begun| begun < end).collect()
}

/// Chunks of 8 ms, none of which ends when a picture is due, cost no picture; nor does it matter how many of them each picture takes.
#[test]
fn thirty_pictures_a_second_come_though_each_takes_some_chunks() {
    for milliseconds in [0, 5, 12, 20, 28] {
        // A step of 8192 x 4096 nodes on an H100.
        let all = begun(Duration::from_micros(850), Duration::from_millis(milliseconds), 10);
        assert_eq!(all.len(), 300, "pictures of {milliseconds} ms in ten seconds");
    }
    // A chunk is a step then, and each picture takes one.
    assert_eq!(begun(Duration::from_millis(15), Duration::from_millis(12), 10).len(), 300);
}

/// One that takes longer than until the next is due is followed by that at once.
#[test]
fn pictures_that_take_long_follow_each_other() {
    let all = begun(Duration::from_millis(1), Duration::from_millis(40), 10);
    let apart: Vec<Duration> = all.windows(2).skip(1).map(|two| two[1] - two[0]).collect();
    assert!(apart.len() > 240, "{} pictures", apart.len());
    assert_eq!(apart, vec![Duration::from_millis(40); apart.len()]);
}
