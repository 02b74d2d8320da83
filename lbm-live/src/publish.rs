//! What the drive loop gives to viewers: the newest report and the newest picture, compressed on a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use axum::body::Bytes;
use tokio::sync::watch;

use crate::error::Error;
use crate::flow::{FlowStatus, Mask, Picture};
use crate::protocol::frame;

/// The numbers that all viewers see.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    pub(crate) step: u64,
    pub(crate) mlups: f64,
    pub(crate) paused: bool,
    pub(crate) flow: FlowStatus,
    /// What stopped the flow.
    pub(crate) fault: Option<Arc<str>>,
}

/// The newest picture with the mask that belongs to it.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) picture: Bytes,
    /// What lies on top: particles, streaklines.
    pub(crate) on_top: Vec<Bytes>,
    pub(crate) mask: Option<NumberedMask>,
}

/// A mask with its number: another mask has another one.
#[derive(Clone, Debug)]
pub(crate) struct NumberedMask {
    pub(crate) number: u64,
    pub(crate) bytes: Bytes,
}

/// What viewers watch: each sees the newest value only.
#[derive(Clone)]
pub(crate) struct Watched {
    pub(crate) shown: watch::Receiver<Option<Shown>>,
    pub(crate) report: watch::Receiver<Arc<Report>>,
    /// Set by a viewer that is ready for another picture.
    pub(crate) wanted: Arc<AtomicBool>,
}

/// The drive loop's end.
pub(crate) struct Publisher {
    pictures: Option<SyncSender<Picture>>,
    /// Whether the last picture is being compressed.
    pub(crate) busy: Arc<AtomicBool>,
    wanted: Arc<AtomicBool>,
    report: watch::Sender<Arc<Report>>,
    thread: Option<JoinHandle<()>>,
}

impl Publisher {
    /// Starts the thread that compresses pictures of these fields.
    pub(crate) fn start(fields: Vec<String>) -> Result<(Publisher, Watched), Error> {
        let (pictures, queue) = sync_channel(1);
        let (send_shown, shown) = watch::channel(None);
        let (report, reports) = watch::channel(Arc::default());
        let [busy, wanted] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let encoder = Encoder { fields, mask: None, encoded: None, busy: Arc::clone(&busy) };
        let thread = thread::Builder::new()
            .name("pictures".to_owned())
            .spawn(move || encoder.run(&queue, &send_shown))
            .map_err(|source| Error::Start(format!("no thread for pictures: {source}")))?;
        let watched = Watched { shown, report: reports, wanted: Arc::clone(&wanted) };
        Ok((Publisher { pictures: Some(pictures), busy, wanted, report, thread: Some(thread) }, watched))
    }

    /// Whether a viewer is ready for a picture and the last one is compressed.
    pub(crate) fn wanted(&self) -> bool {
        self.wanted.load(Ordering::Acquire) && !self.busy.load(Ordering::Acquire)
    }

    /// Whether the last one is being compressed.
    pub(crate) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Acquire)
    }

    /// Hands on a picture. Never waits.
    pub(crate) fn picture(&self, picture: Picture) {
        self.wanted.store(false, Ordering::Release);
        self.busy.store(true, Ordering::Release);
        if self.pictures.as_ref().is_none_or(|pictures| pictures.try_send(picture).is_err()) {
            self.busy.store(false, Ordering::Release);
        }
    }

    /// Hands on the numbers.
    pub(crate) fn report(&self, report: Report) {
        self.report.send_replace(Arc::new(report));
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        self.pictures = None;
        if let Some(thread) = self.thread.take() {
            // A panic of it was printed by it.
            let _ = thread.join();
        }
    }
}

struct Encoder {
    fields: Vec<String>,
    mask: Option<(Mask, Picture)>,
    encoded: Option<NumberedMask>,
    busy: Arc<AtomicBool>,
}

impl Encoder {
    fn run(mut self, queue: &Receiver<Picture>, shown: &watch::Sender<Option<Shown>>) {
        for picture in queue {
            if let Some(newest) = self.encode(picture) {
                shown.send_replace(Some(newest));
            }
            self.busy.store(false, Ordering::Release);
        }
    }

    /// `None` where there is nothing that could be sent: a field that is none, an encoder that fails.
    fn encode(&mut self, mut picture: Picture) -> Option<Shown> {
        let field = self.fields.iter().position(|field| *field == picture.view.field)?;
        let encoded = frame::picture(&picture, u8::try_from(field).ok()?).ok()?;
        let particles = picture.particles.take().map(|places| frame::particles(&picture, &places));
        let streaks = picture.streaks.take().map(|lines| frame::streaks(&picture, &lines));
        picture.values = Vec::new();
        if let Some(mask) = picture.mask.take() {
            let same = self.mask.as_ref().is_some_and(|(last, of)| {
                let place =
                    |picture: &Picture| (picture.view.region, picture.view.width, picture.view.height);
                *last == mask && place(of) == place(&picture)
            });
            if !same {
                let number = self.encoded.as_ref().map_or(0, |last| last.number) + 1;
                self.encoded =
                    Some(NumberedMask { number, bytes: frame::mask(&picture, &mask).ok()?.into() });
                self.mask = Some((mask, picture));
            }
        }
        Some(Shown {
            picture: encoded.into(),
            on_top: particles.into_iter().chain(streaks).map(Bytes::from).collect(),
            mask: self.encoded.clone(),
        })
    }
}
