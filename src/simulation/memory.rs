//! How much memory a flow takes, known before anything is allocated.

use std::fmt;

use lbm_core::{Error, Facts, Variant};
use lbm_cpu::check_footprint;

use super::backend::Backend;

/// The memory of a flow's populations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Footprint {
    /// Nodes of the box.
    pub nodes: usize,
    /// Bytes a node: every copy of every population, and a share of what lies beside them.
    pub bytes_per_node: usize,
    /// Both multiplied, with what really lies beside the populations of this box.
    pub bytes: usize,
}

impl fmt::Display for Footprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Footprint { nodes, bytes_per_node, bytes } = *self;
        write!(f, "{nodes} nodes of {bytes_per_node} bytes: ")?;
        match bytes {
            0..0x10_0000 => write!(f, "{:.1} KiB", bytes as f64 / 1024.0),
            0x10_0000..0x4000_0000 => write!(f, "{:.1} MiB", bytes as f64 / 1024f64.powi(2)),
            _ => write!(f, "{:.2} GiB", bytes as f64 / 1024f64.powi(3)),
        }
    }
}

/// The memory that the populations of a box take in a variant.
///
/// ```
/// use lbm::prelude::*;
/// use lbm::simulation::footprint;
///
/// solver! { Cube { lattice: D3Q19, collision: Bgk, precision: F32 } }
///
/// // Two copies of 19 numbers of 4 bytes.
/// let footprint = footprint::<Cube>([64, 64, 64])?;
/// assert_eq!(footprint.to_string(), "262144 nodes of 152 bytes: 38.0 MiB");
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::OutOfMemory`] if they are more than the machine has free (where it tells) or than addresses reach.
pub fn footprint<V: Variant>(size: [usize; 3]) -> Result<Footprint, Error> {
    footprint_on(&Facts::of::<V>(), Backend::Cpu, size)
}

/// The same on a backend. A device has memory of its own, of which it tells itself.
pub(super) fn footprint_on(facts: &Facts, backend: Backend, size: [usize; 3]) -> Result<Footprint, Error> {
    let bytes_per_node = facts.bytes_per_node();
    // A device has memory of its own; where nodes are listed, how many is known only later. Both ask themselves.
    let on_host = if backend == Backend::Cpu && !facts.addressing.listed { bytes_per_node } else { 0 };
    // Density and velocity of all nodes are held at the end.
    let with_fields = on_host + 4 * size_of::<f64>();
    // Three sizes of 64 bits can overflow 128; such a box is refused like any other that is too large.
    let nodes = size.iter().fold(1u128, |product, &n| product.saturating_mul(n as u128));
    check_footprint(nodes, with_fields)?;
    // All of it can be addressed, as was just checked.
    let nodes = nodes as usize;
    Ok(Footprint { nodes, bytes_per_node, bytes: facts.bytes(size) as usize })
}
