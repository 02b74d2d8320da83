//! What is seen of a run: a bar on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use lbm_core::Error;

use crate::cases::Progress;

/// Seconds between two lines where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Set by Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Lets Ctrl-C end the run cleanly; a second one ends the process at once.
///
/// # Errors
/// [`Error::Unavailable`] if the system gives no handler.
pub(super) fn catch_interrupt() -> Result<(), Error> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            // 128 + SIGINT, as shells report it.
            std::process::exit(130);
        }
    })
    .map_err(|error| Error::Unavailable {
        what: format!("Ctrl-C cannot be caught: {error}"),
        remedy: "another handler may be installed in this process".to_owned(),
    })
}

/// Whether Ctrl-C was pressed.
pub(super) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// A bar on stderr, of which nothing is seen where that is no terminal.
pub(super) fn bar(template: &'static str) -> ProgressBar {
    if super::is_silent() || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).expect("templates are constants and well-formed");
    ProgressBar::new(1).with_style(style)
}

/// Shows how far a run is, on stderr.
pub(super) struct Display {
    bar: ProgressBar,
    start: Instant,
    first_step: Option<u64>,
    last_line: Instant,
    tolerance: Option<f64>,
}

impl Display {
    /// A bar if stderr is a terminal. `tolerance` is that of the convergence criterion.
    pub(super) fn new(tolerance: Option<f64>) -> Display {
        let (bar, now) = (bar("{bar:30.cyan/blue} {msg}"), Instant::now());
        Display { bar, start: now, first_step: None, last_line: now, tolerance }
    }

    /// Shows the progress.
    pub(super) fn show(&mut self, progress: &Progress) {
        if super::is_silent() {
            return;
        }
        let first_step = *self.first_step.get_or_insert(progress.step);
        let message = self.message(progress, first_step);
        if !self.bar.is_hidden() {
            // Without an estimate the bar would creep towards a step that is never reached.
            let end = self.end(progress).unwrap_or(progress.step.saturating_mul(20));
            self.bar.set_length(end.max(1));
            self.bar.set_position(progress.step);
            self.bar.set_message(message);
        } else if self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            eprintln!("{message}");
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// The step at which the run is expected to end, if that can be said.
    fn end(&self, progress: &Progress) -> Option<u64> {
        progress.expected_step.or(self.tolerance.is_none().then_some(progress.last_step))
    }

    fn message(&self, progress: &Progress, first_step: u64) -> String {
        let (step, mut message) = (progress.step, progress.words(self.tolerance));
        let done = step.saturating_sub(first_step);
        if let Some(end) = self.end(progress).filter(|_| done > 0) {
            let left = self.start.elapsed().as_secs_f64() * end.saturating_sub(step) as f64 / done as f64;
            message += &format!(", about {} left", duration(left));
        }
        message
    }
}

/// `35 s`, `4 min 10 s`, `2 h 5 min`.
pub(super) fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_well() {
        assert_eq!([12.4, 250.0, 7500.0].map(duration), ["12 s", "4 min 10 s", "2 h 5 min"]);
    }
}
