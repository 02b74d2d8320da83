//! What rules declare of the range of their parameters.

use lbm::prelude::*;
use lbm::simulation::PlacedRule;

boundary! {
    /// A fluid that leans: a user's rule with ranges that are open at an end, and one of a vector.
    pub Leaning(depth = 2 in 0.., share = 1/2 in 0..1, most in ..=5/2, lean[dimensions] = 0 in -1/2..=1/2) in_fluid {
        for i in directions {
            f[i] = f[i] + depth * share * most * dimensions.sum(|a| lean[a] * c[i][a]) * w[i];
        }
    }
}

solver! { Ranged {
    lattice: D2Q9, collision: Bgk, precision: F64, boundaries: [
        CharacteristicVelocity, CharacteristicPressure, ConvectiveOutflow, PressurePeriodic, Sponge, Leaning
    ]
} }

fn boxed() -> Builder<Ranged> {
    Ranged::builder().size([8, 6]).viscosity(0.1)
}

/// A flow in which the rule stands at a face, or in the fluid.
fn with(rule: PlacedRule, in_fluid: bool) -> Result<Simulation, Error> {
    if in_fluid {
        return boxed().region("part", |[x, ..]| x > 3, rule).build();
    }
    boxed().boundary(Face::West, CharacteristicPressure).boundary(Face::East, rule).build()
}

fn refused(rule: PlacedRule, in_fluid: bool, words: &str) {
    let message = with(rule, in_fluid).map(|_| ()).expect_err(words).to_string();
    assert!(message.contains(words), "`{words}` in: {message}");
}

#[test]
fn built_in_rules_keep_to_their_ranges() {
    let still = || CharacteristicVelocity.with("velocity", [0.0, 0.0]);
    let outflow = || ConvectiveOutflow.with("speed", [0.5]);
    let driven = |rise: f64| PressurePeriodic.with("rise", [rise]);
    for (rule, in_fluid, words) in [
        (
            still().with("relaxation", [1.5]),
            false,
            "`relaxation` of the rule `characteristic-velocity` at node [7, 0, 0] = 1.5",
        ),
        (CharacteristicPressure.with("relaxation", [-0.1]), false, "= -0.1 is out of range: 0 to 1"),
        (ConvectiveOutflow.with("speed", [1.01]), false, "`speed` of the rule `convective-outflow`"),
        (outflow().with("relaxation", [2.0]), false, "`relaxation` of the rule `convective-outflow`"),
        (
            driven(-1.5),
            false,
            "`rise` of the rule `pressure-periodic` at node [7, 0, 0] = -1.5 is out of range: -1 to 1",
        ),
        (driven(0.1).with("anchoring", [1.1]), false, "`anchoring` of the rule `pressure-periodic`"),
        (
            Sponge.with("velocity", [0.0, 0.0]).with("strength", [2.0]),
            true,
            "`strength` of the rule `sponge` at node [4, 0, 0] = 2",
        ),
        // At one node, and at one time, only.
        (
            Sponge
                .with("velocity", [0.0, 0.0])
                .with_each("strength", |[x, y, _]| [if (x, y) == (6, 3) { 1.25 } else { 0.5 }]),
            true,
            "`strength` of the rule `sponge` at node [6, 3, 0] = 1.25",
        ),
        (
            Sponge
                .with("velocity", [0.0, 0.0])
                .with("strength", [0.5])
                .in_time("strength", Course::repeating(vec![0.0, 1.0, -0.5]).unwrap()),
            true,
            "= -0.25 is out of range: 0 to 1; the rule declares this range",
        ),
        (
            still()
                .with("relaxation", [0.5])
                .in_time("relaxation", Course::steered("share", 1.0, [0.0, 4.0]).unwrap()),
            false,
            "= 1.999",
        ),
        // What a density and a velocity may be says no rule.
        (Sponge.with("strength", [0.5]).with("velocity", [0.5, 0.0]), true, "at most 0.3"),
        (CharacteristicPressure.with("density", [0.0]), false, "above 0 and at most 100"),
    ] {
        refused(rule, in_fluid, words);
    }
    for ends in [0.0, 1.0] {
        with(Sponge.with("velocity", [0.0, 0.0]).with("strength", [ends]), true).unwrap();
        with(outflow().with("relaxation", [ends]), false).unwrap();
    }
}

#[test]
fn so_do_rules_of_users() {
    let leaning = || Leaning.with("most", [2.5]);
    with(leaning().with("depth", [1e9]).with("share", [0.0]).with("lean", [0.5, -0.5]), true).unwrap();
    for (rule, words) in [
        (leaning().with("depth", [-1e-9]), "= -0.000000001 is out of range: at least 0"),
        (leaning().with("share", [1.0]), "= 1 is out of range: from 0, below 1"),
        (Leaning.with("most", [2.6]), "= 2.6 is out of range: at most 2.5"),
        (
            leaning().with("lean", [0.0, -0.6]),
            "`lean` of the rule `leaning` at node [4, 0, 0] = -0.6 is out of range: -0.5 to 0.5",
        ),
    ] {
        refused(rule, true, words);
    }
}
