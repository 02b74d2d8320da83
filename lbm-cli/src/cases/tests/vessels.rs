//! Vessels and pores with inlets and outlets.

use std::f64::consts::PI;

use super::*;

/// What enters a vessel leaves it, and what a pressure drives through pores meets the same resistance as what a force drives.
#[test]
fn vessels_and_pores_have_inlets_and_outlets() {
    let measure = |outcome: &Outcome, begins: &str| {
        let found = outcome.evaluation.measures.iter().find(|measure| measure.name.starts_with(begins));
        found.unwrap_or_else(|| panic!("{begins}")).measured
    };
    // Slow, so that the pressure that is lost hardly shows in the density.
    let settings = ["drive=inlet", "velocity=0.005", "re=5", "steps=6000", "tolerance=1e-5"];
    let vessel = small("vessel", &settings).run(&mut Watcher::patient()).unwrap();
    assert!(measure(&vessel, "largest deviation") < 0.02, "{:?}", vessel.evaluation.measures);
    let mean = measure(&vessel, "mean velocity at the ends");
    assert!((mean / 0.005 - 1.0).abs() < 0.1, "{mean}");
    // Near a pressure that is held on nodes the mass flow alternates from plane to plane.
    let permeability = |drive: &str, most: f64| {
        let settings = ["diameter=8", "porosity=0.8", "fill=true", "precision=f64", "steps=2000", drive];
        let outcome = small("porous", &settings).run(&mut Watcher::patient()).unwrap();
        let uneven = measure(&outcome, "largest deviation");
        assert!(uneven < most, "{drive}: {uneven}");
        measure(&outcome, "permeability k = ")
    };
    // The ends of the pores meet in one of them only.
    let (force, pressure) = (permeability("drive=force", 1e-3), permeability("drive=pressure", 0.1));
    assert!((pressure / force - 1.0).abs() < 0.2, "{force} {pressure}");
}

/// What enters a fork leaves by its three outlets, and less by one that holds a higher pressure.
#[test]
fn a_fork_has_outlets_with_pressures_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let shares = |settings: &[&str]| {
        let all =
            [&["shape=fork", "velocity=0.005", "re=5", "steps=9000", "tolerance=1e-6"], settings].concat();
        let mut run = small("vessel", &all);
        let outcome = run.run(&mut Watcher::patient()).unwrap();
        let measures = &outcome.evaluation.measures;
        let named = |begins: &str| {
            let found = measures.iter().find(|measure| measure.name.starts_with(begins));
            found.unwrap_or_else(|| panic!("{begins}")).measured
        };
        let missing = named("what entered and did not leave");
        assert!(missing.abs() < 1e-3, "{missing}");
        // A paraboloid of the mean velocity on the nodes of the inlet.
        let entered = named("mass a step through `inlet`") / (0.005 * PI * (21.0f64 * 68.0 / 442.0).powi(2));
        assert!((entered - 1.0).abs() < 0.15, "{entered}");
        ["left", "middle", "right"].map(|outlet| named(&format!("share of `{outlet}`")))
    };
    let even = shares(&[]);
    assert!(
        even.iter().all(|share| (0.15..0.6).contains(share)) && even[0] > even[1] && even[1] > even[2],
        "{even:?}"
    );
    let held = shares(&["pressure_left=2e-4"]);
    assert!(held[0] < even[0] - 0.02 && held[1] > even[1] && held[2] > even[2], "{held:?} {even:?}");
    // The table has what crosses each patch.
    let mut run = small("vessel", &["shape=fork", "steps=10"]);
    let mut files = Files::new(folder.path(), &mut run).unwrap();
    let outcome = run.run(&mut Watcher::patient()).unwrap();
    files.finish(&run, &outcome).unwrap();
    let rates = std::fs::read_to_string(folder.path().join("flow_rates.csv")).unwrap();
    assert_eq!(rates.lines().next(), Some("step,time,inlet,left,middle,right"));
    let refused = |pairs: &str| {
        let settings = Settings::with(find("vessel").unwrap(), &format!("size=68 {pairs}")).unwrap();
        Run::new(find("vessel").unwrap(), settings).map(|_| ()).expect_err(pairs).to_string()
    };
    assert!(refused("shape=fork drive=force").contains("set drive=inlet"));
    assert!(
        refused("pressure_middle=0.01").contains("`pressure_middle` is of an outlet that only a fork has")
    );
}
