use crate::facts::LatticeFacts;
use crate::geometry::{
    Bounds, Cuboid, Cylinder, Geometry, Mesh, MeshBody, Predicate, Shape, Sphere, Surface, Union,
    WallDistances,
};
use crate::{Domain, FaceRule, Links};

/// The neighbours in a cube of 27.
const VELOCITIES: [[i32; 3]; 27] = {
    let mut velocities = [[0; 3]; 27];
    let mut n = 0;
    while n < 27 {
        velocities[n] = [n as i32 % 3 - 1, n as i32 / 3 % 3 - 1, n as i32 / 9 - 1];
        n += 1;
    }
    velocities
};

fn lattice() -> LatticeFacts {
    LatticeFacts {
        name: "near",
        dimension: 3,
        velocities: &VELOCITIES,
        opposites: &[],
        weights: &[],
        cs2: 1.0 / 3.0,
        sets: &[],
    }
}

/// A node, the direction of a link from it, and the distance to the wall.
type Distance = ([usize; 3], [i32; 3], f64);

/// The distances in a periodic box of 20^3, by node and direction of each link.
fn distances(shape: &impl Shape) -> (Vec<Distance>, usize) {
    distances_in(Geometry::of([20; 3], shape).unwrap(), shape)
}

fn distances_in(solid: Geometry, shape: &impl Shape) -> (Vec<Distance>, usize) {
    let lattice = lattice();
    let domain = solid.into_domain([FaceRule::Periodic; 6]).unwrap();
    let links = Links::of(&lattice, &domain).unwrap();
    let walls = WallDistances::of(&links, &lattice, &domain, shape);
    let of = |link: crate::links::Link| {
        (domain.position(link.node), lattice.velocities[link.direction], walls.distance.values()[link.number])
    };
    (links.iter().flat_map(|node| node.iter().map(of).collect::<Vec<_>>()).collect(), walls.assumed)
}

/// The same shape, which says nothing of where it is met.
fn asked_only<S: Shape>(shape: S) -> Predicate<impl Fn([f64; 3]) -> bool + Send + Sync> {
    Predicate { bounds: Bounds::EVERYWHERE, contains: move |point| shape.contains(point) }
}

pub(super) fn assert_alike(one: &impl Shape, other: &impl Shape, within: f64) {
    let ((one, assumed), (other, others)) = (distances(one), distances(other));
    assert_eq!((assumed, others), (0, 0));
    assert!(one.len() > 100 && one.len() == other.len());
    for (a, b) in one.iter().zip(&other) {
        assert!((a.0, a.1) == (b.0, b.1) && (a.2 - b.2).abs() < within, "{a:?} {b:?}");
        assert!(a.2 > 0.0 && a.2 <= 1.0);
    }
}

#[test]
fn distances_are_those_of_the_shape() {
    // Through the box's faces, too: its links go around.
    let ball = Sphere { centre: [17.2, 9.9, 3.1], radius: 5.3 };
    let (all, _) = distances(&ball);
    for (at, c, q) in &all {
        let wall: [f64; 3] = std::array::from_fn(|axis| at[axis] as f64 + 0.5 - q * f64::from(c[axis]));
        let image = |axis: usize| {
            let apart = wall[axis] - ball.centre[axis];
            apart - 20.0 * (apart / 20.0).round()
        };
        let apart = (0..3).map(|axis| image(axis).powi(2)).sum::<f64>().sqrt();
        assert!(
            (apart - ball.radius).abs() < 1e-9 || at.iter().any(|&x| x == 0 || x == 19),
            "{at:?} {c:?} {q}"
        );
    }
    assert_alike(&ball, &asked_only(ball), 1e-12);
    let cylinder = Cylinder { from: [2.1, 3.3, 4.0], to: [15.0, 12.2, 14.6], radius: 4.2 };
    assert_alike(&cylinder, &asked_only(cylinder), 1e-9);
    let cuboid = Cuboid { low: [2.25, 3.5, 4.0], high: [12.75, 9.5, 20.0] };
    assert_alike(&cuboid, &asked_only(cuboid), 1e-12);
    assert_alike(&ball.or(cuboid), &asked_only(ball.or(cuboid)), 1e-12);
}

/// What the patch is called that a shape is met in.
fn met(shape: &dyn Shape, from: [f64; 3], to: [f64; 3]) -> Option<&str> {
    let hit = shape.hit(from, to).expect("it is met");
    let name = shape.patch_name(hit.patch);
    // A name and its number are one.
    assert_eq!(name, shape.patches().get(usize::from(hit.patch)).copied());
    name
}

#[test]
fn what_shapes_are_made_of_keeps_its_names() {
    let room = || named_cuboid([3.0, 3.0, 3.0], [17.0, 17.0, 17.0]).complement();
    let block = || named_cuboid([3.0, 3.0, 8.0], [9.0, 9.0, 12.0]);
    let ball = Sphere { centre: [17.0, 10.0, 10.0], radius: 2.2 };
    let east = ([16.5, 4.5, 10.5], [17.5, 4.5, 10.5]);
    // A ball has no names, whether it comes before or behind what has.
    for (whole, named) in
        [(room().or(ball), 6), (Union(vec![Box::new(ball) as Box<dyn Shape>, Box::new(room())]), 6)]
    {
        assert_eq!((met(&whole, east.0, east.1), whole.named_patches()), (Some("x1"), named));
        assert_eq!(met(&whole, [14.5, 10.5, 10.5], [15.5, 10.5, 10.5]), None);
    }
    // Names of both, some of them twice.
    let both = room().or(block());
    assert_eq!((both.named_patches(), met(&both, east.0, east.1)), (12, Some("x1")));
    let [a, b] = [([9.5, 5.5, 10.5], [8.5, 5.5, 10.5]), ([5.5, 5.5, 12.5], [5.5, 5.5, 11.5])];
    assert_eq!([met(&both, a.0, a.1), met(&both, b.0, b.1)], [Some("x1"), Some("z1")]);
    assert!(usize::from(both.hit(a.0, a.1).unwrap().patch) >= 6);
    // A recess in the east wall: beside it the wall has its name, within it there is none; that of the block bears the block's.
    let recess = room().minus(ball);
    assert_eq!(met(&recess, east.0, east.1), Some("x1"));
    assert_eq!(met(&recess, [18.5, 10.5, 10.5], [19.5, 10.5, 10.5]), None);
    let niche = room().minus(named_cuboid([16.0, 3.0, 8.0], [19.0, 9.0, 12.0]));
    assert_eq!(met(&niche, [18.5, 4.5, 10.5], [18.5, 4.5, 12.5]), Some("z1"));
    let part = block().and(Cuboid { low: [0.0; 3], high: [6.0, 20.0, 20.0] });
    assert_eq!(met(&part, b.0, b.1), Some("z1"));
    assert_eq!(met(&part, [6.5, 5.5, 10.5], [5.5, 5.5, 10.5]), None);
    // From within, too.
    let left = |shape: &dyn Shape, from, to| {
        shape.patch_name(shape.left(from, to).unwrap().patch).map(str::to_owned)
    };
    assert_eq!(left(&part, b.1, b.0).as_deref(), Some("z1"));
    assert_eq!(left(&both, a.1, a.0).as_deref(), Some("x1"));
    assert_eq!(left(&recess, east.1, east.0).as_deref(), Some("x1"));
}

/// A cuboid of which the faces have names, `x0` the lower one across x.
fn named_cuboid(low: [f64; 3], high: [f64; 3]) -> Surface {
    Surface::of(cuboid_mesh(low, high)).unwrap()
}

/// The triangles of a box, a patch each side.
pub(super) fn cuboid_mesh(low: [f64; 3], high: [f64; 3]) -> Mesh {
    let corner =
        |n: usize| std::array::from_fn(|axis| if n >> axis & 1 == 1 { high[axis] } else { low[axis] });
    let face = |name: &str, [a, b, c, d]: [usize; 4]| {
        Mesh::from_triangles(name, [[a, b, c], [a, c, d]].map(|triangle| triangle.map(corner))).unwrap()
    };
    let faces = [
        ("z0", [0, 2, 3, 1]),
        ("z1", [4, 5, 7, 6]),
        ("y0", [0, 1, 5, 4]),
        ("y1", [2, 6, 7, 3]),
        ("x0", [0, 4, 6, 2]),
    ];
    let first = face("x1", [1, 3, 7, 5]);
    faces.into_iter().fold(first, |mesh, (name, corners)| mesh.joined(&face(name, corners)).unwrap())
}

#[test]
fn distances_to_triangles_are_exact_and_name_the_patch() {
    let (low, high) = ([3.3, 4.7, 2.0], [15.4, 12.1, 17.9]);
    let surface = named_cuboid(low, high);
    assert!(surface.is_watertight());
    assert_alike(&surface, &Cuboid { low, high }, 1e-9);
    // Straight down onto the top.
    let hit = surface.hit([8.5, 8.5, 18.5], [8.5, 8.5, 17.5]).unwrap();
    assert!((hit.at - 0.6).abs() < 1e-12 && surface.patches()[usize::from(hit.patch)] == "z1", "{hit:?}");
    assert!(surface.hit([8.5, 8.5, 19.5], [8.5, 8.5, 18.5]).is_none());
    // Where the fluid is inside, the same triangles are met from there, with their names.
    let outside = surface.clone().complement();
    let hit = outside.hit([8.5, 8.5, 17.5], [8.5, 8.5, 18.5]).unwrap();
    assert!((hit.at - 0.4).abs() < 1e-12 && outside.patches()[usize::from(hit.patch)] == "z1", "{hit:?}");
    let cuboid = Cuboid { low, high }.complement();
    let hit = cuboid.hit([8.5, 8.5, 17.5], [8.5, 8.5, 18.5]).unwrap();
    assert!((hit.at - 0.4).abs() < 1e-12 && cuboid.left([8.5, 8.5, 18.5], [8.5, 8.5, 17.5]).is_some());
    let ball = MeshBody::Sphere.mesh(100).unwrap().scaled(12.0).moved([9.7, 10.1, 10.4]);
    let ball = Surface::of(ball).unwrap();
    let (mut of_triangles, assumed) = distances(&ball);
    // From its inner side, too.
    let (inside, others) = distances_in(Geometry::of([20; 3], &ball).unwrap().inverted(), &ball);
    of_triangles.extend(inside);
    assert_eq!((assumed, others), (0, 0));
    for (at, c, q) in of_triangles {
        let apart = |axis: usize| at[axis] as f64 + 0.5 - q * f64::from(c[axis]) - [9.7, 10.1, 10.4][axis];
        let radius = (0..3).map(|axis| apart(axis).powi(2)).sum::<f64>().sqrt();
        assert!((radius - 6.0).abs() < 6.0 * 5e-4, "{at:?} {c:?} {q}: {radius}");
    }
}

#[test]
fn faces_of_the_box_and_what_is_no_shape_are_half_way() {
    let lattice = lattice();
    let nowhere = Sphere { centre: [50.0; 3], radius: 1.0 };
    let walls = |domain: &Domain| {
        let links = Links::of(&lattice, domain).unwrap();
        let walls = WallDistances::of(&links, &lattice, domain, &nowhere);
        assert!(walls.distance.values().iter().all(|&q| q == 0.5) && links.numbers() > 0);
        (walls.assumed, links.numbers())
    };
    let mut domain = Domain::periodic([6; 3]);
    domain.faces = [FaceRule::WALL; 6];
    assert_eq!(walls(&domain).0, 0);
    let ball = Geometry::of([6; 3], &Sphere { centre: [3.0; 3], radius: 1.5 }).unwrap();
    let (assumed, all) = walls(&ball.into_domain([FaceRule::Periodic; 6]).unwrap());
    assert_eq!(assumed, all);
}
