//! The symbolic engine.
