//! Whether the engines of several processes bring lists to each other.

use super::Transport;
use super::agreed::in_any;
use super::direct::Invitation;
use super::held::Held;
use crate::error::Error;

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
