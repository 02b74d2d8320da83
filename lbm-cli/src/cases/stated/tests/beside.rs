//! What files say of faces, beside the same flows in Rust.

use super::*;

/// What a flow of a file has, beside a flow in Rust: the largest difference of the velocities after so many steps.
fn off(text: &str, steps: u64, forced: &str, problem: Problem) -> f64 {
    let (stated, _) = last(read(text).unwrap(), &[&format!("steps={steps}")]);
    let mut flow =
        crate::variants::build(&format!("d2q9-trt{forced}-f64-soa-dense-two-lattice-pull"), problem).unwrap();
    flow.run(steps).unwrap();
    assert!(stated.velocity.iter().any(|u| u[0].abs() > 1e-3));
    let both = stated.velocity.iter().zip(flow.velocity().unwrap());
    crate::cases::largest(both.flat_map(|(a, b)| [a[0] - b[0], a[1] - b[1]]))
}

/// The same box in Rust, with walls at both sides unless rules stand there.
fn channel(rules: Vec<(Face, PlacedRule)>) -> Problem {
    let mut problem = Problem {
        size: Some([20, 11].into()),
        viscosity: Some(Viscosity::Value(0.1)),
        rules,
        ..Problem::default()
    };
    for face in [Face::South, Face::North] {
        problem.faces[face.index()] = FaceRule::WALL;
    }
    problem
}

const CHANNEL: &str = "lattice = 'D2Q9'\nsize = [20, 11]\nviscosity = 0.1\n";

/// A profile across a face ends where its sides' walls lie: on the nodes, or half a spacing beyond.
#[test]
fn profiles_end_at_the_walls() {
    let still = "{ name = 'zou-he-velocity', velocity = [0, 0] }";
    let inlet = "west = { name = 'zou-he-velocity', velocity = { profile = 'parabolic', peak = [0.05, 0] } }\neast = 'zou-he-pressure'";
    for (sides, low, high) in [("'wall'", 0.0, 11.0), (still, 0.5, 10.5)] {
        let text = format!("{CHANNEL}[faces]\n{inlet}\nsouth = {sides}\nnorth = {sides}\n");
        let enters = move |[_, y, _]: [f64; 3]| {
            let share = (y - low) / (high - low);
            [0.2 * share * (1.0 - share), 0.0]
        };
        let rule = |velocity: [f64; 2]| PlacedRule::named("zou-he-velocity").with("velocity", velocity);
        let mut rules = vec![
            (Face::West, PlacedRule::named("zou-he-velocity").with_at("velocity", enters)),
            (Face::East, PlacedRule::named("zou-he-pressure")),
        ];
        if low > 0.0 {
            rules.extend([Face::South, Face::North].map(|face| (face, rule([0.0; 2]))));
        }
        let off = off(&text, 80, "", channel(rules));
        assert!(off < 1e-14, "{sides}: {off}");
    }
}

/// Rules of the links through a face, as in Rust.
#[test]
fn faces_may_have_rules_of_links() {
    let text = format!(
        "{CHANNEL}[faces]\nwest = {{ name = 'half-way', velocity = {{ profile = 'parabolic', peak = [0.05, 0] }} }}\n\
         east = {{ name = 'anti-bounce-back', density = 1.01 }}\nsouth = 'wall'\nnorth = 'single-node'\n"
    );
    let enters = |[_, y, _]: [f64; 3]| [0.2 * y / 11.0 * (1.0 - y / 11.0), 0.0];
    let rules = vec![
        (Face::West, PlacedRule::named("half-way").with_at("velocity", enters)),
        (Face::East, PlacedRule::named("anti-bounce-back").with("density", [1.01])),
        (Face::North, PlacedRule::named("single-node")),
    ];
    let off = off(&text, 80, "", channel(rules));
    assert!(off < 1e-14, "{off}");
}

/// A body along which the fluid slips, which has to be asked for; edges with the density of a neighbour; an outlet without gradients.
#[test]
fn walls_may_slip_and_corners_have_a_neighbours_density() {
    use lbm_core::geometry::Sphere;
    let text = |slip: &str| {
        format!(
            "{CHANNEL}[faces]\nwest = {{ name = 'zou-he-velocity-neighbour', velocity = [0.03, 0] }}\neast = 'zero-gradient'\n\
             south = {{ name = 'zou-he-velocity-neighbour', velocity = [0.03, 0] }}\nnorth = 'wall'\n\
             [[bodies]]\nname = 'disk'\nshape = 'sphere:8,5,0.5,2.2'\nrule = '{slip}'\n"
        )
    };
    let moves = || PlacedRule::named("zou-he-velocity-neighbour").with("velocity", [0.03, 0.0]);
    let rules =
        vec![(Face::West, moves()), (Face::East, PlacedRule::named("zero-gradient")), (Face::South, moves())];
    let disk = Sphere { centre: [8.0, 5.0, 0.5], radius: 2.2 };
    let surfaces = vec![Surface::new(Box::new(disk), PlacedRule::named("staircase-slip"))];
    let off = off(&text("staircase-slip"), 80, "", Problem { surfaces, ..channel(rules) });
    assert!(off < 1e-14, "{off}");
    let message = fault(&text("free-slip"));
    for part in ["the rule `free-slip` is for nodes at a face", "staircase-slip"] {
        assert!(message.contains(part), "{message}");
    }
}

/// Several steps at once by name are refused beside a rule that needs something between them.
#[test]
fn a_file_may_not_ask_for_several_steps_at_once_beside_a_rule_that_keeps_values() {
    let text = |streaming: &str| {
        format!(
            "{CHANNEL}collision = 'regularized'\nprecision = 'f64'\nstreaming = '{streaming}'\nsteps = 2\n[faces]\n\
             west = {{ name = 'zou-he-velocity', velocity = [0.03, 0] }}\neast = 'characteristic-pressure'\n"
        )
    };
    last(read(&text("moments")).unwrap(), &[]);
    let (case, settings) = read(&text("moments-two-steps")).unwrap();
    let message = Run::new(case, settings).map(|_| ()).unwrap_err().to_string();
    for part in
        ["does 2 steps at once", "`characteristic-pressure` keeps what", "take the streaming `moments`"]
    {
        assert!(message.contains(part), "{message}");
    }
}

/// A pulse, and a ramp of one with a parabola, as in Rust; the viscosity must be that of its Womersley number.
#[test]
fn an_inlet_may_pulse() {
    use lbm::womersley::Womersley;
    use lbm_core::rules::Course;
    let number = 5.5 * (std::f64::consts::TAU / 40.0 / 0.1).sqrt();
    let text = |number: f64, further: &str| {
        format!(
            "{CHANNEL}[faces]\nwest = {{ name = 'regularized-velocity', velocity = [\
             {{ profile = 'womersley', mean = [0.03, 0], period = 40, number = {number}{further} }}, \
             {{ profile = 'parabolic', peak = [0.02, 0] }} ] }}\neast = 'regularized-pressure'\nsouth = 'wall'\nnorth = 'wall'\n"
        )
    };
    let exact = Womersley::plates(5.5, 0.1, 40).unwrap().with_mean(0.03);
    let part = move |n: usize| move |[_, y, _]: [f64; 3]| [exact.parts((y - 5.5).abs())[n], 0.0];
    for ramped in [false, true] {
        let [cosine, sine] = exact.courses().unwrap();
        let ramp = Course::ramp(30).unwrap();
        let in_time = |course: Course| if ramped { ramp.times(&course).unwrap() } else { course };
        let west = PlacedRule::named("regularized-velocity")
            .with_at("velocity", part(0))
            .in_time("velocity", in_time(cosine))
            .with_at("velocity", part(1))
            .in_time("velocity", in_time(sine))
            .with_at("velocity", |[_, y, _]| [0.08 * y / 11.0 * (1.0 - y / 11.0), 0.0]);
        let east = PlacedRule::named("regularized-pressure");
        let further = if ramped { ", ramp = 30" } else { "" };
        let off = off(&text(number, further), 90, "", channel(vec![(Face::West, west), (Face::East, east)]));
        assert!(off < 1e-12, "{off}");
    }
    let (case, settings) = read(&text(3.0, "")).unwrap();
    let message = Run::new(case, settings).map(|_| ()).unwrap_err().to_string();
    assert!(
        message.contains("`number` of the profile \"womersley\" = 3")
            && message.contains("write number = 6.89"),
        "{message}"
    );
}

/// A flow rate that a file wants, by the force and by a pressure; measured through a patch by its name.
#[test]
fn a_file_may_hold_a_flow_rate() {
    let walls = "south = 'wall'\nnorth = 'wall'\n";
    let forced = format!("{CHANNEL}force = [1e-6, 0]\nflow_rate = 0.2\n[faces]\n{walls}");
    let pressed = format!(
        "{CHANNEL}flow_rate = 0.2\n[faces]\nwest = {{ name = 'non-equilibrium-extrapolation-pressure', density = {{ value = 1.05, held = true }} }}\n{walls}\
         [[patches]]\nname = 'outlet'\nface = 'east'\nlow = 0\nhigh = 11\nrule = 'zou-he-pressure'\n\
         [[probes]]\nkind = 'flow-rate'\nsection = 'outlet'\n[forces]\nbody = 'outlet'\narea = 1\nevery = 500\n"
    );
    for text in [forced, pressed] {
        let (case, mut settings) = read(&text).unwrap();
        settings.set_pair("steps=30000").unwrap();
        let mut run = Run::new(case, settings).unwrap();
        run.run(&mut Quiet).unwrap();
        let tables: Vec<_> = run
            .tables
            .iter()
            .map(|table| (&table.file[..], table.rows.last().unwrap().values.clone()))
            .collect();
        let of = |file: &str| tables.iter().find(|(name, _)| *name == file).map(|(_, values)| values);
        let rate = of("controller.csv").unwrap()[0];
        assert!((rate / 0.2 - 1.0).abs() < 1e-3, "{rate}");
        if let Some(through) = of("probes.csv") {
            assert!((through[0] / 0.2 - 1.0).abs() < 0.02, "{through:?}");
            // The density at its nodes is that at rest; half a spacing beyond, where links are cut, the pressure has fallen, and what leaves takes its momentum
            // along, shared out as a parabola.
            let force = of("forces.csv").unwrap();
            let mean = 0.2 / 11.0;
            let expected = 1.2 * mean * mean * 11.0 - 12.0 * 0.1 * mean / (11.0 * 11.0) * 11.0 / 2.0;
            assert!((force[0] / expected - 1.0).abs() < 0.15, "{force:?} {expected}");
        }
    }
    let refused = |text: &str| message(&format!("{text}\n[faces]\n{walls}"));
    assert!(refused("flow_rate = 0.2").contains("nothing pushes the flow"));
    let held = "west = { name = 'zou-he-pressure', density = { value = 1.01, held = true } }\neast = 'zou-he-pressure'";
    let text = message(&format!("[faces]\n{held}\n{walls}"));
    assert!(text.contains("the flow rate for which a value is `held` is missing"), "{text}");
}

/// On lattices without boundary rules a file may have walls, and learns why it has no rules.
#[test]
fn lattices_without_rules_say_so() {
    let text = |west: &str| {
        format!(
            "lattice = 'D3Q27'\nsize = [8, 6, 5]\nviscosity = 0.1\nsteps = 2\n[faces]\nwest = '{west}'\neast = 'wall'\n"
        )
    };
    last(read(&text("wall")).unwrap(), &[]);
    let message = fault(&text("zou-he-pressure"));
    for part in ["line 6, column 8", "no boundary rules on D3Q27", "D2Q9 and D3Q19", "lattice: D3Q27"] {
        assert!(message.contains(part), "{part} in {message}");
    }
}
