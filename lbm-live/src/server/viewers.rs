//! Who looks, and who of them steers: the first, or whoever takes over; after that one left, who came first of the others.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

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

/// All viewers.
pub(super) struct Viewers {
    whole: View,
    all: Mutex<(Id, BTreeMap<Id, View>)>,
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

    /// Lets a viewer in, unless there is no room.
    pub(super) fn enter(&self) -> Option<Id> {
        let mut all = self.all();
        if all.1.len() >= MOST {
            return None;
        }
        all.0 += 1;
        let id = all.0;
        all.1.insert(id, self.whole.clone());
        self.who.send_modify(|who| {
            *who = Who { viewers: all.1.len(), steering: who.steering.or(Some(id)) };
        });
        Some(id)
    }

    /// Forgets a viewer. Gives what is to be shown from now on, if another steers.
    pub(super) fn leave(&self, id: Id) -> Option<View> {
        let mut all = self.all();
        all.1.remove(&id);
        let steered = self.steers(id);
        let next = if steered { all.1.first_key_value().map(|(id, _)| *id) } else { self.who().steering };
        self.who.send_replace(Who { viewers: all.1.len(), steering: next });
        next.filter(|_| steered).and_then(|next| all.1.get(&next).cloned())
    }

    /// Lets a viewer steer. Gives what it wishes to see.
    pub(super) fn steer(&self, id: Id) -> Option<View> {
        let view = self.all().1.get(&id).cloned()?;
        self.who.send_modify(|who| who.steering = Some(id));
        Some(view)
    }

    /// Whether this viewer steers.
    pub(super) fn steers(&self, id: Id) -> bool {
        self.who().steering == Some(id)
    }

    /// Notes what a viewer wishes to see.
    pub(super) fn look(&self, id: Id, view: View) {
        self.all().1.insert(id, view);
    }

    /// The axis and slice that a viewer looks at.
    pub(super) fn slice(&self, id: Id) -> (u8, u32) {
        let all = self.all();
        let view = all.1.get(&id).unwrap_or(&self.whole);
        (view.axis, view.slice())
    }

    fn all(&self) -> MutexGuard<'_, (Id, BTreeMap<Id, View>)> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
