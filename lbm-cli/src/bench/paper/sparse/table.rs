//! The rows of a series as a table.

use lbm_core::Error;

use super::Sparse;
use crate::bench::paper::{Session, number};

/// Writes them as CSV.
pub(super) fn write(session: &mut Session<'_>, name: &str, rows: &[Sparse]) -> Result<(), Error> {
    session.table(
        name,
        rows,
        &[
            ("geometry", &|row| row.geometry.clone()),
            ("size", &|row| row.size.map(|n| n.to_string()).join(" x ")),
            ("fluid nodes", &|row| row.fluid_nodes.to_string()),
            ("porosity", &|row| number(row.fluid_nodes as f64 / row.size.iter().product::<usize>() as f64)),
            ("tiles", &|row| row.tiles.to_string()),
            ("utilisation (Eq. 14)", &|row| number(row.utilisation)),
            ("paper's utilisation", &|row| number(row.paper_utilisation)),
            ("common faces a tile", &|row| number(row.common_faces_per_tile)),
            ("common edges a tile", &|row| number(row.common_edges_per_tile)),
            ("expected share (Eq. 19)", &|row| number(row.expected_share)),
            ("expected share (Eq. 19 refitted)", &|row| number(row.refitted)),
            ("variant", &|row| row.variant.clone()),
            ("MFLUPS", &|row| number(row.mflups)),
            ("share of copy", &|row| number(row.share_of_copy)),
            ("paper's share of peak", &|row| number(row.paper_share_of_peak)),
            ("propagation only, share of copy", &|row| number(row.propagation_share_of_copy)),
            ("paper's propagation only, share of peak", &|row| number(row.paper_propagation_share_of_peak)),
            ("read/write only, share of copy", &|row| number(row.read_write_share_of_copy)),
            ("paper's read/write only, share of peak", &|row| number(row.paper_read_write_share_of_peak)),
            ("bytes an update", &|row| row.bytes_per_node.to_string()),
            ("bytes stored a fluid node", &|row| number(row.stored_bytes_per_fluid_node)),
            ("verified", &|row| match row.verified {
                Some(true) => "yes, to the bit".to_owned(),
                Some(false) => "NO".to_owned(),
                None => "not asked".to_owned(),
            }),
            ("where", &|row| row.engine.clone()),
        ],
    )
}
