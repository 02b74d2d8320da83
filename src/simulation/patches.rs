//! Parts of faces with boundary rules of their own.

use lbm_core::domain::{AppliedRule, Domain};
use lbm_core::facts::LatticeFacts;
use lbm_core::rules::Stands;
use lbm_core::{Error, Face, FaceRule, RuleFacts};

use super::plan::Seen;
use super::problem::{Patch, Problem};
use super::rule_values::values;
use super::rules::{Place, PlacedRule, centre, find, nodes_at};

/// A patch in a box, of a face or of a surface.
#[derive(Clone, Debug)]
pub(super) struct PlacedPatch {
    pub(super) name: String,
    /// The wall of which it is a part, an entry of [`Domain::walls`].
    pub(super) wall: usize,
    /// What it takes of that.
    pub(super) takes: Takes,
    /// Its rule, an entry of [`Domain::rules`] that no other has.
    pub(super) rule: usize,
}

/// What a patch takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// Nodes at a face.
    Nodes,
    /// Links.
    Links,
}

impl PlacedPatch {
    /// The face of which it is a part; none of one of a surface.
    pub(super) fn face(&self) -> Option<Face> {
        Face::ALL.get(self.wall).copied()
    }

    /// Whether it takes the link along which direction `back` comes to a node.
    pub(super) fn takes(&self, domain: &Domain, node: usize, back: usize) -> bool {
        match self.takes {
            Takes::Nodes => domain.rule_at(self.wall, domain.position(node)) == Some(self.rule),
            Takes::Links => {
                domain.links_of(node).iter().any(|link| link.back == back && link.rule == self.rule)
            }
        }
    }

    /// The nodes at a face that it takes.
    pub(super) fn nodes(&self, domain: &Domain, face: Face) -> impl Iterator<Item = usize> {
        let takes = move |node: &usize| match self.takes {
            Takes::Nodes => domain.rule_at(self.wall, domain.position(*node)) == Some(self.rule),
            Takes::Links => domain.links_of(*node).iter().any(|link| link.rule == self.rule),
        };
        nodes_at(face, domain.size).map(move |position| domain.index(position)).filter(takes)
    }
}

/// What stands at the nodes of each face that has patches ([`Domain::patches`]), and the patches.
type Placed = (Vec<Vec<u16>>, Vec<PlacedPatch>);

/// Puts the patches of a problem in its faces, and their rules among those of whole faces, in the order in which they hold.
pub(super) fn apply(
    lattice: &LatticeFacts,
    known: &[RuleFacts],
    size: [usize; 3],
    problem: &mut Problem,
    applied: &mut Vec<AppliedRule>,
) -> Result<Placed, Error> {
    let (mut of_faces, mut placed): Placed = (Vec::new(), Vec::new());
    let at_nodes =
        |rule: &PlacedRule| find(known, rule.label()).is_ok_and(|rule| rule.stands != Stands::AtLinks);
    // For each rule how many of the problem's hold before it, that of a patch before that of a face of the same number.
    let of_rules = problem.rules.iter().enumerate().filter(|(_, (_, rule))| at_nodes(rule));
    let mut turns: Vec<[usize; 2]> = of_rules.map(|(number, _)| [number, usize::MAX]).collect();
    for face in Face::ALL {
        let own: Vec<(usize, &Patch)> =
            problem.patches.iter().enumerate().filter(|(_, patch)| patch.face == face).collect();
        let Some(&(_, first)) = own.first() else { continue };
        let of_face = problem.rules.iter().filter(|(other, _)| *other == face).map(|(_, rule)| rule);
        one_set(
            known,
            of_face.chain(own.iter().map(|(_, patch)| &patch.rule)),
            &format!("the face {face:?}"),
        )?;
        let nodes: Vec<[usize; 3]> = nodes_at(face, size).collect();
        let mut rules = vec![rest(first, problem.faces[face.index()])?; nodes.len()];
        let mut holders: Vec<Option<&Patch>> = vec![None; nodes.len()];
        for (turn, patch) in own {
            let taken: Vec<usize> =
                (0..nodes.len()).filter(|&place| (patch.contains)(nodes[place])).collect();
            if taken.is_empty() {
                return Err(Error::conflict(
                    format!("the patch `{}` takes no node at the face {face:?}", patch.name),
                    format!("make it larger, or put it within the {} nodes that are there", nodes.len()),
                ));
            }
            let rule = find(known, patch.rule.label())?;
            let number = match rule.stands {
                // A half-way wall, whose links are given the rule once it is known which nodes are solid.
                Stands::AtLinks => 0,
                Stands::AtFaces | Stands::InFluid => {
                    let (name, wall, takes) = (patch.name.clone(), face.index(), Takes::Nodes);
                    placed.push(PlacedPatch { name, wall, takes, rule: applied.len() });
                    turns.push(patch.turn(turn));
                    applied.push(applied_at(lattice, rule, patch, &nodes, &taken)?);
                    number(applied.len())?
                }
            };
            for place in taken {
                if let Some(other) = holders[place].replace(patch) {
                    return Err(Error::conflict(
                        format!(
                            "the patches `{}` and `{}` both claim node {:?} at the face {face:?}",
                            other.name, patch.name, nodes[place]
                        ),
                        "move one of them, or make it smaller",
                    ));
                }
                rules[place] = number;
            }
        }
        problem.faces[face.index()] = FaceRule::Patches(of_faces.len());
        of_faces.push(rules);
    }
    put_in_order(&turns, applied, |renumbered| {
        problem.faces.iter_mut().for_each(|face| {
            if let FaceRule::Rule(number) = face {
                *number = renumbered[*number];
            }
        });
        placed.iter_mut().for_each(|patch| patch.rule = renumbered[patch.rule]);
        for number in of_faces.iter_mut().flatten().filter(|number| **number > 0) {
            // As many as there were.
            *number = renumbered[usize::from(*number) - 1] as u16 + 1;
        }
    });
    Ok((of_faces, placed))
}

/// Puts rules in the order of their turns, and has `follow` know the new number of each.
fn put_in_order(turns: &[[usize; 2]], applied: &mut Vec<AppliedRule>, follow: impl FnOnce(&[usize])) {
    let mut order: Vec<usize> = (0..turns.len()).collect();
    order.sort_by_key(|&number| turns[number]);
    let mut renumbered = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| renumbered[old] = new);
    let mut rules: Vec<Option<AppliedRule>> = std::mem::take(applied).into_iter().map(Some).collect();
    *applied = order.iter().filter_map(|&old| rules[old].take()).collect();
    follow(&renumbered);
}

/// That rules which share a face or a surface by its patches are of one set of populations, since a patch takes the place of the others.
pub(super) fn one_set<'a>(
    known: &[RuleFacts],
    rules: impl Iterator<Item = &'a PlacedRule>,
    place: &str,
) -> Result<(), Error> {
    let mut first: Option<&RuleFacts> = None;
    for placed in rules {
        let rule = find(known, placed.label())?;
        let first = *first.get_or_insert(rule);
        if first.first != rule.first {
            return Err(Error::conflict(
                format!(
                    "{place} has patches, and rules of several sets of populations, `{}` and `{}`",
                    first.name, rule.name
                ),
                "give patches to rules of one set there",
            ));
        }
    }
    Ok(())
}

/// What stands at a face beside its patches.
fn rest(patch: &Patch, face: FaceRule) -> Result<u16, Error> {
    match face {
        FaceRule::Wall { velocity } if velocity == [0.0; 3] => Ok(0),
        FaceRule::Rule(number) => self::number(number + 1),
        _ => {
            let is = if face == FaceRule::Periodic { "periodic" } else { "a moving wall" };
            Err(Error::conflict(
                format!("the patch `{}` stands at the face {:?}, which is {is}", patch.name, patch.face),
                "make that face a wall at rest, or give it a boundary rule",
            ))
        }
    }
}

/// The entry of a rule among those of a face's nodes.
fn number(rule: usize) -> Result<u16, Error> {
    u16::try_from(rule).map_err(|_| {
        Error::out_of_range("number of boundary rules", rule, "at most 65535", "join patches of one rule")
    })
}

/// A patch's rule with values for all nodes of the face if one of them differs from node to node; those beyond the patch are never asked for.
fn applied_at(
    lattice: &LatticeFacts,
    rule: &RuleFacts,
    patch: &Patch,
    nodes: &[[usize; 3]],
    taken: &[usize],
) -> Result<AppliedRule, Error> {
    let places: Vec<Place> = taken.iter().map(|&place| (nodes[place], centre(nodes[place]))).collect();
    let mut own = values(lattice, rule, &format!("the patch `{}`", patch.name), &places, &patch.rule)?;
    let count = own.count;
    for values in std::iter::once(&mut own.values).chain(own.in_time.iter_mut().map(|term| &mut term.values))
    {
        if values.len() == count {
            continue;
        }
        let mut all = vec![0.0; count * nodes.len()];
        for (row, &place) in values.chunks_exact(count).zip(taken) {
            all[place * count..][..count].copy_from_slice(row);
        }
        *values = all;
    }
    Ok(own)
}

/// That each rule of a face, and each patch, has a fluid node: an inlet within a wall lets nothing in.
pub(super) fn require_fluid(domain: &Domain, problem: &Problem, seen: &mut Seen) -> Result<(), Error> {
    if domain.flags.is_empty() {
        return Ok(());
    }
    let has_fluid = |face: Face, takes: &dyn Fn([usize; 3]) -> bool| {
        nodes_at(face, domain.size).any(|node| domain.lists(node) && takes(node) && !domain.is_solid(node))
    };
    let refused = |what: String| Error::conflict(what, "move what is solid, or the rule");
    for (face, rule) in &problem.rules {
        seen.require(has_fluid(*face, &|_| true), || {
            refused(format!(
                "the rule `{}` stands at the face {face:?}, of which all nodes are solid",
                rule.label()
            ))
        })?;
    }
    for Patch { name, face, contains, .. } in &problem.patches {
        seen.require(has_fluid(*face, contains), || {
            refused(format!(
                "the patch `{name}` lies within a wall: all its nodes at the face {face:?} are solid"
            ))
        })?;
    }
    Ok(())
}
