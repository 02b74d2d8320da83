//! Two flows of a case side by side, such as with and without what keeps drops apart.

use std::path::{Path, PathBuf};

use lbm_core::Error;

use super::run::{Outcome, Run};
use super::shown::{Beside, Scalar};
use crate::output::{Film, Picture, Plane, write_pictures};

/// How a flow that another is shown beside looked in the end.
#[derive(Clone, Debug)]
pub struct View {
    title: String,
    /// What differs between both: the setting, with its value here, and the step.
    subtitle: String,
    beside: Beside,
    scalar: &'static Scalar,
    size: [usize; 3],
    values: Vec<f64>,
    solid: Option<Vec<bool>>,
    film: Film,
}

impl View {
    /// That of a run; none where its case shows no other flow beside it.
    pub fn of(run: &Run, outcome: &Outcome, film: Film) -> Option<View> {
        let shown = run.case.shown;
        let (beside, scalar) = (shown.beside?, shown.scalar?);
        let flags = &run.simulation.domain().flags;
        let state = &outcome.state;
        Some(View {
            title: run.title.clone(),
            subtitle: format!(
                "{} = {}, step {}",
                beside.setting,
                run.settings.real(beside.setting),
                state.step
            ),
            beside,
            scalar,
            size: state.size,
            values: state.scalar.clone(),
            solid: (!flags.is_empty()).then(|| flags.iter().map(|&flag| flag != 0).collect()),
            film,
        })
    }

    /// Where the results of the other flow go, if those of this one go into a folder: a folder in that, named by the setting.
    pub fn folder_beside(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}-{}", self.beside.setting, self.beside.value))
    }

    /// Writes both side by side: the last states `beside.png`, and their films `beside.gif`, if they have frames. This one is on the right.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write_beside(&self, other: &View, folder: &Path) -> Result<Vec<PathBuf>, Error> {
        let mut written = vec![folder.join("beside.png")];
        write_pictures(&written[0], &[other.picture(), self.picture()])?;
        let film = other.film.beside(&self.film);
        if !film.is_empty() {
            let path = folder.join("beside.gif");
            film.write(&path)?;
            written.push(path);
        }
        Ok(written)
    }

    fn picture(&self) -> Picture<'_> {
        Picture {
            size: self.size,
            planes: &[Plane::Z],
            scalar: Some(&self.values),
            velocity: None,
            solid: self.solid.as_deref(),
            title: &self.title,
            subtitle: &self.subtitle,
            label: self.scalar.label,
            colouring: self.scalar.colouring,
        }
    }
}
