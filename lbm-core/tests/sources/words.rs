//! Words that nobody outside of these sources understands stay out of them: of names, texts, comments and pages.

use std::fs;
use std::path::Path;

/// Words of which nobody outside knows what they mean here, and what the field says.
const PRIVATE: [(&str, &str); 7] = [
    ("ahead", "prefetch_distance, before, beyond, next, waiting"),
    ("aside", "radial, diagonal, across"),
    ("carried", "of_moments, momentum, advected"),
    ("come_back", "from_walls, return"),
    ("inside", "within, bulk, contains"),
    ("service", "accessors"),
    ("told", "handed, given, known, distinguished"),
];

/// Of surfaces and shapes the field says `inside`, too: where their geometry is, and in the name of this setting.
const OF_SHAPES: [&str; 2] = ["/geometry/", "/command_geometry.rs"];
const SETTINGS: [&str; 2] = ["fluid_inside", "fluid-inside"];

/// Where these words stand, and folders of what is built or comes from elsewhere.
const LEFT_OUT: [&str; 5] = ["/tests/sources.rs", "/tests/sources", "/target", "/shared", "/.git"];

/// What sources and pages end with; the texts of a device among them.
const SOURCES: [&str; 5] = [".rs", ".md", ".cuh", ".cu", ".toml"];

/// How often `what` stands in a text as a word or as a part of a name.
fn parts(text: &str, what: &str) -> usize {
    let apart = |end: Option<char>| !end.is_some_and(char::is_alphanumeric);
    let is_part = |&(at, _): &(usize, &str)| {
        apart(text[..at].chars().next_back()) && apart(text[at + what.len()..].chars().next())
    };
    text.match_indices(what).filter(is_part).count()
}

/// The private words of a file, with what to say instead.
fn private(path: &str, text: &str) -> Vec<String> {
    let settings = SETTINGS.iter().fold(text.to_lowercase(), |text, setting| text.replace(setting, ""));
    let of_shapes = |word: &str| word == "inside" && OF_SHAPES.iter().any(|part| path.contains(part));
    let found = PRIVATE.iter().filter(|(word, _)| !of_shapes(word) && parts(&settings, word) > 0);
    found.map(|(word, better)| format!("{path} says `{word}`: say what it is, such as {better}")).collect()
}

/// All sources and pages of a folder, with their paths.
pub(super) fn pages(folder: &Path, all: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.to_str().unwrap().replace('\\', "/");
        if LEFT_OUT.iter().any(|end| name.ends_with(end)) {
            continue;
        }
        if path.is_dir() {
            pages(&path, all);
        } else if SOURCES.iter().any(|end| name.ends_with(end)) {
            all.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn private_words_stay_away() {
    assert_eq!(
        ["carried_by", "not_carried", "carriedby", "a.carried()"].map(|name| parts(name, "carried")),
        [1, 1, 0, 1]
    );
    let counts = |path: &str, text: &str| private(path, text).len();
    assert_eq!(counts("a.rs", "// It lies inside.\nlet fluid_inside = \"a service\"; /// told"), 3);
    assert_eq!(counts("a.cuh", "#define TOLD_STEPS 1 // Carried"), 2);
    assert_eq!(counts("src/geometry/a.rs", "inside, ahead"), 1);
    let mut all = Vec::new();
    pages(&fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap(), &mut all);
    for known in [
        "/docs/glossary.md",
        "/lbm-cuda/src/engine.rs",
        "/lbm-cuda/src/assemble/meeting.cuh",
        "/src/simulation/builder.rs",
        "/tests/beside.rs",
    ] {
        assert!(all.iter().any(|(path, _)| path.ends_with(known)), "{known} is looked at");
    }
    let found: Vec<String> = all.iter().flat_map(|(path, text)| private(path, text)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
