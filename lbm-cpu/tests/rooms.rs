//! The files of this crate use each other downwards only: each those that stand above it in the table of `lib.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The files in the order of the table.
fn order(lib: &str) -> Vec<&str> {
    let rows = lib.lines().filter_map(|line| line.strip_prefix("//! | `"));
    let names = rows.filter_map(|row| row.split(" | ").next());
    names.flat_map(|names| names.split(", ").map(|name| name.trim_matches('`'))).collect()
}

/// The files that a text names, behind `crate` or in a list behind it.
fn names(text: &str) -> BTreeSet<&str> {
    let all = text.split("crate::").skip(1).flat_map(|rest| match rest.strip_prefix('{') {
        Some(list) => list.split('}').next().unwrap_or_default().split(',').collect(),
        None => vec![rest],
    });
    let end = |c: char| !c.is_alphanumeric() && c != '_';
    all.filter_map(|text| text.trim_start().split(end).next()).collect()
}

/// The code of a file and of those in the folder of its name, without comments and tests.
fn code(folder: &Path, name: &str) -> String {
    let inner = fs::read_dir(folder.join(name)).into_iter().flatten().map(|entry| entry.unwrap().path());
    let files = inner.filter(|path| path.file_name().is_some_and(|name| name != "tests.rs"));
    let own = Some(folder.join(format!("{name}.rs"))).filter(|path| path.exists());
    let read = |path: PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        text.lines()
            .map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n")
            .collect::<String>()
    };
    own.into_iter().chain(files).map(read).collect()
}

#[test]
fn files_use_those_above_them_only() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let lib = fs::read_to_string(folder.join("lib.rs")).unwrap();
    let order = order(&lib);
    let mut seen = 0;
    for (place, name) in order.iter().enumerate() {
        for used in names(&code(&folder, name)) {
            let Some(other) = order.iter().position(|other| *other == used) else {
                continue;
            };
            assert!(
                other < place,
                "`{name}` uses `{used}`, which stands below it: move what both need above"
            );
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen} uses");
    let text = "use crate::{step, a::b}; crate::scheme::line(crate::kernel::x)";
    assert_eq!(names(text), ["a", "kernel", "scheme", "step"].into());
}

#[test]
fn every_file_has_its_place() {
    let lib = include_str!("../src/lib.rs");
    let declared = lib.lines().filter_map(|line| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.strip_prefix("mod ")?.strip_suffix(';')
    });
    let declared: BTreeSet<&str> = declared.filter(|name| *name != "by_hand").collect();
    assert_eq!(declared, order(lib).into_iter().collect());
}
