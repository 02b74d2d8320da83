//! Which rules a node at faces of the box has, and what each does there.

use super::{Given, Part, Standing};
use crate::domain::{Domain, Face, FaceRule, positions};
use crate::error::Error;
use crate::rules::{Lies, RuleClass, RuleFacts, Stands, Turn};

/// The fluid nodes at faces with rules, of those that are listed, each at least once.
pub(super) fn nodes_at_faces(domain: &Domain) -> Vec<usize> {
    let mut nodes = Vec::new();
    let has_rules =
        |face: &Face| matches!(domain.faces[face.index()], FaceRule::Rule(_) | FaceRule::Patches(_));
    for face in Face::ALL.into_iter().filter(has_rules) {
        let (axis, mut size) = (face.axis(), domain.size);
        size[axis] = 1;
        let there = positions(size).map(|mut position| {
            position[axis] = if face.index() % 2 == 0 { 0 } else { domain.size[axis] - 1 };
            position
        });
        let ruled = there.filter(|&position| domain.rule_at(face.index(), position).is_some());
        nodes.extend(ruled.map(|position| domain.index(position)));
    }
    nodes.retain(|&node| {
        let position = domain.position(node);
        domain.lists(position) && !domain.is_solid(position)
    });
    nodes
}

/// The rules of faces at a node, in the order in which they set populations.
pub(super) fn standing(given: &Given<'_>, position: [usize; 3]) -> Result<Vec<Standing>, Error> {
    let domain = given.domain;
    let at: Vec<usize> = faces_at(domain, position).collect();
    let of_rules = by_rule(domain, position, &at, &given.used).into_iter();
    let of_rules = of_rules.filter_map(|of_rule| of_rule.rule.map(|rule| (rule, of_rule)));
    let standing = of_rules.map(|(rule, FacesOfRule { first: (number, face), faces, beside, .. })| {
        // Most nodes of a face are alike.
        let mut parts = given.parts.borrow_mut();
        let known =
            parts.iter().find(|known| (known.rule, &known.faces, &known.beside) == (rule, &faces, &beside));
        let part = match known {
            Some(known) => known.part.clone(),
            None => {
                let part = part_of(given, rule, [&faces, &beside], position)?;
                parts.push(KnownPart { rule, faces: faces.clone(), beside, part: part.clone() });
                part
            }
        };
        Ok(Standing { part, faces, number, place: domain.place_at(face, position) })
    });
    standing.collect()
}

/// The numbers of the faces of the box at which a node is, without periodic ones.
fn faces_at(domain: &Domain, position: [usize; 3]) -> impl Iterator<Item = usize> + '_ {
    let ends = Face::ALL.into_iter().map(Face::index);
    ends.filter(move |&face| {
        let at = position[face / 2];
        let is_there = if face % 2 == 0 { at == 0 } else { at + 1 == domain.size[face / 2] };
        is_there && domain.faces[face] != FaceRule::Periodic
    })
}

/// Faces at a node that have one rule, or walls.
struct FacesOfRule {
    /// The first of them in the order in which rules were given, with the number of the rule there.
    first: (usize, usize),
    /// The rule, an entry of those of the solver; none of walls.
    rule: Option<usize>,
    /// Whether it holds before walls there.
    before_walls: bool,
    /// The faces.
    faces: Vec<usize>,
    /// Faces beside, from beyond which nothing is the rule's to set: those whose turn is before its.
    beside: Vec<usize>,
}

/// What a rule does at nodes at its faces, with others beside.
pub(in crate::rules) struct KnownPart {
    rule: usize,
    faces: Vec<usize>,
    beside: Vec<usize>,
    part: Part,
}

/// The rules of a node at these faces, and the walls there, in the order in which they set populations: the one whose turn is first ([`Domain::turn_at`]) comes last, so that
/// what comes from beyond the faces of two is its. Faces of one rule whose turns follow each other it does as a whole.
fn by_rule(domain: &Domain, position: [usize; 3], at: &[usize], used: &[usize]) -> Vec<FacesOfRule> {
    let turn = |&face: &usize| Some((domain.turn_at(face, position)?, face));
    let mut in_turn: Vec<([usize; 2], usize)> = at.iter().filter_map(turn).collect();
    in_turn.sort_unstable();
    let mut by_rule: Vec<FacesOfRule> = Vec::new();
    for (_, face) in in_turn {
        let number = domain.rule_at(face, position);
        let rule = number.map(|number| used[number]);
        let before_walls = number.is_some_and(|number| domain.holds_before_walls(number));
        let alike = |other: &&mut FacesOfRule| (other.rule, other.before_walls) == (rule, before_walls);
        match by_rule.last_mut().filter(alike) {
            Some(of_rule) => of_rule.faces.push(face),
            None => by_rule.push(FacesOfRule {
                first: (number.unwrap_or_default(), face),
                rule,
                before_walls,
                faces: vec![face],
                beside: Vec::new(),
            }),
        }
    }
    let mut owned = Vec::new();
    for of_rule in &mut by_rule {
        of_rule.faces.sort_unstable();
        of_rule.beside.clone_from(&owned);
        owned.extend(&of_rule.faces);
    }
    by_rule.reverse();
    by_rule
}

/// What a rule does at a node at its faces, with others beside.
fn part_of(
    given: &Given<'_>,
    rule: usize,
    [faces, beside]: [&[usize]; 2],
    position: [usize; 3],
) -> Result<Part, Error> {
    let &Given { facts, rules, .. } = given;
    let at = [faces, beside].concat();
    let place = format!("node {position:?}, at {}", named(&at));
    if let Some(face) = at.iter().find(|face| at.contains(&(**face ^ 1))) {
        let axis = ["x", "y", "z"][face / 2];
        return Err(Error::conflict(
            format!("{place}: a rule cannot stand at both ends of a single node"),
            format!("make the box longer along {axis}"),
        ));
    }
    let RuleFacts { name, classes, stands, .. } = &rules[rule];
    if *stands != Stands::AtFaces {
        return Err(Error::conflict(
            format!("{place}: the rule `{name}` is {}, not for nodes at a face", stands.described()),
            "take a rule of nodes (`on_node` or `half_way`) there",
        ));
    }
    let lies = Lies::Nodes { faces: faces.len(), walls: beside.len() };
    let alike = |class: &RuleClass| class.lies == lies;
    let class = classes.iter().position(alike);
    let why = class.map_or(Some("no such nodes are known"), |class| classes[class].text.err());
    let (Some(class), None) = (class, why) else {
        return Err(Error::conflict(
            format!("{place}: the rule `{name}` says nothing of such nodes: {}", why.unwrap_or_default()),
            "take a wall, or another rule, at one of the faces",
        ));
    };
    let own = rules[rule].own_lattice(&facts.lattice);
    let turn = own.and_then(|own| Turn::to_faces(&own, &at)).ok_or_else(|| {
        Error::conflict(
            format!(
                "{place}: the lattice {} has not the same directions there as elsewhere",
                facts.lattice.name
            ),
            "take a lattice of which the axes are alike",
        )
    })?;
    Ok(Part { rule, class, turn: turn.of_set(rules[rule].first) })
}

/// The names of faces.
fn named(at: &[usize]) -> String {
    let names: Vec<String> = at.iter().map(|&face| format!("{:?}", Face::ALL[face])).collect();
    names.join(" and ")
}
