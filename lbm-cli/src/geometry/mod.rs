//! What a geometry is and what it takes to store it: what `lbm geometry` prints, and pictures' masks.
//!
//! Geometries themselves are [`lbm_core::geometry`].

mod made;
mod mask;
mod memory;
mod shapes;
mod source;
mod storage;
mod surface;
mod survey;

use lbm_core::{Error, FaceRule, Geometry};

pub use made::{Made, Region};
pub use mask::{Picture, read_mask, read_picture};
pub use memory::Need;
pub use shapes::read_shape;
pub use source::{Dimensions, Source, read_point, read_size};
pub use storage::{SEGMENT, Storage};
pub use surface::{Placed, named_warnings, thin_of, walls_and_gaps, warnings_of};
pub use survey::{Advice, Survey, Tiles};

/// That all fluid is one connected region, or is made so: with `fill`, all but the largest region becomes solid. `ask` is the word
/// of the command line that asks for that. Returns how many nodes were filled.
///
/// # Errors
/// [`Error::OutOfRange`] if all nodes are solid, [`Error::Conflict`] with the regions' number and sizes.
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
        Error::Conflict { what, .. } => Error::conflict(
            what,
            format!("add `{ask}`, which makes the others solid, or change the geometry"),
        ),
        other => other,
    })
}
