//! What of a flow is written: which fields, of which part of the box, and of every how many nodes.

mod field;
mod in_pieces;

use std::borrow::Cow;
use std::ops::Range;

use lbm_core::Error;
use lbm_core::units::UnitConverter;

use super::settings::Settings;
use super::shown::Scalar;
use super::state::State;
use crate::output::{FieldArray, Numbers};
pub(super) use field::Field;

/// What is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Selection {
    fields: Vec<Field>,
    /// Nodes of the whole box.
    size: [usize; 3],
    region: [Range<usize>; 3],
    every: usize,
}

impl Selection {
    /// What the settings `fields`, `region` and `every` say of a box, of a case that shows a scalar or none.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a field, [`Error::OutOfRange`] for a region that is not in the box.
    pub(super) fn of(
        settings: &Settings,
        scalar: Option<&'static Scalar>,
        size: [usize; 3],
    ) -> Result<Selection, Error> {
        let mut fields = match settings.text("fields") {
            Some(names) => {
                names.split(',').map(|name| field(name, scalar)).collect::<Result<Vec<_>, Error>>()?
            }
            None => scalar.map(Field::Scalar).into_iter().chain([Field::Density, Field::Velocity]).collect(),
        };
        let mut seen = Vec::new();
        fields.retain(|field| {
            !seen.contains(field) && {
                seen.push(*field);
                true
            }
        });
        let region =
            settings.text("region").map_or_else(|| Ok(size.map(|n| 0..n)), |text| region(text, size))?;
        let every = usize::try_from(settings.integer("every")).unwrap_or(usize::MAX);
        Ok(Selection { fields, size, region, every })
    }

    /// The fields.
    pub(super) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Whether this field is one of them.
    pub(super) fn has(&self, field: Field) -> bool {
        self.fields.contains(&field)
    }

    /// Nodes that are written, along x, y, z.
    pub(super) fn extent(&self) -> [usize; 3] {
        self.region.clone().map(|range| range.len().div_ceil(self.every))
    }

    /// Whether all nodes are written.
    pub(super) fn is_whole(&self) -> bool {
        self.extent() == self.size
    }

    /// Whether all but a part of the box is left out.
    fn is_part(&self) -> bool {
        self.region.iter().zip(self.size).any(|(range, nodes)| range.len() < nodes)
    }

    /// The axis that pictures are across: that along which a part of the box is thinnest, z where none is thinner, and of the whole box.
    pub(super) fn across(&self) -> usize {
        let extent = self.extent();
        let thinnest = (0..3).rev().min_by_key(|&axis| extent[axis]);
        thinnest.filter(|_| self.is_part()).unwrap_or(2)
    }

    /// The place in the box of the plane in its middle across an axis.
    pub(super) fn middle(&self, axis: usize) -> usize {
        self.region[axis].start + self.extent()[axis] / 2 * self.every
    }

    /// How many nodes are written, and of a part of the box where it begins: `48 x 1 x 24 nodes from (0, 12, 0)`.
    pub(super) fn words(&self) -> String {
        let axes = if self.size[2] == 1 { 2 } else { 3 };
        let list = |numbers: [usize; 3], between: &str| {
            numbers[..axes].iter().map(usize::to_string).collect::<Vec<_>>().join(between)
        };
        let nodes = format!("{} nodes", list(self.extent(), " x "));
        let first = self.region.each_ref().map(|range| range.start);
        if self.is_part() { format!("{nodes} from ({})", list(first, ", ")) } else { nodes }
    }

    /// Where the image of the nodes begins, in node spacings: a cell is as wide as nodes are apart, with its node in the middle.
    pub(super) fn origin(&self) -> [f64; 3] {
        self.region.clone().map(|range| range.start as f64 + 0.5 - self.spacing() / 2.0)
    }

    /// What of it lies among the nodes of a part of the box, and the number of the first node that is written there, along x, y, z; none where nothing does.
    pub(super) fn within(&self, low: [usize; 3], size: [usize; 3]) -> Option<(Selection, [usize; 3])> {
        let first =
            [0, 1, 2].map(|axis| low[axis].saturating_sub(self.region[axis].start).div_ceil(self.every));
        let region = [0, 1, 2].map(|axis| {
            let range = &self.region[axis];
            range.start.saturating_add(first[axis].saturating_mul(self.every))
                ..range.end.min(low[axis] + size[axis])
        });
        let is_some = region.iter().all(|range| range.start < range.end);
        is_some.then(|| (Selection { region, ..self.clone() }, first))
    }

    /// The distance of the nodes that are written, in node spacings.
    pub(super) fn spacing(&self) -> f64 {
        self.every as f64
    }

    /// The values, so many of each, of the nodes that are written.
    pub(super) fn cut<'a, T: Copy>(&self, components: usize, all: &'a [T]) -> Cow<'a, [T]>
    where
        [T]: ToOwned<Owned = Vec<T>>,
    {
        if self.is_whole() {
            return Cow::Borrowed(all);
        }
        let [x, y, z] = self.region.clone().map(|range| range.step_by(self.every));
        let nodes = z.flat_map(|z| {
            let x = x.clone();
            y.clone().flat_map(move |y| x.clone().map(move |x| [x, y, z]))
        });
        let index = |[x, y, z]: [usize; 3]| x + self.size[0] * (y + self.size[1] * z);
        Cow::Owned(nodes.flat_map(|node| &all[components * index(node)..][..components]).copied().collect())
    }

    /// The same of a state.
    pub(super) fn cut_state<'a>(&self, state: &'a State) -> Cow<'a, State> {
        if self.is_whole() {
            return Cow::Borrowed(state);
        }
        Cow::Owned(State {
            size: self.extent(),
            step: state.step,
            density: self.cut(1, &state.density).into_owned(),
            velocity: self.cut(1, &state.velocity).into_owned(),
            wall_shear_stress: self.cut_if_there(&state.wall_shear_stress),
            scalar: self.cut_if_there(&state.scalar),
        })
    }

    /// The values of the nodes that are written; none of none.
    fn cut_if_there<T: Copy>(&self, all: &[T]) -> Vec<T> {
        if all.is_empty() { Vec::new() } else { self.cut(1, all).into_owned() }
    }

    /// The arrays of these fields for a file, of numbers of the nodes that are written, so many of each.
    pub(super) fn arrays<'a>(
        &self,
        numbers: &[(usize, Numbers<'a>)],
        units: Option<&UnitConverter>,
    ) -> Vec<FieldArray<'a>> {
        let array = |(field, &(components, values)): (&Field, &(usize, Numbers<'a>))| FieldArray {
            name: field.name(),
            components,
            values,
            scale: field.scale(units),
        };
        self.fields.iter().zip(numbers).map(array).collect()
    }
}

fn field(name: &str, scalar: Option<&'static Scalar>) -> Result<Field, Error> {
    let known: Vec<Field> = scalar.map(Field::Scalar).into_iter().chain(Field::ALL).collect();
    known.iter().copied().find(|field| field.name() == name.trim()).ok_or_else(|| {
        let names: Vec<_> = known.iter().map(|field| field.name()).collect();
        let listed = format!("the fields are: {}", names.join(", "));
        Error::unknown("field", name, names, listed)
    })
}

/// The ranges of a region, `x0:x1,y0:y1,z0:z1`; those that are left out or empty are the box's.
fn region(text: &str, size: [usize; 3]) -> Result<[Range<usize>; 3], Error> {
    let whole = size.map(|n| 0..n);
    let refused = |what: &str| {
        let [nx, ny, nz] = size;
        Error::out_of_range(
            "region",
            what,
            format!("ranges FIRST:END along x, y, z within 0:{nx},0:{ny},0:{nz}"),
            "give the first node and the one behind the last, e.g. region=10:50,0:20",
        )
    };
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() > 3 {
        return Err(refused(text));
    }
    let mut ranges = whole.clone();
    for (axis, part) in parts.into_iter().enumerate().filter(|(_, part)| !part.is_empty()) {
        let ends = part.split_once(':').map(|(first, end)| [first.trim().parse(), end.trim().parse()]);
        let Some([Ok(first), Ok(end)]) = ends else { return Err(refused(part)) };
        if first >= end || end > size[axis] {
            return Err(refused(part));
        }
        ranges[axis] = first..end;
    }
    Ok(ranges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::case::find;

    pub(super) fn selection(pairs: &str, size: [usize; 3]) -> Result<Selection, Error> {
        Selection::of(&Settings::with(find("cavity2d").unwrap(), pairs).unwrap(), None, size)
    }

    #[test]
    fn a_part_of_a_box_is_cut_out() {
        let whole = selection("", [8, 6, 1]).unwrap();
        let numbers: Vec<usize> = (0..48).collect();
        assert!(whole.is_whole() && whole.cut(1, &numbers)[..] == numbers);
        assert_eq!((whole.origin(), whole.spacing()), ([0.0; 3], 1.0));
        let part = selection("region=2:7,1:5 every=2", [8, 6, 1]).unwrap();
        assert_eq!(part.extent(), [3, 2, 1]);
        let nodes = [10, 12, 14, 26, 28, 30];
        assert_eq!(part.cut(1, &numbers)[..], nodes);
        // Cells of two spacings with the nodes in their middles: that of node 2 begins at 1.5.
        assert_eq!(part.origin(), [1.5, 0.5, -0.5]);
        let pairs: Vec<usize> = (0..96).map(|n| n / 2).collect();
        assert_eq!(part.cut(2, &pairs)[..4], [10, 10, 12, 12]);
        let all = selection("fields=q,pressure,q,velocity region=,2:3", [8, 6, 1]).unwrap();
        assert_eq!(all.fields(), [Field::Q, Field::Pressure, Field::Velocity]);
        assert_eq!(all.extent(), [8, 1, 1]);
    }

    #[test]
    fn a_part_of_a_box_is_shown_across_its_thinnest_axis() {
        let shown = |pairs: &str, size: [usize; 3]| {
            let selection = selection(pairs, size).unwrap();
            (selection.across(), selection.middle(selection.across()), selection.words())
        };
        let said = |across: usize, middle: usize, words: &str| (across, middle, words.to_owned());
        let size = [48, 20, 24];
        assert_eq!(shown("", size), said(2, 12, "48 x 20 x 24 nodes"));
        assert_eq!(shown("every=2", size), said(2, 12, "24 x 10 x 12 nodes"));
        assert_eq!(shown("region=0:48,12:13,0:24", size), said(1, 12, "48 x 1 x 24 nodes from (0, 12, 0)"));
        assert_eq!(shown("region=8:20,4:16,10:22", size), said(2, 16, "12 x 12 x 12 nodes from (8, 4, 10)"));
        assert_eq!(shown("region=30:36 every=2", size), said(0, 32, "3 x 10 x 12 nodes from (30, 0, 0)"));
        assert_eq!(shown("region=2:7,3:4", [8, 6, 1]), said(2, 0, "5 x 1 nodes from (2, 3)"));
    }

    #[test]
    fn parts_of_the_box_have_each_node_that_is_written_once() {
        let size = [8, 6, 3];
        for pairs in ["", "region=2:7,1:5 every=2", "every=3", "region=5:8 every=100"] {
            let whole = selection(pairs, size).unwrap();
            let [nx, ny, nz] = whole.extent();
            let mut found = vec![usize::MAX; nx * ny * nz];
            let numbers: Vec<usize> = (0..144).collect();
            for low in [[0, 0, 0], [3, 0, 0], [0, 4, 0], [3, 4, 0]] {
                let ends = [if low[0] == 0 { 3 } else { 8 }, if low[1] == 0 { 4 } else { 6 }, 3];
                let Some((part, first)) = whole.within(low, [0, 1, 2].map(|axis| ends[axis] - low[axis]))
                else {
                    continue;
                };
                let count = part.extent();
                for (n, &node) in part.cut(1, &numbers).iter().enumerate() {
                    let at = [n % count[0], n / count[0] % count[1], n / count[0] / count[1]];
                    let [x, y, z] = [0, 1, 2].map(|axis| at[axis] + first[axis]);
                    let place = &mut found[x + nx * (y + ny * z)];
                    assert_eq!(std::mem::replace(place, node), usize::MAX, "{pairs}");
                }
            }
            assert_eq!(found, whole.cut(1, &numbers)[..], "{pairs}");
        }
    }

    #[test]
    fn what_the_box_has_not_is_refused() {
        for (pairs, said) in [
            ("fields=vortcity", "did you mean `vorticity`?"),
            ("region=2:9", "within 0:8,0:6,0:1"),
            ("region=5:2", "region = 5:2"),
            ("region=5", "region = 5"),
            ("region=0:1,0:1,0:1,0:1", "FIRST:END"),
        ] {
            let message = selection(pairs, [8, 6, 1]).expect_err(pairs).to_string();
            assert!(message.contains(said), "`{said}` is not in: {message}");
        }
    }
}
