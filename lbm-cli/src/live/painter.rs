//! Pictures, made on a thread of their own while the flow runs on.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread::{self, JoinHandle};

use lbm_core::Error;
use lbm_live::{Mask, Picture};

use super::dye::Dye;
use super::particles::Particles;
use super::pixels::{Follower, mask, picture};
use super::plane::{Plane, Samples};
use super::streaks::Streaks;
use crate::simulation::StartedFields;

/// What a picture is made of.
pub(super) struct Look {
    pub(super) samples: Samples,
    pub(super) started: StartedFields,
    /// Where it is solid.
    pub(super) solid: Arc<Vec<bool>>,
    /// Which flow it is of: with another number dye, particles and colours begin anew.
    pub(super) flow: u64,
}

/// A picture, or that there are numbers in it that are not finite.
pub(super) enum Painted {
    Picture(Box<Picture>),
    NotFinite,
}

/// The thread, which has a look at most at a time.
pub(super) struct Painter {
    looks: Option<SyncSender<Look>>,
    painted: Receiver<Result<Painted, Error>>,
    thread: Option<JoinHandle<()>>,
    busy: bool,
}

impl Painter {
    /// # Errors
    /// [`Error::Conflict`] if the system gives no thread.
    pub(super) fn start() -> Result<Painter, Error> {
        let (looks, queue) = sync_channel::<Look>(1);
        let (done, painted) = sync_channel(1);
        let work = move || {
            let mut artist = Artist::default();
            for look in queue {
                if done.send(artist.paint(look)).is_err() {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("painter".to_owned()).spawn(work);
        let thread = thread.map_err(|error| {
            Error::conflict(format!("no thread for pictures: {error}"), "end other programs of this user")
        })?;
        Ok(Painter { looks: Some(looks), painted, thread: Some(thread), busy: false })
    }

    /// Whether a picture is being made.
    pub(super) fn is_busy(&self) -> bool {
        self.busy
    }

    /// Begins a picture.
    pub(super) fn begin(&mut self, look: Look) {
        self.busy = self.looks.as_ref().is_some_and(|looks| looks.send(look).is_ok());
    }

    /// The picture that was begun, if it is done.
    pub(super) fn done(&mut self) -> Option<Result<Painted, Error>> {
        let done = match self.painted.try_recv() {
            Ok(done) => Some(done),
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => None,
        };
        self.busy = false;
        done
    }

    /// Waits for it, and lets go of it: what it is made of belongs to a flow that ends.
    pub(super) fn wait(&mut self) {
        if std::mem::take(&mut self.busy) {
            drop(self.painted.recv());
        }
    }
}

impl Drop for Painter {
    fn drop(&mut self) {
        self.wait();
        self.looks = None;
        if let Some(thread) = self.thread.take() {
            // A panic of it was printed by it.
            let _ = thread.join();
        }
    }
}

/// What goes on from picture to picture.
struct Artist {
    flow: u64,
    range: Follower,
    /// The last mask, with what it shows: a change of the geometry, or of what is looked at, has a list of its own.
    mask: Option<(Arc<Vec<bool>>, Mask)>,
    particles: Particles,
    streaks: Streaks,
    dye: Dye,
}

impl Default for Artist {
    fn default() -> Artist {
        let (range, dye, streaks) = (Follower::default(), Dye::default(), Streaks::default());
        Artist { flow: 0, range, mask: None, particles: Particles::new(), streaks, dye }
    }
}

impl Artist {
    fn paint(&mut self, Look { samples, started, solid, flow }: Look) -> Result<Painted, Error> {
        if flow != self.flow {
            *self = Artist { flow, ..Artist::default() };
        }
        let plane = Plane::of(samples, &started, &solid)?;
        drop(started);
        if !plane.is_finite {
            return Ok(Painted::NotFinite);
        }
        let view = &plane.samples.view;
        let (values, about_zero) = match view.field.as_str() {
            "vorticity" => (plane.vorticity(), true),
            "density" => (plane.density(), true),
            "dye" => (self.dye.go(&plane), false),
            _ => (plane.speed(), false),
        };
        let range = match view.range {
            Some(range) => range.map(|end| end as f32),
            None if view.field == "dye" => [0.0, 1.0],
            None => self.range.range(&view.field, &values, about_zero),
        };
        let mask = match self.mask.take() {
            Some((of, mask)) if Arc::ptr_eq(&of, &solid) => mask,
            _ => mask(&plane.samples, &solid),
        };
        self.mask = Some((solid, mask.clone()));
        let mut picture = picture(&plane.samples, plane.step, &values, mask, range);
        picture.particles = view.particles.then(|| self.particles.go(&plane));
        picture.streaks = view.streaks.then(|| self.streaks.go(&plane));
        Ok(Painted::Picture(Box::new(picture)))
    }
}
