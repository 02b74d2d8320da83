//! What `lbm crosscheck --all` checks.

use std::collections::BTreeSet;

/// Patterns of names, one a line; a line with `#` is a comment.
const PATTERNS: &str = include_str!("products.txt");

/// The names of all products that are checked, each once.
#[must_use]
pub fn products() -> Vec<String> {
    let mut seen = BTreeSet::new();
    let patterns = PATTERNS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    patterns.flat_map(expanded).filter(|name| seen.insert(name.clone())).collect()
}

/// A pattern with each word of every `{one,other}`, as a shell writes it out; the last ones run fastest.
fn expanded(pattern: &str) -> Vec<String> {
    let parts = pattern.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (words, behind))) = parts else { return vec![pattern.to_owned()] };
    let rests = expanded(behind);
    words.split(',').flat_map(|word| rests.iter().map(move |rest| format!("{before}{word}{rest}"))).collect()
}
