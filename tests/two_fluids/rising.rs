//! A bubble that rises: Hysing et al., Int. J. Numer. Methods Fluids 60 (2009) 1259, case 1.

use super::phase_field::Fluids;
use lbm::prelude::*;

/// Nodes along the unit of length, and steps in a unit of time.
const NODES: usize = 64;
const STEPS: f64 = 1000.0;
/// The width of the interface, nodes.
const WIDTH: f64 = 4.0;

/// The heavy fluid has density 1000 and viscosity 10, the light one 100 and 1; gravity is 0.98, the tension 24.5. Sides where the fluid slips are planes of
/// symmetry, and so is where a periodic box ends.
fn bubble() -> Result<Simulation, Error> {
    let n = NODES as f64;
    Fluids::builder()
        .size([NODES, 2 * NODES])
        .threads(1)
        .viscosity(0.01 * n * n / STEPS)
        .parameter("density_ratio", 10.0)
        .parameter("viscosity_ratio", 10.0)
        .parameter("tension", 24.5 / 1000.0 * n.powi(3) / STEPS.powi(2))
        .parameter("gravity_y", -0.98 * n / STEPS.powi(2))
        .parameter("width", WIDTH)
        .parameter("mobility", 0.1)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .initial_sum("phase", move |[x, y, _]| {
            let away = (x as f64 + 0.5 - 0.5 * n).hypot(y as f64 + 0.5 - 0.5 * n) - 0.25 * n;
            0.5 * (1.0 + (2.0 * away / WIDTH).tanh())
        })
        .build()
}

/// The line on which values of nodes, periodic along x, are 0: its length, nodes.
fn length_of_line(values: &[f64], [nx, ny]: [usize; 2]) -> f64 {
    let mut length = 0.0;
    for (x, y) in (0..ny - 1).flat_map(|y| (0..nx).map(move |x| (x, y))) {
        let corners = [[0, 0], [1, 0], [1, 1], [0, 1]];
        let at = |[dx, dy]: [usize; 2]| values[(x + dx) % nx + nx * (y + dy)];
        let cuts = (0..4).filter_map(|edge| {
            let (a, b) = (corners[edge], corners[(edge + 1) % 4]);
            let (here, there) = (at(a), at(b));
            let along = |k: usize| a[k] as f64 + here / (here - there) * (b[k] as f64 - a[k] as f64);
            ((here > 0.0) != (there > 0.0)).then(|| [along(0), along(1)])
        });
        if let [a, b] = cuts.collect::<Vec<_>>()[..] {
            length += (a[0] - b[0]).hypot(a[1] - b[1]);
        }
    }
    length
}

#[test]
fn a_bubble_rises_as_fast_and_becomes_as_flat_as_in_a_benchmark() -> Result<(), Error> {
    let (mut flow, n) = (bubble()?, NODES as f64);
    let (mut roundness, mut fastest, mut centre) = (f64::MAX, 0.0f64, 0.0);
    for _ in 0..60 {
        flow.run((3.0 * STEPS) as u64 / 60)?;
        let (phi, velocity) = (flow.sum_of("phase")?, flow.velocity()?);
        let share: Vec<f64> = phi.iter().map(|phi| 1.0 - phi).collect();
        let area: f64 = share.iter().sum();
        let mean = |of: &dyn Fn(usize) -> f64| {
            share.iter().enumerate().map(|(node, share)| share * of(node)).sum::<f64>() / area
        };
        centre = mean(&|node| (node / NODES) as f64 + 0.5) / n;
        fastest = fastest.max(mean(&|node| velocity[node][1]) * STEPS / n);
        let apart: Vec<f64> = share.iter().map(|share| share - 0.5).collect();
        let line = length_of_line(&apart, [NODES, 2 * NODES]);
        roundness = roundness.min(2.0 * (std::f64::consts::PI * area).sqrt() / line);
    }
    // The benchmark, and an independent program of this model on as many nodes.
    for (measured, [benchmark, program]) in
        [(roundness, [0.9012, 0.9090]), (fastest, [0.2418, 0.2382]), (centre, [1.081, 1.0476])]
    {
        assert!((measured / benchmark - 1.0).abs() < 0.04, "{measured}, {benchmark}");
        assert!((measured / program - 1.0).abs() < 0.005, "{measured}, {program}");
    }
    Ok(())
}
