//! Compiles every golden kernel and runs it: what is printed computes what the program says, bit for bit.

#[path = "../lbm-generator/tests/exact/mod.rs"]
mod exact;
mod kernels;

use exact::{Point, Random};
use kernels::Case;
use lbm_generator::rational::{ratio, to_f64};

/// From what comes to a node, its fields and the coefficients to what leaves it.
type Collides = fn(&[f64], &[f64], &[f64]) -> Vec<f64>;

/// One kernel as compiled: the uniform coefficients and the collision.
struct Compiled {
    name: &'static str,
    uniforms: fn(&[f64]) -> Vec<f64>,
    collide: Collides,
    macroscopic: fn(&[f64], [f64; 3]) -> [f64; 4],
    equilibrium: fn(f64, [f64; 3], &mut [f64]),
}

macro_rules! kernels {
    ($($module:ident: $name:literal,)*) => {
        $(
            // Generated text keeps the generator's order, not clippy's taste; of a viscosity that is stated nobody asks here.
            #[allow(clippy::all, dead_code, unused_imports)]
            mod $module {
                include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/", $name, ".rs"));
                pub(super) const COMPILED: super::Compiled = super::Compiled {
                    name: $name,
                    uniforms: |parameters| uniforms(parameters).to_vec(),
                    collide: |before, fields, k| {
                        let mut after = vec![0.0; before.len()];
                        let mut site = lbm::core::Slices { before, after: &mut after, fields };
                        collide::<f64>(&mut site, k.try_into().unwrap());
                        after
                    },
                    macroscopic,
                    equilibrium,
                };
            }
        )*
        const ALL: &[Compiled] = &[$($module::COMPILED),*];
    };
}

include!("golden/mod.rs");

#[test]
fn every_recorded_kernel_computes_what_its_program_says() {
    let cases: Vec<Case> = kernels::all(|_| true).into_iter().chain([kernels::reading_fields()]).collect();
    let mut random = Random(1);
    for compiled in ALL {
        let case: &Case =
            cases.iter().find(|case| case.name() == compiled.name).expect("a golden file has a case");
        let generated = case.generate();
        let point = Point::random(&generated, &mut random);
        let parameters: Vec<f64> = point.used_parameters(&generated).iter().map(to_f64).collect();
        let k = (compiled.uniforms)(&parameters);
        let exact_k =
            exact::uniforms(&generated.collide, &point).expect("rates divide by nothing that is zero");
        for (n, (k, exact)) in k.iter().zip(&exact_k).enumerate() {
            let exact = to_f64(exact);
            assert!(
                (k - exact).abs() <= 1e-14 * exact.abs().max(1.0),
                "{}: k_{n} = {k}, exactly {exact}",
                compiled.name
            );
        }
        let h: Vec<f64> = point.populations.iter().map(to_f64).collect();
        let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let fields = &[0.375, 0.8125][..generated.fields.len()];
        let expected = generated.collide.evaluate(&h, fields, &k).unwrap();
        assert_eq!(bits(&(compiled.collide)(&h, fields, &k)), bits(&expected), "{}: collide", compiled.name);

        let force = [0.125, -0.25, 0.5];
        let fields = generated.macroscopic.evaluate(&h, &force, &[]).unwrap();
        let found = (compiled.macroscopic)(&h, force);
        assert_eq!(bits(&found[..fields.len()]), bits(&fields), "{}: macroscopic", compiled.name);

        let (rho, u) = (to_f64(&ratio(101, 100)), [0.01, -0.02, 0.03]);
        let mut found = vec![0.0; h.len()];
        (compiled.equilibrium)(rho, u, &mut found);
        let expected = generated.equilibrium.evaluate(&[], &[rho, u[0], u[1], u[2]], &[]).unwrap();
        assert_eq!(bits(&found), bits(&expected), "{}: equilibrium", compiled.name);
    }
}
