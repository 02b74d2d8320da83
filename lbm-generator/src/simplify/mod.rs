//! From formulas to a short straight-line program, one rewrite a file:
//!
//! 1. [`system`]: formulas become linear forms over products, with coefficients that are an exact number times
//!    a uniform polynomial; unused quantities fall away.
//! 2. [`factor`]: sums of products have their common factors taken out.
//! 3. [`pairs`]: outputs of opposite directions are split in the part they share and the part that changes sign.
//! 4. [`common`]: common subexpressions of all linear forms at once.
//! 5. [`lower`]: linear forms become additions, multiplications and fmas.
//! 6. [`schedule`]: operations are ordered for few live values.

mod common;
mod factor;
mod lower;
mod pairs;
mod schedule;
mod system;

use super::program::Program;
use super::symbolic::{Polynomial, Symbols};
use system::System;

/// What the stages made, for printing.
#[derive(Clone, Debug, Default)]
pub struct Stages(pub Vec<(&'static str, String)>);

impl Stages {
    /// Those of one program with those of another below.
    pub fn beside(self, other: Stages) -> Stages {
        let both = self.0.into_iter().zip(other.0);
        Stages(both.map(|((name, here), (_, there))| (name, format!("{here}\n{there}"))).collect())
    }
}

/// Simplifies the formulas of `outputs`. `pairs` lists the outputs that belong to opposite directions.
pub fn simplify(
    symbols: &Symbols,
    outputs: &[(String, Polynomial)],
    pairs: &[(usize, usize)],
) -> (Program, Stages) {
    let mut stages = Stages::default();
    let mut system = System::new(symbols, outputs);
    stages.0.push(("linear forms", system.to_string()));
    common::spread(&mut system);
    if !symbols.keeps_form {
        factor::factor(&mut system);
    }
    pairs::split(&mut system, pairs);
    stages.0.push(("opposite pairs", system.to_string()));
    common::eliminate(&mut system);
    stages.0.push(("common subexpressions", system.to_string()));
    let mut program = lower::lower(&system);
    schedule::schedule(&mut program);
    stages.0.push(("program", program.to_string()));
    (program, stages)
}

#[cfg(test)]
fn formulas(body: &str) -> (Symbols, Vec<(String, Polynomial)>) {
    use super::language::{Choices, Equilibrium, Given, Scope, evaluate};
    let lattice = "D1Q3 { dimension: 1, shells: [[0], [1]], weights: [2/3, 1/6] }";
    let lattice = super::lattice::analyse(lattice.parse().unwrap()).unwrap();
    let declaration = syn::parse_str(&format!("Test(a, b) {{ {body} }}")).unwrap();
    let choices =
        Choices { equilibrium: Equilibrium::Incompressible, share_flux_trace: true, ..Choices::default() };
    let scope = Scope::of(&lattice, &choices, Given::Populations);
    let kernel = evaluate(&declaration, &scope).unwrap();
    let names = (0..3).map(|i| format!("post_{i}"));
    (kernel.symbols, names.zip(kernel.populations).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_formula_is_taken_apart_in_uniform_and_varying_factors() {
        let (symbols, outputs) = formulas(
            "let product = f[1] * f[2];
             f[0] = w[0] + a * a * f[1] + a * f[1] + 2 * product; f[1] = w[1] + b; f[2] = w[2] + f[0] - f[0];",
        );
        let system = System::new(&symbols, &outputs);
        expect![[r#"
            h_1_h_2 = h_1 h_2
            product = 1/6 h_1 + h_1_h_2 + 1/6 h_2
            post_0 = 1/18 (1 + 3 a + 3 a a) + (a + a a) h_1 + 2 product
            post_1 = (b)
            post_2 = 0
        "#]]
        .assert_eq(&system.to_string());
    }

    #[test]
    fn every_stage_is_recorded() {
        let (symbols, outputs) =
            formulas("for i in directions { f[i] = f[i] + a * (equilibrium[i] - f[i]); }");
        let (program, stages) = simplify(&symbols, &outputs, &[(1, 2)]);
        let names: Vec<&str> = stages.0.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["linear forms", "opposite pairs", "common subexpressions", "program"]);
        expect![[r#"
            uniform k_0 = 1 - a
            uniform k_1 = 2/3 a
            uniform k_2 = a
            uniform k_3 = 1/6 a
            uniform k_4 = 1/2 a
            delta_rho_part_1 = h[0] + h[1]
            delta_rho = delta_rho_part_1 + h[2]
            u_x = h[1] - h[2]
            flux_xx = u_x * u_x
            post_0_part_1 = k_0 * h[0]
            post_0_part_2 = fma(k_1, delta_rho, post_0_part_1)
            post_0 = fma(-k_2, flux_xx, post_0_part_2)
            even_0_part_1 = k_3 * delta_rho
            even_0 = fma(k_4, flux_xx, even_0_part_1)
            post_1_part_1 = fma(k_0, h[1], even_0)
            post_1 = fma(k_4, u_x, post_1_part_1)
            post_2_part_1 = fma(k_0, h[2], even_0)
            post_2 = fma(-k_4, u_x, post_2_part_1)
            post_0 <- post_0
            post_1 <- post_1
            post_2 <- post_2
        "#]]
        .assert_eq(&program.to_string());
    }
}
