//! The lines of `solver!` that declare what facts say.

use lbm_core::Facts;

/// The declaration of a variant, by the names of its values: to be pasted into a crate that has their types.
pub(super) fn solver_lines(facts: &Facts) -> String {
    let Facts { lattice, body, precision, layout, addressing, streaming, .. } = facts;
    let (rest, forcing) = match without(body.collision, "-guo-field", "GuoField") {
        (_, None) => without(body.collision, "-guo", "Guo"),
        field => field,
    };
    let (collision, equilibrium) = without(rest, "-incompressible", "Incompressible");
    // What nodes keep from step to step the model says itself.
    let sets = lattice.sets.iter().filter(|set| !set.is_kept());
    let sets = sets.map(|set| set.lattice.name).collect::<Vec<_>>().join(", ");
    let mut axes = match lattice.sets {
        [] => vec![("lattice", lattice.name.to_owned()), ("collision", typed(collision))],
        _ => vec![("lattices", format!("[{sets}]")), ("model", typed(collision))],
    };
    axes.extend(equilibrium.map(|name| ("equilibrium", name.to_owned())));
    axes.extend(forcing.map(|name| ("forcing", name.to_owned())));
    axes.push(("precision", (precision.declared)()));
    axes.push(("layout", (layout.declared)()));
    if addressing.listed {
        axes.push(("addressing", (addressing.declared)()));
    }
    axes.push(("streaming", (streaming.declared)()));
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

/// The label of a collision as its type: `recursive-regularized` as `RecursiveRegularized`, `power-law-of-bgk` as `PowerLaw<Bgk>`.
fn typed(label: &str) -> String {
    if let Some((outer, within)) = label.split_once("-of-") {
        let within: Vec<String> = within.split("-and-").map(typed).collect();
        return format!("{}<{}>", typed(outer), within.join(", "));
    }
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    label.split('-').map(word).collect()
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
        solver! { Fine { lattice: D2Q9, collision: Bgk, precision: GradedIn32<4> } }
        assert!(solver_lines(&Facts::of::<Fine>()).contains("precision: GradedIn32<4>,"));
        solver! { Around { lattice: D2Q9, collision: PowerLaw<Smagorinsky<Bgk>> } }
        let lines = solver_lines(&Facts::of::<Around>());
        assert!(lines.contains("collision: PowerLaw<Smagorinsky<Bgk>>,"), "{lines}");
        solver! { Warm { model: Boussinesq<Trt, Bgk>, lattices: [D2Q9, D2Q5] } }
        let lines = solver_lines(&Facts::of::<Warm>());
        assert!(lines.contains("    lattices: [D2Q9, D2Q5],\n    model: Boussinesq<Trt, Bgk>,\n"), "{lines}");
        assert_eq!(typed("recursive-regularized"), "RecursiveRegularized");
        solver! { Pushed { lattice: D2Q9, collision: Trt, forcing: GuoField } }
        let lines = solver_lines(&Facts::of::<Pushed>());
        assert!(lines.contains("collision: Trt,\n    forcing: GuoField,\n"), "{lines}");
    }
}
