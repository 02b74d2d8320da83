//! Who looks, and who of them steers: the first, or whoever takes over; after that one left, who came first of the others.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::token::Token;
use crate::flow::About;
use crate::protocol::View;

/// The most viewers at a time.
const MOST: usize = 16;

/// A viewer, in the order in which they came.
pub(super) type Id = u64;

/// Who is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Who {
    pub(super) viewers: usize,
    pub(super) steering: Option<Id>,
}

/// What is known of a viewer.
struct Viewer {
    view: View,
    /// What it shows where it asks without its socket.
    key: Token,
}

/// All viewers, and the number of the last one that came.
#[derive(Default)]
struct All {
    last: Id,
    by_id: BTreeMap<Id, Viewer>,
}

/// All viewers.
pub(super) struct Viewers {
    whole: View,
    all: Mutex<All>,
    who: watch::Sender<Who>,
}

impl Viewers {
    pub(super) fn new(about: &About) -> Viewers {
        Viewers { whole: View::whole(about), all: Mutex::default(), who: watch::Sender::default() }
    }

    /// Who is there.
    pub(super) fn who(&self) -> Who {
        *self.who.borrow()
    }

    /// Who is there, and every change of it.
    pub(super) fn watch(&self) -> watch::Receiver<Who> {
        self.who.subscribe()
    }

    /// Whether there is no room for another.
    pub(super) fn full(&self) -> bool {
        self.who().viewers >= MOST
    }

    /// Lets a viewer in, which has this key, unless there is no room.
    pub(super) fn enter(&self, key: Token) -> Option<Id> {
        let mut all = self.all();
        if all.by_id.len() >= MOST {
            return None;
        }
        all.last += 1;
        let id = all.last;
        all.by_id.insert(id, Viewer { view: self.whole.clone(), key });
        self.who.send_modify(|who| {
            *who = Who { viewers: all.by_id.len(), steering: who.steering.or(Some(id)) };
        });
        Some(id)
    }

    /// Forgets a viewer. Gives what is to be shown from now on, if another steers.
    pub(super) fn leave(&self, id: Id) -> Option<View> {
        let mut all = self.all();
        all.by_id.remove(&id);
        let steered = self.steers(id);
        let next = if steered { all.by_id.first_key_value().map(|(id, _)| *id) } else { self.who().steering };
        self.who.send_replace(Who { viewers: all.by_id.len(), steering: next });
        next.filter(|_| steered).and_then(|next| all.by_id.get(&next)).map(|viewer| viewer.view.clone())
    }

    /// Lets a viewer steer. Gives what it wishes to see.
    pub(super) fn steer(&self, id: Id) -> Option<View> {
        let view = self.all().by_id.get(&id)?.view.clone();
        self.who.send_modify(|who| who.steering = Some(id));
        Some(view)
    }

    /// Whether this viewer steers.
    pub(super) fn steers(&self, id: Id) -> bool {
        self.who().steering == Some(id)
    }

    /// Whether this is the key of who steers.
    pub(super) fn key_steers(&self, key: &str) -> bool {
        let steering = self.who().steering;
        steering.and_then(|id| Some(self.all().by_id.get(&id)?.key.is(key))).unwrap_or(false)
    }

    /// Notes what a viewer wishes to see.
    pub(super) fn look(&self, id: Id, view: View) {
        if let Some(viewer) = self.all().by_id.get_mut(&id) {
            viewer.view = view;
        }
    }

    /// The axis and slice that a viewer looks at.
    pub(super) fn slice(&self, id: Id) -> (u8, u32) {
        let all = self.all();
        let view = all.by_id.get(&id).map_or(&self.whole, |viewer| &viewer.view);
        (view.axis, view.slice())
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
