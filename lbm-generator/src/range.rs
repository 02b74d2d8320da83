//! The range that a collision or a rule declares for a parameter, `strength in 0..=1`.

use std::fmt;
use std::ops::{Bound, RangeBounds};

use super::rational::{Rational, parse_rational, to_f64};
use super::wrong::refuse;
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Expr, Ident, RangeLimits};

/// What a parameter may be: from one exact number to another, either of which may be left out.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterRange {
    /// The lower end.
    pub least: Bound<Rational>,
    /// The upper end.
    pub greatest: Bound<Rational>,
}

impl ParameterRange {
    /// Any number.
    pub const ALL: ParameterRange = ParameterRange { least: Bound::Unbounded, greatest: Bound::Unbounded };

    /// The range of a parameter as written.
    ///
    /// # Errors
    /// For what is no range of exact numbers, a range of no number, and a default outside of it, at the token.
    pub(super) fn of(
        name: &Ident,
        default: Option<&Rational>,
        written: &Expr,
    ) -> syn::Result<ParameterRange> {
        let Expr::Range(range) = written else {
            let message =
                format!("the range of `{name}` is no range; write e.g. `{name} in 0..=1`, `{name} in 0..`");
            return refuse(written.span(), message);
        };
        let least = match &range.start {
            Some(start) => Bound::Included(parse_rational(start)?),
            None => Bound::Unbounded,
        };
        let greatest = match (&range.end, &range.limits) {
            (Some(end), RangeLimits::Closed(_)) => Bound::Included(parse_rational(end)?),
            (Some(end), RangeLimits::HalfOpen(_)) => Bound::Excluded(parse_rational(end)?),
            (None, _) => Bound::Unbounded,
        };
        let all = ParameterRange { least, greatest };
        if all.is_empty() {
            return refuse(
                written.span(),
                format!("no number is in the range of `{name}`; write the lesser end first"),
            );
        }
        if default.is_some_and(|default| !all.contains(default)) {
            let message = format!("the default of `{name}` is not in this range; change one of them");
            return refuse(written.span(), message);
        }
        Ok(all)
    }

    /// Whether a number is in it.
    pub fn contains(&self, number: &Rational) -> bool {
        self.as_bounds().contains(number)
    }

    fn as_bounds(&self) -> (Bound<&Rational>, Bound<&Rational>) {
        (self.least.as_ref(), self.greatest.as_ref())
    }

    /// Whether no number is in it.
    fn is_empty(&self) -> bool {
        match self.as_bounds() {
            (Bound::Included(least), Bound::Included(greatest)) => least > greatest,
            (Bound::Included(least), Bound::Excluded(greatest)) => least >= greatest,
            _ => false,
        }
    }

    /// As an expression: a pair of bounds, [`Range`](lbm_base::range::Range).
    pub(super) fn emitted(&self) -> TokenStream {
        let end = |bound: &Bound<Rational>| match bound.as_ref().map(to_f64) {
            Bound::Included(end) => quote!(::core::ops::Bound::Included(#end)),
            Bound::Excluded(end) => quote!(::core::ops::Bound::Excluded(#end)),
            Bound::Unbounded => quote!(::core::ops::Bound::Unbounded),
        };
        let (least, greatest) = (end(&self.least), end(&self.greatest));
        quote!((#least, #greatest))
    }
}

/// As it is written.
impl fmt::Display for ParameterRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, greatest) = self.as_bounds();
        let number = |bound: Bound<&Rational>| match bound {
            Bound::Included(end) | Bound::Excluded(end) => end.to_string(),
            Bound::Unbounded => String::new(),
        };
        let closed = if matches!(greatest, Bound::Included(_)) { "=" } else { "" };
        write!(f, "{}..{closed}{}", number(least), number(greatest))
    }
}
