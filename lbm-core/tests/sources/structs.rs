//! Public structs that will grow are `non_exhaustive`, so that a further field breaks nobody; those that others write out or take apart
//! as a whole are named here, with the reason.

use super::sources;
use super::words::pages;

/// Public structs of which all fields are public and which may be written out elsewhere, by why they may.
const PLAIN: [(&str, &[&str]); 8] = [
    (
        "a shape or a place in space is what its numbers say",
        &[
            "Bounds",
            "Complement",
            "Cuboid",
            "Cylinder",
            "Difference",
            "Intersection",
            "Predicate",
            "RoundCone",
            "Sphere",
            "Union",
            "Vessel",
            "Window",
        ],
    ),
    ("a value that cannot grow", &["Architecture", "Bits", "HostText", "PropagationPoint", "SphereArray"]),
    (
        "a user writes it out as a constant",
        &["Access", "Array", "BlockExtents", "Operations", "Pass", "Pattern"],
    ),
    ("a user writes what differs from a default", &["Initial", "Listing", "Problem", "Spheres"]),
    ("a user writes out where a grid begins, how far apart its nodes are, and how many", &["Grid"]),
    ("a user names all that a flow of air or water is like", &["Similarity"]),
    ("the generator writes it out, for a core of the same version", &["Declared", "Slices", "Written"]),
    ("every backend takes it apart as a whole, so that none forgets what is new", &["Remembered", "Visit"]),
];

/// The crates that others build on. The generator is only for our macros and command, and changes with them.
const CRATES: [&str; 6] = ["lbm-base", "lbm-core", "lbm-cpu", "lbm-cuda", "lbm-bodies", "."];

/// The public structs in a file of which all fields are public, and whether each is `non_exhaustive`.
fn open_structs(text: &str) -> Vec<(&str, bool)> {
    let (mut found, mut attributes, mut lines) = (Vec::new(), String::new(), text.lines());
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        if code.starts_with("#[") || code.starts_with("///") {
            attributes += code;
            continue;
        }
        let attributes = std::mem::take(&mut attributes);
        let Some(head) = code.strip_prefix("pub struct ") else { continue };
        let name = head.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let indent = line.len() - code.len();
        let is_open = if head.ends_with([';', '}']) {
            head.contains("(pub ")
        } else {
            if head.ends_with(|c: char| c.is_alphanumeric() || c == '>') {
                lines.by_ref().take_while(|line| line.trim() != "{").for_each(drop);
            }
            let end = |line: &str| {
                line.find(|c| c != ' ') == Some(indent) && line.trim_start().starts_with(['}', ')'])
            };
            let field = |line: &&str| {
                line.find(|c| c != ' ') == Some(indent + 4) && !line.trim_start().starts_with(['#', '/'])
            };
            let fields: Vec<&str> = lines.by_ref().take_while(|line| !end(line)).filter(field).collect();
            !fields.is_empty() && fields.iter().all(|line| line.trim_start().starts_with("pub "))
        };
        if is_open {
            found.push((name, attributes.contains("#[non_exhaustive]")));
        }
    }
    found
}

#[test]
fn structs_that_will_grow_say_so() {
    let text = "/// A.\n#[non_exhaustive]\npub struct A {\n    /// B.\n    pub b: u8,\n}\n#[derive(Clone)]\npub struct C<'a> {\n    \
                pub d: u8,\n    e: &'a u8,\n}\npub struct F(pub u8);\npub struct G;\npub struct K<T>\nwhere\n    T: Copy,\n{\n    pub l: T,\n}\n    pub struct H {\n        pub i: u8,\n    }\n";
    assert_eq!(open_structs(text), [("A", true), ("F", false), ("K", false), ("H", false)]);
    let (mut seen, mut wrong) = (Vec::new(), Vec::new());
    for name in CRATES {
        let mut all = Vec::new();
        pages(&sources(name), &mut all);
        for (path, text) in &all {
            for (name, grows) in open_structs(text) {
                let plain = PLAIN.iter().any(|(_, names)| names.contains(&name));
                seen.extend((plain && !grows).then(|| name.to_owned()));
                wrong.extend((!plain && !grows).then(|| format!("{path}: {name}")));
            }
        }
    }
    let remedy = "write #[non_exhaustive] and a constructor, or name it among PLAIN with the reason";
    assert!(wrong.is_empty(), "{remedy}\n{}", wrong.join("\n"));
    let gone: Vec<_> = PLAIN
        .iter()
        .flat_map(|(_, names)| *names)
        .filter(|name| !seen.iter().any(|seen| seen == *name))
        .collect();
    assert!(gone.is_empty(), "named among PLAIN, but gone or non_exhaustive: {gone:?}");
}
