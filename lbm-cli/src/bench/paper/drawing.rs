//! What all pictures of the experiments are made of.

use crate::output::{Panel, Scale, Series, Style};

/// Abscissa and ordinate of each point.
pub(super) type Points = Vec<(f64, f64)>;

/// What was measured, as a line.
pub(super) fn line(label: impl Into<String>, points: Points) -> Series {
    Series { label: label.into(), style: Style::Line, points }
}

/// A paper's figures, or others that no line goes through, as rings.
pub(super) fn marks(label: impl Into<String>, points: Points) -> Series {
    Series { style: Style::Markers, ..line(label, points) }
}

/// The same as crosses.
pub(super) fn crosses(label: impl Into<String>, points: Points) -> Series {
    Series { style: Style::Crosses, ..line(label, points) }
}

/// Linear axes with what they show.
pub(super) fn panel(title: impl Into<String>, x_label: &str, y_label: &str, series: Vec<Series>) -> Panel {
    let (x_label, y_label) = (x_label.to_owned(), y_label.to_owned());
    Panel { title: title.into(), x_label, y_label, series, scale: Scale::Linear }
}
