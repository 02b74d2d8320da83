//! Fields of nodes that a file, or the command, sets.

use super::*;

const BED: &str = "lattice = 'D2Q9'\nsize = [12, 8]\nviscosity = 0.1\nsteps = 60\nforce = [1e-4, 0]\n\
                   collision = 'partial-bounce-back-of-trt'\n[faces]\nsouth = 'wall'\nnorth = 'wall'\n[parameters]\nmagic = 0.1875\n";

/// A formula, a table and a builder's function are the same bed.
#[test]
fn a_file_states_what_nodes_have() {
    let problem = Problem {
        size: Some([12, 8].into()),
        viscosity: Some(Viscosity::Value(0.1)),
        force: Some([1e-4, 0.0, 0.0]),
        fields: vec![(
            "solidity".to_owned(),
            Box::new(|[x, y, _]| if x < 4 { 0.25 } else { y as f64 / 16.0 }),
        )],
        ..Problem::default()
    };
    let mut problem = Problem { parameters: vec![("magic".to_owned(), 0.1875)], ..problem };
    for face in [Face::South, Face::North] {
        problem.faces[face.index()] = FaceRule::WALL;
    }
    let name = "d2q9-partial-bounce-back-of-trt-guo-f64-soa-dense-two-lattice-pull";
    let mut flow = crate::variants::build(name, problem).unwrap();
    flow.run(60).unwrap();
    let expected = flow.velocity().unwrap();

    let formula = format!("{BED}[node_fields]\nsolidity = 'select(x < 4, 0.25, (y - 1/2) / 16)'\n");
    assert_eq!(last(read(&formula).unwrap(), &[]).0.velocity, expected);
    let folder = tempfile::tempdir().unwrap();
    let row = |y: usize| {
        (0..12).map(|x| if x < 4 { 4.0 } else { y as f64 }.to_string()).collect::<Vec<_>>().join(",")
    };
    std::fs::write(folder.path().join("bed.csv"), (0..8).map(row).collect::<Vec<_>>().join("\n")).unwrap();
    let path = folder.path().join("flow.toml");
    std::fs::write(&path, format!("{BED}[node_fields]\nsolidity = 'bed.csv: value / 16'\n")).unwrap();
    assert_eq!(last(read_case_file(&path).unwrap(), &[]).0.velocity, expected);
    // `--set` wins over the file, and a number is a formula.
    let open = last(read(&formula).unwrap(), &["solidity=0"]).0;
    assert!(open.velocity != expected);
    assert_eq!(last(read(BED).unwrap(), &[]).0.velocity, open.velocity);
}

/// Any case may have them, too: twice the viscosity at all nodes is that of half of the Reynolds number.
#[test]
fn a_case_may_have_fields_of_nodes() {
    let of_ratio =
        of_case("couette2d", &["size=8", "steps=100", "collision=varying-viscosity-of-trt", "ratio=2"]).0;
    let viscosity = find("couette2d").map(Settings::of).unwrap().real("viscosity");
    let twice = format!("viscosity={}", 2.0 * viscosity);
    let plain = of_case("couette2d", &["size=8", "steps=100", "collision=trt", &twice]).0;
    let off = of_ratio.velocity.iter().zip(&plain.velocity).map(|(a, b)| a[0] - b[0]);
    assert!(crate::cases::largest(off) < 1e-13);
    assert!(plain.velocity.iter().any(|u| u[0] > 1e-2));
}

/// A force that is a field, the same everywhere, is the force.
#[test]
fn a_force_may_be_a_field() {
    let walls = "[faces]\nsouth = 'wall'\nnorth = 'wall'\n";
    let head = "lattice = 'D2Q9'\nsize = [6, 8]\nviscosity = 0.1\nsteps = 60\n";
    let field =
        last(read(&format!("{head}{walls}[node_fields]\nforce_x = '1e-5 * (1 + 0 * x)'\n")).unwrap(), &[]).0;
    let force = last(read(&format!("{head}force = [1e-5, 0]\n{walls}")).unwrap(), &[]).0;
    let off = field.velocity.iter().zip(&force.velocity).map(|(a, b)| a[0] - b[0]);
    assert!(crate::cases::largest(off) < 1e-15);
    assert!(force.velocity.iter().any(|u| u[0] > 1e-4));
    let both = message("force = [1e-5, 0]\n[node_fields]\nforce_x = 1e-5\n");
    assert!(both.contains("leave one of them out"), "{both}");
    let other = message("collision = 'bgk'\n[node_fields]\nforce_x = 1e-5\n");
    assert!(
        other.contains("`bgk` has no force of each node on D2Q9") && other.contains("one of trt"),
        "{other}"
    );
}

#[test]
fn what_is_wrong_with_a_field_is_said() {
    let head = "collision = 'partial-bounce-back-of-trt'\n";
    for (rest, parts) in [
        ("[node_fields]\nsolidty = 0.1\n", &["line 7, column 1", "did you mean `solidity`?"][..]),
        ("[node_fields]\nsolidity = 'x +'\n", &["line 7, column 12", "x +", "expected an expression"]),
        (
            "[node_fields]\nsolidity = 'w'\n",
            &["line 7, column 12", "unknown name `w`", "a formula of x, y, z, or a file"],
        ),
        ("[node_fields]\nsolidity = 'x'\n", &["field `solidity` at node [1, 0, 0] = 1.5", "0", "1"]),
        ("[node_fields]\nsolidity = 'none.raw'\n", &["none.raw"]),
        ("[node_fields]\nratio = 2\n", &["has no field `ratio`", "varying-viscosity-of-trt"]),
        ("node_fields = 3\n", &["not a table"]),
    ] {
        let text = message(&format!("{head}{rest}"));
        for part in parts {
            assert!(text.contains(part), "`{part}` is not in: {text}");
        }
    }
    let (_, mut settings) = read(HEAD).unwrap();
    let wrong = settings.set_pair("solidity=1 - value").unwrap_err().to_string();
    assert!(wrong.contains("field `solidity`") && wrong.contains("unknown name `value`"), "{wrong}");
}
