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
    /// Billions of updates a second.
    glups: f64,
    /// Bytes that these must move, as a share of the card's bandwidth.
    share: f64,
}

impl Found {
    /// That of so many bytes a node on a card of so many GB/s.
    const fn new(label: &'static str, edge: usize, glups: f64, bytes: usize, card: f64) -> Found {
        Found { label, edge, glups, share: glups * bytes as f64 / card }
    }
}

/// The bandwidth of the paper's cards, GB/s.
const RTX_3090: f64 = 936.0;
const V100: f64 = 900.0;

/// Streaming patterns, with their layouts on the CPU and on a device.
const REGULARIZED: &[(&str, &str, &str)] =
    &[("two-lattice-pull", "soa", "soa"), ("thread-safe", "soa", "aosoa128"), ("moments", "soa", "aosoa128")];

/// The same of two fluids, of which moments are marched through in blocks that lie in few clusters.
const COLOUR_GRADIENT: &[(&str, &str, &str)] =
    &[("two-lattice-pull", "soa", "soa"), ("thread-safe", "soa", "aosoa128"), ("moments", "soa", "aosoa32")];

const PARTS: &[Part] = &[
    Part {
        name: "d2q9",
        title: "Regularised D2Q9, f32",
        family: "d2q9-regularized-f32",
        schemes: REGULARIZED,
        edges: [&[256, 512, 1024], &[256, 512, 1024, 2048, 4096]],
        found: &[
            Found::new("paper, thread-safe, RTX 3090", 4096, 6.1, 120, RTX_3090),
            Found::new("paper, two lattices, RTX 3090", 4096, 9.0, 72, RTX_3090),
        ],
    },
    Part {
        name: "d3q19",
        title: "Regularised D3Q19, f32",
        family: "d3q19-regularized-f32",
        schemes: REGULARIZED,
        edges: [&[32, 64, 96], &[64, 128, 256, 512]],
        found: &[
            Found::new("paper, thread-safe, RTX 3090", 256, 3.6, 232, RTX_3090),
            Found::new("paper, two lattices, RTX 3090", 256, 5.0, 152, RTX_3090),
            Found::new("paper, thread-safe, V100", 256, 2.1, 232, V100),
        ],
    },
    Part {
        name: "d2q9d2q9",
        title: "Two fluids with a colour gradient, D2Q9, f32",
        family: "d2q9d2q9-colour-gradient-of-regularized-f32",
        schemes: COLOUR_GRADIENT,
        edges: [&[128, 256, 512], &[256, 512, 1024, 2048, 4096]],
        found: &[],
    },
    Part {
        name: "d3q19d3q19",
        title: "Two fluids with a colour gradient, D3Q19, f32",
        family: "d3q19d3q19-colour-gradient-of-regularized-f32",
        schemes: COLOUR_GRADIENT,
        edges: [&[16, 32, 64], &[64, 128, 256]],
        // 106 values a node and step.
        found: &[
            Found::new("paper, RTX 3090", 256, 1.7, 424, RTX_3090),
            Found::new("paper, V100", 256, 1.0, 424, V100),
        ],
    },
];

/// What parts are called.
pub(super) fn parts() -> Vec<&'static str> {
    PARTS.iter().map(|part| part.name).collect()
}

/// Runs all parts.
pub(super) fn run(session: &mut Session<'_>) -> Result<(), Error> {
    let wanted: Vec<&Part> = PARTS.iter().filter(|part| session.wants(part.name)).collect();
    wanted.into_iter().try_for_each(|part| part.run(session))
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
        let panel = |title, axis, ours: fn(&Measurement) -> f64, theirs: fn(&Found) -> f64| {
            let lines = self.schemes.iter().enumerate().map(|(n, (streaming, ..))| {
                Series::line(*streaming, rows.iter().map(|(edge, row)| (*edge, ours(&row[n]))).collect())
            });
            let marks = self
                .found
                .iter()
                .map(|found| Series::marks(found.label, vec![(found.edge as f64, theirs(found))]));
            Panel::new(title, "nodes along an edge", axis, lines.chain(marks).collect())
        };
        let shares = panel(
            "bytes that must move a second, as a share of the copy",
            "share of bandwidth",
            |measured| measured.share_of_copy,
            |found| found.share,
        );
        let speeds = panel(
            "updates of nodes a second",
            "GLUPS",
            |measured| measured.mlups * 1e-3,
            |found| found.glups,
        );
        session.picture(self.name, self.title, &[shares, speeds])
    }
}
