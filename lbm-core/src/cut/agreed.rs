//! That all ranks build the same flow, found before the first message of it; and that what one rank fails at ends all of them.

use std::fmt::{self, Debug, Write};

use super::{Decomposition, OwnBox, Part, Transport};
use crate::domain::{Domain, FaceRule};
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::Facts;
use crate::rules::RuleFacts;

/// Bytes of what a rank says of a failure, at most.
const SAID: usize = 1 << 10;

/// Numbers that a rank says of itself, at most: as many as a part has nodes.
const MOST_NUMBERS: u64 = 1 << 32;

/// What ranks compare, in this order.
const PARTS: [&str; 3] = [
    "version of lbm",
    "solver or settings (scheme, rules and their values, parameters, decomposition)",
    "box or geometry",
];

/// Refuses a flow that is not the same on all ranks.
///
/// # Errors
/// [`Error::Conflict`], the same on all ranks; those of the transport.
pub(super) fn agree(
    transport: &dyn Transport,
    facts: &Facts,
    whole: &Setup,
    cut: &Decomposition,
) -> Result<(), Error> {
    if transport.ranks() == 1 {
        return Ok(());
    }
    let own = [
        sum(|all| all.text(&env!("CARGO_PKG_VERSION"))),
        sum(|all| settings(all, facts, whole, cut)),
        sum(|all| geometry(all, whole.domain())),
    ];
    compare(transport, &PARTS, &own)
}

/// Refuses a box of which a rank knows other things than rank 0, by checksums of what all know: of its rules and of its nodes.
///
/// # Errors
/// [`Error::Conflict`], the same on all ranks; those of the transport.
pub fn same_box(transport: &dyn Transport, rules: u32, nodes: u32) -> Result<(), Error> {
    if transport.ranks() == 1 { Ok(()) } else { compare(transport, &PARTS[1..], &[rules, nodes]) }
}

/// A checksum of words, as ranks compare them.
pub fn checksum(words: impl IntoIterator<Item = u64>) -> u32 {
    sum(|all| all.words(words))
}

/// The numbers of all ranks, rank after rank, of which each may have as many as it has.
///
/// # Errors
/// Those of the transport; [`Error::OutOfRange`] for more of them than a rank may have.
pub fn lists(transport: &dyn Transport, own: &[u64]) -> Result<Vec<Vec<u64>>, Error> {
    let own_bytes: Vec<u8> = own.iter().flat_map(|number| number.to_le_bytes()).collect();
    let of_rank = |rank: usize| {
        let mut length = (own.len() as u64).to_le_bytes();
        transport.share(rank, &mut length)?;
        let length = u64::from_le_bytes(length);
        if length > MOST_NUMBERS {
            return Err(Error::out_of_range(
                format!("numbers that rank {rank} sends"),
                length,
                format!("at most {MOST_NUMBERS}"),
                "start all ranks with the same program, arguments and files",
            ));
        }
        let mut bytes = own_bytes.clone();
        bytes.resize(length as usize * size_of::<u64>(), 0);
        transport.share(rank, &mut bytes)?;
        Ok(bytes.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect())
    };
    (0..transport.ranks()).map(of_rank).collect()
}

/// What numbers of all ranks sum to, one after the other; all have as many.
///
/// # Errors
/// [`Error::Conflict`], the same on all ranks, where one has more or fewer; those of the transport.
pub fn sums(transport: &dyn Transport, own: &[u64]) -> Result<Vec<u64>, Error> {
    if transport.ranks() == 1 {
        return Ok(own.to_vec());
    }
    same_box(transport, 0, own.len() as u32)?;
    let mut all = vec![0u64; own.len()];
    for rank in 0..transport.ranks() {
        let mut bytes: Vec<u8> = own.iter().flat_map(|number| number.to_le_bytes()).collect();
        transport.share(rank, &mut bytes)?;
        let numbers = bytes.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes));
        all.iter_mut().zip(numbers).for_each(|(sum, number)| *sum = sum.wrapping_add(number));
    }
    Ok(all)
}

/// Compares checksums of what all ranks have, in words, with those of the first one.
///
/// # Errors
/// As [`agree`].
pub(crate) fn compare(transport: &dyn Transport, what: &[&str], own: &[u32]) -> Result<(), Error> {
    let mut differs = None;
    let mut first = Vec::new();
    for rank in 0..transport.ranks() {
        let mut bytes: Vec<u8> = own.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        transport.share(rank, &mut bytes)?;
        let sums = bytes.chunks(4);
        match rank {
            0 => first.clone_from(&bytes),
            _ => differs = differs.or(sums.zip(first.chunks(4)).position(|(a, b)| a != b).map(|n| (rank, n))),
        }
    }
    match differs {
        None => Ok(()),
        Some((rank, number)) => Err(Error::conflict(
            format!("rank {rank} has another {} than rank 0", what[number]),
            "start all ranks with the same program, arguments and files",
        )),
    }
}

/// What this rank made, if all others made theirs.
///
/// # Errors
/// Its own error where all ranks fail, or there is one; else one that names the first rank that failed, the same on all ranks; those of the transport.
pub fn on_all_ranks<T>(transport: &dyn Transport, made: Result<T, Error>) -> Result<T, Error> {
    let ranks = transport.ranks();
    if ranks == 1 {
        return made;
    }
    let (mut first, mut failed) = (None, 0);
    for rank in 0..ranks {
        let mut said = [0; SAID];
        if let Err(error) = &made {
            let text = error.to_string();
            said[0] = 1;
            said[1..].iter_mut().zip(text.bytes()).for_each(|(to, byte)| *to = byte);
        }
        if let Err(error) = transport.share(rank, &mut said) {
            // What this rank failed at itself says more.
            return made.and(Err(error));
        }
        if said[0] == 1 {
            failed += 1;
            first.get_or_insert((rank, said));
        }
    }
    match first {
        Some((rank, said)) if failed < ranks => Err(Error::Unavailable {
            what: format!(
                "rank {rank} failed: {}",
                String::from_utf8_lossy(&said[1..]).trim_end_matches('\0')
            ),
            remedy: "the other ranks ended what they did with it".to_owned(),
        }),
        _ => made,
    }
}

/// Whether something holds in one of the processes.
///
/// # Errors
/// Those of the transport.
pub fn in_any(transport: &dyn Transport, here: bool) -> Result<bool, Error> {
    let mut any = false;
    for rank in 0..transport.ranks() {
        let mut there = [u8::from(here)];
        transport.share(rank, &mut there)?;
        any |= there == [1];
    }
    Ok(any)
}

/// All but the nodes: who computes what of them, and how they are dealt out.
fn settings(all: &mut Sum, facts: &Facts, whole: &Setup, cut: &Decomposition) {
    let Facts { lattice, body, precision, layout, addressing, streaming, .. } = facts;
    all.text(&facts.name());
    for declared in [precision.declared, layout.declared, addressing.declared, streaming.declared] {
        all.text(&declared());
    }
    all.text(lattice);
    all.text(&(body.text, body.parameters, body.defaults, body.ranges, body.fields));
    all.text(&(body.derived, body.derivations, body.baked_viscosity, body.uniform_count, body.moments));
    all.text(&facts.pattern);
    for phase in 0..facts.period {
        (0..lattice.q()).for_each(|i| all.text(&facts.read(i, phase)));
    }
    for RuleFacts {
        name, lattice, first, stands, beyond, half_way, parameters, classes, arithmetic, ..
    } in &whole.rules
    {
        all.text(&(name, lattice, first, stands, beyond, half_way, parameters, classes, arithmetic));
    }
    let at_faces = at_faces(whole.domain());
    for (applied, &at_faces) in whole.domain().rules.iter().zip(&at_faces) {
        all.text(&(&applied.rule, applied.count, applied.before_walls));
        // Who knows a part of a box alone has values of the places there: what is said of these at cuts is compared there.
        let is_known = at_faces || whole.domain().is_whole();
        all.numbers(if is_known { &applied.values } else { &[] });
        for product in &applied.in_time {
            all.text(&(product.course.name(), product.course.back()));
            all.numbers(product.course.values());
            all.numbers(if is_known { &product.values } else { &[] });
        }
    }
    all.numbers(&whole.parameters);
    all.text(cut);
}

/// For each rule whether it stands at nodes of faces.
fn at_faces(domain: &Domain) -> Vec<bool> {
    let mut all = vec![false; domain.rules.len()];
    let mut stands = |number: usize| all.get_mut(number).into_iter().for_each(|stands| *stands = true);
    for face in &domain.faces {
        match *face {
            FaceRule::Rule(number) => stands(number),
            FaceRule::Patches(patches) => {
                let numbers = domain.patches.get(patches).into_iter().flatten();
                numbers.filter_map(|&number| usize::from(number).checked_sub(1)).for_each(&mut stands);
            }
            FaceRule::Periodic | FaceRule::Wall { .. } => (),
        }
    }
    all
}

/// A checksum of the nodes in a part's box that are another's: what they are, and which rules their links have and they have of their own.
pub(super) fn beyond_sum(whole: &Domain, part: &Part, owner: &OwnBox) -> u32 {
    sum(|all| {
        for there in part.near_cuts(0).map(|here| part.there(here)).filter(|&there| owner.contains(there)) {
            let node = whole.index(there);
            all.words([whole.solid_at(node).map_or(0, |solid| solid as u64 + 1)]);
            for link in whole.links_of(node) {
                all.words([link.back, link.rule].map(|number| number as u64));
                all.numbers(&[link.distance]);
                all.numbers(whole.rules[link.rule].at(link.place));
            }
            for ruled in whole.in_fluid_within(node..node + 1) {
                all.words([ruled.rule as u64]);
                all.numbers(whole.rules[ruled.rule].at(ruled.place));
            }
        }
    })
}

/// The box: its faces, its solids, and which nodes and links have rules of their own.
fn geometry(all: &mut Sum, domain: &Domain) {
    all.text(&(domain.size, domain.faces, &domain.solids));
    for patches in &domain.patches {
        all.words([patches.len() as u64]);
        all.words(patches.iter().map(|&patch| patch.into()));
    }
    if !domain.is_whole() {
        // What is known of its nodes two ranks have in common at cuts alone, and it is compared there.
        return;
    }
    for bytes in [&domain.flags, &domain.pages] {
        all.words([bytes.len() as u64]);
        all.hasher.update(bytes);
    }
    all.words([domain.links.len() as u64]);
    for link in &domain.links {
        all.words([link.node, link.back, link.rule, link.place].map(|number| number as u64));
        all.numbers(&[link.distance]);
    }
    for ruled in &domain.in_fluid {
        all.words([ruled.node, ruled.rule, ruled.place].map(|number| number as u64));
    }
}

/// A checksum of values: addresses differ between processes, so none of them goes in.
#[derive(Default)]
struct Sum {
    hasher: crc32fast::Hasher,
}

fn sum(add: impl FnOnce(&mut Sum)) -> u32 {
    let mut all = Sum::default();
    add(&mut all);
    all.hasher.finalize()
}

impl Sum {
    /// A small value as it is printed.
    fn text(&mut self, value: &impl Debug) {
        // Nothing that is written to fails.
        let _ = writeln!(self, "{value:?}");
    }

    fn words(&mut self, words: impl IntoIterator<Item = u64>) {
        words.into_iter().for_each(|word| self.hasher.update(&word.to_le_bytes()));
    }

    fn numbers(&mut self, numbers: &[f64]) {
        self.words([numbers.len() as u64]);
        self.words(numbers.iter().map(|number| number.to_bits()));
    }
}

impl fmt::Write for Sum {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.hasher.update(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Threads;
    use super::*;

    /// What each of so many ranks gets.
    fn each<T: Send>(
        ranks: usize,
        work: impl Fn(&Threads) -> Result<T, Error> + Sync,
    ) -> Vec<Result<T, Error>> {
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                Threads::of(ranks).into_iter().map(|rank| scope.spawn(|| work(&{ rank }))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    fn the_rank_and_the_part_are_named_on_all() {
        for (part, what) in PARTS.iter().enumerate() {
            let all = each(4, |rank| {
                let mut own = [1, 2, 3];
                if rank.rank() == 2 {
                    own[part] += 7;
                }
                compare(rank, &PARTS, &own)
            });
            for error in all {
                let Err(error @ Error::Conflict { .. }) = error else { panic!("{error:?}") };
                let expected = format!("rank 2 has another {what} than rank 0; ");
                assert!(error.to_string().starts_with(&expected), "{error}");
            }
        }
        assert!(each(3, |rank| compare(rank, &PARTS, &[4; 3])).iter().all(Result::is_ok));
    }

    #[test]
    fn what_one_rank_fails_at_all_hear() {
        let fail = |who: &str| Error::conflict(format!("a full disk {who}"), "ü".repeat(SAID));
        let all =
            each(3, |rank| on_all_ranks(rank, if rank.rank() == 1 { Err(fail("here")) } else { Ok(5) }));
        for error in all {
            let error = error.unwrap_err().to_string();
            assert!(error.starts_with("rank 1 failed: a full disk here; ü"), "{error}");
        }
        let all = each(3, |rank| on_all_ranks::<()>(rank, Err(fail(&rank.rank().to_string()))));
        for (rank, error) in all.into_iter().enumerate() {
            assert!(error.unwrap_err().to_string().starts_with(&format!("a full disk {rank}; ")));
        }
        assert_eq!(each(3, |rank| on_all_ranks(rank, Ok(rank.rank()))).len(), 3);
    }
}
