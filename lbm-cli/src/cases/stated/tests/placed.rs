//! Shapes of case files turned, scaled and put at their places; the axes of a probe `force`.

use super::surfaces::Rows;
use super::*;

/// The last state of a flow about bodies.
fn about(bodies: &str) -> State {
    let text = "lattice = 'D2Q9'\nsize = [20, 10]\nviscosity = 0.1\nsteps = 20\nforce = [1e-4, 0]\n";
    last(read(&format!("{text}{bodies}")).unwrap(), &[]).0
}

fn body(rest: &str) -> String {
    format!("[[bodies]]\nname = 'a'\n{rest}\n")
}

#[test]
fn bodies_take_the_words_of_surfaces() {
    let upright = about(&body("shape = 'box:9,1,-1,11,9,2'"));
    assert!(upright.velocity.iter().any(|u| u[1].abs() > 1e-6));
    for said in [
        "shape = 'box:6,2,-1,14,4,2'\nrotate = [0, 0, 90]\nat = [10, 5]",
        "shape = 'box:3,1,-1,7,2,0.5'\nrotate = [0, 0, 90]\nscale = 2\nat = [10, 5]",
        "shape = 'box:3,1,-1,7,2,0.5'\nrotate = [0, 0, -90]\nlength = 8\nat = [10, 5]",
        "shape = { shape = 'box:6,2,-1,14,4,2', rotate = [0, 0, 90], at = [10, 5] }",
        "shape = 'box:6,2,-1,14,4,2 rotate=0,0,90 at=10,5,0.5'",
        "shape = 'box:9,1,-1,11,2,2'\nunite = [{ shape = 'box:6,2,-1,14,4,2', rotate = [0, 0, 90], at = [10, 5] }]",
        // Without a place about the origin: x becomes y, y becomes -x.
        "shape = 'box:1,-11,-1,9,-9,2'\nrotate = [0, 0, 90]",
    ] {
        assert!(about(&body(said)) == upright, "{said}");
    }
    assert!(about(&body("shape = 'box:6,2,-1,14,4,2'")) != upright);
}

#[test]
fn a_difference_turns_as_a_whole() {
    let turned = "shape = { shape = 'box:4,3,-1,12,7,2', subtract = ['box:4,3,-1,8,5,2'] }\nrotate = [0, 0, 90]\nat = [8, 5]";
    let other = "shape = 'box:6,1,-1,10,9,2'\nsubtract = ['box:8,1,-1,10,5,2']";
    assert!(about(&body(turned)) == about(&body(other)));
    // What a body takes away is not turned with its shape.
    let apart =
        "shape = 'box:4,3,-1,12,7,2'\nsubtract = ['box:8,1,-1,10,5,2']\nrotate = [0, 0, 90]\nat = [8, 5]";
    assert!(about(&body(apart)) == about(&body(other)));
}

#[test]
fn patches_and_regions_take_them() {
    let patch = |shape: &str| {
        about(&format!(
            "[faces]\neast = 'zou-he-pressure'\nsouth = 'wall'\nnorth = 'wall'\n[[patches]]\nname = 'in'\nface = 'west'\n{shape}\n\
             rule = {{ name = 'zou-he-velocity', velocity = [0.05, 0] }}\n"
        ))
    };
    let region = |shape: &str| {
        about(&format!(
            "[[regions]]\nname = 'b'\n{shape}\nrule = {{ name = 'sponge', strength = 0.1, velocity = [0, 0] }}\n"
        ))
    };
    let (plain, turned) =
        ("shape = 'box:-1,3,-1,1,7,2'", "shape = 'box:-2,4,-1,2,6,2'\nrotate = [0, 0, 90]\nat = [0, 5]");
    assert!(patch(plain) == patch(turned) && region(plain) == region(turned));
    let other = "shape = 'box:-2,4,-1,2,6,2'";
    assert!(patch(plain) != patch(other) && region(plain) != region(other));
}

#[test]
fn what_cannot_be_placed_has_line_and_column() {
    let ball = |rest: &str| body(&format!("shape = 'sphere:9,5,0.5,2'\n{rest}"));
    for (text, parts) in [
        (ball("scale = 0"), ["line 8, column 9", "scale = 0 is out of range: 2.500e-1 to 2.621e5"]),
        (ball("length = 0.5"), ["line 8, column 10", "length = 0.5 is out of range: 1 to 1048576"]),
        (ball("rotate = [0, 0, 1e7]"), ["line 8, column 10", "turn = 10000000"]),
        (ball("at = [1e10, 0]"), ["line 8, column 6", "place = 10000000000"]),
        (ball("scale = 2\nlength = 9"), ["line 9, column 10", "say the same"]),
        (ball("unite = [{ shape = 'sphere:9,5,0.5,2', scal = 2 }]"), ["line 8", "unknown key `scal`"]),
        (ball("unite = [{ rotate = [0, 0, 90] }]"), ["line 8", "the key `shape` is missing"]),
        (body("shape = 'sphere:9,5,0.5,2 scale=0'"), ["line 7, column 9", "scale = 0 is out of range"]),
    ] {
        let message = fault(&format!("{HEAD}{text}"));
        assert!(parts.iter().all(|part| message.contains(part)), "{text}\n{message}");
    }
}

/// A probe of a force has the axes that `[forces]` has.
#[test]
fn a_probe_of_a_force_is_along_the_axes_that_are_given() {
    let head = "lattice = 'D2Q9'\nsize = [20, 40]\nviscosity = 0.1\nsteps = 8\nvelocity = 0.1\nprobe_interval = 8\n\
                [initial]\nvelocity = [0, 0.1]\n[[bodies]]\nname = 'plate'\nshape = 'box:6,18,-1,14,20,2'\n";
    let rows = |axes: &str| {
        let text = format!(
            "{head}[forces]\nbody = 'plate'\nevery = 8\n{axes}[[probes]]\nkind = 'force'\nbody = 'plate'\nspeed = 0.1\n\
             about = [10, 20]\n{axes}"
        );
        let (case, settings) = read(&text).unwrap();
        let mut rows = Rows::default();
        Run::new(case, settings).unwrap().run(&mut rows).unwrap();
        rows.0.into_iter().filter(|row| row.step == 8).map(|row| row.values).collect::<Vec<_>>()
    };
    let (along_x, along_y) = (rows("area = 4\n"), rows("area = 4\nalong = 'y'\n"));
    for both in [&along_x, &along_y] {
        assert_eq!(both.len(), 2, "{both:?}");
        assert_eq!(both[0], both[1]);
    }
    // Drag and lift change places.
    assert_eq!(along_x[0][..6], along_y[0][..6]);
    assert_eq!(along_x[0][6..], [along_y[0][7], along_y[0][6]]);
    assert!(along_y[0][6].abs() > 0.1 && along_x[0][6..] != along_y[0][6..], "{along_y:?}");
    for (axes, said) in [
        ("lift = 'x'\n", "drag and lift are along one axis, x"),
        ("along = 'w'\n", "axis of a probe = w"),
        ("along = 'z'\n", "axis of a probe = z is out of range: x, y"),
    ] {
        let probe =
            "[[bodies]]\nname = 'a'\nshape = 'sphere:9,5,0.5,2'\n[[probes]]\nkind = 'force'\nbody = 'a'\n";
        let message = message(&format!("{probe}{axes}"));
        assert!(message.contains(said), "{axes}\n{message}");
    }
}
