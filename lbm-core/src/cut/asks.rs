//! What parts of one process ask for of those of another one: who reads knows what it reads, and says so to who has it.

use std::collections::BTreeMap;

use super::agreed::{beyond_sum, on_all_ranks};
use super::rims::{Rim, Single};
use super::{Part, Transport, rank_of};
use crate::domain::{Domain, position};
use crate::error::Error;
use crate::facts::Facts;

/// A part that reads, and one whose nodes it reads.
pub(super) type Pair = (usize, usize);

/// Bytes of a number on the way.
const NUMBER: usize = size_of::<u64>();

/// What is said of a list before it is sent: how many values it has, and a checksum of the nodes among which they are.
const HEAD: usize = 2 * NUMBER;

/// What the parts of others read of those of this process, which are given what its own read of others. All processes ask at the same time.
///
/// # Errors
/// [`Error::Conflict`] on all where one has other nodes at a cut, or asks for what another one has not; those of the transport.
pub(super) fn ask(
    transport: &dyn Transport,
    facts: &Facts,
    whole: &Domain,
    parts: &[Part],
    read: &BTreeMap<Pair, [Rim; 2]>,
) -> Result<BTreeMap<Pair, Rim>, Error> {
    let (rank, ranks) = (transport.rank(), transport.ranks());
    if ranks == 1 {
        return Ok(BTreeMap::new());
    }
    let rank_of = |part: usize| rank_of(part, parts.len(), ranks);
    let own: Vec<usize> = (0..parts.len()).filter(|&part| rank_of(part) == rank).collect();
    let others = (0..parts.len()).filter(|&part| rank_of(part) != rank);
    // Which parts have nodes of which in their boxes all processes know alike.
    let (mut said, mut heard) = (Vec::new(), Vec::new());
    for (other, own) in others.flat_map(|other| own.iter().map(move |&own| (other, own))) {
        let reaches = |(to, from): Pair| parts[to].reaches(&parts[from].own);
        said.extend(Some((own, other)).filter(|&pair| reaches(pair)));
        heard.extend(Some((other, own)).filter(|&pair| reaches(pair)));
    }
    said.sort_unstable();
    heard.sort_unstable();
    let sum = |(to, from): Pair| u64::from(beyond_sum(whole, &parts[to], &parts[from].own));
    let values = facts.state_values() as u64;
    let lists = said.iter().map(|pair| {
        let arrives = read.get(pair).map_or(&[][..], |[arrives, _]| arrives);
        let [part, owner] = [&parts[pair.0], &parts[pair.1]];
        let left = |node: usize| owner.own_index(part.there(position(part.size(), node)));
        let words = arrives.iter().map(|single| left(single.node) as u64 * values + single.value as u64);
        words.flat_map(u64::to_le_bytes).collect::<Vec<u8>>()
    });
    let lists: Vec<Vec<u8>> = lists.collect();
    let heads: Vec<[u8; HEAD]> = said
        .iter()
        .zip(&lists)
        .map(|(&pair, list)| {
            let mut head = [0; HEAD];
            head[..NUMBER].copy_from_slice(&((list.len() / NUMBER) as u64).to_le_bytes());
            head[NUMBER..].copy_from_slice(&sum(pair).to_le_bytes());
            head
        })
        .collect();
    let mut came = vec![[0; HEAD]; heard.len()];
    let leaving: Vec<(usize, &[u8])> =
        said.iter().zip(&heads).map(|(pair, head)| (rank_of(pair.1), &head[..])).collect();
    let mut arriving: Vec<(usize, &mut [u8])> =
        heard.iter().zip(&mut came).map(|(pair, head)| (rank_of(pair.0), &mut head[..])).collect();
    transport.exchange(&leaving, &mut arriving)?;
    let counts = heard.iter().zip(&came).map(|(&pair, head)| {
        let [count, theirs] = [0, 1].map(|n| word(&head[n * NUMBER..]));
        if theirs != sum(pair) {
            return Err(Error::conflict(
                format!("rank {} has another box or geometry than rank {rank}", rank_of(pair.0)),
                "start all ranks with the same program, arguments and files",
            ));
        }
        // Around a period a thin part's node may be in the reader's box more than once.
        let most = parts[pair.0].size().iter().product::<usize>() as u64 * values;
        if count <= most { Ok(count as usize) } else { Err(asks_too_much(rank_of(pair.0), count, most)) }
    });
    let counts: Vec<usize> = on_all_ranks(transport, counts.collect())?;
    let mut came: Vec<Vec<u8>> = counts.into_iter().map(|count| vec![0; count * NUMBER]).collect();
    let leaving: Vec<(usize, &[u8])> =
        said.iter().zip(&lists).map(|(pair, list)| (rank_of(pair.1), &list[..])).collect();
    let mut arriving: Vec<(usize, &mut [u8])> =
        heard.iter().zip(&mut came).map(|(pair, list)| (rank_of(pair.0), &mut list[..])).collect();
    transport.exchange(&leaving, &mut arriving)?;
    let found = heard.iter().zip(&came).filter(|(_, list)| !list.is_empty());
    let found = found.map(|(&pair, list)| Ok((pair, asked(&parts[pair.1], rank_of(pair.0), values, list)?)));
    on_all_ranks(transport, found.collect())
}

/// The values that a rank asks for of a part's own nodes.
fn asked(part: &Part, rank: usize, values: u64, list: &[u8]) -> Result<Rim, Error> {
    let nodes = part.size().iter().product::<usize>() as u64;
    let single = |bytes: &[u8]| {
        let number = word(bytes);
        let (node, value) = (number / values, (number % values) as usize);
        // What came from another process is looked at before it names memory.
        if node >= nodes || part.depth(position(part.size(), node as usize)) > 0 {
            return Err(asks_too_much(rank, number, nodes * values));
        }
        Ok(Single::new(node as usize, value))
    };
    list.chunks_exact(NUMBER).map(single).collect()
}

fn asks_too_much(rank: usize, number: u64, most: u64) -> Error {
    Error::conflict(
        format!("rank {rank} asks for {number} where {most} are the most"),
        "start all ranks with the same program, arguments and files",
    )
}

/// The number at the beginning of some bytes.
fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes))
}
