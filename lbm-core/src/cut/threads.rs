//! Ranks that are threads of one process: for tests, of a crate's own program too.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use super::Transport;
use crate::error::Error;

/// A rank among threads.
pub struct Threads {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
}

impl Threads {
    /// So many ranks, one for each thread.
    #[must_use]
    pub fn of(ranks: usize) -> Vec<Threads> {
        let mut to: Vec<Vec<Sender<Vec<u8>>>> = (0..ranks).map(|_| Vec::new()).collect();
        let mut all = Vec::new();
        for _ in 0..ranks {
            let (senders, receivers): (Vec<_>, Vec<_>) = (0..ranks).map(|_| channel()).unzip();
            to.iter_mut().zip(senders).for_each(|(to, sender)| to.push(sender));
            all.push(receivers.into_iter().map(Mutex::new).collect());
        }
        let ends = to.into_iter().zip(all).enumerate();
        ends.map(|(rank, (to, from))| Threads { rank, to, from }).collect()
    }

    fn send(&self, to: usize, bytes: &[u8]) -> Result<(), Error> {
        self.to[to].send(bytes.to_vec()).map_err(|_| self.gone(to))
    }

    fn receive(&self, from: usize, bytes: &mut [u8]) -> Result<(), Error> {
        let receiver = self.from[from].lock().unwrap_or_else(PoisonError::into_inner);
        let came = receiver.recv().map_err(|_| self.gone(from))?;
        if came.len() != bytes.len() {
            return Err(Error::conflict(
                format!(
                    "rank {from} sent {} bytes where rank {} waits for {}",
                    came.len(),
                    self.rank,
                    bytes.len()
                ),
                "have all ranks do the same flow in the same parts",
            ));
        }
        bytes.copy_from_slice(&came);
        Ok(())
    }

    fn gone(&self, other: usize) -> Error {
        Error::Unavailable {
            what: format!("rank {other} has ended, and rank {} waits for it", self.rank),
            remedy: "see what that rank says".to_owned(),
        }
    }
}

impl Transport for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.to.len()
    }

    fn exchange(&self, leaving: &[(usize, &[u8])], arriving: &mut [(usize, &mut [u8])]) -> Result<(), Error> {
        leaving.iter().try_for_each(|(to, bytes)| self.send(*to, bytes))?;
        arriving.iter_mut().try_for_each(|(from, bytes)| self.receive(*from, bytes))
    }

    fn share(&self, from: usize, bytes: &mut [u8]) -> Result<(), Error> {
        if from != self.rank {
            return self.receive(from, bytes);
        }
        (0..self.ranks()).filter(|&to| to != from).try_for_each(|to| self.send(to, bytes))
    }

    fn description(&self) -> String {
        format!("{} threads", self.ranks())
    }
}
