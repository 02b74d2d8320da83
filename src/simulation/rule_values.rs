//! Values of the parameters of boundary rules, at each place where a rule stands, and in time.

use std::sync::Arc;

use lbm_core::domain::AppliedRule;
use lbm_core::facts::LatticeFacts;
use lbm_core::rules::{Course, InTime};
use lbm_core::{Error, RuleFacts, RuleParameter};

use super::check;
use super::rules::{Place, PlacedRule};

/// A value of a rule: the same everywhere, or one of its own at each node, or at each point of the wall.
#[derive(Clone)]
pub(super) enum Value {
    Same(Vec<f64>),
    Each(Arc<dyn Fn([usize; 3]) -> Vec<f64> + Send + Sync>),
    At(Arc<dyn Fn([f64; 3]) -> Vec<f64> + Send + Sync>),
}

impl Value {
    /// Whether it is the same everywhere.
    pub(super) fn is_same(&self) -> bool {
        self.same().is_some()
    }

    /// The value, if it is the same everywhere.
    pub(super) fn same(&self) -> Option<&[f64]> {
        match self {
            Value::Same(value) => Some(value),
            Value::Each(_) | Value::At(_) => None,
        }
    }

    fn at(&self, (node, point): Place) -> Vec<f64> {
        match self {
            Value::Same(value) => value.clone(),
            Value::Each(value) => value(node),
            Value::At(value) => value(point),
        }
    }
}

/// A value that a parameter was given, at once or in time.
#[derive(Clone)]
pub(super) struct Given {
    pub(super) parameter: String,
    pub(super) value: Value,
    pub(super) course: Option<Course>,
    /// Which frames it is one of, numbered in a rule: at any time these are a mean of some.
    pub(super) frames: Option<usize>,
}

/// A rule's values where it stands, those of one place after another if one of them differs from place to place.
pub(super) fn values(
    lattice: &LatticeFacts,
    rule: &RuleFacts,
    stands: &str,
    places: &[Place],
    placed: &PlacedRule,
) -> Result<AppliedRule, Error> {
    for Given { parameter, .. } in &placed.values {
        if !rule.parameters.iter().any(|known| known.name == parameter) {
            let names = rule.parameters.iter().map(|known| known.name);
            let remedy = format!("`{}` has {}", rule.name, names.clone().collect::<Vec<_>>().join(", "));
            return Err(Error::unknown("parameter of a boundary rule", parameter, names, remedy));
        }
    }
    if let (Some(is), true) = (rule.not_before_walls(), placed.before_walls) {
        return Err(Error::conflict(
            format!("the rule `{}` at {stands} is to hold before walls, and is {is}", rule.name),
            "leave `before_walls` out, or say it of a rule of nodes (`on_node` or `half_way`) of what flows",
        ));
    }
    let in_time = placed.values.iter().filter_map(|given| Some((given.course.clone()?, given.frames)));
    let (mut products, frames): (Vec<InTime>, Vec<Option<usize>>) =
        in_time.map(|(course, frames)| (InTime::new(course, Vec::new()), frames)).unzip();
    let mut values = Vec::new();
    let is_same = placed.values.iter().all(|given| given.value.is_same());
    let one = [places.first().copied().unwrap_or_default()];
    for &place in if is_same { &one } else { places } {
        for parameter in rule.parameters {
            let at = Parameter { lattice, rule, parameter, place };
            let base = at.base(placed, stands)?;
            let factors = at.factors(placed)?;
            at.check(&base, &factors, &products, &frames)?;
            values.extend(base);
            products.iter_mut().zip(factors).for_each(|(product, factors)| product.values.extend(factors));
        }
    }
    let count = rule.components(lattice.dimension);
    // A further set of populations does not move the wall of what flows.
    let beyond = if rule.first > 0 { 0.5 } else { rule.beyond };
    Ok(AppliedRule::new(rule.name, count, values)
        .with_products(products)
        .with_wall(beyond)
        .holding_before_walls(placed.before_walls))
}

/// A parameter at a place.
struct Parameter<'a> {
    lattice: &'a LatticeFacts,
    rule: &'a RuleFacts,
    parameter: &'a RuleParameter,
    place: Place,
}

impl Parameter<'_> {
    fn count(&self) -> usize {
        self.parameter.components(self.lattice.dimension)
    }

    fn named(&self) -> String {
        format!("`{}` of the rule `{}` at node {:?}", self.parameter.name, self.rule.name, self.place.0)
    }

    /// What does not change in time.
    fn base(&self, placed: &PlacedRule, stands: &str) -> Result<Vec<f64>, Error> {
        let Parameter { rule, parameter, .. } = self;
        let own = || placed.values.iter().filter(|given| given.parameter == parameter.name);
        let (lasting, is_given) = (own().rev().find(|given| given.course.is_none()), own().next().is_some());
        match (lasting, parameter.default.or(is_given.then_some(0.0))) {
            (Some(given), _) => self.components(&given.value),
            (None, Some(default)) => Ok(vec![default; self.count()]),
            (None, None) => Err(Error::Missing {
                what: format!("`{}` of the rule `{}` at {stands}", parameter.name, rule.name),
                remedy: format!("give it, `.with(\"{}\", [..])`", parameter.name),
            }),
        }
    }

    /// For each product in time what the place's factor is: of another parameter's 0.
    fn factors(&self, placed: &PlacedRule) -> Result<Vec<Vec<f64>>, Error> {
        let rest = self.parameter.default.unwrap_or(0.0);
        let all = placed.values.iter().filter(|given| given.course.is_some());
        let factors = all.map(|given| match given.parameter == self.parameter.name {
            true => Ok(self.components(&given.value)?.into_iter().map(|value| value - rest).collect()),
            false => Ok(vec![0.0; self.count()]),
        });
        factors.collect()
    }

    /// A value's components, if they are as many and finite.
    fn components(&self, value: &Value) -> Result<Vec<f64>, Error> {
        let (count, mut value) = (self.count(), value.at(self.place));
        let fits = value.len() == count || value.len() == 3 && value[count..].iter().all(|&x| x == 0.0);
        if !fits || value.len() < count {
            let allowed = format!("{count} numbers on {}", self.lattice.name);
            return Err(Error::out_of_range(self.named(), format!("{value:?}"), allowed, "give as many"));
        }
        check::finite(self.named(), &value, &value)?;
        value.truncate(count);
        Ok(value)
    }

    /// That all components are in the range that the rule declares, a velocity is slow and a density one of lattice units, wherever in time each factor is.
    fn check(
        &self,
        base: &[f64],
        factors: &[Vec<f64>],
        products: &[InTime],
        frames: &[Option<usize>],
    ) -> Result<(), Error> {
        let mut ranges: Vec<[f64; 2]> = base.iter().map(|&value| [value; 2]).collect();
        let all: Vec<_> = frames.iter().zip(factors).zip(products).collect();
        for of_one in all.chunk_by(|((one, _), _), ((next, _), _)| one.is_some() && one == next) {
            for (n, range) in ranges.iter_mut().enumerate() {
                let mut own = [f64::INFINITY, f64::NEG_INFINITY];
                for ((_, factors), InTime { course, .. }) in of_one {
                    let [least, greatest] = if of_one.len() > 1 { [1.0; 2] } else { course.range() };
                    own[0] = own[0].min(factors[n] * least).min(factors[n] * greatest);
                    own[1] = own[1].max(factors[n] * least).max(factors[n] * greatest);
                }
                range[0] += own[0];
                range[1] += own[1];
            }
        }
        let outside = ranges.iter().flatten().find(|value| !self.parameter.allows(**value));
        if let Some(value) = outside {
            let remedy =
                "the rule declares this range; keep to it everywhere and, with its factors, at all times";
            return Err(Error::out_of_range(self.named(), value, self.parameter.allowed(), remedy));
        }
        match self.parameter.name {
            "velocity" if self.parameter.vector => {
                let mut fastest = [0.0; 3];
                for (fastest, [least, greatest]) in fastest.iter_mut().zip(ranges) {
                    *fastest = if least.abs() > greatest.abs() { least } else { greatest };
                }
                check::velocity(self.lattice, &self.named(), fastest)
            }
            "density" if self.rule.first == 0 => check::density(self.named(), ranges[0]),
            "density" => check::positive(self.named(), ranges[0][0], "give one above 0"),
            _ => Ok(()),
        }
    }
}
