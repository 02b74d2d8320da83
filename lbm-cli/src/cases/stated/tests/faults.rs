//! What is wrong with a file is said with line and column.

use super::*;

#[test]
fn faults_have_line_and_column() {
    let patch = |rest: &str| format!("[[patches]]\nname = 'a'\nface = 'west'\n{rest}");
    let body = |rest: &str| format!("[[bodies]]\nname = 'a'\n{rest}");
    let velocity =
        |value: &str| format!("[faces]\nwest = {{ name = 'zou-he-velocity', velocity = {value} }}\n");
    let region = |rest: &str| format!("[[regions]]\nname = 'a'\n{rest}");
    let strength = |value: &str| {
        region(&format!(
            "face = 'east'\ndepth = 8\nrule = {{ name = 'sponge', strength = {value}, velocity = [0, 0] }}"
        ))
    };
    let named = |name: &str, rest: &str| {
        format!(
            "[[patches]]\nname = '{name}'\nface = 'west'\nlow = 2\nhigh = 6\nrule = 'zou-he-pressure'\n{rest}"
        )
    };
    let cases: [(String, &[&str]); 50] = [
        (
            named("top", ""),
            &["line 6, column 8", "a patch is named `top`, which says a face of the box", "`patch_top`"],
        ),
        (named("", ""), &["line 6, column 8", "a patch has an empty name"]),
        (
            "[[bodies]]\nname = 'geometry'\nshape = 'sphere:9,5,0.5,2'".to_owned(),
            &["line 6, column 8", "a body is named `geometry`, which says all solid nodes"],
        ),
        (
            "[[bodies]]\nname = ''\nshape = 'sphere:9,5,0.5,2'".to_owned(),
            &["line 6, column 8", "a body has an empty name"],
        ),
        (region("face = 'east'\nrule = 'sponge'"), &["line 5, column 1", "a layer beside a face"]),
        (region("face = 'east'\ndepth = 30\nrule = 'sponge'"), &["line 8, column 9", "give 1 to 20"]),
        (
            region("face = 'east'\ndepth = 3\nrule = 'bouzidi'"),
            &["line 9, column 8", "not for nodes in the fluid", "sponge"],
        ),
        (region("face = 'east'\ndepth = 3\nrule = 'sponge'"), &["line 9, column 8", "needs `strength`"]),
        (strength("{ profile = 'parabolic', peak = 0.1 }"), &["line 9, column 50", "take \"rising\""]),
        (strength("{ profile = 'rising' }"), &["line 9, column 38", "`peak` is missing"]),
        (
            region(
                "shape = 'sphere:9,5,0.5,2'\nrule = { name = 'sponge', strength = { profile = 'rising', peak = 1 } }",
            ),
            &["line 8, column 50", "a shape have no profile"],
        ),
        ("sices = 3".to_owned(), &["line 5, column 1", "unknown key `sices`"]),
        ("steps = 3".to_owned(), &["line 5", "duplicate"]),
        ("precision = 'f16'".to_owned(), &["line 5, column 13", "one of f32"]),
        ("[faces]\nwst = 'wall'".to_owned(), &["line 6, column 1", "did you mean `west`?"]),
        ("[faces]\nbottom = 'wall'".to_owned(), &["line 6, column 1", "west, east, south, north"]),
        ("[faces]\nwest = 'zou-he'".to_owned(), &["line 6, column 8", "unknown boundary rule `zou-he`"]),
        ("[faces]\nwest = 3".to_owned(), &["line 6, column 8", "a text in quotes"]),
        ("[faces]\nwest = 'zou-he-velocity'".to_owned(), &["line 6, column 8", "needs `velocity`"]),
        ("[faces]\nwest = 'sponge'".to_owned(), &["line 6, column 8", "is for nodes in the fluid"]),
        (velocity("[0.1]"), &["line 6, column 47", "`velocity` has 1 numbers here, 2 are needed"]),
        (velocity("[0.1, 'x']"), &["line 6, column 53", "decimal number"]),
        (velocity("[0.9, 0]"), &["line 6, column 47", "at most 0.3"]),
        (velocity("{ profile = 'cubic' }"), &["line 6, column 59", "parabolic, power-law, table, rotation"]),
        (velocity("{ profile = 'parabolic' }"), &["line 6, column 47", "`peak` is missing"]),
        (velocity("{ profile = 'parabolic', peak = [0.1, 0], peek = 3 }"), &["line 6", "unknown key `peek`"]),
        (velocity("{ profile = 'table', file = 'none.csv' }"), &["line 6, column 75", "none.csv"]),
        (
            velocity("{ profile = 'table', file = 'none.csv', along = 'x' }"),
            &["line 6, column 95", "nothing changes along x", "take y"],
        ),
        (velocity("{ value = [0.1, 0], ramp = 0 }"), &["line 6, column 74", "a whole number from 1"]),
        (velocity("{ value = [0.1, 0], ramp = 5000000000 }"), &["line 6, column 74", "5000000000 is not"]),
        (velocity("{ profile = 'rising', peak = [0.1, 0] }"), &["line 6, column 59", "across a layer"]),
        (
            velocity("{ profile = 'power-law', peak = [0.1, 0], exponent = -1 }"),
            &["line 6, column 100", "exponent = -1 is below 0"],
        ),
        (
            velocity("{ profile = 'rotation', rate = 0.01, centre = [1, 1], axis = 'x' }"),
            &["line 6, column 108", "about z"],
        ),
        (velocity("{ value = [0.1, 0], ramps = 9 }"), &["line 6, column 67", "unknown key `ramps`"]),
        (velocity("{ value = [0.1, 0], table = 'none.csv' }"), &["line 6, column 75", "none.csv"]),
        (velocity("{ value = [0.1, 0], unit = 3 }"), &["line 6, column 74", "that of a `table`"]),
        (velocity("{ value = [0.1, 0], period = 1e9 }"), &["line 6, column 76", "1 to 67108864"]),
        (velocity("[{ value = [0.1, 0] }, { value = [0.1, 0] }]"), &["line 6, column 70", "two terms"]),
        (patch("low = 3\nhigh = 2\nrule = 'zou-he-pressure'"), &["line 9, column 8", "not above `low`"]),
        (patch("low = 3\nhigh = 99\nrule = 'zou-he-pressure'"), &["line 9, column 8", "along y"]),
        (patch("low = -1\nhigh = 2\nrule = 'zou-he-pressure'"), &["line 8, column 7", "which lie in 0 to"]),
        (patch("low = 3\nrule = 'zou-he-pressure'"), &["line 5, column 1", "a rectangle"]),
        (body("shape = 'sphere:1,2,3'"), &["line 7, column 9", "sphere:X,Y,Z,R"]),
        (body("file = 'none.stl'"), &["line 7, column 8", "none.stl"]),
        (body("file = 'none.doc'"), &["line 7, column 8", ".stl, .obj, .nrrd, .raw, .png"]),
        (
            body("shape = 'sphere:9,5,0.5,2'\nrule = 'zou-he-velocity'"),
            &["line 8, column 8", "nodes at a face"],
        ),
        (
            body("shape = 'sphere:9,5,0.5,2'\n[forces]\nbody = 'b'\narea = 1"),
            &["line 9, column 8", "unknown body"],
        ),
        ("[initial]\ndensity = 0".to_owned(), &["line 6, column 11", "above 0"]),
        ("[initial]\ndensity = 101325".to_owned(), &["line 6, column 11", "at most 100"]),
        (
            "[initial]\nvelocity = { profile = 'parabolic', peak = [0.1, 0] }".to_owned(),
            &["line 6, column 24", "a profile at the start", "across = \"west\""],
        ),
    ];
    for (text, parts) in cases {
        let message = message(&text);
        assert!(parts.iter().all(|part| message.contains(part)), "{text}\n{message}");
    }
}

#[test]
fn what_contradicts_itself_is_refused_by_name() {
    let patch = |name: &str, low: u32, high: u32| {
        format!(
            "[[patches]]\nname = '{name}'\nface = 'west'\nlow = {low}\nhigh = {high}\nrule = 'zou-he-pressure'\n"
        )
    };
    let east = "[faces]\neast = 'wall'\n";
    let two = message(&format!("{east}{}{}", patch("jet", 1, 5), patch("leak", 4, 8)));
    assert!(two.contains("`jet` and `leak` both claim node [0, 4, 0]"), "{two}");
    let buried =
        message(&format!("{east}{}[[bodies]]\nname = 'b'\nshape = 'box:-1,0,0,3,6,1'\n", patch("jet", 1, 5)));
    assert!(buried.contains("`jet` lies within a wall"), "{buried}");
    let solid = message("[[bodies]]\nname = 'b'\nshape = 'box:-1,-1,-1,30,30,2'\n");
    assert!(solid.contains("nodes of the box are solid"), "{solid}");
    let held = "force = [1e-6, 0]\nflow_rate = 0.1\n[faces]\nwest = { name = 'zou-he-velocity', velocity = [0.1, 0] }\neast = 'zou-he-pressure'";
    let held = message(held);
    assert!(
        held.contains("`zou-he-velocity` counts with the body force") && held.contains("held = true"),
        "{held}"
    );
    assert!(message("re = 10").contains("both `re` and `viscosity` are set"));
    assert!(fault("lattice = 'D2Q9'\n").contains("`size` is missing"));
    let flat = fault("lattice = 'D2Q9'\nsize = [10, 10, 10]\n");
    assert!(flat.contains("line 2, column 8") && flat.contains("2 are needed"), "{flat}");
}

#[test]
fn errors_with_a_remedy_have_no_other() {
    let text = message("[forces]\nbody = 'b'\narea = 1");
    assert!(text.contains("unknown body `b`") && !text.contains("correct it"), "{text}");
    let text = message("[faces]\nwest = { name = 'free-slip', speed = 1 }");
    assert!(text.ends_with("unknown parameter `speed`; known here: before_walls"), "{text}");
    let text = message("[faces]\nwest = { name = 'staircase-slip', speed = 1 }");
    assert!(text.contains("there is no parameter here") && !text.contains("known here: ;"), "{text}");
}
