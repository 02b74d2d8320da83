//! What a viewer wishes to see.

use serde::{Deserialize, Serialize};

use super::event::check_slice;
use super::within;
use crate::flow::{About, Refusal};

/// The widest and highest picture.
const LARGEST_SIDE: u16 = 8192;
/// The most pixels of a picture.
const MOST_PIXELS: f64 = 4_194_304.0;

/// What a viewer wishes to see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// One of the fields of [`About`].
    pub field: String,
    /// What part of the slice's plane, in nodes: low x, low y, high x, high y.
    pub region: [f64; 4],
    /// Pixels of the picture along x.
    pub width: u16,
    /// Pixels of the picture along y.
    pub height: u16,
    /// The index of the slice along `axis`; a flow is always given one, a viewer that sends none gets the middle.
    #[serde(default)]
    pub slice: Option<u32>,
    /// The direction across the slice: 2 in two dimensions.
    #[serde(default = "across_z")]
    pub axis: u8,
    /// Values of the lowest and highest colour; `None` follows the flow.
    #[serde(default)]
    pub range: Option<[f64; 2]>,
    /// Whether particles are wished for.
    #[serde(default)]
    pub particles: bool,
    /// Whether streaklines are wished for.
    #[serde(default)]
    pub streaks: bool,
}

fn across_z() -> u8 {
    2
}

impl View {
    /// All of the middle slice across z, its first field, at most 1024 pixels wide and high.
    #[must_use]
    pub fn whole(about: &About) -> View {
        let [x, y] = about.plane(2);
        let (width, height) = (x.min(1024) as u16, y.min(1024) as u16);
        View {
            field: about.fields.first().cloned().unwrap_or_default(),
            region: [0.0, 0.0, f64::from(x), f64::from(y)],
            width,
            height,
            slice: Some(about.size[2] / 2),
            axis: 2,
            range: None,
            particles: false,
            streaks: false,
        }
    }

    /// The index of the slice.
    #[must_use]
    pub fn slice(&self) -> u32 {
        self.slice.unwrap_or(0)
    }

    /// Checks every number, names the slice, cuts the region to the plane and scales the picture down to at most 4 Mi pixels.
    ///
    /// # Errors
    /// With the value, the allowed range and the remedy.
    pub(crate) fn checked(mut self, about: &About) -> Result<View, Refusal> {
        if !about.fields.contains(&self.field) {
            let field: String = self.field.chars().take(40).collect();
            let fields = about.fields.join(", ");
            return Err(Refusal::new(format!("there is no field {field:?}: take one of {fields}")));
        }
        for (name, pixels) in [("width", self.width), ("height", self.height)] {
            within(name, f64::from(pixels), 1.0, f64::from(LARGEST_SIDE))?;
        }
        let pixels = f64::from(self.width) * f64::from(self.height);
        if pixels > MOST_PIXELS {
            let scale = (MOST_PIXELS / pixels).sqrt();
            let shrunk = |side: u16| (f64::from(side) * scale).max(1.0) as u16;
            (self.width, self.height) = (shrunk(self.width), shrunk(self.height));
        }
        // The middle of an axis that is none lies nowhere: the check says so.
        let middle = about.size.get(usize::from(self.axis)).map_or(0, |nodes| nodes / 2);
        let slice = *self.slice.get_or_insert(middle);
        check_slice(about, self.axis, slice)?;
        let plane = about.plane(self.axis).map(f64::from);
        for direction in 0..2 {
            let (low, high) = (self.region[direction], self.region[direction + 2]);
            let cut = [low, high].map(|end| end.clamp(0.0, plane[direction]));
            if !low.is_finite() || !high.is_finite() || cut[0] >= cut[1] {
                return Err(Refusal::new(format!(
                    "region = {:?} shows nothing: give low x, low y, high x, high y within {plane:?}",
                    self.region
                )));
            }
            [self.region[direction], self.region[direction + 2]] = cut;
        }
        if let Some([low, high]) = self.range {
            // Bytes on the wire have single precision.
            let finite = [low, high].iter().all(|end| end.abs() <= f64::from(f32::MAX));
            if !finite || low >= high {
                return Err(Refusal::new(format!(
                    "range = [{low}, {high}]: give a low value, then a higher one, or null to follow the flow"
                )));
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(size: [u32; 3]) -> About {
        let fields = vec!["speed".to_owned()];
        let (title, case, device) = Default::default();
        About { title, case, size, fields, sliders: Vec::new(), device, can_draw: Ok(()) }
    }

    fn view(change: impl FnOnce(&mut View)) -> View {
        let mut view = View::whole(&about([64, 32, 1]));
        change(&mut view);
        view
    }

    #[test]
    fn regions_are_cut_to_the_plane() {
        let cut = view(|view| view.region = [-3.0, 4.0, 70.0, 1e9]).checked(&about([64, 32, 1])).unwrap();
        assert_eq!(cut.region, [0.0, 4.0, 64.0, 32.0]);
    }

    #[test]
    fn slices_are_named_and_bounded() {
        let deep = about([8, 6, 4]);
        let middle = |axis| {
            let view = view(|view| (view.axis, view.slice, view.region) = (axis, None, [0.0, 0.0, 2.0, 2.0]));
            view.checked(&deep).map(|view| view.slice())
        };
        assert_eq!([middle(0), middle(1), middle(2)], [Ok(4), Ok(3), Ok(2)]);
        assert_eq!(middle(3).unwrap_err().to_string(), "axis = 3 is out of range: give one of [0, 1, 2]");
        let beyond = view(|view| (view.axis, view.slice) = (2, Some(4))).checked(&deep).unwrap_err();
        assert_eq!(beyond.to_string(), "slice = 4 is out of range: give 0 to 3");
        assert!(
            view(|view| view.axis = 0).checked(&about([64, 32, 1])).is_err(),
            "two dimensions have one plane"
        );
    }

    #[test]
    fn large_pictures_are_scaled_down() {
        let large =
            view(|view| (view.width, view.height) = (8192, 4096)).checked(&about([64, 32, 1])).unwrap();
        assert_eq!((large.width, large.height), (2896, 1448));
        let flat = view(|view| (view.width, view.height) = (8192, 1)).checked(&about([64, 32, 1])).unwrap();
        assert_eq!((flat.width, flat.height), (8192, 1));
    }

    #[test]
    fn wrong_views_are_refused() {
        let refused = |change: fn(&mut View), part: &str| {
            let message = view(change).checked(&about([64, 32, 1])).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        };
        refused(|view| view.field = "heat".to_owned(), "take one of speed");
        refused(|view| view.width = 0, "width = 0");
        refused(|view| view.height = 9000, "1 to 8192");
        refused(|view| view.region = [5.0, 0.0, 5.0, 1.0], "shows nothing");
        refused(|view| view.region = [90.0, 0.0, 95.0, 1.0], "within [64.0, 32.0]");
        refused(|view| view.region[2] = f64::NAN, "shows nothing");
        refused(|view| view.range = Some([1.0, 1.0]), "low value");
        refused(|view| view.range = Some([0.0, 1e300]), "null");
    }
}
