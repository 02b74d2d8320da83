//! Rules that remember from step to step.

use lbm::prelude::*;
use lbm::simulation::{Backend, PlacedRule};

boundary! {
    /// The equilibrium of a velocity that follows what is asked for, and of the density that the node had, smoothed in time: a number and a vector at nodes of
    /// faces, edges and corners.
    pub Filtered(velocity[dimensions], share = 1/4 in 0..=1) on_node remembers(smooth = 1, follows[dimensions]) {
        let next = smooth + share * (rho - smooth);
        let at = dimensions.map(|a| follows[a] + share * (velocity[a] - follows[a]));
        remember(smooth, next);
        remember(follows, at);
        for i in missing {
            f[i] = equilibrium(next, at)[i];
        }
    }
}

boundary! {
    /// The fluid is pulled to the density that it had on average.
    pub Settling(share = 1/10 in 0..=1) in_fluid remembers(mean = 1) {
        let density = sum(f);
        remember(mean, mean + share * (density - mean));
        for i in directions {
            f[i] = f[i] + share * w[i] * (mean - density);
        }
    }
}

solver! { pub(super) Pulsed {
    lattice: D2Q9, collision: Regularized, precision: F64,
    boundaries: [ZouHeVelocity, HalfWay, Windkessel, Filtered, Settling, AntiBounceBack, NonEquilibriumExtrapolationPressure]
} }

/// A pipe that is periodic across: a velocity enters, the outlet fills.
fn pipe(length: usize, inlet: PlacedRule, outlet: PlacedRule) -> Builder<Pulsed> {
    let flow = Pulsed::builder().size([length, 2]).viscosity(0.1).threads(1);
    flow.boundary(Face::West, inlet).boundary(Face::East, outlet)
}

const SPEED: f64 = 0.002;

pub(super) fn windkessel(resistance: f64, compliance: f64) -> PlacedRule {
    Windkessel.with("resistance", [resistance]).with("compliance", [compliance])
}

/// The pressure that all nodes have once waves have left the pipe or died.
fn pressure(flow: &Simulation) -> f64 {
    let density = flow.density().unwrap();
    (density.iter().sum::<f64>() / density.len() as f64 - 1.0) / 3.0
}

/// Pipe and windkessel as a circuit. The pipe is itself a compliance, length / c_s^2, before the impedance: from the nodes of the inlet to the last ones, of
/// which the windkessel takes the velocity.
struct Circuit {
    pipe: f64,
    impedance: f64,
    resistance: f64,
    compliance: f64,
}

impl Circuit {
    fn new(length: usize, [impedance, resistance, compliance]: [f64; 3]) -> Circuit {
        Circuit { pipe: 3.0 * (length as f64 - 1.0), impedance, resistance, compliance }
    }

    /// The time in which it fills.
    fn time(&self) -> f64 {
        self.resistance * (self.compliance + self.pipe)
    }

    /// The pressure in the pipe so long after a velocity of 1 began to enter. With q what leaves the pipe, C_pipe dp/dt = 1 - q, p = Z q + p_C and
    /// C dp_C/dt = q - p_C / R: p = R + Z + a exp(l t) + b exp(m t), of which p = 0 and dp/dt = 1 / C_pipe at the begin.
    fn filled(&self, t: f64) -> f64 {
        // Without an impedance one of the roots is infinite.
        let (impedance, end) = (self.impedance.max(1e-9), self.impedance + self.resistance);
        let [pipe, inner, outer] = [
            1.0 / (impedance * self.pipe),
            1.0 / (impedance * self.compliance),
            1.0 / (self.resistance * self.compliance),
        ];
        let (sum, product) = (pipe + inner + outer, pipe * outer);
        let fast = -(sum + (sum * sum - 4.0 * product).sqrt()) / 2.0;
        let slow = product / fast;
        let a = (1.0 / self.pipe + end * fast) / (slow - fast);
        end + a * (slow * t).exp() - (end + a) * (fast * t).exp()
    }

    /// Steps by which a flow of this speed may be behind at a time: one for the velocity, which is that of the step before, and one until it enters; what
    /// explicit and implicit steps make of exp(-t / T), t / 2 T; and that the pipe holds ln(density) and not density - 1.
    fn delay(&self, t: f64) -> f64 {
        let density = 3.0 * SPEED * (self.resistance + self.impedance);
        2.0 + t / (2.0 * self.time()) + t * density / 2.0 * self.pipe / self.compliance
    }
}

/// The speed of sound.
fn sound() -> f64 {
    (1.0_f64 / 3.0).sqrt()
}

/// What a windkessel of two elements, and one of three, does behind an inlet that opens at once.
#[test]
fn a_windkessel_fills_as_its_differential_equation_says() {
    let (resistance, compliance, length) = (2.0, 4000.0, 8);
    for impedance in [0.0, sound()] {
        let circuit = Circuit::new(length, [impedance, resistance, compliance]);
        let inlet = ZouHeVelocity.with("velocity", [SPEED, 0.0]);
        let outlet = windkessel(resistance, compliance).with("impedance", [impedance]);
        let mut flow = pipe(length, inlet, outlet).build().unwrap();
        for end in [4000_u64, 8000, 16_000, 32_000] {
            flow.run(end - flow.time_step()).unwrap();
            let (t, found) = (end as f64, pressure(&flow));
            let exact = SPEED * circuit.filled(t);
            let tolerance = exact - SPEED * circuit.filled(t - circuit.delay(t));
            assert!((found - exact).abs() < tolerance, "Z {impedance}, {t}: {found} {exact} {tolerance:e}");
            // Which is no loose one.
            assert!(tolerance < 1e-3 * exact);
        }
    }
}

/// Once it is full, what flows is what the resistance lets through; without a compliance it is at once.
#[test]
fn a_windkessel_ends_as_a_resistance() {
    for (resistance, compliance, steps) in [(0.8, 300.0, 12_000), (0.5, 0.0, 6000), (0.0, 100.0, 6000)] {
        let inlet = ZouHeVelocity.with("velocity", [SPEED, 0.0]);
        let mut flow = pipe(8, inlet, windkessel(resistance, compliance)).build().unwrap();
        flow.run(steps).unwrap();
        let (found, expected) = (pressure(&flow), resistance * SPEED);
        assert!((found - expected).abs() < 1e-9 * SPEED, "{resistance} {compliance}: {found} {expected}");
    }
}

/// A closed valve: what is in the compliance flows back to the fluid and out through the resistance, exp(-t / R C).
#[test]
fn a_windkessel_empties_behind_a_closed_valve() {
    let (resistance, compliance, length) = (2.0, 1000.0, 8);
    let circuit = Circuit::new(length, [0.0, resistance, compliance]);
    let open = Course::ending((0..=2000).map(|t| if t < 2000 { 1.0 } else { 0.0 }).collect()).unwrap();
    let inlet = ZouHeVelocity.with("velocity", [SPEED, 0.0]).in_time("velocity", open);
    let mut flow = pipe(length, inlet, windkessel(resistance, compliance)).build().unwrap();
    flow.run(5000).unwrap();
    let first = pressure(&flow);
    flow.run(2000).unwrap();
    let (found, exact) = (pressure(&flow) / first, (-2000.0 / circuit.time()).exp());
    // What is behind grows with time, but for what is behind from the begin.
    let late = (circuit.delay(2000.0) - circuit.delay(0.0)) / circuit.time();
    assert!((found / exact - 1.0).abs() < late, "{found} {exact} {late:e}");
}

/// Sound stays in a pipe between a velocity and a pressure, and leaves through an impedance of c_s.
#[test]
fn sound_leaves_through_an_impedance() {
    let length = 60;
    let loudest = |impedance: f64| {
        let inlet = ZouHeVelocity.with("velocity", [0.0, 0.0]);
        let outlet = windkessel(0.0, 0.0).with("impedance", [impedance]);
        let pulse = move |[x, ..]: [usize; 3]| Initial {
            density: 1.0 + 0.001 * (-(x as f64 - 30.0).powi(2) / 50.0).exp(),
            ..Initial::default()
        };
        let mut flow = pipe(length, inlet, outlet).initial(pulse).build().unwrap();
        // There and back.
        flow.run((3.0 * length as f64 / sound()) as u64).unwrap();
        flow.density().unwrap().into_iter().map(|density| (density - 1.0).abs()).fold(0.0, f64::max)
    };
    let (kept, left) = (loudest(0.0), loudest(sound()));
    assert!(left < 0.02 * kept, "{kept:e} {left:e}");
}

const SCHEMES: [&str; 7] = [
    "soa-dense-two-lattice-pull",
    "aosoa128-dense-aa",
    "soa-dense-moments",
    "soa-dense-ghost",
    "soa-dense-swap",
    "soa-tiled4x4x1-esoteric-push",
    "soa-connectivity-matrix-aa",
];

/// A flow in which rules of links, of nodes and in the fluid remember.
fn remembering(scheme: &str) -> Builder<Pulsed> {
    let stirs =
        |[x, y, _]: [usize; 3]| Initial::velocity([0.02 * (y as f64).sin(), 0.01 * (x as f64).cos(), 0.0]);
    let flow = Pulsed::builder().size([14, 9]).viscosity(0.05).threads(1).initial(stirs).scheme(scheme);
    flow.boundary(Face::West, Filtered.with("velocity", [0.03, 0.0]))
        .boundary(Face::East, windkessel(0.7, 12.0))
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .region("settling", |[x, ..]| x == 7, Settling)
        .solid(|[x, y, _]| (4..6).contains(&x) && (3..5).contains(&y))
        .named("block")
}

/// What is remembered is part of the state: a checkpoint has it, for any scheme, and whoever goes on from it.
#[test]
fn a_flow_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let [file, apart] = ["at-once", "apart"].map(|name| folder.path().join(name));
    for written in [SCHEMES[0], "soa-dense-moments"] {
        let mut straight = remembering(written).build().unwrap();
        straight.run(17).unwrap();
        straight.checkpoint(&file).unwrap();
        let started = straight.start_checkpoint().unwrap();
        straight.run(5).unwrap();
        if let Some(started) = started {
            started.write(&apart).unwrap();
            assert_eq!(std::fs::read(&file).unwrap(), std::fs::read(&apart).unwrap(), "{written}");
        }
        for scheme in SCHEMES {
            let mut resumed = remembering(scheme).build().unwrap();
            resumed.run(3).unwrap();
            resumed.restart(&file).unwrap();
            let again = folder.path().join("again");
            resumed.checkpoint(&again).unwrap();
            resumed.run(5).unwrap();
            let (found, expected) = (resumed.populations().unwrap(), straight.populations().unwrap());
            // What moments carry is rounded on its way.
            let off = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-14, "from {written} to {scheme}: {off:e}");
            assert!(written != SCHEMES[0] || scheme.contains("moments") || found == expected, "{scheme}");
        }
    }
}

/// A flow whose rules remember something else, or elsewhere, does not take it.
#[test]
fn a_checkpoint_of_other_rules_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state");
    let mut flow = remembering(SCHEMES[0]).build().unwrap();
    flow.run(2).unwrap();
    flow.checkpoint(&file).unwrap();
    let inlet = ZouHeVelocity.with("velocity", [SPEED, 0.0]);
    let mut other = Pulsed::builder().size([14, 9]).viscosity(0.05).boundary(Face::West, inlet);
    other = other.boundary(Face::East, windkessel(1.0, 10.0));
    let error = other.build().unwrap().restart(&file).unwrap_err().to_string();
    assert!(error.contains("its boundary rules remember") && error.contains("27"), "{error}");
    let plain = || Pulsed::builder().size([14, 9]).viscosity(0.05);
    // As many numbers, but of other nodes.
    let at = |place: usize| plain().region("settling", move |[x, ..]| x == place, Settling).build().unwrap();
    at(3).checkpoint(&file).unwrap();
    at(3).restart(&file).unwrap();
    let error = at(4).restart(&file).unwrap_err().to_string();
    assert!(error.contains("9 numbers of other places"), "{error}");
    // Where rules have come to stand since, they begin.
    plain().build().unwrap().checkpoint(&file).unwrap();
    let begun = plain().face(Face::West, FaceRule::WALL).boundary(Face::East, windkessel(1.0, 10.0));
    begun.build().unwrap().restart(&file).unwrap();
}

/// Looking at a flow, at forces, the mass through its outlet, the stress, changes nothing of it, and shows what the coming step does.
#[test]
fn who_looks_does_not_make_rules_remember() {
    for backend in backends() {
        let [mut looked_at, mut other] =
            [0, 1].map(|_| remembering(SCHEMES[0]).backend(backend).build().unwrap());
        for _ in 0..7 {
            for _ in 0..2 {
                looked_at.force_on("block", [0.0; 3]).unwrap();
                looked_at.force_on(Face::East, [0.0; 3]).unwrap();
                looked_at.stress().unwrap();
            }
            let (before, out) =
                (looked_at.populations().unwrap(), looked_at.force_on(Face::East, [0.0; 3]).unwrap());
            assert_eq!(out, other.force_on(Face::East, [0.0; 3]).unwrap());
            looked_at.run(1).unwrap();
            other.run(1).unwrap();
            assert_ne!(before, looked_at.populations().unwrap());
            assert_eq!(looked_at.populations().unwrap(), other.populations().unwrap());
        }
    }
}

/// The forces on an outlet that remembers are the same wherever they are added up.
#[test]
fn forces_on_a_windkessel_are_the_same_on_all_backends() {
    let of = |backend: Backend| {
        let mut flow = remembering(SCHEMES[0]).backend(backend).build().unwrap();
        flow.run(9).unwrap();
        (flow.force_on(Face::East, [0.0; 3]).unwrap(), flow.mass_into(Face::East).unwrap())
    };
    let all: Vec<_> = backends().into_iter().map(of).collect();
    assert!(all.windows(2).all(|two| two[0] == two[1]), "{all:?}");
    assert!(all[0].0.force[0] != 0.0 && all[0].1 != 0.0);
}

/// The CPU, and the host in a device's place where there is a compiler.
pub(super) fn backends() -> Vec<Backend> {
    #[cfg(feature = "cuda")]
    if lbm::cuda::testing::cxx_or_skip("memory of rules on the host").is_some() {
        return vec![Backend::Cpu, Backend::CudaOnHost];
    }
    vec![Backend::Cpu]
}

/// What arrives at a node whose rule remembers is known there only.
#[test]
fn no_other_node_does_what_a_rule_remembers() {
    let flow = Pulsed::builder().size([9, 9]).viscosity(0.1);
    let flow = flow.boundary(Face::West, NonEquilibriumExtrapolationPressure);
    let flow = flow.boundary(Face::South, Filtered.with("velocity", [0.0, 0.0]));
    let flow = flow.face(Face::North, FaceRule::WALL).face(Face::East, FaceRule::WALL);
    let error = flow.build().err().unwrap().to_string();
    assert!(error.contains("`filtered` stands, which remembers"), "{error}");
}

boundary! {
    /// Adds to a node what was counted two steps before.
    Late in_fluid remembers(one, two) {
        remember(two, one);
        remember(one, one + 1);
        f[0] = f[0] + two / 1024;
        for i in directions.filter(|i| i > 0) {
            f[i] = f[i];
        }
    }
}

solver! { Counted { lattice: D2Q9, collision: Bgk, precision: F64, boundaries: [Late] } }

/// Of two values that a rule remembers the one is what the other was: after steps 1 to 4 they are 0, 1, 2, 3 and 1, 2, 3, 4.
#[test]
fn what_is_remembered_follows_from_what_was() -> Result<(), Error> {
    let mut flow = Counted::builder()
        .size([4, 4])
        .viscosity(0.1)
        .threads(1)
        .region("late", |[x, y, _]| x == 1 && y == 1, Late)
        .build()?;
    flow.run(4)?;
    let added: f64 = flow.density()?.iter().map(|rho| rho - 1.0).sum();
    assert!((added - (0.0 + 0.0 + 1.0 + 2.0) / 1024.0).abs() < 1e-12, "{}", added * 1024.0);
    Ok(())
}
