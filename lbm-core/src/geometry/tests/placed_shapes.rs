//! Shapes turned, scaled and put at their places.

use super::wall_distances::{assert_alike, cuboid_mesh};
use crate::Error;
use crate::geometry::{
    Bounds, Cuboid, Cylinder, Geometry, Mesh, MeshBody, Predicate, Shape, ShapePlacement, Sphere, Surface,
};

const SIZE: [usize; 3] = [20; 3];

fn put() -> ShapePlacement {
    ShapePlacement::default()
}

/// That the nodes of a shape are those that a formula says, of which there are some.
fn assert_nodes(shape: &impl Shape, holds: impl Fn([f64; 3]) -> bool) {
    let geometry = Geometry::of(SIZE, shape).unwrap();
    let mut solid = 0;
    for node in (0..8000).map(|n| [n % 20, n / 20 % 20, n / 400]) {
        let expected = holds(node.map(|n| n as f64 + 0.5));
        solid += usize::from(expected);
        assert_eq!(geometry.is_solid(node), expected, "{node:?}");
    }
    assert!((100..7900).contains(&solid), "{solid}");
}

#[test]
fn a_box_that_is_turned_by_quarters_is_one_with_other_sides() {
    // Sides on centres of nodes, between them and elsewhere.
    let beam = Cuboid { low: [2.5, 7.0, 6.0], high: [16.5, 12.0, 9.25] };
    let at = [9.5, 9.5, 7.625];
    for (degrees, half) in [
        ([0.0, 0.0, 90.0], [2.5, 7.0, 1.625]),
        ([0.0, -270.0, 0.0], [1.625, 2.5, 7.0]),
        ([90.0, 0.0, 180.0], [7.0, 1.625, 2.5]),
        // About x first, which brings y to z; about z first it would be another box.
        ([90.0, 0.0, 90.0], [1.625, 7.0, 2.5]),
    ] {
        let turned = beam.placed(&put().rotated(degrees).unwrap().at(at).unwrap()).unwrap();
        let other = Cuboid {
            low: std::array::from_fn(|axis| at[axis] - half[axis]),
            high: std::array::from_fn(|axis| at[axis] + half[axis]),
        };
        assert_eq!(turned.bounds(), other.bounds(), "{degrees:?}");
        assert_eq!(Geometry::of(SIZE, &turned).unwrap(), Geometry::of(SIZE, &other).unwrap());
        assert_alike(&turned, &other, 1e-12);
    }
}

#[test]
fn a_turn_without_a_place_is_about_the_origin() {
    let beam = Cuboid { low: [2.0, -15.0, 3.0], high: [5.0, -1.0, 8.0] };
    let turned = beam.placed(&put().rotated([0.0, 0.0, 90.0]).unwrap().scaled(1.25)).unwrap();
    let other = Cuboid { low: [1.25, 2.5, 3.75], high: [18.75, 6.25, 10.0] };
    assert_eq!(Geometry::of(SIZE, &turned).unwrap(), Geometry::of(SIZE, &other).unwrap());
    assert_alike(&turned, &other, 1e-12);
}

#[test]
fn slanted_shapes_are_those_of_their_formulas() {
    let (sine, cosine) = (0.5, 0.75f64.sqrt());
    let at = [10.3, 9.6, 10.1];
    // The frame of what was turned by 30 degrees about z, from its middle.
    let own = |p: [f64; 3]| {
        let [x, y, z] = [0, 1, 2].map(|axis| p[axis] - at[axis]);
        [cosine * x + sine * y, cosine * y - sine * x, z]
    };
    let slanted = put().rotated([0.0, 0.0, 30.0]).unwrap().at(at).unwrap();
    let rod = Cylinder { from: [-6.2, 0.0, 0.0], to: [6.2, 0.0, 0.0], radius: 3.3 };
    let turned = rod.placed(&slanted).unwrap();
    assert_nodes(&turned, |p| {
        let [x, y, z] = own(p);
        x.abs() <= 6.2 && y * y + z * z <= 3.3 * 3.3
    });
    let end = |half: f64| [at[0] + half * cosine, at[1] + half * sine, at[2]];
    assert_alike(&turned, &Cylinder { from: end(-6.2), to: end(6.2), radius: 3.3 }, 1e-9);
    // A shape of a user's, which says only what it contains; twice as large and moved.
    let bounds = Bounds { low: [0.0; 3], high: [7.0, 4.0, 3.0] };
    let ellipsoid = |[x, y, z]: [f64; 3]| {
        ((x - 3.5) / 3.5).powi(2) + ((y - 2.0) / 2.0).powi(2) + ((z - 1.5) / 1.5).powi(2) <= 1.0
    };
    let turned = Predicate { bounds, contains: ellipsoid }.placed(&slanted.scaled(2.0)).unwrap();
    assert_nodes(&turned, |p| {
        let [x, y, z] = own(p);
        (x / 7.0).powi(2) + (y / 4.0).powi(2) + (z / 3.0).powi(2) <= 1.0
    });
    let holds = move |p| {
        let [x, y, z] = own(p);
        (x / 7.0).powi(2) + (y / 4.0).powi(2) + (z / 3.0).powi(2) <= 1.0
    };
    assert_alike(&turned, &Predicate { bounds: Bounds::EVERYWHERE, contains: holds }, 1e-9);
    // What is taken from a shape turns with it.
    let notch = Cuboid { low: [0.0, -9.0, -1.0], high: [9.0, 9.0, 9.0] };
    let centred = put().rotated([0.0, 0.0, 30.0]).unwrap().at(at).unwrap();
    let cut = rod.minus(notch).placed(&centred).unwrap();
    assert_nodes(&cut, |p| {
        let [x, y, z] = own(p);
        x.abs() <= 6.2 && y * y + z * z <= 3.3 * 3.3 && !(x >= 0.0 && z >= -1.0)
    });
    let apart = rod.placed(&centred).unwrap().minus(notch.placed(&shifted(at)).unwrap());
    assert_eq!(Geometry::of(SIZE, &cut).unwrap(), Geometry::of(SIZE, &apart).unwrap());
    assert_alike(&cut, &apart, 1e-9);
}

/// The placement, turned by 30 degrees, of a notch with its middle at (4.5, 0, 4) of a frame whose origin is at a point.
fn shifted(at: [f64; 3]) -> ShapePlacement {
    let (sine, cosine) = (0.5, 0.75f64.sqrt());
    let middle = [at[0] + 4.5 * cosine, at[1] + 4.5 * sine, at[2] + 4.0];
    put().rotated([0.0, 0.0, 30.0]).unwrap().at(middle).unwrap()
}

#[test]
fn a_ball_is_scaled_and_placed() {
    let ball = Sphere { centre: [3.0, 1.0, 2.0], radius: 2.0 };
    let other = Sphere { centre: [9.0, 11.0, 10.5], radius: 7.0 };
    for placement in [put().scaled(3.5), put().long(14.0)] {
        let large = ball.placed(&placement.at(other.centre).unwrap()).unwrap();
        assert_eq!(large.bounds(), other.bounds());
        assert_eq!(Geometry::of(SIZE, &large).unwrap(), Geometry::of(SIZE, &other).unwrap());
        assert_alike(&large, &other, 1e-12);
    }
}

#[test]
fn a_shape_and_a_mesh_are_placed_alike() {
    let (low, high) = ([3.0, -1.0, 5.0], [6.0, 1.0, 6.5]);
    let turned = put().rotated([20.0, -35.0, 110.0]).unwrap().scaled(3.5);
    let about_the_origin = put().rotated([0.0, 0.0, 40.0]).unwrap().scaled(2.0);
    for placement in [turned.at([9.7, 10.2, 10.4]).unwrap(), about_the_origin] {
        let surface = Surface::of(cuboid_mesh(low, high).placed(&placement).unwrap()).unwrap();
        let shape = Cuboid { low, high }.placed(&placement).unwrap();
        assert_alike(&surface, &shape, 1e-9);
        // The parts of a surface have their names wherever it is.
        let placed = Surface::of(cuboid_mesh(low, high)).unwrap().placed(&placement).unwrap();
        assert_alike(&placed, &surface, 1e-9);
        assert_eq!((placed.patches(), placed.named_patches()), (surface.patches(), 6));
    }
}

#[test]
fn what_is_not_placed_is_as_it_was() {
    let rod = Cylinder { from: [4.1, 3.3, 4.0], to: [15.0, 12.2, 14.6], radius: 4.2 };
    let same = rod.placed(&put()).unwrap();
    assert_eq!(Geometry::of(SIZE, &same).unwrap(), Geometry::of(SIZE, &rod).unwrap());
    assert_alike(&same, &rod, f64::MIN_POSITIVE);
    let everywhere = rod.complement().placed(&put().scaled(2.0)).unwrap();
    assert_eq!(everywhere.bounds(), Bounds::EVERYWHERE);
    assert!(everywhere.contains([0.0; 3]) && !everywhere.contains([19.0, 15.5, 18.6]));
}

#[test]
fn what_cannot_be_placed_is_refused() {
    let ball = Sphere { centre: [3.0; 3], radius: 2.0 };
    let said = |result: Result<ShapePlacement, Error>| {
        result.and_then(|put| ball.placed(&put).map(|_| ())).expect_err("must be refused").to_string()
    };
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY, 0.2, 1e6] {
        let message = said(Ok(put().scaled(scale)));
        assert!(
            message.starts_with(&format!("scale = {scale} is out of range: 2.500e-1 to 2.621e5")),
            "{message}"
        );
        assert!(message.contains("give a scale in that range"), "{message}");
    }
    for length in [0.0, -8.0, f64::NAN, 2e6] {
        let message = said(Ok(put().long(length)));
        assert!(
            message.starts_with(&format!("length = {length} is out of range: 1 to 1048576 nodes")),
            "{message}"
        );
    }
    for wrong in [f64::NAN, f64::NEG_INFINITY, 2e9] {
        assert!(
            said(put().rotated([0.0, wrong, 0.0])).starts_with(&format!("turn = {wrong} is out of range"))
        );
        assert!(said(put().at([0.0, 1.0, wrong])).starts_with(&format!("place = {wrong} is out of range")));
    }
    let around = ball.complement();
    let placed = around.placed(&put().at([1.0; 3]).unwrap()).unwrap_err();
    assert!(placed.to_string().contains("without ends"), "{placed}");
    let endless = |scale| around.placed(&put().scaled(scale)).map(|_| ());
    assert!(
        endless(0.0).unwrap_err().to_string().starts_with("scale = 0 is out of range: finite and above 0")
    );
    assert!(endless(1e-9).is_ok() && around.placed(&put().long(8.0)).is_err());
    let mesh = Mesh::placed(MeshBody::Sphere.mesh(8).unwrap(), &put().scaled(f64::NAN)).unwrap_err();
    assert!(mesh.to_string().starts_with("scale = NaN"), "{mesh}");
}
