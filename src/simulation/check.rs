//! What [`Builder::build`](super::Builder::build) refuses, one small function a rule.

use std::fmt::{Debug, Display};
use std::ops::RangeBounds as _;

use lbm_core::collision::FORCES;
use lbm_core::facts::LatticeFacts;
use lbm_core::range::described;
use lbm_core::units::{LARGEST_DENSITY, LARGEST_VELOCITY, relaxation_time};
use lbm_core::{Domain, Error, Face, FaceRule, Facts};

use super::initial::Initial;
use super::problem::{Problem, Viscosity};

/// The size of the box, 1 along axes that the lattice has not: as it was given, or that of the geometry.
pub(super) fn size(lattice: &LatticeFacts, problem: &Problem) -> Result<[usize; 3], Error> {
    let given = problem.size.as_ref().map(|size| extent(lattice, size.axes())).transpose()?;
    let geometry = problem.geometry.as_ref().map(|geometry| extent(lattice, &geometry.size())).transpose()?;
    match (given, geometry) {
        (Some(given), Some(other)) if given != other => Err(Error::conflict(
            format!("the size {given:?} was given, but the geometry has {other:?} nodes"),
            "leave the size out, or make the geometry anew",
        )),
        (given, geometry) => given.or(geometry).ok_or_else(|| Error::Missing {
            what: "the size of the box".to_owned(),
            remedy: format!("call .size([..]) with {} numbers of nodes, or .geometry(..)", lattice.dimension),
        }),
    }
}

/// One number an axis of the lattice; further numbers may stand if they are 1 (`[64, 64, 1]` for a D2Q9).
fn extent(lattice: &LatticeFacts, axes: &[usize]) -> Result<[usize; 3], Error> {
    let dimension = lattice.dimension;
    let refuse = |allowed: String, remedy: String| {
        Err(Error::out_of_range("size", format!("{axes:?}"), allowed, remedy))
    };
    let has = format!("{} has {dimension} axes", lattice.name);
    if axes.len() < dimension || axes.len() > 3 {
        return refuse(has, format!("give {dimension} numbers of nodes"));
    }
    if axes.contains(&0) {
        return refuse("at least 1 node along each axis".to_owned(), "raise it".to_owned());
    }
    if axes[dimension..].iter().any(|&n| n != 1) {
        let remedy = format!("give {dimension} numbers, or take a lattice of more dimensions");
        return refuse(format!("{has}; beyond them the box is 1 node thick"), remedy);
    }
    Ok(std::array::from_fn(|axis| axes.get(axis).copied().unwrap_or(1)))
}

/// The kinematic viscosity in lattice units, where the variant has one.
pub(super) fn viscosity(facts: &Facts, problem: &Problem) -> Result<Option<f64>, Error> {
    let free = facts.body.parameters.contains(&"viscosity");
    let given = given_viscosity(problem)?;
    match (facts.body.baked_viscosity, given) {
        // A baked value may be repeated, as a reader's reminder, but not contradicted.
        (Some(baked), Some(other)) if (baked - other).abs() > 1e-12 * baked => Err(Error::conflict(
            format!("viscosity {other} was given, but {} has {baked} baked in", facts.name()),
            "leave it out, or declare the solver without a baked viscosity",
        )),
        (Some(baked), _) => Ok(Some(baked)),
        (None, Some(_)) if !free => Err(no_viscosity(facts)),
        (None, None) if free => Err(Error::Missing {
            what: "the viscosity".to_owned(),
            remedy: "call .viscosity(nu), or .reynolds(re, length, velocity)".to_owned(),
        }),
        (None, given) => Ok(given),
    }
    .and_then(|nu| {
        // Above 0 and far enough from tau = 1/2.
        nu.map(|nu| relaxation_time(nu, facts.lattice.cs2).map(|_| nu)).transpose()
    })
}

/// A viscosity for a flow whose collision has one that is free.
pub(super) fn free_viscosity(facts: &Facts, viscosity: f64) -> Result<(), Error> {
    if let Some(baked) = facts.body.baked_viscosity {
        return Err(Error::conflict(
            format!("the viscosity {baked} is baked into {}, so that it cannot change", facts.name()),
            "declare the solver without a baked viscosity",
        ));
    }
    if !facts.body.parameters.contains(&"viscosity") {
        return Err(no_viscosity(facts));
    }
    relaxation_time(viscosity, facts.lattice.cs2).map(drop)
}

fn no_viscosity(facts: &Facts) -> Error {
    Error::conflict(
        format!("a viscosity was given, but the collision of {} has none", facts.name()),
        format!("set its own parameters instead: {}", known(facts.body.parameters)),
    )
}

fn given_viscosity(problem: &Problem) -> Result<Option<f64>, Error> {
    match problem.viscosity {
        None => Ok(None),
        Some(Viscosity::Value(nu)) => Ok(Some(nu)),
        Some(Viscosity::Reynolds { reynolds, length, velocity }) => {
            for (name, value) in [("Reynolds number", reynolds), ("reference length", length)] {
                positive(name, value, "give a positive number")?;
            }
            speed("reference velocity", [velocity, 0.0, 0.0])?;
            if velocity <= 0.0 {
                let remedy = "give the speed that the Reynolds number refers to";
                return Err(Error::out_of_range("reference velocity", velocity, "above 0", remedy));
            }
            Ok(Some(velocity * length / reynolds))
        }
    }
}

/// Refuses speeds above [`LARGEST_VELOCITY`] and numbers that are not finite.
fn speed(name: impl Display, velocity: [f64; 3]) -> Result<(), Error> {
    let speed = velocity.iter().map(|u| u * u).sum::<f64>().sqrt();
    if speed.is_finite() && speed <= LARGEST_VELOCITY {
        return Ok(());
    }
    Err(Error::out_of_range(
        name.to_string(),
        format!("{velocity:?}"),
        format!("|u| at most {LARGEST_VELOCITY} node spacings a time step"),
        "0.05 to 0.1 is usual; lower it, and the viscosity with it so that the Reynolds number stays",
    ))
}

/// The state of one node at time 0.
pub(super) fn initial(lattice: &LatticeFacts, node: &Initial, position: [usize; 3]) -> Result<(), Error> {
    let at = (position[0], position[1], position[2]);
    density(format_args!("initial density at node {at:?}"), [node.density; 2])?;
    velocity(lattice, format_args!("initial velocity at node {at:?}"), node.velocity)?;
    let derivatives = node.gradient.iter().flatten().flatten();
    finite(format_args!("initial velocity gradient at node {at:?}"), derivatives, &node.gradient)
}

/// Refuses numbers of which one is not finite, `shown` as they were given.
pub(super) fn finite<'a>(
    name: impl Display,
    numbers: impl IntoIterator<Item = &'a f64>,
    shown: &impl Debug,
) -> Result<(), Error> {
    if numbers.into_iter().all(|number| number.is_finite()) {
        return Ok(());
    }
    Err(Error::out_of_range(name.to_string(), format!("{shown:?}"), "finite", "check the formula"))
}

pub(super) fn positive(name: impl Display, value: f64, remedy: &str) -> Result<(), Error> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(Error::out_of_range(name.to_string(), value, "finite and above 0", remedy))
}

/// A density in lattice units: above 0, and no number of other units.
pub(super) fn density(name: impl Display, [least, greatest]: [f64; 2]) -> Result<(), Error> {
    if least > 0.0 && greatest <= LARGEST_DENSITY {
        return Ok(());
    }
    let wrong = if least > 0.0 { greatest } else { least };
    let remedy = "1 is the density at rest, and a pressure p above that at rest a density of 1 + p / c_s^2";
    Err(Error::out_of_range(
        name.to_string(),
        wrong,
        format!("above 0 and at most {LARGEST_DENSITY}"),
        remedy,
    ))
}

/// A velocity that is slow enough and has no component along an axis that the lattice has not.
pub(super) fn velocity(
    lattice: &LatticeFacts,
    name: impl Display + Copy,
    velocity: [f64; 3],
) -> Result<(), Error> {
    speed(name, velocity)?;
    within_dimension(lattice, name, velocity)
}

/// A vector has no component along an axis that the lattice has not.
fn within_dimension(lattice: &LatticeFacts, name: impl Display, vector: [f64; 3]) -> Result<(), Error> {
    if vector[lattice.dimension..].iter().all(|&component| component == 0.0) {
        return Ok(());
    }
    Err(Error::out_of_range(
        name.to_string(),
        format!("{vector:?}"),
        format!("{} has {} axes; further components must be 0", lattice.name, lattice.dimension),
        "set them to 0, or take a lattice of more dimensions",
    ))
}

/// The rules of the six faces.
pub(super) fn faces(lattice: &LatticeFacts, faces: &[FaceRule; 6]) -> Result<(), Error> {
    for face in Face::ALL {
        if faces[face.index()] == FaceRule::Periodic {
            // A flow that leaves through a periodic face must enter through the opposite one.
            let opposite = Face::ALL[face.index() ^ 1];
            if faces[opposite.index()] != FaceRule::Periodic {
                return Err(Error::conflict(
                    format!("face {face:?} is periodic, but the opposite face {opposite:?} is not"),
                    "make both periodic, or give both a wall or a boundary rule",
                ));
            }
            continue;
        }
        if face.axis() >= lattice.dimension {
            return Err(Error::conflict(
                format!("face {face:?} is not periodic, but {} has {} axes", lattice.name, lattice.dimension),
                "leave it periodic, or take a lattice of more dimensions",
            ));
        }
        let FaceRule::Wall { velocity } = faces[face.index()] else { continue };
        let name = format!("velocity of the wall {face:?}");
        self::velocity(lattice, &name, velocity)?;
        if velocity[face.axis()] != 0.0 {
            return Err(Error::out_of_range(
                name,
                format!("{velocity:?}"),
                format!("no component along {}, the wall's normal", ["x", "y", "z"][face.axis()]),
                "a wall slides along itself; fluid goes in and out through a boundary rule, `.boundary(..)`",
            ));
        }
    }
    Ok(())
}

/// The body force; zero where the variant has none.
pub(super) fn force(facts: &Facts, force: Option<[f64; 3]>) -> Result<[f64; 3], Error> {
    let Some(force) = force else { return Ok([0.0; 3]) };
    if facts.body.force_field {
        return Err(Error::conflict(
            format!("one force was given, but that of {} is a field", facts.name()),
            "give its components, .field(\"force_x\", |[x, y, z]| ..), or declare the solver with `forcing: Guo`",
        ));
    }
    if !facts.body.forced {
        return Err(Error::conflict(
            format!("a force was given, but {} was declared without forcing", facts.name()),
            "declare the solver with `forcing: Guo`, or drop the force",
        ));
    }
    finite("force", &force, &force)?;
    within_dimension(&facts.lattice, "force", force)?;
    Ok(force)
}

/// Said where no node is fluid.
pub(super) fn no_fluid(domain: &Domain) -> Error {
    Error::conflict(
        format!("all {} nodes of the box are solid", domain.nodes()),
        "check what was given to .solid(..) and .geometry(..)",
    )
}

/// The parameter of a collision that a flow sets before each step, to how many it has done.
pub(super) const TIME_STEP: &str = "time_step";

/// The values of the body's parameters, in its order.
pub(super) fn parameters(
    facts: &Facts,
    given: &[(String, f64)],
    viscosity: Option<f64>,
    force: [f64; 3],
) -> Result<Vec<f64>, Error> {
    let names = facts.body.parameters;
    given.iter().try_for_each(|(name, value)| parameter(facts, name, *value))?;
    let value_of = |(index, &name): (usize, &&str)| {
        let set = given.iter().rev().find(|(other, _)| other == name).map(|&(_, value)| value);
        let component = FORCES.iter().position(|&component| component == name);
        let own = match name {
            "viscosity" => viscosity,
            TIME_STEP => Some(0.0),
            _ if component.is_some() => component.map(|axis| force[axis]),
            _ => set.or(facts.body.defaults.get(index).copied().flatten()),
        };
        own.ok_or_else(|| Error::Missing {
            what: format!("the parameter `{name}` of {}", facts.name()),
            remedy: format!("call .parameter(\"{name}\", value)"),
        })
    };
    names.iter().enumerate().map(value_of).collect()
}

/// A free parameter of the collision, within its range.
pub(super) fn parameter(facts: &Facts, name: &str, value: f64) -> Result<(), Error> {
    let names = facts.body.parameters;
    if name == "viscosity" || name.starts_with("force_") {
        return Err(Error::conflict(
            format!("parameter `{name}` has a setter of its own"),
            "of a builder .viscosity(..), .reynolds(..) or .force(..), of a flow .set_viscosity(..) or .set_force(..)",
        ));
    }
    if name == TIME_STEP {
        return Err(Error::conflict(
            format!("`{TIME_STEP}` is how many steps a flow has done, which it counts itself"),
            "leave it out",
        ));
    }
    if facts.body.fields.iter().any(|field| field.name == name) {
        return Err(Error::conflict(
            format!("`{name}` of {} is a field, with a value for each node", facts.name()),
            format!(
                "of a builder call .field(\"{name}\", |[x, y, z]| ..), of a flow .set_field(\"{name}\", ..)"
            ),
        ));
    }
    if !names.contains(&name) {
        let remedy = format!("the parameters of {} are: {}", facts.name(), known(names));
        return Err(Error::unknown("parameter", name, names.iter().copied(), remedy));
    }
    finite(format_args!("parameter {name}"), [&value], &value)?;
    let of_it = names.iter().zip(facts.body.ranges).find(|(known, _)| **known == name);
    if let Some((_, range)) = of_it.filter(|(_, range)| !range.contains(&value)) {
        let remedy = format!("the collision of {} declares this range; give a number in it", facts.name());
        return Err(Error::out_of_range(format!("parameter `{name}`"), value, described(*range), remedy));
    }
    Ok(())
}

fn known(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
