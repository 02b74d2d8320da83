use proptest::prelude::*;

use crate::geometry::{
    Bounds, Cuboid, Cylinder, Geometry, Predicate, Raster, RoundCone, Shape, Sphere, Union, Window,
};
use crate::{Error, FaceRule};

/// Only `contains`, so that every node is asked.
struct PointByPoint<'a>(&'a dyn Shape);

impl Shape for PointByPoint<'_> {
    fn contains(&self, point: [f64; 3]) -> bool {
        self.0.contains(point)
    }
}

/// What is painted, row by row or in part, is what the shape contains.
fn painted_as_contained(shape: &dyn Shape) {
    let size = [19, 17, 23];
    let painted = Geometry::of(size, shape).unwrap();
    assert!(
        painted == Geometry::of(size, &PointByPoint(shape)).unwrap(),
        "painted other nodes than contained"
    );
    // A window that begins within the box.
    let window = Window { low: [3, 5, 7], size: [11, 9, 13] };
    let mut cells = vec![0; window.nodes()];
    shape.paint(&mut Raster::new(window, &mut cells));
    for (n, &cell) in cells.iter().enumerate() {
        let at = [3 + n % 11, 5 + n / 11 % 9, 7 + n / 99];
        assert_eq!(cell != 0, painted.is_solid(at), "{at:?}");
    }
}

fn coordinate() -> impl Strategy<Value = f64> {
    // Halves and quarters put surfaces exactly on centres and half-way between them.
    prop_oneof![-10.0..30.0, (-40..120).prop_map(|quarters| f64::from(quarters) / 4.0)]
}

fn point() -> impl Strategy<Value = [f64; 3]> {
    [coordinate(), coordinate(), coordinate()]
}

/// Any primitive, so that a failing one can be printed.
#[derive(Clone, Copy, Debug)]
enum Primitive {
    Cuboid(Cuboid),
    Sphere(Sphere),
    Cylinder(Cylinder),
    RoundCone(RoundCone),
}

impl Primitive {
    fn shape(self) -> Box<dyn Shape> {
        match self {
            Primitive::Cuboid(shape) => Box::new(shape),
            Primitive::Sphere(shape) => Box::new(shape),
            Primitive::Cylinder(shape) => Box::new(shape),
            Primitive::RoundCone(shape) => Box::new(shape),
        }
    }
}

fn primitive() -> impl Strategy<Value = Primitive> {
    let radius = || prop_oneof![-1.0..15.0, (0..40).prop_map(|quarters| f64::from(quarters) / 4.0)];
    let sphere = move || (point(), radius()).prop_map(|(centre, radius)| Sphere { centre, radius });
    prop_oneof![
        (point(), point()).prop_map(|(low, high)| Primitive::Cuboid(Cuboid { low, high })),
        sphere().prop_map(Primitive::Sphere),
        (point(), point(), radius()).prop_map(|(from, to, radius)| Primitive::Cylinder(Cylinder {
            from,
            to,
            radius
        })),
        (sphere(), sphere()).prop_map(|(from, to)| Primitive::RoundCone(RoundCone { from, to })),
    ]
}

proptest! {
    #[test]
    fn every_shape_paints_what_it_contains(shape in primitive()) {
        painted_as_contained(&shape.shape());
    }

    #[test]
    fn so_do_combined_shapes([a, b, c, d] in [primitive(), primitive(), primitive(), primitive()]) {
        painted_as_contained(&Union(vec![a.shape(), b.shape(), c.shape()]));
        painted_as_contained(&a.shape().minus(b.shape().complement()).or(c.shape().and(d.shape())));
    }
}

#[test]
fn volumes_are_those_of_the_continuum() {
    let share = |shape: &dyn Shape| 1.0 - Geometry::of([64; 3], shape).unwrap().porosity();
    let unit = |length: f64| length / 64.0;
    let ball = share(&Sphere { centre: [32.0; 3], radius: 25.0 });
    assert!((ball - 4.0 / 3.0 * std::f64::consts::PI * unit(25.0).powi(3)).abs() < 2e-3, "{ball}");
    let slanted = share(&Cylinder { from: [10.0, 12.0, 14.0], to: [50.0, 42.0, 39.0], radius: 9.0 });
    let length = unit((40f64.powi(2) + 30f64.powi(2) + 25f64.powi(2)).sqrt());
    assert!((slanted - std::f64::consts::PI * unit(9.0).powi(2) * length).abs() < 2e-3, "{slanted}");
    let cuboid = share(&Cuboid { low: [0.0, 16.0, 0.0], high: [64.0, 48.0, 32.0] });
    assert_eq!(cuboid, 0.25);
}

#[test]
fn a_round_cone_is_the_balls_that_it_sweeps() {
    let cone = RoundCone {
        from: Sphere { centre: [6.0, 7.0, 5.0], radius: 2.0 },
        to: Sphere { centre: [12.0, 9.0, 16.0], radius: 5.0 },
    };
    let ball = |t: f64| {
        let along =
            |axis: usize| cone.from.centre[axis] + t * (cone.to.centre[axis] - cone.from.centre[axis]);
        Sphere { centre: [along(0), along(1), along(2)], radius: 2.0 + 3.0 * t }
    };
    let balls = Union((0..=2000).map(|n| ball(f64::from(n) / 2000.0)).collect());
    let size = [20, 18, 24];
    assert_eq!(Geometry::of(size, &cone).unwrap(), Geometry::of(size, &balls).unwrap());
}

#[test]
fn a_predicate_is_asked_within_its_bounds_only() {
    let bounds = Bounds { low: [2.0; 3], high: [5.0; 3] };
    let shape = Predicate { bounds, contains: |point: [f64; 3]| point.iter().sum::<f64>() < 10.0 };
    painted_as_contained(&shape);
    let geometry = Geometry::of([8; 3], &shape).unwrap();
    assert!(geometry.is_solid([2, 2, 2]) && !geometry.is_solid([1, 2, 2]) && !geometry.is_solid([4, 4, 4]));
}

#[test]
fn nothing_breaks_on_numbers_that_are_none() {
    let paint = |shape: &dyn Shape| Geometry::of([7, 6, 5], shape).unwrap();
    for radius in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1.0] {
        for at in [f64::NAN, f64::INFINITY, 0.0, -1e300] {
            let ball = Sphere { centre: [at, 3.0, at], radius };
            paint(&RoundCone { from: ball, to: Sphere { centre: [5.0; 3], radius: 2.0 } });
            paint(&Cylinder { from: [at; 3], to: [5.0; 3], radius });
            paint(&Cuboid { low: [at; 3], high: [radius; 3] });
            paint(&ball);
        }
    }
    let nowhere = paint(&Sphere { centre: [f64::NAN; 3], radius: 2.0 }).fluid_nodes();
    let everywhere = paint(&Sphere { centre: [3.0; 3], radius: f64::INFINITY }).fluid_nodes();
    assert_eq!([nowhere, everywhere], [210, 0]);
}

#[test]
fn what_a_geometry_tells() {
    let geometry = Geometry::of([4, 3, 2], &Cuboid { low: [0.0; 3], high: [2.0, 1.0, 2.0] }).unwrap();
    assert_eq!((geometry.nodes(), geometry.fluid_nodes()), (24, 20));
    assert!((geometry.porosity() - 20.0 / 24.0).abs() < 1e-15);
    let fluid: Vec<_> = geometry.fluid_positions().collect();
    assert_eq!(fluid.len(), 20);
    assert_eq!((fluid[0], fluid[2], fluid[19]), ([2, 0, 0], [0, 1, 0], [3, 2, 1]));
    assert!(fluid.iter().all(|&at| !geometry.is_solid(at)));
    assert!(geometry.is_solid([4, 0, 0]), "there is nothing outside");
    let domain = geometry.clone().into_domain([FaceRule::WALL; 6]).unwrap();
    assert_eq!((domain.fluid_nodes(), domain.flags.as_slice()), (20, geometry.solid()));
    assert_eq!(domain.solids, [[0.0; 3]]);
    let open = Geometry::empty([4, 3, 2]).unwrap().into_domain([FaceRule::Periodic; 6]).unwrap();
    assert!(open.flags.is_empty() && open.solids.is_empty(), "a box without solids needs no flags");
}

#[test]
fn sizes_and_solids_that_make_no_sense_are_refused() {
    let empty = Geometry::empty([4, 0, 4]).unwrap_err();
    assert_eq!(
        empty.to_string(),
        "size = 4 x 0 x 4 is out of range: at least 1 node along each axis; \
         give 1 along axes that the lattice has not"
    );
    let huge = Geometry::empty([usize::MAX, 2, 3]).unwrap_err();
    assert!(matches!(huge, Error::OutOfRange { .. }), "{huge}");
    let petabytes = Geometry::empty([1 << 20, 1 << 20, 1 << 20]).unwrap_err();
    assert!(petabytes.to_string().contains("1073741824.0 GiB"), "{petabytes}");
    let solid = Geometry::of([4; 3], &Cuboid { low: [0.0; 3], high: [4.0; 3] }).unwrap();
    let refused = solid.into_domain([FaceRule::WALL; 6]).unwrap_err();
    assert!(refused.to_string().starts_with("fluid nodes = 0 of 64 is out of range"), "{refused}");
    let bytes = Geometry::from_nodes([2, 2, 2], vec![0; 7]).unwrap_err();
    assert!(bytes.to_string().contains("7 bytes") && bytes.to_string().contains("8 nodes"), "{bytes}");
}

#[test]
fn dark_pixels_are_solid_and_y_points_upwards() {
    let picture = [0, 127, 128, 200, 255, 10];
    let geometry = Geometry::from_mask(3, 2, &picture).unwrap();
    assert_eq!((geometry.size(), geometry.solid()), ([3, 2, 1], [0, 0, 1, 1, 1, 0].as_slice()));
    assert!(Geometry::from_mask(3, 2, &picture[1..]).is_err());
    assert!(Geometry::from_mask(0, 2, &picture).is_err());
}
