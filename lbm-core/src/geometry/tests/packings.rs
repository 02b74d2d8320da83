use crate::geometry::{SphereArray, SphereLattice, Spheres};
use crate::laws::SplitMix64;

#[test]
fn a_packing_is_as_porous_as_wanted() {
    for porosity in [0.9, 0.5, 0.2] {
        for periodic in [true, false] {
            let spheres = Spheres { diameter: 12.0, porosity, seed: 7, periodic };
            let packing = spheres.pack([64, 48, 56]).unwrap();
            // A sphere takes at most its volume, 905 nodes, and the count before or after is nearer than half of that.
            let slack = 0.5 * 1000.0 / packing.geometry.nodes() as f64;
            assert!(
                (packing.geometry.porosity() - porosity).abs() < slack,
                "{}",
                packing.geometry.porosity()
            );
            // Overlapping spheres at random: porosity exp(-n v / V).
            let expected = -porosity.ln() * packing.geometry.nodes() as f64 / (288.0 * std::f64::consts::PI);
            let count = packing.centres.len() as f64;
            assert!(!periodic || (count / expected - 1.0).abs() < 0.15, "{count} {expected}");
        }
    }
}

#[test]
fn the_count_is_the_nearest() {
    let spheres = Spheres { diameter: 20.0, porosity: 0.5, seed: 3, periodic: true };
    let packing = spheres.pack([40; 3]).unwrap();
    let away = |porosity: f64| (porosity - 0.5).abs();
    let with = |count: usize| {
        let mut random = SplitMix64::new(3);
        let mut fluid = crate::geometry::Geometry::empty([40; 3]).unwrap();
        for _ in 0..count {
            let centre = [40.0; 3].map(|n| random.between(0.0, 1.0) * n);
            for image in 0..27 {
                let shift = [image % 3, image / 3 % 3, image / 9].map(|n| f64::from(n - 1) * 40.0);
                let centre = std::array::from_fn(|axis| centre[axis] + shift[axis]);
                fluid.add(&crate::geometry::Sphere { centre, radius: 10.0 });
            }
        }
        fluid
    };
    let count = packing.centres.len();
    assert_eq!(with(count), packing.geometry);
    for other in [count - 1, count + 1] {
        assert!(away(with(other).porosity()) >= away(packing.geometry.porosity()));
    }
}

#[test]
fn a_seed_gives_the_same_nodes_everywhere() {
    // The first numbers of the published reference implementation for seed 1234567.
    let mut random = SplitMix64::new(1_234_567);
    assert_eq!(random.bits(), 6_457_827_717_110_365_317);
    assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    let pack = |seed| Spheres { diameter: 10.0, porosity: 0.4, seed, periodic: true }.pack([32; 3]).unwrap();
    let packing = pack(1);
    let sum = packing.geometry.solid().iter().fold(0u64, |sum, &flag| sum.wrapping_mul(31) + u64::from(flag));
    assert_eq!(
        (packing.centres.len(), packing.geometry.fluid_nodes(), sum),
        (54, 13048, 9_903_185_623_140_555_380)
    );
    assert_eq!(packing, pack(1));
    assert_ne!(packing, pack(2));
}

#[test]
fn packings_that_make_no_sense_are_refused() {
    let refused = |spheres: Spheres| spheres.pack([32; 3]).unwrap_err().to_string();
    let base = Spheres::default();
    assert!(refused(Spheres { diameter: 1.0, ..base }).contains("diameter = 1 is out of range"));
    assert!(refused(Spheres { diameter: f64::NAN, ..base }).contains("diameter = NaN"));
    assert!(refused(Spheres { porosity: 0.0, ..base }).contains("porosity = 0"));
    assert!(refused(Spheres { porosity: 1.5, ..base }).contains("porosity = 1.5"));
    // A box within one sphere: nothing between all fluid and all solid.
    let within = Spheres { diameter: 100.0, porosity: 0.01, ..base };
    assert!(refused(within).contains("fluid nodes = 0"));
    assert_eq!(Spheres { porosity: 1.0, ..base }.pack([8; 3]).unwrap().centres.len(), 0);
}

#[test]
fn arrays_have_their_porosity() {
    for (lattice, porosity) in [(SphereLattice::SimpleCubic, 0.6), (SphereLattice::BodyCentred, 0.5)] {
        let array = SphereArray::with_porosity(lattice, 96, porosity).unwrap();
        let geometry = array.geometry().unwrap();
        assert!((geometry.porosity() - porosity).abs() < 1e-3, "{}", geometry.porosity());
        // Periodic and symmetric: mirrored along each axis, and with its axes exchanged, it is the same.
        let solid = |at: [usize; 3]| geometry.is_solid(at);
        for at in geometry.fluid_positions() {
            assert!(!solid([95 - at[0], at[1], at[2]]) && !solid([at[1], at[2], at[0]]));
        }
    }
    let least = SphereArray::with_porosity(SphereLattice::SimpleCubic, 32, 0.4).unwrap_err();
    assert!(least.to_string().contains("0.4764"), "{least}");
    let least = SphereArray::with_porosity(SphereLattice::BodyCentred, 32, 0.3).unwrap_err();
    assert!(least.to_string().contains("0.3198"), "{least}");
    let all = SphereArray { lattice: SphereLattice::SimpleCubic, edge: 8, radius: 8.0 };
    assert!(all.geometry().is_err());
    assert!(SphereArray { edge: 0, radius: 0.0, ..all }.geometry().is_err());
    assert!(SphereArray { radius: f64::NAN, ..all }.geometry().is_err());
}
