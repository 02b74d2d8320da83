//! Frames of a value in time, with lines between them.

use super::Course;
use crate::error::Error;

/// The most frames of a value.
const MOST: usize = 1 << 10;

/// The most entries of the tables of all of them.
const MOST_ENTRIES: u64 = 1 << 26;

/// Times at which a value is given place by place, for one that no short sum of products is: an inflow that was computed before, a jet that wanders. Between two
/// frames it goes on a line.
///
/// To the rule each frame is a product: with its own values, and with a factor that is 1 at its time and 0 at those of the others. So a step takes as many products of each value as
/// there are frames, and as much memory: take no more than the flow needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    all: Vec<(u64, Course)>,
}

impl Frames {
    /// Frames at the steps 0, `every`, 2 `every`, .. of a period that begins anew; from the last one a line leads to the first.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for more than 1024 frames, or none, and where so many tables of an entry a step have more than 2^26 together.
    pub fn repeating(period: u64, every: u64) -> Result<Frames, Error> {
        Frames::at(spaced(period, every, 0)?, period, true)
    }

    /// Frames at the steps 0, `every`, 2 `every`, .. before step `last`, and at that one, as which the value stays.
    ///
    /// # Errors
    /// As [`repeating`](Frames::repeating).
    pub fn ending(last: u64, every: u64) -> Result<Frames, Error> {
        let mut steps = spaced(last, every, 1)?;
        steps.push(last);
        Frames::at(steps, last, false)
    }

    fn at(steps: Vec<u64>, end: u64, repeats: bool) -> Result<Frames, Error> {
        let entries = end.saturating_mul(steps.len() as u64);
        if entries > MOST_ENTRIES {
            return Err(Error::out_of_range(
                format!("entries of the tables of {} frames in {end} steps", steps.len()),
                entries,
                format!("at most {MOST_ENTRIES}"),
                "take fewer frames, or a shorter time",
            ));
        }
        let period = repeats.then_some(end as usize);
        let course = |own: u64| {
            let points: Vec<[f64; 2]> =
                steps.iter().map(|&step| [step as f64, if step == own { 1.0 } else { 0.0 }]).collect();
            Ok((own, Course::linear(&points, period)?))
        };
        Ok(Frames { all: steps.iter().map(|&step| course(step)).collect::<Result<_, Error>>()? })
    }

    /// The step of each frame, and the factor in time of its values.
    #[must_use]
    pub fn all(&self) -> &[(u64, Course)] {
        &self.all
    }
}

/// The steps before one, so many apart, to which so many come.
fn spaced(end: u64, every: u64, more: u64) -> Result<Vec<u64>, Error> {
    let count = if every == 0 { 0 } else { end.div_ceil(every) };
    if count == 0 || count > MOST as u64 - more {
        return Err(Error::out_of_range(
            format!("frames of {end} steps, one every {every}"),
            if count == 0 { 0 } else { count.saturating_add(more) },
            format!("1 to {MOST}"),
            "take them further apart; between them the value goes on a line",
        ));
    }
    Ok((0..count).map(|n| n * every).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_each_step_the_factors_of_two_frames_are_one_together() {
        let frames = [
            (Frames::repeating(12, 4), vec![0, 4, 8]),
            (Frames::repeating(10, 4), vec![0, 4, 8]),
            (Frames::repeating(10, 10), vec![0]),
            (Frames::ending(12, 4), vec![0, 4, 8, 12]),
            (Frames::ending(10, 4), vec![0, 4, 8, 10]),
            (Frames::ending(3, 5), vec![0, 3]),
        ];
        for (frames, steps) in frames {
            let frames = frames.unwrap();
            assert_eq!(frames.all().iter().map(|(step, _)| *step).collect::<Vec<_>>(), steps);
            for n in 0..30 {
                let factors: Vec<f64> = frames.all().iter().map(|(_, course)| course.at(n)).collect();
                assert!((factors.iter().sum::<f64>() - 1.0).abs() < 1e-15, "{n}: {factors:?}");
                assert!(factors.iter().filter(|factor| **factor != 0.0).count() <= 2, "{n}: {factors:?}");
            }
            steps.iter().zip(frames.all()).for_each(|(&step, (_, course))| assert_eq!(course.at(step), 1.0));
        }
    }

    #[test]
    fn too_many_and_none_are_refused() {
        assert!(Frames::repeating(1024, 1).is_ok() && Frames::ending(1023, 1).is_ok());
        for long in [Frames::repeating(1 << 40, 1 << 38), Frames::ending(50_000_000, 50_000)] {
            let error = long.expect_err("refused").to_string();
            assert!(error.contains("at most 67108864") && error.contains("fewer frames"), "{error}");
        }
        let none = [Frames::repeating(0, 1), Frames::ending(10, 0)];
        for frames in [Frames::repeating(4096, 1), Frames::ending(1024, 1)].into_iter().chain(none) {
            let error = frames.expect_err("refused").to_string();
            assert!(error.contains("1 to 1024") && error.contains("further apart"), "{error}");
        }
    }
}
