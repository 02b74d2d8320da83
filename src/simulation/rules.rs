//! Boundary rules with their values, as a flow is given them.

use std::fmt;
use std::sync::Arc;

use lbm_core::domain::{AppliedRule, RuledLink};
use lbm_core::facts::LatticeFacts;
use lbm_core::geometry::WallDistances;
use lbm_core::links::Links;
use lbm_core::{Boundary, Domain, Error, Face, FaceRule, RuleFacts};

use super::check;
use super::problem::{Problem, Surface};

/// A value of a rule: the same everywhere, or told for each node, or for each point of the wall.
#[derive(Clone)]
enum Value {
    Same(Vec<f64>),
    Each(Arc<dyn Fn([usize; 3]) -> Vec<f64> + Send + Sync>),
    At(Arc<dyn Fn([f64; 3]) -> Vec<f64> + Send + Sync>),
}

/// Where a rule stands: the fluid node, and the point of the wall, in node spacings; the centre of node `[i, j, k]` is
/// `[i + 1/2, j + 1/2, k + 1/2]`, as for shapes.
pub(super) type Place = ([usize; 3], [f64; 3]);

/// A boundary rule and the values of its parameters.
#[derive(Clone)]
pub struct PlacedRule {
    pub(super) label: String,
    values: Vec<(String, Value)>,
}

impl fmt::Debug for PlacedRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.values.iter().map(|(name, _)| name);
        f.debug_struct("PlacedRule")
            .field("rule", &self.label)
            .field("values", &names.collect::<Vec<_>>())
            .finish()
    }
}

impl PlacedRule {
    /// The rule of this name in small letters, e.g. `zou-he-velocity`.
    #[must_use]
    pub fn named(label: &str) -> PlacedRule {
        PlacedRule { label: label.to_owned(), values: Vec::new() }
    }

    /// The rule's name.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// The same with a value at all nodes: a number is `[x]`, a vector has one along each axis of the lattice. The last one of a
    /// name counts.
    #[must_use]
    pub fn with(mut self, parameter: &str, value: impl AsRef<[f64]>) -> PlacedRule {
        self.values.push((parameter.to_owned(), Value::Same(value.as_ref().to_vec())));
        self
    }

    /// The same with a value that is told for each node at the face, or for the fluid node of each link.
    #[must_use]
    pub fn with_each<const N: usize>(
        mut self,
        parameter: &str,
        value: impl Fn([usize; 3]) -> [f64; N] + Send + Sync + 'static,
    ) -> PlacedRule {
        self.values.push((parameter.to_owned(), Value::Each(Arc::new(move |node| value(node).to_vec()))));
        self
    }

    /// The same with a value that is told for each point of the wall: where it cuts a link, or, of a rule of nodes, where it is nearest to a
    /// node at the face, in node spacings. The centre of node `[i, j, k]` is `[i + 1/2, j + 1/2, k + 1/2]`, as for shapes. So a cylinder
    /// rotates, and a profile ends at walls wherever these lie.
    #[must_use]
    pub fn with_at<const N: usize>(
        mut self,
        parameter: &str,
        value: impl Fn([f64; 3]) -> [f64; N] + Send + Sync + 'static,
    ) -> PlacedRule {
        self.values.push((parameter.to_owned(), Value::At(Arc::new(move |point| value(point).to_vec()))));
        self
    }
}

/// Gives rules their values.
pub trait WithValues: Boundary {
    /// As [`PlacedRule::with`].
    fn with(self, parameter: &str, value: impl AsRef<[f64]>) -> PlacedRule {
        PlacedRule::from(self).with(parameter, value)
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
        if problem.rules[..number].iter().any(|(other, _)| other == face) {
            return Err(Error::conflict(format!("face {face:?} is given two rules"), "keep one of them"));
        }
        let rule = find(known, &placed.label)?;
        if !rule.on_node {
            // Its links are given the rule once it is known which nodes are solid.
            problem.faces[face.index()] = as_wall(lattice, rule, *face, placed)?.unwrap_or(FaceRule::WALL);
            continue;
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
fn of_wall(
    lattice: &LatticeFacts,
    rule: &RuleFacts,
    stands: &str,
    placed: &PlacedRule,
) -> Result<Option<[f64; 3]>, Error> {
    let is_same = placed.values.iter().all(|(_, value)| matches!(value, Value::Same(_)));
    if !rule.half_way || !is_same {
        return Ok(None);
    }
    let given = values(lattice, rule, stands, &[], placed)?.values;
    Ok(Some(std::array::from_fn(|axis| given.get(axis).copied().unwrap_or(0.0))))
}

/// Gives the rules of surfaces the links that these cut, in a box whose solid nodes are marked; the first surface is this number of
/// [`Domain::solids`].
pub(super) fn apply_at_surfaces(
    lattice: &LatticeFacts,
    known: &[RuleFacts],
    surfaces: &[Surface],
    first: usize,
    domain: &mut Domain,
) -> Result<(), Error> {
    if surfaces.is_empty() {
        return Ok(());
    }
    let links = Links::of(lattice, domain)?;
    for (number, surface) in surfaces.iter().enumerate() {
        // Walls are numbered with the faces first.
        let meets = domain.faces.len() + first + number;
        let known_rule = find(known, &surface.rule.label)?;
        if let Some(velocity) = of_wall(lattice, known_rule, "a surface", &surface.rule)? {
            domain.solids[first + number] = velocity;
            continue;
        }
        let distances = WallDistances::of(&links, lattice, domain, &*surface.shape).distance;
        let (rule, mut places) = (domain.rules.len(), Vec::new());
        for link in links.iter().flat_map(|node| node.iter().collect::<Vec<_>>()) {
            if link.meets == meets {
                let (distance, node) = (distances.values()[link.number], domain.position(link.node));
                let along = lattice.velocities[link.direction].map(f64::from);
                let (from, place) = (centre(node), places.len());
                let back = link.direction;
                domain.links.push(RuledLink { node: link.node, back, distance, rule, place });
                places.push((node, std::array::from_fn(|axis| from[axis] - distance * along[axis])));
            }
        }
        domain.rules.push(values(lattice, known_rule, "a surface", &places, &surface.rule)?);
    }
    domain.links.sort_unstable_by_key(|link| (link.node, link.back));
    Ok(())
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

/// A rule's values where it stands, those of one place after another if one of them is told for each.
pub(super) fn values(
    lattice: &LatticeFacts,
    rule: &RuleFacts,
    stands: &str,
    places: &[Place],
    placed: &PlacedRule,
) -> Result<AppliedRule, Error> {
    let dimension = lattice.dimension;
    for (name, _) in &placed.values {
        if !rule.parameters.iter().any(|parameter| parameter.name == name) {
            let names = rule.parameters.iter().map(|parameter| parameter.name);
            let remedy = format!("`{}` has {}", rule.name, names.clone().collect::<Vec<_>>().join(", "));
            return Err(Error::unknown("parameter of a boundary rule", name, names, remedy));
        }
    }
    let given =
        |name: &str| placed.values.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value);
    let at = |(node, point): Place| -> Result<Vec<f64>, Error> {
        let mut all = Vec::new();
        for parameter in rule.parameters {
            let (name, count) = (parameter.name, parameter.components(dimension));
            let value = match (given(name), parameter.default) {
                (Some(Value::Same(value)), _) => value.clone(),
                (Some(Value::Each(value)), _) => value(node),
                (Some(Value::At(value)), _) => value(point),
                (None, Some(default)) => vec![default; count],
                (None, None) => {
                    return Err(Error::Missing {
                        what: format!("`{name}` of the rule `{}` at {stands}", rule.name),
                        remedy: format!("give it, `.with(\"{name}\", [..])`"),
                    });
                }
            };
            let what = format!("`{name}` of the rule `{}` at node {node:?}", rule.name);
            let fits = value.len() == count || value.len() == 3 && value[count..].iter().all(|&x| x == 0.0);
            if !fits || value.len() < count {
                let allowed = format!("{count} numbers on {}", lattice.name);
                return Err(Error::out_of_range(what, format!("{value:?}"), allowed, "give as many"));
            }
            check::finite(&what, &value, &value)?;
            let mut whole = [0.0; 3];
            whole[..count].copy_from_slice(&value[..count]);
            match name {
                "velocity" if parameter.vector => check::velocity(lattice, &what, whole)?,
                "density" => check::positive(&what, whole[0], "1 is the density at rest")?,
                _ => {}
            }
            all.extend(&value[..count]);
        }
        Ok(all)
    };
    let (count, mut values) = (rule.components(dimension), Vec::new());
    match placed.values.iter().any(|(_, value)| !matches!(value, Value::Same(_))) {
        true => places.iter().try_for_each(|&place| at(place).map(|own| values.extend(own)))?,
        false => values = at(places.first().copied().unwrap_or_default())?,
    }
    Ok(AppliedRule { rule: rule.name.to_owned(), values, count })
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
