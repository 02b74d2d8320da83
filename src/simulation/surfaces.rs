//! Rules of links at the surfaces of bodies, and at patches of these.

use lbm_core::domain::RuledLink;
use lbm_core::engine::{Adjustable, Setup};
use lbm_core::facts::LatticeFacts;
use lbm_core::geometry::{Shape, WallDistances};
use lbm_core::links::Link;
use lbm_core::rules::Stands;
use lbm_core::{Domain, Error, RuleFacts};

use super::patches::{PlacedPatch, Takes, one_set};
use super::plan::Seen;
use super::problem::{Problem, Surface, SurfacePart, SurfacePatch};
use super::rule_values::values;
use super::rules::{Place, PlacedRule, centre, find, of_wall};

/// Gives the rules of surfaces and of their patches the links that these cut, in a box whose solid nodes are marked; the first surface is this
/// number of [`Domain::solids`]. Where no patch is met, a link has the rule of its surface. Gives the patches, and for each link on which no surface was found its node.
pub(super) fn apply(
    lattice: &LatticeFacts,
    known: &[RuleFacts],
    problem: &Problem,
    first: usize,
    setup: &mut Setup,
    seen: &mut Seen,
) -> Result<(Vec<PlacedPatch>, Vec<usize>), Error> {
    require_surfaces(problem)?;
    let ruled = |(number, surface)| Ruled::of(lattice, known, problem, number, surface);
    let all: Vec<Ruled<'_>> = problem.surfaces.iter().enumerate().map(ruled).collect::<Result<_, Error>>()?;
    if all.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    // Walls are numbered with the faces first.
    let before = setup.domain().faces.len() + first;
    let (cuts, unmet) = find_cuts(lattice, setup, &all, before)?;
    let mut cuts = cuts.into_iter();
    let mut placed = Vec::new();
    for (number, Ruled { rule, surface, wall, patches, .. }) in all.iter().enumerate() {
        let mut next = || cuts.next().unwrap_or_default();
        let own = next();
        match *wall {
            Some(velocity) => setup.adjustable().velocities[first + number] = velocity,
            None => own.stand(lattice, setup, (rule, &surface.rule), "a surface").map(drop)?,
        }
        for Patch { patch: SurfacePatch { name, rule: own, .. }, rule, .. } in patches {
            let cuts = next();
            seen.require(!cuts.links.is_empty(), || {
                Error::conflict(
                    format!("the patch `{name}` of a surface cuts no link between fluid and solid nodes"),
                    "check where the surface and the patch lie; the centre of node [i, j, k] is the point [i + 1/2, j + 1/2, k + 1/2]",
                )
            })?;
            let rule = cuts.stand(lattice, setup, (rule, own), &format!("the patch `{name}`"))?;
            placed.push(PlacedPatch { name: name.clone(), wall: before + number, takes: Takes::Links, rule });
        }
    }
    setup.adjustable().links.sort_unstable_by_key(|link| (link.node, link.back));
    Ok((placed, unmet))
}

/// That each patch was given behind a surface.
fn require_surfaces(problem: &Problem) -> Result<(), Error> {
    match problem.surface_patches.iter().find(|patch| patch.surface.is_none()) {
        Some(SurfacePatch { name, .. }) => Err(Error::conflict(
            format!("there is no surface of which `{name}` is a patch"),
            "give a patch of a surface right behind the call of `.surface(..)`",
        )),
        None => Ok(()),
    }
}

/// A surface with its rule, and those of its patches.
struct Ruled<'a> {
    surface: &'a Surface,
    rule: &'a RuleFacts,
    /// The velocity of the half-way wall that its rule is, if it is one; of one that moves only where all of the surface is.
    wall: Option<[f64; 3]>,
    patches: Vec<Patch<'a>>,
}

/// A patch with its rule.
struct Patch<'a> {
    patch: &'a SurfacePatch,
    rule: &'a RuleFacts,
    /// Its numbers among those of the shape, if it is known by its name there: several where the shape is made of such that have it.
    numbers: Vec<u16>,
}

impl Ruled<'_> {
    fn of<'a>(
        lattice: &LatticeFacts,
        known: &'a [RuleFacts],
        problem: &'a Problem,
        number: usize,
        surface: &'a Surface,
    ) -> Result<Ruled<'a>, Error> {
        let rule = find(known, surface.rule.label())?;
        let own = problem.surface_patches.iter().filter(|patch| patch.surface == Some(number));
        let rules = own.clone().map(|patch| &patch.rule).chain([&surface.rule]);
        one_set(known, rules, "a surface")?;
        let patches: Vec<Patch<'a>> =
            own.map(|patch| Patch::of(known, &*surface.shape, patch)).collect::<Result<_, Error>>()?;
        let wall = of_wall(lattice, rule, "a surface", &surface.rule)?;
        let wall = wall.filter(|velocity| patches.is_empty() || *velocity == [0.0; 3]);
        Ok(Ruled { surface, rule, wall, patches })
    }

    /// Whether it matters where its shape is met.
    fn is_cut(&self) -> bool {
        self.wall.is_none() || !self.patches.is_empty()
    }

    /// The patch that has a link which meets the shape in this patch of it, the wall being at this point.
    fn holder(
        &self,
        met: Option<u16>,
        wall: [f64; 3],
        link: &dyn Fn() -> String,
    ) -> Result<Option<usize>, Error> {
        let mut holders = (0..self.patches.len()).filter(|&number| self.patches[number].takes(met, wall));
        match (holders.next(), holders.next()) {
            (Some(one), Some(other)) => {
                let [one, other] = [one, other].map(|number| &self.patches[number].patch.name);
                Err(Error::conflict(
                    format!("the patches `{one}` and `{other}` both claim {}", link()),
                    "move one of them, or make it smaller",
                ))
            }
            (holder, _) => Ok(holder),
        }
    }
}

impl Patch<'_> {
    fn of<'a>(
        known: &'a [RuleFacts],
        shape: &dyn Shape,
        patch: &'a SurfacePatch,
    ) -> Result<Patch<'a>, Error> {
        let (rule, name) = (find(known, patch.rule.label())?, &patch.name);
        if rule.stands != Stands::AtLinks {
            return Err(Error::conflict(
                format!(
                    "the rule `{}` of the patch `{name}` is {}, and a surface cuts links anywhere",
                    rule.name,
                    rule.stands.described()
                ),
                "take a rule of links: `half-way` or `bouzidi` with the velocity that enters or leaves, `anti-bounce-back` with a density, `staircase-slip` where the fluid slips",
            ));
        }
        let numbers = match &patch.part {
            SurfacePart::Within(_) => Vec::new(),
            SurfacePart::Named(part) => numbers_of(shape, name, part)?,
        };
        Ok(Patch { patch, rule, numbers })
    }

    fn takes(&self, met: Option<u16>, wall: [f64; 3]) -> bool {
        match &self.patch.part {
            SurfacePart::Named(_) => met.is_some_and(|met| self.numbers.contains(&met)),
            SurfacePart::Within(shape) => shape.contains(wall),
        }
    }
}

/// The numbers that a shape gives its patches of a name.
fn numbers_of(shape: &dyn Shape, patch: &str, part: &str) -> Result<Vec<u16>, Error> {
    let names = shape.patches();
    let numbered = names.iter().zip(0..).filter(|&(name, _)| *name == part);
    let found: Vec<u16> = numbered.map(|(_, number)| number).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let remedy = match names[..] {
        [] => format!("this surface has no named parts; say by a shape where `{patch}` is"),
        _ => format!("the named parts of this surface are: {}", names.join(", ")),
    };
    Err(Error::unknown("part of a surface", part, names, remedy))
}

/// The links that a rule is given: node, direction and distance to the wall, and where that is.
#[derive(Clone, Default)]
struct Cuts {
    links: Vec<(usize, usize, f64)>,
    places: Vec<Place>,
}

impl Cuts {
    fn push(&mut self, lattice: &LatticeFacts, domain: &Domain, link: &Link, distance: f64) {
        self.links.push((link.node, link.direction, distance));
        let position = domain.position(link.node);
        self.places.push((position, along(lattice, centre(position), link, distance)));
    }

    /// Lets a rule stand at these; gives its number.
    fn stand(
        self,
        lattice: &LatticeFacts,
        setup: &mut Setup,
        (rule, placed): (&RuleFacts, &PlacedRule),
        stands: &str,
    ) -> Result<usize, Error> {
        let Adjustable { rules, links: all, .. } = setup.adjustable();
        let number = rules.len();
        rules.push(values(lattice, rule, stands, &self.places, placed)?);
        let links = self.links.into_iter().enumerate();
        all.extend(links.map(|(place, (node, back, distance))| {
            RuledLink::new(node, back, number).at_distance(distance).with_place(place)
        }));
        Ok(number)
    }
}

/// For each surface the links that are its own, and then those of each of its patches; and the node of each link on which none was found. The first surface is this number of
/// [`Domain::walls`].
fn find_cuts(
    lattice: &LatticeFacts,
    setup: &Setup,
    all: &[Ruled<'_>],
    before: usize,
) -> Result<(Vec<Cuts>, Vec<usize>), Error> {
    let firsts: Vec<usize> = all
        .iter()
        .scan(0, |next, surface| {
            let first = *next;
            *next += 1 + surface.patches.len();
            Some(first)
        })
        .collect();
    let mut cuts = vec![Cuts::default(); all.iter().map(|surface| 1 + surface.patches.len()).sum()];
    let number = |wall: usize| wall.checked_sub(before).filter(|&number| all[number].is_cut());
    let (domain, links) = (setup.domain(), setup.links(lattice)?);
    let shape = |wall: usize| number(wall).map(|number| &*all[number].surface.shape);
    let WallDistances { distance, patch, .. } = WallDistances::of_each(&links, lattice, domain, shape);
    let mut unmet = Vec::new();
    for link in links.iter().flat_map(|node| node.iter().collect::<Vec<_>>()) {
        let Some(number) = number(link.meets) else { continue };
        let (distance, met) = (distance.values()[link.number], patch.values()[link.number]);
        unmet.extend(met.is_none().then_some(link.node));
        let [from, _] = link.ends(lattice, domain);
        let named = || {
            let c = &lattice.velocities[link.direction][..lattice.dimension];
            format!("the link of node {:?} from which {c:?} comes", domain.position(link.node))
        };
        let holder = all[number].holder(met, along(lattice, from, &link, distance), &named)?;
        let rule = holder.map_or(all[number].rule, |patch| all[number].patches[patch].rule);
        if rule.directions(lattice).contains(&link.direction) {
            cuts[firsts[number] + holder.map_or(0, |patch| 1 + patch)].push(lattice, domain, &link, distance);
        }
    }
    Ok((cuts, unmet))
}

/// The point of a link at this share of its length from its fluid node.
fn along(lattice: &LatticeFacts, from: [f64; 3], link: &Link, distance: f64) -> [f64; 3] {
    let c = lattice.velocities[link.direction].map(f64::from);
    std::array::from_fn(|axis| from[axis] - distance * c[axis])
}
