//! What Rust has and the language has not: each says what to write instead.

use super::super::wrong::refuse;
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::{BinOp, Expr};

/// Every function with its arguments.
pub(super) const FUNCTIONS: [&str; 31] = [
    "sum(list)",
    "product(list)",
    "delta(a, b)",
    "sqrt(x)",
    "abs(x)",
    "min(x, y)",
    "max(x, y)",
    "clamp(x, low, high)",
    "exp(x)",
    "log(x)",
    "pow(x, y)",
    "select(condition, x, y)",
    "to_moments(list)",
    "from_moments(list)",
    "to_orthogonal(list)",
    "from_orthogonal(list)",
    "to_raw(list)",
    "from_raw(list)",
    "to_central(list, u)",
    "from_central(list, u)",
    "to_cumulants(list, u)",
    "from_cumulants(list, u)",
    "equilibrium(rho, u)",
    "momentum(rho, u)",
    "field(x, |beside| ..)",
    "at(x, offset)",
    "grad(x)",
    "lap(x)",
    "prev(x)",
    "solve(start, |x| ..)",
    "require(condition, \"why\")",
];

/// Those of boundary rules beside them.
const OF_RULES: [&str; 5] = [
    "sent_at(offset, i)",
    "arrives_at(offset, i)",
    "is_fluid_at(offset)",
    "sent_across(offset, i)",
    "is_fluid_across(offset)",
];

/// Every method of a list.
const METHODS: &str = ".map(|i| ..), .sum(|i| ..), .product(|i| ..), .filter(|i| ..), .fold(start, |value, i| ..), .zip(list), .len()";

/// Refuses words that Rust keeps for itself and formulas have no use for, before Rust's grammar stumbles over what follows them.
pub(crate) fn keywords(tokens: &TokenStream) -> syn::Result<()> {
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) => keywords(&group.stream())?,
            TokenTree::Ident(word) => {
                if let Some(message) = keyword(&word.to_string()) {
                    return refuse(word.span(), message);
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    Ok(())
}

fn keyword(word: &str) -> Option<String> {
    let message = match word {
        "let" | "for" | "in" | "if" | "else" | "true" | "false" => return None,
        "fn" => "a function is a closure with a name; write `let even = |a, i| (a[i] + a[opposite[i]]) / 2;`",
        "mut" => {
            "a quantity has one value; leave `mut` out, give another value another name, and add up with `list.sum(|i| ..)`"
        }
        "match" => {
            "there is no `match`; write `if i == 0 { .. } else { .. }` for indices, `select(condition, x, y)` for values"
        }
        "while" | "loop" | "break" | "continue" => {
            "a loop goes over a list; write `for i in directions { .. }`"
        }
        "return" => "a closure's last expression is its value; leave `return` out",
        "as" => "numbers are exact and have no types; leave `as` and the type out",
        "const" | "static" => "a quantity is named by `let`; write `let name = formula;`",
        "use" => {
            "functions of a declaration of their own come first, a name a line; write `use Name;` at the head of the body"
        }
        "mod" | "crate" | "self" | "super" | "Self" | "extern" | "pub" => {
            "a collision knows its own names only; declare what comes from outside as a parameter, `Name(parameter = 1) { .. }`"
        }
        _ if syn::parse_str::<syn::Ident>(word).is_ok() || word.starts_with("r#") || word == "_" => {
            return None;
        }
        _ => return Some(format!("`{word}` is a word that Rust keeps for itself; take another name")),
    };
    Some(message.to_owned())
}

/// What Rust's grammar says of a body, in words of the language where it has some.
pub(crate) fn grammar(error: syn::Error) -> syn::Error {
    match error.to_string().as_str() {
        "comparison operators cannot be chained" => {
            syn::Error::new(error.span(), "comparisons are joined by `&&`; write `a < b && b < c`")
        }
        _ => error,
    }
}

/// An expression of Rust that the language has not.
pub(super) fn expression<T>(expr: &Expr) -> syn::Result<T> {
    let (span, message) = match expr {
        Expr::Field(field) => (
            field.member.span(),
            "nothing has fields; a component is `u[0]`, an entry `f[i]`, the length of a list `list.len()`",
        ),
        Expr::Tuple(_) => (expr.span(), "a list stands in square brackets, `[x, y]`"),
        Expr::Macro(_) => {
            (expr.span(), "macros mean nothing here; a list is `[x, y]` or `directions.map(|i| ..)`")
        }
        Expr::Reference(_) => (expr.span(), "values are not borrowed; leave `&` out"),
        Expr::Repeat(_) => (expr.span(), "a list of equal entries is `directions.map(|i| x)`"),
        _ => (
            expr.span(),
            "the language of `collision!` does not know this; it has + - * /, f[i], let, for, if, closures, calls",
        ),
    };
    refuse(span, message)
}

/// An operator of Rust that the language has not.
pub(super) fn operator<T>(binary: &syn::ExprBinary) -> syn::Result<T> {
    let message = match binary.op {
        BinOp::BitXor(_) => "`^` is no power; write a product, `x * x`, or `pow(x, y)`",
        BinOp::BitAnd(_) => "conditions are joined by `&&`",
        BinOp::BitOr(_) => "conditions are joined by `||`",
        BinOp::AddAssign(_) | BinOp::SubAssign(_) | BinOp::MulAssign(_) | BinOp::DivAssign(_) => {
            "a quantity has one value; write `f[i] = f[i] + ..`, and add up with `list.sum(|i| ..)`"
        }
        _ => "the language of `collision!` has the operators + - * / and comparisons",
    };
    refuse(binary.op.span(), message)
}

/// A sign of Rust that the language has not.
pub(super) fn sign<T>(unary: &syn::ExprUnary) -> syn::Result<T> {
    refuse(unary.op.span(), "only - and ! can stand before a formula; a power is a product, `x * x`")
}

/// A method of Rust's numbers.
pub(super) fn method_of_number<T>(method: &syn::Ident) -> syn::Result<T> {
    let name = method.to_string();
    let message = match name.as_str() {
        "powi" | "powf" | "powu" => {
            "a power is a product, `x * x`, a root `sqrt(x)`, any other `pow(x, y)`".to_owned()
        }
        "ln" => "the natural logarithm is `log(x)`".to_owned(),
        "recip" => "write `1 / x`".to_owned(),
        "mul_add" => "write `x * a + b`; what can be fused is fused".to_owned(),
        _ => match FUNCTIONS.iter().find(|known| name_of(known) == name) {
            Some(known) => format!("functions stand before their arguments; write `{known}`"),
            None => format!("a number has no method `{name}`{}", functions(&name)),
        },
    };
    refuse(method.span(), message)
}

/// A method that lists have not.
pub(super) fn method_of_list<T>(method: &syn::Ident) -> syn::Result<T> {
    refuse(method.span(), format!("unknown method `{method}`; lists have {METHODS}"))
}

/// A name that is called although it is no closure and no function of the language.
pub(super) fn function<T>(name: &str, arguments: usize, span: Span) -> syn::Result<T> {
    match all().find(|known| name_of(known) == name) {
        Some(known) => refuse(span, format!("`{name}` does not take {arguments} arguments; write `{known}`")),
        None => refuse(span, format!("unknown function `{name}`{}", functions(name))),
    }
}

/// What a name that is not known may stand for, if a function is called so.
pub(super) fn named_function(name: &str) -> Option<String> {
    let known = all().find(|known| name_of(known) == name)?;
    Some(format!("`{name}` is a function; write `{known}`"))
}

fn name_of(function: &str) -> &str {
    function.split('(').next().unwrap_or(function)
}

/// All functions.
fn all() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.into_iter().chain(OF_RULES)
}

/// The names of all functions, and of all methods of lists with their dots.
pub(super) fn functions_and_methods() -> impl Iterator<Item = String> {
    let methods = METHODS.split(", .").map(|method| format!(".{}", name_of(method.trim_start_matches('.'))));
    all().map(|function| name_of(function).to_owned()).chain(methods)
}

/// The function with nearly this name, or all of them.
fn functions(name: &str) -> String {
    let distance = |known: &&str| strsim::damerau_levenshtein(name_of(known), name);
    match all().min_by_key(distance).filter(|known| distance(known) <= 2) {
        Some(known) => format!(", did you mean `{known}`?"),
        None => format!("; there are {}", FUNCTIONS.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::CollisionDeclaration;

    #[test]
    fn what_the_grammar_stumbles_over_says_what_to_write() {
        for (text, message) in [
            ("Chained { let x = select(1 < rho < 2, 1, 2); }", "joined by `&&`"),
            ("Nested { for i in directions { if i == 0 { fn x() {} } } }", "a function is a closure"),
            ("Typed(tau: field) { f[0] = 1; }", "a parameter has no type"),
            ("Kept { let yield = 1; }", "`yield` is a word that Rust keeps"),
        ] {
            let error = syn::parse_str::<CollisionDeclaration>(text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
        // Names that only look like it, and texts, are names and texts.
        let fine = "Fine(r#type) { require(isotropy >= 4, \"fn match while\"); let function = r#type; let matched = function; }";
        assert!(syn::parse_str::<CollisionDeclaration>(fine).is_ok());
    }
}
