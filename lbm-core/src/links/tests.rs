use super::*;
use crate::domain::{AppliedRule, FaceRule, RuledNode, Upstream};
use crate::laws::SplitMix64;

/// The neighbours in a cube of 27, and some two nodes away.
const VELOCITIES: [[i32; 3]; 31] = {
    let mut velocities = [[0; 3]; 31];
    let mut n = 0;
    while n < 27 {
        velocities[n] = [n as i32 % 3 - 1, n as i32 / 3 % 3 - 1, n as i32 / 9 - 1];
        n += 1;
    }
    velocities[27] = [2, 0, 0];
    velocities[28] = [-2, 0, 0];
    velocities[29] = [0, 2, 2];
    velocities[30] = [0, -2, -2];
    velocities
};

/// As many as a mask holds: those again, and some once more.
const MOST: [[i32; 3]; MOST_DIRECTIONS] = {
    let mut velocities = [[0; 3]; MOST_DIRECTIONS];
    let mut n = 0;
    while n < MOST_DIRECTIONS {
        velocities[n] = VELOCITIES[n % 31];
        n += 1;
    }
    velocities
};

/// In words of 32 bits and in wider ones; the first of each are as many as fit and one more than fits.
const LATTICES: [&[[i32; 3]]; 6] = [
    &VELOCITIES,
    VELOCITIES.split_at(27).0,
    VELOCITIES.split_at(9).1.split_at(9).0,
    MOST.split_at(32).0,
    MOST.split_at(38).0,
    &MOST,
];

fn lattice(velocities: &'static [[i32; 3]]) -> LatticeFacts {
    LatticeFacts {
        name: "near",
        dimension: 3,
        velocities,
        opposites: &[],
        weights: &[],
        cs2: 1.0 / 3.0,
        sets: &[],
    }
}

fn random_domain(random: &mut SplitMix64) -> Domain {
    let size = [
        1 + (random.bits() % 70) as usize,
        1 + (random.bits() % 12) as usize,
        1 + (random.bits() % 9) as usize,
    ];
    let mut domain = Domain::periodic(size);
    for axis in (0..3).filter(|_| random.chance(0.5)).collect::<Vec<_>>() {
        for end in 0..2 {
            let along = if random.chance(0.5) { 0.1 } else { 0.0 };
            domain.faces[2 * axis + end] = FaceRule::Wall { velocity: [along; 3] };
        }
    }
    if random.chance(0.7) {
        domain.solids = vec![[0.0; 3], [0.1; 3]];
        domain.flags = (0..domain.nodes())
            .map(|_| if random.chance(0.02) { 1 + u8::from(random.chance(0.5)) } else { 0 })
            .collect();
    }
    domain
}

/// Node, direction and what is met, of every link: asked one by one.
fn asked(lattice: &LatticeFacts, domain: &Domain) -> Vec<(usize, usize, usize)> {
    let mut all = Vec::new();
    for node in (0..domain.nodes()).filter(|&node| !domain.is_solid(domain.position(node))) {
        for (i, c) in lattice.velocities.iter().enumerate() {
            if let Upstream::Wall(wall) = domain.upstream(domain.position(node), c.map(|c| -c)) {
                all.push((node, i, wall));
            }
        }
    }
    all
}

fn listed(links: &Links) -> Vec<(usize, usize, usize)> {
    links.iter().flat_map(NodeLinks::iter).map(|link| (link.node, link.direction, link.meets)).collect()
}

#[test]
fn the_list_is_what_each_node_says_of_each_direction() {
    let mut random = SplitMix64::new(3);
    for velocities in LATTICES {
        let lattice = lattice(velocities);
        for _ in 0..40 {
            let mut domain = random_domain(&mut random);
            // Some nodes have rules of their own, one or two.
            let ruled = (0..domain.nodes()).filter(|&node| !domain.is_solid(domain.position(node)));
            let ruled = ruled.flat_map(|node| {
                std::iter::repeat_n(
                    node,
                    (random.bits() % 8).min(2) as usize * usize::from(random.chance(0.1)),
                )
            });
            domain.in_fluid = ruled.map(|node| RuledNode { node, rule: 0, place: 0 }).collect();
            let links = Links::of(&lattice, &domain).unwrap();
            assert_eq!(listed(&links), asked(&lattice, &domain), "{domain:?}");
            let numbers: Vec<_> = links.iter().flat_map(NodeLinks::iter).map(|link| link.number).collect();
            assert_eq!(numbers, (0..links.numbers()).collect::<Vec<_>>());
            let some = domain.nodes() / 3..domain.nodes() / 2;
            let within: Vec<_> = links.within(some.clone()).collect();
            assert_eq!(
                within,
                some.map(|node| links.at(node)).filter(|at| links.lists(at.node)).collect::<Vec<_>>()
            );
            let has_rule = |node: usize| domain.in_fluid.iter().any(|ruled| ruled.node == node);
            assert!(
                (0..domain.nodes())
                    .all(|node| links.lists(node) == (links.at(node).missing != 0 || has_rule(node)))
            );
        }
    }
}

#[test]
fn a_changed_node_changes_pages_around_it_and_gives_the_list_built_anew() {
    let mut random = SplitMix64::new(5);
    let mut grown = 0;
    for velocities in [&VELOCITIES[..], MOST.split_at(38).0, &MOST].into_iter().cycle().take(18) {
        let lattice = lattice(velocities);
        let mut domain = random_domain(&mut random);
        domain.solids = vec![[0.0; 3], [0.1; 3]];
        domain.flags.resize(domain.nodes(), 0);
        let mut links = Links::of(&lattice, &domain).unwrap();
        for _ in 0..40 {
            let nodes: Vec<_> =
                (0..1 + random.bits() % 3).map(|_| random.bits() as usize % domain.nodes()).collect();
            nodes.iter().for_each(|&node| domain.flags[node] = (random.bits() % 3) as u8);
            let before = links.clone();
            let changes = links.renew(&lattice, &domain, &nodes).unwrap();
            assert_eq!(listed(&links), listed(&Links::of(&lattice, &domain).unwrap()));

            let near = |page: usize| {
                nodes.iter().any(|&node| {
                    let at = |c: &[i32; 3]| domain.index(domain.around(domain.position(node), *c)) / PAGE;
                    VELOCITIES.iter().any(|c| at(c) == page)
                })
            };
            for (number, (page, old)) in links.pages.iter().zip(&before.pages).enumerate() {
                assert!(near(number) || page == old, "page {number} is far from {nodes:?}");
                assert!(page.links() <= page.span.len());
                grown += usize::from(page.span != old.span);
            }
            let is_changed = |node: usize| changes.iter().any(|change| change.node == node);
            let of_node = |links: &Links, node: usize| {
                let here = links.at(node);
                here.iter().map(|link| (link.direction, link.meets)).collect::<Vec<_>>()
            };
            for node in 0..domain.nodes() {
                assert_eq!(is_changed(node), of_node(&links, node) != of_node(&before, node), "{node}");
            }
        }
        let mut spans: Vec<_> = links.pages.iter().map(|page| page.span.clone()).collect();
        spans.sort_by_key(|span| (span.start, span.end));
        assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start), "{spans:?}");
    }
    assert!(grown > 10, "{grown}");
}

#[test]
fn a_page_grows_by_doubling() {
    let (mut domain, lattice) = (Domain::periodic([64, 64, 1]), lattice(&VELOCITIES));
    domain.solids = vec![[0.0; 3]];
    domain.flags = vec![0; domain.nodes()];
    let mut links = Links::of(&lattice, &domain).unwrap();
    for n in 0..400 {
        domain.flags[n * 37 % 4096] ^= 1;
        links.renew(&lattice, &domain, &[n * 37 % 4096]).unwrap();
    }
    let used: usize = links.pages.iter().map(Page::links).sum();
    assert!(
        links.numbers() <= 4 * used.max(1) + 8 * links.pages.len(),
        "{} numbers for {used}",
        links.numbers()
    );
}

#[test]
fn a_lattice_of_too_many_velocities_is_refused_by_name_where_there_are_walls() {
    const MANY: [[i32; 3]; 64] = [[0; 3]; 64];
    let many = LatticeFacts { name: "many", ..lattice(&MANY) };
    let mut domain = Domain::periodic([4, 4, 4]);
    assert_eq!(Links::of(&many, &domain).unwrap().numbers(), 0);
    domain.faces[0] = FaceRule::WALL;
    domain.faces[1] = FaceRule::WALL;
    let refused = Links::of(&many, &domain).unwrap_err().to_string();
    assert!(refused.contains("lattice `many` = 64") && refused.contains("at most 63"), "{refused}");
    assert!(Links::of(&lattice(&MOST), &domain).is_ok());
}

/// A page in which every direction of every node comes from a wall, and one that was listed node by node.
#[test]
fn a_page_names_all_the_links_that_it_can_have() {
    const ACROSS: [[i32; 3]; MOST_DIRECTIONS] = [[0, 1, 0]; MOST_DIRECTIONS];
    let lattice = lattice(&ACROSS);
    let mut domain = Domain::periodic([PAGE, 2, 1]);
    domain.faces[2..4].fill(FaceRule::WALL);
    let links = Links::of(&lattice, &domain).unwrap();
    assert_eq!(links.numbers(), PAGE * MOST_DIRECTIONS);
    assert_eq!(listed(&links), asked(&lattice, &domain));
    let last = links.at(PAGE - 1);
    assert_eq!((last.missing, last.first), (u64::MAX >> 1, (PAGE - 1) * MOST_DIRECTIONS));

    domain.solids = vec![[0.0; 3]];
    domain.flags = vec![0; domain.nodes()];
    let mut renewed = Links::of(&lattice, &domain).unwrap();
    for node in 0..PAGE {
        domain.flags[node] = 1;
        renewed.renew(&lattice, &domain, &[node]).unwrap();
    }
    assert_eq!(listed(&renewed), listed(&Links::of(&lattice, &domain).unwrap()));
    assert_eq!(renewed.at(2 * PAGE - 1).missing, u64::MAX >> 1);
}

/// What comes from beyond two faces is that of a rule which holds before walls, then of a wall at rest, of one that moves, then of the rule that was given first.
#[test]
fn a_corner_belongs_to_the_first_that_holds_there() {
    let moving = FaceRule::Wall { velocity: [0.1, 0.0, 0.0] };
    let corner = |west: FaceRule, south: FaceRule, first: [bool; 2]| {
        let faces = [west, FaceRule::WALL, south, FaceRule::WALL, FaceRule::Periodic, FaceRule::Periodic];
        let mut domain = Domain::periodic([4, 4, 1]).with_faces(faces);
        domain.rules =
            first.map(|first| AppliedRule::new("a", 0, Vec::new()).holding_before_walls(first)).into();
        domain.upstream([0, 0, 0], [-1, -1, 0])
    };
    let (one, other) = (FaceRule::Rule(0), FaceRule::Rule(1));
    let [west, south] = [0, 2].map(Upstream::Wall);
    for (faces, first, expected) in [
        ([one, other], [false; 2], west),
        ([other, one], [false; 2], south),
        ([other, one], [true; 2], south),
        ([one, other], [false, true], south),
        ([one, FaceRule::WALL], [false; 2], south),
        ([one, FaceRule::WALL], [true, false], west),
        ([moving, FaceRule::WALL], [false; 2], south),
        ([FaceRule::WALL, moving], [false; 2], west),
        ([moving, one], [false; 2], west),
        ([moving, one], [true, false], south),
    ] {
        assert_eq!(corner(faces[0], faces[1], first), expected, "{faces:?}, {first:?}");
    }
}
