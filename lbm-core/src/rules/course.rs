//! Factors in time of the values of rules, as tables.

use std::sync::Arc;

use crate::checkpoint::check_name;
use crate::error::Error;

/// The most entries of a table.
const MOST: usize = 1 << 26;

/// How a factor goes in time: a table with an entry for each step.
///
/// Entry n is that of the time after n steps; the step that leads there takes it. Behind the last entry a table goes back to one of its
/// entries: to the first where all of it repeats, to the last where it stays as it ends. A clone shares the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    values: Arc<[f64]>,
    back: usize,
    steered: Option<Arc<Steered>>,
}

/// How a factor is set while a flow runs.
#[derive(Debug, PartialEq)]
struct Steered {
    name: String,
    range: [f64; 2],
}

impl Course {
    /// A table that begins anew.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a table without entries, of more than 2^26, or with one that is not finite.
    pub fn repeating(values: Vec<f64>) -> Result<Course, Error> {
        Course::going_back(values, 0)
    }

    /// A table that stays as it ends.
    ///
    /// # Errors
    /// As [`repeating`](Course::repeating).
    pub fn ending(values: Vec<f64>) -> Result<Course, Error> {
        let last = values.len().saturating_sub(1);
        Course::going_back(values, last)
    }

    fn going_back(values: Vec<f64>, back: usize) -> Result<Course, Error> {
        checked(&values)?;
        Ok(Course { values: values.into(), back, steered: None })
    }

    /// A factor that is set while a flow runs, by its name (`Simulation::set_factor`), within a range; until then it is `factor`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a range that is none, and a factor beyond it; [`Error::Conflict`] for a name that cannot stand in a
    /// checkpoint.
    pub fn steered(name: &str, factor: f64, range: [f64; 2]) -> Result<Course, Error> {
        let [least, greatest] = range;
        if !(least.is_finite() && greatest.is_finite() && least <= greatest) {
            return Err(Error::out_of_range(
                format!("range of the factor `{name}`"),
                format!("{range:?}"),
                "two finite numbers, the least first",
                "give what it may become while the flow runs",
            ));
        }
        check_name(name)?;
        let steered = Some(Arc::new(Steered { name: name.to_owned(), range }));
        Course { values: vec![factor].into(), back: 0, steered }.with_factor(factor)
    }

    /// The name by which it is set while a flow runs, if it is.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.steered.as_ref().map(|steered| &*steered.name)
    }

    /// The same that is this factor from now on, for one that is set while a flow runs.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] beyond its range.
    pub fn with_factor(&self, factor: f64) -> Result<Course, Error> {
        if let Some(steered) = &self.steered
            && let Steered { name, range: [least, greatest] } = &**steered
            && !(*least..=*greatest).contains(&factor)
        {
            return Err(Error::out_of_range(
                format!("factor `{name}`"),
                factor,
                format!("{least} to {greatest}"),
                "give a wider range where it is declared",
            ));
        }
        Ok(Course { values: vec![factor].into(), ..self.clone() })
    }

    /// A factor that begins anew after so many steps: `factor(n)` is that after n steps. So flows pulse: a Womersley profile is the sum of
    /// one product with a cosine and one with a sine.
    ///
    /// # Errors
    /// As [`repeating`](Course::repeating).
    pub fn periodic(period: usize, factor: impl Fn(u64) -> f64) -> Result<Course, Error> {
        Course::repeating(sampled(period, factor)?)
    }

    /// A factor that stays what it is after so many steps.
    ///
    /// # Errors
    /// As [`repeating`](Course::repeating).
    pub fn until(steps: usize, factor: impl Fn(u64) -> f64) -> Result<Course, Error> {
        Course::ending(sampled(steps.saturating_add(1), factor)?)
    }

    /// A ramp from 0 to 1 that begins and ends without a kink: (1 - cos(pi n / steps)) / 2.
    ///
    /// # Errors
    /// As [`repeating`](Course::repeating), and for a ramp of no steps.
    pub fn ramp(steps: usize) -> Result<Course, Error> {
        check_length(steps)?;
        let length = steps as f64;
        Course::until(steps, |n| 0.5 * (1.0 - (std::f64::consts::PI * n as f64 / length).cos()))
    }

    /// Lines between points of a time, in steps, and a factor. With a period, in steps, it begins anew, on a line from the last point to the
    /// first one; without one the factor stays what the first point has before it, and what the last one has behind.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for times below 0, beyond the period, or that do not rise, and as [`repeating`](Course::repeating).
    pub fn linear(points: &[[f64; 2]], period: Option<usize>) -> Result<Course, Error> {
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            return Err(wrong("number of points of a table in time", 0, "at least 1"));
        };
        let most = period.unwrap_or(MOST) as f64;
        for (number, &[time, factor]) in points.iter().enumerate() {
            let before = number.checked_sub(1).map_or(0.0, |before| points[before][0]);
            let rises = (number == 0 || time > before) && (0.0..=most).contains(&time);
            if !rises || !factor.is_finite() {
                let allowed = format!(
                    "a time behind that of the point before and at most {most} steps, and a finite factor"
                );
                return Err(wrong(
                    &format!("point {} of a table in time", number + 1),
                    format!("[{time}, {factor}]"),
                    &allowed,
                ));
            }
        }
        let around = |[time, factor]: &[f64; 2], periods: f64| {
            period.map(|period| [time + periods * period as f64, *factor])
        };
        let factor = |n: u64| {
            let (time, next) = (n as f64, points.partition_point(|point| point[0] <= n as f64));
            let from = next.checked_sub(1).map(|before| points[before]).or(around(last, -1.0));
            let to = points.get(next).copied().or(around(first, 1.0));
            match (from, to) {
                (Some([from, low]), Some([to, high])) => low + (high - low) * (time - from) / (to - from),
                (Some([_, value]), None) | (None, Some([_, value])) => value,
                (None, None) => 0.0,
            }
        };
        match period {
            Some(period) => Course::periodic(period, factor),
            None => Course::until(last[0].ceil() as usize, factor),
        }
    }

    /// The points of [rows](crate::rows::rows) `time, factor`, as [`linear`](Course::linear) takes them. A unit of time is so many steps.
    ///
    /// # Errors
    /// As [`rows`](crate::rows::rows) and [`linear`](Course::linear).
    pub fn from_csv(text: &str, steps: f64, period: Option<usize>) -> Result<Course, Error> {
        let rows = crate::rows::rows(text, 2)?;
        let points: Vec<[f64; 2]> = rows.iter().map(|(_, row)| [row[0] * steps, row[1]]).collect();
        Course::linear(&points, period)
    }

    /// The product of two: a pulse that a ramp begins.
    ///
    /// # Errors
    /// As [`repeating`](Course::repeating): it repeats after as many steps as both periods divide. [`Error::Conflict`] if one of them is set
    /// while a flow runs.
    pub fn times(&self, other: &Course) -> Result<Course, Error> {
        if let Some(name) = self.name().or(other.name()) {
            return Err(Error::conflict(
                format!("the factor `{name}` is set while the flow runs, and no table is its product"),
                "let whoever sets it multiply, or give the value a sum",
            ));
        }
        let [own, others] = [self, other].map(|course| course.values.len() - course.back);
        let together = (1..=others).find(|n| (n * own).is_multiple_of(others)).unwrap_or(others) * own;
        let back = self.back.max(other.back);
        let values = sampled(back.saturating_add(together), |n| self.at(n) * other.at(n))?;
        Course::going_back(values, back)
    }

    /// Its entries, one a step.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The entry that follows the last one.
    #[must_use]
    pub fn back(&self) -> usize {
        self.back
    }

    /// The factor after so many steps.
    #[must_use]
    pub fn at(&self, time: u64) -> f64 {
        let (length, back) = (self.values.len() as u64, self.back as u64);
        self.values[(if time < length { time } else { back + (time - back) % (length - back) }) as usize]
    }

    /// Its least and its greatest entry, or what it may be set to.
    #[must_use]
    pub fn range(&self) -> [f64; 2] {
        if let Some(steered) = &self.steered {
            return steered.range;
        }
        let least = |least: f64, value: &f64| least.min(*value);
        let greatest = |greatest: f64, value: &f64| greatest.max(*value);
        [self.values.iter().fold(f64::INFINITY, least), self.values.iter().fold(f64::NEG_INFINITY, greatest)]
    }

    /// Where the table lies: clones have one.
    pub(super) fn address(&self) -> *const f64 {
        self.values.as_ptr()
    }
}

/// The factor of each step.
fn sampled(count: usize, factor: impl Fn(u64) -> f64) -> Result<Vec<f64>, Error> {
    check_length(count)?;
    Ok((0..count as u64).map(factor).collect())
}

fn check_length(count: usize) -> Result<(), Error> {
    match (1..=MOST).contains(&count) {
        true => Ok(()),
        false => Err(Error::out_of_range(
            "entries of a table in time",
            count,
            format!("1 to {MOST}"),
            "give one for each step of the period, or of the ramp",
        )),
    }
}

fn checked(values: &[f64]) -> Result<(), Error> {
    check_length(values.len())?;
    match values.iter().position(|value| !value.is_finite()) {
        Some(place) => Err(Error::out_of_range(
            format!("entry {place} of a table in time"),
            values[place],
            "finite numbers",
            "look at what computes it",
        )),
        None => Ok(()),
    }
}

fn wrong(what: &str, found: impl ToString, allowed: &str) -> Error {
    Error::out_of_range(
        what,
        found.to_string(),
        allowed,
        "give times and factors, such as `250, 1.5`, the times rising",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factors(course: &Course) -> Vec<f64> {
        (0..6).map(|n| course.at(n)).collect()
    }

    #[test]
    fn tables_repeat_or_stay_as_they_end() {
        let table = vec![1.0, 2.0, 4.0];
        assert_eq!(factors(&Course::repeating(table.clone()).unwrap()), [1.0, 2.0, 4.0, 1.0, 2.0, 4.0]);
        assert_eq!(factors(&Course::ending(table).unwrap()), [1.0, 2.0, 4.0, 4.0, 4.0, 4.0]);
        let ramp = Course::ramp(4).unwrap();
        assert_eq!([ramp.at(0), ramp.at(4), ramp.at(9)], [0.0, 1.0, 1.0]);
        assert!((ramp.at(2) - 0.5).abs() < 1e-15);
        assert!(Course::ramp(0).is_err() && Course::repeating(vec![f64::NAN]).is_err());
    }

    #[test]
    fn a_factor_is_set_within_its_range() {
        let push = Course::steered("push", 0.5, [0.0, 1.0]).unwrap();
        assert_eq!((push.name(), push.at(9), push.range()), (Some("push"), 0.5, [0.0, 1.0]));
        let more = push.with_factor(0.75).unwrap();
        assert_eq!((more.name(), more.at(0), push.at(0)), (Some("push"), 0.75, 0.5));
        let table = Course::ramp(4).unwrap();
        for (refused, said) in [
            (push.with_factor(1.5), "factor `push` = 1.5"),
            (push.with_factor(f64::NAN), "factor `push` = NaN"),
            (Course::steered("push", 2.0, [0.0, 1.0]), "0 to 1"),
            (Course::steered("push", 0.0, [1.0, 0.0]), "range of the factor `push`"),
            (Course::steered("a = b", 0.0, [0.0, 1.0]), "\"a = b\""),
            (push.times(&table), "`push` is set while the flow runs"),
            (table.times(&push), "`push` is set while the flow runs"),
        ] {
            let error = refused.map(|_| ()).expect_err(said).to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_product_goes_on_as_its_factors_do() {
        let course = |values: &[f64], back| Course::going_back(values.to_vec(), back).unwrap();
        let all = [course(&[1.0, 2.0, 4.0], 0), course(&[3.0, 5.0], 1), course(&[0.0, 7.0, 9.0, 11.0], 2)];
        for one in &all {
            for other in &all {
                let product = one.times(other).unwrap();
                assert!((0..40).all(|n| product.at(n) == one.at(n) * other.at(n)), "{one:?} {other:?}");
            }
        }
        let long = [(1 << 14) - 1, 1 << 14].map(|period| Course::periodic(period, |_| 1.0).unwrap());
        assert!(long[0].times(&long[1]).unwrap_err().to_string().contains("1 to"));
    }

    #[test]
    fn tables_are_read() {
        let read = Course::from_csv("time, factor\n0, 1\n\n0.5, 3\n1, 1\n", 4.0, Some(4)).unwrap();
        assert_eq!(factors(&read), [1.0, 2.0, 3.0, 2.0, 1.0, 2.0]);
        let read = Course::from_csv("1, 2\n3, 4", 1.0, None).unwrap();
        assert_eq!(factors(&read), [2.0, 2.0, 3.0, 4.0, 4.0, 4.0]);
        // From the last point a line leads to the first one of the next period.
        let read = Course::from_csv("1, 2\n3, 4", 1.0, Some(4)).unwrap();
        assert_eq!(factors(&read), [3.0, 2.0, 3.0, 4.0, 3.0, 2.0]);
        for (text, said) in [
            ("", "at least one row"),
            ("0, 1\n0, 2", "point 2"),
            ("-1, 1\n1, 2", "point 1"),
            ("0, 1\n1, x", "line 2"),
            ("0, 1\n1, 2, 3", "line 2"),
            ("0, 1\n1, inf", "line 2"),
            ("0, 1\n9, 1", "at most 8"),
            ("0, 1\nNaN, 1", "line 2"),
        ] {
            let error = Course::from_csv(text, 1.0, Some(8)).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
        assert!(Course::from_csv("0, 1\n1e300, 1", 1.0, None).is_err());
    }
}
