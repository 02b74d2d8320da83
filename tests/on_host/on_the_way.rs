//! Fields that neighbours read follow on the way of a march, or in a march before: the same bits, and the same fields are left.

use lbm::core::reference::Reference;
use lbm::cross_check::{Options, cuda_on_host_equals_cpu};

use super::*;

solver! { Fluids2D { model: ColourGradient<Regularized>, lattices: [D2Q9, D2Q9], precision: F64, streaming: Moments } }
solver! { Fluids3D { model: ColourGradient<Regularized>, lattices: [D3Q19, D3Q19], precision: F32, layout: Aosoa<32>, streaming: Moments } }
solver! { Vapour2D { model: ShanChen<Regularized>, lattice: D2Q9, precision: F16In32, streaming: Moments } }
solver! { Drops2D { model: Emulsion<Regularized>, lattices: [D2Q9, D2Q9], precision: F32, streaming: Moments } }
solver! { Attracting2D { model: ShanChen<Bgk>, lattice: D2Q9, precision: F32, streaming: Aa } }
solver! { Dense2D { model: PhaseField<Trt, Bgk>, lattices: [D2Q9, D2Q9], equilibrium: Incompressible, precision: F64 } }
solver! { Film2D { model: Emulsion<Regularized>, lattices: [D2Q9, D2Q9], precision: F64, streaming: EsotericPull } }
solver! { Ring2D { collision: Regularized, lattice: D2Q9, precision: F32, streaming: MomentsRing } }

/// The first box of these sizes without walls, or with some.
fn setup_of(facts: &Facts, size: [usize; 3], walls: bool) -> Setup {
    let mut all = (0..).map(|seed| random_setup(facts, size, &mut SplitMix64::new(seed)));
    all.find(|setup| setup.domain().is_all_bulk() != walls).expect("boxes of both kinds")
}

/// A run in a shape beside one in which fields follow before, after so many steps at a time; and what is left of them.
fn leaves_the_same<V: Variant>(runs: &[Run]) {
    if cxx_or_skip(&V::name()).is_none() {
        return;
    }
    let facts = Facts::of::<V>();
    for &(size, shape, free_size) in runs {
        let setup = setup_of(&facts, size, false);
        let on_the_way = options(shape, free_size);
        let mut before = on_the_way;
        before.shape = on_the_way.shape.map(|shape| shape.between_walls());
        assert_ne!(before, on_the_way, "{shape}");
        let start = random_populations(&facts.lattice, setup.domain(), &mut SplitMix64::new(3));
        let mut engines = [on_the_way, before].map(|options| {
            let mut engine = engine::<V>(&setup, &options).unwrap();
            assert_eq!(Some(engine.shape()), options.shape);
            engine.set_populations(&start, 0).unwrap();
            engine
        });
        for steps in [1, 2, 3, 10] {
            let [found, expected] = engines.each_mut().map(|engine| {
                engine.run(steps).unwrap();
                let mut all = vec![0.0; start.len()];
                engine.populations(&mut all).unwrap();
                all.extend(all_fields(&facts, engine));
                all
            });
            let same = found.iter().zip(&expected).all(|(one, other)| one.to_bits() == other.to_bits());
            assert!(same && found.iter().any(|&value| value != 0.0), "{shape}, {size:?}, {steps} steps");
        }
    }
}

#[test]
fn they_leave_the_same() {
    leaves_the_same::<Fluids2D>(&[
        ([70, 33, 1], "1x32x1x1+y3f", BAKED),
        ([29, 2, 1], "1x32x1x1+y1f", FREE),
        ([1, 1, 1], "1x32x1x1+y1f", BAKED),
    ]);
    leaves_the_same::<Fluids3D>(&[
        ([31, 9, 11], "1x32x6x1+z2f", BAKED),
        ([32, 6, 4], "1x32x12x1+z1f", FREE),
        ([33, 5, 3], "1x32x5x1+z1f", BAKED),
    ]);
    leaves_the_same::<Vapour2D>(&[([64, 6, 1], "1x32x1x1+y2f", BAKED)]);
}

#[test]
fn between_walls_they_follow_before() {
    if cxx_or_skip("between_walls_they_follow_before").is_none() {
        return;
    }
    let (facts, on_the_way) = (Facts::of::<Fluids3D>(), options("1x32x6x1+z2f", BAKED));
    let engine = engine::<Fluids3D>(&setup_of(&facts, [16, 9, 11], true), &on_the_way).unwrap();
    assert_eq!(engine.shape().to_string(), "1x32x8x1+z2");
}

/// Parts of a box, which read beyond cuts what others bring before each step, or once in two; in boxes without walls.
#[test]
fn in_parts_they_have_the_same_bits() {
    let (facts, sizes) = (Facts::of::<Fluids3D>(), [[12, 7, 24], [20, 12, 26]]);
    let bulk = |seed: &u64| {
        sizes
            .iter()
            .all(|&size| random_setup(&facts, size, &mut SplitMix64::new(*seed)).domain().is_all_bulk())
    };
    let seeds: Vec<u64> = (0..).filter(bulk).take(2).collect();
    // One that is tried in parts of this size: they take no other.
    let shape: Shape = "1x32x5x1+z1f".parse().unwrap();
    let options = Options::default().with_steps([1, 2, 7]).with_sizes(sizes).with_seeds(seeds);
    let options = options.with_shape(shape).with_parts(2, []);
    cuda_on_host_equals_cpu::<Fluids3D>("in_parts", &options);
    cuda_on_host_equals_cpu::<Fluids3D>("in_parts", &options.with_exchange_every(2));
}

/// Where passes read from further away, and where there is none.
#[test]
fn who_has_no_such_fields_takes_another_shape() {
    let on_the_way = |facts: Facts, size| {
        Shape::candidates(&facts, size).iter().filter(|&&shape| shape != shape.between_walls()).count()
    };
    assert!(on_the_way(Facts::of::<Fluids3D>(), [256; 3]) > 3);
    assert!(on_the_way(Facts::of::<Fluids2D>(), [4096, 4096, 1]) > 3);
    assert!(on_the_way(Facts::of::<Vapour2D>(), [4096, 4096, 1]) > 3);
    assert_eq!(on_the_way(Facts::of::<Drops2D>(), [4096, 4096, 1]), 0);
    assert_eq!(on_the_way(Facts::of::<Ring2D>(), [4096, 4096, 1]), 0);
    let refused = options("1x32x1x1+y3f", BAKED).shape.unwrap();
    assert!(!refused.fits(&Facts::of::<Drops2D>(), [64, 64, 1]));
}

/// All fields of nodes, one after the other.
fn all_fields(facts: &Facts, engine: &dyn Engine) -> Vec<f64> {
    let mut all = Vec::new();
    for n in 0..facts.body.field_count() {
        let mut take = |_, values: &[f64]| {
            all.extend_from_slice(values);
            Ok(())
        };
        engine.node_field_of(n, 0..engine.nodes(), &mut take).unwrap();
    }
    all
}

/// What a step computes where it reads it, without storing it, is there as in the last step when it is asked for: also after parameters are others.
fn fields_are_those_of_the_reference<V: Variant>() {
    if cxx_or_skip(&V::name()).is_none() {
        return;
    }
    let (facts, size) = (Facts::of::<V>(), [19, 6, 1]);
    for walls in [false, true] {
        let setup = setup_of(&facts, size, walls);
        let start = random_populations(&facts.lattice, setup.domain(), &mut SplitMix64::new(5));
        let mut device = engine::<V>(&setup, &DeviceOptions::default()).unwrap();
        let mut reference = Reference::new(&facts, &setup).unwrap();
        let mut both: [&mut dyn Engine; 2] = [&mut device, &mut reference];
        both.iter_mut().for_each(|engine| engine.set_populations(&start, 0).unwrap());
        for steps in [0, 1, 4] {
            let [found, expected] = both.each_mut().map(|engine| {
                engine.run(steps).unwrap();
                if steps == 4 {
                    let parameters: Vec<f64> = setup.parameters.iter().map(|value| value * 1.125).collect();
                    engine.set_parameters(&parameters).unwrap();
                }
                all_fields(&facts, *engine)
            });
            let same = found.iter().zip(&expected).all(|(one, other)| one.to_bits() == other.to_bits());
            assert!(same, "{}, walls {walls}, {steps} steps", V::name());
            assert_eq!(expected.iter().any(|&value| value != 0.0), steps > 0, "{}", V::name());
        }
    }
}

#[test]
fn fields_that_are_not_stored_are_there_when_they_are_asked_for() {
    fields_are_those_of_the_reference::<Fluids2D>();
    fields_are_those_of_the_reference::<Attracting2D>();
    fields_are_those_of_the_reference::<Dense2D>();
    fields_are_those_of_the_reference::<Film2D>();
}
