//! The macros of `lbm`.
