//! What ranks say of themselves, and which of them are waited for in vain.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// What a rank does that makes no further call.
pub(crate) const ENDED: u8 = 2;

/// Who is waited for, since when.
pub(crate) struct Awaited {
    pub(crate) since: Instant,
    pub(crate) ranks: Vec<usize>,
}

impl Awaited {
    pub(crate) fn new(since: Instant, mut ranks: Vec<usize>) -> Awaited {
        ranks.sort_unstable();
        ranks.dedup();
        Awaited { since, ranks }
    }
}

/// What is known of other ranks.
#[derive(Default)]
pub(crate) struct Known {
    /// When a rank last had a reason to be waited for.
    excused: HashMap<usize, Instant>,
    /// What a rank last said: when, what it does, its last call.
    heard: HashMap<usize, (Instant, u8, u64)>,
}

impl Known {
    /// Keeps what a rank says. It may be waited for in a call that it has not begun, unless it has ended.
    pub(crate) fn hear(&mut self, rank: usize, now: Instant, does: u8, last: u64, call: u64) {
        self.heard.insert(rank, (now, does, last));
        if does != ENDED && last < call {
            self.excused.insert(rank, now);
        }
    }

    /// The first rank that has had no reason for so long, and what is known of it.
    pub(crate) fn failed(
        &self,
        awaited: &Awaited,
        now: Instant,
        timeout: Duration,
    ) -> Option<(usize, String)> {
        let since =
            |rank| self.excused.get(rank).map_or(awaited.since, |&excused| excused.max(awaited.since));
        let rank = *awaited.ranks.iter().find(|rank| now.duration_since(since(rank)) > timeout)?;
        let heard = self.heard.get(&rank).filter(|(at, ..)| now.duration_since(*at) < timeout);
        let said = match heard {
            None => "it answers no more".to_owned(),
            Some((_, ENDED, last)) => format!("it has ended after call {last}"),
            Some((_, _, last)) => format!("it is in call {last}, but its message does not arrive"),
        };
        Some((rank, said))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(25);

    /// What is said of ranks 2 and 3, awaited in call 7 for so many seconds, if at some second rank 3 said that it does this after that call.
    fn failed(seconds: u64, said: &[(u64, u8, u64)]) -> Option<(usize, String)> {
        let since = Instant::now();
        let at = |seconds| since + Duration::from_secs(seconds);
        let mut known = Known::default();
        for &(second, does, last) in said {
            known.hear(2, at(second), 0, 6, 7);
            known.hear(3, at(second), does, last, 7);
        }
        known.failed(&Awaited::new(since, vec![3, 2, 3]), at(seconds), TIMEOUT)
    }

    #[test]
    fn a_rank_that_says_nothing_is_named_after_the_timeout() {
        assert_eq!(failed(25, &[]), None);
        assert_eq!(failed(26, &[]), Some((2, "it answers no more".to_owned())));
        assert_eq!(failed(50, &[(25, 0, 6)]), None);
        assert_eq!(failed(51, &[(25, 0, 6)]), Some((2, "it answers no more".to_owned())));
    }

    #[test]
    fn a_rank_is_waited_for_until_it_has_begun_the_call_or_ended() {
        let working: Vec<_> = (1..3600).map(|second| (second, 0, 6)).collect();
        assert_eq!(failed(3600, &working), None);
        let begun: Vec<_> = (1..27).map(|second| (second, 1, 7)).collect();
        assert_eq!(failed(25, &begun), None);
        let said = "it is in call 7, but its message does not arrive".to_owned();
        assert_eq!(failed(26, &begun), Some((3, said)));
        let ended: Vec<_> = (1..27).map(|second| (second, ENDED, 6)).collect();
        assert_eq!(failed(26, &ended), Some((3, "it has ended after call 6".to_owned())));
    }
}
