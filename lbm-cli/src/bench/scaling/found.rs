//! What was measured of a row, and its files.

use std::path::{Path, PathBuf};

use lbm_core::Error;
use serde::Serialize;

use super::super::Request;
use super::Row;
use crate::output::{number, prepare, write_summary, write_table};
use crate::variants::Entry;

/// A variant over so many devices.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Scaled {
    pub what: &'static str,
    pub variant: String,
    /// `one`, `weak` or `strong`; nothing where it is refused.
    pub kind: &'static str,
    /// What runs it, the first of several.
    pub device: String,
    pub devices: usize,
    /// As many as there are devices, or more on one.
    pub parts: usize,
    pub size: [usize; 3],
    pub fluid_nodes: usize,
    /// Once in how many steps what crosses is brought; one device alone does no more at once.
    pub exchange_every: usize,
    /// Million updates of fluid nodes a second of one device alone, median.
    pub one_mlups: f64,
    /// The same of all together.
    pub mlups: f64,
    /// These over as many times the one.
    pub share: Option<f64>,
    /// Bytes that cross to a device in a step, mean.
    pub crossing_bytes: usize,
    /// What bringing them takes alone, microseconds a step.
    pub exchange_us: Option<f64>,
    /// The same over the time of a step.
    pub exchange_share: Option<f64>,
    /// Whether all of it goes straight from device to device.
    pub straight: Option<bool>,
    /// Whether the bits are those of the box that is not cut; nothing where that was not asked.
    pub verified: Option<bool>,
    /// Steps of a turn.
    pub steps: u64,
    pub engine: String,
    /// Why it is not measured.
    pub refused: Option<String>,
}

impl Scaled {
    pub(super) fn of(row: &Row, entry: &Entry, request: &Request) -> Scaled {
        let (variant, device) = (entry.name.clone(), request.placement.backend.to_string());
        Scaled { what: row.what, variant, device, ..Scaled::default() }
    }

    pub(super) fn refused(row: &Row, request: &Request, reason: String) -> Scaled {
        Scaled {
            what: row.what,
            variant: row.variant.to_owned(),
            device: request.placement.backend.to_string(),
            refused: Some(reason),
            ..Scaled::default()
        }
    }
}

/// Writes the table and the same as JSON.
pub(super) fn write(folder: &Path, all: &[Scaled]) -> Result<Vec<PathBuf>, Error> {
    prepare(folder)?;
    let [table, summary] = ["csv", "json"].map(|end| folder.join(format!("scaling.{end}")));
    write_table(
        &table,
        all,
        &[
            ("what", &|row| row.what.to_owned()),
            ("variant", &|row| row.variant.clone()),
            ("kind", &|row| row.kind.to_owned()),
            ("devices", &|row| row.devices.to_string()),
            ("parts", &|row| row.parts.to_string()),
            ("size", &|row| row.size.map(|n| n.to_string()).join(" x ")),
            ("fluid nodes", &|row| row.fluid_nodes.to_string()),
            ("steps between two exchanges", &|row| row.exchange_every.to_string()),
            ("MLUPS of one", &|row| number(row.one_mlups)),
            ("MLUPS", &|row| number(row.mlups)),
            ("share", &|row| number(row.share)),
            ("bytes that cross to a device in a step", &|row| row.crossing_bytes.to_string()),
            ("exchange alone, us a step", &|row| number(row.exchange_us)),
            ("exchange alone, share of a step", &|row| number(row.exchange_share)),
            ("straight", &|row| row.straight.map_or_else(String::new, |straight| straight.to_string())),
            ("verified", &|row| match row.verified {
                Some(true) => "yes, to the bit".to_owned(),
                Some(false) => "NO".to_owned(),
                None => "not asked".to_owned(),
            }),
            ("where", &|row| row.engine.clone()),
            ("refused", &|row| row.refused.clone().unwrap_or_default()),
        ],
    )?;
    write_summary(&summary, &all)?;
    Ok(vec![table, summary])
}
