//! How much of a viewer is listened to, second by second.

use std::time::{Duration, Instant};

/// The most messages in a second that are not understood; then the socket is closed.
const MOST_JUNK: u32 = 100;
/// The most messages in a second that are done.
const MOST: u32 = 240;
/// Longer messages count for one more with each part of this size.
const PART: usize = 64 << 10;
/// A viewer that is not understood hears of it this often.
const BETWEEN_ANSWERS: Duration = Duration::from_secs(1);

/// What a viewer has used of what it may.
pub(super) struct Allowance {
    second: Instant,
    messages: u32,
    junk: u32,
    answered: Option<Instant>,
    /// Messages that were not done since the last answer.
    unanswered: u32,
}

/// What to do with a message that is not done.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Answer, saying how many were not done since the last answer.
    Answer(u32),
    /// Say nothing.
    Silence,
    /// Close the socket.
    Close,
}

impl Allowance {
    pub(super) fn new(now: Instant) -> Allowance {
        Allowance { second: now, messages: 0, junk: 0, answered: None, unanswered: 0 }
    }

    /// Whether another message may be done.
    pub(super) fn message(&mut self, now: Instant, bytes: usize) -> bool {
        self.turn(now);
        self.messages += cost(bytes);
        self.messages <= MOST
    }

    /// Counts a message that was not understood.
    pub(super) fn junk(&mut self, now: Instant, bytes: usize) -> Verdict {
        self.turn(now);
        self.junk += cost(bytes);
        if self.junk > MOST_JUNK { Verdict::Close } else { self.answer(now) }
    }

    /// Counts a message that was understood and is too many.
    pub(super) fn answer(&mut self, now: Instant) -> Verdict {
        self.unanswered += 1;
        if self.answered.is_some_and(|last| now < last + BETWEEN_ANSWERS) {
            return Verdict::Silence;
        }
        self.answered = Some(now);
        Verdict::Answer(std::mem::take(&mut self.unanswered))
    }

    fn turn(&mut self, now: Instant) {
        if now >= self.second + Duration::from_secs(1) {
            (self.second, self.messages, self.junk) = (now, 0, 0);
        }
    }
}

/// For how many a message counts.
fn cost(bytes: usize) -> u32 {
    1 + u32::try_from(bytes / PART).unwrap_or(u32::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junk_is_answered_once_a_second_and_then_closes() {
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut allowance = Allowance::new(start);
        assert_eq!(allowance.junk(at(0), 9), Verdict::Answer(1));
        assert_eq!(allowance.junk(at(1), 9), Verdict::Silence);
        assert_eq!(allowance.junk(at(999), 9), Verdict::Silence);
        assert_eq!(allowance.junk(at(1000), 9), Verdict::Answer(3));
        for _ in 1..MOST_JUNK {
            assert_eq!(allowance.junk(at(1001), 9), Verdict::Silence);
        }
        assert_eq!(allowance.junk(at(1002), 9), Verdict::Close);
    }

    #[test]
    fn messages_are_allowed_again_in_the_next_second() {
        let start = Instant::now();
        let mut allowance = Allowance::new(start);
        let allowed = (0..300).filter(|_| allowance.message(start, 9)).count();
        assert_eq!(allowed, 240);
        assert!(allowance.message(start + Duration::from_secs(1), 9));
    }

    #[test]
    fn long_messages_count_for_more() {
        let start = Instant::now();
        let mut allowance = Allowance::new(start);
        let masks = (0..300).filter(|_| allowance.message(start, 1 << 20)).count();
        assert_eq!(masks, 14);
        let junk = (0..300).filter(|_| allowance.junk(start, 1 << 20) != Verdict::Close).count();
        assert_eq!(junk, 5);
    }
}
