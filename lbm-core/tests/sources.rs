//! How often the sources ask what kind of step they have: passes are executed as they are declared, so these numbers only fall.

#[path = "sources/structs.rs"]
mod structs;
#[path = "sources/words.rs"]
mod words;

use std::fs;
use std::path::{Path, PathBuf};

/// Variants of a pass's order and program, of an array's motion, of the way of both, of a cut.
const VARIANTS: [&str; 15] = [
    "Order::Any",
    "Order::Blocks",
    "Order::Planes",
    "Motion::Still",
    "Motion::Along",
    "Motion::Planes",
    "Towards::Down",
    "Towards::Up",
    "Program::Collide",
    "Program::Send",
    "Program::Swap",
    "Program::Move",
    "Cut::Faces",
    "Cut::Blocks",
    "Cut::Planes",
];

/// Questions about a pattern's passes and motion, and those who are asked. How a copy drifts and where slots begin is no question: it is
/// there whatever moves.
const QUESTIONS: [&str; 13] = [
    "swaps",
    "rings",
    "moves",
    "turns",
    "drifts",
    "sign",
    "blocks",
    "ordered",
    "sends",
    "rebuilds",
    "stores_moments",
    "keeps_sent",
    "sent_stays",
];
const ASKED: [&str; 7] = ["pattern", "PATTERN", "facts", "self", "rings", "drift", "scheme"];

/// What a crate's sources may have at most: variants named, and questions asked. In the core, outside of the folder where patterns
/// are declared and judged. By the nine questions that were counted at commit b08040e (`swaps`, `turns`, `turning`, `drift`, `blocks`, `sends`,
/// `ordered`, `moves`, `plane_order`) the core has fallen from 23 to 16 since, the CPU from 6 to 4, CUDA from 16 to 8; the numbers here are of more
/// questions, variants and whom they are asked.
const MOST: [(&str, [usize; 2]); 3] = [("lbm-core", [14, 40]), ("lbm-cpu", [3, 16]), ("lbm-cuda", [7, 16])];

/// The code of a crate, file by file: no tests, no comments, calls on one line.
fn files(folder: &Path, all: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap();
        if path.is_dir() && !["tests", "streaming"].contains(&name) {
            files(&path, all);
        } else if (name.ends_with(".rs") || name.ends_with(".cuh")) && name != "tests.rs" {
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
            let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
            all.push((name.to_owned(), words.join(" ").replace(" .", ".")));
        }
    }
}

/// All of it in one text.
fn code(folder: &Path, all: &mut String) {
    let mut texts = Vec::new();
    files(folder, &mut texts);
    texts.iter().for_each(|(_, text)| *all += text);
}

/// The sources of a crate.
fn sources(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src")
}

/// How often `what` stands in a text as a whole word, behind a word that `before` takes.
fn count(text: &str, what: &str, before: impl Fn(&str) -> bool) -> usize {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let whole = |&(at, _): &(usize, &str)| what.ends_with('(') || !text[at + what.len()..].starts_with(part);
    let behind = |at: usize| before(text[..at].rsplit(|c| !part(c)).next().unwrap_or_default());
    text.match_indices(what).filter(whole).filter(|&(at, _)| behind(at)).count()
}

/// How often one of these questions is asked.
fn asked(text: &str, questions: &[&str]) -> usize {
    let is_asked = |word: &str| ASKED.contains(&word);
    questions.iter().map(|question| count(text, &format!(".{question}("), is_asked)).sum()
}

#[test]
fn kinds_of_steps_are_told_apart_ever_less() {
    let found = MOST.map(|(name, _)| {
        let mut text = String::new();
        code(&sources(name), &mut text);
        let variants = VARIANTS.iter().map(|variant| count(&text, variant, str::is_empty));
        (name, [variants.sum(), asked(&text, &QUESTIONS)])
    });
    let remedy = "where a number has fallen, lower it here, so that it stays; where one has risen, execute the pattern's passes as \
                  they are declared, or ask where it is asked already";
    assert_eq!(found, MOST, "{remedy}");
}

/// How often a device's sources name the algorithm that the order of a pass has led to, outside of where it is chosen.
const ALGORITHMS: usize = 28;

#[test]
fn algorithms_of_a_device_are_named_ever_less() {
    let mut texts = Vec::new();
    files(&sources("lbm-cuda"), &mut texts);
    let others = texts.iter().filter(|(file, _)| file != "algorithm.rs");
    let found: usize = others.map(|(_, text)| text.matches("Algorithm::").count()).sum();
    assert_eq!(
        found, ALGORITHMS,
        "where the number has fallen, lower it here; where it has risen, ask `algorithm.rs` for what differs"
    );
}

/// Where a backend asks for the order of a pass, and where for the motion of an array: a file for each. All else goes by numbers that
/// follow.
const SITES: [(&str, [&str; 2]); 2] =
    [("lbm-cpu", ["rows.rs", "around.rs"]), ("lbm-cuda", ["algorithm.rs", "scheme.rs"])];

#[test]
fn order_and_motion_are_asked_for_at_one_site_a_backend() {
    for (name, expected) in SITES {
        let mut texts = Vec::new();
        files(&sources(name), &mut texts);
        let ask = |of: &str, questions: &[&str]| -> Vec<&str> {
            let named = |text: &str| {
                let of_this = VARIANTS.iter().filter(|variant| variant.starts_with(of));
                of_this.map(|variant| count(text, variant, str::is_empty)).sum::<usize>()
            };
            let asks = |(_, text): &&(String, String)| named(text) + asked(text, questions) > 0;
            texts.iter().filter(asks).map(|(file, _)| &file[..]).collect()
        };
        assert_eq!(ask("Order::", &["ordered", "blocks"]), [expected[0]], "the order, in {name}");
        assert_eq!(
            ask("Motion::", &["moves", "turns", "drifts", "sign"]),
            [expected[1]],
            "the motion, in {name}"
        );
        let ways = ask("Towards::", &[]);
        assert!(ways.iter().all(|file| expected.contains(file)), "the way, in {name}: {ways:?}");
    }
}

/// Whether a text adds what is named a term, as it stands, converted, multiplied or fused: `+ terms[n]`, `+ (real)touch.term`, `fma(w, term, sent)`.
fn adds_a_term(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let has_term =
        |added: &str| added.split(|c| !is_name(c)).any(|word| word.trim_end_matches('s').ends_with("term"));
    let addend = |added: &str| has_term(added.split([';', ',', '"', '+']).next().unwrap_or_default());
    let fused = |of: &str| has_term(of.split(';').next().unwrap_or_default());
    text.split("+ ").skip(1).any(addend) || text.split("fma(").skip(1).any(fused)
}

#[test]
fn the_half_way_wall_is_computed_at_one_place_a_language() {
    for (text, expected) in [
        ("decode(source[from[link]]) + terms[link]", true),
        ("(real)values[touch.come] + (real)touch.term", true),
        ("sent + term", true),
        ("{value} + {times}terms[{place}]", true),
        ("fma(u, touch.term, sent)", true),
        ("a + b; term", false),
        ("h[0] + terminal", false),
    ] {
        assert_eq!(adds_a_term(text), expected, "{text}");
    }
    // In Rust for all backends, and in the text for a device.
    for (name, expected) in [
        // Sums of indices have terms, too.
        ("lbm-core", &["parts.rs", "links.rs"][..]),
        ("lbm-cpu", &[]),
        ("lbm-cuda", &["boundary.rs"]),
        ("lbm-bodies", &[]),
    ] {
        let mut texts = Vec::new();
        files(&sources(name), &mut texts);
        let found: Vec<&str> =
            texts.iter().filter(|(_, text)| adds_a_term(text)).map(|(file, _)| &file[..]).collect();
        assert_eq!(found, expected, "in {name}: take `half_way`");
    }
}

#[test]
fn the_architecture_fits_a_few_pages() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../ARCHITECTURE.md")).unwrap();
    let lines = text.lines().count();
    assert!(
        lines <= 200,
        "{lines} lines of ARCHITECTURE.md, at most 200: move what one part needs to a page of docs/"
    );
}

#[test]
fn the_cumulant_and_what_it_uses_take_less_than_thirty_lines() {
    let declared = |file: &str, head: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/collisions");
        let text = fs::read_to_string(folder.join(file)).unwrap();
        let from = text.lines().skip_while(|line| !line.trim_start().starts_with(head));
        from.take_while(|line| *line != "    }").count() + 1
    };
    let lines = [declared("shared.rs", "pub Squares {"), declared("central.rs", "pub Cumulant(")];
    assert!(lines.iter().all(|&n| n > 2), "{lines:?}: a declaration is not where it was");
    assert!(lines.iter().sum::<usize>() < 30, "{lines:?}");
}
