use crate::geometry::{
    Bounds, Cuboid, Geometry, Mesh, MeshBody, Regions, Shape, ShapePlacement, Sphere, Surface,
};

fn body(body: MeshBody, detail: usize, scale: f64, to: [f64; 3]) -> Surface {
    Surface::of(body.mesh(detail).unwrap().scaled(scale).moved(to)).unwrap()
}

/// Nodes in which two geometries differ.
fn differ(a: &Geometry, b: &Geometry) -> usize {
    a.solid().iter().zip(b.solid()).filter(|(a, b)| a != b).count()
}

#[test]
fn bodies_are_closed_with_their_outer_side_out_and_their_volume() {
    let parts = [
        (MeshBody::Sphere, std::f64::consts::PI / 6.0, 0.01),
        // A box with round edges in front, less the slant.
        (MeshBody::AhmedBody, 0.1130, 0.02),
        (MeshBody::Naca0012, 0.0817, 0.01),
        (MeshBody::TorusPipe, std::f64::consts::PI / 4.0 * std::f64::consts::PI * 2.0, 0.01),
    ];
    for (body, volume, within) in parts {
        let mesh = body.mesh(64).unwrap();
        assert!((mesh.volume() / volume - 1.0).abs() < within, "{body:?}: {}", mesh.volume());
        let condition = Surface::of(mesh).unwrap().condition();
        assert_eq!(condition.warnings(), Vec::<String>::new(), "{body:?}");
        assert_eq!(condition.parts, 1, "{body:?}");
    }
    assert!(MeshBody::Sphere.mesh(3).unwrap_err().to_string().contains("4 to 10000"));
}

#[test]
fn patches_say_how_large_they_are_and_where() {
    let mesh = MeshBody::TorusPipe.mesh(64).unwrap();
    let extents = mesh.extents();
    let of = |name: &str| extents[mesh.names().iter().position(|known| known == name).unwrap()];
    let area = std::f64::consts::PI / 4.0;
    for (name, x) in [("inlet", 2.0), ("outlet", -2.0)] {
        let inlet = of(name);
        assert!((inlet.area / area - 1.0).abs() < 0.01 && (inlet.radius() - 0.5).abs() < 0.005, "{inlet:?}");
        // Both look along -y.
        let expected = [(inlet.middle, [x, 0.0, 0.0]), (inlet.normal, [0.0, -inlet.area, 0.0])];
        for (found, expected) in expected {
            assert!((0..3).all(|axis| (found[axis] - expected[axis]).abs() < 1e-12), "{name}: {inlet:?}");
        }
        assert_eq!(inlet.triangles, 64);
    }
    assert!((of("wall").area / (std::f64::consts::PI.powi(2) * 2.0) - 1.0).abs() < 0.01);
    assert_eq!(mesh.areas()[0], extents[0].area);
}

#[test]
fn a_ball_of_triangles_is_the_ball_but_at_its_surface() {
    let (size, centre) = ([40; 3], [20.3, 19.1, 20.7]);
    let of_triangles = Geometry::of(size, &body(MeshBody::Sphere, 200, 30.0, centre)).unwrap();
    let ball = Geometry::of(size, &Sphere { centre, radius: 15.0 }).unwrap();
    let ([a, b], apart) = ([&of_triangles, &ball].map(Geometry::fluid_nodes), differ(&of_triangles, &ball));
    assert!(apart < 20, "{apart} of {a} and {b}");
}

#[test]
fn what_is_painted_is_what_is_contained_on_the_grid_s_own_planes_and_corners_too() {
    // All corners and edges lie in planes, rows and columns of nodes.
    let cube = cube([2.5, 3.5, 1.5], [9.5, 8.5, 7.5]);
    let cases = [
        Surface::of(cube.clone()).unwrap(),
        Surface::of(cube.rotated([0.0, 0.0, 45.0]).moved([10.0, 0.0, 0.0])).unwrap(),
        body(MeshBody::Broken, 12, 9.0, [8.0, 6.0, 6.0]),
        body(MeshBody::Sphere, 4, 10.0, [6.5; 3]),
    ];
    for (number, surface) in cases.iter().enumerate() {
        let geometry = Geometry::of([16, 13, 12], surface).unwrap();
        assert!(geometry.solid().contains(&1));
        for (node, &solid) in geometry.solid().iter().enumerate() {
            let at = [node % 16, node / 16 % 13, node / 16 / 13].map(|n| n as f64 + 0.5);
            assert_eq!(surface.contains(at), solid == 1, "case {number} at {at:?}");
        }
    }
    // Of nodes at the surface those belong to it at its lower ends.
    let geometry = Geometry::of([16, 13, 12], &cases[0]).unwrap();
    assert_eq!(geometry.nodes() - geometry.fluid_nodes(), 7 * 5 * 6);
}

/// A box of twelve triangles.
fn cube(low: [f64; 3], high: [f64; 3]) -> Mesh {
    let corner =
        |n: usize| std::array::from_fn(|axis| if n >> axis & 1 == 1 { high[axis] } else { low[axis] });
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    Mesh::from_triangles("cube", triangles.map(|triangle| triangle.map(corner))).unwrap()
}

#[test]
fn turned_faces_and_parts_inside_out_are_turned_and_cavities_stay() {
    let outer = cube([1.0; 3], [11.0; 3]);
    assert!((outer.volume() - 1000.0).abs() < 1e-9);
    let nodes = |mesh: Mesh| {
        let surface = Surface::of(mesh).unwrap();
        let geometry = Geometry::of([12; 3], &surface).unwrap();
        (geometry.nodes() - geometry.fluid_nodes(), surface.turned())
    };
    let turned = |mesh: &Mesh, which: &dyn Fn(usize) -> bool| {
        let corners = (0..mesh.triangles().len()).map(|triangle| {
            let [a, b, c] = mesh.corners(triangle);
            if which(triangle) { [a, c, b] } else { [a, b, c] }
        });
        Mesh::from_triangles("turned", corners).unwrap()
    };
    assert_eq!(nodes(outer.clone()), (1000, 0));
    assert_eq!(nodes(turned(&outer, &|triangle| triangle % 3 == 0)), (1000, 4));
    assert_eq!(nodes(turned(&outer, &|_| true)), (1000, 12));
    // A cavity is a part whose outer side is inwards; a body beside another one is not.
    let inner = cube([4.0; 3], [6.0; 3]);
    assert_eq!(nodes(outer.clone().joined(&turned(&inner, &|_| true)).unwrap()), (992, 0));
    assert_eq!(nodes(outer.clone().joined(&inner).unwrap()), (1000, 0));
    let beside = cube([20.0; 3], [21.0; 3]);
    assert_eq!(nodes(outer.joined(&turned(&beside, &|_| true)).unwrap()), (1000, 12));
}

#[test]
fn holes_are_closed_as_the_winding_number_says() {
    let whole = MeshBody::Sphere.mesh(48).unwrap().scaled(20.0).moved([12.1, 12.2, 12.3]);
    let open = (0..whole.triangles().len()).map(|triangle| whole.corners(triangle));
    let open =
        Mesh::from_triangles("open", open.filter(|corners| corners.iter().any(|c| c[2] < 18.0))).unwrap();
    let surface = Surface::of(open.clone()).unwrap();
    assert!(!surface.is_watertight() && surface.condition().open_edges > 50);
    let geometry = Geometry::of([24; 3], &surface).unwrap();
    // The sum of all solid angles, one by one.
    let exact = |point: [f64; 3]| -> f64 {
        let angle = |triangle: usize| {
            let [a, b, c] = open.corners(triangle).map(|corner| {
                let to: [f64; 3] = std::array::from_fn(|axis| corner[axis] - point[axis]);
                let length = to.iter().map(|x| x * x).sum::<f64>().sqrt();
                to.map(|x| x / length)
            });
            let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            let volume = a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0]);
            2.0 * volume.atan2(1.0 + dot(a, b) + dot(b, c) + dot(c, a))
        };
        (0..open.triangles().len()).map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    };
    let mut checked = [0; 2];
    for (node, &solid) in geometry.solid().iter().enumerate() {
        let at = [node % 24, node / 24 % 24, node / 576].map(|n| n as f64 + 0.5);
        let winding = exact(at);
        // The tree is as exact as dipoles are; within its box the mesh rules.
        if (winding - 0.5).abs() > 0.02 && surface.bounds().contain(at) {
            assert_eq!(solid == 1, winding > 0.5, "{at:?}: {winding}");
            assert!(
                (surface.winding(at) - winding).abs() < 0.02,
                "{at:?}: {} {winding}",
                surface.winding(at)
            );
            checked[usize::from(solid)] += 1;
        }
    }
    assert!(checked[0] > 1000 && checked[1] > 3000, "{checked:?}");
}

#[test]
fn what_is_broken_is_counted_and_the_rest_is_there() {
    let mesh = MeshBody::Broken.mesh(40).unwrap().scaled(20.0).moved([24.0, 16.0, 16.0]);
    let surface = Surface::of(mesh).unwrap();
    let condition = surface.condition();
    assert!(condition.open_edges > 4 && condition.turned > 100 && condition.crossed > 20, "{condition:?}");
    assert_eq!(condition.flat, 1);
    assert_eq!(condition.warnings().len(), 4, "{:?}", condition.warnings());
    let geometry = Geometry::of([40, 32, 32], &surface).unwrap();
    let two = Sphere { centre: [24.0, 16.0, 16.0], radius: 10.0 }
        .or(Sphere { centre: [12.0, 16.0, 16.0], radius: 10.0 });
    let balls = Geometry::of([40, 32, 32], &two).unwrap();
    let solid = balls.nodes() - balls.fluid_nodes();
    assert!(differ(&geometry, &balls) * 50 < solid, "{} of {solid}", differ(&geometry, &balls));
}

#[test]
fn triangles_without_area_change_neither_bounds_nor_place() {
    let ball = MeshBody::Sphere.mesh(8).unwrap();
    let line = [[100.0, 0.1, 0.2], [101.0, 1.1, 1.2], [103.0, 3.1, 3.2]];
    let far = Mesh::from_triangles("far", [line, [[-50.0; 3], [-50.0; 3], [-60.0, 0.0, 0.0]]]).unwrap();
    let both = ball.clone().joined(&far).unwrap();
    assert_eq!(both.bounds(), ball.bounds());
    let put = ShapePlacement::default().rotated([10.0, 20.0, 30.0]).unwrap().long(8.0).at([8.0; 3]).unwrap();
    let (both, ball) = (both.placed(&put).unwrap(), ball.placed(&put).unwrap());
    assert_eq!(both.bounds(), ball.bounds());
    let [with, without] =
        [both, ball].map(|mesh| Geometry::of([16; 3], &Surface::of(mesh).unwrap()).unwrap());
    assert!(with == without && with.solid().contains(&1));
    assert_eq!(far.bounds(), Bounds::NOWHERE);
    assert!(far.placed(&put).unwrap_err().to_string().contains("longest edge = 0"));
}

#[test]
fn of_triangles_with_the_same_corners_one_is_kept_or_none_if_they_cancel() {
    let solid = |mesh: &Mesh| {
        let surface = Surface::of(mesh.clone()).unwrap();
        let geometry = Geometry::of([12; 3], &surface).unwrap();
        let condition = surface.condition();
        assert!(surface.is_watertight() && condition.branched_edges == 0, "{condition:?}");
        (geometry.nodes() - geometry.fluid_nodes(), condition.doubled, condition.parts)
    };
    let one = cube([1.0; 3], [5.0; 3]);
    assert_eq!(solid(&one), (64, 0, 1));
    assert_eq!(solid(&one.clone().joined(&one).unwrap()), (64, 12, 1));
    // Two boxes share a face, as the outer side of one and of the other.
    let next = cube([5.0, 1.0, 1.0], [9.0, 5.0, 5.0]);
    assert_eq!(solid(&one.clone().joined(&next).unwrap()), (128, 4, 1));
    let turned = |triangle| {
        let [a, b, c] = one.corners(triangle);
        [a, c, b]
    };
    let turned = Mesh::from_triangles("turned", (0..12).map(turned)).unwrap();
    assert_eq!(solid(&one.joined(&turned).unwrap()), (0, 24, 0));
}

/// The pages of a book lie in boxes that all overlap.
#[test]
fn what_many_triangles_in_one_place_do_to_each_other_is_cut_short() {
    let page = |n: i32| {
        let (sine, cosine) = (f64::from(n) * 1e-3).sin_cos();
        [[0.0; 3], [0.0, 0.0, 1.0], [cosine, sine, 0.5]]
    };
    let condition = |pages| {
        let mesh = Mesh::from_triangles("book", (0..pages).map(page)).unwrap();
        Surface::of(mesh).unwrap().condition()
    };
    assert!(!condition(100).cut_short);
    let condition = condition(6000);
    assert_eq!((condition.cut_short, condition.crossed, condition.doubled), (true, 0, 0));
    assert!(condition.warnings().iter().any(|warning| warning.starts_with("at least 0 triangles pass")));
}

#[test]
fn thin_walls_and_gaps_are_counted() {
    let slab = |from: f64, to: f64| Surface::of(cube([1.0, 1.0, from], [9.0, 9.0, to])).unwrap().thin();
    assert!(slab(1.0, 3.0).is_empty());
    let thin = slab(1.0, 1.5);
    assert_eq!((thin.walls, thin.gaps), (4, 0));
    assert!((thin.area - 128.0 / 144.0).abs() < 1e-12, "{thin:?}");
    let gap = cube([1.0; 3], [9.0, 9.0, 5.0]).joined(&cube([1.0, 1.0, 5.5], [9.0; 3])).unwrap();
    let thin = Surface::of(gap).unwrap().thin();
    assert_eq!((thin.walls, thin.gaps), (0, 4));
    // Where the fluid is inside, the gap is solid.
    assert_eq!((thin.complement().walls, thin.complement().gaps), (4, 0));
}

#[test]
fn meshes_are_scaled_turned_moved_united_and_subtracted() {
    let mesh = MeshBody::AhmedBody.mesh(16).unwrap();
    let Bounds { low, high } =
        mesh.clone().scaled(10.0).rotated([0.0, 0.0, 90.0]).moved([5.0, 0.0, 1.0]).bounds();
    let near = |a: [f64; 3], b: [f64; 3]| (0..3).all(|axis| (a[axis] - b[axis]).abs() < 1e-9);
    assert!(near(low, [3.055, 0.0, 1.0]) && near(high, [6.945, 10.44, 3.88]), "{low:?} {high:?}");
    let size = [24; 3];
    let surface = || Surface::of(cube([4.0; 3], [20.0; 3])).unwrap();
    let ball = Sphere { centre: [12.0; 3], radius: 6.0 };
    let box_of = Cuboid { low: [4.0; 3], high: [20.0; 3] };
    assert_eq!(
        Geometry::of(size, &surface().minus(ball)).unwrap(),
        Geometry::of(size, &box_of.minus(ball)).unwrap()
    );
    let far = Cuboid { low: [0.0; 3], high: [5.0; 3] };
    assert_eq!(Geometry::of(size, &surface().or(far)).unwrap(), Geometry::of(size, &box_of.or(far)).unwrap());
}

#[test]
fn patches_closed_by_themselves_are_regions_and_the_others_one() {
    let one = Mesh::from_triangles("one", (0..12).map(|t| cube([1.0; 3], [4.0; 3]).corners(t))).unwrap();
    let two = cube([3.0; 3], [6.0; 3]);
    let mesh = one.joined(&two).unwrap();
    let regions = Regions::of_mesh([8; 3], mesh).unwrap();
    assert_eq!((regions.names(), regions.counts()), (&["one".to_owned(), "cube".into()][..], vec![27, 26]));
    let pipe = MeshBody::TorusPipe.mesh(32).unwrap().scaled(8.0).moved([20.0, 0.0, 8.0]);
    let mut regions = Regions::of_mesh([40, 24, 16], pipe).unwrap();
    assert_eq!(regions.names(), ["wall"]);
    let volume = std::f64::consts::PI.powi(2) * 16.0 * 16.0;
    let nodes = regions.counts()[0];
    assert!((nodes as f64 / volume - 1.0).abs() < 0.02, "{nodes} of {volume}");
    assert_eq!(regions.geometry().unwrap().nodes() - regions.geometry().unwrap().fluid_nodes(), nodes);
    assert_eq!(regions.subtract(&Cuboid { low: [0.0; 3], high: [40.0; 3] }), nodes);
    assert_eq!(regions.counts(), [0]);
}

#[test]
#[ignore = "prints how long a million triangles in a hundred million nodes take"]
fn print_the_time_of_a_million_triangles() {
    use std::time::Instant;
    let size = [464; 3];
    for body in [MeshBody::Sphere, MeshBody::AhmedBody, MeshBody::Broken] {
        let mesh = body.mesh(500).unwrap();
        let Bounds { low, high } = mesh.bounds();
        let scale = 400.0 / (high[0] - low[0]);
        let mesh = mesh.moved(low.map(|x| -x)).scaled(scale).moved([32.0; 3]);
        let triangles = mesh.triangles().len();
        let start = Instant::now();
        let surface = Surface::of(mesh).unwrap();
        let made = start.elapsed();
        let mut regions = Regions::empty(size).unwrap();
        let solid = regions.add("body", &surface).unwrap();
        let painted = start.elapsed();
        let condition = surface.condition();
        let checked = start.elapsed();
        let thin = surface.thin();
        println!(
            "{body:?}: {triangles} triangles, {solid} nodes of {size:?}; surface {made:?}, nodes {painted:?}, \
             condition {checked:?}, thin {:?} (since the start); {condition:?} {thin:?}",
            start.elapsed()
        );
    }
}
