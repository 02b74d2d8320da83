//! Profiles as plots: panels side by side with lines, markers, legend and axis labels.

use std::path::Path;

use lbm_core::Error;
use plotters::chart::{ChartBuilder, SeriesLabelPosition};
use plotters::element::{Circle, Cross, DynElement, IntoDynElement, PathElement, Text};
use plotters::prelude::BitMapBackend;
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, RGBColor, ShapeStyle, WHITE};

use super::canvas::{self, Area, DrawError, INK, OVERSAMPLING, tick_text};

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A line through the points.
    Line,
    /// A circle at each point.
    Markers,
    /// A cross at each point: for what is left out of a comparison.
    Crosses,
}

/// Points that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    /// What the legend calls them.
    pub label: String,
    /// How they are drawn.
    pub style: Style,
    /// Abscissa and ordinate of each.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// What was computed or measured, as a line.
    pub fn line(label: impl Into<String>, points: Vec<(f64, f64)>) -> Series {
        Series { label: label.into(), style: Style::Line, points }
    }

    /// A paper's figures, or others that no line goes through, as circles.
    pub fn marks(label: impl Into<String>, points: Vec<(f64, f64)>) -> Series {
        Series { style: Style::Markers, ..Series::line(label, points) }
    }

    /// The same as crosses.
    pub fn crosses(label: impl Into<String>, points: Vec<(f64, f64)>) -> Series {
        Series { style: Style::Crosses, ..Series::line(label, points) }
    }
}

/// How coordinates are laid out along both axes of a panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences side by side.
    #[default]
    Linear,
    /// Equal factors side by side, with powers of ten at the ticks. Points that are not above zero are left out.
    Logarithmic,
}

impl Scale {
    /// A point where it is drawn: the axes themselves are linear.
    fn place(self, (x, y): (f64, f64)) -> (f64, f64) {
        match self {
            Scale::Linear => (x, y),
            Scale::Logarithmic => (x.log10(), y.log10()),
        }
    }

    /// The text of a tick at a drawn coordinate.
    fn text(self, at: f64, range: [f64; 2]) -> String {
        match self {
            Scale::Linear => tick_text(at, range),
            Scale::Logarithmic if (at - at.round()).abs() < 1e-9 => format!("1e{at:.0}"),
            Scale::Logarithmic => format!("{:.1e}", 10f64.powf(at)),
        }
    }
}

/// One pair of axes. They span all points and a little more.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What stands above.
    pub title: String,
    /// What stands below the horizontal axis.
    pub x_label: String,
    /// What stands beside the vertical axis.
    pub y_label: String,
    /// What is drawn, in this order.
    pub series: Vec<Series>,
    /// How coordinates are laid out.
    pub scale: Scale,
}

impl Panel {
    /// Linear axes with what they show.
    pub fn new(title: impl Into<String>, x_label: &str, y_label: &str, series: Vec<Series>) -> Panel {
        let (x_label, y_label) = (x_label.to_owned(), y_label.to_owned());
        Panel { title: title.into(), x_label, y_label, series, scale: Scale::Linear }
    }
}

const PANEL: [u32; 2] = [560, 540];
const TITLE: u32 = 52;

/// Colours of the series in their order, distinct to all kinds of eyes (Okabe & Ito, 2008).
const COLOURS: [RGBColor; 5] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x77, 0x77, 0x77),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
];

/// Draws the panels from left to right under a common title and writes them as PNG. Points that are not finite
/// are left out, a series without points is not in the legend.
pub fn write_plot(path: &Path, title: &str, panels: &[Panel]) -> Result<(), Error> {
    let size = [PANEL[0] * panels.len().max(1) as u32, TITLE + PANEL[1]];
    canvas::draw(path, size, |area| {
        let k = OVERSAMPLING as i32;
        let style = canvas::text(22, HPos::Center, VPos::Top);
        area.draw(&Text::new(title.to_owned(), (size[0] as i32 * k / 2, 16 * k), style))?;
        let (_, below) = area.split_vertically(TITLE * OVERSAMPLING);
        for (panel, part) in panels.iter().zip(below.split_evenly((1, panels.len().max(1)))) {
            draw_panel(&part, panel)?;
        }
        Ok(())
    })
}

fn draw_panel<'a>(area: &Area<'a>, panel: &Panel) -> Result<(), DrawError<'a>> {
    let k = OVERSAMPLING;
    let font = |pixels: u32| canvas::text(pixels, HPos::Left, VPos::Top);
    let (x_range, y_range) = (span(panel, |p| p.0), span(panel, |p| p.1));
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, font(16))
        .margin(10 * k)
        .margin_right(22 * k)
        .x_label_area_size(48 * k)
        .y_label_area_size(66 * k)
        .build_cartesian_2d(x_range[0]..x_range[1], y_range[0]..y_range[1])?;
    chart
        .configure_mesh()
        .x_labels(7)
        .y_labels(8)
        .x_label_formatter(&|value| panel.scale.text(*value, x_range))
        .y_label_formatter(&|value| panel.scale.text(*value, y_range))
        .x_desc(&panel.x_label)
        .y_desc(&panel.y_label)
        .label_style(font(13))
        .axis_desc_style(font(15))
        .axis_style(INK.stroke_width(k))
        .bold_line_style(RGBColor(0xdd, 0xdd, 0xdd).stroke_width(k))
        .light_line_style(WHITE.mix(0.0))
        .set_all_tick_mark_size(4 * k)
        .draw()?;
    let shown =
        panel.series.iter().zip(COLOURS.into_iter().cycle()).filter(|(series, _)| !series.points.is_empty());
    for (series, colour) in shown {
        let points = drawn_points(panel, series);
        let (style, stroke) = (series.style, colour.stroke_width(2 * k));
        let drawn = match style {
            // Piece by piece: where a line turns sharply, the corner of a path would be a spike.
            Style::Line => {
                let points: Vec<_> = points.collect();
                let pieces = points.windows(2).map(|ends| PathElement::new(ends.to_vec(), stroke));
                chart.draw_series(pieces)?
            }
            Style::Markers | Style::Crosses => {
                chart.draw_series(points.map(|at| marker(at, style, stroke)))?
            }
        };
        drawn.label(&series.label).legend(move |(x, y)| match style {
            Style::Line => PathElement::new([(x, y), (x + 24 * k as i32, y)], stroke).into_dyn(),
            Style::Markers | Style::Crosses => marker((x + 12 * k as i32, y), style, stroke),
        });
    }
    if panel.series.iter().any(|series| !series.points.is_empty()) {
        chart
            .configure_series_labels()
            .position(emptiest_corner(panel, x_range, y_range))
            .margin(12 * k)
            .legend_area_size(34 * k)
            .label_font(font(14))
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(0xbb, 0xbb, 0xbb).stroke_width(k))
            .draw()?;
    }
    Ok(())
}

/// The sign of a point at a place given in any coordinates.
fn marker<'a, C: Clone + 'static>(
    at: C,
    style: Style,
    stroke: ShapeStyle,
) -> DynElement<'static, BitMapBackend<'a>, C> {
    let radius = 5 * OVERSAMPLING as i32;
    match style {
        Style::Crosses => Cross::new(at, radius, stroke).into_dyn(),
        Style::Line | Style::Markers => Circle::new(at, radius, stroke).into_dyn(),
    }
}

/// The points of a series that can be drawn, where they are drawn.
fn drawn_points(panel: &Panel, series: &Series) -> impl Iterator<Item = (f64, f64)> {
    let points = series.points.iter().map(|&point| panel.scale.place(point));
    points.filter(|p| p.0.is_finite() && p.1.is_finite())
}

fn finite_points(panel: &Panel) -> impl Iterator<Item = (f64, f64)> {
    panel.series.iter().flat_map(|series| drawn_points(panel, series))
}

/// From the smallest to the largest coordinate, and four hundredths of that more at both ends.
fn span(panel: &Panel, coordinate: impl Fn((f64, f64)) -> f64) -> [f64; 2] {
    let values = finite_points(panel).map(coordinate);
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if low > high {
        return [0.0, 1.0];
    }
    let margin = if high > low { 0.04 * (high - low) } else { 0.5 * high.abs().max(1.0) };
    [low - margin, high + margin]
}

/// The corner that the fewest points lie near, for the legend.
fn emptiest_corner(panel: &Panel, x: [f64; 2], y: [f64; 2]) -> SeriesLabelPosition {
    let corners = [
        (SeriesLabelPosition::UpperLeft, [0.0, 1.0]),
        (SeriesLabelPosition::UpperRight, [1.0, 1.0]),
        (SeriesLabelPosition::LowerRight, [1.0, 0.0]),
        (SeriesLabelPosition::LowerLeft, [0.0, 0.0]),
    ];
    let share = |value: f64, [low, high]: [f64; 2]| (value - low) / (high - low);
    let near = |[cx, cy]: [f64; 2]| {
        finite_points(panel)
            .filter(|p| (share(p.0, x) - cx).abs() < 0.45 && (share(p.1, y) - cy).abs() < 0.25)
            .count()
    };
    let (best, _) =
        corners.into_iter().min_by_key(|&(_, corner)| near(corner)).expect("there are four corners");
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::{GHIA_U, GHIA_V, Point, line};

    /// Ghia's points with a line through them; kept where `LBM_PICTURES` says, to be looked at.
    #[test]
    fn two_panels_are_drawn_with_all_series() {
        let folder = tempfile::tempdir().unwrap();
        let kept = std::env::var_os("LBM_PICTURES").map(std::path::PathBuf::from);
        let path = kept.unwrap_or_else(|| folder.path().to_owned()).join("profiles.png");
        let panel = |title: &str, x: &str, y: &str, points: &[Point], swap: bool| {
            let pair = |p: &Point| if swap { (p.value, p.at) } else { (p.at, p.value) };
            let chosen =
                |misprint| points.iter().filter(|p| p.counts != misprint).map(pair).collect::<Vec<_>>();
            let series = vec![
                Series::line("lbm, 256 × 256", chosen(false)),
                Series::marks("Ghia et al. (1982)", chosen(false)),
                Series::crosses("misprint, left out", chosen(true)),
            ];
            Panel::new(title, x, y, series)
        };
        let (u, v) = (line(GHIA_U, "y", "400"), line(GHIA_V, "x", "400"));
        let panels = [
            panel("along the vertical centre line", "u / lid speed", "y / L", &u, true),
            panel("along the horizontal centre line", "x / L", "v / lid speed", &v, false),
        ];
        write_plot(&path, "Lid-driven cavity, Re = 400", &panels).unwrap();
        let (size, pixels) = canvas::tests::read(&path);
        assert_eq!(size, [2 * PANEL[0], TITLE + PANEL[1]]);
        for RGBColor(r, g, b) in &COLOURS[..3] {
            assert!(pixels.chunks(3).any(|p| p == [*r, *g, *b]), "a series is missing");
        }
    }

    #[test]
    fn ticks_of_factors_are_powers_of_ten() {
        assert_eq!(Scale::Linear.text(0.4, [-0.35, 1.04]), "0.4");
        assert_eq!(Scale::Logarithmic.text(-3.0, [-4.2, 0.1]), "1e-3");
        assert_eq!(Scale::Logarithmic.text(0.0, [-4.2, 0.1]), "1e0");
        assert_eq!(Scale::Logarithmic.text(-3.5, [-4.0, -3.0]), "3.2e-4");
    }

    #[test]
    fn factors_lie_side_by_side_and_what_has_no_logarithm_is_left_out() {
        let points = vec![(1.0, 1e-8), (10.0, 0.0), (100.0, -1.0), (1000.0, 1e-6)];
        let series = Series::line("", points);
        let panel = |scale| Panel { scale, ..Panel::new("", "", "", vec![series.clone()]) };
        let drawn: Vec<_> = finite_points(&panel(Scale::Logarithmic)).collect();
        assert_eq!(drawn, [(0.0, -8.0), (3.0, -6.0)]);
        assert_eq!(finite_points(&panel(Scale::Linear)).count(), 4);
    }

    #[test]
    fn nothing_constant_or_not_finite_makes_it_fail() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("odd.png");
        let series = |points| Series::line("odd", points);
        write_plot(&path, "odd", &[]).unwrap();
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let panel = |series| Panel { scale, ..Panel::new("", "", "", series) };
            write_plot(&path, "odd", &[panel(vec![])]).unwrap();
            write_plot(&path, "odd", &[panel(vec![series(vec![(0.0, f64::NAN)]), series(vec![(1.0, 2.0)])])])
                .unwrap();
        }
    }
}
