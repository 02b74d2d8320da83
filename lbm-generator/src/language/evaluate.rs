//! Evaluates a collision for one lattice.

use super::super::rational::Rational;
use super::super::symbolic::{Definition, Polynomial, Symbols};
use super::super::wrong::refuse;
use super::near::DerivedFields;
use super::parse::{CollisionDeclaration, ParameterDeclaration, SetDeclaration};
use super::statements::Evaluator;
use super::value::{Names, Value};
use super::{Scope, model};
use proc_macro2::Span;

/// A collision as formulas.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Every quantity.
    pub symbols: Symbols,
    /// Post-collision populations, shifted.
    pub populations: Vec<Polynomial>,
    /// Density, then velocity.
    pub macroscopic: Vec<Polynomial>,
    /// The node's viscosity, where the collision states one of its own.
    pub viscosity: Option<Polynomial>,
    /// The body force of a model that states one of its own.
    pub force: Option<Vec<Polynomial>>,
    /// Equilibrium populations, shifted.
    pub equilibrium: Vec<Polynomial>,
    /// Names and default values of the parameters that stay free.
    pub parameters: Vec<(String, Option<Rational>)>,
    /// The same of the fields; of them the first is the input [`Scope::first_field`].
    pub fields: Vec<(String, Option<Rational>)>,
    /// What follows for each node before it collides.
    pub derived: DerivedFields,
    /// Of a model, the sum of each set of populations at rest, and what each value is there that nodes keep.
    pub rests: Vec<Rational>,
    /// The values that nodes of a model keep from step to step, the last populations.
    pub kept: Vec<SetDeclaration>,
}

impl Kernel {
    /// Whether it is the same at every node: nothing is given to one but its populations.
    pub fn knows_no_node(&self) -> bool {
        self.fields.is_empty() && self.derived.fields.is_empty()
    }
}

impl Evaluator<'_> {
    /// The value of a parameter: a constant if it is baked in, else a symbol.
    pub(super) fn parameter(&mut self, name: &str, default: Option<&Rational>) -> Polynomial {
        if let Some(value) = self.scope.choices.baked.get(name) {
            return value.clone().into();
        }
        let index = place(&mut self.parameters, name, default);
        self.symbols.intern(name, Definition::Parameter(index)).into()
    }

    /// The value of a field at the node, in the same way.
    pub(super) fn field(&mut self, name: &str, default: Option<&Rational>) -> Polynomial {
        if let Some(value) = self.scope.choices.baked.get(name) {
            return value.clone().into();
        }
        let index = self.scope.first_field() + place(&mut self.fields, name, default);
        self.symbols.intern(name, Definition::Input(index)).into()
    }

    /// The value of a declared parameter, field, or family of them.
    pub(super) fn declared(&mut self, parameter: &ParameterDeclaration) -> Value {
        let (name, default) = (parameter.full_name(), parameter.default.as_ref());
        let of = if parameter.is_field { Self::field } else { Self::parameter };
        if parameter.family.is_none() {
            return Value::number(of(self, &name, default));
        }
        let family = self.scope.choices.baked.get(&name);
        Value::list(parameter.members(self.scope.lattice).iter().map(|member| match family {
            Some(baked) => Value::number(baked.clone()),
            None => Value::number(of(self, member, default)),
        }))
    }
}

/// Where a name stands among those with default values, to which it is added if it is new.
fn place(known: &mut Vec<(String, Option<Rational>)>, name: &str, default: Option<&Rational>) -> usize {
    known.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
        known.push((name.to_owned(), default.cloned()));
        known.len() - 1
    })
}

/// Evaluates a collision. Formulas that the language does not know are errors at their tokens.
pub fn evaluate(declaration: &CollisionDeclaration, scope: &Scope<'_>) -> syn::Result<Kernel> {
    let at_name = declaration.name.span();
    let mut baked = scope.choices.baked.keys();
    if let Some(message) =
        baked.find_map(|name| declaration.unknown_parameter(name, scope.lattice, scope.choices.forcing))
    {
        return refuse(at_name, message);
    }
    if !declaration.sets.is_empty() {
        return model::evaluate(declaration, scope);
    }
    if !scope.lattice.sets.is_empty() {
        let message = format!(
            "`{}` is a collision of one set of populations; a model of {} sets is declared by `model!`",
            declaration.name,
            scope.lattice.sets.len()
        );
        return refuse(at_name, message);
    }
    let mut evaluator = Evaluator::new(scope);
    let prelude = evaluator.prelude();
    let (names, populations) = evaluator.collided(declaration, prelude.clone())?;
    let number = |value: &Value| value.as_number("expected a number", at_name).cloned();
    let [density, viscosity] =
        ["rho", "viscosity"].map(|name| names.get(name).expect("the prelude binds it"));
    let is_own = prelude.get("viscosity").is_none_or(|given| !viscosity.is(given));
    let equilibrium = list_of(&names, "equilibrium", at_name)?;
    let velocity = list_of(&names, "u", at_name)?;
    Ok(Kernel {
        populations: shifted(scope, &populations),
        macroscopic: std::iter::once(number(density)?).chain(velocity).collect(),
        viscosity: is_own.then(|| number(viscosity)).transpose()?,
        force: None,
        equilibrium: shifted(scope, &equilibrium),
        symbols: evaluator.symbols,
        parameters: evaluator.parameters,
        fields: evaluator.fields,
        derived: evaluator.derived,
        rests: Vec::new(),
        kept: Vec::new(),
    })
}

/// The numbers of a list that has a name of the language.
pub(super) fn list_of(names: &Names, name: &str, at: Span) -> syn::Result<Vec<Polynomial>> {
    let number = |value: &Value| value.as_number("expected a number", at).cloned();
    match names.get(name) {
        Some(Value::List(list)) => list.iter().map(number).collect(),
        _ => refuse(at, format!("`{name}` must stay a list")),
    }
}

/// Populations less what they are at rest.
pub(super) fn shifted(scope: &Scope<'_>, populations: &[Polynomial]) -> Vec<Polynomial> {
    populations.iter().zip(scope.at_rest()).map(|(f, rest)| f.minus(&rest.into())).collect()
}

/// The populations after the collision, if it sets them all.
pub(super) fn populations(
    declaration: &CollisionDeclaration,
    outputs: &[Option<Polynomial>],
) -> syn::Result<Vec<Polynomial>> {
    outputs.iter().cloned().collect::<Option<_>>().ok_or_else(|| {
        let missing = outputs.iter().enumerate().filter(|(_, output)| output.is_none());
        let missing: Vec<String> = missing.map(|(i, _)| format!("f[{i}]")).collect();
        let message = format!(
            "`{}` does not set {}; set every direction, e.g. `for i in directions {{ f[i] = ..; }}`",
            declaration.name,
            missing.join(", ")
        );
        syn::Error::new(declaration.name.span(), message)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Choices, Equilibrium, Forcing, Given};
    use super::*;
    use crate::lattice::analyse;
    use crate::rational::ratio;
    use expect_test::{Expect, expect};

    fn post(body: &str) -> syn::Result<String> {
        let lattice = "D1Q3 { dimension: 1, shells: [[0], [1]], weights: [2/3, 1/6] }";
        let lattice = analyse(lattice.parse().unwrap()).unwrap();
        let choices = Choices {
            equilibrium: Equilibrium::Incompressible,
            forcing: Forcing::Guo,
            baked: [("baked".to_owned(), ratio(3, 4))].into(),
            ..Choices::default()
        };
        let scope = Scope::of(&lattice, &choices, Given::Populations);
        let kernel = evaluate(&syn::parse_str(&format!("Test(a, baked) {{ {body} }}")).unwrap(), &scope)?;
        Ok(kernel.populations.iter().map(|p| kernel.symbols.show(p) + "\n").collect())
    }

    fn becomes(body: &str, expected: &Expect) {
        expected.assert_eq(&post(body).unwrap_or_else(|error| format!("error: {error}")));
    }

    #[test]
    fn formulas_are_expanded_and_lets_are_kept() {
        becomes(
            "let x = f[1] + f[2]; for i in directions { f[i] = (a + baked) * (x - f[i]); }",
            &expect![[r#"
                -11/12 - 3/4 h_0 - h_0 a - 1/3 a + a x + 3/4 x
                -1/24 - 3/4 h_1 - h_1 a + 1/6 a + a x + 3/4 x
                -1/24 - 3/4 h_2 - h_2 a + 1/6 a + a x + 3/4 x
            "#]],
        );
    }

    #[test]
    fn closures_lists_and_ranges() {
        becomes(
            "let swap = |a, i| a[opposite[i]];
             let twice = directions.map(|i| 2 * f[i]);
             for i in directions { f[i] = swap(twice, i) + delta(i, 1) * directions.filter(|k| k != i).len(); }",
            &expect![[r#"
                2/3 + 2 h_0
                13/6 + 2 h_2
                1/6 + 2 h_1
            "#]],
        );
        becomes(
            "f[0] = pairs.sum(|[i, j]| f[i] - f[j]); for (i, j) in pairs { f[i] = c[j][0]; f[j] = if i < j && !(i == 0) { 7 } else { 8 }; }",
            &expect![[r#"
                -2/3 + h_1 - h_2
                -7/6
                41/6
            "#]],
        );
    }

    #[test]
    fn equal_definitions_share_one_symbol() {
        becomes(
            "let x = f[0] - w[0]; for i in directions { let inverse = 1 / (x + a); f[i] = inverse * (if i == 0 { 1 } else { 1 / (x + a) }); }",
            &expect![[r#"
                -2/3 + inverse_2
                -1/6 + inverse_2 inverse_2
                -1/6 + inverse_2 inverse_2
            "#]],
        );
    }

    #[test]
    fn moments_there_and_back_are_the_populations() {
        assert_eq!(
            post("let m = to_moments(f); let back = from_moments(moments.map(|k| m[k])); for i in directions { f[i] = f[i]; }").unwrap(),
            post("for i in directions { f[i] = f[i]; }").unwrap()
        );
        becomes(
            "let back = from_moments(to_moments(f)); for i in directions { f[i] = back[i]; }",
            &expect![[r#"
                h_0
                h_1
                h_2
            "#]],
        );
    }

    #[test]
    fn lists_are_added_and_folded() {
        becomes(
            "let x = 2 * [f[0], f[1]] - [1, a] / 2 + -[0, 1];
             f[0] = x[0]; f[1] = x[1]; f[2] = (0..3).fold(0, |value, i| a * value + f[i]);",
            &expect![[r#"
                1/6 + 2 h_0
                -5/6 + x_1
                h_0 a a + h_1 a + h_2 + 1/6 a + 2/3 a a
            "#]],
        );
        becomes(
            "f[0] = (1..=3).product(|n| n) + product([a, a]);
             f[1] = [a, 2].zip([3, baked]).sum(|[x, y]| x * y);
             f[2] = product([]) * rho / rho + f[1] / (rho * rho) - f[1] / rho / rho;",
            &expect![[r#"
                16/3 + a a
                4/3 + 3 a
                5/6
            "#]],
        );
        for (body, message) in [
            ("let x = [1, 2] + [1];", "as many"),
            ("let x = [1, 2] * [1, 2];", "no product"),
            ("let x = 1 + [1, 2];", "found a list"),
            ("let x = 0..a;", "whole number"),
            ("let x = ..3;", "both ends"),
            ("let x = 0..1000000000;", "at most"),
            ("let x = [1].zip([1, 2]);", "as long"),
            ("let x = directions.fold(0, 1);", "closure"),
        ] {
            let error = post(body).unwrap_err().to_string();
            assert!(error.contains(message), "{body}: {error}");
        }
    }

    #[test]
    fn what_compares_constants_is_chosen_at_once_and_what_compares_values_in_the_kernel() {
        becomes(
            "for i in directions { f[i] = select(c[i][0] == 0 || i == 2 && !(i < 1), 7, f[i]); }",
            &expect![[r#"
                19/3
                h_1
                41/6
            "#]],
        );
        becomes(
            "let x = select(rho > 1, a, 2); let y = select(1 <= rho && f[1] != a, a, 2);
             f[0] = x; f[1] = y; f[2] = select(!(1 < rho), 2, a) - select(f[1] == a, 2, select(rho >= 1, a, 2));",
            &expect![[r#"
                -2/3 + x
                -1/6 + y
                -1/6 + x - choice_3
            "#]],
        );
        becomes(
            "f[0] = select(f[0] < 1, a, a); f[1] = abs(a); f[2] = clamp(f[1], 0, a);",
            &expect![[r#"
            -2/3 + a
            -1/6 + absolute
            -1/6 + clamped
        "#]],
        );
        becomes(
            "f[0] = clamp(a, 2, 1);",
            &expect!["error: no number lies between 2 and 1; write `clamp(x, 1, 2)`"],
        );
    }

    #[test]
    fn what_is_no_formula_is_refused() {
        for body in [
            "f[0] = directions;",
            "f[0] = sum(f[0]);",
            "f[0] = if a > 1 { 1 } else { 0 };",
            "f[0] = std::f64::PI;",
            "f[0] = |x| x;",
            "let (x, y) = f; f[0] = x;",
            "f[0] = to_moments(dimensions)[0];",
            "require(isotropy >= 6, \"a reason\");",
        ] {
            let error = post(body).unwrap_err().to_string();
            assert!(error.len() > 10, "{body}: {error}");
        }
        becomes("f[0] = x;", &expect!["error: unknown name `x`, did you mean `a`?"]);
        becomes("f[0] = f[5];", &expect!["error: the index is 5; take one from 0 to 2"]);
    }
}
