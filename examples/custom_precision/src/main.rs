//! Slow flow between plates, with populations in a format of 16 bits that suits its speed.

use lbm::core::Variant;
use lbm::prelude::*;

/// A sign, two bits of exponent, thirteen of fraction: fourteen digits from 2^-13 to 2^-10, which populations of a flow slower than about
/// 0.003 do not reach, and steps of 2^-26 below.
///
/// Rounding is to nearest even. What is beyond the range becomes the largest number with its sign, NaN too.
#[derive(Clone, Copy, Debug)]
pub struct Slow;

impl Format for Slow {
    const NAME: &'static str = "slow";
    /// So that the largest numbers are just below one.
    const UNIT: f64 = 1024.0;

    fn decode<W: Word>(code: W) -> W::Single {
        // Where an f32 has its exponent and its fraction: the smallest exponent, 1, is that of 2^-3.
        let size = ((code & 0x7fff) << 10).named("size");
        let small = (size + 0.125_f32.to_bits()).single() - 0.125;
        let normal = size + (0.125_f32.to_bits() - (1 << 23));
        (W::select_less(size, W::from(1 << 23), W::of(small), normal) | ((code & 0x8000) << 16)).single()
    }

    fn encode<W: Word>(value: W::Single) -> W {
        let bits = W::of(value).named("bits");
        let size = (bits & 0x7fff_ffff).named("size");
        let nearest = (size + (((size >> 10) & 1) + 511)) >> 10;
        let normal = (nearest - ((0.125_f32.to_bits() - (1 << 23)) >> 10)).named("normal");
        let normal = W::select_less(normal, W::from(0x7fff), normal, W::from(0x7fff));
        // The last place of 128 is 2^-16, so that the addition rounds.
        let small = W::of(size.single() + 128.0) - 128_f32.to_bits();
        W::select_less(size, W::from(0.125_f32.to_bits()), small, normal) | ((bits >> 16) & 0x8000)
    }
}

/// The largest speed, reached in the middle.
const SPEED: f64 = 1e-3;
const HEIGHT: usize = 16;
const VISCOSITY: f64 = 1.0 / 6.0;

solver! { pub Plates { lattice: D2Q9, collision: Trt, forcing: Guo, precision: Coded<Slow, f32>, streaming: EsotericPull } }
solver! { Half { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F16In32 } }
solver! { Custom { lattice: D2Q9, collision: Trt, forcing: Guo, precision: Fp16cIn32 } }
solver! { Double { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64 } }

/// The velocity along the plates after some steps from rest.
fn along<V: Variant>(steps: u64) -> Result<Vec<f64>, Error> {
    let force = 8.0 * VISCOSITY * SPEED / (HEIGHT * HEIGHT) as f64;
    let flow = V::builder().size([4, HEIGHT]).viscosity(VISCOSITY).force([force, 0.0, 0.0]);
    let mut flow = flow.face(Face::South, FaceRule::WALL).face(Face::North, FaceRule::WALL).build()?;
    flow.run(steps)?;
    Ok(flow.velocity()?.iter().map(|velocity| velocity[0]).collect())
}

/// The largest difference from the flow in double precision, over the speed in the middle.
fn error<V: Variant>(steps: u64) -> Result<f64, Error> {
    let (exact, found) = (along::<Double>(steps)?, along::<V>(steps)?);
    Ok(found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / SPEED)
}

fn main() -> Result<(), Error> {
    let errors = [
        ("slow", error::<Plates>(10_000)?),
        ("f16", error::<Half>(10_000)?),
        ("fp16c", error::<Custom>(10_000)?),
    ];
    for (name, error) in errors {
        println!("{name:>6}: {error:.1e} of the largest speed from f64");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lbm::core::precision::Bits;

    #[test]
    fn every_code_comes_back_and_numbers_between_are_rounded() {
        let number = |code: u32| Slow::decode(Bits(code));
        let code = |number: f32| Slow::encode::<Bits>(number).0;
        for n in 0..0x7fff {
            let middle = (number(n) + number(n + 1)) / 2.0;
            let expected = [n, n + n % 2, n + 1];
            assert_eq!([number(n), middle, middle.next_up()].map(code), expected);
            assert_eq!([number(n), middle, middle.next_up()].map(|x| code(-x)), expected.map(|n| n | 0x8000));
        }
        assert_eq!([1.0, 2.0, f32::INFINITY].map(code), [0x7fff; 3]);
    }

    /// Formats of 16 bits for any speed have fewer digits at this one.
    #[test]
    fn the_error_is_less_than_half_of_that_of_formats_for_any_speed() {
        let [slow, half, custom] =
            [error::<Plates>, error::<Half>, error::<Custom>].map(|error| error(5000).unwrap());
        assert!(slow < 0.5 * half && slow < 0.5 * custom, "{slow:e}, {half:e}, {custom:e}");
    }

    cross_check!(Plates, steps: [1, 2, 7]);
}
