//! Lists of names as patterns.

use std::collections::BTreeSet;

/// The names of a list, each once: patterns, one a line, in which every word in braces stands with every other one; a line with `#` is a
/// comment.
#[must_use]
pub fn expanded(list: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let patterns = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    patterns.flat_map(names).filter(|name| seen.insert(name.clone())).collect()
}

/// A pattern with each word of every `{one,other}`, as a shell writes it out; the last ones run fastest.
fn names(pattern: &str) -> Vec<String> {
    let parts = pattern.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (words, behind))) = parts else { return vec![pattern.to_owned()] };
    let rests = names(behind);
    words.split(',').flat_map(|word| rests.iter().map(move |rest| format!("{before}{word}{rest}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_stands_with_every_other_one() {
        let list = "# a comment\n\n{a,b}-x{,-y}\na-x\n";
        assert_eq!(expanded(list), ["a-x", "a-x-y", "b-x", "b-x-y"]);
    }
}
