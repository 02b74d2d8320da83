//! Variants over the edges of their boxes, as shares of the copy's bandwidth beside a paper's.

use lbm_core::Error;

use super::{Record, Session, number};
use crate::bench::{Measurement, Request, measure};
use crate::output::{Panel, Series};
use crate::simulation::Backend;
use crate::variants;

/// One lattice of an experiment, or what is drawn in one picture.
struct Part {
    name: &'static str,
    title: &'static str,
    /// What every variant's name begins with.
    family: &'static str,
    /// Streaming patterns, each with its layout on the CPU and on a device.
    schemes: &'static [(&'static str, &'static str, &'static str)],
    /// Nodes along an edge on the CPU (and on the host in a device's place), and on a GPU.
    edges: [&'static [usize]; 2],
    /// What the paper found: whose, on what, and the share of that card's bandwidth.
    found: &'static [Found],
}

/// A figure of the paper.
struct Found {
    label: &'static str,
    edge: usize,
    share: f64,
}

/// Streaming patterns, with their layouts on the CPU and on a device.
const REGULARIZED: &[(&str, &str, &str)] =
    &[("two-lattice-pull", "soa", "soa"), ("thread-safe", "soa", "aosoa128"), ("moments", "soa", "aosoa128")];

const PARTS: &[Part] = &[
    Part {
        name: "d2q9",
        title: "Regularised D2Q9, f32",
        family: "d2q9-regularized-f32",
        schemes: REGULARIZED,
        edges: [&[256, 512, 1024], &[256, 512, 1024, 2048, 4096]],
        // 6.1 and 9 GLUPS at 30 and 18 values of 4 bytes, of 936 GB/s.
        found: &[
            Found { label: "paper, thread-safe, RTX 3090", edge: 4096, share: 0.78 },
            Found { label: "paper, two lattices, RTX 3090", edge: 4096, share: 0.69 },
        ],
    },
    Part {
        name: "d3q19",
        title: "Regularised D3Q19, f32",
        family: "d3q19-regularized-f32",
        schemes: REGULARIZED,
        edges: [&[32, 64, 96], &[64, 128, 256, 512]],
        // 3.6 and about 5 GLUPS at 58 and 38 values of 4 bytes, of 936 GB/s; 2.1 of 900 GB/s.
        found: &[
            Found { label: "paper, thread-safe, RTX 3090", edge: 256, share: 0.89 },
            Found { label: "paper, two lattices, RTX 3090", edge: 256, share: 0.81 },
            Found { label: "paper, thread-safe, V100", edge: 256, share: 0.54 },
        ],
    },
];

/// Runs all parts.
pub(super) fn run(session: &mut Session<'_>) -> Result<(), Error> {
    PARTS.iter().try_for_each(|part| part.run(session))
}

impl Part {
    /// Measures, tells and writes `KEY_LATTICE.csv` and `KEY_LATTICE.png`.
    fn run(&self, session: &mut Session<'_>) -> Result<(), Error> {
        let on_cpu = session.request.placement.backend == Backend::Cpu;
        // For each edge what was measured of each scheme.
        let mut rows = Vec::new();
        for &edge in session.small_or_large(self.edges) {
            let mut row = Vec::new();
            for (streaming, cpu, device) in self.schemes {
                let layout = if on_cpu { cpu } else { device };
                let entry = variants::find(&format!("{}-{layout}-dense-{streaming}", self.family))?;
                let size = Some([edge, edge, if entry.facts.lattice.dimension == 3 { edge } else { 1 }]);
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
