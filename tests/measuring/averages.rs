//! Means over time.

use lbm::simulation::Averages;

use super::{alike, channel, poiseuille};

#[test]
fn a_steady_flow_is_its_own_mean() {
    let mut flow = poiseuille();
    let fields = flow.fields().unwrap();
    let mut averages = Averages::new(flow.domain().nodes());
    for _ in 0..7 {
        // The last bits of a flow never rest; the same fields do.
        averages.add(&fields).unwrap();
    }
    assert_eq!((averages.samples(), averages.density()), (7, fields.density.clone()));
    assert_eq!(averages.velocity(), fields.velocity);
    assert!(averages.velocity_rms().iter().flatten().all(|&rms| rms == 0.0));
    assert!(averages.density_rms().iter().all(|&rms| rms == 0.0));
    // Steps that follow differ in these bits alone.
    let mut running = Averages::new(flow.domain().nodes());
    for _ in 0..5 {
        running.add(&flow.fields().unwrap()).unwrap();
        flow.run(3).unwrap();
    }
    let apart = running.velocity().into_iter().flatten().zip(fields.velocity.iter().flatten());
    assert!(apart.map(|(mean, &u)| (mean - u).abs()).all(|difference| difference < 1e-15));
}

#[test]
fn fluctuations_are_those_of_what_was_added() {
    let mut flow = channel().force([0.0; 3]).build().unwrap();
    let mut fields = flow.fields().unwrap();
    let mut averages = Averages::new(flow.domain().nodes());
    // u_x = 0.1 + a, u_y = 0.2 - 2 a, for a = -3, -1, 1, 3 hundredths: <a a> = 5e-4.
    for a in [-0.03, 0.01, 0.03, -0.01] {
        fields.velocity.fill([0.1 + a, 0.2 - 2.0 * a, 0.0]);
        fields.density.fill(1.0 + a);
        averages.add(&fields).unwrap();
    }
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-16, "{found} {expected}");
    let [u, v, w] = averages.velocity()[0];
    [(u, 0.1), (v, 0.2), (w, 0.0)].into_iter().for_each(|(found, expected)| close(found, expected));
    let stress = averages.reynolds_stress()[5];
    stress
        .into_iter()
        .zip([5e-4, 2e-3, 0.0, -1e-3, 0.0, 0.0])
        .for_each(|(found, expected)| close(found, expected));
    let rms = averages.velocity_rms()[7];
    close(rms[0], 5e-4f64.sqrt());
    close(averages.density_rms()[0], 5e-4f64.sqrt());
    flow.run(1).unwrap();
    let few = flow.fields_of(0..3).unwrap();
    let message = averages.add(&few).unwrap_err().to_string();
    assert!(message.contains("fields of 3 nodes were added to averages of 72"), "{message}");
}

#[test]
fn no_scheme_nor_backend_changes_a_bit() {
    alike(|mut flow| {
        let mut averages = Averages::new(flow.domain().nodes());
        for _ in 0..4 {
            flow.run(2).unwrap();
            averages.add(&flow.fields().unwrap()).unwrap();
        }
        assert!(averages.reynolds_stress().iter().any(|stress| stress[3] != 0.0));
        averages
    });
}
