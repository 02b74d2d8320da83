//! What is swept, and the programs that sweep it.

use std::collections::BTreeSet;

use lbm_core::codegen::sweep::{Axis, SweepDeclaration};

/// All that is swept, a paragraph each, as `sweep!` takes it; a line with `//` is a comment.
const SWEPT: &str = include_str!("swept.txt");

/// The axes in the order of a variant's name, with what `sweep!` takes by itself.
const AXES: [(&str, &str); 8] = [
    ("lattice", ""),
    ("collision", ""),
    ("equilibrium", "QuasiCompressible"),
    ("forcing", "None"),
    ("precision", "F64"),
    ("layout", "Soa"),
    ("addressing", "Dense"),
    ("streaming", "TwoLatticePull"),
];

/// A program of the crate.
pub(super) struct Program {
    pub(super) name: String,
    pub(super) text: String,
    /// The variants that are still to be checked.
    pub(super) variants: Vec<String>,
}

/// All programs with all their variants: one for each lattice, collision and addressing, and where the whole box is stored for each
/// streaming pattern. A variant that is swept twice belongs to the first one.
pub(super) fn programs() -> Vec<Program> {
    let mut seen = BTreeSet::new();
    let mut programs = Vec::new();
    for swept in SWEPT.split("\n\n") {
        let axes = axes(swept);
        let apart = |n: usize| match AXES[n].0 {
            "lattice" | "collision" | "addressing" => true,
            "streaming" => axes[6] == ["Dense"],
            _ => false,
        };
        let parts = axes.iter().enumerate().map(|(n, values)| match apart(n) {
            true => values.iter().map(|value| vec![value.clone()]).collect(),
            false => vec![values.clone()],
        });
        for part in products(&parts.collect::<Vec<Vec<Vec<String>>>>()) {
            let mut variants: Vec<String> = products(&part).iter().map(|values| name(values)).collect();
            variants.retain(|name| seen.insert(name.clone()));
            if let Some(first) = variants.first() {
                programs.push(Program { name: first.replace('-', "_"), text: text(&part), variants });
            }
        }
    }
    programs
}

/// The values of each axis.
fn axes(swept: &str) -> Vec<Vec<String>> {
    let declaration: SweepDeclaration =
        syn::parse_str(&format!("{swept}, => |V| ()")).expect("the sweeps are constants and well-formed");
    let values = |(name, usual): (&str, &str)| {
        let axis = declaration.axes.iter().find(|axis| axis.name == name);
        let written =
            |axis: &Axis| axis.values.iter().map(|value| unspaced(&value.tokens.to_string())).collect();
        axis.map_or_else(|| vec![usual.to_owned()], written)
    };
    AXES.map(values).to_vec()
}

fn unspaced(text: &str) -> String {
    text.replace(' ', "")
}

/// One value of each list, in all ways; the last list runs fastest.
fn products<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |products, values| {
        let longer = |product: &Vec<T>| -> Vec<Vec<T>> {
            values.iter().map(|value| product.iter().chain([value]).cloned().collect()).collect()
        };
        products.iter().flat_map(longer).collect()
    })
}

/// The name of a product: the values that it names, in the order of the axes.
fn name(values: &[String]) -> String {
    let named = values.iter().filter(|value| !["QuasiCompressible", "None"].contains(&value.as_str()));
    named.map(|value| name_of(value)).collect::<Vec<_>>().join("-")
}

/// What variants call a value: its type in small letters, with hyphens between words and `x` between numbers.
fn name_of(written: &str) -> String {
    let mut name = String::new();
    for letter in written.chars() {
        match letter {
            '<' | '>' => {}
            ',' => name.push('x'),
            _ => {
                if letter.is_uppercase() && name.ends_with(char::is_lowercase) {
                    name.push('-');
                }
                name.extend(letter.to_lowercase());
            }
        }
    }
    name
}

fn text(axes: &[Vec<String>]) -> String {
    let lists = AXES.iter().zip(axes).map(|((axis, _), values)| format!("{axis}: [{}]", values.join(", ")));
    format!(
        "use lbm::prelude::*;

fn main() {{
    let mut subjects = Vec::new();
    sweep! {{
        {},
        => |V| subjects.push(lbm::cross_check::subject::<V>())
    }}
    lbm::cross_check::serve(&subjects);
}}
",
        lists.collect::<Vec<_>>().join(",\n        "),
    )
}
