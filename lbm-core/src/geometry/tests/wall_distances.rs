use crate::facts::LatticeFacts;
use crate::geometry::{
    Bounds, Complement, Cuboid, Cylinder, Geometry, MeshBody, Predicate, Shape, Sphere, Surface, WallDistances,
};
use crate::laws::SplitMix64;
use crate::{FaceRule, Links};

/// The 19 velocities of D3Q19, in any order.
fn lattice() -> LatticeFacts {
    const VELOCITIES: [[i32; 3]; 19] = {
        let mut all = [[0; 3]; 19];
        let (mut n, mut code) = (0, 0);
        while code < 27 {
            let c = [code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1];
            if c[0] * c[0] + c[1] * c[1] + c[2] * c[2] <= 2 {
                all[n] = c;
                n += 1;
            }
            code += 1;
        }
        all
    };
    crate::facts::tests_lattice(&VELOCITIES)
}

/// The distances in a periodic box of 20^3, by node and direction of each link.
fn distances(shape: &impl Shape) -> (Vec<([usize; 3], [i32; 3], f64)>, usize) {
    let lattice = lattice();
    let domain = Geometry::of([20; 3], shape).unwrap().into_domain([FaceRule::Periodic; 6]).unwrap();
    let links = Links::of(&lattice, &domain).unwrap();
    let walls = WallDistances::of(&links, &lattice, &domain, shape);
    let of = |link: crate::links::Link| {
        (domain.position(link.node), lattice.velocities[link.direction], walls.distance.values()[link.number])
    };
    (links.iter().flat_map(|node| node.iter().map(of).collect::<Vec<_>>()).collect(), walls.assumed)
}
