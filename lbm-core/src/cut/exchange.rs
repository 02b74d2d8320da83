//! How what crosses comes to the parts that read it.
//!
//! All that leaves does so before anything arrives: what crosses is of before the step. Between two engines of this process that can do so a message goes
//! straight ([`Direct`](super::Direct)); whether they can is asked once, when the parts are connected. All others go through the host.

use super::Transport;
use super::held::Held;
use super::messages::{Message, bring};
use crate::error::Error;
use crate::facts::PrecisionFacts;

/// Has messages go straight from engine to engine where both can: within a process, and between those whose engines have `joined`.
pub(super) fn connect(parts: &mut [Held], messages: &mut [Message], joined: bool) -> Result<(), Error> {
    for message in messages {
        if joined {
            // Each process has one engine.
            message.is_direct = message.from != message.to;
            if message.is_direct {
                continue;
            }
        }
        let from = parts[message.from].engine.as_mut().and_then(|engine| engine.direct());
        let Some(outlet) = from.map(|direct| direct.outlet(message.left)) else { continue };
        let Some(to) = parts[message.to].engine.as_mut().and_then(|engine| engine.direct()) else { continue };
        message.is_direct = to.connect(message.arrives, &outlet)?;
    }
    Ok(())
}

/// Brings what parts read to them.
pub(super) fn exchange(
    transport: &dyn Transport,
    parts: &mut [Held],
    messages: &mut [Message],
    stored: &PrecisionFacts,
) -> Result<(), Error> {
    // Devices are given their work first, and do it while the host does its own.
    for message in messages.iter().filter(|message| message.is_direct) {
        parts[message.from].direct(|direct| direct.leave(message.left))?;
    }
    for message in messages.iter_mut().filter(|message| !message.is_direct) {
        let Some(engine) = &parts[message.from].engine else { continue };
        engine.rim(message.left, &mut message.values)?;
        if parts[message.to].engine.is_none() {
            message.bytes.resize(stored.stored_bytes * message.values.len(), 0);
            stored.encode(&message.values, &mut message.bytes);
        }
    }
    let (mut leaving, mut arriving) = (Vec::new(), Vec::new());
    for message in messages.iter().filter(|message| message.is_direct) {
        let [from, to] = [message.from, message.to].map(|part| parts[part].engine.is_some());
        match (from, to) {
            (true, true) => parts[message.to].direct(|direct| direct.arrive(message.arrives))?,
            (true, false) => leaving.push((message.left, parts[message.to].rank)),
            (false, true) => arriving.push((message.arrives, parts[message.from].rank)),
            (false, false) => (),
        }
    }
    if !leaving.is_empty() || !arriving.is_empty() {
        parts[transport.rank()].direct(|direct| direct.pass(&leaving, &arriving))?;
    }
    bring(transport, parts, messages, stored.stored_bytes)?;
    for message in messages.iter_mut().filter(|message| !message.is_direct) {
        let is_here = parts[message.from].engine.is_some();
        let Some(engine) = &mut parts[message.to].engine else { continue };
        if !is_here {
            // SAFETY: a storage type is a plain number, of which any bytes are a value.
            unsafe { stored.decode(&message.bytes, &mut message.values) };
        }
        engine.set_rim(message.arrives, &message.values)?;
    }
    parts.iter_mut().filter_map(|held| held.engine.as_mut()).try_for_each(|engine| engine.keep_rims())
}
