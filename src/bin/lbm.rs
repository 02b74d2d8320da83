//! The command `lbm`.
fn main() {}
