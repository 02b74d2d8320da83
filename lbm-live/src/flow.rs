//! What is seen and steered: the trait of a flow, what it says of itself, and a picture of it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

use crate::protocol::{Event, View};

/// A flow that runs while people look at it.
///
/// All calls come from the one thread that drives it, so it needs no locks. Between two calls of [`run`](Flow::run) the state is that
/// after a whole number of steps.
pub trait Flow {
    /// What it is. Asked once, before anything else: it does not change afterwards.
    fn about(&self) -> About;

    /// Applies an event between two steps. Where it is done but for a part, or leaves all as it is, gives why: who asked for it reads that.
    ///
    /// # Errors
    /// With the reason and a remedy, when it cannot be done. The flow is then as before.
    fn apply(&mut self, event: &Event) -> Result<Option<Refusal>, Refusal>;

    /// Runs this many steps and returns when they are done: the time of this call is the time of the steps.
    ///
    /// # Errors
    /// When the flow diverged or its device failed. It then waits for [`Event::Reset`] or a checkpoint.
    fn run(&mut self, steps: u64) -> Result<(), Fault>;

    /// How many steps lie between its beginning and its present state.
    fn steps_done(&self) -> u64;

    /// The numbers of its present state. Asked ten times a second at most, while somebody looks.
    fn status(&mut self) -> FlowStatus;

    /// A picture of what `view` wishes. A flow that makes pictures beside its steps starts one and gives `None`; it is asked again after
    /// the next steps until it gives one, and no second one is started meanwhile; then it may be asked for the next at once. One that was
    /// started before an event is shown, too, as the flow was then, and another one is asked for at once.
    ///
    /// # Errors
    /// When the flow diverged or its device failed.
    fn picture(&mut self, view: &View) -> Result<Option<Picture>, Fault>;

    /// All of its state, as a checkpoint.
    ///
    /// # Errors
    /// When it has none to give.
    fn save(&mut self) -> Result<Vec<u8>, Refusal>;

    /// Continues from a checkpoint.
    ///
    /// # Errors
    /// When these bytes are no checkpoint of this flow. The flow is then as before.
    fn load(&mut self, checkpoint: &[u8]) -> Result<(), Refusal>;
}

/// Why something cannot be done, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(String);

impl Refusal {
    /// A refusal with this reason.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Refusal {
        Refusal(reason.into())
    }
}

/// What went wrong in a flow, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(String);

impl Fault {
    /// A fault with this message.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Fault {
        Fault(message.into())
    }
}

/// What a flow is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct About {
    /// What the page has as its title.
    pub title: String,
    /// The name of the case.
    pub case: String,
    /// Nodes along x, y and z; one along z in two dimensions.
    pub size: [u32; 3],
    /// Names of what can be shown, e.g. `speed`, at least one.
    pub fields: Vec<String>,
    /// Parameters that can be changed while it runs.
    pub sliders: Vec<Slider>,
    /// Where it runs.
    pub device: String,
    /// Whether obstacles can be drawn; if not, why not and what to do.
    #[serde(serialize_with = "true_or_reason")]
    pub can_draw: Result<(), String>,
}

/// A parameter that can be changed while a flow runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Slider {
    /// What [`Event::Set`] calls it.
    pub name: String,
    /// What people read.
    pub label: String,
    /// Its value at the beginning.
    pub value: f64,
    /// The smallest value allowed.
    pub low: f64,
    /// The largest value allowed.
    pub high: f64,
    /// Whether equal ways of the slider multiply its value by equal factors.
    pub logarithmic: bool,
}

/// The numbers of a flow's present state.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FlowStatus {
    /// The Reynolds number, if there is a length to build it with.
    pub reynolds: Option<f64>,
    /// The drag on what was drawn.
    pub drag: Option<f64>,
    /// The lift on what was drawn.
    pub lift: Option<f64>,
    /// The present values of the sliders, by name.
    pub values: BTreeMap<String, f64>,
    /// How many draws can be taken back.
    pub undo: u32,
}

/// A picture of a flow, with a byte a pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// What it was made for: its field, region, width and height.
    pub view: View,
    /// The step of the state that it shows.
    pub step: u64,
    /// The value of byte 0.
    pub low: f32,
    /// The value of byte 255.
    pub high: f32,
    /// Values row by row, the row of the largest y first.
    pub values: Vec<u8>,
    /// Which pixels are solid; `None` if they are those of the picture before.
    pub mask: Option<Mask>,
    /// Places of particles over the region, 0 at its low and 65535 at its high end.
    pub particles: Option<Vec<[u16; 2]>>,
    /// Streaklines: through places of particles that one source let go, the newest first.
    pub streaks: Option<Vec<Vec<[u16; 2]>>>,
}

/// A bit a pixel, row by row from the top, the most significant bit first, rows padded to bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    /// The bits.
    pub bits: Vec<u8>,
}

impl Mask {
    /// Packs which pixels are solid, given by column and row from the top.
    #[must_use]
    pub fn new(width: u16, height: u16, solid: impl Fn(usize, usize) -> bool) -> Mask {
        let (width, height) = (usize::from(width), usize::from(height));
        let bytes = width.div_ceil(8);
        let mut bits = vec![0; bytes * height];
        for row in 0..height {
            for column in (0..width).filter(|&column| solid(column, row)) {
                bits[row * bytes + column / 8] |= 0x80 >> (column % 8);
            }
        }
        Mask { bits }
    }
}

impl Picture {
    /// Checks that its bytes are as many as its view asks for.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        let (width, height) = (usize::from(self.view.width), usize::from(self.view.height));
        let mask = self.mask.as_ref().map(|mask| mask.bits.len());
        for (what, found, wanted) in [
            ("values", Some(self.values.len()), width * height),
            ("bytes of the mask", mask, width.div_ceil(8) * height),
        ] {
            if found.is_some_and(|found| found != wanted) {
                let found = found.unwrap_or_default();
                return Err(Fault::new(format!(
                    "a picture of {width} x {height} has {found} {what}, not {wanted}: the flow makes it wrongly"
                )));
            }
        }
        Ok(())
    }
}

/// The two directions of a slice across `axis` (0 to 2): the others, in ascending order.
#[must_use]
pub fn directions_of_slice(axis: usize) -> [usize; 2] {
    match axis {
        0 => [1, 2],
        1 => [0, 2],
        _ => [0, 1],
    }
}

impl About {
    /// Nodes along the [directions](directions_of_slice) of a slice across `axis` (0 to 2).
    #[must_use]
    pub fn plane(&self, axis: u8) -> [u32; 2] {
        directions_of_slice(usize::from(axis)).map(|direction| self.size[direction])
    }

    /// Checks what a flow says of itself.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.size.contains(&0) {
            return Err(format!(
                "the size {:?} has no nodes: give at least 1 along each direction",
                self.size
            ));
        }
        if self.fields.is_empty() || self.fields.len() > 255 {
            return Err(format!("{} fields: give 1 to 255", self.fields.len()));
        }
        for slider in &self.sliders {
            let Slider { name, value, low, high, logarithmic, .. } = slider;
            let finite = [value, low, high].into_iter().all(|number| number.is_finite());
            if !finite || low > value || value > high || (*logarithmic && *low <= 0.0) {
                return Err(format!(
                    "the slider {name} is at {value} of {low} to {high}: give finite numbers in ascending order, \
                     above 0 if it is logarithmic"
                ));
            }
        }
        let names: BTreeSet<&str> = self.sliders.iter().map(|slider| slider.name.as_str()).collect();
        if names.len() < self.sliders.len() {
            return Err("two sliders have the same name: give each its own".to_owned());
        }
        Ok(())
    }
}

fn true_or_reason<S: Serializer>(can_draw: &Result<(), String>, to: S) -> Result<S::Ok, S::Error> {
    match can_draw {
        Ok(()) => to.serialize_bool(true),
        Err(reason) => to.serialize_str(reason),
    }
}
