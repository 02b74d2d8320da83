//! The rows of a series as a table.

use std::path::Path;

use lbm_core::Error;

use super::Sparse;
use crate::output::write_rows;

/// Writes them as CSV.
pub(super) fn write(path: &Path, rows: &[Sparse]) -> Result<(), Error> {
    let columns = [
        "geometry",
        "size",
        "fluid nodes",
        "porosity",
        "tiles",
        "utilisation (Eq. 14)",
        "paper's utilisation",
        "common faces a tile",
        "common edges a tile",
        "expected share (Eq. 19)",
        "expected share (Eq. 19 refitted)",
        "variant",
        "MFLUPS",
        "share of copy",
        "paper's share of peak",
        "propagation only, share of copy",
        "paper's propagation only, share of peak",
        "read/write only, share of copy",
        "paper's read/write only, share of peak",
        "bytes an update",
        "bytes stored a fluid node",
        "verified",
        "where",
    ];
    write_rows(path, &columns.map(str::to_owned), &rows.iter().map(cells).collect::<Vec<_>>())
}

fn cells(row: &Sparse) -> Vec<String> {
    let nodes: usize = row.size.iter().product();
    let number = |value: f64| format!("{value:?}");
    let perhaps = |value: Option<f64>| value.map_or_else(String::new, number);
    let stick = |n: usize| perhaps(row.sticks.map(|sticks| sticks[n]));
    vec![
        row.place.clone(),
        format!("{} x {} x {}", row.size[0], row.size[1], row.size[2]),
        row.fluid.to_string(),
        number(row.fluid as f64 / nodes as f64),
        row.tiles.to_string(),
        number(row.utilisation),
        perhaps(row.paper_utilisation),
        number(row.common[0]),
        number(row.common[1]),
        number(row.expected),
        perhaps(row.refitted),
        row.variant.clone(),
        number(row.mflups),
        number(row.share_of_copy),
        perhaps(row.paper[0]),
        stick(0),
        perhaps(row.paper[1]),
        stick(1),
        perhaps(row.paper[2]),
        row.bytes_per_node.to_string(),
        number(row.stored_per_node),
        row.verified
            .map_or("not asked", |verified| if verified { "yes, to the bit" } else { "NO" })
            .to_owned(),
        row.engine.clone(),
    ]
}
