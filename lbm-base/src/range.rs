//! What a parameter may be: from one number to another, either of which may be left out.

use std::ops::Bound;

/// The two ends.
pub type Range = (Bound<f64>, Bound<f64>);

/// Any number.
pub const ANY: Range = (Bound::Unbounded, Bound::Unbounded);

/// A range in words, e.g. `0 to 1`.
#[must_use]
pub fn described((least, greatest): Range) -> String {
    let below = match greatest {
        Bound::Included(greatest) => format!("at most {greatest}"),
        Bound::Excluded(greatest) => format!("below {greatest}"),
        Bound::Unbounded => String::new(),
    };
    match (least, greatest) {
        (Bound::Included(least), Bound::Included(greatest)) => format!("{least} to {greatest}"),
        (Bound::Included(least), Bound::Unbounded) => format!("at least {least}"),
        (Bound::Included(least) | Bound::Excluded(least), _) => format!("from {least}, {below}"),
        (Bound::Unbounded, Bound::Unbounded) => "any number".to_owned(),
        (Bound::Unbounded, _) => below,
    }
}
