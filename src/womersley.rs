//! Flows that pulse between walls: what a pressure gradient drives that goes as a cosine.

use std::f64::consts::PI;

use lbm_core::Error;
use lbm_core::rules::Course;

/// A real and an imaginary part.
type Complex = [f64; 2];

/// The developed flow between two plates, or in a round pipe, that an acceleration A cos(w t) along them drives: a pressure gradient over the
/// density, or a force. At the distance r from the middle it is
///
/// u = Re(A exp(i w t) / (i w) (1 - F(k r) / F(k R))), k^2 = i w / nu, with F = cosh between plates and F(x) = J_0(i x) in a pipe
///
/// (Womersley, J. Physiol. 127 (1955) 553; Landau & Lifshitz, Fluid Mechanics, paragraph 24, problem 6). Lattice units.
///
/// As an inlet it is the sum of two products, which a device writes itself:
///
/// ```
/// use lbm::prelude::*;
/// # fn main() -> Result<(), Error> {
/// let pulse = Womersley::plates(16.0, 0.1, 2000)?.with_mean(0.03);
/// let [cosine, sine] = pulse.courses()?;
/// let part = move |n: usize| move |[_, y, _]: [f64; 3]| [pulse.parts((y - 16.0).abs())[n], 0.0];
/// let inlet = RegularizedVelocity
///     .with_at("velocity", part(0)).in_time("velocity", cosine)
///     .with_at("velocity", part(1)).in_time("velocity", sine);
/// # let _ = inlet;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Womersley {
    is_round: bool,
    half: f64,
    viscosity: f64,
    period: usize,
    /// A, whose phase need not be 0.
    acceleration: Complex,
}

/// Where the series of a pipe would lose digits.
const MOST: f64 = 25.0;

impl Womersley {
    /// Between plates that are twice `half` apart, with an acceleration of 1 and a period in steps.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a length, viscosity or period that is not above 0, or a Womersley number above 25.
    pub fn plates(half: f64, viscosity: f64, period: usize) -> Result<Womersley, Error> {
        Womersley { is_round: false, half, viscosity, period, acceleration: [1.0, 0.0] }.checked()
    }

    /// In a round pipe.
    ///
    /// # Errors
    /// As [`plates`](Womersley::plates).
    pub fn pipe(radius: f64, viscosity: f64, period: usize) -> Result<Womersley, Error> {
        Womersley { is_round: true, half: radius, viscosity, period, acceleration: [1.0, 0.0] }.checked()
    }

    fn checked(self) -> Result<Womersley, Error> {
        let number = self.number();
        // Not above 0 are NaNs, too.
        if self.half > 0.0 && self.viscosity > 0.0 && number > 0.0 && number <= MOST {
            return Ok(self);
        }
        Err(Error::out_of_range(
            "Womersley number",
            format!(
                "{number} (half a width of {}, a viscosity of {}, a period of {})",
                self.half, self.viscosity, self.period
            ),
            format!("above 0 and at most {MOST}"),
            "take a longer period, a narrower channel or a higher viscosity, all above 0",
        ))
    }

    /// The same with an acceleration of this amplitude.
    #[must_use]
    pub fn with_acceleration(self, amplitude: f64) -> Womersley {
        Womersley { acceleration: [amplitude, 0.0], ..self }
    }

    /// The same with a mean over the section that goes as the cosine with this amplitude.
    #[must_use]
    pub fn with_mean(self, velocity: f64) -> Womersley {
        Womersley { acceleration: over([velocity, 0.0], self.of_unit(self.mean_share())), ..self }
    }

    /// The Womersley number, R sqrt(w / nu).
    #[must_use]
    pub fn number(&self) -> f64 {
        self.half * (self.frequency() / self.viscosity).sqrt()
    }

    /// The viscosity.
    #[must_use]
    pub fn viscosity(&self) -> f64 {
        self.viscosity
    }

    /// What the acceleration has of cos(w t) and of sin(w t).
    #[must_use]
    pub fn acceleration(&self) -> [f64; 2] {
        [self.acceleration[0], -self.acceleration[1]]
    }

    /// The angular frequency, 2 pi over the period.
    fn frequency(&self) -> f64 {
        2.0 * PI / self.period as f64
    }

    /// What the velocity at a distance from the middle has of cos(w t) and of sin(w t); beyond the walls 0.
    #[must_use]
    pub fn parts(&self, distance: f64) -> [f64; 2] {
        let share = if distance < self.half { self.share(distance / self.half) } else { [0.0; 2] };
        let [cosine, sine] = times(self.acceleration, self.of_unit(share));
        // Re((a + i b) exp(i w t)) = a cos(w t) - b sin(w t).
        [cosine, -sine]
    }

    /// The velocity at a distance from the middle after so many steps.
    #[must_use]
    pub fn velocity(&self, distance: f64, time: f64) -> f64 {
        let ([cosine, sine], angle) = (self.parts(distance), self.frequency() * time);
        cosine * angle.cos() + sine * angle.sin()
    }

    /// The factors in time that go with the [`parts`](Womersley::parts).
    ///
    /// # Errors
    /// As [`Course::periodic`].
    pub fn courses(&self) -> Result<[Course; 2], Error> {
        let angle = |step: u64| self.frequency() * step as f64;
        Ok([
            Course::periodic(self.period, |step| angle(step).cos())?,
            Course::periodic(self.period, |step| angle(step).sin())?,
        ])
    }

    /// A velocity over an acceleration of 1, from what friction leaves of that of a fluid without walls.
    fn of_unit(&self, share: Complex) -> Complex {
        over(share, [0.0, self.frequency()])
    }

    /// 1 - F(k r) / F(k R), at a share of R.
    fn share(&self, at: f64) -> Complex {
        let [real, imaginary] = over(self.function(at, false), self.function(1.0, false));
        [1.0 - real, -imaginary]
    }

    /// The mean of that over the section: 1 - tanh(k R) / (k R), or 1 - 2 F'(k R) / (k R F(k R)).
    fn mean_share(&self) -> Complex {
        let slope = over(self.function(1.0, true), self.function(1.0, false));
        let root = self.number() / 2f64.sqrt();
        let [real, imaginary] = over(slope, [root, root]);
        let dimensions = if self.is_round { 2.0 } else { 1.0 };
        [1.0 - dimensions * real, -dimensions * imaginary]
    }

    /// F, or its slope, at k r, where r is a share of R.
    fn function(&self, at: f64, slope: bool) -> Complex {
        // k r = x (1 + i).
        let x = self.number() / 2f64.sqrt() * at;
        if !self.is_round {
            return match slope {
                true => [x.sinh() * x.cos(), x.cosh() * x.sin()],
                false => [x.cosh() * x.cos(), x.sinh() * x.sin()],
            };
        }
        // The sum of (z^2 / 4)^n / n!^2, where z^2 = 2 i x^2; of the slope that of z / 2 (z^2 / 4)^n / (n! (n + 1)!).
        let quarter = [0.0, x * x / 2.0];
        let mut term = if slope { [x / 2.0, x / 2.0] } else { [1.0, 0.0] };
        let mut sum = term;
        for n in 1..200 {
            let by = f64::from(n * (n + u32::from(slope)));
            term = times(term, quarter).map(|part| part / by);
            sum = [sum[0] + term[0], sum[1] + term[1]];
        }
        sum
    }
}

fn times([a, b]: Complex, [c, d]: Complex) -> Complex {
    [a * c - b * d, a * d + b * c]
}

fn over(one: Complex, [c, d]: Complex) -> Complex {
    times(one, [c, -d]).map(|part| part / (c * c + d * d))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(number: f64) -> [Womersley; 2] {
        let (half, period) = (10.0, 1000);
        let viscosity = 2.0 * PI / period as f64 * half * half / (number * number);
        [Womersley::plates, Womersley::pipe].map(|of| of(half, viscosity, period).unwrap())
    }

    /// du / dt = A cos(w t) + nu (u'' + u' / r), the last term in a pipe.
    #[test]
    fn it_solves_its_equation() {
        for flow in [0.5, 4.0, 20.0].into_iter().flat_map(both).map(|flow| flow.with_acceleration(2e-5)) {
            let (r, t, d) = (6.3, 123.0, 1e-3);
            let u = |r: f64, t: f64| flow.velocity(r, t);
            let change = (u(r, t + d) - u(r, t - d)) / (2.0 * d);
            let curvature = (u(r + d, t) - 2.0 * u(r, t) + u(r - d, t)) / (d * d);
            let slope = if flow.is_round { (u(r + d, t) - u(r - d, t)) / (2.0 * d * r) } else { 0.0 };
            let right = 2e-5 * (flow.frequency() * t).cos() + flow.viscosity * (curvature + slope);
            assert!((change - right).abs() < 1e-9, "{flow:?}: {change} {right}");
            assert_eq!(u(10.0, t), 0.0);
            assert!(u(9.999_999, t).abs() < 1e-5 * u(0.0, 0.0).abs().max(u(0.0, 250.0).abs()));
        }
    }

    /// The mean over the section is what was asked for, at any time.
    #[test]
    fn the_mean_is_the_cosine() {
        for flow in [0.5, 4.0, 20.0].into_iter().flat_map(both).map(|flow| flow.with_mean(0.03)) {
            let power = i32::from(flow.is_round);
            for time in [0.0, 130.0, 700.0] {
                let rings = (0..20_000).map(|n| (f64::from(n) + 0.5) / 20_000.0);
                let sum: f64 = rings
                    .map(|at| flow.velocity(10.0 * at, time) * f64::from(1 + power) * at.powi(power))
                    .sum();
                let mean = 0.03 * (flow.frequency() * time).cos();
                assert!((sum / 20_000.0 - mean).abs() < 1e-8, "{flow:?} at {time}: {sum} {mean}");
            }
        }
    }

    /// Slow flows are parabolas at each time, and fast ones have plugs.
    #[test]
    fn it_is_a_parabola_or_a_plug() {
        for (flow, divisor) in both(0.05).into_iter().zip([2.0, 4.0]) {
            let exact = (100.0 - 36.0) / (divisor * flow.viscosity);
            assert!((flow.velocity(6.0, 0.0) / exact - 1.0).abs() < 1e-4, "{flow:?}");
        }
        for flow in both(24.0) {
            // 1 / (i w): a quarter of a period behind.
            assert!((flow.parts(0.0)[1] * flow.frequency() - 1.0).abs() < 1e-4, "{flow:?}");
        }
        assert!(Womersley::pipe(0.0, 0.1, 10).is_err() && Womersley::plates(9.0, f64::NAN, 10).is_err());
        let refused = Womersley::pipe(100.0, 0.01, 100).unwrap_err().to_string();
        assert!(refused.contains("at most 25"), "{refused}");
    }
}
