//! The rows of a series as a picture.

use lbm_core::Error;

use super::{PROPAGATION, Part, Places, READ_WRITE, Sparse, found};
use crate::bench::paper::Session;
use crate::output::{Panel, Series};
use crate::variants::Entry;

/// Colours of a plot: so many series later they are the same again.
const COLOURS: usize = 5;

/// What is drawn of a row.
type Share = fn(&Sparse) -> Option<f64>;

const PRECISIONS: [&str; 2] = ["f64", "f32"];

impl Part {
    /// Shares of bandwidth by precision, then the utilisation of tiles.
    pub(super) fn draw(
        &self,
        session: &mut Session<'_>,
        entries: &[&'static Entry],
        rows: &[Sparse],
    ) -> Result<(), Error> {
        let shares = |title: &str, series| Panel::new(title, self.along, "share of bandwidth", series);
        let mut panels: Vec<Panel> = Vec::new();
        for precision in PRECISIONS {
            let of: Vec<&'static Entry> =
                entries.iter().copied().filter(|entry| entry.facts.precision.name == precision).collect();
            let title = format!("{precision}: fluid nodes' bytes a second, as a share of the copy");
            match self.places {
                Places::Channels => {
                    of.iter().for_each(|entry| panels.push(shares(&title, beside_model(entry, rows))))
                }
                _ => panels.push(shares(&title, self.steps(&of, rows))),
            }
        }
        if self.places != Places::Channels && rows.iter().any(|row| row.propagation_share_of_copy.is_some()) {
            panels.push(shares("without collision", self.limits(rows)));
        }
        let of_first = rows.iter().filter(|row| row.variant == self.variants[0]);
        let ours = self.series("tiles of 4 x 4 x 4", of_first.map(|row| (row.at, row.utilisation)).collect());
        let theirs = Series::marks("paper", found::utilisation(self.name).to_vec());
        let title = "utilisation of tiles (Eq. 14)";
        panels.push(Panel::new(title, self.along, "fluid nodes of all in tiles", vec![ours, theirs]));
        session.picture(self.name, self.title, &panels)
    }

    /// Channels are no series that a line could go through.
    fn series(&self, label: &str, points: Vec<(f64, f64)>) -> Series {
        if self.places == Places::Channels {
            Series::marks(label, points)
        } else {
            Series::line(label, points)
        }
    }

    /// Variants, and in their colours what the paper found of them.
    fn steps(&self, entries: &[&'static Entry], rows: &[Sparse]) -> Vec<Series> {
        let line = |entry: &&'static Entry| {
            let named = rows.iter().filter(|row| row.variant == entry.name);
            self.series(&label(entry), named.map(|row| (row.at, row.share_of_copy)).collect())
        };
        let paper = |entry: &&'static Entry| {
            let collision = entry.facts.body.collision;
            Series::marks(format!("paper, {collision}"), found::shares_of(self.name, collision, entry))
        };
        paired(entries.iter().map(line).collect(), entries.iter().map(paper).collect())
    }

    /// The measuring sticks of the first variant of each precision, and in their colours the paper's.
    fn limits(&self, rows: &[Sparse]) -> Vec<Series> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let kernels: [(_, _, Share); 2] = [
            (PROPAGATION, "propagation only", |row| row.propagation_share_of_copy),
            (READ_WRITE, "read/write only", |row| row.read_write_share_of_copy),
        ];
        for precision in PRECISIONS {
            let first = self.variants.iter().find(|name| name.contains(&format!("-{precision}-")));
            for (kernel, name, share) in kernels {
                let named = rows.iter().filter(|row| Some(&row.variant.as_str()) == first);
                let points = named.filter_map(|row| Some((row.at, share(row)?)));
                ours.push(self.series(&format!("{name} {precision}"), points.collect()));
                let paper = found::shares(self.name, kernel, precision);
                theirs.push(Series::marks(format!("paper, {name} {precision}"), paper));
            }
        }
        paired(ours, theirs)
    }
}

/// What a variant does in channels, and what Eq. 19 expects where tiles are whole.
fn beside_model(entry: &Entry, rows: &[Sparse]) -> Vec<Series> {
    let of = |share: fn(&Sparse) -> Option<f64>, whole: bool| -> Vec<(f64, f64)> {
        let named = rows.iter().filter(|row| row.variant == entry.name);
        let wanted = named.filter(|row| !whole || row.utilisation == 1.0);
        let mut points: Vec<_> = wanted.filter_map(|row| Some((row.at, share(row)?))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    };
    vec![
        Series::line("Eq. 19, the paper's (of its card's peak)", of(|row| Some(row.expected_share), true)),
        Series::line("Eq. 19, refitted", of(|row| row.refitted, true)),
        Series::crosses(label(entry), of(|row| Some(row.share_of_copy), false)),
        Series::marks("propagation only", of(|row| row.propagation_share_of_copy, false)),
    ]
}

/// A variant without what all of a panel have in common.
fn label(entry: &Entry) -> String {
    format!("{}, {} {}", entry.facts.body.collision, entry.facts.addressing.name, entry.facts.pattern.name)
}

/// Both, each of the second in the colour of the first; a series without points is not shown.
fn paired(mut ours: Vec<Series>, theirs: Vec<Series>) -> Vec<Series> {
    ours.resize(ours.len().next_multiple_of(COLOURS), Series::marks("", Vec::new()));
    ours.extend(theirs);
    ours
}
