//! Where the values of links lie: those that are the same at all links once, those that nobody reads nowhere, the others link by link.

use lbm_core::rules::{AtLinks, LinkArrival};

use super::Part;

/// Where a value of a link lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// Nobody reads it.
    Absent,
    /// In one place for all links, from this one on repeated for each lane of a vector.
    Same(usize),
    /// Link by link, in this row of those of a batch.
    Each(usize),
}

/// Where those of links lie at which a rule does the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// Value by value.
    pub(super) all: Vec<Column>,
    /// How many rows a batch has of them, and of these how many are of what is kept: the last ones.
    pub(super) rows: usize,
    pub(super) kept: usize,
}

/// What is known of the values of such links.
struct Known {
    /// Those of the first one, and whether all others have the same.
    first: Vec<f64>,
    same: Vec<bool>,
}

/// Those of each part, of parts that do the same where the first of them is; and the values that are the same at all links, of which each takes
/// so many places from the first one on.
pub(super) fn columns(
    links: &[LinkArrival],
    (parts, kinds): (&[Part], &[usize]),
    at_links: &AtLinks,
    lanes: usize,
) -> (Vec<Columns>, Vec<f64>) {
    let mut known: Vec<Option<Known>> = parts.iter().map(|_| None).collect();
    for link in links {
        let (row, kind) = (at_links.row(link.row), kinds[link.part]);
        let given = row.start..row.start + parts[kind].given;
        let values = &at_links.values[given.clone()];
        let known = known[kind]
            .get_or_insert_with(|| Known { first: values.to_vec(), same: vec![true; values.len()] });
        for ((same, first), value) in known.same.iter_mut().zip(&known.first).zip(values) {
            *same &= first.to_bits() == value.to_bits();
        }
        for place in at_links.varying.range(given.clone()).map(|(place, _)| place - given.start) {
            known.same[place] = false;
        }
    }
    let mut alike = Vec::new();
    let of_part = |(part, known): (&Part, Option<Known>)| {
        let mut columns = Columns { all: vec![Column::Absent; part.values], ..Columns::default() };
        let keeps = |n: usize| part.keeps.iter().any(|&(_, place)| place == n);
        // What is known of other nodes is brought, and what is remembered stays, whether or not it is read.
        let is_read = |n: usize| {
            n >= part.given || part.reads_values.checked_shr(n as u32).is_none_or(|bits| bits & 1 == 1)
        };
        let (kept, others): (Vec<usize>, Vec<usize>) = (0..part.values).partition(|&n| keeps(n));
        for n in others.into_iter().filter(|&n| is_read(n)).chain(kept.iter().copied()) {
            let same = known.as_ref().filter(|known| known.same.get(n) == Some(&true));
            columns.all[n] = match same {
                Some(known) => {
                    alike.resize(alike.len() + lanes, known.first[n]);
                    Column::Same(alike.len() - lanes)
                }
                None => {
                    columns.rows += 1;
                    Column::Each(columns.rows - 1)
                }
            };
        }
        columns.kept = kept.len();
        columns
    };
    (parts.iter().zip(known).map(of_part).collect(), alike)
}
