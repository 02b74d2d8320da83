//! Names of bodies and patches.

use lbm_core::{Error, Face};

use super::problem::Problem;

/// That a body or a patch may have this name, so that what probes and case files ask for has one meaning; `of` is what has it.
///
/// # Errors
/// [`Error::Conflict`] for a name that is blank, and for one that says something else: a face of the box (`west`), all solid nodes (`geometry`), a body by
/// its number (`solid:0`, `surface:0`) or a plane (`x:10`).
pub fn check_name(of: &str, name: &str) -> Result<(), Error> {
    let plain = name.trim();
    if plain.is_empty() {
        let remedy = "give it a name, by which it can be asked for";
        return Err(Error::conflict(format!("a {of} has an empty name, `{name}`"), remedy));
    }
    let is_face = |face: Face| format!("{face:?}").eq_ignore_ascii_case(plain);
    let says = match plain.split_once(':') {
        _ if Face::ALL.into_iter().any(is_face) => "a face of the box",
        _ if plain.eq_ignore_ascii_case("geometry") => "all solid nodes of the geometry",
        Some(("solid" | "surface", _)) => "a body by its number",
        Some(("x" | "y" | "z", _)) => "a plane of nodes",
        _ => return Ok(()),
    };
    Err(Error::conflict(
        format!("a {of} is named `{name}`, which says {says}"),
        format!("give it a name of its own, such as `{of}_{}`", plain.replace(':', "_")),
    ))
}

/// That all bodies and patches of a problem may have their names.
pub(super) fn check(problem: &Problem) -> Result<(), Error> {
    let at_faces = problem.patches.iter().map(|patch| &patch.name);
    let on_surfaces = problem.surface_patches.iter().map(|patch| &patch.name);
    at_faces.chain(on_surfaces).try_for_each(|name| check_name("patch", name))?;
    problem.names.iter().try_for_each(|(name, _)| check_name("body", name))
}
