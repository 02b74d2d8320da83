//! What the engines of several processes do alike: whether they bring lists to each other, and how they go over nodes.

use super::Transport;
use super::agreed::{in_any, on_all_ranks};
use super::direct::Invitation;
use super::held::Held;
use crate::error::Error;

/// Bytes of what an engine chose, at most.
const CHOSEN: usize = 64;

/// Has all engines go over nodes as the first one does, of which that was measured.
///
/// # Errors
/// Those of the engines and of the transport.
pub(super) fn choose_alike(transport: &dyn Transport, parts: &mut [Held]) -> Result<(), Error> {
    let mut chosen = [0; CHOSEN];
    let first = parts.first().and_then(|held| held.engine.as_ref()?.chosen());
    chosen.iter_mut().zip(first.iter().flat_map(|text| text.bytes())).for_each(|(to, byte)| *to = byte);
    transport.share(0, &mut chosen)?;
    let chosen = String::from_utf8_lossy(&chosen);
    let chosen = chosen.trim_end_matches('\0');
    let mut engines = parts.iter_mut().filter_map(|held| held.engine.as_mut());
    let done = if chosen.is_empty() { Ok(()) } else { engines.try_for_each(|engine| engine.choose(chosen)) };
    on_all_ranks(transport, done)
}

/// Joins the engines of all processes, where each has one that can. Gives in each what brings their lists; in none, if one could not.
///
/// # Errors
/// Those of the transport.
pub(super) fn join(transport: &dyn Transport, parts: &mut [Held]) -> Result<Option<String>, Error> {
    let (rank, ranks) = (transport.rank(), transport.ranks());
    if ranks == 1 || parts.len() != ranks {
        return Ok(None);
    }
    // As many parts as ranks: each has that of its number.
    let mut own = parts[rank].engine.as_mut().and_then(|engine| engine.direct());
    let can = own.as_ref().is_some_and(|direct| direct.may_join());
    if in_any(transport, !can)? {
        return Ok(None);
    }
    let Some(direct) = &mut own else { return Ok(None) };
    let made = if rank == 0 { direct.invitation().ok() } else { None };
    let is_made = made.is_some();
    let mut invitation: Invitation = made.unwrap_or([0; 128]);
    if in_any(transport, rank == 0 && !is_made)? {
        return Ok(None);
    }
    transport.share(0, &mut invitation)?;
    let joined = direct.join(&invitation, rank, ranks).ok();
    let failed = in_any(transport, joined.is_none())?;
    Ok(joined.filter(|_| !failed))
}
