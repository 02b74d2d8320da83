//! Cases of models of several sets of populations: two fluids, heat.

use super::*;

/// What the last run of a case measured by this name.
fn measured(outcome: &Outcome, name: &str) -> f64 {
    let mut measures = outcome.evaluation.measures.iter();
    measures.find(|measure| measure.name.contains(name)).unwrap_or_else(|| panic!("no {name}")).measured
}

fn last(case: &str, pairs: &[&str]) -> Outcome {
    small(case, pairs).run(&mut Watcher::patient()).unwrap()
}

#[test]
fn a_drop_swings_as_the_exact_mode_says() {
    let outcome = last("droplet", &["size=96", "steps=2300"]);
    let period = measured(&outcome, "period");
    assert!((period / 1468.0 - 1.0).abs() < 0.035, "{period}");
    assert!(measured(&outcome, "change of the red fluid").abs() < 1e-4);
    let profile = &outcome.evaluation.profiles[0];
    assert!((profile.simulated[0][1] - 0.1).abs() < 0.005, "{:?}", profile.simulated[0]);
    assert!(profile.reference.len() > 20 && profile.difference().unwrap()[0] < 0.01);
}

#[test]
fn drops_that_meet_stay_apart_only_with_near_contact() {
    let pairs = ["size=12", "we=2", "re=30", "velocity=0.05", "steps=1600"];
    let drops = |push: &str| {
        let outcome = last("impact", &[&pairs[..], &[push]].concat());
        (measured(&outcome, "drops in the end"), measured(&outcome, "thinnest film"))
    };
    let ([apart, film], [merged, gone]) =
        (drops("near_contact=0.004").into(), drops("near_contact=0").into());
    assert_eq!((apart, merged, gone), (2.0, 1.0, 0.0));
    assert!(film > 4.0, "{film}");
}

#[test]
fn heat_that_flows_through_a_cavity_is_de_vahl_davis() {
    let outcome = last("cavity-heated", &["size=32", "ra=1e3", "tolerance=1e-5"]);
    assert_eq!(outcome.ended, Ended::Steady);
    for (name, published) in
        [("Nusselt number", 1.118), ("horizontal velocity", 3.649), ("vertical velocity", 3.697)]
    {
        let found = measured(&outcome, name);
        assert!((found / published - 1.0).abs() < 0.01, "{name}: {found}");
    }
    assert!(measured(&outcome, "less 1").abs() < 1e-3);
}

#[test]
fn heat_that_rolls_take_along_is_that_of_clever_and_busse() {
    let outcome = last("rayleigh-benard", &["size=24", "ra=5e3", "tolerance=1e-5"]);
    assert_eq!(outcome.ended, Ended::Steady);
    let found = measured(&outcome, "Nusselt number");
    assert!((found / 2.116 - 1.0).abs() < 0.015, "{found}");
    assert!(measured(&outcome, "less 1").abs() < 1e-3);
    let below = last("rayleigh-benard", &["size=16", "ra=1000", "steps=4000", "tolerance=0"]);
    assert!((measured(&below, "Nusselt number") - 1.0).abs() < 1e-3);
}

#[test]
fn noise_parts_in_liquid_and_vapour_of_its_seed() {
    let run = |pairs: &[&str]| last("spinodal", &[&["size=64", "steps=3000"], pairs].concat());
    let outcome = run(&[]);
    // What is in balance at a flat interface has 1.93 and 0.16; small drops and bubbles differ from it.
    assert!(measured(&outcome, "greatest density") > 1.7 && measured(&outcome, "least density") < 0.25);
    assert!(measured(&outcome, "size of pieces") > 6.0);
    assert!(measured(&outcome, "change of the whole fluid").abs() < 1e-4);
    assert_eq!(outcome.state.scalar, run(&[]).state.scalar);
    assert_ne!(outcome.state.scalar, run(&["seed=2"]).state.scalar);
}

#[test]
fn a_fluid_rises_between_plates_as_washburn_says() {
    let run = |pairs: &[&str]| {
        last("capillary-rise", &[&["size=8", "tension=0.06", "steps=14000"], pairs].concat())
    };
    let outcome = run(&[]);
    // A meniscus that moves meets plates at a larger angle than one at rest.
    let time = measured(&outcome, "time of the rise");
    assert!((1.0..1.15).contains(&time), "{time}");
    assert!(measured(&outcome, "change of the red fluid").abs() < 3e-4);
    let (fast, slow) = (outcome, run(&["viscosity_ratio=4"]));
    assert!((measured(&slow, "time of the rise") - 1.0).abs() < 0.1);
    assert!(measured(&slow, "height in the end") < 0.7 * measured(&fast, "height in the end"));
}

#[test]
fn sheared_drops_stay_as_many_with_near_contact() {
    let drops = |push: &str| {
        let pairs = ["size=64", "rows=2", "ca=0.2", "steps=4000", push];
        measured(&last("emulsion", &pairs), "drops in the end")
    };
    assert_eq!(drops("near_contact=0.004"), 8.0);
    assert!(drops("near_contact=0") < 8.0);
}

#[test]
fn a_wave_falls_as_in_an_independent_program_and_no_fluid_is_lost() {
    let outcome = last("rayleigh-taylor", &["size=32", "steps=1600"]);
    for (name, program) in [("spike", 1.5284), ("bubble", 2.372)] {
        let found = measured(&outcome, name);
        assert!(((found - 2.0) / (program - 2.0) - 1.0).abs() < 0.005, "{name}: {found}");
    }
    assert!(measured(&outcome, "change of the heavy fluid").abs() < 1e-11);
}

#[test]
fn a_bubble_as_wide_as_its_interface_is_refused() {
    let case = find("rising-bubble").unwrap();
    let refused =
        Run::new(case, Settings::with(case, "size=16 width=8").unwrap()).map(|_| ()).unwrap_err().to_string();
    assert!(
        refused.contains("width = 8") && refused.contains("4 at most") && refused.contains("larger size"),
        "{refused}"
    );
}

#[test]
fn an_equilibrium_is_chosen_or_that_of_the_collision() {
    let variant = |case: &str, pairs: &str| {
        let case = find(case).unwrap();
        let run = Settings::with(case, pairs).and_then(|settings| Run::new(case, settings));
        run.map(|run| run.simulation.variant()).map_err(|error| error.to_string())
    };
    assert!(variant("cavity2d", "size=16").unwrap().starts_with("d2q9-trt-f"));
    assert!(
        variant("cavity2d", "size=16 equilibrium=incompressible")
            .unwrap()
            .starts_with("d2q9-trt-incompressible-f")
    );
    assert!(
        variant("rising-bubble", "size=16").unwrap().contains("phase-field-of-trt-and-bgk-incompressible")
    );
    let message = variant("rising-bubble", "size=16 equilibrium=quasi-compressible").unwrap_err();
    assert!(message.contains("--set equilibrium=incompressible, or another collision"), "{message}");
    assert!(variant("cavity-heated", "size=16 equilibrium=incompressible").is_err());
}

/// What a case shows stands in pictures, films, slices and VTK files without being asked for.
#[test]
fn what_a_case_shows_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = small("impact", &["steps=20", "output=10", "slices=20", "film=10"]);
    let mut files = Files::new(folder.path(), &mut run).unwrap();
    let mut observer = Written(&mut files);
    let outcome = run.run(&mut observer).unwrap();
    assert_eq!(outcome.state.scalar.len(), outcome.state.velocity.len());
    let written = files.finish(&run, &outcome).unwrap();
    for name in ["phi.png", "film.gif", "film.csv"] {
        assert!(written.contains(&folder.path().join(name)), "{name} is not in {written:?}");
    }
    assert!(folder.path().join("phi_000000020.png").exists());
    let frame = std::fs::read(folder.path().join("fields_000000010.vti")).unwrap();
    let text = String::from_utf8_lossy(&frame);
    assert!(text.contains("Name=\"phi\""), "{}", &text[..400]);
    let (own, other) = (View::of(&run, &outcome, files.into_film()).unwrap(), &folder.path().join("other"));
    assert_eq!(own.folder_beside(other), other.join("near_contact-0"));
    let both = own.write_beside(&own, folder.path()).unwrap();
    assert!(both.iter().all(|path| path.metadata().unwrap().len() > 0) && both.len() == 2);
}

/// Hands all to the files.
struct Written<'a>(&'a mut Files);

impl Observer for Written<'_> {
    fn progress(&mut self, _: &Progress) {}

    fn frame(&mut self, state: StartedState) -> Result<(), Error> {
        self.0.frame(state)
    }

    fn slice(&mut self, plane: StartedState) -> Result<(), Error> {
        self.0.slice(plane)
    }

    fn film(&mut self, plane: StartedState) -> Result<(), Error> {
        self.0.film(plane)
    }
}

#[test]
fn a_flow_without_near_contact_runs_beside_one_with_it() {
    let case = find("impact").unwrap();
    let other = |pairs: &str| case.beside(&Settings::with(case, pairs).unwrap()).unwrap();
    let without = other("size=12").unwrap();
    assert_eq!((without.real("near_contact"), without.size()), (0.0, 12));
    assert!(other("near_contact=0").is_none());
    let plain = find("droplet").unwrap();
    assert!(plain.beside(&Settings::of(plain)).unwrap().is_none());
}

#[test]
fn another_variant_of_a_model_is_chosen_or_refused_with_what_there_is() {
    let same = |pairs: &[&str]| last("droplet", &[&["steps=40"], pairs].concat()).state.scalar;
    let plain = same(&[]);
    assert_eq!(plain, same(&["layout=aos", "streaming=esoteric-pull"]));
    let refused = |case: &str, pair: &str| {
        let case = find(case).unwrap();
        let settings = Settings::with(case, pair);
        settings.and_then(|settings| Run::new(case, settings)).map(|_| ()).unwrap_err().to_string()
    };
    let message = refused("droplet", "collision=bgk");
    assert!(message.contains("colour-gradient-of-regularized, emulsion-of-regularized"), "{message}");
    let message = refused("droplet", "precision=f64");
    assert!(
        message.contains("not compiled in") && message.contains("--set precision= one of f32"),
        "{message}"
    );
    let message = refused("impact", "collision=colour-gradient-of-regularized");
    assert!(message.contains("near_contact"), "{message}");
    let message = refused("cavity2d", "fields=phi");
    assert!(message.contains("density"), "{message}");
}
