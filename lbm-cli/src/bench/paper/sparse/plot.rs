//! The rows of a series as a picture.

use std::path::Path;

use lbm_core::Error;

use super::{Found, Kernel, Part, Places, Sparse};
use crate::output::{Panel, Scale, Series, Style, write_plot};
use crate::variants::Entry;

/// Colours of a plot: so many series later they are the same again.
const COLOURS: usize = 5;

const PRECISIONS: [&str; 2] = ["f64", "f32"];

type Points = Vec<(f64, f64)>;

impl Part {
    /// Shares of bandwidth by precision, then the utilisation of tiles.
    pub(super) fn draw(&self, path: &Path, entries: &[&'static Entry], rows: &[Sparse]) -> Result<(), Error> {
        let shares = "share of bandwidth";
        let mut panels = Vec::new();
        for precision in PRECISIONS {
            let of: Vec<&'static Entry> =
                entries.iter().copied().filter(|entry| entry.precision == precision).collect();
            let title = format!("{precision}: fluid nodes' bytes a second, as a share of the copy");
            match self.places {
                Places::Channels => of
                    .iter()
                    .for_each(|entry| panels.push(self.panel(&title, shares, beside_model(entry, rows)))),
                _ => panels.push(self.panel(&title, shares, self.steps(&of, rows))),
            }
        }
        if self.places != Places::Channels && rows.iter().any(|row| row.sticks.is_some()) {
            panels.push(self.panel("without collision", shares, self.limits(rows)));
        }
        let of_first = rows.iter().filter(|row| row.variant == self.variants[0]);
        let ours = self.series("tiles of 4 x 4 x 4", of_first.map(|row| (row.at, row.utilisation)).collect());
        let theirs = marks("paper", self.found_utilisation.to_vec());
        let title = "utilisation of tiles (Eq. 14)";
        panels.push(self.panel(title, "fluid nodes of all in tiles", vec![ours, theirs]));
        write_plot(path, self.title, &panels)
    }

    fn panel(&self, title: &str, y_label: &str, series: Vec<Series>) -> Panel {
        Panel {
            title: title.to_owned(),
            x_label: self.along.to_owned(),
            y_label: y_label.to_owned(),
            series,
            scale: Scale::Linear,
        }
    }

    /// Channels are no series that a line could go through.
    fn series(&self, label: &str, points: Points) -> Series {
        let style = if self.places == Places::Channels { Style::Markers } else { Style::Line };
        Series { label: label.to_owned(), style, points }
    }

    /// Variants, and in their colours what the paper found of them.
    fn steps(&self, entries: &[&'static Entry], rows: &[Sparse]) -> Vec<Series> {
        let line = |entry: &&'static Entry| {
            let named = rows.iter().filter(|row| row.variant == entry.name);
            self.series(&label(entry), named.map(|row| (row.at, row.share_of_copy)).collect())
        };
        let paper = |entry: &&'static Entry| {
            let found = self.found.iter().find(|found| found.is_step_of(entry));
            marks(&format!("paper, {}", entry.label), found.map_or_else(Vec::new, Found::shares))
        };
        paired(entries.iter().map(line).collect(), entries.iter().map(paper).collect())
    }

    /// The measuring sticks of the first variant of each precision, and in their colours the paper's.
    fn limits(&self, rows: &[Sparse]) -> Vec<Series> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for precision in PRECISIONS {
            let first = self.variants.iter().find(|name| name.contains(&format!("-{precision}-")));
            for (n, (kernel, name)) in
                [(Kernel::Propagation, "propagation only"), (Kernel::ReadWrite, "read/write only")]
                    .into_iter()
                    .enumerate()
            {
                let named = rows.iter().filter(|row| Some(&row.variant.as_str()) == first);
                let points = named.filter_map(|row| row.sticks.map(|sticks| (row.at, sticks[n])));
                ours.push(self.series(&format!("{name} {precision}"), points.collect()));
                let found = self.found.iter().find(|row| row.kernel == kernel && row.precision == precision);
                let label = format!("paper, {name} {precision}");
                theirs.push(marks(&label, found.map_or_else(Vec::new, Found::shares)));
            }
        }
        paired(ours, theirs)
    }
}

/// What a variant does in channels, and what Eq. 19 expects where tiles are whole.
fn beside_model(entry: &Entry, rows: &[Sparse]) -> Vec<Series> {
    let of = |share: fn(&Sparse) -> Option<f64>, whole: bool| -> Points {
        let named = rows.iter().filter(|row| row.variant == entry.name);
        let wanted = named.filter(|row| !whole || row.utilisation == 1.0);
        let mut points: Points = wanted.filter_map(|row| Some((row.at, share(row)?))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    };
    let line = |label: &str, points| Series { label: label.to_owned(), style: Style::Line, points };
    vec![
        line("Eq. 19, the paper's (of its card's peak)", of(|row| Some(row.expected), true)),
        line("Eq. 19, refitted", of(|row| row.refitted, true)),
        Series { style: Style::Crosses, ..line(&label(entry), of(|row| Some(row.share_of_copy), false)) },
        marks("propagation only", of(|row| row.sticks.map(|sticks| sticks[0]), false)),
    ]
}

/// A variant without what all of a panel have in common.
fn label(entry: &Entry) -> String {
    format!("{}, {} {}", entry.label, entry.facts.addressing.name, entry.streaming)
}

fn marks(label: &str, points: Points) -> Series {
    Series { label: label.to_owned(), style: Style::Markers, points }
}

/// Both, each of the second in the colour of the first; a series without points is not shown.
fn paired(mut ours: Vec<Series>, theirs: Vec<Series>) -> Vec<Series> {
    ours.resize(ours.len().next_multiple_of(COLOURS), marks("", Vec::new()));
    ours.extend(theirs);
    ours
}
