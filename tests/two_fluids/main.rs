//! Two fluids that do not mix: a phase field with any density ratio, and components that repel each other.

mod mixture;
mod phase_field;
