//! Words of rules that stand for sums: the density and the velocity of the node.

use lbm::prelude::*;
use lbm::simulation::PlacedRule;

boundary! {
    /// The equilibrium of what the node had, and of a density a bit off it.
    pub ByWords(share = 0) on_node {
        let eq = equilibrium(rho + share, u);
        for i in missing {
            f[i] = eq[i];
        }
    }
}

boundary! {
    /// The same in sums.
    pub BySums(share = 0) on_node {
        let density = sum(sent);
        let velocity = dimensions.map(|a| (directions.sum(|i| c[i][a] * sent[i]) - force[a] / 2)
            / if is_incompressible { 1 } else { density });
        let eq = equilibrium(density + share, velocity);
        for i in missing {
            f[i] = eq[i];
        }
    }
}

boundary! {
    /// [`AntiBounceBack`] in fewer words, half-way.
    pub Held(density = 1) on_link {
        f[back] = equilibrium(density, u)[back] + equilibrium(density, u)[toward] - sent[toward];
    }
}

boundary! {
    /// Where a parameter has the name of a word, it is the parameter.
    pub Own(rho = 1, u[dimensions] = 0) on_node {
        for i in missing {
            f[i] = equilibrium(rho, u)[i];
        }
    }
}

solver! { Deep {
    lattice: D3Q19, collision: Bgk, forcing: Guo, precision: F64,
    boundaries: [ByWords, BySums, Held, AntiBounceBack, Own, Equilibrium]
} }
solver! { Flat { lattice: D2Q9, collision: Trt, equilibrium: Incompressible, precision: F64, boundaries: [ByWords, BySums] } }

/// What two rules make of a flow differs by this at most.
fn off<V: lbm::core::Variant>(size: &[usize], force: Option<[f64; 3]>, rules: [PlacedRule; 2]) -> f64 {
    let run = |rule: PlacedRule| {
        let stirs = |[x, y, z]: [usize; 3]| {
            Initial::velocity([0.03 * (y as f64).sin(), 0.02 * (x as f64 + z as f64).cos(), 0.0])
        };
        let mut flow = V::builder().size(size.to_vec()).viscosity(0.1).initial(stirs).threads(1);
        if let Some(force) = force {
            flow = flow.force(force);
        }
        for face in [Face::West, Face::South, Face::North] {
            flow = flow.face(face, FaceRule::WALL);
        }
        let mut flow = flow.boundary(Face::East, rule).build().unwrap();
        flow.run(20).unwrap();
        flow.populations().unwrap()
    };
    let [one, other] = rules.map(run);
    assert!(one.iter().any(|&h| h.abs() > 1e-4));
    one.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn words_are_the_sums_that_they_stand_for() {
    let force = Some([1e-4, -2e-4, 3e-4]);
    let pairs: [[PlacedRule; 2]; 3] = [
        [ByWords.with("share", [0.01]), BySums.with("share", [0.01])],
        [Held.with("density", [1.01]), AntiBounceBack.with("density", [1.01])],
        [Own.with("u", [0.02; 3]), Equilibrium.with("velocity", [0.02; 3])],
    ];
    for rules in pairs {
        let label = format!("{rules:?}");
        let found = off::<Deep>(&[10, 8, 6], force, rules);
        assert!(found < 1e-14, "{label}: {found}");
    }
    let rules = [ByWords.into(), BySums.into()];
    assert!(off::<Flat>(&[14, 9], None, rules) < 1e-14);
}
