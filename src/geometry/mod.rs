//! What a geometry is and what it takes to store it: what `lbm geometry` prints, and pictures' masks.
//!
//! Geometries themselves are [`lbm_core::geometry`].

mod mask;
#[cfg(feature = "command")]
mod memory;
#[cfg(feature = "command")]
mod source;
#[cfg(feature = "command")]
mod storage;
#[cfg(feature = "command")]
mod survey;

#[cfg(feature = "command")]
use lbm_core::{Error, FaceRule, Geometry};

pub use mask::read_mask;
#[cfg(feature = "command")]
pub use memory::{Need, require_memory};
#[cfg(feature = "command")]
pub use source::{Dimensions, Source};
#[cfg(feature = "command")]
pub use storage::{SEGMENT, Storage};
#[cfg(feature = "command")]
pub(crate) use survey::links;
#[cfg(feature = "command")]
pub use survey::{Advice, Survey, Tiles};

/// That all fluid is one connected region, or is made so: with `fill`, all but the largest region becomes solid. `ask` is the word
/// of the command line that asks for that. Returns how many nodes were filled.
///
/// # Errors
/// [`Error::OutOfRange`] if all nodes are solid, [`Error::Conflict`] with the regions' number and sizes.
#[cfg(feature = "command")]
pub fn connect(
    geometry: &mut Geometry,
    faces: &[FaceRule; 6],
    fill: bool,
    ask: &str,
) -> Result<usize, Error> {
    let (links, periodic) = (survey::links(geometry.size()), survey::periodic(faces));
    if fill {
        geometry.require_fluid()?;
        return Ok(geometry.fill_unconnected(links, periodic));
    }
    geometry.require_connected(links, periodic).map(|()| 0).map_err(|error| match error {
        Error::Conflict { what, .. } => Error::Conflict {
            what,
            remedy: format!("add `{ask}`, which makes the others solid, or change the geometry"),
        },
        other => other,
    })
}
