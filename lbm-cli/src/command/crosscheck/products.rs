//! What `lbm crosscheck --all` checks.

use crate::variants::expanded;

/// The names of all products that are checked, each once.
#[must_use]
pub fn products() -> Vec<String> {
    expanded(include_str!("products.txt"))
}
