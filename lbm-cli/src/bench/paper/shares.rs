//! Variants over the edges of their boxes, as shares of the copy's bandwidth beside a paper's.

use std::path::{Path, PathBuf};

use lbm_core::Error;

use super::{Experiment, Heard, Told};
use crate::bench::{Measured, Request, measure, measure_on_device};
use crate::output::{Panel, Scale, Series, Style, write_columns, write_plot};
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

/// A scheme's name, and for each edge what was measured.
type Line = (&'static str, Vec<(usize, Measured)>);

impl Part {
    /// Measures, tells and writes `KEY_LATTICE.csv` and `KEY_LATTICE.png`.
    pub(super) fn run(
        &self,
        experiment: &Experiment,
        request: &Request,
        folder: &Path,
        heard: Heard<'_>,
    ) -> Result<[PathBuf; 2], Error> {
        let lines = self.measure(request, heard)?;
        self.write(experiment, folder, &lines)
    }

    fn measure(&self, request: &Request, heard: Heard<'_>) -> Result<Vec<Line>, Error> {
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
                heard(&Told::Measured(&measured))?;
                points.push((edge, measured));
            }
        }
        Ok(lines)
    }

    fn write(&self, experiment: &Experiment, folder: &Path, lines: &[Line]) -> Result<[PathBuf; 2], Error> {
        let [table, picture] = ["csv", "png"].map(|end| experiment.file(folder, self.name, end));
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
