//! Pictures of a state: of the part of the box that is selected.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use lbm_core::Error;

use super::super::pushed::AXES;
use super::super::run::Run;
use super::super::selection::Field;
use super::super::state::State;
use super::super::writer::{Writer, speed};
use crate::output::{Colouring, Picture, Plane, write_picture};

/// What pictures show.
pub(super) struct Drawn<'a> {
    state: Cow<'a, State>,
    solid: Option<Vec<bool>>,
    /// Fields beside the speed, as files have them, one number a node: in the plane a vorticity's third component, else a vector's length.
    others: Vec<(Field, Vec<f64>)>,
}

impl<'a> Drawn<'a> {
    /// That of a run's state.
    pub(super) fn of(run: &Run, state: &'a State, writer: &Writer) -> Drawn<'a> {
        let selection = &run.selection;
        let beside = |field: &&Field| !matches!(field, Field::Density | Field::Velocity);
        let in_plane = state.size[2] == 1;
        let others = selection.fields().iter().filter(beside).map(|&field| {
            let (components, values) = writer.values(field, state);
            let one: Vec<f64> = match (components, field) {
                (3, Field::Vorticity) if in_plane => values.iter().skip(2).step_by(3).copied().collect(),
                (3, _) => values.as_chunks().0.iter().map(speed).collect(),
                _ => values.into_owned(),
            };
            let (mut one, scale) = (selection.cut(1, &one).into_owned(), field.scale(run.units.as_ref()));
            one.iter_mut().for_each(|value| *value *= scale);
            (field, one)
        });
        let solid = writer.solid().map(|solid| selection.cut(1, solid).into_owned());
        Drawn { others: others.collect(), solid, state: selection.cut_state(state) }
    }

    /// Writes the speed in a plane, other fields that are set, and of a box with solids the speed in the three middle planes.
    ///
    /// # Errors
    /// What could not be written.
    pub(super) fn write(&self, run: &Run, folder: &Path) -> Result<Vec<PathBuf>, Error> {
        let (selection, size, units) = (&run.selection, self.state.size, run.units.as_ref());
        let across = selection.across();
        let plane = Plane::across(across).of_part(selection.origin(), selection.spacing());
        // What lies in one plane is a layer of nodes.
        let mut layer = size;
        layer[across] = 1;
        let velocity = plane.cut(size, &self.state.velocity);
        let (speeds, planes) = (speeds(run, &velocity), [plane]);
        let solid = self.solid.as_ref().map(|solid| plane.cut(size, solid));
        let picture = Picture {
            size: layer,
            planes: &planes,
            scalar: Some(&speeds),
            velocity: Some(&velocity),
            solid: solid.as_deref(),
            title: &run.title,
            subtitle: &format!("{}, step {}", place(run, across), self.state.step),
            label: SPEED,
            colouring: Colouring::default(),
        };
        let mut written = vec![folder.join("speed.png")];
        write_picture(&written[0], &picture)?;
        for (field, values) in &self.others {
            let path = folder.join(format!("{}.png", field.name()));
            let (values, label) = (plane.cut(size, values), field.label(units));
            let (scalar, label, colouring) = (Some(&values[..]), &label[..], field.colouring());
            write_picture(&path, &Picture { scalar, velocity: None, label, colouring, ..picture })?;
            written.push(path);
        }
        written.extend(self.slices(run, folder)?);
        Ok(written)
    }

    /// Writes the speed in the three middle planes of a box with solids: its path.
    fn slices(&self, run: &Run, folder: &Path) -> Result<Option<PathBuf>, Error> {
        let (selection, size) = (&run.selection, self.state.size);
        if size[2] == 1 || self.solid.is_none() {
            return Ok(None);
        }
        let [x, y, z] = [0, 1, 2].map(|axis| selection.middle(axis));
        let (path, speeds) = (folder.join("slices.png"), speeds(run, &self.state.velocity));
        let picture = Picture {
            size,
            planes: &Plane::ALL.map(|plane| plane.of_part(selection.origin(), selection.spacing())),
            scalar: Some(&speeds),
            solid: self.solid.as_deref(),
            title: &run.title,
            subtitle: &format!("planes z = {z}, y = {y}, x = {x}, step {}", self.state.step),
            label: SPEED,
            ..Picture::default()
        };
        write_picture(&path, &picture)?;
        Ok(Some(path))
    }
}

/// What the colour bar of the speed says.
const SPEED: &str = "speed / U";

/// The speeds of velocities, over that which the settings give.
fn speeds(run: &Run, velocity: &[[f64; 3]]) -> Vec<f64> {
    velocity.iter().map(|u| speed(u) / run.settings.velocity()).collect()
}

/// Where the middle plane across an axis is: `plane y = 12 of 48 x 1 x 24 nodes from (0, 12, 0)`; of a flow in two dimensions the nodes alone.
fn place(run: &Run, across: usize) -> String {
    let nodes = run.selection.words();
    match run.simulation.size()[2] {
        1 => nodes,
        _ => format!("plane {} = {} of {nodes}", AXES[across], run.selection.middle(across)),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::cases::{Settings, find};

    /// A flow at rest, as it begins, with what is drawn of it, and its folder.
    fn begun(case: &str, settings: &str) -> (Run, State, Writer, tempfile::TempDir) {
        let (case, folder) = (find(case).unwrap(), tempfile::tempdir().unwrap());
        let run = Run::new(case, Settings::with(case, settings).unwrap()).unwrap();
        let (state, writer) = (run.state().unwrap(), Writer::new(folder.path(), &run));
        (run, state, writer, folder)
    }

    /// The height of a picture, as its header has it.
    fn height(path: &Path) -> u32 {
        u32::from_be_bytes(fs::read(path).unwrap()[20..24].try_into().unwrap())
    }

    #[test]
    fn a_region_is_drawn_across_its_thinnest_axis() {
        let (run, state, writer, folder) = begun("duct", "size=16 region=,12:13,");
        let [nx, _, nz] = run.simulation.size();
        let subtitle = format!("plane y = 12 of {nx} x 1 x {nz} nodes from (0, 12, 0)");
        assert_eq!(place(&run, run.selection.across()), subtitle);
        Drawn::of(&run, &state, &writer).write(&run, folder.path()).unwrap();
        // A strip of one node would have 200 pixels with all that stands around it.
        let drawn = height(&folder.path().join("speed.png"));
        assert!(drawn > 400, "{drawn}");
    }

    #[test]
    fn fields_are_drawn_in_the_units_of_files() {
        let physical = "physical_length=0.1 physical_viscosity=1e-6";
        let (run, mut state, writer, _) = begun("couette2d", &format!("size=16 fields=pressure {physical}"));
        state.density[4..6].copy_from_slice(&[1.0, 1.03]);
        let (units, drawn) = (run.units.unwrap(), Drawn::of(&run, &state, &writer));
        let (field, values) = &drawn.others[0];
        assert_eq!((*field, values[4]), (Field::Pressure, 0.0));
        let expected = units.pressure_of_density(1.03);
        assert!((values[5] / expected - 1.0).abs() < 1e-12, "{} {expected}", values[5]);
    }
}
