//! Whether a number that is looked at again and again has settled.

/// One of so many looks is in a stretch; three stretches, one after the other, are compared.
const STRETCH: usize = 8;

/// For one of so many looks the number must be found settled, one look after the other.
const HELD: usize = 5;

/// Looks for which it must be found settled at least.
const LEAST_HELD: usize = 3;

/// The share of the tolerance that changes may be where they do not fall.
const STILL: f64 = 0.25;

/// A number at looks in equal intervals, and how far it is from where it settles.
///
/// That it changes little from look to look says nothing. A flow that is driven from rest is a sum of modes, and each approaches its steady value as
/// `exp(-t / tau)`; so does its mean velocity. A slow mode (`tau` of many looks) moves little and has far to go. Where it takes back
/// what a fast one brought, as pressure does that builds up behind narrow parts, the number turns, and stands still there.
///
/// So the distance is estimated: equal stretches of time see changes that fall by a factor q, and after a change d there is
/// d (q + q^2 + ..) = d q / (1 - q) still to come. Means over the last three eighths of all looks give d and q. Stretches that grow
/// with the run see slower and slower modes, and average rounding errors out. Where changes do not fall (q is not between 0 and 1) the
/// number turns or only rounding errors are left: then both changes must be below a quarter of the tolerance.
///
/// Modes of one sign, as those of the mean velocity of a slow flow are, make q grow in time: the estimate is too small until the slowest is left.
/// Modes of two signs make it too small just before the number turns. So it must hold for a fifth of all looks, and for three at least.
///
/// What cannot be seen: a mode that has moved the number by much less than the tolerance until now, and will move it by more.
#[derive(Clone, Debug, Default)]
pub(super) struct Settling {
    values: Vec<f64>,
    left: Option<f64>,
    /// How often it was found settled since it last was not.
    held: usize,
}

impl Settling {
    /// Adds a look. True where the number has settled to `tolerance`, a share of it.
    pub(super) fn add(&mut self, value: f64, tolerance: f64) -> bool {
        self.values.push(value);
        self.left = self.estimate(tolerance);
        self.held = if self.left.is_some_and(|left| left <= tolerance) { self.held + 1 } else { 0 };
        self.held >= LEAST_HELD.max(self.looks() / HELD)
    }

    /// The last value, NaN before the first.
    pub(super) fn last(&self) -> f64 {
        self.values.last().copied().unwrap_or(f64::NAN)
    }

    /// The estimated distance from where the number settles, as a share of it; none where it cannot be estimated.
    pub(super) fn left(&self) -> Option<f64> {
        self.left
    }

    fn estimate(&self, tolerance: f64) -> Option<f64> {
        let stretch = (self.looks() / STRETCH).max(1);
        let before = self.values.len().checked_sub(3 * stretch)?;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / stretch as f64;
        let means: Vec<f64> = self.values[before..].chunks(stretch).map(mean).collect();
        let [earlier, change, end] = [[means[0], means[1]], [means[1], means[2]], [means[2], self.last()]]
            .map(|[from, to]| (to - from) / self.last());
        let q = change / earlier;
        let left = if q > 0.0 && q < 1.0 {
            change.abs() * q / (1.0 - q)
        } else {
            let most = f64::max(earlier.abs(), change.abs());
            (most <= STILL * tolerance).then_some(most)?
        };
        // Where it swings, means settle and it does not.
        Some(left.max(end.abs()))
    }

    /// Looks after the first.
    fn looks(&self) -> usize {
        self.values.len().saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use lbm_core::laws::SplitMix64;

    use super::*;

    const TOLERANCE: f64 = 1e-4;

    /// The look at which a number is found settled.
    fn settles(number: impl FnMut(f64) -> f64) -> Option<usize> {
        let mut settling = Settling::default();
        (0..60_000).map(f64::from).map(number).position(|value| settling.add(value, TOLERANCE))
    }

    /// That a number is found settled after it has come as near to 1 as the tolerance, and not much later.
    fn settles_in_time(what: &str, number: impl Fn(f64) -> f64) {
        let look = settles(&number).unwrap_or_else(|| panic!("{what} never settles"));
        let near = |look: usize| (number(look as f64) - 1.0).abs() <= TOLERANCE;
        let last_far = (0..60_000).rev().find(|&look| !near(look)).unwrap();
        assert!(near(look) && look > last_far, "{what}: look {look}, far until {last_far}");
        assert!(look <= 2 * last_far + 8, "{what}: look {look}, far until {last_far}");
    }

    /// The look at which a number has changed by no more than the tolerance since the look before.
    fn stands(number: impl Fn(f64) -> f64) -> f64 {
        let still =
            |look: &f64| (number(*look) - number(look - 1.0)).abs() <= TOLERANCE * number(*look).abs();
        (1..).map(f64::from).find(still).unwrap()
    }

    fn approach(look: f64, time: f64) -> f64 {
        1.0 - (-look / time).exp()
    }

    #[test]
    fn a_number_that_settles_slowly_is_waited_for() {
        for time in [0.1, 1.0, 10.0, 100.0, 1000.0] {
            settles_in_time(&format!("exp(-t / {time})"), |look| approach(look, time));
        }
        // What a change from look to look would take for steady is a tenth off.
        let slow = |look| approach(look, 1000.0);
        assert!(slow(stands(slow)) < 0.91);
    }

    #[test]
    fn a_number_that_turns_is_waited_for() {
        for fast in [0.1, 0.3, 1.0, 3.0, 10.0, 30.0] {
            for times in [3.0, 10.0, 30.0, 100.0] {
                for share in [0.01, 0.05, 0.3, -0.01, -0.05, -0.3] {
                    let slow = times * fast;
                    let number = |look| (approach(look, fast) - share * approach(look, slow)) / (1.0 - share);
                    settles_in_time(&format!("exp(-t / {fast}), {share} of exp(-t / {slow})"), number);
                }
            }
        }
        let turns = |look: f64| (approach(look, 3.0) - 0.05 * approach(look, 300.0)) / 0.95;
        assert!(turns(stands(turns)) > 1.04, "it stands still where it turns");
    }

    #[test]
    fn a_number_that_swings_settles_once_it_swings_little() {
        for (time, turn) in [(3.0, 0.5), (10.0, 0.1), (10.0, 2.0), (30.0, 0.5)] {
            let look = settles(|look| 1.0 - (-look / time).exp() * (turn * look).cos()).unwrap() as f64;
            assert!((-look / time).exp() <= 2.0 * TOLERANCE && look < 25.0 * time, "{time}, {turn}: {look}");
        }
    }

    #[test]
    fn noise_below_the_tolerance_does_not_go_on_for_ever() {
        for (size, most) in [(1e-6, 8), (1e-5, 40), (5e-5, 300)] {
            let mut random = SplitMix64::new(5);
            let look = settles(|look| approach(look, 0.3) + random.between(-size, size));
            assert!(look.is_some_and(|look| look <= most), "{size}: {look:?}");
        }
    }

    #[test]
    fn what_does_not_settle_is_never_found_settled() {
        assert_eq!(settles(|look| look), None);
        assert_eq!(settles(|look| look.sqrt()), None);
        assert_eq!(settles(|look| 1.0 + 5.0 * TOLERANCE * (0.3 * look).cos()), None);
        assert_eq!(settles(|_| f64::NAN), None);
    }
}
