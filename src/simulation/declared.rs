//! The lines of `solver!` that declare what facts say.

use lbm_core::Facts;

/// The declaration of a variant, by the names of its values: to be pasted into a crate that has their types.
pub(super) fn solver_lines(facts: &Facts) -> String {
    let Facts { lattice, body, precision, layout, addressing, pattern, .. } = facts;
    let (rest, forcing) = without(body.collision, "-guo", "Guo");
    let (collision, equilibrium) = without(rest, "-incompressible", "Incompressible");
    let mut axes = vec![("lattice", lattice.name.to_owned()), ("collision", typed(collision))];
    axes.extend(equilibrium.map(|name| ("equilibrium", name.to_owned())));
    axes.extend(forcing.map(|name| ("forcing", name.to_owned())));
    axes.push(("precision", precise(precision.name)));
    axes.push(("layout", typed(layout.name)));
    if addressing.listed {
        axes.push(("addressing", typed(addressing.name)));
    }
    axes.push(("streaming", typed(pattern.name)));
    let lines: Vec<String> = axes.iter().map(|(axis, value)| format!("    {axis}: {value},\n")).collect();
    format!("solver! {{ Mine {{\n{}}} }}", lines.concat())
}

/// A name without its ending, and the type that this stands for.
fn without<'a>(name: &'a str, ending: &str, typed: &'static str) -> (&'a str, Option<&'static str>) {
    match name.strip_suffix(ending) {
        Some(rest) => (rest, Some(typed)),
        None => (name, None),
    }
}

/// The name of a precision as a type: `f16in32` as `F16In32`, `fixed4in32` as `FixedIn32<4>`.
fn precise(name: &str) -> String {
    let Some((stored, arithmetic)) = name.split_once("in") else { return word(name) };
    match stored.strip_prefix("fixed") {
        Some(range) => format!("FixedIn{arithmetic}<{range}>"),
        None => format!("{}In{arithmetic}", word(stored)),
    }
}

/// With a capital letter.
fn word(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// A name as a type: `tiled8x4x4` as `Tiled<8, 4, 4>`, `power-law-of-bgk` as `PowerLaw<Bgk>`. Types of numbers keep their digits.
fn typed(name: &str) -> String {
    if let Some((outer, within)) = name.split_once("-of-") {
        let within: Vec<String> = within.split("-and-").map(typed).collect();
        return format!("{}<{}>", typed(outer), within.join(", "));
    }
    let (letters, digits) = name.split_at(name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len()));
    if letters.len() > 1 && !digits.is_empty() {
        return format!("{}<{}>", word(letters), digits.replace('x', ", "));
    }
    name.split('-').map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn a_declaration_gives_the_facts_that_it_was_made_of() {
        solver! { Mine {
            lattice: D3Q15,
            collision: Mrt,
            equilibrium: Incompressible,
            forcing: Guo,
            precision: F16In32,
            layout: Aosoa<64>,
            addressing: Tiled<8, 4, 4>,
            streaming: TwoLatticePush,
        } }
        let lines = solver_lines(&Facts::of::<Mine>());
        let here = include_str!("declared.rs").split("        solver! { Mine {\n").nth(1).unwrap();
        let here = here.split_once("        } }").unwrap().0;
        let unindented: String = here.lines().map(|line| format!("{}\n", &line[8..])).collect();
        assert_eq!(lines, format!("solver! {{ Mine {{\n{unindented}}} }}"));
        solver! { Plain { lattice: D2Q9, collision: Bgk, precision: F32 } }
        let lines = solver_lines(&Facts::of::<Plain>());
        assert!(
            lines.contains("precision: F32,\n    layout: Soa,\n    streaming: TwoLatticePull,\n"),
            "{lines}"
        );
        solver! { Around { lattice: D2Q9, collision: PowerLaw<Smagorinsky<Bgk>> } }
        let lines = solver_lines(&Facts::of::<Around>());
        assert!(lines.contains("collision: PowerLaw<Smagorinsky<Bgk>>,"), "{lines}");
        let names = ["f64", "f32in64", "f16in32", "bf16in32", "fp16cin32", "fixed4in32"];
        let types = ["F64", "F32In64", "F16In32", "Bf16In32", "Fp16cIn32", "FixedIn32<4>"];
        assert_eq!(names.map(precise), types);
    }
}
