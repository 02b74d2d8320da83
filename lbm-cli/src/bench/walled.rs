//! The boxes with walls that are timed beside the periodic one.

use clap::ValueEnum;
use lbm_core::domain::{AppliedRule, RuledLink};
use lbm_core::engine::Setup;
use lbm_core::facts::LatticeFacts;
use lbm_core::geometry::{Sphere, Union, WallDistances};
use lbm_core::laws::SplitMix64;
use lbm_core::links::{Links, NodeLinks};
use lbm_core::reference::Reference;
use lbm_core::rules::Stands;
use lbm_core::{Domain, Engine, Error, FaceRule, Geometry, RuleFacts};
use serde::Serialize;

use super::flow::{Flow, parameters};
use crate::variants::{Entry, no_rules};

/// What stands in the box that is timed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Walls {
    /// Nothing: the box is periodic along all axes
    #[default]
    Periodic,
    /// Walls on all sides, of which the one at the upper end of the last axis moves along x
    Lid,
    /// The same with 30 spheres at fixed places, as wide as an eighth of the shortest edge: 32 in 256^3
    Spheres,
    /// The same with one sphere in the middle, as wide as a quarter of the shortest edge: 64 in 256^3
    Sphere,
    /// Walls at rest on all sides but along x
    Duct,
    /// The same with an inlet and an outlet: a velocity of its own for each node, and a pressure, both regularised
    Tunnel,
}

/// The lid's speed, lattice units.
const LID: f64 = 0.05;

/// Spheres of a box.
const SPHERES: usize = 30;

/// Longest edges of the square and of the cube in which bits are compared with the reference's.
const CHECKED: [usize; 2] = [256, 64];

/// Steps after which they are.
const CHECKED_STEPS: u64 = 6;

impl Walls {
    /// The box of a variant, and with what values it runs. A rule stands where half-way walls would.
    ///
    /// # Errors
    /// As [`Geometry::into_domain`]; [`Error::Unknown`] for a rule that the variant's lattice does not have, [`Error::Conflict`] for one
    /// in a box without walls of its own.
    pub(super) fn setup(self, entry: &Entry, rule: Option<&str>, size: [usize; 3]) -> Result<Setup, Error> {
        let dimension = entry.facts.lattice.dimension;
        let known = entry.rules();
        if known.is_empty() && (rule.is_some() || self == Walls::Tunnel) {
            return Err(no_rules(entry.facts.lattice.name));
        }
        let mut domain = self.domain(dimension, size)?;
        let mut place = |face: usize, rule: &str, along: &dyn Fn(usize) -> f64| -> Result<(), Error> {
            stand(&mut domain, find(&known, rule)?, dimension, face, &|place| [along(place), 0.0, 0.0]);
            Ok(())
        };
        match (self, rule) {
            (Walls::Tunnel, None) => {
                let across = size[1] as f64;
                let parabola = |n: usize| {
                    let y = ((n % size[1]) as f64 + 0.5) / across;
                    4.0 * LID * y * (1.0 - y)
                };
                place(0, "regularized-velocity", &parabola)?;
                place(1, "regularized-pressure", &|_| 0.0)?;
            }
            (Walls::Periodic | Walls::Tunnel, Some(rule)) => {
                return Err(Error::conflict(
                    format!("--rule {rule} does not go with --flow {self}"),
                    "choose --flow lid or --flow duct: the rule stands at their faces",
                ));
            }
            (_, Some(rule)) if find(&known, rule)?.stands == Stands::AtLinks => {
                at_links(
                    &entry.facts.lattice,
                    find(&known, rule)?,
                    &self.bodies(dimension, size),
                    &mut domain,
                )?;
            }
            (_, Some(rule)) => {
                let first = if self == Walls::Duct { 2 } else { 0 };
                let last = 2 * dimension - 1;
                for face in first..=last {
                    let moves = self != Walls::Duct && face == last;
                    place(face, rule, &|_| if moves { LID } else { 0.0 })?;
                }
            }
            (_, None) => {}
        }
        Ok(Setup::new(domain, parameters(entry)).with_rules(known))
    }

    /// The box, before rules.
    fn domain(self, dimension: usize, size: [usize; 3]) -> Result<Domain, Error> {
        let mut faces = [FaceRule::Periodic; 6];
        match self {
            Walls::Periodic => return Ok(Domain::periodic(size)),
            Walls::Duct | Walls::Tunnel => faces[2..2 * dimension].fill(FaceRule::WALL),
            Walls::Lid | Walls::Spheres | Walls::Sphere => {
                faces[..2 * dimension].fill(FaceRule::WALL);
                faces[2 * dimension - 1] = FaceRule::Wall { velocity: [LID, 0.0, 0.0] };
            }
        }
        let mut geometry = Geometry::empty(size)?;
        self.bodies(dimension, size).iter().for_each(|sphere| geometry.add(sphere));
        geometry.into_domain(faces)
    }

    /// What stands in the box; in two dimensions disks.
    fn bodies(self, dimension: usize, size: [usize; 3]) -> Vec<Sphere> {
        let shortest = size[..dimension].iter().min().copied().unwrap_or(1) as f64;
        match self {
            Walls::Spheres => spheres(dimension, size, shortest / 16.0),
            Walls::Sphere => vec![Sphere { centre: size.map(|n| n as f64 / 2.0), radius: shortest / 8.0 }],
            _ => Vec::new(),
        }
    }

    /// The box in which bits are compared, as large as what is timed or, where that is too large for the reference, smaller.
    pub(super) fn checked_size(self, dimension: usize, size: [usize; 3]) -> [usize; 3] {
        size.map(|n| n.min(if dimension == 2 { CHECKED[0] } else { CHECKED[1] }))
    }
}

impl std::fmt::Display for Walls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Walls::Periodic => "periodic",
            Walls::Lid => "lid",
            Walls::Spheres => "spheres",
            Walls::Sphere => "sphere",
            Walls::Duct => "duct",
            Walls::Tunnel => "tunnel",
        })
    }
}

/// Lets a rule stand at a face, with a velocity for each of the face's nodes; other numbers have their defaults.
pub(super) fn stand(
    domain: &mut Domain,
    rule: &RuleFacts,
    dimension: usize,
    face: usize,
    velocity: &dyn Fn(usize) -> [f64; 3],
) {
    let places = domain.nodes() / domain.size[face / 2];
    domain.faces[face] = FaceRule::Rule(domain.rules.len());
    domain.rules.push(applied(rule, dimension, places, velocity));
}

/// The rule of a name.
pub(super) fn find<'a>(known: &'a [RuleFacts], name: &str) -> Result<&'a RuleFacts, Error> {
    known.iter().find(|rule| rule.name == name).ok_or_else(|| {
        let names: Vec<_> = known.iter().map(|rule| rule.name).collect();
        let remedy = format!("choose one of {}", names.join(", "));
        Error::unknown("boundary rule", name, names, remedy)
    })
}

/// A rule with a row of values for each place: a velocity, other numbers by their defaults.
fn applied(
    rule: &RuleFacts,
    dimension: usize,
    places: usize,
    velocity: &dyn Fn(usize) -> [f64; 3],
) -> AppliedRule {
    let row = |place: usize| {
        rule.parameters.iter().flat_map(move |parameter| {
            let components = parameter.components(dimension);
            (0..components).map(move |axis| match parameter.vector {
                true => velocity(place)[axis],
                false => parameter.default.unwrap_or(0.0),
            })
        })
    };
    AppliedRule::new(rule.name, rule.components(dimension), (0..places).flat_map(row).collect())
}

/// Gives a rule the links to the bodies of a box, with their distances, or where there are none those through its faces.
fn at_links(
    lattice: &LatticeFacts,
    rule: &RuleFacts,
    bodies: &[Sphere],
    domain: &mut Domain,
) -> Result<(), Error> {
    const AT_FACES: f64 = 0.4;
    let dimension = lattice.dimension;
    let lid = 2 * dimension - 1;
    let first = if bodies.is_empty() { 0 } else { domain.faces.len() };
    let is_lid = matches!(domain.faces[lid], FaceRule::Wall { velocity } if velocity != [0.0; 3]);
    let moves = is_lid && first == 0;
    if moves {
        domain.faces[lid] = FaceRule::WALL;
    }
    domain.rules.push(applied(rule, dimension, 2, &|place| [if place == 1 { LID } else { 0.0 }, 0.0, 0.0]));
    let links = Links::of(lattice, domain)?;
    let distances = WallDistances::of(&links, lattice, domain, &Union(bodies.to_vec())).distance;
    let faces = domain.faces.len();
    let of_node = |here: NodeLinks<'_>| here.iter().collect::<Vec<_>>();
    domain.links = links
        .iter()
        .flat_map(of_node)
        .filter(|link| link.meets >= first)
        .map(|link| {
            let distance = if link.meets < faces { AT_FACES } else { distances.values()[link.number] };
            let place = usize::from(moves && link.meets == lid);
            RuledLink::new(link.node, link.direction, 0).at_distance(distance).with_place(place)
        })
        .collect();
    Ok(())
}

/// Spheres at places that are the same parts of every box.
fn spheres(dimension: usize, size: [usize; 3], radius: f64) -> Vec<Sphere> {
    let mut random = SplitMix64::new(1);
    let mut centre = || {
        let place = size.map(|n| random.between(0.0, 1.0) * n as f64);
        if dimension == 2 { [place[0], place[1], 0.5] } else { place }
    };
    (0..SPHERES).map(|_| Sphere { centre: centre(), radius }).collect()
}

/// Whether an engine in such a box, made by `engine`, has the reference's bits in every fluid node after a few steps.
///
/// # Errors
/// Those of the engine and of the reference.
pub(super) fn verify<E: Engine + ?Sized>(
    entry: &Entry,
    setup: &Setup,
    engine: impl FnOnce(&Setup) -> Result<Box<E>, Error>,
) -> Result<bool, Error> {
    let size = setup.domain().size;
    let mut engine = engine(setup)?;
    let mut reference = Reference::new(&entry.facts, setup)?;
    let start = Flow::new(entry, size).populations();
    engine.set_populations(&start, 0)?;
    reference.set_populations(&start, 0)?;
    engine.run(CHECKED_STEPS)?;
    reference.run(CHECKED_STEPS)?;
    let [mut found, mut expected] = [vec![0.0; start.len()], vec![0.0; start.len()]];
    engine.populations(&mut found)?;
    reference.populations(&mut expected)?;
    let solid =
        |n: usize| setup.domain().flags.get(n % setup.domain().nodes()).is_some_and(|&flag| flag != 0);
    let same = |(n, (a, b)): (usize, (&f64, &f64))| solid(n) || a.to_bits() == b.to_bits();
    Ok(found.iter().zip(&expected).enumerate().all(same))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_stand_at_the_faces_of_boxes_with_walls() {
        let entry = crate::variants::find("d3q19-bgk-f64-soa-dense-two-lattice-pull").unwrap();
        let size = [8, 6, 5];
        let faces = |walls: Walls, rule| {
            let setup = walls.setup(entry, rule, size)?;
            let domain = setup.domain();
            Ok::<_, Error>(domain.faces.map(|face| match face {
                FaceRule::Rule(n) => domain.rules[n].rule.clone(),
                other => format!("{other:?}"),
            }))
        };
        assert_eq!(faces(Walls::Lid, Some("free-slip")).unwrap(), ["free-slip"; 6]);
        let tunnel = faces(Walls::Tunnel, None).unwrap();
        assert_eq!(tunnel[..2], ["regularized-velocity", "regularized-pressure"]);
        assert!(tunnel[2..].iter().all(|face| face.starts_with("Wall")), "{tunnel:?}");
        let moving = Walls::Lid.setup(entry, Some("zou-he-velocity"), size).unwrap();
        let moving = &moving.domain().rules;
        assert_eq!((moving[5].at(7), moving[4].at(7)), (&[LID, 0.0, 0.0][..], &[0.0; 3][..]));
        let refused = |walls, rule| faces(walls, Some(rule)).unwrap_err().to_string();
        assert!(refused(Walls::Lid, "zou-he").contains("zou-he-velocity"));
        assert!(refused(Walls::Tunnel, "free-slip").contains("--flow lid"));
        let wide = crate::variants::find("d3q27-bgk-f64-soa-dense-two-lattice-pull").unwrap();
        for (walls, rule) in [(Walls::Lid, Some("free-slip")), (Walls::Tunnel, None)] {
            let text = walls.setup(wide, rule, size).unwrap_err().to_string();
            assert!(text.contains("no boundary rules on D3Q27") && text.contains("lattice: D3Q27"), "{text}");
        }
        Walls::Lid.setup(wide, None, size).unwrap();
    }

    #[test]
    fn boxes_have_the_walls_that_they_are_named_for() {
        let size = [32, 32, 32];
        let of = |walls: Walls| walls.domain(3, size).unwrap();
        let walls = |domain: &Domain| domain.faces.iter().filter(|face| **face != FaceRule::Periodic).count();
        let all = [Walls::Periodic, Walls::Lid, Walls::Spheres, Walls::Duct, Walls::Sphere].map(of);
        assert_eq!(all.each_ref().map(walls), [0, 6, 6, 4, 6]);
        // A ball of radius 4.
        assert_eq!(size.iter().product::<usize>() - all[4].fluid_nodes(), 280);
        assert!(all[1].faces[5] == FaceRule::Wall { velocity: [LID, 0.0, 0.0] } && all[3].is_periodic(0));
        // Thirty balls of radius 2, cut by faces and each other.
        let solid = size.iter().product::<usize>() - all[2].fluid_nodes();
        assert!((400..1000).contains(&solid), "{solid}");
        let flat = Walls::Spheres.domain(2, [64, 48, 1]).unwrap();
        assert!(walls(&flat) == 4 && flat.fluid_nodes() < 64 * 48);
        assert_eq!(
            Walls::Duct.domain(2, [8, 8, 1]).unwrap().faces[..4],
            [FaceRule::Periodic, FaceRule::Periodic, FaceRule::WALL, FaceRule::WALL]
        );
    }
}
