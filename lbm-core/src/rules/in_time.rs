//! Values of rules that change in time: to what is given at each place come products of a value of the place and a factor that is the same
//! everywhere, `value(x, t) = value(x) + sum of a_k(x) T_k(t)`. Factors are tables, which lie where the flow is; the pass between steps writes
//! the values of a step from them, so that a device never waits for the host.

use std::collections::HashMap;

use super::arrivals::components;
use super::{Course, Part, RuleFacts};
use crate::domain::AppliedRule;
use crate::error::Error;
use crate::facts::Facts;

/// A product that comes to the values of a rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct InTime {
    /// The factor in time.
    pub course: Course,
    /// The other one, laid out as [`AppliedRule::values`] are, as many places.
    pub values: Vec<f64>,
}

impl InTime {
    /// A product of a factor in time and one of each place.
    #[must_use]
    pub fn new(course: Course, values: Vec<f64>) -> InTime {
        InTime { course, values }
    }
}

/// A value that changes in time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Varying {
    /// Its place.
    pub place: usize,
    /// What stays.
    pub base: f64,
    /// Factors of the place with the numbers of those in time, entries of [`Arrivals::courses`](super::Arrivals::courses).
    pub terms: Vec<(usize, f64)>,
}

impl Varying {
    /// The value after so many steps: in f64, each product added in one operation.
    #[must_use]
    pub fn at(&self, courses: &[Course], time: u64) -> f64 {
        let add = |sum, &(course, factor): &(usize, f64)| courses[course].at(time).mul_add(factor, sum);
        self.terms.iter().fold(self.base, add)
    }

    /// Words that are the same for what is always the same.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        let own = [self.place as u64, self.terms.len() as u64, self.base.to_bits()];
        own.into_iter()
            .chain(self.terms.iter().flat_map(|&(course, factor)| [course as u64, factor.to_bits()]))
    }
}

/// The factors in time of the rules of a box, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Courses {
    pub(super) all: Vec<Course>,
    /// Of each rule the numbers of those of its products.
    of_rules: Vec<Vec<usize>>,
}

impl Courses {
    /// Those of these rules.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for tables that have 2^32 entries together.
    pub(super) fn of(rules: &[AppliedRule]) -> Result<Courses, Error> {
        let (mut courses, mut known) = (Courses::default(), HashMap::new());
        for rule in rules {
            let numbers = rule.in_time.iter().map(|InTime { course, .. }| {
                *known.entry((course.address(), course.back())).or_insert_with(|| {
                    courses.all.push(course.clone());
                    courses.all.len() - 1
                })
            });
            courses.of_rules.push(numbers.collect());
        }
        let entries: usize = courses.all.iter().map(|course| course.values().len()).sum();
        match u32::try_from(entries) {
            Ok(_) => Ok(courses),
            Err(_) => Err(Error::out_of_range(
                "entries of all tables in time",
                entries,
                format!("at most {}", u32::MAX),
                "take shorter periods, or one table for several rules",
            )),
        }
    }

    /// What changes in time of the values of a rule, an entry of [`Domain::rules`](crate::Domain::rules), at a place of its own; they begin
    /// at `first`.
    pub(super) fn varying(
        &self,
        facts: &Facts,
        rules: &[RuleFacts],
        part: &Part,
        (number, applied): (usize, &AppliedRule),
        place: usize,
        first: usize,
    ) -> Vec<Varying> {
        if applied.in_time.is_empty() {
            return Vec::new();
        }
        let seen =
            |values: &[f64], is_base| components(facts, &rules[part.rule], &part.turn, values, is_base);
        let factors: Vec<Vec<f64>> =
            (0..applied.in_time.len()).map(|term| seen(applied.factors_at(term, place), false)).collect();
        let all = seen(applied.at(place), true).into_iter().enumerate().map(|(n, base)| {
            let terms =
                self.of_rules[number].iter().zip(&factors).map(|(&course, factors)| (course, factors[n]));
            let terms = terms.filter(|(_, factor)| *factor != 0.0).collect();
            Varying { place: first + n, base, terms }
        });
        all.filter(|varying| !varying.terms.is_empty()).collect()
    }
}

/// Sets what changes in time of values that begin at `first`, which these are.
pub(super) fn fill<'a>(
    all: impl IntoIterator<Item = &'a Varying>,
    courses: &[Course],
    time: u64,
    first: usize,
    values: &mut [f64],
    facts: &Facts,
) {
    for varying in all {
        values[varying.place - first] = facts.precision.arithmetic.round(varying.at(courses, time));
    }
}
