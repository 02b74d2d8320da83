//! Several sets of populations at a node, each on its own lattice, seen as one lattice: its directions are those of the sets, one set after
//! the other. Two directions may so have one velocity.

use super::{Bases, Errors, LatticeSpec, analyse};
use crate::rational::Rational;
use crate::wrong::refuse;
use lbm_base::body::MOST_DIRECTIONS;
use num_traits::One;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::format_ident;

impl LatticeSpec {
    /// The sets as one; its name is theirs, one after the other. The speed of sound is that of the first one.
    ///
    /// # Errors
    /// For sets of different dimensions, at the lattice that differs.
    pub fn together(sets: Vec<LatticeSpec>) -> syn::Result<LatticeSpec> {
        let Some(first) = sets.first() else {
            return refuse(
                Span::call_site(),
                "there are no lattices; give one a set, `lattices: [D2Q9, D2Q5]`",
            );
        };
        let mut errors = Errors::default();
        for other in sets.iter().filter(|other| other.dimension != first.dimension) {
            errors.push(
                other.name.span(),
                format!(
                    "{} has dimension {}, {} has {}; sets of populations share their nodes, so give lattices of one dimension",
                    other.name, other.dimension, first.name, first.dimension
                ),
            );
        }
        errors.finish()?;
        let (count, last) = (sets.iter().map(LatticeSpec::q).sum::<usize>(), &sets[sets.len() - 1]);
        if count > MOST_DIRECTIONS {
            let message = format!(
                "these lattices have {count} directions together, a node has at most {MOST_DIRECTIONS}; take smaller ones, such as D2Q5 or D3Q7 for a scalar"
            );
            return refuse(last.name.span(), message);
        }
        let name: String = sets.iter().map(|set| set.name.to_string()).collect();
        let (mut velocities, mut weights, mut opposites) = (Vec::new(), Vec::new(), Vec::new());
        for set in &sets {
            opposites.extend(set.opposites.iter().map(|&i| velocities.len() + i));
            velocities.extend(&set.velocities);
            weights.extend(set.weights.iter().cloned());
        }
        Ok(LatticeSpec {
            name: format_ident!("{name}"),
            dimension: first.dimension,
            velocities,
            weights,
            opposites,
            cs2: first.cs2.clone(),
            isotropy: sets.iter().map(|set| set.isotropy).min().unwrap_or(2),
            sets,
            bases: Bases::default(),
        })
    }

    /// The same with so many values that a node keeps from step to step: each is a set of one population, which stays where it is.
    ///
    /// # Errors
    /// Where that are too many directions together.
    pub fn keeping(&self, count: usize) -> syn::Result<LatticeSpec> {
        if count == 0 {
            return Ok(self.clone());
        }
        let mut sets = if self.sets.is_empty() { vec![self.clone()] } else { self.sets.clone() };
        let value = LatticeSpec {
            name: format_ident!("D{}Q1", self.dimension),
            velocities: vec![[0; 3]],
            weights: vec![Rational::one()],
            opposites: vec![0],
            sets: Vec::new(),
            bases: Bases::default(),
            ..sets[0].clone()
        };
        sets.extend(std::iter::repeat_n(value, count));
        LatticeSpec::together(sets)
    }

    /// The first direction of each set.
    pub fn firsts(&self) -> impl Iterator<Item = usize> {
        self.sets.iter().scan(0, |next, set| {
            let first = *next;
            *next += set.q();
            Some(first)
        })
    }
}

/// A lattice as the macros hand it on: its declaration, or one in braces for each set of populations.
pub fn handed_on(tokens: &TokenStream) -> syn::Result<LatticeSpec> {
    let groups: Option<Vec<TokenStream>> = tokens
        .clone()
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        })
        .collect();
    match groups {
        None => analyse(tokens.clone()),
        Some(sets) => LatticeSpec::together(sets.into_iter().map(analyse).collect::<syn::Result<_>>()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn sets_stand_one_after_the_other() {
        let flow =
            quote!(D2Q9 { dimension: 2, shells: [[0, 0], [1, 0], [1, 1]], weights: [4 / 9, 1 / 9, 1 / 36] });
        let heat =
            quote!(D2Q5 { dimension: 2, shells: [[0, 0], [1, 0]], weights: [1 / 3, 1 / 6], isotropy: 2 });
        let both = handed_on(&quote!({ #flow } { #heat })).unwrap();
        assert_eq!((both.name.to_string().as_str(), both.q(), both.isotropy), ("D2Q9D2Q5", 14, 2));
        assert_eq!(both.firsts().collect::<Vec<_>>(), [0, 9]);
        assert_eq!(both.opposites[9..], [9, 11, 10, 13, 12]);
        assert_eq!(both.velocities[10], both.velocities[1]);
        assert_eq!(handed_on(&flow).unwrap().sets.len(), 0);
        let [seven, eight] = [7, 8].map(|count| {
            let sets = std::iter::repeat_n(quote!({ #flow }), count);
            handed_on(&sets.collect())
        });
        assert_eq!(seven.unwrap().q(), 63);
        let error = eight.unwrap_err().to_string();
        assert!(error.contains("72 directions together, a node has at most 63"), "{error}");
        let kept = handed_on(&flow).unwrap().keeping(2).unwrap();
        assert_eq!((kept.name.to_string().as_str(), kept.q(), kept.isotropy), ("D2Q9D2Q1D2Q1", 11, 4));
        assert_eq!((kept.velocities[10], kept.opposites[10], kept.sets.len()), ([0; 3], 10, 3));
        let other = quote!(D1Q3 { dimension: 1, shells: [[0], [1]], weights: [2 / 3, 1 / 6] });
        let error = handed_on(&quote!({ #flow } { #other })).unwrap_err().to_string();
        assert!(error.contains("D1Q3 has dimension 1, D2Q9 has 2"), "{error}");
    }
}
