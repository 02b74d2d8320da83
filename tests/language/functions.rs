//! Functions that declarations share: they stand for what they say.

use lbm::collisions::Squares;
use lbm::core::{Body, Collision, Facts, Functions, Variant};
use lbm::prelude::*;

functions! {
    /// Parts of populations that are even and odd in the velocity.
    pub Parity {
        let even = |a, i| (a[i] + a[opposite[i]]) / 2;
        /// An odd part is 0 in the middle.
        let odd = |a, i| (a[i] - a[opposite[i]]) / 2;
    }
}

mod inner {
    use super::Parity;
    use lbm::prelude::*;

    functions! {
        /// Relaxation of these parts.
        pub Relaxed {
            use Parity;
            let rate = |viscosity| 1 / (viscosity / cs2 + 1/2);
            let relaxed = |i, [one, other]| f[i]
                + one * (even(equilibrium, i) - even(f, i)) + other * (odd(equilibrium, i) - odd(f, i));
        }
    }
}

collision! {
    pub Shared(magic = 3/16 in 0..) {
        use Parity;
        use inner::Relaxed;
        let omega_even = rate(viscosity);
        let omega_odd = 1 / (magic * cs2 / viscosity + 1/2);
        let forced = |i| (1 - omega_even / 2) * even(source, i) + (1 - omega_odd / 2) * odd(source, i);
        for i in directions {
            f[i] = relaxed(i, [omega_even, omega_odd]) + forced(i);
        }
    }
}

collision! {
    pub Between<Inner>(share = 1/2 in 0..=1) {
        use Parity;
        let after = Inner(f);
        for i in directions {
            f[i] = share * even(after, i) + (1 - share) * even(f, i) + odd(after, i);
        }
    }
}

collision! {
    pub Traced {
        use lbm::collisions::Squares;
        require(isotropy >= 4, "flow needs fourth-order isotropy; take D2Q9, D3Q19 or D3Q27");
        let omega = 1 / (viscosity / cs2 + 1/2);
        let off = directions.map(|i| equilibrium[i] - f[i]);
        let stress = to_raw(off);
        let trace = mean_square(stress);
        let only = from_raw(exponents.map(|e| is_square(e) * trace));
        for i in directions {
            f[i] = f[i] + omega * (off[i] - only[i]) + only[i];
        }
    }
}

boundary! {
    /// What a half-way wall does, by parts.
    pub Back half_way {
        use Parity;
        require(faces == 1, "a wall has no edge with another");
        for i in missing {
            f[i] = even(sent, i) - odd(sent, i);
        }
    }
}

solver! { OfShared { lattice: D3Q19, collision: Shared, forcing: Guo } }
solver! { Inline { lattice: D3Q19, collision: Trt, forcing: Guo } }
solver! { Around { lattice: D2Q9, collision: Between<Bgk> { share: 1 }, boundaries: [Back] } }
solver! { Plain { lattice: D2Q9, collision: Bgk } }

/// The text for a device and the operations.
fn text<V: Variant>() -> (&'static str, lbm::core::collision::Operations) {
    (V::Body::DEVICE.unwrap().collide, V::Body::OPERATIONS)
}

/// `Shared` says what the built-in [`Trt`] does.
#[test]
fn what_is_shared_gives_the_text_of_what_is_written_out() {
    assert_eq!(text::<OfShared>(), text::<Inline>());
}

/// What a declaration hands on has the functions in it: nobody else looks for them.
#[test]
fn declarations_are_whole() {
    let text = Shared::DECLARATION;
    assert!(!text.contains("use ") && text.contains("let even") && text.contains("let relaxed"), "{text}");
    assert_eq!((Parity::NAME, Squares::NAME), ("Parity", "Squares"));
    assert!(Squares::DECLARATION.contains("mean_square"));
}

/// Functions of another crate, here of `lbm` itself.
#[test]
fn functions_of_other_crates_are_read_in_the_same_way() {
    solver! { Flow { lattice: D2Q9, collision: Traced } }
    let before: Vec<f64> = (0..9).map(|i| 0.01 * f64::from(i * i % 7) - 0.02).collect();
    let (flow, plain) = (Facts::of::<Flow>(), Facts::of::<Plain>());
    let after = |facts: &Facts| {
        let mut after = vec![0.0; 9];
        facts.collide(&before, &[], &facts.uniforms(&[0.05]), &mut after);
        after
    };
    let difference: Vec<f64> = after(&flow).iter().zip(after(&plain)).map(|(a, b)| a - b).collect();
    let moment = |power: [i32; 2]| -> f64 {
        let weights =
            D2Q9::VELOCITIES.iter().map(|c| f64::from(c[0].pow(power[0] as u32) * c[1].pow(power[1] as u32)));
        weights.zip(&difference).map(|(weight, x)| weight * x).sum()
    };
    // Of second order only the trace is relaxed in another way, and alike along both axes.
    assert!((moment([2, 0]) - moment([0, 2])).abs() < 1e-16 && moment([2, 0]).abs() > 1e-4);
    assert!([[0, 0], [1, 0], [0, 1], [1, 1], [2, 1]].into_iter().all(|power| moment(power).abs() < 1e-16));
}

/// A wall of a rule that shares functions is a half-way wall.
#[test]
fn rules_share_functions_too() -> Result<(), Error> {
    let wave =
        |[x, y, _]: [usize; 3]| Initial::velocity([0.03 * (x as f64).sin(), 0.02 * y as f64 / 8.0, 0.0]);
    let mut by_rule = Around::builder()
        .size([8, 8])
        .viscosity(0.1)
        .initial(wave)
        .boundary(Face::South, Back)
        .face(Face::North, FaceRule::WALL)
        .build()?;
    let mut by_wall = Plain::builder()
        .size([8, 8])
        .viscosity(0.1)
        .initial(wave)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .build()?;
    by_rule.run(20)?;
    by_wall.run(20)?;
    let [rule, wall] = [by_rule, by_wall].map(|flow| flow.populations().unwrap());
    assert!(rule.iter().zip(&wall).all(|(a, b)| (a - b).abs() < 1e-15));
    Ok(())
}
