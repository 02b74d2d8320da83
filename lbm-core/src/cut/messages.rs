//! Who brings what to whom.

use std::collections::BTreeMap;

use super::agreed::on_all_ranks;
use super::asks::{Pair, ask};
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
    /// Which they are, as the first one knows them; empty where the two are of two processes.
    pub of_sender: Rim,
    /// And as the other one does; empty there, too.
    pub of_reader: Rim,
    /// Whether they go straight from one engine to the other, and not through the host.
    pub is_direct: bool,
    /// Room for them, and for their bytes on the way between processes.
    pub(super) values: Vec<f64>,
    pub(super) bytes: Vec<u8>,
}

/// What the parts of a process bring to each other and to those of others, and are brought, and the lists of each of them; the setups are those of these parts.
///
/// Messages are taken in one order, first by how many parts on the reader is, so that both ends of one count it alike, and no part is written to by several at once where each
/// sends its own in this order.
///
/// # Errors
/// As [`read_beyond`]; [`Error::Conflict`] where another process has other nodes at a cut; those of the transport.
pub(super) fn messages(
    transport: &dyn Transport,
    facts: &Facts,
    (whole, setups): (&Setup, &[Option<Setup>]),
    parts: &[Part],
) -> Result<(Vec<Message>, Vec<Vec<Rim>>), Error> {
    let mut read = on_all_ranks(transport, brought(facts, setups, parts))?;
    let mut asked = ask(transport, facts, whole.domain(), parts, &read)?;
    let mut pairs: Vec<Pair> = read.keys().chain(asked.keys()).copied().collect();
    pairs.sort_unstable_by_key(|&(to, from)| ((to + parts.len() - from) % parts.len(), to));
    let (mut all, mut rims) = (Vec::new(), vec![Vec::new(); parts.len()]);
    for pair @ (to, from) in pairs {
        let [mut of_reader, mut of_sender] = read.remove(&pair).unwrap_or_default();
        of_sender = asked.remove(&pair).unwrap_or(of_sender);
        let values = vec![0.0; of_reader.len().max(of_sender.len())];
        let is_here = setups[from].is_some() && setups[to].is_some();
        let mut place = |part: usize, rim: &mut Rim| {
            if setups[part].is_none() {
                return 0;
            }
            let own: &mut Vec<Rim> = &mut rims[part];
            own.push(if is_here { rim.clone() } else { std::mem::take(rim) });
            own.len() - 1
        };
        let (left, arrives) = (place(from, &mut of_sender), place(to, &mut of_reader));
        let (is_direct, bytes) = (false, Vec::new());
        all.push(Message { from, to, left, arrives, of_sender, of_reader, is_direct, values, bytes });
    }
    Ok((all, rims))
}

/// What the parts of a process read of others, as they know it, and as the others do where they are of this process, too: by who reads, and whose it is.
fn brought(
    facts: &Facts,
    setups: &[Option<Setup>],
    parts: &[Part],
) -> Result<BTreeMap<Pair, [Rim; 2]>, Error> {
    let mut all: BTreeMap<Pair, [Rim; 2]> = BTreeMap::new();
    for (to, (part, setup)) in parts.iter().zip(setups).enumerate() {
        let Some(setup) = setup else { continue };
        let near: Vec<usize> = (0..parts.len()).filter(|&from| part.reaches(&parts[from].own)).collect();
        for single in read_beyond(facts, setup, part)? {
            let there = part.there(position(part.size(), single.node));
            let from = near.iter().copied().find(|&from| parts[from].own.contains(there));
            let from = from.expect("each node is of a part");
            let [arrives, left] = all.entry((to, from)).or_default();
            arrives.push(single);
            if setups[from].is_some() {
                left.push(Single::new(parts[from].own_index(there), single.value));
            }
        }
    }
    Ok(all)
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
