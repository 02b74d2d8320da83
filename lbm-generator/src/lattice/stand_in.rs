//! A lattice in the place of one that was refused.

use super::super::rational::{Rational, ratio};
use super::super::wrong::Header;
use super::{Bases, LatticeDeclaration, LatticeSpec, check};
use num_traits::Signed;
use proc_macro2::TokenStream;

/// The lattice that a wrong declaration would be, as far as it can be read: its velocities, or else those of D2Q9.
/// Weights are all the same, and a velocity without opposite is its own, so the constants have the right types and
/// lengths but no meaning. `None` if not even the name can be read.
pub fn stand_in(declaration: &TokenStream) -> Option<LatticeSpec> {
    let header = Header::of(declaration)?;
    let parsed = syn::parse2::<LatticeDeclaration>(declaration.clone()).ok();
    let listed = parsed.as_ref().and_then(|parsed| {
        let velocities = check::velocities(parsed).ok()?;
        Some((parsed.dimension.0, velocities.into_iter().map(|v| v.c).collect()))
    });
    let (dimension, velocities): (usize, Vec<[i32; 3]>) = listed.unwrap_or_else(|| {
        let shells = [[0, 0, 0], [1, 0, 0], [1, 1, 0]];
        (2, shells.into_iter().flat_map(|shell| check::shell(shell, 2)).collect())
    });
    let opposite = |(i, c): (usize, &[i32; 3])| {
        velocities.iter().position(|other| *other == c.map(|component| -component)).unwrap_or(i)
    };
    let opposites = velocities.iter().enumerate().map(opposite).collect();
    let cs2 = parsed.and_then(|parsed| parsed.cs2).map(|(cs2, _)| cs2).filter(Rational::is_positive);
    Some(LatticeSpec {
        name: header.name,
        dimension,
        weights: vec![ratio(1, velocities.len() as i64); velocities.len()],
        opposites,
        velocities,
        cs2: cs2.unwrap_or_else(|| ratio(1, 3)),
        isotropy: 2,
        sets: Vec::new(),
        bases: Bases::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn what_can_be_read_is_kept() {
        let lopsided = stand_in(&quote! {
            pub Lopsided { dimension: 1, velocities: [[0], [1], [-1], [2]], weights: [1], cs2: 1/2 }
        })
        .unwrap();
        assert_eq!((lopsided.name.to_string().as_str(), lopsided.dimension), ("Lopsided", 1));
        assert_eq!((lopsided.opposites, lopsided.cs2), (vec![0, 2, 1, 3], ratio(1, 2)));
        assert_eq!(lopsided.weights, vec![ratio(1, 4); 4]);

        let nothing = stand_in(&quote!(Nothing { dimension: many })).unwrap();
        assert_eq!((nothing.q(), nothing.dimension), (9, 2));
        assert!(stand_in(&quote!({ dimension: 2 })).is_none());
    }
}
