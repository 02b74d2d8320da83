//! Which bodies the command has. Beside the library, so that this is compiled once.

use lbm_bodies::all;

#[test]
fn every_combination_is_one_body() {
    let mut names: Vec<_> =
        all().iter().map(|body| (body.facts.lattice.name, body.facts.body.collision)).collect();
    assert_eq!(
        names.len(),
        4 * 4 * 2 * 2 + 4 * 3 * 2 + 4 * 3 - 1
            + 4
            + 3
            + 2 * 2 * 2
            + 2
            + 2 * 2
            + 2
            + 4
            + 3
            + 4
            + (3 * 3 + 2 + 1)
    );
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all().len());
}

#[test]
fn the_usual_bodies_have_machine_code() {
    let body = |lattice: &str, collision: &str| {
        all()
            .iter()
            .find(|body| body.facts.lattice.name == lattice && body.facts.body.collision == collision)
            .unwrap()
    };
    for collision in ["bgk", "trt-guo", "mrt", "regularized-guo"] {
        for lattice in ["D2Q9", "D3Q19"] {
            assert!(
                ["f32", "f64", "f16in32"].iter().all(|name| body(lattice, collision).code(name).is_some())
            );
        }
    }
    assert_eq!(body("D3Q27", "mrt").precisions().collect::<Vec<_>>(), ["f32", "f64"]);
    assert!(body("D3Q15", "bgk-guo").code("f64").is_none());
}
