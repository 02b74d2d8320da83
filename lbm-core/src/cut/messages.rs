//! Who brings what to whom.

use std::collections::BTreeMap;

use super::held::Held;
use super::rims::{Rim, Single, read_beyond};
use super::{Part, Transport};
use crate::domain::position;
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::Facts;

/// Stored values of nodes of one part that another one reads.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Message {
    /// The part whose nodes they are.
    pub from: usize,
    /// The part that reads them.
    pub to: usize,
    /// The number of the list by which the first one knows them ([`Engine::rim`](crate::Engine::rim)).
    pub left: usize,
    /// That by which the other one does.
    pub arrives: usize,
    /// Which they are, as the first one knows them.
    pub of_sender: Rim,
    /// And as the other one does.
    pub of_reader: Rim,
    /// Whether they go straight from one engine to the other, and not through the host.
    pub is_direct: bool,
    /// Room for them, and for their bytes on the way between processes.
    pub(super) values: Vec<f64>,
    pub(super) bytes: Vec<u8>,
}

/// What the parts of a box bring to each other, and the lists of each part.
///
/// # Errors
/// As [`read_beyond`].
pub(super) fn messages(
    facts: &Facts,
    setups: &[Setup],
    parts: &[Part],
) -> Result<(Vec<Message>, Vec<Vec<Rim>>), Error> {
    let (mut all, mut rims) = (Vec::new(), vec![Vec::new(); parts.len()]);
    for (to, (part, setup)) in parts.iter().zip(setups).enumerate() {
        // By owner: what arrives, and the same as its owner knows it.
        let mut brought: BTreeMap<usize, [Rim; 2]> = BTreeMap::new();
        for single in read_beyond(facts, setup, part)? {
            let there = part.there(position(part.size(), single.node));
            let from =
                parts.iter().position(|part| part.own.contains(there)).expect("each node is of a part");
            let [arrives, left] = brought.entry(from).or_default();
            arrives.push(single);
            left.push(Single::new(parts[from].own_index(there), single.value));
        }
        for (from, [of_reader, of_sender]) in brought {
            let values = vec![0.0; of_sender.len()];
            let place = |rims: &mut Vec<Rim>, rim: &Rim| {
                rims.push(rim.clone());
                rims.len() - 1
            };
            let (left, arrives) = (place(&mut rims[from], &of_sender), place(&mut rims[to], &of_reader));
            let (is_direct, bytes) = (false, Vec::new());
            all.push(Message { from, to, left, arrives, of_sender, of_reader, is_direct, values, bytes });
        }
    }
    Ok((all, rims))
}

/// Brings the bytes of messages between processes; those within one stay where they are.
pub(super) fn bring(
    transport: &dyn Transport,
    parts: &[Held],
    messages: &mut [Message],
    stored_bytes: usize,
) -> Result<(), Error> {
    let (mut leaving, mut arriving) = (Vec::new(), Vec::new());
    for message in messages.iter_mut().filter(|message| !message.is_direct) {
        let [from, to] = [message.from, message.to].map(|part| &parts[part]);
        match (from.engine.is_some(), to.engine.is_some()) {
            (true, false) => leaving.push((to.rank, &message.bytes[..])),
            (false, true) => {
                message.bytes.resize(stored_bytes * message.values.len(), 0);
                arriving.push((from.rank, &mut message.bytes[..]));
            }
            _ => (),
        }
    }
    transport.exchange(&leaving, &mut arriving)
}
