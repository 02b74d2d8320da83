//! The CPU backend of `lbm`.
