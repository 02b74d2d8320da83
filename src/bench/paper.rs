//! The papers' experiments: which variants, which boxes, and what the paper found, as shares of bandwidth.

use std::path::{Path, PathBuf};

use lbm_core::Error;

use super::{DeviceMeasurement, Measurement, Request, measure, measure_on_device};
use crate::output::{Panel, Scale, Series, Style, prepare, write_columns, write_plot};
use crate::simulation::Backend;
use crate::variants;

/// An experiment of a paper.
pub struct Experiment {
    /// What it is called for: `thread-safe`.
    pub key: &'static str,
    /// What it compares, in a line.
    pub about: &'static str,
    /// Lattice by lattice.
    parts: &'static [Part],
}

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
    cubic: bool,
    /// What the paper found: whose, on what, and the share of that card's bandwidth.
    found: &'static [Found],
}

/// A figure of the paper.
struct Found {
    label: &'static str,
    edge: usize,
    share: f64,
}

/// All experiments that this release runs.
pub const EXPERIMENTS: &[Experiment] = &[Experiment {
    key: "thread-safe",
    about: "Montessori et al., single component: two lattices, thread-safe reconstruction, and moments alone",
    parts: &[
        Part {
            name: "d2q9",
            title: "Regularised D2Q9, f32",
            family: "d2q9-regularized-f32",
            schemes: &[
                ("two-lattice-pull", "soa", "soa"),
                ("thread-safe", "soa", "aosoa128"),
                ("moments", "soa", "aosoa128"),
            ],
            edges: [&[256, 512, 1024], &[256, 512, 1024, 2048, 4096]],
            cubic: false,
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
            schemes: &[
                ("two-lattice-pull", "soa", "soa"),
                ("thread-safe", "soa", "aosoa128"),
                ("moments", "soa", "aosoa128"),
            ],
            edges: [&[32, 64, 96], &[64, 128, 256, 512]],
            cubic: true,
            // 3.6 and about 5 GLUPS at 58 and 38 values of 4 bytes, of 936 GB/s; 2.1 of 900 GB/s.
            found: &[
                Found { label: "paper, thread-safe, RTX 3090", edge: 256, share: 0.89 },
                Found { label: "paper, two lattices, RTX 3090", edge: 256, share: 0.81 },
                Found { label: "paper, thread-safe, V100", edge: 256, share: 0.54 },
            ],
        },
    ],
}];

/// The experiment of this key.
///
/// # Errors
/// [`Error::Unknown`], with those that there are.
pub fn experiment(key: &str) -> Result<&'static Experiment, Error> {
    EXPERIMENTS.iter().find(|experiment| experiment.key == key).ok_or_else(|| {
        let remedy =
            "the others come with their papers' schemes; this release runs `lbm bench paper thread-safe`";
        Error::unknown("experiment", key, EXPERIMENTS.iter().map(|experiment| experiment.key), remedy)
    })
}

/// A variant as it was measured.
pub enum Measured {
    /// On the CPU.
    Cpu(Measurement),
    /// On a device.
    Device(DeviceMeasurement),
}

impl Measured {
    fn share(&self) -> f64 {
        match self {
            Measured::Cpu(m) => m.share_of_copy,
            Measured::Device(m) => m.share_of_copy,
        }
    }

    fn mlups(&self) -> f64 {
        match self {
            Measured::Cpu(m) => m.mlups,
            Measured::Device(m) => m.mlups,
        }
    }

    /// Whether every population was the reference's.
    #[must_use]
    pub fn verified(&self) -> bool {
        match self {
            Measured::Cpu(m) => m.verified,
            Measured::Device(m) => m.verified,
        }
    }
}

impl Experiment {
    /// Measures every variant in every box, tells each, and writes `KEY_LATTICE.csv` and `KEY_LATTICE.png` into `folder`.
    ///
    /// # Errors
    /// A variant that the table lacks, too little memory, a lost device, files that cannot be written.
    pub fn run(
        &self,
        request: &Request,
        folder: &Path,
        heard: &mut dyn FnMut(&Measured) -> Result<(), Error>,
    ) -> Result<Vec<PathBuf>, Error> {
        prepare(folder)?;
        let mut written = Vec::new();
        for part in self.parts {
            let measured = part.measure(request, heard)?;
            written.extend(part.write(self, folder, &measured)?);
        }
        Ok(written)
    }
}

/// A scheme's name, and for each edge what was measured.
type Line = (&'static str, Vec<(usize, Measured)>);

impl Part {
    fn measure(
        &self,
        request: &Request,
        heard: &mut dyn FnMut(&Measured) -> Result<(), Error>,
    ) -> Result<Vec<Line>, Error> {
        let on_cpu = request.placement.backend == Backend::Cpu;
        let edges = self.edges[usize::from(matches!(request.placement.backend, Backend::Cuda(_)))];
        let mut lines: Vec<Line> = self.schemes.iter().map(|scheme| (scheme.0, Vec::new())).collect();
        for &edge in edges {
            for (&(streaming, cpu, device), (_, points)) in self.schemes.iter().zip(&mut lines) {
                let layout = if on_cpu { cpu } else { device };
                let entry = variants::find(&format!("{}-{layout}-dense-{streaming}", self.family))?;
                let size = Some([edge, edge, if self.cubic { edge } else { 1 }]);
                let request = Request { size, ..request.clone() };
                let measured = match on_cpu {
                    true => Measured::Cpu(measure(entry, &request)?),
                    false => Measured::Device(measure_on_device(entry, &request)?),
                };
                heard(&measured)?;
                points.push((edge, measured));
            }
        }
        Ok(lines)
    }

    fn write(&self, experiment: &Experiment, folder: &Path, lines: &[Line]) -> Result<[PathBuf; 2], Error> {
        let path =
            |end: &str| folder.join(format!("{}_{}.{end}", experiment.key.replace('-', "_"), self.name));
        let [table, picture] = ["csv", "png"].map(path);
        let edges: Vec<f64> = lines[0].1.iter().map(|&(edge, _)| edge as f64).collect();
        let column =
            |line: &Line, of: fn(&Measured) -> f64| line.1.iter().map(|(_, m)| of(m)).collect::<Vec<f64>>();
        let columns: Vec<(String, Vec<f64>)> = lines
            .iter()
            .flat_map(|line| {
                [
                    (format!("{} MLUPS", line.0), column(line, Measured::mlups)),
                    (format!("{} share of copy", line.0), column(line, Measured::share)),
                ]
            })
            .collect();
        let mut all = vec![("edge", edges.as_slice())];
        all.extend(columns.iter().map(|(name, values)| (name.as_str(), values.as_slice())));
        write_columns(&table, &all)?;
        let ours = lines.iter().map(|(name, points)| Series {
            label: (*name).to_owned(),
            style: Style::Line,
            points: points.iter().map(|(edge, m)| (*edge as f64, m.share())).collect(),
        });
        let theirs = self.found.iter().map(|found| Series {
            label: found.label.to_owned(),
            style: Style::Markers,
            points: vec![(found.edge as f64, found.share)],
        });
        let panel = Panel {
            title: "bytes that must move a second, as a share of the copy".to_owned(),
            x_label: "nodes along an edge".to_owned(),
            y_label: "share of bandwidth".to_owned(),
            series: ours.chain(theirs).collect(),
            scale: Scale::Linear,
        };
        write_plot(&picture, self.title, &[panel])?;
        Ok([table, picture])
    }
}
