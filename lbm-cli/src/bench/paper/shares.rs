//! Variants over the edges of their boxes, as shares of the copy's bandwidth beside a paper's.

use lbm_core::Error;

use super::{Record, Session, number};
use crate::bench::{Measurement, Request, measure};
use crate::output::{Panel, Series};
use crate::simulation::Backend;
use crate::variants;

/// One lattice of an experiment, or what is drawn in one picture.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// What every variant's name begins with.
    pub(super) family: &'static str,
    /// Streaming patterns, each with its layout on the CPU and on a device.
    pub(super) schemes: &'static [(&'static str, &'static str, &'static str)],
    /// Nodes along an edge on the CPU (and on the host in a device's place), and on a GPU.
    pub(super) edges: [&'static [usize]; 2],
    pub(super) cubic: bool,
    /// What the paper found: whose, on what, and the share of that card's bandwidth.
    pub(super) found: &'static [Found],
}

/// A figure of the paper.
pub(super) struct Found {
    pub(super) label: &'static str,
    pub(super) edge: usize,
    pub(super) share: f64,
}

impl Part {
    /// Measures, tells and writes `KEY_LATTICE.csv` and `KEY_LATTICE.png`.
    pub(super) fn run(&self, session: &mut Session<'_>) -> Result<(), Error> {
        let on_cpu = session.request.placement.backend == Backend::Cpu;
        // For each edge what was measured of each scheme.
        let mut rows = Vec::new();
        for &edge in session.small_or_large(self.edges) {
            let mut row = Vec::new();
            for (streaming, cpu, device) in self.schemes {
                let layout = if on_cpu { cpu } else { device };
                let entry = variants::find(&format!("{}-{layout}-dense-{streaming}", self.family))?;
                let size = Some([edge, edge, if self.cubic { edge } else { 1 }]);
                let measured = measure(entry, &Request { size, ..session.request.clone() })?;
                session.report(&Record::Measured(&measured))?;
                row.push(measured);
            }
            rows.push((edge as f64, row));
        }
        let mut columns = vec!["edge".to_owned()];
        for (streaming, ..) in self.schemes {
            columns.extend(["MLUPS", "share of copy"].map(|what| format!("{streaming} {what}")));
        }
        let cells = |(edge, row): &(f64, Vec<Measurement>)| {
            let measured = row.iter().flat_map(|m| [m.mlups, m.share_of_copy]);
            [*edge].into_iter().chain(measured).map(number).collect()
        };
        session.cells(self.name, &columns, &rows.iter().map(cells).collect::<Vec<_>>())?;
        let ours = self.schemes.iter().enumerate().map(|(n, (streaming, ..))| {
            Series::line(*streaming, rows.iter().map(|(edge, row)| (*edge, row[n].share_of_copy)).collect())
        });
        let theirs =
            self.found.iter().map(|found| Series::marks(found.label, vec![(found.edge as f64, found.share)]));
        let title = "bytes that must move a second, as a share of the copy";
        let series = ours.chain(theirs).collect();
        session.picture(
            self.name,
            self.title,
            &[Panel::new(title, "nodes along an edge", "share of bandwidth", series)],
        )
    }
}
