//! What changes a flow between two steps, and is recorded.

use serde::{Deserialize, Serialize};

use super::{Shape, within};
use crate::flow::{About, Refusal};

/// What changes a flow between two steps. The same events in the same steps give the same flow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// Adds an obstacle or erases.
    Draw {
        /// Which nodes of the slice's plane.
        shape: Shape,
        /// Whether these nodes become solid; if not, they become fluid.
        solid: bool,
        /// The direction across the slice that was drawn on: 2 in two dimensions.
        axis: u8,
        /// The index of that slice along `axis`.
        slice: u32,
    },
    /// Takes back the last draw.
    Undo {},
    /// Gives a parameter a value.
    Set {
        /// One of the sliders of [`About`].
        name: String,
        /// Its new value, within the slider's range.
        value: f64,
    },
    /// Returns to the flow of the beginning, without obstacles that were drawn.
    Reset {},
}

impl Event {
    /// Checks every number against bounds and against the flow that it is for.
    ///
    /// # Errors
    /// With the value, the allowed range and the remedy.
    pub fn check(&self, about: &About) -> Result<(), Refusal> {
        match self {
            Event::Draw { shape, axis, slice, .. } => {
                if let Err(reason) = &about.can_draw {
                    return Err(Refusal::new(reason));
                }
                shape.check()?;
                check_slice(about, *axis, *slice)
            }
            Event::Set { name, value } => match about.sliders.iter().find(|slider| slider.name == *name) {
                Some(slider) => within(name, *value, slider.low, slider.high),
                None => {
                    let names: Vec<&str> = about.sliders.iter().map(|slider| slider.name.as_str()).collect();
                    let name: String = name.chars().take(40).collect();
                    Err(Refusal::new(format!(
                        "there is no slider {name:?}: take one of {}",
                        names.join(", ")
                    )))
                }
            },
            Event::Undo {} | Event::Reset {} => Ok(()),
        }
    }
}

/// Checks that a flow has this slice.
pub(super) fn check_slice(about: &About, axis: u8, slice: u32) -> Result<(), Refusal> {
    let axes: &[u8] = if about.size[2] == 1 { &[2] } else { &[0, 1, 2] };
    if !axes.contains(&axis) {
        return Err(Refusal::new(format!("axis = {axis} is out of range: give one of {axes:?}")));
    }
    let slices = about.size[usize::from(axis)];
    if slice >= slices {
        return Err(Refusal::new(format!("slice = {slice} is out of range: give 0 to {}", slices - 1)));
    }
    Ok(())
}
