//! Boundary rules with their values, as a flow is given them.

use std::fmt;
use std::sync::Arc;

use lbm_core::domain::AppliedRule;
use lbm_core::facts::LatticeFacts;
use lbm_core::rules::{Course, Frames, Stands};
use lbm_core::{Boundary, Error, Face, FaceRule, RuleFacts};

use super::problem::Problem;
use super::rule_values::{Given, Value, values};

/// Where a rule stands: the fluid node, and the point of the wall, in node spacings; the centre of node `[i, j, k]` is
/// `[i + 1/2, j + 1/2, k + 1/2]`, as for shapes.
pub(super) type Place = ([usize; 3], [f64; 3]);

/// A boundary rule and the values of its parameters.
#[derive(Clone)]
pub struct PlacedRule {
    pub(super) label: String,
    pub(super) values: Vec<Given>,
    /// Whether it holds before walls beside its face.
    pub(super) before_walls: bool,
}

impl fmt::Debug for PlacedRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.values.iter().map(|given| &given.parameter);
        f.debug_struct("PlacedRule")
            .field("rule", &self.label)
            .field("values", &names.collect::<Vec<_>>())
            .finish()
    }
}

impl PlacedRule {
    /// The same for a set of populations of a model: `FixedValue.with("value", [1.0]).of("heat")`.
    #[must_use]
    pub fn of(self, set: &str) -> PlacedRule {
        PlacedRule { label: format!("{set}.{}", self.label), ..self }
    }

    /// Words that say what it is, but for values that differ from place to place: alike in all processes that place it alike.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let values = self.values.iter().flat_map(|given| {
            let same = given.value.same().unwrap_or_default().iter().map(|value| value.to_bits());
            given.parameter.bytes().map(u64::from).chain(same)
        });
        self.label.bytes().map(u64::from).chain([u64::from(self.before_walls)]).chain(values)
    }

    /// The rule of this name in small letters, e.g. `zou-he-velocity`.
    #[must_use]
    pub fn named(label: &str) -> PlacedRule {
        PlacedRule { label: label.to_owned(), values: Vec::new(), before_walls: false }
    }

    /// The rule's name.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// The same with a value at all nodes: a number is `[x]`, a vector has one along each axis of the lattice. The last one of a
    /// name counts.
    #[must_use]
    pub fn with(self, parameter: &str, value: impl AsRef<[f64]>) -> PlacedRule {
        self.given(parameter, Value::Same(value.as_ref().to_vec()))
    }

    /// The same with a value of its own for each node at the face, or for the fluid node of each link.
    #[must_use]
    pub fn with_each<const N: usize>(
        self,
        parameter: &str,
        value: impl Fn([usize; 3]) -> [f64; N] + Send + Sync + 'static,
    ) -> PlacedRule {
        self.given(parameter, Value::Each(Arc::new(move |node| value(node).to_vec())))
    }

    /// The same with a value of its own for each point of the wall: where it cuts a link, or, of a rule of nodes, where it is nearest to a
    /// node at the face, in node spacings. The centre of node `[i, j, k]` is `[i + 1/2, j + 1/2, k + 1/2]`, as for shapes. So a cylinder
    /// rotates, and a profile ends at walls wherever these lie.
    #[must_use]
    pub fn with_at<const N: usize>(
        self,
        parameter: &str,
        value: impl Fn([f64; 3]) -> [f64; N] + Send + Sync + 'static,
    ) -> PlacedRule {
        self.given(parameter, Value::At(Arc::new(move |point| value(point).to_vec())))
    }

    /// The same with the value of this name that was given last in time: it holds where the factor is 1, and where that is 0 the parameter's
    /// default, or 0 without one. So a ramp, a pulse, a table begin from rest. Values in time of one name add up, and come to the last one that is
    /// not in time: a mean and a pulse, or a cosine and a sine, each with a profile of its own. No value may be too fast, or no density, where
    /// each of its factors is the least or the greatest.
    ///
    /// ```
    /// use lbm::prelude::*;
    /// # fn main() -> Result<(), Error> {
    /// let inlet = ZouHeVelocity.with("velocity", [0.05, 0.0]).in_time("velocity", Course::ramp(1000)?);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn in_time(mut self, parameter: &str, course: Course) -> PlacedRule {
        let of_name = |given: &&mut Given| given.parameter == parameter && given.course.is_none();
        match self.values.iter_mut().rev().find(of_name) {
            Some(given) => {
                given.course = Some(course);
                self
            }
            // A value of no numbers is refused when the flow is built.
            None => self.given(parameter, Value::Same(Vec::new())).in_time(parameter, course),
        }
    }

    /// The same with a value of its own for each point of the wall and each time, whatever it is: `value(point, step)` is that after so many steps, asked for once, at the step
    /// of each frame; between these it goes on a line. Points are as for [`with_at`](PlacedRule::with_at). It adds to others in time, and comes to the last one that is not, or
    /// where there is none is the value itself. What is a sum of few products costs less as such ([`in_time`](PlacedRule::in_time)).
    ///
    /// ```
    /// use lbm::prelude::*;
    /// # fn main() -> Result<(), Error> {
    /// // A jet that goes up and down the face once in 600 steps.
    /// let jet = |[_, y, _]: [f64; 3], step: u64| {
    ///     let middle = 30.0 + 10.0 * (std::f64::consts::TAU * step as f64 / 600.0).sin();
    ///     [0.05 * (-((y - middle) / 4.0).powi(2)).exp(), 0.0]
    /// };
    /// let inlet = ZouHeVelocity.with_frames("velocity", &Frames::repeating(600, 20)?, jet);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_frames<const N: usize>(
        mut self,
        parameter: &str,
        frames: &Frames,
        value: impl Fn([f64; 3], u64) -> [f64; N] + Send + Sync + 'static,
    ) -> PlacedRule {
        let (value, number) = (Arc::new(value), self.values.len());
        for (step, course) in frames.all() {
            let (value, step) = (Arc::clone(&value), *step);
            self =
                self.with_at(parameter, move |point| value(point, step)).in_time(parameter, course.clone());
        }
        self.values[number..].iter_mut().for_each(|given| given.frames = Some(number));
        self
    }

    /// The same rule of nodes, which holds before walls and rules of links beside its face: at an edge it sets what comes from beyond both. Without it a wall
    /// does, and a rule of links, as if they were given before all rules of nodes. Of a model's sets of populations only rules of the first, which flows, can
    /// say so: it holds for all sets whose such a corner is.
    ///
    /// ```
    /// use lbm::prelude::*;
    /// // Lets the fluid in through its corners, too.
    /// let inlet = RegularizedVelocity.with("velocity", [0.05, 0.0]).before_walls();
    /// ```
    #[must_use]
    pub fn before_walls(self) -> PlacedRule {
        PlacedRule { before_walls: true, ..self }
    }

    /// The factors in time of its values.
    #[doc(hidden)]
    pub fn courses(&self) -> impl Iterator<Item = &Course> {
        self.values.iter().filter_map(|given| given.course.as_ref())
    }

    fn given(mut self, parameter: &str, value: Value) -> PlacedRule {
        self.values.push(Given { parameter: parameter.to_owned(), value, course: None, frames: None });
        self
    }
}

/// Gives rules their values.
pub trait WithValues: Boundary {
    /// As [`PlacedRule::with`].
    fn with(self, parameter: &str, value: impl AsRef<[f64]>) -> PlacedRule {
        PlacedRule::from(self).with(parameter, value)
    }

    /// As [`PlacedRule::before_walls`].
    fn before_walls(self) -> PlacedRule {
        PlacedRule::from(self).before_walls()
    }

    /// As [`PlacedRule::of`].
    fn of(self, set: &str) -> PlacedRule {
        PlacedRule::from(self).of(set)
    }

    /// As [`PlacedRule::with_each`].
    fn with_each<const N: usize>(
        self,
        parameter: &str,
        value: impl Fn([usize; 3]) -> [f64; N] + Send + Sync + 'static,
    ) -> PlacedRule {
        PlacedRule::from(self).with_each(parameter, value)
    }

    /// As [`PlacedRule::with_at`].
    fn with_at<const N: usize>(
        self,
        parameter: &str,
        value: impl Fn([f64; 3]) -> [f64; N] + Send + Sync + 'static,
    ) -> PlacedRule {
        PlacedRule::from(self).with_at(parameter, value)
    }

    /// As [`PlacedRule::with_frames`].
    fn with_frames<const N: usize>(
        self,
        parameter: &str,
        frames: &Frames,
        value: impl Fn([f64; 3], u64) -> [f64; N] + Send + Sync + 'static,
    ) -> PlacedRule {
        PlacedRule::from(self).with_frames(parameter, frames, value)
    }
}

impl<B: Boundary> WithValues for B {}

impl<B: Boundary> From<B> for PlacedRule {
    fn from(_: B) -> PlacedRule {
        PlacedRule::named(B::LABEL)
    }
}

/// Puts the rules of a problem in its faces; gives them with all their values.
pub(super) fn apply(
    lattice: &LatticeFacts,
    known: &[RuleFacts],
    size: [usize; 3],
    problem: &mut Problem,
) -> Result<Vec<AppliedRule>, Error> {
    if let Some(face) =
        problem.faces.iter().position(|face| matches!(face, FaceRule::Rule(_) | FaceRule::Patches(_)))
    {
        return Err(Error::conflict(
            format!("face {:?} names a rule by its number", Face::ALL[face]),
            "give it with `.boundary(face, rule)`",
        ));
    }
    let mut applied = Vec::new();
    for (number, (face, placed)) in problem.rules.iter().enumerate() {
        let rule = find(known, &placed.label)?;
        let mut is_begun = false;
        for (_, before) in problem.rules[..number].iter().filter(|(other, _)| other == face) {
            let before = find(known, &before.label)?;
            if before.first == rule.first {
                return Err(Error::conflict(format!("face {face:?} is given two rules"), "keep one of them"));
            }
            if before.stands == Stands::AtFaces && rule.stands == Stands::AtFaces {
                return Err(Error::conflict(
                    format!(
                        "face {face:?} is given two rules of nodes, `{}` and `{}`",
                        before.name, rule.name
                    ),
                    "take a rule of links (`on_link`) for one of the sets of populations",
                ));
            }
            is_begun = true;
        }
        let (now, is_further) = (problem.faces[face.index()], is_begun || rule.first > 0);
        let moves = |face: &FaceRule| matches!(face, FaceRule::Wall { velocity } if *velocity != [0.0; 3]);
        let both = || {
            Error::conflict(
                format!("face {face:?} is a moving wall and has a rule of nodes"),
                "take a rule of links (`on_link`) beside a wall that moves",
            )
        };
        if rule.stands == Stands::AtLinks {
            // Its links are given the rule once it is known which nodes are solid.
            problem.faces[face.index()] = match (as_wall(lattice, rule, *face, placed)?, now) {
                (Some(wall), FaceRule::Rule(_)) if moves(&wall) => return Err(both()),
                (Some(_), FaceRule::Rule(_)) => now,
                (Some(wall), _) => wall,
                (None, FaceRule::Wall { .. } | FaceRule::Rule(_)) if is_further => now,
                (None, _) => FaceRule::WALL,
            };
            continue;
        }
        if is_further && moves(&now) {
            return Err(both());
        }
        problem.faces[face.index()] = FaceRule::Rule(applied.len());
        let places: Vec<Place> =
            nodes_at(*face, size).map(|node| (node, beyond(node, *face, rule))).collect();
        applied.push(values(lattice, rule, &format!("the face {face:?}"), &places, placed)?);
    }
    Ok(applied)
}

/// The half-way wall that a rule of links is at a face, if it is one: its velocity is the same everywhere and along the face.
pub(super) fn as_wall(
    lattice: &LatticeFacts,
    rule: &RuleFacts,
    face: Face,
    placed: &PlacedRule,
) -> Result<Option<FaceRule>, Error> {
    let velocity = of_wall(lattice, rule, &format!("the face {face:?}"), placed)?;
    let along = velocity.filter(|velocity| velocity[face.axis()] == 0.0);
    Ok(along.map(|velocity| FaceRule::Wall { velocity }))
}

/// The velocity of the half-way wall that a rule of links is, if it is one with the same velocity everywhere.
pub(super) fn of_wall(
    lattice: &LatticeFacts,
    rule: &RuleFacts,
    stands: &str,
    placed: &PlacedRule,
) -> Result<Option<[f64; 3]>, Error> {
    let is_same = placed.values.iter().all(|given| given.course.is_none() && given.value.is_same());
    // A wall of the box moves what flows; a further set of populations is not moved by one.
    if !rule.half_way || !is_same || rule.first > 0 {
        return Ok(None);
    }
    let given = values(lattice, rule, stands, &[], placed)?.values;
    Ok(Some(std::array::from_fn(|axis| given.get(axis).copied().unwrap_or(0.0))))
}

/// The point of a rule's wall that is nearest to a node at the face.
fn beyond(node: [usize; 3], face: Face, rule: &RuleFacts) -> [f64; 3] {
    let (mut point, axis) = (centre(node), face.axis());
    point[axis] += if face.index().is_multiple_of(2) { -rule.beyond } else { rule.beyond };
    point
}

/// The centre of a node, as shapes know it.
pub(super) fn centre(node: [usize; 3]) -> [f64; 3] {
    node.map(|at| at as f64 + 0.5)
}

/// The rule of a name.
pub(super) fn find<'a>(known: &'a [RuleFacts], label: &str) -> Result<&'a RuleFacts, Error> {
    known.iter().find(|rule| rule.name == label).ok_or_else(|| {
        let names = known.iter().map(|rule| rule.name);
        let remedy = format!(
            "declare the solver with it, `boundaries: [..]`; it has {}",
            if known.is_empty() { "none".to_owned() } else { names.clone().collect::<Vec<_>>().join(", ") }
        );
        Error::unknown("boundary rule", label, names, remedy)
    })
}

/// The nodes at a face, in the order x, y, z.
pub(super) fn nodes_at(face: Face, size: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let mut cut = size;
    cut[face.axis()] = 1;
    super::fields::positions(cut).map(move |mut node| {
        node[face.axis()] = if face.index().is_multiple_of(2) { 0 } else { size[face.axis()] - 1 };
        node
    })
}
